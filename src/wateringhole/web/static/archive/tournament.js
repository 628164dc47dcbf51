/** One tournament: its standings, and its last games. */
import { byId, h } from "../shared/dom.js";
import { applySettings, settingsButton } from "../shared/settings.js";
import { decimalText, numberText, text } from "../shared/text.js";
import { asked, gameItem, tournamentAbout } from "./lists.js";

const SHOWN_GAMES = 5;
const STANDINGS_COLUMNS = /** @type {const} */ (["place", "entry", "games", "elo", "wins", "rank", "score"]);

/** The id in the address, encoded as it is there. @returns {string} */
function whichInAddress() {
  return location.pathname.split("/")[2] ?? "";
}

/** @param {import("./lists.js").Tournament} tournament @param {import("./lists.js").ListedGame[]} games */
function showTournament(tournament, games) {
  const title = tournament.title || tournament.id;
  document.title = `${title} - wateringhole`;
  byId("title").replaceChildren(h("bdi", {}, title));
  byId("about").replaceChildren(h("time", { datetime: tournament.ended }, tournamentAbout(tournament)));
  byId("standings").replaceChildren(tournament.standings.length ? standingsTable(tournament.standings)
    : h("p", { class: "soft nothing" }, text("tournament.standings.unreadable")));
  byId("games").replaceChildren(...(games.length ? games.slice(0, SHOWN_GAMES).map(gameItem)
    : [h("li", { class: "soft nothing" }, text("tournament.last.none"))]));
  if (games.length > SHOWN_GAMES) {
    byId("all").replaceChildren(
      h("a", { href: `/games?tournament=${encodeURIComponent(tournament.id)}` }, text("tournament.last.all")));
  }
  for (const part of document.querySelectorAll("[data-known]")) part.removeAttribute("hidden");
}

/** @param {import("./lists.js").Entrant[]} standings */
function standingsTable(standings) {
  return h("table", { class: "opponents" },
    h("caption", { class: "visually-hidden" }, text("tournament.standings.caption")),
    h("thead", {}, h("tr", {}, ...STANDINGS_COLUMNS.map((column) =>
      h("th", { scope: "col", class: column !== "entry" && "number" }, text(`tournament.column.${column}`))))),
    h("tbody", {}, ...standings.map((line) => h("tr", {},
      h("td", { class: "number" }, line.place), h("td", {}, h("bdi", {}, line.name)),
      ...[numberText(line.games), String(Math.round(line.elo)), decimalText(100 * line.wins, 1), decimalText(line.rank, 2),
        decimalText(line.score, 1)].map((value) => h("td", { class: "number" }, value))))));
}

async function openTournament() {
  applySettings();
  byId("tools").append(settingsButton());
  try {
    const tournament = await asked(`/api/tournaments/${whichInAddress()}`);
    const { games } = await asked(`/api/games?tournament=${encodeURIComponent(tournament.id)}`);
    showTournament(tournament, games);
  } catch (error) {
    byId("problem").replaceChildren(error instanceof Error ? error.message : String(error), " ",
      h("a", { href: "/tournaments" }, text("tournament.see-all")));
    byId("problem").hidden = false;
  }
  document.documentElement.dataset.ready = "true";
}

void openTournament();
