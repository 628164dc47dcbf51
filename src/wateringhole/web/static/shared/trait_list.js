/** All traits with their drawings and what each of them does, to look up; in the order of their names. */
import { h } from "./dom.js";
import { TRAITS, traitGlyph } from "./glyphs.js";
import { pageLanguage, text } from "./text.js";
import { traitName, traitText } from "./trait_text.js";

/** @returns {HTMLDetailsElement} */
export function traitList() {
  const order = new Intl.Collator(pageLanguage()).compare;
  const traits = [...TRAITS].sort((one, other) => order(traitName(one), traitName(other)));
  return h("details", { class: "trait-list" }, h("summary", {}, text("traits.heading")),
    h("dl", {}, ...traits.flatMap((trait) =>
      [h("dt", {}, traitGlyph(trait), " ", traitName(trait)), h("dd", {}, traitText(trait))])));
}
