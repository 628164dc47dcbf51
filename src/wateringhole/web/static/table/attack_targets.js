/**
 * The others' boards as prey: a button over each board, open or with the reason why not.
 *
 * @typedef {{board: number, seat: number, target: number, rule: string | null, text: string | null}} Hunt
 */

import { h } from "../shared/dom.js";
import { asSentence } from "../shared/notices.js";
import { explain } from "../shared/tooltips.js";

/**
 * @param {import("./opponents.js").Opponents} opponents
 * @param {Hunt[]} hunts
 * @param {{seat: number, target: number} | null} hinted
 * @param {(hunt: Hunt) => void} choose
 */
export function drawTargets(opponents, hunts, hinted, choose) {
  for (const hunt of hunts) {
    const board = opponents.boardAt(hunt.seat, hunt.target);
    if (!board) continue;
    const open = hunt.text === null;
    board.dataset.state = open ? "target" : "blocked";
    // The rule's id is short enough for the board; its sentence is in the tip.
    if (hunt.rule) board.dataset.note = hunt.rule;
    else if (hinted?.seat === hunt.seat && hinted.target === hunt.target) board.dataset.note = "the hint";
    // Last, because the board draws itself anew with every attribute.
    board.append(targetButton(hunt, open, choose));
  }
}

/** No board of the others is marked any more. @param {import("./opponents.js").Opponents} opponents */
export function wipeTargets(opponents) {
  for (const row of opponents.boards()) {
    for (const board of row) {
      board.querySelector("[data-target]")?.remove();
      delete board.dataset.state;
      delete board.dataset.note;
    }
  }
}

/** @param {Hunt} hunt @param {boolean} open @param {(hunt: Hunt) => void} choose */
function targetButton(hunt, open, choose) {
  const name = `Board ${hunt.target} of seat ${hunt.seat}`;
  const why = open ? "" : asSentence(hunt.text ?? "");
  const button = h("button", { class: "over-board", type: "button", "data-target": `${hunt.seat}:${hunt.target}`,
    "data-open": open, "aria-label": open ? `Attack: ${name}` : `${name} is safe: ${why}`,
    "data-why": why || null, "data-rule": hunt.rule, onclick: () => choose(hunt) });
  explain(button, () => (open ? { text: `Attack ${name}` } : { heading: hunt.rule ?? "", text: why }));
  return button;
}
