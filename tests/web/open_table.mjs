/**
 * Makes the tables of games as the replay does: each line of standard input is one game with the states of the engine,
 * {game, states}, one after each step.
 */

import assert from "node:assert/strict";
import { createInterface } from "node:readline";

import { momentsOf, playersSeen, turnStarts } from "../../src/wateringhole/web/static/replay/open_table.js";

/** A table in the words of the engine, which has no letters. */
function stateOf(open) {
  const { turn, phase, watering_hole, deck } = open.table;
  const players = playersSeen(open, "all").map(({ lettered, boards, ...player }) => {
    assert.ok(lettered >= boards.length);
    return { ...player, boards: boards.map(({ letter, ...board }) => assert.match(letter, /^[A-Z]+$/) ?? board) };
  });
  return { turn, phase, watering_hole, deck, players };
}

let steps = 0;
for await (const text of createInterface({ input: process.stdin })) {
  const { game, states } = JSON.parse(text);
  const moments = momentsOf(game);
  assert.equal(moments.length, states.length);
  moments.forEach((tables, step) => {
    const where = `step ${step} of ${game.names}: ${JSON.stringify(game.steps[step])}`;
    assert.equal(tables.length, game.steps[step].events.length + 1, where);
    assert.deepEqual(stateOf(tables.at(-1)), states[step], where);
    // The first of a step is the last of the one before it: nothing but the reply has come.
    if (step > 0) assert.deepEqual(stateOf(tables[0]), states[step - 1], where);
    steps += 1;
  });
  for (const { turn, step } of turnStarts(moments)) {
    assert.equal(states[step].turn, turn);
    assert.ok(step === 0 || states[step - 1].turn === turn - 1);
  }
  for (const { seat, hand, bag } of playersSeen(moments.at(-1).at(-1), 1)) {
    assert.deepEqual([hand === undefined, bag === undefined], [seat !== 1, seat !== 1]);
  }
}
console.log(steps);
