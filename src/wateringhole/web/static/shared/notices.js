/**
 * What the page says to its player: the reason of a refusal, visible, and words for a screen reader.
 *
 * Laws: text only. A reason stays until the player does the next thing.
 */

import { byId, h } from "./dom.js";
import { uiGlyph } from "./glyphs.js";
import { ruleLink } from "./rulebook.js";

/**
 * The sentence of a fault, which the server writes without its subject's capital.
 *
 * @param {string} text
 * @returns {string}
 */
export function asSentence(text) {
  const whole = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(whole) ? whole : `${whole}.`;
}

/**
 * Show why something cannot be done.
 *
 * @param {string | null} rule
 * @param {string} text
 */
export function showReason(rule, text) {
  const box = byId("reason");
  const close = h("button", { class: "quiet", type: "button", "aria-label": "Close this message", onclick: hideReason },
    uiGlyph("close"));
  box.replaceChildren(h("span", {}, asSentence(text), " ", rule ? ruleLink(rule) : null), close);
  box.hidden = false;
}

export function hideReason() {
  const box = byId("reason");
  box.replaceChildren();
  box.hidden = true;
}

/** Say this in the live region. @param {string} text */
export function speak(text) {
  const region = byId("live");
  // The same words twice are no change, and would not be read.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
