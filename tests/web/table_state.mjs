/**
 * Applies the messages of games as the page does, and tells their story: each line of standard input is one game,
 * {first, steps}, where a step has a message `events` and the snapshot that the server would send after it, but for its
 * events.
 */

import assert from "node:assert/strict";
import { createInterface } from "node:readline";

import "./pure/english.mjs";
import { lineOf, linesOf } from "../../src/wateringhole/web/static/shared/event_text.js";
import {
  applyEvent, beginsLastTurn, isLastTurn, ownSide, stateOf, withOwnHand,
} from "../../src/wateringhole/web/static/shared/table_state.js";

let steps = 0;
let number = 0;
let announced = 0;
for await (const text of createInterface({ input: process.stdin })) {
  const game = JSON.parse(text);
  let state = stateOf(game.first);
  const events = [...game.first.events];
  const lines = linesOf(game.first);
  let last = isLastTurn(state);
  for (const { told, snapshot } of game.steps) {
    events.push(...told.events);
    told.events.reduce((now, event) => {
      lines.push(lineOf(event, now));
      if (event.type === "Expelled") last = false;
      if (event.type === "TurnStarted") {
        assert.ok(!last, `no turn follows the one that was announced as the last; game ${number}, step ${steps}`);
        last = beginsLastTurn(event.deck, now.players);
        announced += Number(last);
      }
      if (event.type === "GameOver") assert.ok(now.players.length === 0 || isLastTurn(now), `game ${number}`);
      return applyEvent(now, event);
    }, state);
    const before = JSON.stringify(state);
    const next = withOwnHand(told.events.reduce(applyEvent, state), told);
    const where = `game ${number}, step ${steps}: ${JSON.stringify(told)}`;
    assert.equal(JSON.stringify(state), before, `a state never changes; ${where}`);
    assert.deepEqual(next, stateOf({ ...snapshot, events }), where);
    assert.equal(ownSide(next) === null, snapshot.me === null, where);
    assert.ok(isLastTurn(next) || !last, `a turn that begins as the last one stays the last; ${where}`);
    state = next;
    steps += 1;
  }
  const whole = { ...game.steps.at(-1).snapshot, events };
  assert.deepEqual(linesOf(whole), lines, `game ${number}: the story is the same for a tab that comes late`);
  for (const line of lines) assert.doesNotMatch(line.text, /undefined|\{|event\.|NaN/, JSON.stringify(line));
  number += 1;
}
assert.ok(announced > 0, "some games end with a turn that was announced as the last");
console.log(steps);
