/**
 * Finished games and those who played them, as every list shows them.
 *
 * Laws: names and titles are text, never markup.
 *
 * @typedef {{name: string, identity: string, rank: number | null, score: number | null, bot: boolean}} ListedSeat
 * @typedef {{id: string, title: string, ended: string, status: string, turns: number, names: string[],
 *   winners: string[], players: ListedSeat[]}} ListedGame
 * @typedef {{identity: string, name: string, bot: boolean}} Known
 * @typedef {{place: number, name: string, games: number, elo: number, wins: number, rank: number, score: number}} Entrant
 * @typedef {{id: string, title: string, ended: string, format: string, table: number, standings: Entrant[]}} Tournament
 * @typedef {Known & {place: number, games: number, rating: number, low: number, high: number}} Rung
 */
import { h } from "../shared/dom.js";
import { uiGlyph } from "../shared/glyphs.js";
import { playerAddress } from "../shared/player_address.js";

/**
 * What the server says to this question; an Error with its sentence when it is no good news.
 *
 * @param {string} address
 */
export async function asked(address) {
  let response;
  try {
    response = await fetch(address);
  } catch {
    throw new Error("The server does not answer.");
  }
  const value = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(value.text ?? `The server answers with ${response.status}.`);
  return value;
}

/** A player, by name, with the link to their page. @param {Known} who @returns {HTMLElement} */
export function playerLink({ identity, name, bot }) {
  return h("span", { class: "who" }, nameLink(identity, name), bot ? botTag() : null);
}

/** The mark of a house bot; no other player can have it. */
export function botTag() {
  return h("span", { class: "tag" }, uiGlyph("bot"), "house bot");
}

/** A name may be written from right to left, which must not turn anything else around. @param {string} identity @param {string} name */
function nameLink(identity, name) {
  return h("a", { href: playerAddress(identity) }, h("bdi", {}, name || "(no name)"));
}

/** @param {string} ended @returns {string} */
export function whenText(ended) {
  const moment = new Date(ended);
  return Number.isNaN(moment.valueOf()) ? ended
    : moment.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
}

/** How a tournament was played, in a few words. @param {Tournament} tournament @returns {string} */
export function tournamentAbout({ format, table, standings }) {
  return `${format}, tables of ${table}, ${standings.length} entries`;
}

/** Those who won, in a few words. @param {string[]} winners @returns {string} */
function wonText(winners) {
  return `${winners.join(" and ") || "No player"} won`;
}

/**
 * A finished game with its players and the way to its replay.
 *
 * @param {ListedGame} game
 * @returns {HTMLElement}
 */
export function gameItem(game) {
  const when = whenText(game.ended);
  const title = game.title || wonText(game.winners);
  return h("li", { "data-game": game.id },
    h("div", { class: "about" },
      h("h3", {}, title),
      h("ul", { class: "players", "aria-label": "Players" }, ...game.players.map(seatItem)),
      h("p", { class: "soft small" }, h("time", { datetime: game.ended }, when), `, ${game.turns} turns`)),
    h("div", { class: "ways" }, h("a", { class: "button", href: `/game/${encodeURIComponent(game.id)}`,
      "data-key": `replay:${game.id}`, "aria-label": `Replay ${title}, ${when}` }, uiGlyph("play"), "Replay")));
}

/** @param {ListedSeat} seat */
function seatItem(seat) {
  const won = seat.rank === 1;
  const score = seat.score === null ? "out" : seat.score;
  return h("li", { "data-won": won },
    won ? h("span", {}, uiGlyph("crown"), h("span", { class: "visually-hidden" }, "won: ")) : null,
    nameLink(seat.identity, seat.name), h("span", { class: "soft" }, ` ${score}`));
}

/**
 * The ladder as a table; the band is drawn, and its ends can be read.
 *
 * @param {Rung[]} rungs
 * @returns {HTMLElement}
 */
export function ladderTable(rungs) {
  const ends = { low: Math.min(...rungs.map(({ low }) => low)), high: Math.max(...rungs.map(({ high }) => high)) };
  return h("table", { class: "ladder" },
    h("caption", { class: "visually-hidden" }, "The ladder, from the top"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "rank"), h("th", { scope: "col" }, "player"),
      h("th", { scope: "col", class: "number" }, "games"), h("th", { scope: "col" }, "rating"))),
    h("tbody", {}, ...rungs.map((rung) => h("tr", { "data-identity": rung.identity },
      h("td", { class: "number" }, rung.place), h("td", {}, playerLink(rung)), h("td", { class: "number" }, rung.games),
      h("td", {}, ratingBand(rung, ends))))));
}

/**
 * A rating: what it is, how far it may be off, and both as a band on a common scale.
 *
 * @param {{rating: number, low: number, high: number}} rung
 * @param {{low: number, high: number}} ends
 */
export function ratingBand({ rating, low, high }, ends) {
  const share = (/** @type {number} */ value) => `${(100 * (value - ends.low)) / Math.max(1e-9, ends.high - ends.low)}%`;
  const band = h("span", { class: "band-range" });
  band.style.setProperty("left", share(low));
  band.style.setProperty("right", `calc(100% - ${share(high)})`);
  const middle = h("span", { class: "band-middle" });
  middle.style.setProperty("left", share(rating));
  return h("span", { class: "rating" }, h("strong", {}, rating.toFixed(1)), h("span", { class: "soft" },
    ` ± ${(high - rating).toFixed(1)}`), h("span", { class: "band", "aria-hidden": "true" }, band, middle));
}
