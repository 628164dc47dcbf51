/**
 * Applies the messages of games as the page does: each line of standard input is one game, {names, first, steps}, where
 * a step has a message `events`, the snapshot that the server would send after it, and the story's lines in Python.
 */

import assert from "node:assert/strict";
import { createInterface } from "node:readline";

import { lineOf } from "../../src/wateringhole/web/static/shared/event_text.js";
import { applyEvent, ownSide, stateOf, withOwnHand } from "../../src/wateringhole/web/static/shared/table_state.js";

let steps = 0;
let number = 0;
for await (const text of createInterface({ input: process.stdin })) {
  const game = JSON.parse(text);
  let state = stateOf(game.first);
  for (const { told, snapshot, lines } of game.steps) {
    const before = JSON.stringify(state);
    const next = withOwnHand(told.events.reduce(applyEvent, state), told);
    const where = `game ${number}, step ${steps}: ${JSON.stringify(told)}`;
    assert.equal(JSON.stringify(state), before, `a state never changes; ${where}`);
    assert.deepEqual(next, stateOf(snapshot), where);
    assert.deepEqual(told.events.map((event) => lineOf(event, game.first.names)), lines, where);
    assert.equal(ownSide(next) === null, snapshot.me === null, where);
    state = next;
    steps += 1;
  }
  number += 1;
}
console.log(steps);
