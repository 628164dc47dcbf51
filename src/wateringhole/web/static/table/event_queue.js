/**
 * The event queue of a table: plays one event after the other, each for its own time. Nothing of the page.
 *
 * Laws: every event is shown exactly once, in order; one that is skipped is shown for 0 ms. What waits never takes longer
 * than MAX_BACKLOG, in the last turn MAX_LAST_BACKLOG, apart from the ranking at the end: no player waits for these. Once
 * the player is asked, all since the queue was last empty takes MAX_BACKLOG, or what is left MAX_AFTER_REQUEST where that
 * is already over. Time is shortened evenly. A request waits for the end of the event that is shown, and for nothing else.
 *
 * @typedef {"slow" | "normal" | "fast" | "off"} EventSpeed
 */

/** @typedef {import("./event_moves.js").GameEvent} QueuedEvent */
/**
 * @typedef {{show: (event: QueuedEvent, milliseconds: number) => void, done: () => void, speed: () => number,
 *   now: () => number, later: (run: () => void, milliseconds: number) => unknown, frame: (run: () => void) => unknown}} QueueParts
 *   done: the queue is empty again; speed: 1 is normal, 0 shows everything at once; frame: when the page has scrolled
 */

/** @type {Record<EventSpeed, number>} */
export const EVENT_SPEEDS = { slow: 0.5, normal: 1, fast: 2.5, off: 0 };

export const MAX_BACKLOG = 4000;
export const MAX_LAST_BACKLOG = 8000;
export const MAX_AFTER_REQUEST = 1000;
/** A timer that strikes so late belongs to a tab that slept: its backlog is no news. */
export const MAX_LATE = 10_000;

const USUAL_MILLISECONDS = 450;

/** How long an event takes at speed 1, where that is not usual. @type {Partial<Record<QueuedEvent["type"], number>>} */
const MILLISECONDS = {
  TurnStarted: 600, Revealed: 600, Attacked: 600, Extinct: 550, TurnEnded: 600, Expelled: 600,
  CardsDealt: 300, BoardGiven: 300, Bred: 350, FatMoved: 350, Starved: 400, Declined: 350, OutOfOptions: 350,
  GameOver: 1800,
};
/** The ranking is counted up; no question follows. */
const LAST = "GameOver";

/** How long an event takes at speed 1. @param {QueuedEvent} event */
export function usualTime(event) {
  return MILLISECONDS[event.type] ?? USUAL_MILLISECONDS;
}

export class EventQueue {
  /** @type {QueuedEvent[]} */
  #waiting = [];
  #playing = false;
  #asked = false;
  /** What a request does that came during an event. @type {(() => void) | null} */
  #begin = null;
  #run = 0;
  #since = 0;
  #deadline = 0;
  #parts;

  /** @param {QueueParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  get playing() {
    return this.#playing;
  }

  /** These happened next. @param {QueuedEvent[]} events */
  add(events) {
    if (events.length === 0) return;
    const now = this.#parts.now();
    this.#waiting.push(...events);
    if (!this.#playing) this.#since = now;
    this.#deadline = now + (this.#waiting.some(({ type }) => type === LAST) ? MAX_LAST_BACKLOG : MAX_BACKLOG);
    if (this.#asked) this.#hurry();
    if (!this.#playing) this.#next();
  }

  /**
   * The player of this page is asked: what is left is shown within the time that all of it may take.
   *
   * @param {() => void} begin  draws the request: between two events, because a piece on its way would miss its target
   *   when the page scrolls
   */
  asked(begin) {
    this.#asked = true;
    this.#hurry();
    this.#begin = begin;
    if (!this.#playing) this.begin();
  }

  /** Draw the request now, if one waits. */
  begin() {
    const begin = this.#begin;
    this.#begin = null;
    begin?.();
  }

  #hurry() {
    this.#deadline = Math.max(this.#since + MAX_BACKLOG, this.#parts.now() + MAX_AFTER_REQUEST);
  }

  /** The player of this page has replied, or a bot has for it: what comes next is in no hurry. */
  replied() {
    this.#asked = false;
  }

  /** Show all that is left at once. */
  skip() {
    const left = this.#waiting;
    this.#waiting = [];
    for (const event of left) this.#parts.show(event, 0);
    if (!this.#playing && left.length === 0) return;
    this.#run += 1;
    this.#playing = false;
    this.#parts.done();
    this.begin();
  }

  #next() {
    const speed = this.#parts.speed();
    const event = this.#waiting[0];
    if (speed <= 0 || !event) return this.skip();
    const milliseconds = this.#time(event, speed);
    this.#waiting.shift();
    this.#playing = true;
    this.#run += 1;
    const run = this.#run;
    const due = this.#parts.now() + milliseconds;
    this.#parts.later(() => run === this.#run && this.#over(due), milliseconds);
    this.#parts.show(event, milliseconds);
  }

  /** @param {number} due  when the event should have been over */
  #over(due) {
    if (this.#parts.now() - due > MAX_LATE) return this.skip();
    if (!this.#begin || this.#waiting.length === 0) return this.#next();
    const run = this.#run;
    this.begin();
    this.#parts.frame(() => run === this.#run && this.#next());
  }

  /** The time of the event that comes now: its own, or its share of the time that is left. */
  #time(/** @type {QueuedEvent} */ event, /** @type {number} */ speed) {
    if (event.type === LAST) return usualTime(event) / speed;
    const wanted = this.#waiting.reduce((sum, one) => sum + (one.type === LAST ? 0 : usualTime(one)), 0) / speed;
    const left = Math.max(0, this.#deadline - this.#parts.now());
    return (usualTime(event) / speed) * Math.min(1, left / wanted);
  }
}
