/** Where a replay stands and how it runs, with a clock of the test's own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Playback, stepInHash } from "../../../src/wateringhole/web/static/replay/playback.js";
import { usualTime } from "../../../src/wateringhole/web/static/table/event_queue.js";

const ATE = { type: "Ate" };
const OVER = { type: "GameOver" };

/** A game whose steps have these events; `shown` are the positions, with the kind of the event that happens there. */
function projected(...steps) {
  const shown = [];
  const waiting = [];
  const playback = new Playback(
    steps.map((events) => ({ events })),
    (event) => shown.push(`${playback.step}.${playback.told}${event ? ` ${event.type}` : ""}`),
    (run, milliseconds) => waiting.push({ run, milliseconds }),
  );
  const pass = () => waiting.splice(0).forEach(({ run }) => run());
  return { playback, shown, waiting, pass };
}

test("it stays within the game", () => {
  const { playback, shown } = projected([], [ATE, ATE], []);
  for (const [step, told] of [[1], [9], [-2], [1, 1], [1, 7], [1, -1]]) playback.goTo(step, told);
  assert.deepEqual(shown, ["1.2", "2.0", "0.0", "1.1", "1.2", "1.0"]);
  assert.equal(playback.last, 2);
});

test("it begins with the table after the first step", () => {
  const { playback } = projected([ATE, ATE], []);
  assert.deepEqual([playback.step, playback.told, playback.atEnd], [0, 2, false]);
});

test("one step on tells the events of the next step and stays there", () => {
  const { playback, shown, waiting, pass } = projected([], [ATE, OVER], [ATE]);
  playback.forward();
  assert.deepEqual([playback.moving, playback.playing], [true, false]);
  while (waiting.length) pass();
  assert.deepEqual(shown, ["1.0", "1.1 Ate", "1.2 GameOver", "1.2"]);
  assert.equal(playback.moving, false);
});

test("one step on in the middle of a step goes on to the next one", () => {
  const { playback, shown, pass } = projected([], [ATE, ATE, ATE], [OVER]);
  playback.forward();
  pass();
  playback.forward();
  pass();
  assert.deepEqual(shown, ["1.0", "1.1 Ate", "1.2 Ate", "2.0", "2.1 GameOver", "2.1"]);
  playback.forward();
  assert.equal(shown.at(-1), "2.1");
  assert.ok(playback.atEnd && !playback.moving);
});

test("the film tells every event once and stops at the end", () => {
  const { playback, shown, waiting, pass } = projected([ATE], [], [ATE, ATE], [OVER]);
  playback.play();
  while (waiting.length) pass();
  assert.deepEqual(shown, ["1.0", "2.0", "2.1 Ate", "2.2 Ate", "3.0", "3.1 GameOver", "3.1"]);
  assert.ok(playback.atEnd && !playback.playing && !playback.moving);
});

test("the film at the end begins again, before the first event", () => {
  const { playback, shown } = projected([ATE], [OVER]);
  playback.goTo(1);
  playback.play();
  assert.deepEqual(shown.slice(1), ["0.0", "0.1 Ate"]);
  assert.ok(playback.playing);
});

test("a paused film stays where it is, also when its clock strikes late, and goes on from there", () => {
  const { playback, shown, pass } = projected([], [ATE, OVER]);
  playback.play();
  playback.pause();
  pass();
  assert.deepEqual(shown, ["1.0", "1.1 Ate", "1.1"]);
  playback.play();
  assert.equal(shown.at(-1), "1.2 GameOver");
});

test("a jump ends what moves", () => {
  const { playback, shown, pass } = projected([], [ATE, ATE], []);
  playback.play();
  playback.goTo(2);
  pass();
  assert.deepEqual([shown.at(-1), playback.playing, playback.moving], ["2.0", false, false]);
});

test("an event takes the time that it takes at a table, divided by the speed", () => {
  for (const speed of [0.5, 1, 4]) {
    const { playback, waiting } = projected([], [ATE], []);
    playback.speed = speed;
    playback.forward();
    assert.equal(waiting.at(-1).milliseconds, usualTime(ATE) / speed);
    playback.forward();
    assert.ok(waiting.at(-1).milliseconds > 0, "a step without events is shown, too");
  }
});

test("an address names a step within the game, or the first", () => {
  const cases = { "#step=3": 3, "#step=99": 7, "#step=-1": 0, "#step=x": 0, "": 0, "#other": 0, "#a=1&step=2": 2 };
  for (const [hash, step] of Object.entries(cases)) assert.equal(stepInHash(hash, 7), step, hash);
});
