/**
 * Applies the messages of games as the page does: each line of standard input is one game, {names, first, steps}, where
 * a step has a message `events` and the snapshot that the server would send after it, which here lacks its events.
 */

import assert from "node:assert/strict";
import { createInterface } from "node:readline";

import { applyEvent, ownSide, stateOf, withOwnHand } from "../../src/wateringhole/web/static/shared/table_state.js";

let steps = 0;
let number = 0;
for await (const text of createInterface({ input: process.stdin })) {
  const game = JSON.parse(text);
  let state = stateOf(game.first);
  const events = [...game.first.events];
  for (const { told, snapshot } of game.steps) {
    events.push(...told.events);
    const before = JSON.stringify(state);
    const next = withOwnHand(told.events.reduce(applyEvent, state), told);
    const where = `game ${number}, step ${steps}: ${JSON.stringify(told)}`;
    assert.equal(JSON.stringify(state), before, `a state never changes; ${where}`);
    assert.deepEqual(next, stateOf({ ...snapshot, events }), where);
    assert.equal(ownSide(next) === null, snapshot.me === null, where);
    state = next;
    steps += 1;
  }
  number += 1;
}
console.log(steps);
