/**
 * The player's own side: its boards, each with room for controls beneath, and its hand.
 *
 * Laws: draws what it is given. Whatever can have the focus has a `data-key`, so that the focus survives a redrawing.
 *
 * @typedef {{state?: string | null, compact?: boolean, controls?: Node[]}} BoardDress  how an own board is shown
 */

import { h, renew } from "./dom.js";
import { uiGlyph } from "./glyphs.js";

/**
 * A drawn piece with its data.
 *
 * @param {string} tag
 * @param {unknown} data
 * @returns {HTMLElement}
 */
export function piece(tag, data) {
  return Object.assign(document.createElement(tag), { data });
}

/**
 * Put these children into the root; what is as it was stays, and what had the focus has it again.
 *
 * @param {HTMLElement} root
 * @param {Node[]} children
 */
export function redraw(root, children) {
  const focused = root.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.closest("[data-key]")?.getAttribute("data-key");
  renew(root, children);
  if (key && document.activeElement !== focused) focusOn(root, `[data-key="${CSS.escape(key)}"]`);
}

/**
 * Focus the first match, if there is one.
 *
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {boolean}
 */
export function focusOn(root, selector) {
  const found = root.querySelector(selector);
  if (!(found instanceof HTMLElement)) return false;
  found.focus({ preventScroll: false });
  return true;
}

/**
 * One of the own boards.
 *
 * @param {import("./types.js").Board} board
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
    "aria-label": `Your board ${index}` },
    drawn, controls.length ? h("div", { class: "controls" }, ...controls) : null);
}

/**
 * The own boards when nothing is asked.
 *
 * @param {HTMLElement} root
 * @param {import("./types.js").Me} me
 */
export function drawQuietBoards(root, me) {
  redraw(root, me.boards.map((board, index) => ownBoard(board, me.seat, index, {})));
}

/**
 * A hand card in a button.
 *
 * @param {import("./types.js").Face} face
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
 * @param {import("./types.js").Face[]} hand
 */
export function drawQuietHand(root, hand) {
  redraw(root, hand.map((face, index) => handCard(face, index, false)));
}

/**
 * A button with a glyph.
 *
 * @param {string} glyph
 * @param {string} text
 * @param {import("./dom.js").Attributes} attributes
 * @returns {HTMLButtonElement}
 */
export function glyphButton(glyph, text, attributes) {
  return h("button", { type: "button", ...attributes }, uiGlyph(glyph), h("span", {}, text));
}
