/**
 * The others' boards as prey: a button over each board, open or with the reason why not.
 *
 * @typedef {import("../shared/types.js").Trait} Trait
 * @typedef {{board: number, seat: number, target: number, rule: string | null, text: string | null}} Hunt
 */

import { h } from "../shared/dom.js";
import { refusalText } from "../shared/notices.js";
import { text } from "../shared/text.js";
import { explain, touchExplained } from "../shared/tooltips.js";
import { traitName } from "../shared/trait_text.js";

/** The rule of a defence is named by its trait. */
const DEFENCE = "attack.";

/**
 * @param {import("./opponents.js").Opponents} opponents
 * @param {Hunt[]} hunts
 * @param {{seat: number, target: number} | null} hinted
 * @param {(hunt: Hunt) => void} choose
 */
export function drawTargets(opponents, hunts, hinted, choose) {
  for (const hunt of hunts) {
    const board = opponents.boardAt(hunt.seat, hunt.target);
    const prey = opponents.boardWords(hunt.seat, hunt.target);
    if (!board || !prey) continue;
    const open = hunt.text === null;
    board.dataset.state = open ? "target" : "blocked";
    if (hunt.rule?.startsWith(DEFENCE)) board.dataset.note = traitName(/** @type {Trait} */ (hunt.rule.slice(DEFENCE.length)));
    else if (hinted?.seat === hunt.seat && hinted.target === hunt.target) board.dataset.note = text("prey.hint");
    board.append(targetButton(hunt, prey, choose));
  }
}

/** The traits of a prey lie above its button: by mouse they press it, by touch they explain themselves. @param {Event} event */
export function pressPrey({ target }) {
  const trait = target instanceof Element ? target.closest("wh-trait") : null;
  const button = trait?.closest("wh-board")?.querySelector("[data-target]");
  if (button instanceof HTMLElement && !touchExplained()) button.click();
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

/** @param {Hunt} hunt @param {{name: string, letter: string}} prey @param {(hunt: Hunt) => void} choose */
function targetButton(hunt, prey, choose) {
  const why = hunt.text === null ? "" : refusalText(hunt.rule, hunt.text);
  const says = why ? text("prey.safe", { ...prey, why }) : text("prey.attack", prey);
  const button = h("button", { class: "over-board", type: "button", "data-target": `${hunt.seat}:${hunt.target}`,
    "data-open": why === "", "aria-label": says, "data-why": why || null, "data-rule": hunt.rule,
    onclick: () => choose(hunt) });
  explain(button, () => ({ text: why || says }));
  return button;
}
