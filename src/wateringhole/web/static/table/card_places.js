/**
 * The places where a card can go: the watering hole, each own board's growth and traits, a new board. What the plan has
 * put there is shown at the place itself, with a button that takes it out again.
 *
 * Laws: which places there are follows from the boards that the server drew after the plan; whether a card may go
 * there, and why not, is the server's word alone.
 *
 * @typedef {{rule: string | null, text: string | null}} Word
 * @typedef {Map<string, number[]>} PlannedEntries  the ids of the plan's entries, by the place that shows them
 */

import { h } from "../shared/dom.js";
import { traitGlyph, uiGlyph } from "../shared/glyphs.js";
import { refusalText } from "../shared/notices.js";
import { signedText, text } from "../shared/text.js";
import { explain } from "../shared/tooltips.js";
import { traitName, traitText } from "../shared/trait_text.js";
import { addedBoardNumber, addedTraitNumber, targetOf } from "./plan.js";

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

/** Where each entry of the plan is shown; a new board by its number. @param {import("./plan.js").Plan} plan */
export function plannedEntries(plan) {
  /** @type {PlannedEntries} */
  const found = new Map();
  for (const entry of plan.entries) {
    const place = shownAt(plan, entry);
    found.set(place, [...(found.get(place) ?? []), entry.id]);
  }
  return found;
}

/** @param {import("./plan.js").Plan} plan @param {import("./plan.js").Entry} entry @returns {string} */
function shownAt(plan, entry) {
  const target = targetOf(plan, entry);
  if (entry.use === "board") return placeName({ use: "board", board: addedBoardNumber(plan, entry.id) });
  if (entry.use !== "new-trait" || target.use !== "new-trait") return placeName(target);
  return placeName({ use: "trait", board: target.board, slot: addedTraitNumber(plan, entry) });
}

/**
 * The tile for the watering hole.
 *
 * @param {import("../shared/types.js").Face | null} given  the card that the plan gives
 * @param {PlannedEntries} planned
 */
export function foodPlace(given, planned) {
  const more = given ? text("choosing.food.given", { food: signedText(given[0]), trait: traitName(given[1]) })
    : text("choosing.food.give");
  return h("div", { class: "own-board tile" },
    ...placeCell({ use: "food" }, text("choosing.food"), uiGlyph("food"), text("choosing.food.label"), planned, more));
}

/** The tile for a new board. @param {string} letter  the letter it would get */
export function boardPlace(letter) {
  return h("div", { class: "own-board tile" },
    ...placeCell({ use: "board" }, text("choosing.board"), uiGlyph("card"), text("choosing.board.label"), new Map(),
      text("choosing.board.letter", { letter })));
}

/**
 * The places on one board: its growth, its traits, and if the plan adds it, one more trait.
 *
 * @param {import("../shared/types.js").Board} board
 * @param {number} index
 * @param {boolean} added  whether the plan adds this board
 * @param {PlannedEntries} planned
 * @returns {HTMLElement[]}
 */
export function placesOn(board, index, added, planned) {
  const { letter } = board;
  const places = [
    placeCell({ use: "population", board: index }, text("choosing.animal"), uiGlyph("population"),
      text("choosing.animal.label", { letter }), planned),
    placeCell({ use: "body", board: index }, text("choosing.body"), uiGlyph("body"),
      text("choosing.body.label", { letter }), planned),
    ...board.traits.map((trait, slot) => {
      const name = traitName(trait);
      return placeCell({ use: "trait", board: index, slot }, name, traitGlyph(trait),
        text("choosing.exchange.label", { trait: name, letter }), planned, "", trait);
    }),
  ];
  if (added) {
    places.push(placeCell({ use: "new-trait", board: index }, text("choosing.trait"), uiGlyph("card"),
      text("choosing.trait.label", { letter }), planned));
  }
  const cells = places.map((cell) => h("div", { class: "place-cell" }, ...cell));
  if (!added) return cells;
  const drop = unplanButton(planned.get(`board:${index}`) ?? [], text("choosing.board.drop", { letter }), "board-drop");
  return [...cells, h("div", { class: "place-cell drop-cell" }, drop)];
}

/**
 * A place and, if the plan has put something there, the button that takes the last of it out.
 *
 * @param {import("./plan.js").Target} target
 * @param {string} label
 * @param {Node} glyph
 * @param {string} name  what it is for
 * @param {PlannedEntries} planned
 * @param {string} [more]
 * @param {import("../shared/types.js").Trait} [trait]  that is exchanged here
 * @returns {HTMLElement[]}
 */
function placeCell(target, label, glyph, name, planned, more = "", trait) {
  const place = placeName(target);
  const entries = planned.get(place) ?? [];
  const grown = entries.length && (target.use === "population" || target.use === "body");
  const button = h("button", { class: "place", type: "button", "data-place": place, "data-key": place,
    "data-name": name, "data-use": target.use, "data-planned": entries.length > 0 },
    glyph, h("span", { class: "place-label" }, label),
    grown ? h("span", { class: "planned-count" }, `+${entries.length}`) : null,
    more ? h("span", { class: "place-more" }, more) : null, h("span", { class: "visually-hidden" }));
  explain(button, () => {
    const { why } = button.dataset;
    // A finger covers the place anyway, and a tap shows the reason.
    if (matchMedia("(hover: none)").matches) return null;
    if (why) return { heading: text("choosing.not-here"), text: why };
    return trait && button.dataset.state === "idle" ? { heading: label, text: traitText(trait) } : { text: name };
  });
  return entries.length ? [button, unplanButton(entries, text("choosing.drop", { what: label }))] : [button];
}

/** @param {number[]} entries @param {string} label @param {string} [kind] */
function unplanButton(entries, label, kind = "") {
  return h("button", { class: `quiet unplan ${kind}`.trim(), type: "button", "data-unplan": entries.at(-1),
    "data-key": `unplan:${entries.at(-1)}`, "aria-label": label }, uiGlyph("close"));
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
    const { rule, text: said } = moment === "answered" ? wordOn(dataset.place ?? "") : { rule: null, text: null };
    const open = moment === "answered" && said === null;
    dataset.state = moment === "answered" ? (open ? "open" : "blocked") : moment;
    const why = said === null ? "" : refusalText(rule, said);
    setOrDrop(button, "data-why", why);
    setOrDrop(button, "data-rule", rule ?? "");
    const hidden = button.querySelector(".visually-hidden");
    const verdict = why ? text("choosing.blocked", { why }) : open ? text("choosing.open") : "";
    if (hidden) hidden.textContent = `: ${dataset.name}. ${verdict}`;
  }
}

/** @param {Element} element @param {string} name @param {string} value  empty: no such attribute */
function setOrDrop(element, name, value) {
  if (value) element.setAttribute(name, value);
  else element.removeAttribute(name);
}
