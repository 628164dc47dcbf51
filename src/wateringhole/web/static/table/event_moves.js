/**
 * What moves when an event happens: pieces, each from a place to a place. Nothing of the page.
 *
 * A place is a name: `hole`, `deck`, `table`, `away`, `hand:SEAT`, `bag:SEAT`, `player:SEAT`, `board:SEAT:LETTER`,
 * `fat:SEAT:LETTER`, `trait:SEAT:LETTER:NUMBER`. `motions.js` finds its element, before and after the event is drawn.
 *
 * @typedef {import("../shared/table_state.js").TablePlayer} EventPlayer
 * @typedef {import("../shared/types.js").Face} EventFace
 * @typedef {import("../shared/types.js").Trait} EventTrait
 * @typedef {import("../shared/messages.js").Standing} EventStanding
 * @typedef {import("../shared/messages.js").Event} GameEvent
 *
 * @typedef {"token" | "drop" | "animal" | "card" | "cards"} FlyingKind
 * @typedef {{piece: FlyingKind, from: string, to: string, count: number}} Flight
 * @typedef {{piece: "food-card", from: string, to: string, face: EventFace}} FoodCard  turns over on its way
 * @typedef {{piece: "trait", from: string, to: string, trait: EventTrait}} TraitFlight
 * @typedef {{piece: "hunter", from: string, to: string}} Hunt  the piece runs there and back, and the target shakes
 * @typedef {{piece: "new", from: string, to: string}} Arrival  what is new at `to` comes from `from`
 * @typedef {{piece: "slide", from: string, to: string}} Slide  what is at this place goes to where it is afterwards
 * @typedef {{piece: "gone", from: string, to: string, text: string}} Fall  what stood at `from` falls away
 * @typedef {{piece: "sign", from: string, to: string, text: string, bad?: boolean, trait?: EventTrait}} Sign
 * @typedef {{piece: "banner", from: string, to: string, text: string}} Banner
 * @typedef {{piece: "ranking", from: string, to: string, ranking: EventStanding[]}} Ranking
 * @typedef {Flight | FoodCard | TraitFlight | Hunt | Arrival | Slide | Fall | Sign | Banner | Ranking} Move
 *
 * @typedef {{players: EventPlayer[], prey: string | null}} Before  before the event; prey: the place of the last prey
 */

import { beginsLastTurn, letterOf } from "../shared/table_state.js";
import { text } from "../shared/text.js";

/** The meals that a trait gives, which is shown with them. @type {Record<string, EventTrait>} */
const TRAIT_OF_MEAL = {
  "reveal.long-neck": "long-neck", "meal.scavenger": "scavenger", "meal.cooperation": "cooperation",
  "attack.course": "carnivore",
};
const COOPERATION = "meal.cooperation";
const HORNS = "attack.horns";

/**
 * All that moves when this event happens.
 *
 * @param {GameEvent} event
 * @param {Before} before
 * @returns {Move[]}
 */
export function movesOf(event, before) {
  switch (event.type) {
    case "TurnStarted": return [{ piece: "banner", from: "table", to: "table", text: turnWords(event, before) }];
    case "BoardGiven": return [arrival(playerAt(before, event.seat), 0)];
    case "CardsDealt": return dealt(event.seat, event.cards);
    case "Revealed": return revealed(event, playerAt(before, event.seat));
    case "Bred": return [sign(boardPlace(before, event), "+1", { trait: "fertile" })];
    case "FatMoved": return [flight("drop", boardPlace(before, event, "fat"), boardPlace(before, event), event.tokens)];
    case "FatStored": return [flight("drop", "hole", boardPlace(before, event, "fat"), event.tokens)];
    case "Ate": return meal(event, before);
    case "Attacked": return [{ piece: "hunter", from: boardPlace(before, event), to: preyPlace(event, before) }];
    case "AnimalLost": return animalLost(event, before);
    case "Starved": return starved(event, before);
    case "Extinct": return extinct(event, before);
    case "Declined": return [sign(`player:${event.seat}`, text("motion.declined"), {})];
    case "OutOfOptions": return [sign(`player:${event.seat}`, text("motion.out_of_options"), {})];
    case "TurnEnded": return [sign("hole", text("motion.turn_ends", { turn: event.turn }), {}), ...before.players.flatMap(bagged)];
    case "Expelled": return [{ piece: "gone", from: `player:${event.seat}`, to: "away", text: text("motion.expelled") }];
    case "GameOver": return [{ piece: "ranking", from: "table", to: "table", ranking: event.ranking }];
  }
}

/** @param {Extract<GameEvent, {type: "TurnStarted"}>} event @param {Before} before */
function turnWords({ turn, deck }, { players }) {
  return beginsLastTurn(deck, players) ? text("motion.turn.last") : text("motion.turn", { turn });
}

/** The place of the board that is attacked. @param {Extract<GameEvent, {type: "Attacked"}>} event @param {Before} before */
export function preyPlace({ target_seat: seat, target: board }, before) {
  return boardPlace(before, { seat, board });
}

