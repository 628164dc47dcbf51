/** The waiting room: who sits where, the invitation, the way to a seat, and the host's button to begin. */

import { h } from "../shared/dom.js";
import { glyphButton, seatMark, uiGlyph } from "../shared/glyphs.js";
import { showHowToPlay } from "../shared/how_to_play.js";
import { botNotes, CHOICE_BOTS, placeHolder, tableTitle, timeText, troubleText } from "../shared/room_text.js";
import { ownName, remember } from "../shared/storage.js";
import { text } from "../shared/text.js";

/**
 * @typedef {{join: (name: string) => void, begin: () => void, change: (seat: number, chair: import("../shared/messages.js").Chair) => void,
 *   leave: () => void, said: string}} WaitingActs  said: why the last try failed
 */

/**
 * The panel of a table that has not begun.
 *
 * @param {import("../shared/types.js").RoomMessage} room
 * @param {WaitingActs} acts
 * @returns {Node[]}
 */
export function waitingPanel(room, acts) {
  return [
    h("h2", {}, room.you === null ? text("waiting.filling") : text("waiting.others")),
    h("p", { class: "soft" }, timeText(room.time), room.time === "none" ? "" : ` ${text("clock.out")}`, room.private ? ` ${text("waiting.private")}` : ""),
    h("ol", { class: "places" }, ...room.places.map((place) => placeItem(place, room, acts))),
    room.host ? h("ul", { class: "bot-notes", "aria-label": text("place.bots") },
      ...botNotes(CHOICE_BOTS).map((note) => h("li", {}, note))) : null,
    room.you === null && hasFreeSeat(room) ? joinForm(acts) : null,
    room.you === null && !hasFreeSeat(room) ? h("p", {}, text("waiting.full")) : null,
    room.you === null ? null : inviteRow(tableTitle(room)),
    room.trouble ? h("p", { class: "said", role: "alert", id: "trouble" },
      `${troubleText(room.trouble)} ${text("waiting.failed")}`) : null,
    room.host && (awaitedPlayers(room.places) > 0 || room.trouble) ? h("p", { class: "begin" },
      glyphButton("play", room.trouble ? text("waiting.again") : text("button.begin"), { class: "primary", id: "begin", onclick: acts.begin }),
      awaitedPlayers(room.places) > 0 ? h("span", { class: "soft" }, text("waiting.begin.bots")) : null) : null,
    room.you === null ? null : h("p", { class: "waiting-ways" },
      glyphButton("help", text("how.heading"), { id: "how", class: "quiet", onclick: showHowToPlay }),
      glyphButton("close", text("waiting.leave"), { id: "leave", class: "quiet", onclick: acts.leave })),
  ].filter((part) => part !== null);
}

/** Whether a person can still sit down. @param {import("../shared/types.js").RoomMessage} room @returns {boolean} */
function hasFreeSeat(room) {
  return room.stage === "open" && room.places.some((place) => place.kind === "person" && place.presence === "empty");
}

/**
 * How many players a table still waits for; bots come by themselves.
 *
 * @param {import("../shared/types.js").Place[]} places
 * @returns {number}
 */
export function awaitedPlayers(places) {
  return places.filter((place) => place.kind !== "bot" && place.presence === "empty").length;
}

/**
 * @param {import("../shared/types.js").Place} place
 * @param {import("../shared/types.js").RoomMessage} room
 * @param {WaitingActs} acts
 */
function placeItem(place, room, acts) {
  const waits = place.presence === "empty" && place.kind === "client" && room.port !== null
    ? text("waiting.program", { host: location.hostname, port: String(room.port) }) : "";
  const note = place.presence === "away" ? text("seat.away") : waits;
  return h("li", { "data-seat": place.seat, "data-presence": place.presence },
    seatMark(place.seat), uiGlyph(place.kind),
    room.host && place.presence === "empty" ? chairChoice(place, acts) : h("b", {}, placeHolder(place)),
    place.seat === room.you ? h("span", { class: "tag" }, text("seat.you")) : null,
    note ? h("span", { class: "soft" }, note) : null);
}

