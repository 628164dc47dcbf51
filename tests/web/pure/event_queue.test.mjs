/** The event queue with a clock of the test's own: order, shortening, skipping, late timers. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  EVENT_SPEEDS, EventQueue, MAX_AFTER_REQUEST, MAX_BACKLOG, MAX_LAST_BACKLOG, MAX_LATE, usualTime,
} from "../../../src/wateringhole/web/static/table/event_queue.js";

/** A queue, what it showed, and the clock that moves it on. */
function queue(speed = 1) {
  const world = { time: 0, speed, shown: [], done: 0, timers: [] };
  world.queue = new EventQueue({
    show: (event, milliseconds) => world.shown.push({ name: event.name, at: world.time, milliseconds }),
    done: () => (world.done += 1),
    speed: () => world.speed,
    now: () => world.time,
    later: (run, milliseconds) => world.timers.push({ run, due: world.time + milliseconds }),
    frame: (run) => world.timers.push({ run, due: world.time }),
  });
  /** Let the next timer strike, late by so much. */
  world.pass = (late = 0) => {
    const { run, due } = world.timers.shift();
    world.time = Math.max(world.time, due + late);
    run();
  };
  world.end = () => {
    while (world.timers.length) world.pass();
    return world.time;
  };
  world.names = () => world.shown.map(({ name }) => name).join("");
  return world;
}

const ate = (name) => ({ type: "Ate", name });
const meals = (count) => Array.from({ length: count }, (_, at) => ate(String.fromCharCode(97 + at)));

test("events play one after the other, each for its own time", () => {
  const world = queue();
  world.queue.add([{ type: "CardsDealt", name: "a" }, { type: "Attacked", name: "b" }, ate("c")]);
  assert.equal(world.names(), "a");
  world.end();
  assert.deepEqual(world.shown.map(({ milliseconds }) => milliseconds),
    [usualTime({ type: "CardsDealt" }), usualTime({ type: "Attacked" }), usualTime({ type: "Ate" })]);
  assert.deepEqual(world.shown.map(({ at }) => at), [0, 300, 900]);
  assert.equal(world.done, 1);
  assert.equal(world.queue.playing, false);
});

test("every event but the last of a game takes 300 to 600 ms", () => {
  const kinds = ["TurnStarted", "BoardGiven", "CardsDealt", "Revealed", "Bred", "FatMoved", "FatStored", "Ate", "Attacked",
    "AnimalLost", "Starved", "Extinct", "Declined", "OutOfOptions", "TurnEnded", "Expelled"];
  for (const type of kinds) {
    const time = usualTime({ type });
    assert.ok(time >= 300 && time <= 600, `${type}: ${time}`);
  }
});

test("the speed stretches and shortens the time of every event", () => {
  for (const [name, factor] of [["slow", 2], ["normal", 1], ["fast", 0.4]]) {
    const world = queue(EVENT_SPEEDS[name]);
    world.queue.add(meals(3));
    assert.ok(Math.abs(world.end() - 3 * 450 * factor) < 1e-6, name);
  }
});

test("without motion all events are shown at once", () => {
  const world = queue(EVENT_SPEEDS.off);
  world.queue.add(meals(5));
  assert.equal(world.names(), "abcde");
  assert.ok(world.shown.every(({ milliseconds }) => milliseconds === 0));
  assert.deepEqual([world.timers.length, world.done, world.queue.playing], [0, 1, false]);
});

test("many events are shortened evenly, so that none waits longer than the longest backlog", () => {
  const world = queue();
  world.queue.add(meals(26));
  assert.ok(Math.abs(world.end() - MAX_BACKLOG) < 1e-6);
  const [first] = world.shown;
  assert.ok(first.milliseconds < 450);
  for (const { milliseconds } of world.shown) assert.ok(Math.abs(milliseconds - first.milliseconds) < 1e-6);
});

test("however many events come before it, the ranking at the end has its own time", () => {
  const world = queue();
  world.queue.add([...meals(26), { type: "GameOver", name: "!" }]);
  assert.ok(Math.abs(world.end() - MAX_LAST_BACKLOG - usualTime({ type: "GameOver" })) < 1e-6);
  assert.equal(world.shown.at(-1).milliseconds, usualTime({ type: "GameOver" }));
});

