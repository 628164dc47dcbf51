/**
 * The table as a page knows it, kept by applying events: a reducer without a DOM.
 *
 * Laws: pure, a state never changes. After the events of a message the state is exactly what a snapshot taken by the
 * server at that moment leads to. An event says what happened; nothing here decides what is legal.
 *
 * @typedef {import("./messages.js").Board} Board
 * @typedef {import("./messages.js").Event} Event
 * @typedef {import("./messages.js").Them} Them
 * @typedef {{names: string[], turn: number, phase: "choose" | "feed" | "over", watering_hole: number, deck: number,
 *   players: Them[], me: import("./messages.js").OwnHand | null}} TableState  players: in turn order
 */

/** @type {import("./messages.js").Trait} */
const FAT_TISSUE = "fat-tissue";

/** The state that a snapshot shows. @param {import("./messages.js").Snapshot} snapshot @returns {TableState} */
export function stateOf({ names, turn, phase, watering_hole, deck, players, me }) {
  return { names, turn, phase, watering_hole, deck, players, me };
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
  const boards = players.find((player) => player.seat === me?.seat)?.boards;
  return me && boards ? { ...me, boards } : null;
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
    case "BoardGiven": return withBoards(state, event.seat, (boards) => [...boards, newBoard([])]);
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
  const grown = withBoards({ ...state, phase: "feed", watering_hole }, seat, (old) => {
    const boards = [...old, ...added.map(newBoard)];
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

/** @param {import("./messages.js").Trait[]} traits @returns {Board} */
function newBoard(traits) {
  return { population: 1, body: 0, food: 0, fat_food: 0, traits };
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
 * @param {(player: Them) => Partial<Them>} change
 * @returns {TableState}
 */
function withPlayer(state, seat, change) {
  return { ...state, players: state.players.map((player) =>
    player.seat === seat ? { ...player, ...change(player) } : player) };
}
