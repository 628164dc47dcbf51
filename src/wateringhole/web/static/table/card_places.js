/**
 * The places where a card can go: the watering hole, each own board's growth and traits, a new board.
 *
 * Laws: which places there are follows from the boards that the server drew after the plan; whether a card may go
 * there, and why not, is the server's word alone.
 *
 * @typedef {{rule: string | null, text: string | null}} Word
 */

import { h } from "../shared/dom.js";
import { traitGlyph, uiGlyph } from "../shared/glyphs.js";
import { asSentence } from "../shared/notices.js";
import { explain } from "../shared/tooltips.js";

/** How many traits a board has room for in the drawing. */
const MAX_SLOTS = 3;

/** The name of a place in the page. @param {{use: string, board?: number, slot?: number}} target @returns {string} */
export function placeName(target) {
  return [target.use, target.board, target.slot].filter((part) => part !== undefined).join(":");
}

/** @param {string} name @returns {import("./plan.js").Target} */
export function placeTarget(name) {
  const [use, board, slot] = name.split(":");
  if (use === "trait") return { use, board: Number(board), slot: Number(slot) };
  if (use === "population" || use === "body" || use === "new-trait") return { use, board: Number(board) };
  return use === "board" ? { use } : { use: "food" };
}

/** The tile for the watering hole. @param {import("../shared/types.js").Face | null} given  the card that the plan gives */
export function foodPlace(given) {
  const said = given ? `${given[0] > 0 ? "+" : ""}${given[0]} from ${given[1]}` : "give one card";
  return h("div", { class: "own-board tile" }, placeButton({ use: "food" }, "Watering hole", uiGlyph("food"), said,
    "Your food card"));
}

/** The tile for a new board. @param {number} number  the number it would get */
export function boardPlace(number) {
  return h("div", { class: "own-board tile" },
    placeButton({ use: "board" }, "New board", uiGlyph("card"), `it will be board ${number}`,
      "Pay for a new board"));
}

/**
 * The places on one board.
 *
 * @param {import("../shared/types.js").Board} board
 * @param {number} index
 * @param {boolean} added  whether the plan adds this board
 * @returns {HTMLElement[]}
 */
export function placesOn(board, index, added) {
  const places = [
    placeButton({ use: "population", board: index }, "animal", uiGlyph("population"), "",
      `One more animal for board ${index}`),
    placeButton({ use: "body", board: index }, "body", uiGlyph("body"), "", `One more body size for board ${index}`),
  ];
  board.traits.forEach((trait, slot) => {
    places.push(placeButton({ use: "trait", board: index, slot }, trait, traitGlyph(trait), "",
      `In place of ${trait}, slot ${slot} of board ${index}`));
  });
  if (!added && board.traits.length < MAX_SLOTS) {
    // Nothing can go here, and the server says why; but a player looks for it.
    const slot = board.traits.length;
    places.push(placeButton({ use: "trait", board: index, slot }, "slot", uiGlyph("card"), "",
      `Empty slot ${slot} of board ${index}`));
  }
  if (added) {
    places.push(placeButton({ use: "new-trait", board: index }, "trait", uiGlyph("card"), "",
      `A trait for new board ${index}`));
  }
  return places;
}

/**
 * @param {import("./plan.js").Target} target
 * @param {string} label
 * @param {Node} glyph
 * @param {string} more
 * @param {string} name  what it is for
 * @returns {HTMLButtonElement}
 */
function placeButton(target, label, glyph, more, name) {
  const place = placeName(target);
  const button = h("button", { class: "place", type: "button", "data-place": place, "data-key": place,
    "data-name": name, "data-use": target.use },
    glyph, h("span", { class: "place-label" }, label), more ? h("span", { class: "place-more" }, more) : null,
    h("span", { class: "visually-hidden" }));
  explain(button, () => {
    const { why, rule } = button.dataset;
    // A finger covers the place anyway, and a tap shows the reason.
    if (matchMedia("(hover: none)").matches) return null;
    return why ? { heading: "Not here", text: rule ? `${why} (${rule})` : why } : { text: button.dataset.name ?? "" };
  });
  return button;
}

/**
 * Mark every place below the root by the server's word on the picked card; without words nothing can be placed yet.
 *
 * @param {ParentNode} root
 * @param {"idle" | "asking" | "answered"} moment
 * @param {(name: string) => Word} wordOn
 */
export function markPlaces(root, moment, wordOn) {
  for (const button of root.querySelectorAll("button[data-place]")) {
    const { dataset } = /** @type {HTMLElement} */ (button);
    const { rule, text } = moment === "answered" ? wordOn(dataset.place ?? "") : { rule: null, text: null };
    const open = moment === "answered" && text === null;
    dataset.state = moment === "answered" ? (open ? "open" : "blocked") : moment;
    const why = text === null ? "" : asSentence(text);
    setOrDrop(button, "data-why", why);
    setOrDrop(button, "data-rule", rule ?? "");
    const hidden = button.querySelector(".visually-hidden");
    if (hidden) hidden.textContent = `: ${dataset.name}. ${why ? `Not possible: ${why}` : open ? "Possible." : ""}`;
  }
}

/** @param {Element} element @param {string} name @param {string} value  empty: no such attribute */
function setOrDrop(element, name, value) {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}
