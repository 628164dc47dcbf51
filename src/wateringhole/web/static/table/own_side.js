/**
 * The player's own side: its boards, each with room for controls beneath, and its hand.
 *
 * Laws: draws what it is given.
 *
 * @typedef {{state?: string | null, compact?: boolean, controls?: Node[]}} BoardDress  how an own board is shown
 */

import { piece } from "../pieces/pieces.js";
import { h, redraw } from "../shared/dom.js";

/**
 * One of the own boards.
 *
 * @param {import("../shared/types.js").Board} board
 * @param {number} seat
 * @param {number} index
 * @param {BoardDress} dress
 * @returns {HTMLElement}
 */
export function ownBoard(board, seat, index, { state = null, compact = false, controls = [] }) {
  const drawn = piece("wh-board", { board, seat, index });
  if (state) drawn.dataset.state = state;
  drawn.toggleAttribute("compact", compact);
  return h("div", { class: compact ? "own-board beside" : "own-board", "data-board": index, role: "group",
    "aria-label": `Your board ${board.letter}` },
    drawn, controls.length ? h("div", { class: "controls" }, ...controls) : null);
}

/**
 * The own boards when nothing is asked.
 *
 * @param {HTMLElement} root
 * @param {import("../shared/types.js").Me} me
 */
export function drawQuietBoards(root, me) {
  redraw(root, me.boards.map((board, index) => ownBoard(board, me.seat, index, {})));
}

/**
 * A hand card in a button.
 *
 * @param {import("../shared/types.js").Face} face
 * @param {number} index
 * @param {boolean} active  whether it can be taken
 * @returns {HTMLButtonElement}
 */
export function handCard(face, index, active) {
  return h("button", { class: "hand-card", type: "button", "data-card": index, "data-key": `card:${index}`,
    "aria-disabled": active ? null : "true" }, piece("wh-card", { face, index }));
}

/**
 * The hand when nothing is asked.
 *
 * @param {HTMLElement} root
 * @param {import("../shared/types.js").Face[]} hand
 */
export function drawQuietHand(root, hand) {
  redraw(root, hand.map((face, index) => handCard(face, index, false)));
}
