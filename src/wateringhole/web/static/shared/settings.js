/**
 * Settings of this browser: light or dark, motion, speed of events, sound, keys; and the dialog for them.
 *
 * Laws: kept in localStorage, applied to <html> as data-theme and data-motion. Sound is off until the user wants it.
 *
 * @typedef {{theme: "system" | "light" | "dark", motion: "system" | "off", sound: boolean, keys: boolean,
 *   events: "slow" | "normal" | "fast" | "off"}} Settings
 */

import { h } from "./dom.js";
import { uiGlyph } from "./glyphs.js";
import { chime } from "./sound.js";
import { remember, remembered } from "./storage.js";

/** @type {Settings} */
const DEFAULT_SETTINGS = { theme: "system", motion: "system", sound: false, keys: true, events: "normal" };

/** @returns {Settings} */
export function settings() {
  try {
    return { ...DEFAULT_SETTINGS, ...JSON.parse(remembered("settings") ?? "{}") };
  } catch {
    return DEFAULT_SETTINGS;
  }
}

/** Let the page look as the user wants it. */
export function applySettings() {
  const { theme, motion } = settings();
  const root = document.documentElement;
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
  if (motion === "system") delete root.dataset.motion;
  else root.dataset.motion = motion;
}

/** Whether nothing may move: the system or the user says so. */
export function reducedMotion() {
  return settings().motion === "off" || matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** @param {Partial<Settings>} change */
function changeSettings(change) {
  remember("settings", JSON.stringify({ ...settings(), ...change }));
  applySettings();
}

/**
 * The button that opens the settings.
 *
 * @param {{tour?: () => void}} [also]  what else the dialog offers
 * @returns {HTMLButtonElement}
 */
export function settingsButton(also = {}) {
  const open = () => showDialog("Settings", settingsForm(also));
  return h("button", { class: "quiet", id: "settings", type: "button", onclick: open, "aria-label": "Settings" },
    uiGlyph("menu"));
}

/** @param {{tour?: () => void}} also @returns {HTMLElement} */
function settingsForm({ tour }) {
  const now = settings();
  return h("div", { class: "settings" },
    choice("Light or dark", ["system", "light", "dark"], now.theme,
      (theme) => changeSettings({ theme: /** @type {Settings["theme"]} */ (theme) })),
    choice("Motion", ["system", "off"], now.motion,
      (motion) => changeSettings({ motion: /** @type {Settings["motion"]} */ (motion) })),
    choice("Events at the table", ["slow", "normal", "fast", "off"], now.events,
      (events) => changeSettings({ events: /** @type {Settings["events"]} */ (events) }),
      { off: "all at once" }),
    tick("A sound when it is your turn", now.sound, (sound) => {
      changeSettings({ sound });
      if (sound) chime();
    }),
    tick("Single letters as shortcuts", now.keys, (keys) => changeSettings({ keys })),
    tour ? h("button", { type: "button", onclick: (event) => {
      /** @type {HTMLElement} */ (event.target).closest("dialog")?.close();
      tour();
    } }, "Show the first turn again") : null);
}

/**
 * @param {string} label
 * @param {string[]} names
 * @param {string} now
 * @param {(name: string) => void} choose
 * @param {Record<string, string>} [words]  where a name is not the word for it
 */
function choice(label, names, now, choose, words = CHOICE_NAMES) {
  const select = h("select", { onchange: () => choose(select.value) },
    ...names.map((name) => h("option", { value: name, selected: name === now }, words[name] ?? name)));
  return h("label", {}, h("span", {}, label), select);
}

/** @type {Record<string, string>} */
const CHOICE_NAMES = { system: "as the system says", light: "light", dark: "dark", off: "no motion" };

/** @param {string} label @param {boolean} on @param {(on: boolean) => void} set */
function tick(label, on, set) {
  const box = h("input", { type: "checkbox", checked: on, onchange: () => set(box.checked) });
  return h("label", { class: "tick" }, box, h("span", {}, label));
}

/**
 * A modal dialog that is gone when it is closed.
 *
 * @param {string} title
 * @param {Node} content
 */
export function showDialog(title, content) {
  const close = h("button", { class: "quiet", type: "button", "aria-label": "Close", onclick: () => dialog.close() },
    uiGlyph("close"));
  const dialog = h("dialog", { "aria-label": title, onclose: () => dialog.remove() },
    h("header", { class: "dialog-head" }, h("h2", {}, title), close), content);
  document.body.append(dialog);
  dialog.showModal();
}
