/**
 * The games in which this browser has a seat: it keeps a token of each, and the server says which of them still exist.
 *
 * Laws: a token that the server does not know is forgotten, unless a tab has stored a newer one meanwhile. That of a
 * game that is over is kept for as long as its table is there: the way to a rematch.
 *
 * @typedef {{id: string, title: string, stage: "open" | "playing" | "over", turn: number | null,
 *   places: import("./types.js").Place[], you: number, asked: boolean}} OwnGame
 */

import { h } from "./dom.js";
import { uiGlyph } from "./glyphs.js";
import { postJson } from "./post_json.js";
import { tableTitle } from "./room_text.js";
import { remember, rememberedUnder } from "./storage.js";
import { text } from "./text.js";

/** As many as the server takes in one request. */
const MAX_SEAT_CLAIMS = 100;

/** The own games that are not over, those first that wait for this player. @returns {Promise<OwnGame[]>} */
export async function ownGames() {
  const claims = [...rememberedUnder("seat.")].slice(0, MAX_SEAT_CLAIMS).map(([table, token]) => ({ table, token }));
  if (claims.length === 0) return [];
  const response = await postJson("/api/seats", { seats: claims });
  if (!response.ok) throw new Error(`status ${response.status}`);
  const { seats } = /** @type {{seats: OwnGame[]}} */ (await response.json());
  const now = rememberedUnder("seat.");
  for (const { table, token } of claims) {
    if (now.get(table) === token && !seats.some(({ id }) => id === table)) remember(`seat.${table}`, null);
  }
  const runs = seats.filter(({ stage, places, you }) =>
    stage !== "over" && places.some((place) => place.seat === you && place.presence !== "out"));
  return runs.sort((one, other) => Number(other.asked) - Number(one.asked));
}

/** @param {OwnGame} game @returns {HTMLAnchorElement} */
export function continueLink(game) {
  const label = text("nav.continue.label", { title: tableTitle(game) });
  return h("a", { class: "button primary continue", href: `/table/${encodeURIComponent(game.id)}`,
    "data-key": `continue:${game.id}`, "aria-label": label, title: label },
    uiGlyph("play"), text("nav.continue"));
}
