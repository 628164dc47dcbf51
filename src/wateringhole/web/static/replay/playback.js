/**
 * Playback of a replay: a position in the game, and a clock that moves it on. Nothing of the page.
 *
 * Laws: a position is a step and how many of its events have been told. A jump shows the position at once; one step on
 * and the film tell event by event, each for the time that it takes at a table, divided by the speed.
 *
 * @typedef {import("../shared/messages.js").Event} FilmEvent
 * @typedef {(event: FilmEvent | null, milliseconds: number) => void} ShowPosition
 *   event: the last one told, to be shown happening; null: the position was jumped to
 */

import { usualTime } from "../table/event_queue.js";

export const SPEEDS = [0.5, 1, 2, 4];

/** How long a step is shown in which nothing happens: a player has chosen. */
const QUIET_MILLISECONDS = 450;

export class Playback {
  step = 0;
  told = 0;
  speed = 1;
  /** The film runs. */
  playing = false;
  /** Events follow by themselves. */
  moving = false;
  #steps;
  #show;
  #later;
  #run = 0;

  /**
   * @param {{events: FilmEvent[]}[]} steps
   * @param {ShowPosition} show
   * @param {(run: () => void, milliseconds: number) => unknown} later
   */
  constructor(steps, show, later) {
    this.#steps = steps;
    this.#show = show;
    this.#later = later;
    this.told = steps[0].events.length;
  }

  get last() {
    return this.#steps.length - 1;
  }

  get atEnd() {
    return this.step === this.last && this.told === this.#steps[this.step].events.length;
  }

  /**
   * Stop, and show the table after this step, or after so many of its events.
   *
   * @param {number} step
   * @param {number} [told]
   */
  goTo(step, told) {
    this.#halt();
    this.step = Math.min(Math.max(step, 0), this.last);
    const { length } = this.#steps[this.step].events;
    this.told = Math.min(Math.max(told ?? length, 0), length);
    this.#show(null, 0);
  }

  /** Stop the film, and tell the events of the next step. What is left of this one is told at once. */
  forward() {
    this.#halt();
    if (this.step === this.last) return this.goTo(this.last);
    this.moving = true;
    this.#begin();
  }

  /** Run the film, from the start when the end is reached. */
  play() {
    if (this.atEnd) this.goTo(0, 0);
    this.playing = this.moving = true;
    this.#next();
  }

  /** Stop here. */
  pause() {
    this.#halt();
    this.#show(null, 0);
  }

  #halt() {
    this.#run += 1;
    this.playing = this.moving = false;
  }

  /** The next step, before its first event. */
  #begin() {
    this.step += 1;
    this.told = 0;
    this.#show(null, 0);
    if (this.#steps[this.step].events.length > 0) this.#next();
    else this.#wait(QUIET_MILLISECONDS / this.speed);
  }

  #next() {
    const event = this.#steps[this.step].events[this.told];
    if (event) {
      const milliseconds = usualTime(event) / this.speed;
      this.told += 1;
      this.#wait(milliseconds);
      this.#show(event, milliseconds);
    } else if (this.playing && this.step < this.last) this.#begin();
    else this.pause();
  }

  /** @param {number} milliseconds */
  #wait(milliseconds) {
    this.#run += 1;
    const run = this.#run;
    this.#later(() => run === this.#run && this.#next(), milliseconds);
  }
}

/**
 * The step that an address names after its #, within the game; 0 when it names none.
 *
 * @param {string} hash
 * @param {number} last
 */
export function stepInHash(hash, last) {
  const named = Number.parseInt(new URLSearchParams(hash.replace(/^#/, "")).get("step") ?? "", 10);
  return Number.isNaN(named) ? 0 : Math.min(Math.max(named, 0), last);
}
