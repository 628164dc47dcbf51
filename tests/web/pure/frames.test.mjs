/** The scenes that the replay puts together from frames. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  boardChanges,
  phaseText,
  placeText,
  replyText,
  scenesOf,
  seenBy,
  stepInHash,
  turnStarts,
} from "../../../src/wateringhole/web/static/replay/frames.js";

const BARE = { population: 1, body: 0, food: 0, fat_food: 0, traits: [] };
const FED = { ...BARE, food: 1 };
const HORNED = { ...BARE, traits: ["horns"] };
const NAMES = ["Ann", "Bob", "Cleo"];

function player(seat, boards = [BARE], hand = [[3, "horns"], [-2, "fertile"]], bag = 0) {
  return { seat, name: NAMES[seat - 1], boards, cards: hand.length, hand, bag };
}

function frame(players, changes = {}) {
  const always = { turn: 1, phase: "choose", watering_hole: 0, deck: 110, order: [1, 2, 3], asked: [], lines: [] };
  return { ...always, reply: null, stops: [], players, ...changes };
}

const START = frame([player(1), player(2), player(3)], { asked: [1, 2, 3] });

function reply(seat, move) {
  return frame([], { reply: { seat, move } });
}

test("a scene has all players in turn order, the changed ones as they are now", () => {
  const grown = player(2, [BARE, HORNED]);
  const scenes = scenesOf([START, frame([grown], { order: [2, 3, 1], turn: 2, watering_hole: 5, deck: 90 })]);
  const [scene] = scenes[1];
  assert.deepEqual(scene.players.map(({ seat }) => seat), [2, 3, 1]);
  assert.equal(scene.players[0], grown);
  assert.deepEqual([scene.step, scene.turn, scene.watering_hole, scene.deck], [1, 2, 5, 90]);
});

test("scenes share the players that did not change", () => {
  const scenes = scenesOf([START, frame([player(2)]), frame([])]);
  assert.equal(scenes[2][0].players[0], scenes[0][0].players[0]);
  assert.notEqual(scenes[1][0].players[1], scenes[0][0].players[1]);
  assert.equal(scenes[0][0].players.length, 3);
});

test("whoever left is in no scene any more", () => {
  const scenes = scenesOf([START, frame([], { order: [1, 3] }), frame([], { order: [] })]);
  assert.deepEqual(scenes[1][0].players.map(({ seat }) => seat), [1, 3]);
  assert.deepEqual(scenes[2][0].players, []);
});

test("a stop shows the players as they were on the way, and leaves no trace behind", () => {
  const { lines, reply: _, stops, ...picture } = frame([player(1, [FED])], { phase: "fed" });
  const scenes = scenesOf([START, frame([player(2)], { lines: [1, 2, 3], stops: [{ ...picture, told: 2 }] })]);
  assert.deepEqual(scenes[1].map(({ phase, told }) => [phase, told]), [["fed", 2], ["choose", 3]]);
  assert.deepEqual(scenes[1][0].players[0].boards, [FED]);
  assert.deepEqual(scenes[1][1].players[0].boards, [BARE]);
  assert.equal(lines.length + stops.length, 0);
});

test("frames without stops have one scene each", () => {
  const { stops, ...plain } = START;
  assert.equal(scenesOf([plain])[0].length, 1 + stops.length);
});

test("a turn starts at the first step that shows it", () => {
  const frames = [1, 1, 2, 2, 3].map((turn) => frame([], { turn }));
  assert.deepEqual(turnStarts(frames), [{ turn: 1, step: 0 }, { turn: 2, step: 2 }, { turn: 3, step: 4 }]);
});

test("hands and bags are seen by everything and by their owner", () => {
  const whole = player(2);
  assert.equal(seenBy(whole, "all"), whole);
  assert.equal(seenBy(whole, 2), whole);
  for (const viewer of ["public", 1]) {
    assert.deepEqual(seenBy(whole, viewer), { seat: 2, name: "Bob", boards: [BARE], cards: 2 });
  }
});

test("boards that are not as they were are changed or new", () => {
  const [[before], [after]] = scenesOf([START, frame([player(1, [FED]), player(3, [BARE, HORNED])])]);
  assert.deepEqual(boardChanges(before, after), [
    { seat: 1, board: 0, what: "changed" },
    { seat: 3, board: 1, what: "new" },
  ]);
  assert.deepEqual(boardChanges(after, after), []);
});

test("a board that moves up is the same board", () => {
  const row = frame([player(1, [HORNED, BARE, FED]), player(2), player(3)]);
  const [[before], [after]] = scenesOf([row, frame([player(1, [BARE, FED])])]);
  assert.deepEqual(boardChanges(before, after), []);
});

test("the address names a step within the game", () => {
  const none = { "": 0, "#": 0, "#step=": 0, "#step=x": 0, "#other": 0 };
  const cases = { ...none, "#step=17": 17, "step=3": 3, "#step=-4": 0, "#step=99": 40 };
  for (const [hash, step] of Object.entries(cases)) assert.equal(stepInHash(hash, 40), step, hash);
});

test("a feeding is told in words", () => {
  const cases = [
    [{ move: "graze", board: 0 }, "Bob lets board 0 graze."],
    [{ move: "store", board: 1, tokens: 3 }, "Bob stores 3 on board 1."],
    [{ move: "attack", board: 0, seat: 3, target: 2 }, "Bob attacks Cleo's board 2 with board 0."],
    [{ move: "decline" }, "Bob declines to feed."],
    [{ type: "fault", reason: "illegal", text: "plays card 9, counted from 0, but holds only 6", rule: "cardplay.cards" },
      "Bob fails: it plays card 9, counted from 0, but holds only 6."],
  ];
  for (const [move, text] of cases) assert.equal(replyText(reply(2, move), [], NAMES), text);
  assert.equal(replyText(START, [], NAMES), "The game begins.");
});

test("a card play is told with its cards only to who sees the hand", () => {
  const hand = [[3, "horns"], [-2, "fertile"], [0, "climbing"], [1, "ambush"], [2, "horns"], [1, "herding"]];
  const play = {
    move: "play",
    food: 0,
    boards: [{ pay: 1, traits: [2, 3] }],
    traits: [{ board: 0, slot: 1, card: 4 }],
    population: [{ board: 1, card: 5 }],
  };
  const told = reply(1, play);
  assert.equal(replyText(told, [seenBy(player(1, [BARE], hand), "public")], NAMES), "Ann has chosen.");
  assert.equal(
    replyText(told, [player(1, [BARE], hand)], NAMES),
    "Ann chooses: +3 horns for the watering hole, a board with climbing and ambush, " +
      "horns in slot 1 of board 0, an animal for board 1.",
  );
});

test("a play that names cards nobody has can still be told", () => {
  const boards = [{ pay: 0, traits: [8] }, { pay: 1, traits: [] }];
  const play = { move: "play", food: 9, boards, body: [{ board: 0, card: 7 }] };
  assert.equal(
    replyText(reply(1, play), [player(1)], NAMES),
    "Ann chooses: a card that is not there for the watering hole, a board with a card that is not there, " +
      "a bare board, body for board 0.",
  );
});

test("the place is told with turn, step and what happened", () => {
  const [[scene]] = scenesOf([START]);
  assert.equal(placeText(scene, 93, "The game begins."), "turn 1, step 0 of 93: The game begins.");
});

test("every phase has words", () => {
  for (const phase of ["choose", "feed", "fed", "turn over", "over"]) assert.match(phaseText(phase), /^[A-Z]/);
});
