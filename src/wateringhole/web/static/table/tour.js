/**
 * A short tour through the first turn: six words at the places that they are about.
 *
 * Laws: never in the way. It takes no focus and no key but Escape, can be left at any time, ends when the player has
 * played, and comes once. The page does not start it while a clock runs, when there is no time to read.
 */

import { h } from "../shared/dom.js";
import { speak } from "../shared/notices.js";
import { remember, remembered } from "../shared/storage.js";
import { text } from "../shared/text.js";
import { showInBand, showOwnBoards } from "./own_side.js";

/** The ids of what its steps are about, in order. */
const TOUR_STEPS = /** @type {const} */ (["hole", "others", "mine", "hand", "tray", "play"]);

/** Show the tour, unless this browser has seen it. */
export function tourOnFirstVisit() {
  if (remembered("tour") === null && !document.querySelector(".tour")) showTour();
}

/** The player has played: it has found what the tour is about. */
export function endTour() {
  const panel = document.querySelector(".tour");
  if (!panel) return;
  document.querySelector("[data-tour]")?.removeAttribute("data-tour");
  panel.remove();
  showOwnBoards();
  remember("tour", "seen");
}

export function showTour() {
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
    if (hadFocus) next.focus();
    // On a small screen the panel is at the other end of the window.
    const low = marked !== null && marked.closest("#dock") === null;
    panel.toggleAttribute("data-low", low);
    if (marked && low) showInBand([marked]);
    speak(`${heading}. ${words}`);
  };
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") show(TOUR_STEPS.length);
  });
  // Below the header, however high that is.
  document.querySelector("#top")?.append(panel);
  show(0);
}
