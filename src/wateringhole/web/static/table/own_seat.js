/** The offer to a spectator whose browser has a seat at this very table: to play. */

import { byId, h } from "../shared/dom.js";
import { uiGlyph } from "../shared/glyphs.js";
import { ownGames } from "../shared/own_games.js";

/** @param {string} table */
export async function offerOwnSeat(table) {
  const games = await ownGames().catch(() => []);
  if (!games.some(({ id }) => id === table)) return;
  byId("banners").before(h("div", { class: "banner", role: "status", "data-banner": "own-seat" },
    h("p", {}, "You have a seat at this table."),
    h("a", { class: "button primary", id: "own-seat", href: location.pathname }, uiGlyph("person"), "Play")));
}
