/** The plan as a list to read, reorder and take back. */

import { h } from "../shared/dom.js";
import { traitGlyph, uiGlyph } from "../shared/glyphs.js";
import { signedText, text } from "../shared/text.js";
import { traitName } from "../shared/trait_text.js";
import { addedBoardNumber, targetOf } from "./plan.js";

/**
 * @typedef {{move: (id: number, by: number) => void, remove: (id: number) => void,
 *   letterOf: (board: number) => string}} PlanActs
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
    const what = entryText(plan, entry, face, acts.letterOf);
    /** @param {string} name @param {string} glyph @param {string} label @param {boolean} off @param {() => void} act */
    const button = (name, glyph, label, off, act) => h("button", { class: "quiet icon", type: "button", onclick: act,
      "data-act": name, "data-key": `${name}:${entry.id}`, "aria-label": label, disabled: off }, uiGlyph(glyph));
    return h("li", { "data-entry": entry.id, "data-use": entry.use,
      onkeydown: (event) => moveByKey(/** @type {KeyboardEvent} */ (event), entry.id, acts) },
      h("span", { class: "entry-card" }, traitGlyph(face[1]), h("span", {}, String(entry.card + 1))),
      h("span", { class: "entry-text" }, what),
      button("up", "up", text("plan.earlier", { what }), at === 0, () => acts.move(entry.id, -1)),
      button("down", "down", text("plan.later", { what }), at === plan.entries.length - 1, () => acts.move(entry.id, 1)),
      button("remove", "close", text("plan.remove", { what }), false, () => acts.remove(entry.id)));
  });
}

/**
 * @param {import("./plan.js").Plan} plan
 * @param {import("./plan.js").Entry} entry
 * @param {import("../shared/types.js").Face} face
 * @param {(board: number) => string} letterOf
 * @returns {string}
 */
function entryText(plan, entry, face, letterOf) {
  const target = targetOf(plan, entry);
  const trait = traitName(face[1]);
  switch (target.use) {
    case "food": return text("plan.food", { food: signedText(face[0]) });
    case "population": return text("plan.animal", { letter: letterOf(target.board) });
    case "body": return text("plan.body", { letter: letterOf(target.board) });
    case "board": return text("plan.board", { letter: letterOf(addedBoardNumber(plan, entry.id)) });
    case "new-trait": return text("plan.trait", { trait, letter: letterOf(target.board) });
    case "trait": return text("plan.exchange", { trait, letter: letterOf(target.board), number: target.slot + 1 });
  }
}

/** @param {KeyboardEvent} event @param {number} id @param {PlanActs} acts */
function moveByKey(event, id, acts) {
  const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!event.altKey || by === undefined) return;
  event.preventDefault();
  acts.move(id, by);
}
