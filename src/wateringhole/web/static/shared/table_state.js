/**
 * The table as a page knows it, kept by applying events: a reducer without a DOM.
 *
 * Laws: pure, a state never changes. After the events of a message the state is exactly what a snapshot taken by the
 * server at that moment leads to. An event says what happened; nothing here decides what is legal. A board keeps its
 * letter as long as it lives, and no later board of that player gets it.
 *
 * @typedef {import("./types.js").Board} Board
 * @typedef {import("./messages.js").Event} Event
 * @typedef {{seat: number, boards: Board[], cards: number, lettered: number}} TablePlayer
 *   lettered: how many boards the player has had so far, each with a letter of its own
 * @typedef {{names: string[], turn: number, phase: "choose" | "feed" | "over", watering_hole: number, deck: number,
 *   players: TablePlayer[], me: import("./messages.js").OwnHand | null}} TableState  players: in turn order
 */

/** @type {import("./messages.js").Trait} */
const FAT_TISSUE = "fat-tissue";
/** A turn deals each player so many cards, and one more for each of its boards. */
const CARDS_PER_PLAYER = 3;

/**
 * The state that a snapshot shows. Its boards get their letters from its events.
 *
 * @param {import("./messages.js").Snapshot} snapshot
 * @returns {TableState}
 */
export function stateOf(snapshot) {
  const { names, turn, phase, watering_hole, deck, me } = snapshot;
  const told = snapshot.events.reduce(applyEvent, stateBefore(snapshot));
  const players = snapshot.players.map((player) => {
    const { boards, lettered } = /** @type {TablePlayer} */ (told.players.find(({ seat }) => seat === player.seat));
    return { ...player, lettered, boards: player.boards.map((board, at) => ({ ...board, letter: boards[at].letter })) };
  });
  return { names, turn, phase, watering_hole, deck, players, me };
}

/**
 * The state before the events of a snapshot: the empty table at which a game begins. Where the events begin later, as
 * in a lesson, each player has the boards that it must have had, and only their letters mean something.
 *
 * @param {import("./messages.js").Snapshot} snapshot
 * @returns {TableState}
 */
export function stateBefore({ names, players, events }) {
  const blank = names.map((_, at) => {
    const seat = at + 1;
    const now = players.find((player) => player.seat === seat)?.boards.length;
    const boards = now === undefined ? 0 : now - events.reduce((sum, event) => sum + boardsGained(event, seat), 0);
    return withNewBoards({ seat, boards: [], cards: 0, lettered: 0 }, Array.from({ length: boards }, () => []));
  });
  return { names, turn: 0, phase: "choose", watering_hole: 0, deck: 0, players: blank, me: null };
}

/** How many boards this event brings to this seat, or takes from it. @param {Event} event @param {number} seat */
function boardsGained(event, seat) {
  if (!("seat" in event) || event.seat !== seat) return 0;
  switch (event.type) {
    case "BoardGiven": return 1;
    case "Revealed": return event.boards.length;
    case "Extinct": return -1;
    default: return 0;
  }
}

/** The letter of a player's board: A is that of the first it ever had, AA follows Z. @param {number} number @returns {string} */
export function letterOf(number) {
  const last = String.fromCharCode("A".charCodeAt(0) + (number % 26));
  return number < 26 ? last : letterOf(Math.floor(number / 26) - 1) + last;
}

/**
 * The boards that a plan would leave, with the letters that they have or would get.
 *
 * @param {import("./types.js").Me} me
 * @param {import("./messages.js").Board[]} boards
 * @returns {Board[]}
 */
export function plannedBoards(me, boards) {
  return boards.map((board, at) => ({ ...board, letter: boardLetter(me, at) }));
}

/** The letter of an own board or, behind the last, of one that a plan adds. @param {import("./types.js").Me} me @param {number} at */
export function boardLetter({ boards, lettered }, at) {
  return boards[at]?.letter ?? letterOf(lettered + at - boards.length);
}

/**
 * The state with the hand and the bag that a message brings along, if they have changed.
 *
 * @param {TableState} state
 * @param {import("./messages.js").EventsTold} told
 * @returns {TableState}
 */
export function withOwnHand(state, { hand, bag }) {
  if (!state.me) return state;
  return { ...state, me: { ...state.me, hand: hand ?? state.me.hand, bag: bag ?? state.me.bag } };
}

/**
 * All that lies before the own seat; null for a spectator, and once the seat is out.
 *
 * @param {TableState} state
 * @returns {import("./types.js").Me | null}
 */
export function ownSide({ players, me }) {
  const own = players.find((player) => player.seat === me?.seat);
  return me && own ? { ...me, boards: own.boards, lettered: own.lettered } : null;
}

/**
 * The state after this event.
 *
 * @param {TableState} state
 * @param {Event} event
 * @returns {TableState}
 */
export function applyEvent(state, event) {
  switch (event.type) {
    case "TurnStarted": return turnStarted(state, event);
    case "BoardGiven": return withPlayer(state, event.seat, (player) => withNewBoards(player, [[]]));
    case "CardsDealt": return withCards(state, event.seat, event.cards);
    case "Revealed": return revealed(state, event);
    case "Bred": return withBoard(state, event, () => ({ population: event.population }));
    case "FatMoved": return withBoard(state, event, ({ food, fat_food }) =>
      ({ food: food + event.tokens, fat_food: fat_food - event.tokens }));
    case "FatStored": return fromHole(withBoard(state, event, ({ fat_food }) =>
      ({ fat_food: fat_food + event.tokens })), event.tokens);
    case "Ate": return fromHole(withBoard(state, event, ({ food }) => ({ food: food + event.tokens })), event.tokens);
    case "AnimalLost":
    case "Starved": return withBoard(state, event, ({ food }) =>
      ({ population: event.population, food: Math.min(food, event.population) }));
    case "Extinct": return extinct(state, event);
    case "TurnEnded": return turnEnded(state);
    case "Expelled": return expelled(state, event.seat);
    case "GameOver": return { ...state, phase: "over" };
    case "Attacked":
    case "Declined":
    case "OutOfOptions": return state;
  }
}

