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
import { continueLink, ownGames } from "../shared/own_games.js";
import { placeHolder, timeText } from "../shared/room_text.js";
import { applySettings, settingsButton } from "../shared/settings.js";
import { ownName, remember } from "../shared/storage.js";
import { newTableForm } from "./new_table.js";
import { quickGame } from "./quick_game.js";
import { turnPicture } from "./turn_picture.js";

const PERIOD = 3000;
const RUNGS = 5;
let formDrawn = false;
/** The games that the ladder on the page was asked for with. @type {string | null} */
let ladderOf = null;
let listsShown = "";

/** Ask the server once, and show what it says. */
async function lookAround() {
  try {
    const response = await fetch("/api/lobby");
    if (!response.ok) throw new Error(`status ${response.status}`);
    showLobby(/** @type {Lobby} */ (await response.json()));
    byId("problem").hidden = true;
  } catch {
    byId("problem").textContent = "The server does not answer. The lists may be old; the page keeps trying.";
    byId("problem").hidden = false;
  }
}

/** @param {Lobby} lobby */
function showLobby(lobby) {
  if (!formDrawn) byId("new-table").append(newTableForm(lobby.bots, lobby.times, lobby.port !== null));
  formDrawn = true;
  if (JSON.stringify(lobby) === listsShown) return;
  listsShown = JSON.stringify(lobby);
  const open = lobby.tables.filter(({ stage }) => stage === "open");
  const running = lobby.tables.filter(({ stage }) => stage === "playing");
  fillList("open", open.map(openItem), "No table waits for players. Make one, or play at once.");
  fillList("running", running.map(runningItem), "No game is running.");
  const games = lobby.games ?? [];
  fillList("finished", games.map(gameItem), lobby.games === null ? "The kept games cannot be read at the moment."
    : "No game has been finished yet. Games at private tables are not listed.");
  void showTop(games.map(({ id }) => id).join());
}

/** The top of the ladder, asked for again when there are other games. @param {string} games */
async function showTop(games) {
  if (games === ladderOf) return;
  ladderOf = games;
  const { ladder } = /** @type {{ladder: import("../archive/lists.js").Rung[]}} */ (
    await asked(`/api/ladder?limit=${RUNGS}`).catch(() => ({ ladder: [] })));
  redraw(byId("ladder"), [ladder.length ? ladderTable(ladder)
    : h("p", { class: "soft nothing" }, "No player is rated yet. Finish a game at a table that is not private.")]);
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
    h("div", { class: "about" }, h("h3", {}, table.title), seatRow(table.places),
      h("p", { class: "soft small" }, `${freeText(free)} ${timeText(table.time)}`)),
    h("div", { class: "ways" },
      free ? h("a", { class: "button primary", href: address, "data-key": `join:${table.id}`,
        "aria-label": `Join ${table.title}` }, uiGlyph("person"), "Join") : null,
      h("a", { class: "button quiet", href: `${address}?watch`, "data-key": `watch:${table.id}`,
        "aria-label": `Watch ${table.title}` }, uiGlyph("eye"), "Watch")));
}

/** @param {number} free @returns {string} */
function freeText(free) {
  if (free === 0) return "No seat for people is free.";
  return free === 1 ? "One seat is free." : `${free} seats are free.`;
}

/** @param {LobbyTable} table */
function runningItem(table) {
  const watchers = table.watchers ? `, ${table.watchers} watching` : "";
  return h("li", { "data-table": table.id },
    h("div", { class: "about" }, h("h3", {}, table.title), seatRow(table.places),
      h("p", { class: "soft small" }, `Turn ${table.turn ?? 1}${watchers}.`)),
    h("div", { class: "ways" }, h("a", { class: "button", href: `/table/${encodeURIComponent(table.id)}?watch`,
      "data-key": `watch:${table.id}`, "aria-label": `Watch ${table.title}` }, uiGlyph("eye"), "Watch")));
}

/** @param {import("../shared/types.js").Place[]} places */
function seatRow(places) {
  return h("p", { class: "seat-row" }, ...places.map((place) =>
    h("span", { class: "tag", "data-presence": place.presence }, uiGlyph(place.kind), placeHolder(place))));
}

async function playAtOnce() {
  byId("problem").textContent = await quickGame();
  byId("problem").hidden = false;
}

/** The games in which this browser has a seat, on top of the page. */
async function showOwnGames() {
  const games = await ownGames().catch(() => []);
  byId("own-games").hidden = games.length === 0;
  redraw(byId("own-games-list"), games.map((game) => h("li", { "data-table": game.id },
    h("div", { class: "about" }, h("h3", {}, game.title), h("p", { class: "soft small" }, ownGameText(game))),
    h("div", { class: "ways" }, continueLink(game)))));
}

/** @param {import("../shared/own_games.js").OwnGame} game @returns {string} */
function ownGameText({ stage, turn, asked }) {
  if (stage === "open") return "Waits for players.";
  return `Turn ${turn ?? 1}. ${asked ? "It is your turn." : "The others play."}`;
}

/** Ask, wait, ask again; who comes back to the page gets news at once. */
function keepLooking() {
  let timer = 0;
  const look = async () => {
    clearTimeout(timer);
    if (document.visibilityState === "hidden") return;
    await Promise.all([lookAround(), showOwnGames()]);
    timer = setTimeout(look, PERIOD);
  };
  document.addEventListener("visibilitychange", look);
  void look();
}

function openLobby() {
  applySettings();
  byId("tools").append(helpButton(), settingsButton());
  byId("turn-picture").append(...turnPicture());
  byId("quick").addEventListener("click", () => void playAtOnce());
  byId("how").addEventListener("click", showHowToPlay);
  document.addEventListener("keydown", (event) => {
    if (event.key === "?" && !isTyping(event)) showHowToPlay();
  });
  const name = /** @type {HTMLInputElement} */ (byId("name"));
  name.value = ownName();
  name.addEventListener("input", () => remember("name", name.value.trim() || null));
  keepLooking();
}

openLobby();
