/**
 * Keeps the own side of the table where it is while the events before a request are still shown: it is drawn as it is
 * after them, so that it can be used at once, and must not move under a finger.
 */

import { piece } from "../pieces/pieces.js";
import { byId, h, redraw } from "../shared/dom.js";

/** What changes its height with events: it stands above the controls, or holds them. */
const HELD = ["others", "own"];

/** Let an area be as high as it is or would be with these drawings, until `letGo`. @param {string} id @param {(() => void)[]} drawings */
export function holdHeight(id, drawings) {
  const area = byId(id);
  // As it is first: that needs no new layout.
  const heights = [() => undefined, ...drawings].map((draw) => {
    draw();
    return Math.ceil(area.getBoundingClientRect().height);
  });
  area.style.minHeight = `${Math.max(...heights)}px`;
  area.toggleAttribute("data-held", true);
}

/**
 * This table with as many boards for each player as it has in any of these states.
 *
 * @param {import("../shared/table_state.js").TableState} table
 * @param {import("../shared/table_state.js").TableState[]} states
 */
export function fullestOf(table, states) {
  const players = table.players.map((player) => states
    .flatMap((state) => state.players.filter(({ seat }) => seat === player.seat))
    .reduce((most, one) => (one.boards.length > most.boards.length ? one : most), player));
  return { ...table, players };
}

export function letGo() {
  for (const area of HELD.map(byId)) {
    area.style.minHeight = "";
    area.removeAttribute("data-held");
  }
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