test("events that come while others play wait for their turn", () => {
  const world = queue();
  world.queue.add([ate("a")]);
  world.queue.add([ate("b")]);
  assert.equal(world.names(), "a");
  world.end();
  assert.equal(world.names(), "ab");
  assert.equal(world.done, 1);
});

test("before a question all events together take no longer than the longest backlog", () => {
  const world = queue();
  world.queue.add(meals(5));
  for (let passed = 0; passed < 3; passed += 1) world.pass();
  world.queue.add(meals(20));
  world.queue.asked(() => {});
  assert.ok(Math.abs(world.end() - MAX_BACKLOG) < 1e-6);
  assert.equal(world.shown.length, 25);
});

test("events that come while the player is asked do not make it wait longer", () => {
  const world = queue();
  world.queue.add(meals(8));
  world.queue.asked(() => {});
  for (let passed = 0; passed < 4; passed += 1) world.pass();
  world.queue.add(meals(20));
  assert.ok(Math.abs(world.end() - MAX_BACKLOG) < 1e-6);
});

test("when a queue has played for long already, the rest is shown fast as soon as the player is asked", () => {
  const world = queue();
  for (let round = 0; round < 4; round += 1) {
    world.queue.add(meals(6));
    for (let passed = 0; passed < 5; passed += 1) world.pass();
  }
  assert.ok(world.time > MAX_BACKLOG);
  const asked = world.time;
  world.queue.asked(() => {});
  const playing = world.timers[0].due;
  assert.ok(world.end() <= Math.max(playing, asked + MAX_AFTER_REQUEST) + 1e-6);
  assert.equal(world.shown.length, 24);
});

test("skipping shows the rest at once and in order, and no timer moves the queue afterwards", () => {
  const world = queue();
  world.queue.add(meals(4));
  world.pass();
  world.queue.skip();
  assert.equal(world.names(), "abcd");
  assert.deepEqual(world.shown.slice(2).map(({ milliseconds }) => milliseconds), [0, 0]);
  world.end();
  assert.deepEqual([world.shown.length, world.done, world.queue.playing], [4, 1, false]);
  world.queue.skip();
  assert.equal(world.done, 1);
});

test("a reply skips nothing, because a bot may have given it; the events after it have their time again", () => {
  const world = queue();
  world.queue.add(meals(20));
  world.queue.asked(() => {});
  world.queue.replied();
  assert.equal(world.shown.length, 1);
  world.queue.skip();
  world.queue.add([ate("z")]);
  assert.deepEqual(world.shown.at(-1), { name: "z", at: world.time, milliseconds: 450 });
});

test("a tab that comes back after long shows no backlog", () => {
  const world = queue();
  world.queue.add(meals(4));
  world.pass(MAX_LATE - 1);
  assert.equal(world.names(), "ab");
  world.pass(MAX_LATE + 1);
  assert.equal(world.names(), "abcd");
  assert.deepEqual(world.shown.slice(2).map(({ milliseconds }) => milliseconds), [0, 0]);
});

test("a tab that is hidden while events play shows the rest at once", () => {
  const world = queue();
  world.queue.add(meals(4));
  world.speed = 0;
  world.pass();
  assert.deepEqual(world.shown.map(({ milliseconds }) => milliseconds), [450, 0, 0, 0]);
});

test("a request waits for the end of the event that is shown, and the next event for the frame after it", () => {
  const world = queue();
  world.queue.add(meals(3));
  let begun = null;
  world.queue.asked(() => (begun = world.time));
  assert.equal(begun, null);
  world.pass();
  assert.deepEqual([begun, world.names()], [450, "a"]);
  world.pass();
  assert.equal(world.names(), "ab");
  world.end();
  assert.deepEqual([world.names(), world.done], ["abc", 1]);
});

test("a request is drawn at once if nothing is shown, if the rest is skipped, or if its answer is there", () => {
  const world = queue();
  const drawn = [];
  world.queue.asked(() => drawn.push("idle"));
  assert.deepEqual(drawn, ["idle"]);
  world.queue.add(meals(3));
  world.queue.asked(() => drawn.push(`skipped after ${world.shown.length}, ${world.done} done`));
  world.queue.skip();
  assert.deepEqual(drawn.slice(1), ["skipped after 3, 1 done"]);
  world.queue.add(meals(3));
  world.queue.asked(() => drawn.push("answered"));
  world.queue.begin();
  world.end();
  assert.deepEqual(drawn.slice(2), ["answered"]);
});
