/**
 * "How to play": the game in two minutes as a dialog, with the ways to the tutorial and to the rule book.
 *
 * Laws: the keys are listed only where there is a pointer finer than a finger, because a keyboard goes with it.
 */

import { h } from "./dom.js";
import { uiGlyph } from "./glyphs.js";
import { showDialog } from "./settings.js";

/** @type {[string, string][]}  a part of the game, and what it is about */
const GAME_PARTS = [
  ["Species", "Each of your boards is a species: some animals, a body size, and up to three traits. All species of all "
    + "players eat from one watering hole."],
  ["Cards", "Each turn you draw three cards, and one more for each board. One card must go to the watering hole: its "
    + "number is the food that it brings. Other cards buy an animal, a body size, or a new board with traits; the rest "
    + "stays in your hand. All choose in secret."],
  ["Feeding", "Players take turns. A hungry board takes one token from the watering hole. A carnivore attacks a board "
    + "of another player instead: that one loses an animal. Many traits protect against this."],
  ["The end of a turn", "Animals without food die. The food that was eaten goes into your bag. A board without animals "
    + "is gone, and brings you two cards."],
  ["Winning", "When the deck is used up, the food in your bag, your animals and your traits are your points."],
];

/** Everything the keyboard can do at a table. */
const TABLE_KEYS = [
  ["g", "go to your hand, or to what can be fed"],
  ["Tab, arrows", "go to a card, a place, a board"],
  ["Enter, space", "take the card; put it on the place in focus"],
  ["f", "the card goes to the watering hole"],
  ["p, then a number", "one more animal for this board"],
  ["b, then a number", "one more body size for this board"],
  ["n", "the card pays for a new board"],
  ["t, then board, then slot", "the card becomes a trait"],
  ["Alt + up, down", "move the entry of the plan that has the focus"],
  ["Ctrl + Enter", "play the plan"],
  ["u", "undo"],
  ["c", "clear the plan"],
  ["h", "a hint"],
  ["a number, when feeding", "feed this board, or attack with it"],
  ["d", "feed no more this turn"],
  ["Escape", "put the card back, forget the attacker"],
  ["?", "this help"],
];

/** Open the dialog, unless it is open. */
export function showHowToPlay() {
  if (document.querySelector("dialog .how-to-play")) return;
  showDialog("How to play", h("div", { class: "how-to-play" },
    h("dl", {}, ...GAME_PARTS.flatMap(([part, words]) => [h("dt", {}, part), h("dd", {}, words)])),
    h("p", { class: "how-ways" }, h("a", { class: "button primary", href: "/learn" }, "Learn in two minutes"),
      h("a", { class: "button", href: "/rules" }, "All rules")),
    matchMedia("(any-hover: hover) and (any-pointer: fine)").matches ? keyList() : null));
}

/** @returns {HTMLElement} */
function keyList() {
  const rows = TABLE_KEYS.map(([keys, what]) =>
    h("tr", {}, h("th", { scope: "row" }, h("kbd", {}, keys)), h("td", {}, what)));
  return h("details", { class: "key-list" }, h("summary", {}, "The keyboard at a table"),
    h("table", { class: "keys" }, h("tbody", {}, ...rows)));
}

/** @returns {HTMLButtonElement} */
export function helpButton() {
  return h("button", { class: "quiet", id: "help", type: "button", onclick: showHowToPlay, "aria-label": "How to play" },
    uiGlyph("help"));
}
