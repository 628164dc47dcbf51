/**
 * The table of a replay: the watering hole, the players with their boards and, for who may see them, hands.
 *
 * Laws: a player keeps its place on the screen, whichever seat begins the turn, and its element from moment to moment,
 * so that only what changes moves. A player that was expelled is no longer shown. The seat that looks has its things
 * large.
 */
import { CardElement, HoleElement, TraitElement } from "../pieces/pieces.js";
import { PlayerElement } from "../pieces/player_piece.js";
import { h } from "../shared/dom.js";
import { signedText, text } from "../shared/text.js";
import { playersSeen } from "./open_table.js";

/**
 * @typedef {{root: HTMLElement, player: PlayerElement, hand: HTMLElement,
 *   drawn: import("../shared/types.js").Face[] | undefined}} ReplaySeat  drawn: the cards that `hand` shows
 */

export class ReplayTable {
  #hole = new HoleElement();
  #facts = h("p", { class: "stage-facts" });
  #row = h("div", { class: "stage-seats" });
  /** @type {Map<number, ReplaySeat>} */
  #seats = new Map();

  /** @param {HTMLElement} root */
  constructor(root) {
    root.replaceChildren(
      h("div", { class: "stage-centre" }, h("div", { id: "hole" }, this.#hole), this.#facts), this.#row);
  }

  /**
   * @param {import("./open_table.js").OpenTable} open
   * @param {number[]} asked
   * @param {import("./open_table.js").Viewer} viewer
   */
  show(open, asked, viewer) {
    const { turn, phase, watering_hole, deck } = open.table;
    this.#hole.data = { tokens: watering_hole };
    this.#facts.replaceChildren(
      h("strong", { "data-turn": turn }, text("story.turn", { turn })),
      ` ${text(`replay.phase.${phase}`)} `,
      h("span", { "data-place": "deck", "data-deck": deck }, text("replay.deck", { count: deck })),
    );
    const players = playersSeen(open, viewer);
    const bySeat = players.map((player, at) => this.#seat(player, at + 1, asked, viewer));
    this.#lay(bySeat.sort((one, other) => Number(one.dataset.seat) - Number(other.dataset.seat)));
  }

  /**
   * @param {import("../shared/types.js").Player} player
   * @param {number} turnOrder
   * @param {number[]} asked
   * @param {import("./open_table.js").Viewer} viewer
   */
  #seat(player, turnOrder, asked, viewer) {
    const seat = this.#seats.get(player.seat) ?? this.#newSeat(player.seat);
    const own = viewer === player.seat;
    seat.player.data = {
      player,
      place: null,
      turnOrder,
      asked: asked.includes(player.seat) ? { seat: player.seat, seconds: null } : null,
      you: own,
    };
    seat.player.toggleAttribute("compact", !own);
    this.#drawHand(seat, player.hand, own);
    return seat.root;
  }

  /**
   * Draws the cards only if they are others: a hand is the same array from moment to moment until it changes.
   *
   * @param {ReplaySeat} seat
   * @param {import("../shared/types.js").Face[] | undefined} hand
   * @param {boolean} own
   */
  #drawHand(seat, hand, own) {
    if (seat.drawn === hand && seat.root.hasAttribute("data-own") === own) return;
    seat.drawn = hand;
    seat.root.toggleAttribute("data-own", own);
    seat.hand.hidden = !hand?.length;
    seat.hand.replaceChildren(...(hand ?? []).map(own ? largeCard : smallCard));
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
    const hand = h("ul", { class: "stage-hand", "data-hand": seat, "aria-label": text("replay.hand"), hidden: true });
    const root = h("div", { class: "stage-seat", "data-seat": seat }, player, hand);
    const made = { root, player, hand, drawn: undefined };
    this.#seats.set(seat, made);
    return made;
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
  return h("li", { class: "stage-card", "data-card": index }, trait, h("span", {}, signedText(food)));
}
