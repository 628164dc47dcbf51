/** Where a replay stands and how it runs, with a clock of the test's own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Projector } from "../../../src/wateringhole/web/static/projector.js";

/** Steps with this many scenes each; every scene tells one line more than the one before. */
function projected(...stops) {
  const scenes = stops.map((count, step) => Array.from({ length: count }, (_, at) => ({ step, at, told: at + 1 })));
  const shown = [];
  const waiting = [];
  const projector = new Projector(
    scenes,
    (scene) => shown.push(`${scene.step}.${scene.at}`),
    (run, milliseconds) => waiting.push({ run, milliseconds }),
  );
  return { projector, shown, waiting, pass: () => waiting.shift().run() };
}

test("it stays within the game", () => {
  const { projector, shown } = projected(1, 3, 1);
  for (const step of [1, 9, -2]) projector.goTo(step);
  assert.deepEqual(shown, ["1.2", "2.0", "0.0"]);
  assert.equal(projector.last, 2);
});

test("going to a step shows the state after it, unless a stop is named", () => {
  const { projector, shown } = projected(1, 3);
  projector.goTo(1, 0);
  projector.goTo(1, 1);
  projector.goTo(1, 7);
  assert.deepEqual(shown, ["1.0", "1.1", "1.2"]);
});

test("it is told which scene precedes the one to show, from wherever it comes", () => {
  const scenes = [[{ at: "a" }], [{ at: "b" }, { at: "c" }], [{ at: "d" }]];
  const seen = [];
  const projector = new Projector(scenes, (scene, before) => seen.push(before.at + scene.at), () => {});
  for (const [step, stop] of [[2], [1], [1, 0], [0]]) projector.goTo(step, stop);
  assert.deepEqual(seen, ["cd", "bc", "ab", "aa"]);
});

test("playing goes through every scene and pauses at the end", () => {
  const { projector, shown, waiting, pass } = projected(1, 3, 1);
  projector.play();
  while (waiting.length) pass();
  assert.deepEqual(shown, ["0.0", "1.0", "1.1", "1.2", "2.0"]);
  assert.equal(projector.playing, false);
  assert.ok(projector.atEnd);
});

test("playing at the end begins again", () => {
  const { projector, shown } = projected(1, 1);
  projector.goTo(1);
  projector.play();
  assert.equal(shown.at(-1), "0.0");
  assert.ok(projector.playing);
});

test("a paused replay stays where it is, also when its clock strikes late", () => {
  const { projector, shown, pass } = projected(1, 1, 1);
  projector.play();
  projector.pause();
  pass();
  assert.deepEqual(shown, ["0.0"]);
});

test("a scene stays longer the more it tells, and shorter at speed", () => {
  const scenes = [[{ told: 0 }], [{ told: 5 }], [{ told: 0 }], [{ told: 0 }]];
  const pauses = [];
  const projector = new Projector(scenes, () => {}, (run, milliseconds) => pauses.push(milliseconds) && run());
  projector.play();
  const [start, long, short] = pauses;
  assert.ok(long > short && short > start);
  projector.speed = 2;
  projector.play();
  assert.deepEqual(pauses.slice(3), [start / 2, long / 2, short / 2]);
});
