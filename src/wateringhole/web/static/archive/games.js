/**
 * The list of finished games that are not private, by player and by day, a page at a time.
 *
 * Laws: what is looked for stands in the address, so that a link leads to the same list. Days are those of the reader.
 */
import { byId, h } from "../shared/dom.js";
import { applySettings, settingsButton } from "../shared/settings.js";
import { text } from "../shared/text.js";
import { asked, gameItem } from "./lists.js";

/** @typedef {{games: import("./lists.js").ListedGame[], older: string | null}} GamesPage */

/** What the address asks for. */
function wanted() {
  const query = new URLSearchParams(location.search);
  const get = (/** @type {string} */ name) => query.get(name) ?? "";
  return { player: get("player"), since: get("since"), until: get("until"), before: get("before"),
    tournament: get("tournament") };
}

/** The first moment of a day, or of the one after it; the empty text for what is no day. @param {string} day @param {number} more */
function dayBegins(day, more) {
  const moment = new Date(`${day}T00:00`);
  if (Number.isNaN(moment.valueOf())) return "";
  moment.setDate(moment.getDate() + more);
  return Number.isNaN(moment.valueOf()) ? "" : moment.toISOString();
}

/** @param {Record<string, string>} parts @returns {string} */
function queryOf(parts) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parts)) if (value) query.set(name, value);
  const written = query.toString();
  return written ? `?${written}` : "";
}

async function showGames() {
  const { player, since, until, before, tournament } = wanted();
  try {
    const query = queryOf({ player, since: dayBegins(since, 0), until: dayBegins(until, 1), before, tournament });
    const { games, older } = /** @type {GamesPage} */ (await asked(`/api/games${query}`));
    byId("games").replaceChildren(...(games.length ? games.map(gameItem) : [nothingFound()]));
    byId("paging").replaceChildren(...pages(older));
  } catch (error) {
    byId("problem").textContent = error instanceof Error ? error.message : String(error);
    byId("problem").hidden = false;
  }
  document.documentElement.dataset.ready = "true";
}

/** The ways to the pages before and after this one. @param {string | null} older */
function pages(older) {
  const { player, since, until, before, tournament } = wanted();
  return [
    before ? h("a", { class: "button", href: `/games${queryOf({ player, since, until, tournament })}` }, text("games.latest")) : null,
    older ? h("a", { class: "button", id: "older", rel: "next",
      href: `/games${queryOf({ player, since, until, tournament, before: older })}` }, text("games.older")) : null,
  ].filter((way) => way !== null);
}

/** What there is to do when the list is empty. */
function nothingFound() {
  const { player, since, until, before, tournament } = wanted();
  if (before) return h("li", { class: "soft nothing" }, text("games.none.older"));
  if (player || since || until || tournament) {
    return h("li", { class: "soft nothing" }, h("span", {}, text("games.none.like")),
      h("a", { href: "/games" }, text("games.none.all")));
  }
  return h("li", { class: "soft nothing" }, h("span", {}, text("games.none")),
    h("a", { href: "/" }, text("games.none.play")));
}

function openGames() {
  applySettings();
  byId("tools").append(settingsButton());
  const { player, since, until } = wanted();
  const field = (/** @type {string} */ id) => /** @type {HTMLInputElement} */ (byId(id));
  field("player").value = player;
  field("since").value = since;
  field("until").value = until;
  byId("filter").addEventListener("submit", (event) => {
    event.preventDefault();
    const { tournament } = wanted();
    const parts = { player: field("player").value.trim(), since: field("since").value, until: field("until").value, tournament };
    location.assign(`/games${queryOf(parts)}`);
  });
  void showGames();
}

openGames();
