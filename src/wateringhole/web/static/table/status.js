/** The status of a table: whose turn it is, the clock, the connection, banners, the player's own name tag. */

import { byId, h, renew } from "../shared/dom.js";
import { glyphButton, seatMark, uiGlyph } from "../shared/glyphs.js";
import { troubleText } from "../shared/room_text.js";
import { isLastTurn } from "../shared/table_state.js";
import { listText, ordinalText, text } from "../shared/text.js";
import { explain } from "../shared/tooltips.js";
import { awaitedPlayers } from "./waiting_room.js";

/** @param {import("./connection.js").ConnectionState} state */
export function drawConnection(state) {
  byId("connection").dataset.state = state;
  byId("connection-text").textContent = text(`connection.${state}`);
}

let clockEnds = 0;
let clockFull = 0;

/**
 * Count the time down that an answer has, once the events before it are shown.
 *
 * @param {number | null} seconds  until the answer is due; null: there is no limit, or nothing is asked
 * @param {number} showing  so many of them are for showing the events
 */
export function runClock(seconds, showing = 0) {
  clockEnds = seconds === null ? 0 : performance.now() + seconds * 1000;
  clockFull = (seconds ?? 0) - showing;
  tickClock();
}

/** Let the clock be seen to run, and say what happens at its end. */
export function windClock() {
  byId("clock").setAttribute("aria-description", text("clock.out"));
  explain(byId("clock"), () => ({ text: text("clock.out") }));
  setInterval(tickClock, 500);
}

function tickClock() {
  const clock = byId("clock");
  clock.hidden = clockEnds === 0;
  const left = Math.max(0, Math.ceil(Math.min(clockFull, (clockEnds - performance.now()) / 1000)));
  const shown = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  clock.toggleAttribute("data-late", left <= 15);
  if (clock.lastChild?.textContent !== shown) clock.replaceChildren(uiGlyph("clock"), h("span", {}, shown));
}

/**
 * Whose turn it is and what for, in a sentence.
 *
 * @param {string} phase
 * @param {import("../shared/types.js").RoomMessage} room
 * @param {import("../shared/table_state.js").TableState | null} table
 * @param {import("../shared/types.js").Awaited[]} asked
 * @returns {string}
 */
export function statusText(phase, room, table, asked) {
  if (phase === "waiting") {
    const count = awaitedPlayers(room.places);
    return count === 0 ? text("status.begins") : text("status.seats", { count });
  }
  if (phase === "over") return text("status.over");
  if (phase === "choose") return table && isLastTurn(table) ? text("status.choose.last") : text("status.choose");
  if (phase === "feed") return text("status.feed");
  // The own seat has replied already: who is asked after that is told with the events that follow.
  const others = asked.filter(({ seat }) => seat !== room.you);
  const awaited = others.flatMap(({ seat }) => room.places.find((place) => place.seat === seat)?.name ?? []);
  const names = listText(awaited);
  if (table?.phase === "feed") return awaited.length ? text("status.feeds", { names }) : text("status.feeding");
  return awaited.length ? text("status.choosing", { names }) : text("status.revealing");
}

/**
 * @param {import("./connection.js").ConnectionState} state
 * @param {import("../shared/types.js").RoomMessage | null} room
 * @param {{back: () => void, reopen: () => void}} acts
 */
export function drawBanners(state, room, acts) {
  const here = room?.places.find((place) => place.seat === room.you);
  const box = byId("banners");
  const banners = [];
  // While the page tries again, the banner stays.
  const lost = state === "lost" || (state === "connecting" && box.querySelector("[data-banner=lost]") !== null);
  const stalled = state === "stalled";
  if ((lost || stalled) && room) banners.push(banner("lost", stalled ? text("banner.stalled") : text("banner.lost")));
  byId("connection").toggleAttribute("data-told", Boolean((lost || stalled) && room));
  if (state === "elsewhere") {
    banners.push(banner("elsewhere", text("banner.elsewhere"),
      glyphButton("person", text("banner.elsewhere.back"), { id: "take-back", class: "primary", onclick: acts.reopen })));
  }
  if (state === "missing") {
    banners.push(banner("missing", missingText(room), h("a", { class: "button", href: "/" }, text("banner.missing.lobby"))));
  }
  if (room?.trouble && room.stage === "over") banners.push(banner("trouble", troubleText(room.trouble)));
  if (here?.presence === "stand-in" && room?.stage === "playing") {
    banners.push(banner("stand-in", text("banner.stand-in"),
      glyphButton("person", text("banner.stand-in.back"), { id: "back", class: "primary", onclick: acts.back })));
  }
  if (room?.stage === "playing" && room.you === null && state !== "missing") {
    banners.push(banner("watching", text("banner.watching"), h("a", { class: "button", href: "/" }, text("banner.missing.lobby"))));
  }
  if (here?.presence === "out") banners.push(banner("out", text("banner.out")));
  renew(box, banners);
}

/** Say on a page without a table why there is none. @param {string} words */
export function drawTrouble(words) {
  drawConnection("closed");
  byId("banners").replaceChildren(
    banner("trouble", words, h("a", { class: "button", href: "/" }, text("banner.missing.lobby"))));
}

/** Why there is no table any more, as far as this page has seen it. @param {import("../shared/types.js").RoomMessage | null} room */
function missingText(room) {
  if (room?.stage === "open") return text("banner.missing.open");
  return room?.stage === "playing" ? text("banner.missing.playing") : text("banner.missing");
}

/** @param {string} kind @param {string} words @param {...Node} more */
function banner(kind, words, ...more) {
  return h("div", { class: "banner", role: "status", "data-banner": kind }, h("p", {}, words), ...more);
}

/**
 * The name tag on the own side: mark, name, order, bag, clock.
 *
 * @param {import("../shared/table_state.js").TableState} table
 * @param {import("../shared/types.js").RoomMessage} room
 */
export function drawOwnHead(table, room) {
  const { me } = table;
  if (!me) return;
  const order = table.players.findIndex((player) => player.seat === me.seat) + 1;
  const name = room.places.find((place) => place.seat === me.seat)?.name ?? "";
  byId("own-head").dataset.seat = String(me.seat);
  byId("own-head").replaceChildren(
    h("h2", {}, seatMark(me.seat), " ", name, " ", h("span", { class: "tag" }, text("seat.you"))),
    h("span", { class: "fact", id: "bag", "data-fact": "bag" }, uiGlyph("bag"), text("seat.own-bag", { count: me.bag })),
    h("span", { class: "fact", "data-fact": "card" }, uiGlyph("card"), text("cards", { count: me.hand.length })),
    order ? h("span", { class: "fact" }, text("seat.order", { order: ordinalText(order) })) : "");
}

/** The buttons of the dock. @param {() => void} hint */
export function playButtons(hint) {
  return {
    undo: glyphButton("undo", text("button.undo"), { id: "undo", class: "quiet" }),
    clear: glyphButton("clear", text("button.clear"), { id: "clear", class: "quiet" }),
    hint: glyphButton("hint", text("button.hint"), { id: "hint", class: "quiet", onclick: hint }),
    play: glyphButton("play", text("button.play"), { id: "play", class: "primary" }),
  };
}