/**
 * Whether no turn can follow the one that is played. Once its cards are dealt that is settled: a new board makes the next
 * deal larger, and a board that dies out takes more cards from the deck than it saves. Only an expulsion may change it.
 *
 * @param {TableState} state
 */
export function isLastTurn({ turn, deck, players }) {
  return turn > 0 && deck < cardsOfDeal(players);
}

/** Whether a turn that begins with this deck is the last one. @param {number} deck @param {TablePlayer[]} players */
export function beginsLastTurn(deck, players) {
  return deck < 2 * cardsOfDeal(players);
}

/** How many cards the start of a turn takes: a player without a board gets one. @param {TablePlayer[]} players */
function cardsOfDeal(players) {
  return players.reduce((sum, { boards }) => sum + CARDS_PER_PLAYER + Math.max(1, boards.length), 0);
}

/** @param {TableState} state @param {import("./messages.js").TurnStarted} event @returns {TableState} */
function turnStarted(state, { turn, order, watering_hole, deck }) {
  const players = [...state.players].sort((one, other) => order.indexOf(one.seat) - order.indexOf(other.seat));
  return { ...state, turn, phase: "choose", watering_hole, deck, players };
}

/**
 * New boards first, then replacements, then growth: that is their order in the rules. Each used card leaves the hand.
 *
 * @param {TableState} state
 * @param {import("./messages.js").Revealed} event
 * @returns {TableState}
 */
function revealed(state, { seat, watering_hole, boards: added, replaced, population, body }) {
  const paid = 1 + added.flat().length + added.length + replaced.length + population.length + body.length;
  const founded = withPlayer({ ...state, phase: "feed", watering_hole }, seat, (player) => withNewBoards(player, added));
  const grown = withBoards(founded, seat, (old) => {
    const boards = [...old];
    for (const [at, slot, trait] of replaced) {
      const traits = [...boards[at].traits];
      // The fat lies on the card that goes.
      const fat_food = traits[slot] === FAT_TISSUE ? 0 : boards[at].fat_food;
      traits[slot] = trait;
      boards[at] = { ...boards[at], fat_food, traits };
    }
    for (const at of population) boards[at] = { ...boards[at], population: boards[at].population + 1 };
    for (const at of body) boards[at] = { ...boards[at], body: boards[at].body + 1 };
    return boards;
  });
  return withPlayer(grown, seat, (player) => ({ cards: player.cards - paid }));
}

/** @param {TableState} state @param {import("./messages.js").Extinct} event @returns {TableState} */
function extinct(state, { seat, board, cards }) {
  return withCards(withBoards(state, seat, (boards) => boards.filter((_, at) => at !== board)), seat, cards);
}

/** The food goes to the bags, and the first player to the end of the order. @param {TableState} state @returns {TableState} */
function turnEnded(state) {
  const [first, ...others] = state.players.map((player) =>
    ({ ...player, boards: player.boards.map((board) => ({ ...board, food: 0 })) }));
  return { ...state, players: first ? [...others, first] : [] };
}

/** @param {TableState} state @param {number} seat @returns {TableState} */
function expelled(state, seat) {
  const me = state.me?.seat === seat ? null : state.me;
  return { ...state, me, players: state.players.filter((player) => player.seat !== seat) };
}

/** @param {TablePlayer} player @param {import("./messages.js").Trait[][]} added  the traits of each @returns {TablePlayer} */
function withNewBoards(player, added) {
  const boards = added.map((traits, at) =>
    ({ population: 1, body: 0, food: 0, fat_food: 0, traits, letter: letterOf(player.lettered + at) }));
  return { ...player, boards: [...player.boards, ...boards], lettered: player.lettered + added.length };
}

/** @param {TableState} state @param {number} tokens @returns {TableState} */
function fromHole(state, tokens) {
  return { ...state, watering_hole: state.watering_hole - tokens };
}

/** This seat gets cards from the deck. @param {TableState} state @param {number} seat @param {number} cards @returns {TableState} */
function withCards(state, seat, cards) {
  const dealt = withPlayer(state, seat, (player) => ({ cards: player.cards + cards }));
  return { ...dealt, deck: state.deck - cards };
}

/**
 * @param {TableState} state
 * @param {{seat: number, board: number}} where
 * @param {(board: Board) => Partial<Board>} change
 * @returns {TableState}
 */
function withBoard(state, { seat, board: at }, change) {
  return withBoards(state, seat, (boards) => boards.map((board, index) =>
    index === at ? { ...board, ...change(board) } : board));
}

/**
 * @param {TableState} state
 * @param {number} seat
 * @param {(boards: Board[]) => Board[]} change
 * @returns {TableState}
 */
function withBoards(state, seat, change) {
  return withPlayer(state, seat, ({ boards }) => ({ boards: change(boards) }));
}

/**
 * @param {TableState} state
 * @param {number} seat
 * @param {(player: TablePlayer) => Partial<TablePlayer>} change
 * @returns {TableState}
 */
function withPlayer(state, seat, change) {
  return { ...state, players: state.players.map((player) =>
    player.seat === seat ? { ...player, ...change(player) } : player) };
}
