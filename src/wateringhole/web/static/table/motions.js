/**
 * Motions of events at the table: pieces fly, boards come, slide and fall away.
 *
 * Laws: only transform and opacity are animated. What flies lies in a layer of its own, which takes no click and is hidden
 * from screen readers: the story tells the same. With reduced motion nothing moves; source and target are highlighted.
 * What cannot be seen has a picture at the edge of the window. The id of an animation says the event, the piece and its
 * way: `Ate token hole board:2:A`.
 *
 * @typedef {import("./event_moves.js").Move} Motion
 * @typedef {import("./motion_places.js").Box} MotionBox
 * @typedef {{move: Motion, from: MotionBox | null, ghost: HTMLElement | null}} Prepared  before the event is drawn
 * @typedef {Prepared & {to: MotionBox | null, target: Element | null}} Measured  after it is drawn
 */

import { h } from "../shared/dom.js";
import { EdgePictures } from "./edge_pictures.js";
import { boxOf, boxOfElement, elementAt } from "./motion_places.js";
import { bannerPiece, cardPiece, countUp, flyingPieces, ghostOf } from "./motion_pieces.js";
import { rankingPiece, signPiece, traitPieceOf } from "./motion_pieces.js";

const EASING = "cubic-bezier(0.3, 0, 0.2, 1)";
/** The share of an event's time over which the pieces of one flight start. */
const STAGGER = 0.3;

export class Motions {
  #layer = h("div", { id: "motions", "aria-hidden": "true", inert: true });
  /** @type {Set<Animation>} */
  #running = new Set();
  #edges;
  #reduced;

