/**
 * Settings of this browser: language, light or dark, motion, speed of events, sound, keys; and the dialog for them.
 *
 * Laws: kept in localStorage, but for the language, which the server must know; applied to <html> as data-theme and
 * data-motion.
 *
 * @typedef {import("./alert_settings.js").AlertSettings & {theme: "system" | "light" | "dark", motion: "system" | "off",
 *   keys: boolean, events: "slow" | "normal" | "fast" | "off"}} Settings
 */

import { alertFields, DEFAULT_ALERTS } from "./alert_settings.js";
import { h } from "./dom.js";
import { uiGlyph } from "./glyphs.js";
import { chooseLanguage } from "./language.js";
import { remember, remembered } from "./storage.js";
import { languageNames, pageLanguage, text } from "./text.js";

/** @type {Settings} */
const DEFAULT_SETTINGS = { ...DEFAULT_ALERTS, theme: "system", motion: "system", keys: true, events: "normal" };

/** @type {Settings["theme"][]} */
const THEMES = ["system", "light", "dark"];
/** @type {Settings["motion"][]} */
const MOTIONS = ["system", "off"];
/** @type {Settings["events"][]} */
const EVENTS = ["slow", "normal", "fast", "off"];

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
  const open = () => showDialog(text("settings.heading"), settingsForm(also));
  return h("button", { class: "quiet", id: "settings", type: "button", onclick: open, "aria-label": text("settings.heading") },
    uiGlyph("menu"));
}

/** @param {{tour?: () => void}} also @returns {HTMLElement} */
function settingsForm({ tour }) {
  const now = settings();
  const languages = Object.entries(languageNames()); // none in a file without a server, which has its language for good
  return h("div", { class: "settings" },
    languages.length ? choice(text("nav.language"), languages, pageLanguage(), chooseLanguage) : null,
    choice(text("settings.theme"), THEMES.map((theme) => [theme, text(`settings.theme.${theme}`)]), now.theme,
      (theme) => changeSettings({ theme })),
    choice(text("settings.motion"), MOTIONS.map((motion) => [motion, text(`settings.motion.${motion}`)]), now.motion,
      (motion) => changeSettings({ motion })),
    choice(text("settings.events"), EVENTS.map((speed) => [speed, text(`settings.events.${speed}`)]), now.events,
      (events) => changeSettings({ events })),
    ...alertFields(now, changeSettings),
    tick(text("settings.keys"), now.keys, (keys) => changeSettings({ keys })),
    tour ? h("button", { type: "button", onclick: (event) => {
      /** @type {HTMLElement} */ (event.target).closest("dialog")?.close();
      tour();
    } }, text("settings.tour")) : null);
}

/**
 * @template {string} Name
 * @param {string} label
 * @param {[Name, string][]} names  each with the word for it
 * @param {string} now
 * @param {(name: Name) => void} choose
 */
function choice(label, names, now, choose) {
  const select = h("select", { onchange: () => choose(/** @type {Name} */ (select.value)) },
    ...names.map(([name, word]) => h("option", { value: name, selected: name === now }, word)));
  return h("label", {}, h("span", {}, label), select);
}

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
  const close = h("button", { class: "quiet", type: "button", "aria-label": text("settings.close"), onclick: () => dialog.close() },
    uiGlyph("close"));
  const dialog = h("dialog", { "aria-label": title, onclose: () => dialog.remove() },
    h("header", { class: "dialog-head" }, h("h2", {}, title), close), content);
  document.body.append(dialog);
  dialog.showModal();
}
