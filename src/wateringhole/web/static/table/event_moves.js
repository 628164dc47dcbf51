/**
 * What moves when an event happens: pieces, each from a place to a place. Nothing of the page.
 *
 * A place is a name: `hole`, `deck`, `table`, `away`, `hand:SEAT`, `bag:SEAT`, `player:SEAT`, `board:SEAT:INDEX`,
 * `fat:SEAT:INDEX`, `slot:SEAT:INDEX:SLOT`. `motions.js` finds its element.
 *
 * @typedef {import("../shared/types.js").Board} EventBoard
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
 * @typedef {{piece: "slide", from: string, to: string}} Slide  what stood at `from` now stands at `to`
 * @typedef {{piece: "gone", from: string, to: string}} Fall  what stood at `from` falls away
 * @typedef {{piece: "sign", from: string, to: string, text: string, bad?: boolean, trait?: EventTrait}} Sign
 * @typedef {{piece: "banner", from: string, to: string, text: string}} Banner
 * @typedef {{piece: "ranking", from: string, to: string, ranking: EventStanding[]}} Ranking
 * @typedef {Flight | FoodCard | TraitFlight | Hunt | Arrival | Slide | Fall | Sign | Banner | Ranking} Move
 *
 * @typedef {{boards: (seat: number) => EventBoard[], seats: () => number[],
 *   attack: Extract<GameEvent, {type: "Attacked"}> | null}} Before  the table before the event, and the last attack
 */

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
    case "TurnStarted": return [{ piece: "banner", from: "table", to: "table", text: `Turn ${event.turn}` }];
    case "BoardGiven": return [arrival(event.seat, before.boards(event.seat).length)];
    case "CardsDealt": return dealt(event.seat, event.cards);
    case "Revealed": return revealed(event, before.boards(event.seat).length);
    case "Bred": return [sign(`board:${event.seat}:${event.board}`, "+1", { trait: "fertile" })];
    case "FatMoved": return [flight("drop", `fat:${place(event)}`, `board:${place(event)}`, event.tokens)];
    case "FatStored": return [flight("drop", "hole", `fat:${place(event)}`, event.tokens)];
    case "Ate": return meal(event);
    case "Attacked":
      return [{ piece: "hunter", from: `board:${place(event)}`, to: `board:${event.target_seat}:${event.target}` }];
    case "AnimalLost": return animalLost(event, before.attack);
    case "Starved": return starved(event, before.boards(event.seat)[event.board]);
    case "Extinct": return extinct(event, before.boards(event.seat).length);
    case "Declined": return [sign(`player:${event.seat}`, "feeds no more", {})];
    case "OutOfOptions": return [sign(`player:${event.seat}`, "can feed no more", {})];
    case "TurnEnded":
      return [sign("hole", `turn ${event.turn} ends`, {}),
        ...before.seats().flatMap((seat) => bagged(seat, before.boards(seat)))];
    case "Expelled":
      return [{ piece: "gone", from: `player:${event.seat}`, to: "away" },
        sign(`player:${event.seat}`, "expelled", { bad: true })];
    case "GameOver": return [{ piece: "ranking", from: "table", to: "table", ranking: event.ranking }];
  }
}

/** @param {{seat: number, board: number}} event */
function place({ seat, board }) {
  return `${seat}:${board}`;
}

/** @param {FlyingKind} piece @param {string} from @param {string} to @param {number} count @returns {Flight} */
function flight(piece, from, to, count) {
  return { piece, from, to, count };
}

/** @param {string} at @param {string} text @param {{bad?: boolean, trait?: EventTrait}} more @returns {Sign} */
function sign(at, text, more) {
  return { piece: "sign", from: at, to: at, text, ...more };
}

/** @param {number} seat @param {number} index @returns {Arrival} */
function arrival(seat, index) {
  return { piece: "new", from: `hand:${seat}`, to: `board:${seat}:${index}` };
}

/** @param {number} seat @param {number} cards @returns {Move[]} */
function dealt(seat, cards) {
  if (cards === 0) return [];
  return [flight("cards", "deck", `hand:${seat}`, cards), sign(`hand:${seat}`, `+${cards}`, {})];
}

/** @param {Extract<GameEvent, {type: "Revealed"}>} event @param {number} boards  how many there were @returns {Move[]} */
function revealed({ seat, food, boards: added, replaced, population, body }, boards) {
  const hand = `hand:${seat}`;
  return [
    { piece: "food-card", from: hand, to: "hole", face: food },
    ...added.map((_, at) => arrival(seat, boards + at)),
    ...replaced.map(([board, slot, trait]) =>
      /** @type {TraitFlight} */ ({ piece: "trait", from: hand, to: `slot:${seat}:${board}:${slot}`, trait })),
    ...population.flatMap((board) => grown(hand, `board:${seat}:${board}`, "+1")),
    ...body.flatMap((board) => grown(hand, `board:${seat}:${board}`, "+1 body")),
  ];
}

/** @param {string} hand @param {string} board @param {string} text @returns {Move[]} */
function grown(hand, board, text) {
  return [flight("card", hand, board, 1), sign(board, text, {})];
}

/** @param {Extract<GameEvent, {type: "Ate"}>} event @returns {Move[]} */
function meal(event) {
  const to = `board:${place(event)}`;
  const from = event.rule === COOPERATION ? `board:${event.seat}:${event.board - 1}` : "hole";
  const trait = TRAIT_OF_MEAL[event.rule];
  return [flight("token", from, to, event.tokens), ...trait ? [sign(to, `+${event.tokens}`, { trait })] : []];
}

/** @param {Extract<GameEvent, {type: "AnimalLost"}>} event @param {Before["attack"]} attack @returns {Move[]} */
function animalLost(event, attack) {
  const board = `board:${place(event)}`;
  const lost = sign(board, "\u22121", { bad: true });
  if (event.rule !== HORNS || !attack) return [flight("animal", board, "away", 1), lost];
  const prey = `board:${attack.target_seat}:${attack.target}`;
  return [{ piece: "trait", from: prey, to: board, trait: "horns" }, { ...lost, trait: "horns" }];
}

/** @param {Extract<GameEvent, {type: "Starved"}>} event @param {EventBoard | undefined} board @returns {Move[]} */
function starved(event, board) {
  const at = `board:${place(event)}`;
  const lost = (board?.population ?? event.population) - event.population;
  if (lost <= 0) return [];
  return [flight("animal", at, "away", lost), sign(at, `\u2212${lost} starved`, { bad: true })];
}

/** @param {Extract<GameEvent, {type: "Extinct"}>} event @param {number} boards @returns {Move[]} */
function extinct({ seat, board, cards }, boards) {
  const later = Array.from({ length: Math.max(0, boards - board - 1) }, (_, at) => board + at);
  return [
    { piece: "gone", from: `board:${seat}:${board}`, to: "away" },
    ...later.map((index) =>
      /** @type {Slide} */ ({ piece: "slide", from: `board:${seat}:${index + 1}`, to: `board:${seat}:${index}` })),
    ...dealt(seat, cards),
  ];
}

/** @param {number} seat @param {EventBoard[]} boards @returns {Move[]} */
function bagged(seat, boards) {
  const flights = boards.flatMap(({ food }, index) =>
    food ? [flight("token", `board:${seat}:${index}`, `bag:${seat}`, food)] : []);
  const tokens = boards.reduce((sum, { food }) => sum + food, 0);
  return tokens ? [...flights, sign(`bag:${seat}`, `+${tokens}`, {})] : [];
}
