/**
 * The table of a finished game with all hands and bags, after each event: a reducer without a DOM.
 *
 * Laws: pure, a table never changes. What lies open is kept by `applyEvent`, as at a table; hands and bags follow from
 * the deck, the replies and the events. Tables share what did not change, so any moment of a game is there at once.
 *
 * @typedef {import("../shared/messages.js").Face} OpenFace
 * @typedef {import("../shared/messages.js").Replay} ReplayedGame
 * @typedef {import("../shared/messages.js").CardPlay} PlayedCards
 * @typedef {{table: import("../shared/table_state.js").TableState, hands: Record<number, OpenFace[]>,
 *   bags: Record<number, number>, plays: Record<number, PlayedCards>, dealt: number}} OpenTable
 *   all by seat; plays: the last of each seat; dealt: how many cards of the deck are gone
 * @typedef {"all" | "public" | number} Viewer  who looks: everything, what all players saw, or what this seat saw
 */

import { applyEvent, stateOf } from "../shared/table_state.js";

/**
 * For each step the tables on the way: first as its reply finds it, then after each of its events.
 *
 * @param {ReplayedGame} game
 * @returns {OpenTable[][]}
 */
export function momentsOf(game) {
  let now = emptyTable(game);
  return game.steps.map(({ reply, events }) => {
    const moments = [withReply(now, reply)];
    for (const event of events) moments.push(withEvent(moments[moments.length - 1], event, game.deck));
    now = moments[moments.length - 1];
    return moments;
  });
}

/** The table before the first event. @param {ReplayedGame} game @returns {OpenTable} */
function emptyTable({ names, watering_hole, deck }) {
  const seats = names.map((_, at) => at + 1);
  const players = seats.map((seat) => ({ seat, boards: [], cards: 0 }));
  const table = stateOf({ type: "snapshot", names, turn: 0, phase: "choose", watering_hole, deck: deck.length, players,
    me: null, events: [] });
  return { table, hands: {}, bags: Object.fromEntries(seats.map((seat) => [seat, 0])), plays: {}, dealt: 0 };
}

/** @param {OpenTable} open @param {import("../shared/messages.js").ReplayReply | null} reply @returns {OpenTable} */
function withReply(open, reply) {
  if (reply?.move.move !== "play") return open;
  return { ...open, plays: { ...open.plays, [reply.seat]: reply.move } };
}

/**
 * @param {OpenTable} open
 * @param {import("../shared/messages.js").Event} event
 * @param {OpenFace[]} deck
 * @returns {OpenTable}
 */
function withEvent(open, event, deck) {
  const next = { ...open, table: applyEvent(open.table, event) };
  switch (event.type) {
    case "CardsDealt":
    case "Extinct": return dealt(next, event.seat, event.cards, deck);
    case "Revealed": return revealed(next, event.seat);
    case "TurnEnded": return { ...next, bags: filledBags(open) };
    default: return next;
  }
}

/**
 * New cards come in front of the hand.
 *
 * @param {OpenTable} open
 * @param {number} seat
 * @param {number} cards
 * @param {OpenFace[]} deck
 * @returns {OpenTable}
 */
function dealt(open, seat, cards, deck) {
  const gone = open.dealt + cards;
  const hand = [...deck.slice(open.dealt, gone), ...open.hands[seat] ?? []];
  return { ...open, dealt: gone, hands: { ...open.hands, [seat]: hand } };
}

/** The cards of the play leave the hand. @param {OpenTable} open @param {number} seat @returns {OpenTable} */
function revealed(open, seat) {
  const used = new Set(cardsUsed(open.plays[seat]));
  return { ...open, hands: { ...open.hands, [seat]: open.hands[seat].filter((_, card) => !used.has(card)) } };
}

/** The number of every card that a play uses. @param {PlayedCards} play @returns {number[]} */
function cardsUsed({ food, population = [], body = [], boards = [], traits = [] }) {
  return [food, ...[...population, ...body, ...traits].map(({ card }) => card),
    ...boards.flatMap((board) => [board.pay, ...board.traits ?? []])];
}

/** What the boards have eaten goes to the bags. @param {OpenTable} open @returns {Record<number, number>} */
function filledBags({ table, bags }) {
  return { ...bags, ...Object.fromEntries(table.players.map(({ seat, boards }) =>
    [seat, boards.reduce((sum, { food }) => sum + food, bags[seat])])) };
}

/**
 * The players in the order of the turn as this viewer sees them: hands and bags are for everything and for the seat
 * itself.
 *
 * @param {OpenTable} open
 * @param {Viewer} viewer
 * @returns {import("../shared/types.js").Player[]}
 */
export function playersSeen({ table, hands, bags }, viewer) {
  return table.players.map((player) => {
    const shown = { ...player, name: table.names[player.seat - 1] };
    const open = viewer === "all" || viewer === player.seat;
    return open ? { ...shown, hand: hands[player.seat] ?? [], bag: bags[player.seat] } : shown;
  });
}

/**
 * The step with which each turn begins.
 *
 * @param {OpenTable[][]} moments
 * @returns {{turn: number, step: number}[]}
 */
export function turnStarts(moments) {
  const turns = moments.map((tables) => tables[tables.length - 1].table.turn);
  return turns.flatMap((turn, step) => (turn !== turns[step - 1] ? [{ turn, step }] : []));
}