  /** @param {() => boolean} reduced  whether nothing may move @param {(seat: number) => string} nameOf */
  constructor(reduced, nameOf) {
    this.#reduced = reduced;
    this.#edges = new EdgePictures(this.#layer, nameOf);
    document.body.append(this.#layer);
  }

  /**
   * Draw the event, and show the way from how it was to how it is.
   *
   * @param {string} kind  of the event
   * @param {Motion[]} moves
   * @param {number} milliseconds
   * @param {() => void} draw
   */
  play(kind, moves, milliseconds, draw) {
    const reduced = this.#reduced();
    this.clear();
    // What only makes room for others needs no picture.
    const seen = moves.filter(({ piece }) => piece !== "slide");
    this.#edges.show(seen.map(({ from }) => from));
    const prepared = moves.map((move) => this.#prepare(move, reduced));
    draw();
    // The hole has other tokens now, also where it is the source.
    this.#edges.show(seen.flatMap(({ from, to }) => (from === "hole" ? [from, to] : [to])));
    // All before the first one starts: a board that is on its way is not where it belongs, and to read the layout takes
    // long once a piece is added.
    const measured = prepared.map((one) => ({ ...one, from: one.from ?? this.#boxOf(one.move.from),
      to: this.#boxOf(one.move.to), target: this.#elementAt(one.move.to) }));
    for (const [at, one] of measured.entries()) {
      const id = `${kind} ${one.move.piece} ${one.move.from} ${one.move.to}`;
      // Signs at one spot stand above one another; a picture at the edge is the spot of several places.
      const lower = measured.slice(0, at).filter((other) => isSame(signSpot(other), signSpot(one))).length;
      if (reduced) this.#highlight(one, id, milliseconds, lower);
      else this.#animate(one, id, milliseconds, lower);
    }
  }

  /** End all motions at once. */
  clear() {
    for (const animation of this.#running) animation.cancel();
    this.#running.clear();
    this.#edges.clear();
    this.#layer.replaceChildren();
  }

  /** Where a place is, or its picture. @param {string} place @returns {MotionBox | null} */
  #boxOf(place) {
    const picture = this.#edges.at(place);
    return picture ? boxOfElement(picture) : boxOf(place);
  }

  /** @param {string} place */
  #elementAt(place) {
    return this.#edges.at(place) ?? elementAt(place);
  }

  /** @param {Motion} move @param {boolean} reduced @returns {Prepared} */
  #prepare(move, reduced) {
    const element = this.#elementAt(move.from);
    const copied = move.piece === "gone" || (move.piece === "hunter" && !reduced);
    return { move, from: this.#boxOf(move.from), ghost: copied && element instanceof HTMLElement ? ghostOf(element) : null };
  }

  /** @param {Measured} measured @param {string} id @param {number} milliseconds @param {number} lower */
  #animate({ move, from, to: there, target, ghost }, id, milliseconds, lower) {
    const to = there ?? from;
    if (!from || !to) return;
    switch (move.piece) {
      case "token": case "drop": case "card": case "cards": case "animal":
        return this.#fly(flyingPieces(move), from, move.to === "away" ? fallen(from) : to, id, milliseconds);
      case "trait": return this.#fly([traitPieceOf(move.trait)], from, to, id, milliseconds);
      case "food-card": return this.#turnOver(cardPiece(move.face), from, to, id, milliseconds);
      case "hunter": return this.#hunt(ghost, target, from, to, id, milliseconds);
      case "new": return this.#arrive(target, from, to, id, milliseconds);
      case "slide": return this.#slide(target, from, to, id, milliseconds);
      case "gone": return this.#fall(move, ghost, from, id, milliseconds);
      case "sign": return this.#rise(signPiece(move), to, lower, id, milliseconds, false);
      case "banner": return this.#appear(bannerPiece(move.text), to, id, milliseconds, false);
      case "ranking": return this.#rank(move, to, id, milliseconds, false);
    }
  }

  /** @param {Measured} measured @param {string} id @param {number} milliseconds @param {number} lower */
  #highlight({ move, from, to, ghost }, id, milliseconds, lower) {
    if (move.piece === "sign" && to) return this.#rise(signPiece(move), to, lower, id, milliseconds, true);
    if (move.piece === "banner" && to) return this.#appear(bannerPiece(move.text), to, id, milliseconds, true);
    if (move.piece === "ranking" && to) return this.#rank(move, to, id, milliseconds, true);
    if (move.piece === "slide") return;
    if (move.piece === "gone" && from) this.#fade(move, ghost, from, id, milliseconds);
    if (from) this.#mark(from, "from", id, milliseconds);
    if (to) this.#mark(to, "to", id, milliseconds);
  }

  /** @param {MotionBox} box @param {"from" | "to"} end @param {string} id @param {number} milliseconds */
  #mark(box, end, id, milliseconds) {
    const mark = h("div", { class: "motion-mark", "data-end": end });
    mark.style.width = `${box.width}px`;
    mark.style.height = `${box.height}px`;
    mark.style.transform = at(box);
    this.#run(mark, [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }], id,
      { duration: milliseconds });
  }

