/** Finds the element and the box of a place that `event_moves.js` names; a place that is not there has a wider one. */

/** @typedef {{x: number, y: number, width: number, height: number}} Box  x and y: its middle */

/** The place that takes the part of one that cannot be found. @param {string} place */
export function widerPlace(place) {
  const [kind, seat, board] = place.split(":");
  if (kind === "trait" || kind === "fat") return `board:${seat}:${board}`;
  if (kind === "board" || kind === "hand" || kind === "bag") return `player:${seat}`;
  return null;
}

/** Where a place is, the best selector first. @param {string} place @returns {string[]} */
function selectors(place) {
  const [kind, seat, letter, number] = place.split(":");
  const boardPiece = `#game wh-board[data-seat="${seat}"][data-letter="${letter}"]`;
  const player = `#game wh-player[data-seat="${seat}"]`;
  const own = `#own-head[data-seat="${seat}"]`;
  switch (kind) {
    case "hole": return ["#hole wh-hole"];
    case "deck": return ["[data-place=deck]"];
    case "board": return [boardPiece];
    case "fat": return [`${boardPiece} .pips-drop`];
    case "trait": return [`${boardPiece} [data-slot="${number}"]`];
    case "hand": return [`#game [data-hand="${seat}"]`, `${player} [data-fact=card]`, `:root:has(${own}) #hand`,
      `${own} [data-fact=card]`];
    case "bag": return [`${player} [data-fact=bag]`, `${own} [data-fact=bag]`];
    case "player": return [player, own];
    default: return ["main"];
  }
}

/**
 * The element at this place that can be seen, or at the next wider place; null for what is not on the page at all.
 *
 * @param {string} place
 * @returns {HTMLElement | SVGElement | null}
 */
export function elementAt(place) {
  for (let named = /** @type {string | null} */ (place); named !== null; named = widerPlace(named)) {
    for (const selector of selectors(named)) {
      const found = document.querySelector(selector);
      if (found instanceof HTMLElement && found.getClientRects().length > 0) return found;
      if (found instanceof SVGElement) return found;
    }
  }
  return null;
}

/** The box of this place in the window. @param {string} place @returns {Box | null} */
export function boxOf(place) {
  if (place === "table") return { x: innerWidth / 2, y: innerHeight * 0.4, width: 0, height: 0 };
  if (place === "away") return null;
  const element = elementAt(place);
  return element ? boxOfElement(element) : null;
}

/** @param {Element} element @returns {Box} */
export function boxOfElement(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, width, height };
}

/**
 * The edge of the window behind which an element lies, null for one that can be seen. The header and the dock cover what
 * is behind them.
 *
 * @param {Element} element
 * @returns {"top" | "bottom" | null}
 */
export function hiddenBehind(element) {
  if (element.closest("#top, #dock")) return null;
  const { y } = boxOfElement(element);
  const { top, bottom } = openBand();
  return y < top ? "top" : y > bottom ? "bottom" : null;
}

/** The part of the window between the header and the dock, from top to bottom. @returns {{top: number, bottom: number}} */
export function openBand() {
  const header = document.getElementById("top")?.getBoundingClientRect();
  const dock = document.getElementById("dock")?.getBoundingClientRect();
  const covered = dock && dock.height > 0 ? Math.min(dock.top, innerHeight) : innerHeight;
  return { top: Math.max(0, header?.bottom ?? 0), bottom: covered };
}
