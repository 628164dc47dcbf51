/**
 * The table of a replay: the watering hole, the players with their boards and, for who may see them, hands.
 *
 * Laws: a player keeps its place on the screen, whichever seat begins the turn, and its element from scene to scene, so that
 * only what changes moves. A player that was expelled is no longer shown. The seat that looks has its things large.
 */
import { CardElement, HoleElement, TraitElement } from "../pieces/pieces.js";
import { PlayerElement } from "../pieces/player_piece.js";
import { h } from "../shared/dom.js";
import { boardChanges, phaseText, seenBy } from "./frames.js";

/** @typedef {import("./frames.js").Scene} ShownScene */

export class ReplayTable {
  #hole = new HoleElement();
  #facts = h("p", { class: "stage-facts" });
  #row = h("div", { class: "stage-seats" });
  /** @type {Map<number, {root: HTMLElement, player: PlayerElement, hand: HTMLElement}>} */
  #seats = new Map();

  /** @param {HTMLElement} root */
  constructor(root) {
    root.replaceChildren(h("div", { class: "stage-centre" }, this.#hole, this.#facts), this.#row);
  }

  /**
   * @param {ShownScene} scene
   * @param {ShownScene} before
   * @param {import("./frames.js").Viewer} viewer
   */
  show(scene, before, viewer) {
    this.#hole.data = { tokens: scene.watering_hole };
    this.#facts.replaceChildren(
      h("strong", { "data-turn": scene.turn }, `Turn ${scene.turn}`),
      ` ${phaseText(scene.phase)}. `,
      h("span", { "data-deck": scene.deck }, `${scene.deck} ${scene.deck === 1 ? "card" : "cards"} in the deck.`),
    );
    this.#hole.dataset.tokens = String(scene.watering_hole);
    const players = [...scene.players].sort((one, other) => one.seat - other.seat);
    this.#lay(players.map((player) => this.#seat(player, scene, viewer)));
    this.#mark(boardChanges(before, scene));
  }

  /**
   * @param {import("../shared/types.js").Player} player
   * @param {ShownScene} scene
   * @param {import("./frames.js").Viewer} viewer
   */
  #seat(player, scene, viewer) {
    const seat = this.#seats.get(player.seat) ?? this.#newSeat(player.seat);
    const seen = seenBy(player, viewer);
    seat.player.data = {
      player: seen,
      place: null,
      turnOrder: scene.order.indexOf(player.seat) + 1,
      asked: scene.asked.includes(player.seat) ? { seat: player.seat, seconds: null } : null,
      you: viewer === player.seat,
    };
    const own = viewer === player.seat;
    seat.root.toggleAttribute("data-own", own);
    seat.player.toggleAttribute("compact", !own);
    seat.hand.hidden = !seen.hand?.length;
    seat.hand.replaceChildren(...(seen.hand ?? []).map(own ? largeCard : smallCard));
    return seat.root;
  }

  /**
   * Moves nothing that is in its place: an element that is taken out and put back loses its focus.
   *
   * @param {HTMLElement[]} seats
   */
  #lay(seats) {
    if (seats.some((seat, at) => this.#row.children[at] !== seat) || this.#row.childElementCount !== seats.length) {
      this.#row.replaceChildren(...seats);
    }
  }

  /** @param {number} seat */
  #newSeat(seat) {
    const player = new PlayerElement();
    const hand = h("ul", { class: "stage-hand", "aria-label": "Hand" });
    const made = { root: h("div", { class: "stage-seat", "data-seat": seat }, player, hand), player, hand };
    this.#seats.set(seat, made);
    return made;
  }

  /** @param {import("./frames.js").BoardChange[]} changes */
  #mark(changes) {
    for (const board of this.#row.querySelectorAll("wh-board")) board.removeAttribute("data-state");
    for (const { seat, board, what } of changes) {
      this.#seats.get(seat)?.player.boardAt(board)?.setAttribute("data-state", what);
    }
  }
}

/**
 * @param {import("../shared/types.js").Face} face
 * @param {number} index
 */
function largeCard(face, index) {
  const card = new CardElement();
  card.data = { face, index };
  return h("li", {}, card);
}

/**
 * A card as a glyph and a number; its trait is explained like on a board.
 *
 * @param {import("../shared/types.js").Face} face
 * @param {number} index
 */
function smallCard([food, name], index) {
  const trait = new TraitElement();
  trait.trait = name;
  return h("li", { class: "stage-card", "data-card": index }, trait, h("span", {}, foodText(food)));
}

/** With a real minus, as on the cards. @param {number} food */
function foodText(food) {
  return food < 0 ? `\u2212${-food}` : food > 0 ? `+${food}` : "0";
}
