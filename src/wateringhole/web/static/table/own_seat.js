/** The offer to a spectator whose browser has a seat at this very table: to play. */

import { byId, h } from "../shared/dom.js";
import { uiGlyph } from "../shared/glyphs.js";
import { ownGames } from "../shared/own_games.js";
import { text } from "../shared/text.js";

/** @param {string} table */
export async function offerOwnSeat(table) {
  const games = await ownGames().catch(() => []);
  if (!games.some(({ id }) => id === table)) return;
  byId("banners").before(h("div", { class: "banner", role: "status", "data-banner": "own-seat" },
    h("p", {}, text("banner.own-seat")),
    h("a", { class: "button primary", id: "own-seat", href: location.pathname }, uiGlyph("person"), text("button.play"))));
}
