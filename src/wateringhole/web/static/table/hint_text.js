/**
 * What a hint proposes, and why, in the words of the catalogue.
 *
 * Laws: the reasons are those that the bot gave; one that is not true in the last turn is left out there.
 *
 * @typedef {import("../shared/messages.js").MoveHint} MoveHint
 * @typedef {import("../shared/messages.js").MoveReason} MoveReason
 * @typedef {import("../shared/table_state.js").TableState} TableState
 */

import { isLastTurn } from "../shared/table_state.js";
import { listText, text } from "../shared/text.js";
import { traitName } from "../shared/trait_text.js";

/** New boards bring cards in later turns. @type {MoveReason["reason"]} */
const BRINGS_CARDS = "boards-bring-cards";
/** What the move costs: said behind what it brings. @type {MoveReason["reason"][]} */
const COSTS = ["hunter-loses-animal", "hunter-dies-out"];

/**
 * Why the cards are planned like this, a sentence for each reason.
 *
 * @param {MoveReason[]} reasons
 * @param {TableState} table
 * @returns {string}
 */
export function planReasons(reasons, table) {
  const last = isLastTurn(table);
  return reasons.filter(({ reason }) => !(last && reason === BRINGS_CARDS)).map(reasonText).join(" ");
}

/**
 * "Hint: board B attacks Ann's board A, because it gets 2 tokens and loses nothing."
 *
 * @param {import("../shared/types.js").Feeding} meal
 * @param {MoveReason[]} all
 * @param {TableState} table
 * @returns {string}
 */
export function feedingHint(meal, all, table) {
  const move = moveText(meal, table);
  const reasons = listText(all.filter(({ reason }) => !COSTS.includes(reason)).map(reasonText));
  const costs = listText(all.filter(({ reason }) => COSTS.includes(reason)).map(reasonText));
  if (!reasons) return text("hint.bare", { move });
  return costs ? text("hint.because_but", { move, reasons, costs }) : text("hint.because", { move, reasons });
}

/** @param {import("../shared/types.js").Feeding} meal @param {TableState} table @returns {string} */
function moveText(meal, table) {
  const letterOf = (/** @type {number | undefined} */ seat, /** @type {number} */ board) =>
    table.players.find((player) => player.seat === seat)?.boards[board]?.letter ?? "";
  if (meal.move === "decline") return text("hint.move.decline");
  const letter = letterOf(table.me?.seat, meal.board);
  switch (meal.move) {
    case "graze": return text("hint.move.graze", { letter });
    case "store": return text("hint.move.store", { letter, count: meal.tokens });
    case "attack": return text("hint.move.attack",
      { letter, name: table.names[meal.seat - 1] ?? "", prey: letterOf(meal.seat, meal.target) });
  }
}

/** @param {MoveReason} reason @returns {string} */
function reasonText(reason) {
  return text(`hint.reason.${reason.reason}`, parametersOf(reason));
}

/** Cards count from 1 for players. @param {MoveReason} reason @returns {import("../shared/text.js").TextParameters} */
function parametersOf(reason) {
  switch (reason.reason) {
    case "most-food": return { card: reason.card + 1, food: reason.food };
    case "trait-spared": return { card: reason.card + 1, food: reason.food, trait: traitName(reason.trait) };
    case "boards-bring-cards": return { count: reason.boards };
    case "best-traits": return { traits: listText(reason.traits.map(traitName)) };
    case "spare-animals": return { count: reason.animals };
    case "eats-tokens":
    case "eats-most": return { count: reason.tokens };
    default: return {};
  }
}
