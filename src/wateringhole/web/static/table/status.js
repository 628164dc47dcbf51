/** The status of a table: whose turn it is, the clock, the connection, banners, the player's own name tag. */

import { byId, h } from "../shared/dom.js";
import { glyphButton, seatMark, uiGlyph } from "../shared/glyphs.js";
import { asSentence } from "../shared/notices.js";
import { awaitedGuests } from "./waiting_room.js";

/** @type {Record<import("./connection.js").ConnectionState, string>} */
const CONNECTION_WORDS = {
  connecting: "connecting", open: "connected", lost: "connection lost, trying again", elsewhere: "open in another tab",
  refused: "refused", missing: "no such table", closed: "closed",
};

/** @param {import("./connection.js").ConnectionState} state */
export function drawConnection(state) {
  byId("connection").dataset.state = state;
  byId("connection-text").textContent = CONNECTION_WORDS[state];
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

/** Let the clock be seen to run. */
export function windClock() {
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
 * Whose turn it is, in a sentence.
 *
 * @param {string} phase
 * @param {import("../shared/types.js").RoomMessage} room
 * @param {import("../shared/table_state.js").TableState | null} table
 * @param {import("../shared/types.js").Awaited[]} asked
 * @returns {string}
 */
export function statusText(phase, room, table, asked) {
  if (phase === "waiting") {
    const awaited = awaitedGuests(room.places);
    return awaited === 0 ? "The game begins" : `Waiting for ${awaited} more`;
  }
  if (phase === "over") return "The game is over";
  if (phase === "choose") return "Your turn: choose your cards";
  if (phase === "feed") return "Your turn: feed a board";
  const awaited = asked.map(({ seat }) => room.places.find((place) => place.seat === seat)?.name ?? "?");
  if (awaited.length === 0) return "...";
  if (table?.phase === "feed") return `${awaited.join(", ")} feeds`;
  const names = awaited.length > 1 ? `${awaited.slice(0, -1).join(", ")} and ${awaited.at(-1)}` : awaited[0];
  const verb = awaited.length > 1 ? "are" : "is";
  return room.you === null ? `${names} ${verb} choosing` : `Your cards are secret until ${names} ${verb} ready`;
}

/**
 * @param {import("./connection.js").ConnectionState} state
 * @param {import("../shared/types.js").RoomMessage | null} room
 * @param {{back: () => void, reopen: () => void}} acts
 */
export function drawBanners(state, room, acts) {
  const here = room?.places.find((place) => place.seat === room.you);
  const banners = [];
  if (state === "elsewhere") {
    banners.push(banner("elsewhere", "This seat is open in another tab.",
      glyphButton("person", "Play here", { id: "take-back", class: "primary", onclick: acts.reopen })));
  }
  if (state === "missing") {
    banners.push(banner("missing", missingText(room), h("a", { class: "button", href: "/" }, "To the lobby")));
  }
  if (room?.trouble && room.stage === "over") banners.push(banner("trouble", asSentence(room.trouble)));
  if (here?.presence === "stand-in" && room?.stage === "playing") {
    banners.push(banner("stand-in", "A bot plays for you.",
      glyphButton("person", "Take the seat back", { id: "back", class: "primary", onclick: acts.back })));
  }
  if (here?.presence === "out") banners.push(banner("out", "You are out of this game. You may watch it to the end."));
  if (room?.next) {
    const address = `/table/${encodeURIComponent(room.next)}#join`;
    banners.push(banner("next", "A new game with the same seats has been set up.",
      h("a", { class: "button primary", id: "next", href: address }, "Go to the new table")));
  }
  const box = byId("banners");
  const kinds = banners.map((one) => one.dataset.banner).join();
  if (box.dataset.kinds === kinds) return;
  box.dataset.kinds = kinds;
  box.replaceChildren(...banners);
}

/** Why there is no table any more, as far as this page has seen it. @param {import("../shared/types.js").RoomMessage | null} room */
function missingText(room) {
  if (room?.stage === "open") return "The server was restarted. This table had not begun, so it is gone; set up another one.";
  if (room?.stage === "playing") return "The server was restarted, and this game is not there any more.";
  return "There is no such table; it may be long over.";
}

/** @param {string} kind @param {string} text @param {...Node} more */
function banner(kind, text, ...more) {
  return h("div", { class: "banner", role: "status", "data-banner": kind }, h("p", {}, text), ...more);
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
    h("h2", {}, seatMark(me.seat), " ", name, " ", h("span", { class: "tag" }, "you")),
    h("span", { class: "fact", id: "bag", "data-fact": "bag" }, uiGlyph("bag"), `${me.bag} in your bag`),
    h("span", { class: "fact", "data-fact": "card" }, uiGlyph("card"), `${me.hand.length} ${me.hand.length === 1 ? "card" : "cards"}`),
    order ? h("span", { class: "fact" }, `#${order} in the turn`) : "");
}

/** The buttons of the dock. @param {() => void} hint */
export function playButtons(hint) {
  return {
    undo: glyphButton("undo", "Undo", { id: "undo", class: "quiet" }),
    clear: glyphButton("clear", "Clear", { id: "clear", class: "quiet" }),
    hint: glyphButton("hint", "Hint", { id: "hint", class: "quiet", onclick: hint }),
    play: glyphButton("play", "Play", { id: "play", class: "primary" }),
  };
}
