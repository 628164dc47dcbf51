/** The letters of boards: they stay, and a page that comes late finds the same ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  applyEvent, letterOf, ownSide, plannedBoards, stateBefore, stateOf,
} from "../../../src/wateringhole/web/static/shared/table_state.js";

const BOARD = { population: 1, body: 0, food: 0, fat_food: 0, traits: [] };
const given = (seat) => ({ type: "BoardGiven", seat, rule: "start.board" });
const extinct = (seat, board) => ({ type: "Extinct", seat, board, cards: 2, rule: "loss.extinction" });
const revealed = (seat, boards) => ({ type: "Revealed", seat, food: [0, "horns"], watering_hole: 0, boards,
  replaced: [], population: [], body: [], rule: "cardplay.execution" });

/** What the server sends to a tab that comes after these events. */
function snapshot(events, ...counts) {
  const players = counts.map((boards, at) => ({ seat: at + 1, boards: Array(boards).fill(BOARD), cards: 3 }));
  return { type: "snapshot", names: ["Ann", "Ben"], turn: 1, phase: "choose", watering_hole: 0, deck: 9, players,
    me: { seat: 1, hand: [], bag: 0 }, events };
}

const letters = (state, seat) =>
  state.players.find((player) => player.seat === seat).boards.map(({ letter }) => letter).join(" ");

test("letters count on like columns", () => {
  const cases = [[0, "A"], [1, "B"], [25, "Z"], [26, "AA"], [27, "AB"], [51, "AZ"], [52, "BA"], [701, "ZZ"], [702, "AAA"]];
  for (const [number, letter] of cases) assert.equal(letterOf(number), letter);
});

test("a board keeps its letter when one before it dies out, and the next one gets a new letter", () => {
  const events = [given(1), given(2), revealed(1, [[], ["horns"]]), extinct(1, 0), revealed(2, [[]]), extinct(1, 1),
    revealed(1, [[]])];
  const after = ["A|", "A|A", "A B C|A", "B C|A", "B C|A B", "B|A B", "B D|A B"];
  let state = stateOf(snapshot([], 0, 0));
  for (const [at, event] of events.entries()) {
    state = applyEvent(state, event);
    assert.equal(`${letters(state, 1)}|${letters(state, 2)}`, after[at], event.type);
    const counts = state.players.map(({ boards }) => boards.length);
    const late = stateOf(snapshot(events.slice(0, at + 1), ...counts));
    assert.equal(`${letters(late, 1)}|${letters(late, 2)}`, after[at], `a tab that opens after ${event.type}`);
  }
});

test("where the events begin in the middle of a game, the boards before them have the first letters", () => {
  const before = stateOf(snapshot([], 2, 1));
  assert.equal(letters(before, 1), "A B");
  const after = stateOf(snapshot([extinct(1, 0), revealed(1, [[]])], 2, 1));
  assert.equal(letters(after, 1), "B C");
  assert.equal(letters(stateBefore(snapshot([extinct(1, 0), revealed(1, [[]])], 2, 1)), 1), "A B");
});

test("a plan shows the letters that its new boards would get", () => {
  const me = ownSide(stateOf(snapshot([given(1), revealed(1, [[]]), extinct(1, 0)], 1, 0)));
  assert.deepEqual(plannedBoards(me, [BOARD, BOARD, BOARD]).map(({ letter }) => letter), ["B", "C", "D"]);
});
