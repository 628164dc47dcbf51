/** A player on the table as a custom element: who it is, what is known of it, and its row of boards. */
import { h, renew } from "../shared/dom.js";
import { seatMark, uiGlyph } from "../shared/glyphs.js";
import { numberText, ordinalText, text } from "../shared/text.js";
import { explain } from "../shared/tooltips.js";
import { BoardElement } from "./pieces.js";

/** @typedef {import("../shared/types.js").Awaited} AwaitedAnswer */
/**
 * @typedef {{player: import("../shared/types.js").Player, place: import("../shared/types.js").Place | null,
 *   turnOrder: number, asked: AwaitedAnswer | null, you: boolean}} PlayerData  turnOrder: 1 starts the turn; 0 says nothing
 */

/** When the time of an answer runs out. The same request keeps its end, however often it is drawn. */
const endsOfAnswers = /** @type {WeakMap<AwaitedAnswer, number>} */ (new WeakMap());

/** A player: who it is, what is known of it, and its row of boards. */
export class PlayerElement extends HTMLElement {
  static observedAttributes = ["compact", "interactive"];

  #data = /** @type {PlayerData | null} */ (null);
  #head = h("header", { class: "player-head" });
  #row = h("div", { class: "board-row" });
  #clock = h("span", { class: "fact player-clock" });
  #ticking = /** @type {ReturnType<typeof setInterval> | undefined} */ (undefined);

  get data() {
    return /** @type {PlayerData} */ (this.#data);
  }

  set data(data) {
    this.#data = data;
    if (!this.firstChild) this.append(this.#head, this.#row);
    if (!this.hasAttribute("role")) this.setAttribute("role", "group");
    this.setAttribute("aria-label", text("seat.label", { seat: data.player.seat, name: data.player.name }));
    this.dataset.seat = String(data.player.seat);
    this.toggleAttribute("data-asked", data.asked !== null);
    this.toggleAttribute("data-you", data.you);
    this.dataset.presence = data.place?.presence ?? "here";
    renew(this.#head, this.#facts());
    this.#lay();
    this.#tick();
  }

  /**
   * @param {number} index
   * @returns {BoardElement | null}
   */
  boardAt(index) {
    const board = this.#row.children[index];
    return board instanceof BoardElement ? board : null;
  }

  connectedCallback() {
    this.#ticking = setInterval(() => this.#tick(), 1000);
  }

  disconnectedCallback() {
    clearInterval(this.#ticking);
  }

  attributeChangedCallback() {
    if (this.#data) this.#lay();
  }

  /** @returns {Node[]} */
  #facts() {
    const { player, place, turnOrder, asked, you } = this.data;
    const presence = place?.presence ?? "here";
    const kind = place && place.kind !== "person" ? place.kind : null;
    return [
      h("span", { class: "player-who" },
        seatMark(player.seat), h("b", { class: "player-name" }, player.name),
        you ? h("span", { class: "tag you-tag" }, text("seat.you")) : null),
      h("span", { class: "player-facts" },
        turnOrder ? fact("", ordinalText(turnOrder), text("seat.order", { order: ordinalText(turnOrder) })) : null,
        kind ? fact(kind, "", text(`seat.${kind}`)) : null,
        presence === "here" ? null : h("span", { class: "tag presence-tag" }, text(`seat.${presence}`)),
        fact("card", numberText(player.cards), text("cards", { count: player.cards })),
        player.bag === undefined ? null : fact("bag", numberText(player.bag), text("seat.bag", { count: player.bag })),
        asked ? this.#clock : null),
    ];
  }

  /** Keeps each board that is still there, by its letter: what a page said about it by attributes stays. */
  #lay() {
    const { boards, seat } = this.data.player;
    const letters = new Set(boards.map(({ letter }) => letter));
    for (const piece of [...this.#row.children]) {
      if (piece instanceof BoardElement && !letters.has(piece.data.board.letter)) piece.remove();
    }
    boards.forEach((board, index) => {
      const next = this.boardAt(index);
      const piece = next?.data.board.letter === board.letter ? next : new BoardElement();
      if (piece !== next) this.#row.insertBefore(piece, next);
      for (const name of ["compact", "interactive"]) piece.toggleAttribute(name, this.hasAttribute(name));
      piece.data = { board, seat, index };
    });
  }

  #tick() {
    const asked = this.#data?.asked;
    if (!asked) return;
    const left = secondsLeft(asked);
    this.#clock.toggleAttribute("data-late", left !== null && left <= 10);
    this.#clock.replaceChildren(uiGlyph("clock"), left === null ? text("seat.asked") : minutes(left));
  }
}

/**
 * A number with its sign, explained in words.
 *
 * @param {string} glyph  or nothing
 * @param {string} shown  to the eye
 * @param {string} meaning  in whole words
 * @returns {HTMLElement}
 */
export function fact(glyph, shown, meaning) {
  const element = h("span", { class: "fact", "data-fact": glyph || null },
    glyph ? uiGlyph(glyph) : null, h("span", { "aria-hidden": "true" }, shown),
    h("span", { class: "visually-hidden" }, meaning));
  explain(element, () => ({ text: meaning }));
  return element;
}

/**
 * @param {AwaitedAnswer} asked
 * @returns {number | null}
 */
function secondsLeft(asked) {
  if (asked.seconds === null) return null;
  const end = endsOfAnswers.get(asked) ?? performance.now() + asked.seconds * 1000;
  endsOfAnswers.set(asked, end);
  return Math.max(0, Math.ceil((end - performance.now()) / 1000));
}

/**
 * @param {number} seconds
 * @returns {string}
 */
function minutes(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

customElements.define("wh-player", PlayerElement);
