/** One tournament: its standings, and its last games. */
import { byId, h } from "../shared/dom.js";
import { applySettings, settingsButton } from "../shared/settings.js";
import { asked, gameItem, tournamentAbout, whenText } from "./lists.js";

const SHOWN_GAMES = 5;

/** The id in the address, encoded as it is there. @returns {string} */
function whichInAddress() {
  return location.pathname.split("/")[2] ?? "";
}

/** @param {import("./lists.js").Tournament} tournament @param {import("./lists.js").ListedGame[]} games */
function showTournament(tournament, games) {
  const title = tournament.title || tournament.id;
  document.title = `${title} - wateringhole`;
  byId("title").replaceChildren(h("bdi", {}, title));
  byId("about").replaceChildren(h("time", { datetime: tournament.ended }, whenText(tournament.ended)),
    `, ${tournamentAbout(tournament)}`);
  byId("standings").replaceChildren(tournament.standings.length ? standingsTable(tournament.standings)
    : h("p", { class: "soft nothing" }, "Its standings were written by another version, and cannot be shown here."));
  byId("games").replaceChildren(...(games.length ? games.slice(0, SHOWN_GAMES).map(gameItem)
    : [h("li", { class: "soft nothing" }, "None of its games is in the archive.")]));
  if (games.length > SHOWN_GAMES) {
    byId("all").replaceChildren(h("a", { href: `/games?tournament=${encodeURIComponent(tournament.id)}` }, "All its games"));
  }
  for (const part of document.querySelectorAll("[data-known]")) part.removeAttribute("hidden");
}

/** @param {import("./lists.js").Entrant[]} standings */
function standingsTable(standings) {
  const columns = ["place", "entry", "games", "Elo", "wins %", "mean rank", "mean score"];
  return h("table", { class: "opponents" },
    h("caption", { class: "visually-hidden" }, "The standings, from the first"),
    h("thead", {}, h("tr", {}, ...columns.map((word) => h("th", { scope: "col", class: word !== "entry" && "number" }, word)))),
    h("tbody", {}, ...standings.map((line) => h("tr", {},
      h("td", { class: "number" }, line.place), h("td", {}, h("bdi", {}, line.name)),
      ...[line.games, line.elo.toFixed(0), (100 * line.wins).toFixed(1), line.rank.toFixed(2), line.score.toFixed(1)]
        .map((value) => h("td", { class: "number" }, value))))));
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
      h("a", { href: "/tournaments" }, "See all tournaments"), ".");
    byId("problem").hidden = false;
  }
  document.documentElement.dataset.ready = "true";
}

void openTournament();
