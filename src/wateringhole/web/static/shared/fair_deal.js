/**
 * The proof that no one has arranged the deal: the seal of the seed during a game, and what came of it afterwards.
 *
 * Laws: the server checks, this page shows.
 */
import { h } from "./dom.js";
import { uiGlyph } from "./glyphs.js";
import { asSentence } from "./notices.js";
import { text } from "./text.js";

/**
 * What to keep of a game that has begun.
 *
 * @param {string} seal
 * @returns {Node[]}
 */
export function sealNote(seal) {
  return [h("p", { class: "soft" }, text("fair.during")), fairValue("seal", seal)];
}

/**
 * What a finished game shows, and whether it is as it should be.
 *
 * @param {import("./messages.js").FairDeal} fair
 * @returns {Node[]}
 */
export function fairCheck({ sealed, seed, objection }) {
  if (sealed === null) return [h("p", {}, text("fair.none"))];
  const verdict = objection === null
    ? h("p", { class: "fair-good" }, text("fair.good"))
    : h("p", { class: "fair-bad" }, text("fair.bad", { why: asSentence(objection) }));
  return [verdict, fairValue("seal", sealed), ...(seed === null ? [] : [fairValue("seed", seed)]),
    h("p", { class: "soft small" }, text("fair.check", { command: "wateringhole verify" }))];
}

/** A long value that can be copied. @param {"seal" | "seed"} name @param {string} value */
function fairValue(name, value) {
  const shown = h("code", {}, value);
  const said = h("span", {}, text("copy.button"));
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(value);
      said.textContent = text("copy.copied");
    } catch {
      globalThis.getSelection()?.selectAllChildren(shown);
      said.textContent = text("copy.marked");
    }
  };
  return h("p", { class: "fair-value" }, text(`fair.${name}`), " ", shown, " ", h("button", { class: "quiet", type: "button",
    "aria-label": text(`fair.${name}.copy`), onclick: copy }, uiGlyph("link"), said));
}
