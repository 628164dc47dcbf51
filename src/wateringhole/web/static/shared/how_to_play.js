/**
 * "How to play": the game in two minutes as a dialog, with the ways to the tutorial and to the rule book.
 *
 * Laws: the keys are listed only where there is a pointer finer than a finger, because a keyboard goes with it.
 */

import { h } from "./dom.js";
import { uiGlyph } from "./glyphs.js";
import { showDialog } from "./settings.js";
import { text } from "./text.js";
import { traitList } from "./trait_list.js";

const GAME_PARTS = /** @type {const} */ (["species", "cards", "feeding", "end", "winning"]);

/** Everything the keyboard can do at a table. */
const TABLE_KEYS = /** @type {const} */ (["go", "step", "card", "take", "food", "population", "body", "board", "trait", "move",
  "play", "undo", "clear", "hint", "feed", "decline", "escape", "help"]);

/** Open the dialog, unless it is open. */
export function showHowToPlay() {
  if (document.querySelector("dialog .how-to-play")) return;
  showDialog(text("how.heading"), h("div", { class: "how-to-play" },
    h("dl", {}, ...GAME_PARTS.flatMap((part) =>
      [h("dt", {}, text(`how.part.${part}`)), h("dd", {}, text(`how.part.${part}.text`))])),
    h("p", { class: "how-ways" }, h("a", { class: "button primary", href: "/learn" }, text("how.learn")),
      h("a", { class: "button", href: "/rules" }, text("how.rules"))),
    traitList(),
    matchMedia("(any-hover: hover) and (any-pointer: fine)").matches ? keyList() : null));
}

/** @returns {HTMLElement} */
function keyList() {
  const rows = TABLE_KEYS.map((name) => h("tr", {},
    h("th", { scope: "row" }, h("kbd", {}, text(`how.key.${name}.keys`))), h("td", {}, text(`how.key.${name}.text`))));
  return h("details", { class: "key-list" }, h("summary", {}, text("how.keys")),
    h("table", { class: "keys" }, h("tbody", {}, ...rows)));
}

/** @returns {HTMLButtonElement} */
export function helpButton() {
  return h("button", { class: "quiet", id: "help", type: "button", onclick: showHowToPlay, "aria-label": text("how.heading") },
    uiGlyph("help"));
}
