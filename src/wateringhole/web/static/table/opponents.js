/**
 * The opponents around the table, and the watering hole between them.
 *
 * Laws: draws what the server says. The pieces are kept from message to message, so that only what changed is drawn.
 */

import { piece } from "../pieces/pieces.js";
import { PlayerElement, fact } from "../pieces/player_piece.js";
import { h, renew } from "../shared/dom.js";
import { glyphButton } from "../shared/glyphs.js";
import { numberText, text } from "../shared/text.js";

/** So long the host waits for a seat before the page offers a bot for it. */
const PATIENCE = 45_000;

/** More than so many others sit in rows, with the watering hole among them. */
const MAX_AROUND = 4;

export class Opponents {
  /** @type {Map<number, PlayerElement>} */
  #players = new Map();
  /** @type {Map<number, number>} */
  #askedSince = new Map();
  #hole = /** @type {import("../pieces/pieces.js").HoleElement} */ (piece("wh-hole", { tokens: 0 }));
  #arranged = "";
  /** @type {import("../shared/table_state.js").TableState | null} */
  #table = null;
  /** @type {import("../shared/types.js").RoomMessage | null} */
  #room = null;

  /**
   * @param {{left: HTMLElement, top: HTMLElement, right: HTMLElement, hole: HTMLElement, facts: HTMLElement}} places
   * @param {(seat: number) => void} standIn
   */
  constructor(places, standIn) {
    this.places = places;
    this.standIn = standIn;
    places.hole.append(this.#hole);
    setInterval(() => this.#offerBots(), 5000);
  }

  /**
   * @param {import("../shared/table_state.js").TableState} table
   * @param {import("../shared/types.js").RoomMessage} room
   * @param {import("../shared/types.js").Awaited[]} asked
   */
  draw(table, room, asked) {
    this.#table = table;
    this.#room = room;
    this.#hole.data = { tokens: table.watering_hole };
    this.#drawFacts(table);
    const others = othersAround(table.players, room.you);
    for (const player of others) this.#drawPlayer(player, table, room, asked);
    this.#arrange(others.map((player) => player.seat));
    for (const { seat, boards } of others) {
      this.#players.get(seat)?.parentElement?.toggleAttribute("data-one-board", boards.length === 1);
    }
    this.#remember(asked);
    this.#offerBots();
  }

  /** The header stays in sight where the watering hole does not. @param {import("../shared/table_state.js").TableState} table */
  #drawFacts({ watering_hole: count, turn, deck }) {
    renew(this.places.facts, [
      fact("food", numberText(count), text("table.hole", { tokens: text("tokens", { count }) })),
      h("span", {}, text("table.facts", { turn, cards: text("cards", { count: deck }) })),
    ]);
  }

  /** @param {number} seat @param {number} index */
  boardAt(seat, index) {
    return this.#players.get(seat)?.boardAt(index) ?? null;
  }

  /** The owner and the letter of a board, for sentences. @param {number} seat @param {number} index */
  boardWords(seat, index) {
    const player = this.#players.get(seat)?.data.player;
    const letter = player?.boards[index]?.letter;
    return player && letter !== undefined ? { name: player.name, letter } : null;
  }

  /** Every board of the others. @returns {NodeListOf<HTMLElement>[]} */
  boards() {
    return [...this.#players.values()].map((player) => player.querySelectorAll("wh-board"));
  }

  /**
   * @param {import("../shared/table_state.js").TablePlayer} player
   * @param {import("../shared/table_state.js").TableState} table
   * @param {import("../shared/types.js").RoomMessage} room
   * @param {import("../shared/types.js").Awaited[]} asked
   */
  #drawPlayer(player, table, room, asked) {
    let element = this.#players.get(player.seat);
    if (!element) {
      element = new PlayerElement();
      element.setAttribute("compact", "");
      this.#players.set(player.seat, element);
    }
    element.data = {
      player: { ...player, name: table.names[player.seat - 1] },
      place: room.places.find((place) => place.seat === player.seat) ?? null,
      turnOrder: table.players.indexOf(player) + 1,
      asked: asked.find(({ seat }) => seat === player.seat) ?? null,
      you: false,
    };
  }

  /** Half of them sit left, half right, one of an odd number on the far side. @param {number[]} seats */
  #arrange(seats) {
    if (this.#arranged === seats.join()) return;
    this.#arranged = seats.join();
    this.places.hole.closest("#game")?.toggleAttribute("data-crowded", seats.length > MAX_AROUND);
    const half = Math.floor(seats.length / 2);
    const [left, top, right] = [seats.slice(0, half), seats.slice(half, seats.length - half), seats.slice(-half)];
    for (const [side, there] of Object.entries({ left, top, right })) {
      const wrapped = there.map((seat) => h("div", { class: "seat" }, this.#players.get(seat)));
      this.places[/** @type {"left" | "top" | "right"} */ (side)].replaceChildren(...wrapped);
    }
  }

  /** @param {import("../shared/types.js").Awaited[]} asked */
  #remember(asked) {
    const seats = asked.map(({ seat }) => seat);
    for (const seat of this.#askedSince.keys()) if (!seats.includes(seat)) this.#askedSince.delete(seat);
    for (const seat of seats) if (!this.#askedSince.has(seat)) this.#askedSince.set(seat, Date.now());
  }

  /** The host may let a bot play for who is away or takes long. */
  #offerBots() {
    for (const [seat, element] of this.#players) {
      const place = this.#room?.places.find((one) => one.seat === seat);
      const since = this.#askedSince.get(seat);
      const slow = since !== undefined && Date.now() - since > PATIENCE;
      const absent = place?.presence === "away" || (place?.presence === "here" && place.kind !== "bot" && slow);
      const wanted = Boolean(this.#room?.host && this.#table?.phase !== "over" && absent);
      const there = element.parentElement?.querySelector(".stand-in");
      if (!wanted) there?.remove();
      else if (!there) {
        const attributes = { class: "stand-in small", "data-stand-in": seat, onclick: () => this.standIn(seat) };
        element.after(glyphButton("bot", text("seat.let-bot-play"), attributes));
      }
    }
  }
}

/**
 * The others as they sit around the table, from the one after this seat on; all of them for who only watches.
 *
 * @param {import("../shared/table_state.js").TablePlayer[]} players
 * @param {number | null} you
 */
function othersAround(players, you) {
  const bySeat = [...players].sort((one, other) => one.seat - other.seat);
  const at = bySeat.findIndex((player) => player.seat === you);
  return at < 0 ? bySeat.filter((player) => player.seat !== you) : [...bySeat.slice(at + 1), ...bySeat.slice(0, at)];
}
