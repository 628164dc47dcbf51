/**
 * Small pictures at the edge of the window: what an event concerns and cannot be seen, because the page is scrolled
 * elsewhere. The page itself is not scrolled, so that nothing moves under a finger.
 *
 * Laws: a picture is a copy, stands for one place, and lies in the layer of the motions. A place that is in sight has none.
 */

import { tokenGlyph } from "../pieces/drawings.js";
import { h } from "../shared/dom.js";
import { seatMark } from "../shared/glyphs.js";
import { elementAt, hiddenBehind, openBand, widerPlace } from "./motion_places.js";

/** With more boards than so many out of sight, their players stand for them. */
const MAX_BOARD_PICTURES = 2;

export class EdgePictures {
  /** @type {Map<string, HTMLElement>} */
  #pictures = new Map();
  /** @type {Record<"top" | "bottom", HTMLElement>} */
  #edges = { top: h("div", { class: "edge", "data-edge": "top" }), bottom: h("div", { class: "edge", "data-edge": "bottom" }) };
  #layer;
  #nameOf;

  /** @param {HTMLElement} layer @param {(seat: number) => string} nameOf */
  constructor(layer, nameOf) {
    this.#layer = layer;
    this.#nameOf = nameOf;
    // The header and the dock grow when the player is asked.
    const resized = new ResizeObserver(() => this.#moveEdges());
    for (const cover of document.querySelectorAll("#top, #dock")) resized.observe(cover);
  }

  /** The pictures of those of these places that are out of sight; the others keep theirs. @param {string[]} places */
  show(places) {
    const hidden = [...new Set(places)].flatMap((place) => {
      const element = place === "table" || place === "away" ? null : elementAt(place);
      const edge = element && hiddenBehind(element);
      return edge ? [{ place: pictured(place), element: element.closest("wh-board") ?? element, edge }] : [];
    });
    // The layout is read before anything is written.
    if (hidden.length > 0) this.#moveEdges();
    const boards = new Set(hidden.map(({ place }) => place).filter((place) => place.startsWith("board:")));
    for (const { place, element, edge } of hidden) {
      const crowded = boards.size > MAX_BOARD_PICTURES && place.startsWith("board:");
      this.#draw(crowded ? widerPlace(place) ?? place : place, element, edge);
    }
  }

  /** What stands for this place at an edge. @param {string} place @returns {HTMLElement | null} */
  at(place) {
    for (let named = /** @type {string | null} */ (place); named !== null; named = widerPlace(named)) {
      const picture = this.#pictures.get(named);
      if (picture) return picture;
    }
    return null;
  }

  clear() {
    this.#pictures.clear();
    for (const edge of Object.values(this.#edges)) edge.replaceChildren();
  }

  /** @param {string} place @param {Element} element @param {"top" | "bottom"} edge */
  #draw(place, element, edge) {
    const box = this.#edges[edge];
    const picture = this.#pictures.get(place) ?? h("div", { class: "edge-picture" });
    picture.replaceChildren(...this.#content(place, element));
    if (this.#pictures.has(place)) return;
    this.#pictures.set(place, picture);
    box.append(picture);
    this.#layer.append(box);
  }

  #moveEdges() {
    const { top, bottom } = openBand();
    this.#edges.top.style.top = `${top}px`;
    this.#edges.bottom.style.bottom = `${innerHeight - bottom}px`;
  }

  /** @param {string} place @param {Element} element @returns {Node[]} */
  #content(place, element) {
    const [kind, seat] = place.split(":");
    if (kind === "hole") return [h("span", { class: "edge-name" }, tokenGlyph(), element.querySelector("strong")?.textContent)];
    const name = h("span", { class: "edge-name" }, seatMark(Number(seat)), h("span", {}, this.#nameOf(Number(seat))));
    return kind === "board" && element.matches("wh-board") ? [boardCopy(element), name] : [name];
  }
}

/** The board, or else the player, to which a place belongs. @param {string} place */
function pictured(place) {
  return place.startsWith("board:") ? place : widerPlace(place) ?? place;
}

/** @param {Element} board */
function boardCopy(board) {
  const copy = /** @type {HTMLElement} */ (board.cloneNode(true));
  for (const name of ["data-index", "data-letter", "data-state"]) copy.removeAttribute(name);
  for (const over of copy.querySelectorAll("button")) over.remove();
  return copy;
}
