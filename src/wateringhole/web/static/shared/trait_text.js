/** What the traits are called and what each of them does, in the words of the catalogue. */
import { h } from "./dom.js";
import { text } from "./text.js";

/** @typedef {import("./messages.js").Trait} Trait */

/** @param {Trait} trait @returns {string} */
export function traitName(trait) {
  return text(`trait.${trait}.name`);
}

/** What this trait does, in one sentence. @param {Trait} trait @returns {string} */
export function traitText(trait) {
  return text(`trait.${trait}.text`);
}

/**
 * The id of the hidden sentence about this trait, which all pieces on the page share for their aria-describedby.
 *
 * @param {Trait} trait
 * @returns {string}
 */
export function traitNote(trait) {
  const id = `trait-text-${trait}`;
  if (!document.getElementById(id)) document.body.append(h("p", { id, hidden: true }, traitText(trait)));
  return id;
}
