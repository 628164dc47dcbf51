/**
 * Keeps the own side of the table where it is while the events before a request are still shown: it is drawn as it is
 * after them, so that it can be used at once, and must not move under a finger.
 *
 * @typedef {import("../shared/table_state.js").TableState} TableState
 */

import { piece } from "../pieces/pieces.js";
import { byId, h, redraw } from "../shared/dom.js";
import { showOwnBoards } from "./own_side.js";

/** What changes its height with events: it stands above the controls, or holds them. */
const HELD = ["others", "own"];

/** Let no area get lower while events are shown: the page would scroll under the pieces that move. */
export function keepHeights() {
  const heights = HELD.map((id) => heightOf(byId(id)));
  HELD.forEach((id, at) => void (byId(id).style.minHeight = `${heights[at]}px`));
}

/**
 * Let all areas be as high as they are until `letGo`, the others as high as events will make them, and scroll the own
 * boards into sight. The layout is read in the next frame, which makes it anyway.
 *
 * @param {number} othersHeight
 */
export function holdOwnSide(othersHeight) {
  const [others, own] = HELD.map(byId);
  hold(others, othersHeight);
  own.style.minHeight = "";
  requestAnimationFrame(() => {
    if (!isHeld()) return;
    const height = heightOf(own);
    showOwnBoards();
    hold(own, height);
  });
}

/** @param {HTMLElement} area @param {number} height */
function hold(area, height) {
  area.style.minHeight = `${height}px`;
  area.toggleAttribute("data-held", true);
  setAnchoring(false);
}

function isHeld() {
  return HELD.some((id) => byId(id).hasAttribute("data-held"));
}

/**
 * Whether the browser scrolls by itself, so that something stays in its place: that need not be the own side. It is said of
 * the body, because Chromium does not always heed it on the root element.
 *
 * @param {boolean} on
 */
function setAnchoring(on) {
  document.body.style.overflowAnchor = on ? "" : "none";
}

/** @param {HTMLElement} area */
function heightOf(area) {
  return Math.ceil(area.getBoundingClientRect().height);
}

/**
 * The height of the others in events that are not shown yet, also when all are asked. They stay drawn like that until the
 * table is drawn again.
 *
 * @param {import("./opponents.js").Opponents} opponents
 * @param {TableState} table
 * @param {TableState[]} coming
 * @param {import("../shared/types.js").RoomMessage} room
 */
export function heightInEvents(opponents, table, coming, room) {
  const all = table.players.map(({ seat }) => ({ seat, seconds: null }));
  return Math.max(...highestOf(table, coming).map((one) => {
    opponents.draw(one, room, all);
    return heightOf(byId("others"));
  }));
}

/**
 * Tables that are as high as this one is in any of these states: with as many boards for each player as it ever has, and, if
 * some die out, with as few, because fewer boards are drawn larger. All boards are as high as the highest: when one dies
 * out, the next ones move to other rows.
 *
 * @param {TableState} table
 * @param {TableState[]} states
 * @returns {TableState[]}
 */
function highestOf(table, states) {
  const times = [table, ...states];
  const fullest = withBoards(table, times, (one, other) => one.length > other.length);
  const sparsest = withBoards(table, times, (one, other) => one.length < other.length);
  const same = fullest.players.every(({ boards }, at) => boards.length === sparsest.players[at].boards.length);
  // The fullest last: the table is drawn next as it is shown, and hardly differs from it.
  return same ? [fullest] : [sparsest, fullest];
}

/**
 * This table with the boards that each player has in the best of these states.
 *
 * @param {TableState} table
 * @param {TableState[]} states
 * @param {(one: import("../shared/types.js").Board[], other: import("../shared/types.js").Board[]) => boolean} isBetter
 * @returns {TableState}
 */
function withBoards(table, states, isBetter) {
  return { ...table, players: table.players.map((player) => {
    const times = states.flatMap(({ players }) => players.filter(({ seat }) => seat === player.seat))
      .map(({ boards }) => boards).filter((boards) => boards.length > 0);
    if (times.length === 0) return player;
    const best = times.reduce((found, boards) => (isBetter(boards, found) ? boards : found));
    const [highest] = times.flat().sort((one, other) => rowsOf(other) - rowsOf(one));
    return { ...player, boards: best.map((board) => (rowsOf(board) < rowsOf(highest) ? { ...highest, letter: board.letter } : board)) };
  }) };
}

/** A board has a row for its traits, and one for its fat. @param {import("../shared/types.js").Board} board */
function rowsOf({ traits }) {
  return Number(traits.length > 0) + Number(traits.includes("fat-tissue"));
}

export function letGo() {
  for (const area of HELD.map(byId)) {
    area.style.minHeight = "";
    area.removeAttribute("data-held");
  }
  setAnchoring(true);
}

/**
 * All events are shown: give back the room that they took, without moving the own boards in the window. Where the page
 * does not scroll so far, the rest of the room stays.
 */
export function closeGaps() {
  if (!isHeld()) return;
  const top = () => byId("mine").getBoundingClientRect().top;
  const before = top();
  letGo();
  setAnchoring(false);
  scrollBy({ top: top() - before, behavior: "instant" });
  const missing = before - top();
  if (Math.abs(missing) < 1) return void requestAnimationFrame(() => setAnchoring(!isHeld()));
  const [others, own] = HELD.map(byId);
  const area = missing > 0 ? others : own;
  hold(area, heightOf(area) + Math.ceil(Math.abs(missing)));
  if (missing < 0) scrollBy({ top: -missing, behavior: "instant" });
}

/** Where own boards are drawn that die out in an event still to be shown: below those that can be used. */
export function leavingBox() {
  const box = h("div", { id: "leaving", "aria-hidden": "true" });
  byId("mine").after(box);
  return box;
}

/**
 * @param {HTMLElement} box
 * @param {import("../shared/types.js").Me | null} shown  the own side as it is shown
 * @param {import("../shared/types.js").Me | null} latest  as it is after all events
 */
export function drawLeaving(box, shown, latest) {
  const leaving = !shown || !latest ? []
    : shown.boards.filter(({ letter }) => !latest.boards.some((board) => board.letter === letter));
  redraw(box, leaving.map((board, index) => piece("wh-board", { board, seat: shown?.seat, index })));
}
