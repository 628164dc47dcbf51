/**
 * What the page says to its player: the reason of a refusal, visible, and words for a screen reader.
 *
 * Laws: text only. A reason stays until the player does the next thing.
 */

import { byId, h } from "./dom.js";
import { uiGlyph } from "./glyphs.js";
import { ruleButton } from "./rulebook.js";
import { hasText, text } from "./text.js";

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
 * Why something must not be: the sentence for the rule or, where the catalogue has none, the server's.
 *
 * @param {string | null} rule
 * @param {string} detail
 * @returns {string}
 */
export function refusalText(rule, detail) {
  return hasText(`refusal.${rule}`) ? text(`refusal.${rule}`) : asSentence(detail);
}

/**
 * Show why something cannot be done; the rule's words are a click away.
 *
 * @param {string | null} rule
 * @param {string} detail
 */
export function showReason(rule, detail) {
  const box = byId("reason");
  const close = h("button", { class: "quiet", type: "button", "aria-label": text("reason.close"), onclick: hideReason },
    uiGlyph("close"));
  box.replaceChildren(h("span", {}, refusalText(rule, detail), " ", rule ? ruleButton(() => [rule]) : null), close);
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
