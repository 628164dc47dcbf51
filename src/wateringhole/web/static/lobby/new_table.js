/**
 * The form for a new table.
 *
 * @typedef {{kind: string, bot?: string}} SeatOrder
 * @typedef {{title: string, private: boolean, time: string, places: SeatOrder[]}} TableOrder
 */

import { h } from "../shared/dom.js";
import { seatMark } from "../shared/glyphs.js";
import { postJson } from "../shared/post_json.js";
import { botNotes, timeText, USUAL_BOTS } from "../shared/room_text.js";
import { text } from "../shared/text.js";

const MIN_SEATS = 3;
const MAX_SEATS = 8;
/** Seats that the form gives to bots by itself: with more of them a game is over after two turns. */
const MAX_USUAL_BOTS = USUAL_BOTS.length;

/**
 * Order this table and go there as its host; the sentence why it could not be had otherwise.
 *
 * @param {TableOrder} order
 * @param {(address: string) => void} [go]
 * @returns {Promise<string>}
 */
export async function openTable(order, go = (address) => location.assign(address)) {
  try {
    const response = await postJson("/api/tables", order);
    const said = await response.json();
    if (!response.ok) return said.text ?? text("new-table.refused", { status: response.status });
    go(`/table/${encodeURIComponent(said.table)}#key=${encodeURIComponent(said.key)}`);
    return text("new-table.ready");
  } catch {
    return text("problem.silent");
  }
}

/**
 * @param {string[]} bots
 * @param {string[]} times
 * @param {boolean} programs  whether programs can sign up
 * @returns {HTMLFormElement}
 */
export function newTableForm(bots, times, programs) {
  const title = h("input", { id: "table-title", maxlength: 60, placeholder: text("new-table.title.example") });
  const hidden = h("input", { id: "table-private", type: "checkbox" });
  const time = h("select", { id: "table-time" }, h("option", { value: "" }, text("new-table.time.suits")),
    ...times.map((one) => h("option", { value: one }, timeText(one))));
  const count = h("select", { id: "table-seats", onchange: () => drawSeats() },
    ...Array.from({ length: MAX_SEATS - MIN_SEATS + 1 }, (_, at) =>
      h("option", { value: MIN_SEATS + at, selected: at === 1 }, String(MIN_SEATS + at))));
  const seats = h("ol", { class: "new-seats", onchange: () => drawPeople() });
  const alone = h("p", { class: "soft small", id: "table-alone" }, text("new-table.alone"));
  const said = h("p", { role: "alert", class: "said", hidden: true });
  const drawSeats = () => {
    const kept = [...seats.querySelectorAll("select")].map((select) => select.value);
    seats.replaceChildren(...Array.from({ length: Number(count.value) }, (_, at) =>
      seatChoice(at, kept[at] ?? usualChoice(at), bots, programs)));
    drawPeople();
  };
  const drawPeople = () => {
    alone.hidden = nameOwnSeat([...seats.querySelectorAll("select")]);
  };
  drawSeats();
  const order = async () => {
    said.hidden = true;
    const places = [...seats.querySelectorAll("select")].map((select) => seatOrder(select.value));
    const named = title.value.trim() || title.placeholder;
    said.textContent = await openTable({ title: named, private: hidden.checked, time: time.value, places });
    said.hidden = false;
  };
  return h("form", { class: "new-table-form", onsubmit: (event) => {
    event.preventDefault();
    void order();
  } },
    h("label", { for: "table-title" }, text("new-table.title")), title,
    h("label", { for: "table-time" }, text("new-table.time")), time,
    h("label", { for: "table-seats" }, text("new-table.seats")), count,
    seats, alone,
    h("details", { class: "bot-notes" }, h("summary", {}, text("place.bots")),
      h("ul", {}, ...botNotes(bots).map((note) => h("li", {}, note)))),
    h("label", { class: "tick" }, hidden, h("span", {}, text("new-table.private"))),
    h("button", { class: "primary", type: "submit", id: "create" }, text("new-table.create")),
    said);
}

/** What a new seat is for: first the host, then one bot of each strength, then people. @param {number} at */
function usualChoice(at) {
  return at >= 1 && at <= MAX_USUAL_BOTS ? `bot:${USUAL_BOTS[at - 1]}` : "person";
}

/**
 * The host sits down on the first seat for a person, so that one says "you"; whether others can come, too.
 *
 * @param {HTMLSelectElement[]} selects
 * @returns {boolean}
 */
function nameOwnSeat(selects) {
  const own = selects.findIndex(({ value }) => value === "person");
  selects.forEach((select, at) => {
    const person = select.querySelector("option[value=person]");
    if (person) person.textContent = own < 0 || at <= own ? text("seat.you") : text("new-table.person");
  });
  return selects.some(({ value }, at) => at > own && ["person", "client"].includes(value));
}

/** @param {string} value @returns {SeatOrder} */
function seatOrder(value) {
  const [kind, bot] = value.split(":");
  return bot === undefined ? { kind } : { kind, bot };
}

/**
 * @param {number} at
 * @param {string} chosen
 * @param {string[]} bots
 * @param {boolean} programs
 */
function seatChoice(at, chosen, bots, programs) {
  /** @type {[string, string][]} */
  const choices = [["person", text("new-table.person")], ...bots.map((bot) => /** @type {[string, string]} */
    ([`bot:${bot}`, text("place.bot-named", { bot })]))];
  if (programs) choices.push(["client", text("new-table.program")]);
  const label = text("new-table.seat", { seat: at + 1 });
  return h("li", {}, seatMark(at + 1), h("select", { "aria-label": label, "data-new-seat": at + 1 },
    ...choices.map(([value, word]) => h("option", { value, selected: value === chosen }, word))));
}
