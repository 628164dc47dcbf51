/**
 * How cards and places are chosen with the pointer: by click, and by drag and drop.
 *
 * @typedef {{press: (card: number, byKey: boolean) => void, take: (card: number) => void,
 *   place: (name: string) => void, remove: (entry: number) => void, drop: (name: string | null) => void,
 *   face: (card: number) => import("../shared/types.js").Face | undefined}} ChoosingActs
 */

import { piece } from "../pieces/pieces.js";
import { h } from "../shared/dom.js";
import { dragFrom } from "./card_drag.js";

/**
 * @param {{hand: HTMLElement, mine: HTMLElement}} room
 * @param {ChoosingActs} acts
 */
export function listenForCards({ hand, mine }, { press, take, place, remove, drop, face }) {
  hand.addEventListener("click", (event) => {
    const card = nearest(event, "data-card");
    // A click without a pointer is the Enter key.
    if (card !== null) press(Number(card), event.detail === 0);
  });
  mine.addEventListener("click", (event) => {
    const name = nearest(event, "data-place");
    if (name !== null) place(name);
    const entry = nearest(event, "data-unplan");
    if (entry !== null) remove(Number(entry));
  });
  dragFrom(hand, {
    take,
    drop,
    ghost: (card) => h("div", { class: "ghost", "aria-hidden": "true" },
      piece("wh-card", { face: face(card), index: card })),
  });
}

/** @param {Event} event @param {string} attribute @returns {string | null} */
function nearest(event, attribute) {
  return /** @type {Element} */ (event.target).closest(`[${attribute}]`)?.getAttribute(attribute) ?? null;
}
