/** The header of every page: the way back to the own games, at the place that is marked with data-own-games. */

import { h, redraw } from "./dom.js";
import { continueLink, ownGames } from "./own_games.js";
import { text } from "./text.js";

/** Show the first of the own games that this page is not about. */
async function showOwnGames() {
  const place = document.querySelector("[data-own-games]");
  if (!(place instanceof HTMLElement) || document.visibilityState === "hidden") return;
  const games = await ownGames().catch(() => []);
  const [game] = games.filter(({ id }) => location.pathname !== `/table/${encodeURIComponent(id)}`);
  const waits = game?.asked ? [h("span", { class: "tag" }, text("nav.your-turn"))] : [];
  redraw(place, game ? [continueLink(game), ...waits] : []);
}

document.addEventListener("visibilitychange", () => void showOwnGames());
globalThis.addEventListener("pageshow", () => void showOwnGames());
