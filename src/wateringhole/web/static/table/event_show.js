/**
 * Shows events at the table: the queue, the motions, and the line that tells the player what happened to it.
 *
 * Laws: `apply` gets every event once, in order, and draws it; what is skipped is drawn when all is applied. A click on
 * the table or a key shows the rest at once; no input is held back. A hidden tab shows no motion and keeps no backlog.
 *
 * @typedef {import("./event_moves.js").GameEvent} ShownEvent
 * @typedef {{apply: (event: ShownEvent, drawn: boolean) => void, done: () => void,
 *   boards: (seat: number) => import("../shared/types.js").Board[], seats: () => number[],
 *   you: () => number | null, nameOf: (seat: number) => string}} ShownTable
 *   boards, seats: as they are shown now; done: all events are applied
 */

import { byId } from "../shared/dom.js";
import { reducedMotion, settings } from "../shared/settings.js";
import { movesOf } from "./event_moves.js";
import { EVENT_SPEEDS, EventQueue } from "./event_queue.js";
import { Motions } from "./motions.js";
import { emptyReport, reportedWith, reportText } from "./own_report.js";

/** Highlights are read faster than motions. */
const HIGHLIGHT_SPEED = 2;

export class EventShow {
  #motions = new Motions(reducedMotion);
  #report = emptyReport();
  #asked = false;
  /** @type {Extract<ShownEvent, {type: "Attacked"}> | null} */
  #attack = null;
  #table;
  #queue;

  /** @param {ShownTable} table */
  constructor(table) {
    this.#table = table;
    this.#queue = new EventQueue({
      show: (event, milliseconds) => this.#show(event, milliseconds),
      done: () => this.#done(),
      speed: eventSpeed,
      now: () => performance.now(),
      later: (run, milliseconds) => setTimeout(run, milliseconds),
    });
    document.addEventListener("visibilitychange", () => document.hidden && this.skip());
    // After the element that was clicked has heard of it: a click that skips is still a click.
    document.addEventListener("click", ({ target }) => target instanceof Element && target.closest("main") && this.skip());
    document.addEventListener("keydown", () => this.skip());
  }

  get playing() {
    return this.#queue.playing;
  }

  /** These happened next. @param {ShownEvent[]} events */
  add(events) {
    if (events.length > 0) document.body.dataset.events = "playing";
    this.#queue.add(events);
  }

  /** The player of this page is asked. */
  asked() {
    this.#asked = true;
    this.#queue.asked();
    if (!this.playing) this.#tell();
  }

  /** The player of this page has replied. */
  replied() {
    this.#queue.replied();
    this.#asked = false;
    this.#report = emptyReport();
    byId("happened").hidden = true;
  }

  /** Show the rest at once. */
  skip() {
    this.#queue.skip();
  }

  /** @param {ShownEvent} event @param {number} milliseconds */
  #show(event, milliseconds) {
    const { apply, boards, seats, you } = this.#table;
    const seat = you();
    if (seat !== null) this.#report = reportedWith(this.#report, event, seat, boards(seat));
    if (milliseconds === 0) apply(event, false);
    else {
      const moves = movesOf(event, { boards, seats, attack: this.#attack });
      this.#motions.play(event.type, moves, milliseconds, () => apply(event, true));
    }
    if (event.type === "Attacked") this.#attack = event;
  }

  #done() {
    this.#motions.clear();
    delete document.body.dataset.events;
    if (this.#asked) this.#tell();
    this.#table.done();
  }

  #tell() {
    const line = byId("happened");
    line.textContent = reportText(this.#report, this.#table.nameOf);
    line.hidden = line.textContent === "";
  }
}

/** How fast events are shown in this tab, as the queue counts it. */
function eventSpeed() {
  const speed = document.hidden ? 0 : EVENT_SPEEDS[settings().events];
  return reducedMotion() ? speed * HIGHLIGHT_SPEED : speed;
}
