/**
 * The settings for what calls a player: sounds, their volume, notifications.
 *
 * Laws: the browser is asked for its permission only when the user wants notifications; where a page may have none,
 * as without TLS, they are not offered.
 *
 * @typedef {{sound: boolean, volume: number, notify: boolean}} AlertSettings  volume: 0 to 100
 */

import { h } from "./dom.js";
import { playSound } from "./sound.js";
import { text } from "./text.js";

/** @type {AlertSettings} */
export const DEFAULT_ALERTS = { sound: true, volume: 50, notify: false };

/** Whether this page may ask for notifications at all. */
export function canNotify() {
  return isSecureContext && "Notification" in globalThis;
}

/**
 * The fields for these settings.
 *
 * @param {AlertSettings} now
 * @param {(change: Partial<AlertSettings>) => void} change
 * @returns {(Node | null)[]}
 */
export function alertFields({ sound, volume, notify }, change) {
  const wanted = { sound, volume };
  const set = (/** @type {Partial<AlertSettings>} */ changed) => {
    Object.assign(wanted, changed);
    loudness.disabled = !wanted.sound;
    change(changed);
    playSound("turn", wanted);
  };
  const sounds = h("input", { type: "checkbox", id: "sounds", checked: sound, onchange: () => set({ sound: sounds.checked }) });
  const loudness = h("input", { type: "range", id: "volume", min: 0, max: 100, step: 5, value: volume, disabled: !sound,
    onchange: () => set({ volume: loudness.valueAsNumber }) });
  return [
    h("label", { class: "tick" }, sounds, h("span", {}, text("sound.switch"))),
    h("label", {}, h("span", {}, text("sound.volume")), loudness),
    canNotify() ? notifyField(notify, change) : null,
  ];
}

/** @param {boolean} notify @param {(change: Partial<AlertSettings>) => void} change */
function notifyField(notify, change) {
  const said = h("p", { class: "soft small", role: "status" });
  const tick = h("input", { type: "checkbox", id: "notify", checked: notify,
    onchange: async () => {
      const granted = tick.checked && await Notification.requestPermission() === "granted";
      said.textContent = tick.checked && !granted ? text("notify.denied") : "";
      tick.checked = granted;
      change({ notify: granted });
    } });
  return h("div", {}, h("label", { class: "tick" }, tick, h("span", {}, text("notify.switch"))), said);
}
