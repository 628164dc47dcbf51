/**
 * The seconds in which a decline can be taken back, before it is sent.
 *
 * Laws: `end` runs once, unless the delay is stopped before. A reload forgets the delay, so the server asks again.
 */

const MAX_UNDO_SECONDS = 3;
/** The answer must arrive before the clock of the player runs out. */
const SECONDS_ON_THE_WAY = 1;

export class DeclineDelay {
  #left = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;

  /** @param {{tick: () => void, end: () => void}} told */
  constructor({ tick, end }) {
    this.tick = tick;
    this.end = end;
  }

  /** So many seconds are left; 0 if nothing waits. */
  get left() {
    return this.#left;
  }

  /** @param {number} clock  the seconds that the player's clock has left; at its end nothing waits any more */
  start(clock) {
    this.stop();
    this.#left = Math.min(MAX_UNDO_SECONDS, Math.max(0, Math.floor(clock - SECONDS_ON_THE_WAY)));
    this.#countDown();
  }

  stop() {
    clearTimeout(this.#timer);
    this.#left = 0;
  }

  #countDown() {
    if (this.#left === 0) return this.end();
    this.#timer = setTimeout(() => {
      this.#left -= 1;
      this.#countDown();
    }, 1000);
    this.tick();
  }
}
