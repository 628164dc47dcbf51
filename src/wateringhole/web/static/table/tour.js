/**
 * A short tour through the first turn: six words at the places that they are about.
 *
 * Laws: never in the way. It takes the focus only from nothing, or when the player has called it, and no key but Escape;
 * it can be left at any time, ends when the player has played, and comes once. The page does not start it while a clock runs, when there is no time to read.
 */

import { h } from "../shared/dom.js";
import { speak } from "../shared/notices.js";
import { remember, remembered } from "../shared/storage.js";
import { text } from "../shared/text.js";
import { focusDock, showInBand, showOwnBoards } from "./own_side.js";

/** The ids of what its steps are about, in order. */
const TOUR_STEPS = /** @type {const} */ (["hole", "others", "mine", "hand", "tray", "play"]);

/** Show the tour, unless this browser has seen it. */
export function tourOnFirstVisit() {
  if (remembered("tour") === null && !document.querySelector(".tour")) showTour(document.activeElement === document.body);
}

/** The player has played: it has found what the tour is about. */
export function endTour() {
  const panel = document.querySelector(".tour");
  if (!panel) return;
  document.removeEventListener("keydown", endTourByKey, { capture: true });
  document.querySelector("[data-tour]")?.removeAttribute("data-tour");
  const hadFocus = panel.contains(document.activeElement);
  panel.remove();
  if (hadFocus) focusDock();
  showOwnBoards();
  remember("tour", "seen");
}

/** Escape puts a card back first, and closes a dialog. @param {KeyboardEvent} event */
function endTourByKey(event) {
  const taken = document.body.hasAttribute("data-picked") || document.querySelector("dialog[open]") !== null;
  if (event.key === "Escape" && !event.defaultPrevented && !taken) endTour();
}

/** @param {boolean} [focus]  whether it takes the focus */
export function showTour(focus = true) {
  endTour();
  const panel = h("section", { class: "tour card-panel", "aria-label": text("tour.label") });
  /** @type {Element | null} */
  let marked = null;
  /** @param {number} step */
  const show = (step) => {
    marked?.removeAttribute("data-tour");
    marked = null;
    if (step >= TOUR_STEPS.length) return endTour();
    const about = TOUR_STEPS[step];
    const heading = text(`tour.${about}.title`);
    const words = text(`tour.${about}.text`);
    marked = document.getElementById(about);
    marked?.setAttribute("data-tour", "");
    const last = step === TOUR_STEPS.length - 1;
    const next = h("button", { class: "primary", id: "tour-next", onclick: () => show(step + 1) },
      last ? text("tour.done") : text("tour.next"));
    const skip = h("button", { class: "quiet", id: "tour-skip", onclick: () => show(TOUR_STEPS.length) },
      text("tour.skip"));
    const hadFocus = panel.contains(document.activeElement);
    panel.replaceChildren(h("h2", {}, heading), h("p", {}, words),
      h("p", { class: "tour-steps" }, h("span", { class: "soft" },
        text("tour.step", { step: step + 1, steps: TOUR_STEPS.length })),
        last ? null : skip, next));
    if (hadFocus) next.focus({ preventScroll: true });
    // On a small screen the panel is at the other end of the window.
    const low = marked !== null && marked.closest("#dock") === null;
    panel.toggleAttribute("data-low", low);
    if (marked && low) showInBand([marked]);
    speak(`${heading}. ${words}`);
  };
  // In the capturing phase: the key that puts a card back does only that.
  document.addEventListener("keydown", endTourByKey, { capture: true });
  // Below the header, however high that is.
  document.querySelector("#top")?.append(panel);
  show(0);
  if (focus) /** @type {HTMLElement | null} */ (panel.querySelector("#tour-next"))?.focus({ preventScroll: true });
}
