/**
 * The proof that no one has arranged the deal: the seal of the seed during a game, and what came of it afterwards.
 *
 * Laws: the server checks, this page shows.
 */
import { h } from "./dom.js";
import { uiGlyph } from "./glyphs.js";
import { asSentence } from "./notices.js";

/**
 * What to keep of a game that has begun.
 *
 * @param {string} seal
 * @returns {Node[]}
 */
export function sealNote(seal) {
  return [fairValue("Seal", seal), h("p", { class: "soft" }, "The deck is fixed: its seed, shown at the end, has this seal.")];
}

/**
 * What a finished game shows, and whether it is as it should be.
 *
 * @param {import("./types.js").Fair} fair
 * @returns {Node[]}
 */
export function fairCheck({ sealed, seed, objection }) {
  if (sealed === null) return [h("p", {}, "This game bears no seal: its deck was chosen by a person.")];
  const verdict = objection === null
    ? h("p", { class: "fair-good" }, "Checked: the deck comes from this seed, and the seed has the seal that was shown before the game.")
    : h("p", { class: "fair-bad" }, `Not as it should be: ${asSentence(objection)}`);
  return [verdict, fairValue("Seal", sealed), ...(seed === null ? [] : [fairValue("Seed", seed)]),
    h("p", { class: "soft small" }, "To check it yourself: the seal is the SHA-256 of the seed's text, and ",
      h("code", {}, "wateringhole verify"), " looks at the record.")];
}

/** A long value that can be copied. @param {string} name @param {string} value */
function fairValue(name, value) {
  const shown = h("code", {}, value);
  const said = h("span", {}, "Copy");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      said.textContent = "Copied";
    } catch {
      globalThis.getSelection()?.selectAllChildren(shown);
      said.textContent = "Marked";
    }
  };
  return h("p", { class: "fair-value" }, `${name} `, shown, " ", h("button", { class: "quiet", type: "button",
    "aria-label": `Copy the ${name.toLowerCase()}`, onclick: copy }, uiGlyph("link"), said));
}
