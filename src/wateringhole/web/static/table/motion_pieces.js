/** The pieces that fly at an event: tokens, cards, animals, signs, copies of boards. Text is text, never markup. */

import { tokenGlyph } from "../pieces/drawings.js";
import { piece } from "../pieces/pieces.js";
import { h } from "../shared/dom.js";
import { seatMark, traitGlyph, uiGlyph } from "../shared/glyphs.js";
import { text } from "../shared/text.js";

/** More pieces than so many of one flight are not drawn; the sign beside them has the number. */
const MAX_PIECES = 4;
/** The share of the time after which the scores stand. */
const COUNTED = 0.6;

/** @type {Record<import("./event_moves.js").FlyingKind, () => Node>} */
const DRAWINGS = {
  token: () => tokenGlyph(), drop: () => uiGlyph("fat"), animal: () => uiGlyph("population"),
  card: () => uiGlyph("card"), cards: () => uiGlyph("card"),
};

/** @param {import("./event_moves.js").Flight} flight @returns {HTMLElement[]} */
export function flyingPieces({ piece: kind, count }) {
  return Array.from({ length: Math.min(Math.max(count, 1), MAX_PIECES) }, () =>
    h("div", { class: "motion-piece", "data-piece": kind }, DRAWINGS[kind]()));
}

/** @param {import("../shared/types.js").Trait} trait */
export function traitPieceOf(trait) {
  return h("div", { class: "motion-piece", "data-piece": "trait" }, traitGlyph(trait),
    h("span", {}, text(`trait.${trait}.name`)));
}

/** A card with a back. @param {import("../shared/types.js").Face} face */
export function cardPiece(face) {
  return h("div", { class: "motion-card" },
    h("div", { class: "motion-card-back" }, uiGlyph("food")), piece("wh-card", { face, index: 0 }));
}

/** @param {Pick<import("./event_moves.js").Sign, "text" | "bad" | "trait">} sign */
export function signPiece({ text: words, bad = false, trait }) {
  return h("div", { class: "motion-sign", "data-bad": bad }, trait ? traitGlyph(trait) : null, h("span", {}, words));
}

/** @param {string} words */
export function bannerPiece(words) {
  return h("div", { class: "motion-banner" }, words);
}

/** @param {import("./event_moves.js").EventStanding[]} ranking */
export function rankingPiece(ranking) {
  return h("div", { class: "motion-banner motion-ranking" }, ...ranking.map(({ seat, name, score }) =>
    h("div", { class: "motion-standing" }, seatMark(seat), h("span", { class: "motion-name" }, name),
      h("b", { "data-score": score ?? "" }, score ?? "-"))));
}

/** Count the scores of a ranking up as its animation goes on; null: they stand at once. */
export function countUp(/** @type {HTMLElement} */ ranking, /** @type {Animation | null} */ animation) {
  if (!animation) return;
  const scores = [...ranking.querySelectorAll("[data-score]")];
  const count = () => {
    const share = Math.min(1, Number(animation.effect?.getComputedTiming().progress ?? 1) / COUNTED);
    for (const shown of scores) {
      const score = shown.getAttribute("data-score");
      if (score) shown.textContent = String(Math.round(Number(score) * share));
    }
    if (share < 1 && animation.playState === "running") requestAnimationFrame(count);
  };
  count();
}

/** A copy of a piece of the table, as large as it is; it is found as no board of the table. @param {HTMLElement} element */
export function ghostOf(element) {
  const { width, height } = element.getBoundingClientRect();
  const ghost = /** @type {HTMLElement} */ (element.cloneNode(true));
  ghost.removeAttribute("data-index");
  ghost.removeAttribute("id");
  ghost.classList.add("motion-ghost");
  ghost.style.width = `${width}px`;
  ghost.style.height = `${height}px`;
  return ghost;
}
