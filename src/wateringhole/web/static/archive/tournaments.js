/** The tournaments in the store, the latest first. */
import { byId, h } from "../shared/dom.js";
import { applySettings, settingsButton } from "../shared/settings.js";
import { text } from "../shared/text.js";
import { asked, tournamentAbout } from "./lists.js";

const PLAY_COMMAND = "wateringhole tournament run cup.toml";
const SHOW_COMMAND = "wateringhole games import cup.toml";

/** @param {import("./lists.js").Tournament} tournament */
function tournamentItem(tournament) {
  const [first] = tournament.standings;
  return h("li", { "data-tournament": tournament.id },
    h("div", { class: "about" },
      h("h3", {}, h("a", { href: `/tournament/${encodeURIComponent(tournament.id)}` }, h("bdi", {}, tournament.title || tournament.id))),
      first ? h("p", {}, `${text("tournaments.first")} `, h("bdi", {}, first.name)) : null,
      h("p", { class: "soft small" }, h("time", { datetime: tournament.ended }, tournamentAbout(tournament)))));
}

async function showTournaments() {
  applySettings();
  byId("tools").append(settingsButton());
  try {
    const { tournaments } = /** @type {{tournaments: import("./lists.js").Tournament[]}} */ (await asked("/api/tournaments"));
    byId("tournaments").replaceChildren(...(tournaments.length ? tournaments.map(tournamentItem)
      : [h("li", { class: "soft nothing" }, text("tournaments.none", { play: PLAY_COMMAND, show: SHOW_COMMAND }))]));
  } catch (error) {
    byId("problem").textContent = error instanceof Error ? error.message : String(error);
    byId("problem").hidden = false;
  }
  document.documentElement.dataset.ready = "true";
}

void showTournaments();
