/**
 * Shows events at the table: the queue, the motions, the sounds, and the line that tells the player what happened to it.
 *
 * Laws: `apply` gets every event once, in order; those that are skipped are drawn together when all is done. A click on
 * the table, a press on a control or a key shows the rest at once, before any control hears of it; no input is held
 * back. A hidden tab shows no motion and keeps no backlog.
 *
 * @typedef {import("./event_moves.js").GameEvent} ShownEvent
 * @typedef {import("../shared/table_state.js").TableState} ShownState
 * @typedef {{apply: (event: ShownEvent, drawn: boolean) => void, done: () => void, shown: () => ShownState | null}} ShownTable
 *   shown: the state as far as events are applied; done: all of them are
 */

import { byId } from "../shared/dom.js";
import { reducedMotion, settings } from "../shared/settings.js";
import { playSound, soundOf } from "../shared/sound.js";
import { text } from "../shared/text.js";
import { movesOf, preyPlace } from "./event_moves.js";
import { EVENT_SPEEDS, EventQueue } from "./event_queue.js";
import { Motions } from "./motions.js";
import { emptyReport, reportedWith, reportText } from "./own_report.js";

/** Highlights are read faster than motions. */
const HIGHLIGHT_SPEED = 2;

export class EventShow {
  #motions = new Motions(reducedMotion, (seat) => this.#nameOf(seat));
  #report = emptyReport();
  /** The place of the board that was attacked last. @type {string | null} */
  #prey = null;
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
      frame: (run) => requestAnimationFrame(run),
    });
    document.addEventListener("visibilitychange", () => document.hidden && this.skip());
    for (const kind of ["pointerdown", "click", "keydown"]) {
      document.addEventListener(kind, (event) => meansNow(event) && this.skip(), { capture: true });
    }
  }

  get playing() {
    return this.#queue.playing;
  }

  /** This happened next; it is shown when it is added. @param {ShownEvent} event @param {ShownState} before  the state before it */
  note(event, { players, me, watering_hole }) {
    const own = players.find(({ seat }) => seat === me?.seat);
    if (own) this.#report = reportedWith(this.#report, event, own, watering_hole);
  }

  /** These happened next. @param {ShownEvent[]} events */
  add(events) {
    if (events.length > 0) document.body.dataset.events = "playing";
    this.#queue.add(events);
  }

  /**
   * The player of this page is asked: it reads what has happened to it as soon as the event that is shown has ended.
   *
   * @param {boolean} last  whether the last turn begins
   * @param {() => void} begin  draws the request
   */
  asked(last, begin) {
    this.#queue.asked(() => {
      this.#motions.clear();
      this.#tellReport(last);
      begin();
    });
  }

  /** Draw the request now, if one waits for the end of an event. */
  begin() {
    this.#queue.begin();
  }

  /** @param {boolean} last */
  #tellReport(last) {
    const line = byId("happened");
    const happened = reportText(this.#report, (seat) => this.#nameOf(seat));
    line.textContent = [last ? text("report.last-turn") : "", happened].filter(Boolean).join(" ");
    line.hidden = line.textContent === "";
  }

  /** The player of this page has replied. */
  replied() {
    this.#queue.replied();
    this.#report = emptyReport();
    byId("happened").hidden = true;
  }

  /** Show the rest at once. */
  skip() {
    this.#queue.skip();
  }

  /** @param {number} seat */
  #nameOf(seat) {
    return this.#table.shown()?.names[seat - 1] ?? "";
  }

  /** @param {ShownEvent} event @param {number} milliseconds */
  #show(event, milliseconds) {
    const { apply, shown } = this.#table;
    const before = { players: shown()?.players ?? [], prey: this.#prey };
    if (event.type === "Attacked") this.#prey = preyPlace(event, before);
    if (milliseconds === 0) return apply(event, false);
    this.#motions.play(event.type, movesOf(event, before), milliseconds, () => apply(event, true));
    const sound = soundOf(event);
    if (sound) playSound(sound, settings());
  }

  #done() {
    this.#motions.clear();
    delete document.body.dataset.events;
    this.#table.done();
  }
}

/**
 * Whether the player wants to go on: any key, a click on the table, a press on something that can be used there. A finger
 * that begins to scroll presses nothing.
 *
 * @param {Event} event
 */
function meansNow({ type, target }) {
  if (type === "keydown") return true;
  return target instanceof Element && target.closest(type === "click" ? "main" : "main :is(button, input, select)") !== null;
}

/** How fast events are shown in this tab, as the queue counts it. */
function eventSpeed() {
  const speed = document.hidden ? 0 : EVENT_SPEEDS[settings().events];
  return reducedMotion() ? speed * HIGHLIGHT_SPEED : speed;
}
