/** The plan as a list to read, reorder and take back. */

import { h } from "../shared/dom.js";
import { traitGlyph, uiGlyph } from "../shared/glyphs.js";
import { addedBoardNumber, targetOf } from "./plan.js";

/**
 * @typedef {{move: (id: number, by: number) => void, remove: (id: number) => void}} PlanActs
 */

/**
 * The entries of the plan, in order.
 *
 * @param {import("./plan.js").Plan} plan
 * @param {import("../shared/types.js").Face[]} hand
 * @param {PlanActs} acts
 * @returns {HTMLLIElement[]}
 */
export function planItems(plan, hand, acts) {
  return plan.entries.map((entry, at) => {
    const face = hand[entry.card];
    const what = entryText(plan, entry, face);
    /** @param {string} name @param {string} glyph @param {string} says @param {boolean} off @param {() => void} act */
    const button = (name, glyph, says, off, act) => h("button", { class: "quiet icon", type: "button", onclick: act,
      "data-act": name, "data-key": `${name}:${entry.id}`, "aria-label": `${says}: ${what}`, disabled: off },
      uiGlyph(glyph));
    return h("li", { "data-entry": entry.id, "data-use": entry.use,
      onkeydown: (event) => moveByKey(/** @type {KeyboardEvent} */ (event), entry.id, acts) },
      h("span", { class: "entry-card" }, traitGlyph(face[1]), h("span", {}, String(entry.card))),
      h("span", { class: "entry-text" }, what),
      button("up", "up", "Earlier", at === 0, () => acts.move(entry.id, -1)),
      button("down", "down", "Later", at === plan.entries.length - 1, () => acts.move(entry.id, 1)),
      button("remove", "close", "Take back", false, () => acts.remove(entry.id)));
  });
}

/**
 * @param {import("./plan.js").Plan} plan
 * @param {import("./plan.js").Entry} entry
 * @param {import("../shared/types.js").Face} face
 * @returns {string}
 */
function entryText(plan, entry, [food, trait]) {
  const target = targetOf(plan, entry);
  switch (target.use) {
    case "food": return `${food > 0 ? "+" : ""}${food} to the watering hole`;
    case "population": return `one more animal on board ${target.board}`;
    case "body": return `one more body size on board ${target.board}`;
    case "board": return `pays for new board ${addedBoardNumber(plan, entry.id)}`;
    case "new-trait": return `${trait} on new board ${target.board}`;
    case "trait": return `${trait} into slot ${target.slot} of board ${target.board}`;
  }
}

/** @param {KeyboardEvent} event @param {number} id @param {PlanActs} acts */
function moveByKey(event, id, acts) {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!event.altKey || by === undefined) return;
  event.preventDefault();
  acts.move(id, by);
}
