/**
 * A short tour through the first turn: six words at the places that they are about.
 *
 * Laws: never in the way. It takes no focus and no key but Escape, can be left at any time, and comes once.
 */

import { h } from "../shared/dom.js";
import { speak } from "../shared/notices.js";
import { remember, remembered } from "../shared/storage.js";

/** @type {[string, string, string][]}  what it is about, the heading, the words */
const TOUR_STEPS = [
  ["#hole", "The watering hole", "All species eat from here. What your animals eat in a turn goes into your bag, and "
    + "the fullest bag wins."],
  ["#others", "The others", "Their boards lie open, their cards do not. Each board is a species: animals, a body size "
    + "and up to three traits. Rest on a trait to read what it does."],
  ["#mine", "Your boards", "Feed every animal, or it dies at the end of the turn. More boards bring more cards."],
  ["#hand", "Your cards", "A card is food for the watering hole, or its trait, or payment for growth. Take one by "
    + "click, by drag or with the keyboard: the places where it may go light up."],
  ["#tray", "Your plan", "Put together as much as you like; the boards show what comes of it. Undo everything until "
    + "you play. One card must go to the watering hole."],
  ["#play", "Play", "All players choose in secret. When all have played, the cards are shown and the feeding begins. "
    + "The bulb shows what a bot would do."],
];

/** Show the tour, unless this browser has seen it. */
export function tourOnFirstVisit() {
  if (remembered("tour") === null && !document.querySelector(".tour")) showTour();
}

export function showTour() {
  document.querySelector(".tour")?.remove();
  const panel = h("section", { class: "tour card-panel", "aria-label": "A short tour" });
  /** @type {Element | null} */
  let marked = null;
  /** @param {number} step */
  const show = (step) => {
    marked?.removeAttribute("data-tour");
    marked = null;
    if (step >= TOUR_STEPS.length) {
      remember("tour", "seen");
      return panel.remove();
    }
    const [selector, heading, words] = TOUR_STEPS[step];
    marked = document.querySelector(selector);
    marked?.setAttribute("data-tour", "");
    const last = step === TOUR_STEPS.length - 1;
    const next = h("button", { class: "primary", id: "tour-next", onclick: () => show(step + 1) },
      last ? "Done" : "Next");
    const skip = h("button", { class: "quiet", id: "tour-skip", onclick: () => show(TOUR_STEPS.length) }, "Skip");
    const hadFocus = panel.contains(document.activeElement);
    panel.replaceChildren(h("h2", {}, heading), h("p", {}, words),
      h("p", { class: "tour-steps" }, h("span", { class: "soft" }, `${step + 1} of ${TOUR_STEPS.length}`),
        last ? null : skip, next));
    if (hadFocus) next.focus();
    speak(`${heading}. ${words}`);
  };
  panel.addEventListener("keydown", (event) => {
    if (event.key === "Escape") show(TOUR_STEPS.length);
  });
  document.querySelector("#banners")?.after(panel);
  show(0);
}
