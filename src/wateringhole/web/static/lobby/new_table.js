/**
 * The form for a new table.
 *
 * @typedef {{kind: string, bot?: string}} SeatOrder
 * @typedef {{title: string, private: boolean, time: string, places: SeatOrder[]}} TableOrder
 */

import { h } from "../shared/dom.js";
import { seatMark } from "../shared/glyphs.js";
import { timeText, USUAL_BOTS } from "../shared/room_text.js";

const MIN_SEATS = 3;
const MAX_SEATS = 8;

/**
 * Order this table and go there as its host; the sentence why it could not be had otherwise.
 *
 * @param {TableOrder} order
 * @returns {Promise<string>}
 */
export async function openTable(order) {
  try {
    const response = await fetch("/api/tables", {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Wateringhole": "1" },
      body: JSON.stringify(order),
    });
    const said = await response.json();
    if (!response.ok) return said.text ?? `The server refused it (${response.status}).`;
    location.assign(`/table/${encodeURIComponent(said.table)}#key=${encodeURIComponent(said.key)}`);
    return "The table is ready.";
  } catch {
    return "The server does not answer.";
  }
}

/**
 * @param {string[]} bots
 * @param {string[]} times
 * @param {boolean} programs  whether programs can sign up
 * @returns {HTMLFormElement}
 */
export function newTableForm(bots, times, programs) {
  const title = h("input", { id: "table-title", maxlength: 60, placeholder: "A table" });
  const hidden = h("input", { id: "table-private", type: "checkbox" });
  const time = h("select", { id: "table-time" }, h("option", { value: "" }, "as it suits the table"),
    ...times.map((one) => h("option", { value: one }, timeText(one).replace(/^Clock: |\.$/g, ""))));
  const count = h("select", { id: "table-seats", onchange: () => drawSeats() },
    ...Array.from({ length: MAX_SEATS - MIN_SEATS + 1 }, (_, at) =>
      h("option", { value: MIN_SEATS + at, selected: at === 1 }, String(MIN_SEATS + at))));
  const seats = h("ol", { class: "new-seats" });
  const said = h("p", { role: "alert", class: "said", hidden: true });
  const drawSeats = () => {
    const kept = [...seats.querySelectorAll("select")].map((select) => select.value);
    seats.replaceChildren(...Array.from({ length: Number(count.value) }, (_, at) =>
      seatChoice(at, kept[at] ?? (at < 1 ? "person" : `bot:${USUAL_BOTS[(at - 1) % USUAL_BOTS.length]}`), bots, programs)));
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
    h("label", { for: "table-title" }, "Title"), title,
    h("label", { for: "table-time" }, "Time"), time,
    h("label", { for: "table-seats" }, "Seats"), count,
    seats,
    h("label", { class: "tick" }, hidden, h("span", {}, "Private: only who has the link finds it")),
    h("button", { class: "primary", type: "submit", id: "create" }, "Set up the table"),
    said);
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
  const choices = [["person", "a person by link"], ...bots.map((bot) => /** @type {[string, string]} */
    ([`bot:${bot}`, `the bot ${bot}`]))];
  if (programs) choices.push(["client", "a program over TCP"]);
  return h("li", {}, seatMark(at + 1), h("select", { "aria-label": `Seat ${at + 1}`, "data-new-seat": at + 1 },
    ...choices.map(([value, text]) => h("option", { value, selected: value === chosen }, text))));
}
