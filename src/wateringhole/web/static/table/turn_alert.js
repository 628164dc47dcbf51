/**
 * Calls the player whose turn it is: by sound, in the title of the tab, and, where the player looks elsewhere, by vibration
 * and a notification.
 *
 * Laws: the title says it without any permission. A notification is closed when the turn is over or the tab is seen.
 */

import { canNotify } from "../shared/alert_settings.js";
import { reducedMotion, settings } from "../shared/settings.js";
import { playSound } from "../shared/sound.js";
import { text } from "../shared/text.js";

const BLINK_MILLISECONDS = 1000;
const VIBRATION_MILLISECONDS = 200;
const MARKS = ["\u25cf", "\u25cb"];

export class TurnAlert {
  #asked = false;
  #table = "";
  #blinks = 0;
  /** @type {Notification | null} */
  #notification = null;

  constructor() {
    for (const kind of ["visibilitychange", "focus"]) addEventListener(kind, () => this.#seen(), { capture: true });
    setInterval(() => this.#blink(), BLINK_MILLISECONDS);
  }

  /** The title of the tab. @param {boolean} asked  whether it is the player's turn @param {string} table  its title */
  title(asked, table) {
    this.#asked = asked;
    this.#table = table;
    if (!asked) this.#forget();
    this.#draw();
  }

  /** It is the player's turn now. @param {string} what  is asked */
  call(what) {
    playSound("turn", settings());
    if (!isAway()) return;
    navigator.vibrate?.(VIBRATION_MILLISECONDS);
    if (!settings().notify || !canNotify()) return;
    this.#forget();
    try {
      this.#notification = new Notification(text("notify.title", { table: this.#table }), { body: what, tag: location.pathname });
      this.#notification.onclick = () => {
        window.focus();
        this.#forget();
      };
    } catch {
      // Some phones want a service worker for it; the title and the sound remain.
    }
  }

  #seen() {
    if (isAway()) return;
    this.#forget();
    this.#draw();
  }

  #forget() {
    this.#notification?.close();
    this.#notification = null;
  }

  #blink() {
    if (!this.#asked || !document.hidden) return;
    this.#blinks += 1;
    this.#draw();
  }

  #draw() {
    const table = { table: this.#table };
    const title = this.#asked ? text("notify.title", table) : text("notify.title.quiet", table);
    const mark = reducedMotion() ? MARKS[0] : MARKS[this.#blinks % MARKS.length];
    document.title = this.#asked && document.hidden ? `${mark} ${title}` : title;
  }
}

/** Whether the player looks at something else. */
function isAway() {
  return document.hidden || !document.hasFocus();
}
