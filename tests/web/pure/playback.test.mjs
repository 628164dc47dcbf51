/** Where a replay stands and how it runs, with a clock of the test's own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Playback } from "../../../src/wateringhole/web/static/replay/playback.js";

/** Steps with this many scenes each; every scene tells one line more than the one before. */
function projected(...stops) {
  const scenes = stops.map((count, step) => Array.from({ length: count }, (_, at) => ({ step, at, told: at + 1 })));
  const shown = [];
  const waiting = [];
  const playback = new Playback(
    scenes,
    (scene) => shown.push(`${scene.step}.${scene.at}`),
    (run, milliseconds) => waiting.push({ run, milliseconds }),
  );
  return { playback, shown, waiting, pass: () => waiting.shift().run() };
}

test("it stays within the game", () => {
  const { playback, shown } = projected(1, 3, 1);
  for (const step of [1, 9, -2]) playback.goTo(step);
  assert.deepEqual(shown, ["1.2", "2.0", "0.0"]);
  assert.equal(playback.last, 2);
});

test("going to a step shows the state after it, unless a stop is named", () => {
  const { playback, shown } = projected(1, 3);
  playback.goTo(1, 0);
  playback.goTo(1, 1);
  playback.goTo(1, 7);
  assert.deepEqual(shown, ["1.0", "1.1", "1.2"]);
});

test("it is told which scene precedes the one to show, from wherever it comes", () => {
  const scenes = [[{ at: "a" }], [{ at: "b" }, { at: "c" }], [{ at: "d" }]];
  const seen = [];
  const playback = new Playback(scenes, (scene, before) => seen.push(before.at + scene.at), () => {});
  for (const [step, stop] of [[2], [1], [1, 0], [0]]) playback.goTo(step, stop);
  assert.deepEqual(seen, ["cd", "bc", "ab", "aa"]);
});

test("playing goes through every scene and pauses at the end", () => {
  const { playback, shown, waiting, pass } = projected(1, 3, 1);
  playback.play();
  while (waiting.length) pass();
  assert.deepEqual(shown, ["0.0", "1.0", "1.1", "1.2", "2.0"]);
  assert.equal(playback.playing, false);
  assert.ok(playback.atEnd);
});

test("playing at the end begins again", () => {
  const { playback, shown } = projected(1, 1);
  playback.goTo(1);
  playback.play();
  assert.equal(shown.at(-1), "0.0");
  assert.ok(playback.playing);
});

test("a paused replay stays where it is, also when its clock strikes late", () => {
  const { playback, shown, pass } = projected(1, 1, 1);
  playback.play();
  playback.pause();
  pass();
  assert.deepEqual(shown, ["0.0"]);
});

test("a scene stays longer the more it tells, and shorter at speed", () => {
  const scenes = [[{ told: 0 }], [{ told: 5 }], [{ told: 0 }], [{ told: 0 }]];
  const pauses = [];
  const playback = new Playback(scenes, () => {}, (run, milliseconds) => pauses.push(milliseconds) && run());
  playback.play();
  const [start, long, short] = pauses;
  assert.ok(long > short && short > start);
  playback.speed = 2;
  playback.play();
  assert.deepEqual(pauses.slice(3), [start / 2, long / 2, short / 2]);
});
