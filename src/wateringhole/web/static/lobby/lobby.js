/**
 * The lobby: tables to join and to watch, finished games to replay, and the form for a new table.
 *
 * Laws: asks the server every three seconds while the page is visible, and not at all while the page is hidden.
 *
 * @typedef {{id: string, title: string, stage: "open" | "playing", time: string, turn: number | null,
 *   places: import("../shared/types.js").Place[], watchers: number}} LobbyTable
 * @typedef {{tables: LobbyTable[], games: import("../archive/lists.js").ListedGame[] | null, bots: string[],
 *   port: number | null, times: string[]}} Lobby
 */

import { asked, gameItem, ladderTable } from "../archive/lists.js";
import { byId, h, redraw } from "../shared/dom.js";
import { uiGlyph } from "../shared/glyphs.js";
import { helpButton, showHowToPlay } from "../shared/how_to_play.js";
import { isTyping } from "../shared/keys.js";
import { languageButtons } from "../shared/language.js";
import { continueLink, ownGames } from "../shared/own_games.js";
import { placeHolder, tableTitle, timeText } from "../shared/room_text.js";
import { applySettings, settingsButton } from "../shared/settings.js";
import { ownName, remember } from "../shared/storage.js";
import { text } from "../shared/text.js";
import { newTableForm } from "./new_table.js";
import { fetchBeforehand, goToQuickGame } from "./quick_game.js";
import { turnPicture } from "./turn_picture.js";

const PERIOD = 3000;
const RUNGS = 5;
let formDrawn = false;
/** The games that the ladder on the page was asked for with. @type {string | null} */
let ladderOf = null;
let listsShown = "";

/** Ask the server once, and show what it says. */
async function lookAround() {
  const own = ownGames().catch(() => []);
  try {
    const response = await fetch("/api/lobby");
    if (!response.ok) throw new Error(`status ${response.status}`);
    const lobby = /** @type {Lobby} */ (await response.json());
    showLobby(lobby, await own);
    byId("problem").hidden = true;
  } catch {
    byId("problem").textContent = text("lobby.silent");
    byId("problem").hidden = false;
  }
  showOwnGames(await own);
}

/** @param {Lobby} lobby @param {import("../shared/own_games.js").OwnGame[]} own */
function showLobby(lobby, own) {
  if (!formDrawn) byId("new-table").append(newTableForm(lobby.bots, lobby.times, lobby.port !== null));
  formDrawn = true;
  const tables = lobby.tables.filter((table) => !own.some(({ id }) => id === table.id));
  if (JSON.stringify([tables, lobby.games]) === listsShown) return;
  listsShown = JSON.stringify([tables, lobby.games]);
  const open = tables.filter(({ stage }) => stage === "open");
  const running = tables.filter(({ stage }) => stage === "playing");
  fillList("open", open.map(openItem), text("lobby.open.none"));
  fillList("running", running.map(runningItem), text("lobby.running.none"));
  const games = lobby.games ?? [];
  fillList("finished", games.map(gameItem),
    lobby.games === null ? text("lobby.finished.unreadable") : text("lobby.finished.none"));
  void showTop(games.map(({ id }) => id).join());
}

/** The top of the ladder, asked for again when there are other games. @param {string} games */
async function showTop(games) {
  if (games === ladderOf) return;
  ladderOf = games;
  const { ladder } = /** @type {{ladder: import("../archive/lists.js").Rung[]}} */ (
    await asked(`/api/ladder?limit=${RUNGS}`).catch(() => ({ ladder: [] })));
  redraw(byId("ladder"), [ladder.length ? ladderTable(ladder)
    : h("p", { class: "soft nothing" }, text("ladder.none"))]);
}

/** @param {string} id @param {HTMLElement[]} items @param {string} nothing */
function fillList(id, items, nothing) {
  redraw(byId(id), items.length ? items : [h("li", { class: "soft nothing" }, nothing)]);
}