/**
 * What the host wants on a free seat.
 *
 * @param {import("../shared/types.js").Place} place
 * @param {WaitingActs} acts
 */
function chairChoice(place, { change }) {
  const bots = [...new Set([...CHOICE_BOTS, place.bot])].filter(Boolean);
  const now = place.kind === "bot" ? `bot:${place.bot}` : place.kind;
  /** @type {[string, string][]} */
  const choices = [["person", text("waiting.seat.person")], ...bots.map((bot) => /** @type {[string, string]} */
    ([`bot:${bot}`, text("place.bot-named", { bot })]))];
  if (place.kind === "client") choices.push(["client", text("place.client")]);
  const label = text("new-table.seat", { seat: place.seat });
  const select = h("select", { id: `chair-${place.seat}`, "aria-label": label, onchange: () => {
    const [kind, bot] = select.value.split(":");
    if (kind === "bot") change(place.seat, { kind, bot });
    else if (kind === "person") change(place.seat, { kind });
  } }, ...choices.map(([value, word]) => h("option", { value, selected: value === now }, word)));
  return select;
}

const PROPOSED_NAMES = ["Acacia", "Baobab", "Gazelle", "Heron", "Kudu", "Lark", "Oryx", "Zebra"];
/** The name that a player without one is offered: the same for as long as the page is open. */
const PROPOSED_NAME = PROPOSED_NAMES[Math.floor(Math.random() * PROPOSED_NAMES.length)];

/** @param {WaitingActs} acts @returns {HTMLFormElement} */
function joinForm({ join, said }) {
  const name = h("input", { id: "name", name: "name", maxlength: 40, autocomplete: "nickname", value: ownName() || PROPOSED_NAME,
    required: true, "aria-describedby": said ? "join-said" : null });
  return h("form", { class: "join", onsubmit: (event) => {
    event.preventDefault();
    remember("name", name.value.trim());
    join(name.value.trim());
  } },
    h("label", { for: "name" }, text("lobby.name")), name,
    h("button", { class: "primary", type: "submit", id: "join" }, uiGlyph("person"), h("span", {}, text("waiting.join"))),
    said ? h("p", { id: "join-said", role: "alert" }, said) : null,
    h("p", { class: "soft" }, text("waiting.watch")));
}

/** Hosts that each computer has for itself. */
const LOCAL_HOSTS = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The link to this table: to share, to copy, to scan. @param {string} title @returns {HTMLElement} */
function inviteRow(title) {
  const address = location.origin + location.pathname;
  const link = h("input", { id: "invite", readonly: true, value: address, onfocus: () => link.select() });
  const said = h("span", { role: "status", class: "soft" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address);
      said.textContent = text("copy.copied");
    } catch {
      link.select();
      said.textContent = text("waiting.marked");
    }
  };
  const share = () => navigator.share({ title, url: address }).catch(() => undefined);
  // Some browsers cannot share, and none shares a page that was not reached by TLS.
  const sharing = "share" in navigator ? glyphButton("person", text("waiting.share"), { id: "share", onclick: share }) : null;
  const local = LOCAL_HOSTS.has(location.hostname)
    ? h("p", { class: "soft", id: "invite-local" }, text("waiting.local", { command: "wateringhole serve --lan" })) : null;
  const picture = `${location.pathname}/qr.svg${location.protocol === "https:" ? "?tls" : ""}`;
  return h("div", { class: "invite" }, h("label", { for: "invite" }, text("waiting.invite")),
    h("div", { class: "invite-row" }, link, sharing, glyphButton("link", text("copy.button"), { id: "copy", onclick: copy })), said, local,
    h("img", { class: "qr", src: picture, alt: text("waiting.qr"), width: 148, height: 148 }));
}