/** @param {Before} before @param {number} seat @returns {EventPlayer} */
function playerAt({ players }, seat) {
  return players.find((player) => player.seat === seat) ?? { seat, boards: [], cards: 0, lettered: 0 };
}

/** @param {Before} before @param {{seat: number, board: number}} event @param {string} [kind]  of the place */
function boardPlace(before, { seat, board }, kind = "board") {
  return `${kind}:${seat}:${playerAt(before, seat).boards[board]?.letter ?? ""}`;
}

/** @param {FlyingKind} piece @param {string} from @param {string} to @param {number} count @returns {Flight} */
function flight(piece, from, to, count) {
  return { piece, from, to, count };
}

/** @param {string} at @param {string} words @param {{bad?: boolean, trait?: EventTrait}} more @returns {Sign} */
function sign(at, words, more) {
  return { piece: "sign", from: at, to: at, text: words, ...more };
}

/** A board that this player gets, after so many others. @param {EventPlayer} player @param {number} after @returns {Arrival} */
function arrival({ seat, lettered }, after) {
  return { piece: "new", from: `hand:${seat}`, to: `board:${seat}:${letterOf(lettered + after)}` };
}

/** @param {number} seat @param {number} cards @returns {Move[]} */
function dealt(seat, cards) {
  if (cards === 0) return [];
  return [flight("cards", "deck", `hand:${seat}`, cards), sign(`hand:${seat}`, `+${cards}`, {})];
}

/** @param {Extract<GameEvent, {type: "Revealed"}>} event @param {EventPlayer} player @returns {Move[]} */
function revealed({ seat, food, boards: added, replaced, population, body }, player) {
  const hand = `hand:${seat}`;
  const letters = [...player.boards.map(({ letter }) => letter), ...added.map((_, at) => letterOf(player.lettered + at))];
  const board = (/** @type {number} */ at) => `${seat}:${letters[at]}`;
  return [
    { piece: "food-card", from: hand, to: "hole", face: food },
    ...added.map((_, at) => arrival(player, at)),
    ...replaced.map(([at, slot, trait]) =>
      /** @type {TraitFlight} */ ({ piece: "trait", from: hand, to: `trait:${board(at)}:${slot}`, trait })),
    ...population.flatMap((at) => grown(hand, `board:${board(at)}`, "+1")),
    ...body.flatMap((at) => grown(hand, `board:${board(at)}`, text("motion.body"))),
  ];
}

/** @param {string} hand @param {string} board @param {string} words @returns {Move[]} */
function grown(hand, board, words) {
  return [flight("card", hand, board, 1), sign(board, words, {})];
}

/** @param {Extract<GameEvent, {type: "Ate"}>} event @param {Before} before @returns {Move[]} */
function meal(event, before) {
  const to = boardPlace(before, event);
  const from = event.rule === COOPERATION ? boardPlace(before, { seat: event.seat, board: event.board - 1 }) : "hole";
  const trait = TRAIT_OF_MEAL[event.rule];
  return [flight("token", from, to, event.tokens), ...trait ? [sign(to, `+${event.tokens}`, { trait })] : []];
}

/** @param {Extract<GameEvent, {type: "AnimalLost"}>} event @param {Before} before @returns {Move[]} */
function animalLost(event, before) {
  const board = boardPlace(before, event);
  const lost = sign(board, "\u22121", { bad: true });
  if (event.rule !== HORNS || before.prey === null) return [flight("animal", board, "away", 1), lost];
  return [{ piece: "trait", from: before.prey, to: board, trait: "horns" }, { ...lost, trait: "horns" }];
}

/** @param {Extract<GameEvent, {type: "Starved"}>} event @param {Before} before @returns {Move[]} */
function starved(event, before) {
  const at = boardPlace(before, event);
  const lost = (playerAt(before, event.seat).boards[event.board]?.population ?? 0) - event.population;
  if (lost <= 0) return [];
  return [flight("animal", at, "away", lost), sign(at, text("motion.starved", { count: lost }), { bad: true })];
}

/** @param {Extract<GameEvent, {type: "Extinct"}>} event @param {Before} before @returns {Move[]} */
function extinct({ seat, board, cards }, before) {
  const others = playerAt(before, seat).boards.slice(board + 1).map(({ letter }) => `board:${seat}:${letter}`);
  return [
    { piece: "gone", from: boardPlace(before, { seat, board }), to: "away", text: text("motion.extinct") },
    ...others.map((place) => /** @type {Slide} */ ({ piece: "slide", from: place, to: place })),
    ...dealt(seat, cards),
  ];
}

/** @param {EventPlayer} player @returns {Move[]} */
function bagged({ seat, boards }) {
  const flights = boards.flatMap(({ food, letter }) =>
    food ? [flight("token", `board:${seat}:${letter}`, `bag:${seat}`, food)] : []);
  const tokens = boards.reduce((sum, { food }) => sum + food, 0);
  return tokens ? [...flights, sign(`bag:${seat}`, `+${tokens}`, {})] : [];
}