/** @param {LobbyTable} table */
function openItem(table) {
  const free = table.places.filter(({ kind, presence }) => kind === "person" && presence === "empty").length;
  const address = `/table/${encodeURIComponent(table.id)}`;
  return h("li", { "data-table": table.id },
    h("div", { class: "about" }, h("h3", {}, tableTitle(table)), seatRow(table.places),
      h("p", { class: "soft small" }, `${freeText(free)} ${timeText(table.time)}`)),
    h("div", { class: "ways" },
      free ? h("a", { class: "button primary", href: address, "data-key": `join:${table.id}`,
        "aria-label": text("lobby.join.label", { title: tableTitle(table) }) }, uiGlyph("person"), text("lobby.join")) : null,
      watchLink(table, "button quiet")));
}

/** @param {LobbyTable} table @param {string} look */
function watchLink(table, look) {
  return h("a", { class: look, href: `/table/${encodeURIComponent(table.id)}?watch`, "data-key": `watch:${table.id}`,
    "aria-label": text("lobby.watch.label", { title: tableTitle(table) }) }, uiGlyph("eye"), text("lobby.watch"));
}

/** @param {number} free @returns {string} */
function freeText(free) {
  return free === 0 ? text("lobby.free.none") : text("lobby.free", { count: free });
}

/** @param {LobbyTable} table */
function runningItem(table) {
  const watchers = table.watchers ? ` ${text("lobby.watchers", { count: table.watchers })}` : "";
  return h("li", { "data-table": table.id },
    h("div", { class: "about" }, h("h3", {}, tableTitle(table)), seatRow(table.places),
      h("p", { class: "soft small" }, text("lobby.turn", { turn: table.turn ?? 1 }), watchers)),
    h("div", { class: "ways" }, watchLink(table, "button")));
}

/** @param {import("../shared/types.js").Place[]} places */
function seatRow(places) {
  return h("p", { class: "seat-row" }, ...places.map((place) =>
    h("span", { class: "tag", "data-presence": place.presence }, uiGlyph(place.kind), placeHolder(place))));
}

/** The games in which this browser has a seat, on top of the page. @param {import("../shared/own_games.js").OwnGame[]} games */
function showOwnGames(games) {
  byId("own-games").hidden = games.length === 0;
  redraw(byId("own-games-list"), games.map((game) => h("li", { "data-table": game.id },
    h("div", { class: "about" }, h("h3", {}, tableTitle(game)), h("p", { class: "soft small" }, ownGameText(game))),
    h("div", { class: "ways" }, continueLink(game)))));
}

/** @param {import("../shared/own_games.js").OwnGame} game @returns {string} */
function ownGameText({ stage, turn, asked }) {
  if (stage === "open") return text("lobby.own-games.waits");
  const now = { turn: turn ?? 1 };
  return asked ? text("lobby.own-games.asked", now) : text("lobby.own-games.others", now);
}

/** Ask, wait, ask again; who comes back to the page gets news at once. */
function keepLooking() {
  let timer = 0;
  const look = async () => {
    clearTimeout(timer);
    if (document.visibilityState === "hidden") return;
    await lookAround();
    timer = setTimeout(look, PERIOD);
  };
  document.addEventListener("visibilitychange", look);
  void look();
}

function openLobby() {
  applySettings();
  byId("tools").append(helpButton(), settingsButton());
  byId("languages").append(...languageButtons());
  byId("turn-picture").append(...turnPicture());
  byId("quick").addEventListener("click", goToQuickGame);
  byId("how").addEventListener("click", showHowToPlay);
  document.addEventListener("keydown", (event) => {
    if (event.key === "?" && !isTyping(event)) showHowToPlay();
  });
  const name = /** @type {HTMLInputElement} */ (byId("name"));
  name.value = ownName();
  name.addEventListener("input", () => remember("name", name.value.trim() || null));
  keepLooking();
  addEventListener("load", fetchBeforehand);
}

openLobby();
