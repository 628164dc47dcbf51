/**
 * Finished games and those who played them, as every list shows them.
 *
 * Laws: names and titles are text, never markup.
 *
 * @typedef {{name: string, identity: string, rank: number | null, score: number | null, bot: boolean,
 *   stood_in: boolean}} ListedSeat  stood_in: a bot has played for it, at least in part
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
import { decimalText, hasText, listText, momentText, text } from "../shared/text.js";

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
    throw new Error(text("problem.silent"));
  }
  const value = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(value.text ?? text("problem.status", { status: response.status }));
  return value;
}

/** A player, by name, with the link to their page. @param {Known} who @returns {HTMLElement} */
export function playerLink({ identity, name, bot }) {
  return h("span", { class: "who" }, nameLink(identity, name), bot ? botTag() : null);
}

/** The mark of a house bot; no other player can have it. */
export function botTag() {
  return h("span", { class: "tag" }, uiGlyph("bot"), text("list.house-bot"));
}

/** A name may be written from right to left, which must not turn anything else around. @param {string} identity @param {string} name */
function nameLink(identity, name) {
  return h("a", { href: playerAddress(identity) }, h("bdi", {}, name || text("list.no-name")));
}

/** When, in what way and by how many a tournament was played. @param {Tournament} tournament @returns {string} */
export function tournamentAbout({ ended, format, table, standings }) {
  const known = hasText(`tournament.format.${format}`); // a later version may have others
  const way = known ? text(`tournament.format.${format}`) : format;
  return text("tournament.about", { when: momentText(ended), format: way, table, count: standings.length });
}

/** Those who won, in a few words. @param {string[]} winners @returns {string} */
function wonText(winners) {
  return winners.length ? text("list.won", { winners: listText(winners), count: winners.length }) : text("list.won.none");
}

/**
 * A finished game with its players and the way to its replay.
 *
 * @param {ListedGame} game
 * @returns {HTMLElement}
 */
export function gameItem(game) {
  const when = momentText(game.ended);
  const title = game.title || wonText(game.winners);
  return h("li", { "data-game": game.id },
    h("div", { class: "about" },
      h("h3", {}, title),
      h("ul", { class: "players", "aria-label": text("list.players") }, ...game.players.map(seatItem)),
      h("p", { class: "soft small" },
        h("time", { datetime: game.ended }, text("list.turns", { when, count: game.turns })))),
    h("div", { class: "ways" }, h("a", { class: "button", href: `/game/${encodeURIComponent(game.id)}`,
      "data-key": `replay:${game.id}`, "aria-label": text("list.replay.label", { title, when }) },
    uiGlyph("play"), text("list.replay"))));
}

/** @param {ListedSeat} seat */
function seatItem(seat) {
  const won = seat.rank === 1;
  const score = seat.score === null ? text("list.out") : seat.score;
  return h("li", { "data-won": won },
    won ? h("span", {}, uiGlyph("crown"), h("span", { class: "visually-hidden" }, `${text("list.winner")} `)) : null,
    nameLink(seat.identity, seat.name), h("span", { class: "soft" }, ` ${score}`),
    seat.stood_in ? h("span", { class: "tag" }, uiGlyph("bot"), text("list.stood-in")) : null);
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
    h("caption", { class: "visually-hidden" }, text("ladder.caption")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, text("ladder.rank")),
      h("th", { scope: "col" }, text("ladder.player")), h("th", { scope: "col", class: "number" }, text("ladder.games")),
      h("th", { scope: "col" }, text("ladder.rating")))),
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
  return h("span", { class: "rating" }, h("strong", {}, decimalText(rating, 1)), h("span", { class: "soft" },
    ` ± ${decimalText(high - rating, 1)}`), h("span", { class: "band", "aria-hidden": "true" }, band, middle));
}
