/** A player on the table as a custom element: who it is, what is known of it, and its row of boards. */
import { h } from "../shared/dom.js";
import { seatMark, uiGlyph } from "../shared/glyphs.js";
import { explain } from "../shared/tooltips.js";
import { BoardElement } from "./pieces.js";

/** @typedef {import("../shared/types.js").Awaited} AwaitedAnswer */
/**
 * @typedef {{player: import("../shared/types.js").Player, place: import("../shared/types.js").Place | null,
 *   turnOrder: number, asked: AwaitedAnswer | null, you: boolean}} PlayerData  turnOrder: 1 starts the turn; 0 says nothing
 */

const ORDINALS = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"];

/** How a seat is occupied, where this is worth a word. */
const PRESENCE_WORDS = /** @type {Record<string, string>} */ ({
  "empty": "free seat", "away": "away", "stand-in": "a bot stands in", "out": "out of the game",
});

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
    this.setAttribute("aria-label", `seat ${data.player.seat}, ${data.player.name}`);
    this.dataset.seat = String(data.player.seat);
    this.toggleAttribute("data-asked", data.asked !== null);
    this.toggleAttribute("data-you", data.you);
    this.dataset.presence = data.place?.presence ?? "here";
    this.#head.replaceChildren(...this.#facts());
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
    const presence = PRESENCE_WORDS[place?.presence ?? ""];
    const kind = place && place.kind !== "person" ? place.kind : null;
    return [
      h("span", { class: "player-who" },
        seatMark(player.seat), h("b", { class: "player-name" }, player.name),
        you ? h("span", { class: "tag you-tag" }, "you") : null),
      h("span", { class: "player-facts" },
        turnOrder ? fact("", ORDINALS[turnOrder - 1] ?? "", "in the turn order") : null,
        kind ? fact(kind, "", kind) : null,
        presence ? h("span", { class: "tag presence-tag" }, presence) : null,
        fact("card", String(player.cards), player.cards === 1 ? "card" : "cards"),
        player.bag === undefined ? null : fact("bag", String(player.bag), "in the bag"),
        asked ? this.#clock : null),
    ];
  }

  /** Keeps the boards that are there: what a page said about them by attributes stays. */
  #lay() {
    const { boards, seat } = this.data.player;
    while (this.#row.childElementCount > boards.length) this.#row.lastElementChild?.remove();
    while (this.#row.childElementCount < boards.length) this.#row.append(new BoardElement());
    boards.forEach((board, index) => {
      const piece = this.boardAt(index);
      if (!piece) return;
      for (const name of ["compact", "interactive"]) piece.toggleAttribute(name, this.hasAttribute(name));
      piece.data = { board, seat, index };
    });
  }

  #tick() {
    const asked = this.#data?.asked;
    if (!asked) return;
    const left = secondsLeft(asked);
    this.#clock.toggleAttribute("data-late", left !== null && left <= 10);
    this.#clock.replaceChildren(uiGlyph("clock"), left === null ? "to move" : minutes(left));
  }
}

/**
 * @param {string} glyph  or nothing
 * @param {string} shown
 * @param {string} meaning
 * @returns {HTMLElement}
 */
function fact(glyph, shown, meaning) {
  const element = h("span", { class: "fact", "data-fact": glyph || null },
    glyph ? uiGlyph(glyph) : null, shown, h("span", { class: "visually-hidden" }, ` ${meaning}`));
  explain(element, () => ({ text: `${shown} ${meaning}`.trim() }));
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
