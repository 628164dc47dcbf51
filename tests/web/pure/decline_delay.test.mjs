/** The seconds before a decline is sent, on a simulated clock. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { DeclineDelay } from "../../../src/wateringhole/web/static/table/decline_delay.js";

beforeEach(() => mock.timers.enable({ apis: ["setTimeout"] }));
afterEach(() => mock.timers.reset());

/** A delay, and what it has told. */
function delayed() {
  const told = [];
  const delay = new DeclineDelay({ tick: () => told.push(delay.left), end: () => told.push("end") });
  return { delay, told };
}

/** Second by second: each begins when the one before has ended. */
function pass(seconds) {
  for (let second = 0; second < seconds; second += 1) mock.timers.tick(1_000);
}

test("it counts three seconds down and ends once", () => {
  const { delay, told } = delayed();
  delay.start(Infinity);
  pass(2);
  mock.timers.tick(999);
  assert.deepEqual(told, [3, 2, 1]);
  pass(9);
  assert.deepEqual(told, [3, 2, 1, "end"]);
  assert.equal(delay.left, 0);
});

test("what is stopped never ends, and can be started again", () => {
  const { delay, told } = delayed();
  delay.start(Infinity);
  pass(1);
  delay.stop();
  assert.equal(delay.left, 0);
  pass(9);
  assert.deepEqual(told, [3, 2]);
  delay.start(Infinity);
  pass(9);
  assert.deepEqual(told, [3, 2, 3, 2, 1, "end"]);
});

test("the end of the player's clock comes first", () => {
  for (const [clock, wanted] of [[3.5, [2, 1, "end"]], [2.2, [1, "end"]], [1.9, ["end"]], [0, ["end"]], [-5, ["end"]]]) {
    const { delay, told } = delayed();
    delay.start(clock);
    pass(9);
    assert.deepEqual(told, wanted, String(clock));
  }
});