  /** @param {HTMLElement[]} pieces @param {MotionBox} from @param {MotionBox} to @param {string} id @param {number} milliseconds */
  #fly(pieces, from, to, id, milliseconds) {
    const step = pieces.length > 1 ? STAGGER / (pieces.length - 1) : 0;
    const share = pieces.length > 1 ? 1 - STAGGER : 1;
    const above = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - 18 };
    pieces.forEach((piece, number) => this.#run(piece, [
      { transform: `${at(from)} scale(0.6)`, opacity: 0 },
      { transform: `${at(from)} scale(1.25)`, opacity: 1, offset: 0.12 },
      { transform: `${at(above)} scale(1.35)`, opacity: 1, offset: 0.55 },
      { transform: `${at(to)} scale(1)`, opacity: 1, offset: 0.92 },
      { transform: `${at(to)} scale(0.8)`, opacity: 0 },
    ], id, { duration: milliseconds * share, delay: milliseconds * step * number, easing: EASING }));
  }

  /** @param {HTMLElement} card @param {MotionBox} from @param {MotionBox} to @param {string} id @param {number} milliseconds */
  #turnOver(card, from, to, id, milliseconds) {
    const depth = "perspective(600px)";
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    this.#run(card, [
      { transform: `${at(from)} ${depth} rotateY(180deg) scale(0.3)` },
      { transform: `${at(from)} ${depth} rotateY(180deg) scale(1)`, offset: 0.15 },
      { transform: `${at(middle)} ${depth} rotateY(90deg) scale(1.15)`, offset: 0.4 },
      { transform: `${at(to)} ${depth} rotateY(0deg) scale(1)`, offset: 0.65 },
      { transform: `${at(to)} ${depth} rotateY(0deg) scale(1)`, offset: 0.85 },
      { transform: `${at(to)} ${depth} rotateY(0deg) scale(0.2)` },
    ], id, { duration: milliseconds, easing: EASING });
  }

  /**
   * The hunter runs to its prey and back; the prey shakes.
   *
   * @param {HTMLElement | null} ghost
   * @param {Element | null} target
   * @param {MotionBox} from
   * @param {MotionBox} to
   * @param {string} id
   * @param {number} milliseconds
   */
  #hunt(ghost, target, from, to, id, milliseconds) {
    if (!ghost) return;
    this.#run(ghost, [
      { transform: `${at(from)} scale(1)`, opacity: 0.9 },
      { transform: `${at(to)} scale(0.75)`, opacity: 1, offset: 0.5 },
      { transform: `${at(to)} scale(0.75)`, opacity: 1, offset: 0.65 },
      { transform: `${at(from)} scale(1)`, opacity: 0.6 },
    ], id, { duration: milliseconds, easing: EASING });
    const shaken = [0, -6, 6, -4, 4, 0].map((x) => ({ transform: `translateX(${x}px)` }));
    this.#runOn(target, shaken, `${id} shake`, { duration: milliseconds * 0.5, delay: milliseconds * 0.45 });
  }

  /** @param {Element | null} element @param {MotionBox} from @param {MotionBox} to @param {string} id @param {number} milliseconds */
  #arrive(element, from, to, id, milliseconds) {
    this.#runOn(element, [
      { transform: `translate(${from.x - to.x}px, ${from.y - to.y}px) scale(0.15)`, opacity: 0.2 },
      { transform: "translate(0, 0) scale(1)", opacity: 1 },
    ], id, { duration: milliseconds, easing: EASING });
  }

  /** @param {Element | null} element @param {MotionBox} from @param {MotionBox} to @param {string} id @param {number} milliseconds */
  #slide(element, from, to, id, milliseconds) {
    if (Math.hypot(from.x - to.x, from.y - to.y) < 1) return;
    this.#runOn(element, [
      { transform: `translate(${from.x - to.x}px, ${from.y - to.y}px)` }, { transform: "translate(0, 0)" },
    ], id, { duration: milliseconds * 0.7, delay: milliseconds * 0.3, easing: EASING, fill: "backwards" });
  }

  /**
   * What is gone falls away, with the word for it in its place.
   *
   * @param {import("./event_moves.js").Fall} move
   * @param {HTMLElement | null} ghost
   * @param {MotionBox} from
   * @param {string} id
   * @param {number} milliseconds
   */
  #fall({ text }, ghost, from, id, milliseconds) {
    if (ghost) {
      this.#run(ghost, [
        { transform: `${at(from)} rotate(0deg)`, opacity: 1 },
        { transform: `${at(from)} rotate(-4deg)`, opacity: 0.9, offset: 0.25 },
        { transform: `${at(fallen(from))} rotate(12deg)`, opacity: 0 },
      ], id, { duration: milliseconds, easing: "ease-in" });
    }
    this.#rise(signPiece({ text, bad: true }), from, 0, `${id} sign`, milliseconds, false);
  }

  /**
   * What is gone is still seen for a moment, above what has taken its place.
   *
   * @param {import("./event_moves.js").Fall} move
   * @param {HTMLElement | null} ghost
   * @param {MotionBox} from
   * @param {string} id
   * @param {number} milliseconds
   */
  #fade({ text }, ghost, from, id, milliseconds) {
    const still = { transform: at(from) };
    if (ghost) {
      this.#run(ghost, [{ ...still, opacity: 1 }, { ...still, opacity: 1, offset: 0.7 }, { ...still, opacity: 0 }], id,
        { duration: milliseconds });
    }
    this.#rise(signPiece({ text, bad: true }), from, 0, `${id} sign`, milliseconds, true);
  }

  /**
   * @param {HTMLElement} sign
   * @param {MotionBox} box
   * @param {number} lower  how many signs stand there already
   * @param {string} id
   * @param {number} milliseconds
   * @param {boolean} still
   */
  #rise(sign, box, lower, id, milliseconds, still) {
    const start = { x: box.x, y: box.y - 26 * lower };
    const end = { x: box.x, y: start.y - (still ? 0 : 22) };
    this.#run(sign, [
      { transform: at(start), opacity: 0 },
      { transform: at({ x: start.x, y: (start.y + end.y) / 2 }), opacity: 1, offset: 0.25 },
      { transform: at(end), opacity: 1, offset: 0.85 },
      { transform: at(end), opacity: 0 },
    ], id, { duration: milliseconds });
  }

  /** @param {HTMLElement} banner @param {MotionBox} box @param {string} id @param {number} milliseconds @param {boolean} still */
  #appear(banner, box, id, milliseconds, still) {
    const small = still ? 1 : 0.7;
    return this.#run(banner, [
      { transform: `${at(box)} scale(${small})`, opacity: 0 },
      { transform: `${at(box)} scale(1)`, opacity: 1, offset: 0.25 },
      { transform: `${at(box)} scale(1)`, opacity: 1, offset: 0.85 },
      { transform: `${at(box)} scale(${still ? 1 : 1.1})`, opacity: 0 },
    ], id, { duration: milliseconds });
  }

  /**
   * @param {import("./event_moves.js").Ranking} move
   * @param {MotionBox} box
   * @param {string} id
   * @param {number} milliseconds
   * @param {boolean} still
   */
  #rank({ ranking }, box, id, milliseconds, still) {
    const panel = rankingPiece(ranking);
    const animation = this.#appear(panel, box, id, milliseconds, still);
    countUp(panel, still ? null : animation);
  }

  /**
   * Let a piece of the layer move, and take it away afterwards.
   *
   * @param {HTMLElement} piece
   * @param {Keyframe[]} frames
   * @param {string} id
   * @param {KeyframeAnimationOptions} options
   */
  #run(piece, frames, id, options) {
    piece.classList.add("motion");
    this.#layer.append(piece);
    const animation = piece.animate(frames, { ...options, id, fill: "both" });
    this.#keep(animation, () => piece.remove());
    return animation;
  }

  /**
   * Let an element of the table move where it is, unless it can be used now.
   *
   * @param {Element | null} element
   * @param {Keyframe[]} frames
   * @param {string} id
   * @param {KeyframeAnimationOptions} options
   */
  #runOn(element, frames, id, options) {
    if (element && !element.closest("#own[data-held]")) this.#keep(element.animate(frames, { ...options, id }), () => {});
  }

  /** @param {Animation} animation @param {() => void} ended */
  #keep(animation, ended) {
    this.#running.add(animation);
    animation.onfinish = animation.oncancel = () => {
      this.#running.delete(animation);
      ended();
    };
  }
}

/** Where a motion has a sign, null for one without. @param {Measured} measured @returns {MotionBox | null} */
function signSpot({ move, from, to }) {
  return move.piece === "sign" ? to : move.piece === "gone" ? from : null;
}

/** @param {MotionBox | null} one @param {MotionBox | null} other */
function isSame(one, other) {
  return one !== null && other !== null && one.x === other.x && one.y === other.y;
}

/** Puts the middle of a piece there. @param {{x: number, y: number}} point */
function at({ x, y }) {
  return `translate(${x}px, ${y}px) translate(-50%, -50%)`;
}

/** @param {MotionBox} box @returns {MotionBox} */
function fallen(box) {
  return { ...box, y: box.y + Math.max(60, box.height * 0.6) };
}
