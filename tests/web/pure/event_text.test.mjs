/** The story: what each event says, and which lines stand together. */
import assert from "node:assert/strict";
import { test } from "node:test";
import "./english.mjs";
import { continuesEntry, entrySeat, lineOf, linesOf, runsOn }
  from "../../../src/wateringhole/web/static/shared/event_text.js";

const board = (letter) => ({ population: 2, body: 0, food: 0, fat_food: 0, traits: [], letter });
/** Ann has lost board B; Ben has had two boards. */
const BEFORE = { names: ["Ann", "<b>Ben</b>"], turn: 2, phase: "feed", watering_hole: 5, deck: 60, me: null, players: [
  { seat: 1, boards: [board("A"), board("C")], cards: 4, lettered: 3 },
  { seat: 2, boards: [board("A"), board("B")], cards: 4, lettered: 2 },
] };
const revealed = { type: "Revealed", seat: 1, food: [3, "horns"], watering_hole: 8, boards: [], replaced: [],
  population: [], body: [], rule: "cardplay.execution" };
const fault = { move: "fault", reason: "illegal", text: "plays card 9 but holds only 6", rule: "cardplay.cards" };

test("every event in words, with the letters of boards", () => {
  const cases = [
    [{ type: "TurnStarted", turn: 3, order: [2, 1], watering_hole: 1, deck: 60 },
      "Turn 3: 1 token in the watering hole, 60 cards in the deck; order: <b>Ben</b> and Ann"],
    [{ type: "TurnStarted", turn: 4, order: [1, 2], watering_hole: 0, deck: 19 },
      "Turn 4, the last: 0 tokens in the watering hole, 19 cards in the deck; order: Ann and <b>Ben</b>"],
    [{ type: "BoardGiven", seat: 1, rule: "start.board" }, "Ann: gets board D"],
    [{ type: "CardsDealt", seat: 2, cards: 1, rule: "start.cards" }, "<b>Ben</b>: gets 1 card"],
    [revealed, "Ann: gives 3 tokens to the watering hole (horns), which now has 8"],
    [{ ...revealed, food: [0, "fertile"] }, "Ann: gives a card without food (fertile) to the watering hole, which has 8"],
    [{ ...revealed, food: [-1, "horns"], boards: [[], ["horns", "climbing"], []], replaced: [[0, 1, "ambush"]],
      population: [0, 3, 0], body: [1] },
      "Ann: takes 1 token from the watering hole (horns), which now has 8; adds 2 boards: D and F; "
      + "adds board E with horns and climbing; exchanges a trait of board A for ambush; board A grows by 2 animals; "
      + "board E grows by 1 animal; board C grows by 1 body size"],
    [{ type: "Bred", seat: 1, board: 1, population: 3, rule: "reveal.fertile" }, "Ann: board C is fertile: 3 animals now"],
    [{ type: "FatMoved", seat: 1, board: 1, tokens: 1, rule: "reveal.fat-tissue" }, "Ann: board C eats 1 token of its fat"],
    [{ type: "FatStored", seat: 1, board: 1, tokens: 2, rule: "feeding.fat" }, "Ann: board C stores 2 tokens as fat"],
    [{ type: "Ate", seat: 1, board: 1, tokens: 1, rule: "feeding.graze" }, "Ann: board C grazes: 1 token"],
    [{ type: "Ate", seat: 1, board: 1, tokens: 1, rule: "meal.scavenger" }, "Ann: board C scavenges: 1 token"],
    [{ type: "Attacked", seat: 1, board: 1, target_seat: 2, target: 0, rule: "feeding.attack" },
      "Ann: board C attacks <b>Ben</b>'s board A"],
    [{ type: "AnimalLost", seat: 2, board: 1, population: 1, rule: "attack.horns" },
      "<b>Ben</b>: board B loses an animal to the horns, 1 left"],
    [{ type: "Starved", seat: 1, board: 1, population: 1, rule: "end.starvation" }, "Ann: board C starves: 1 animal left"],
    [{ type: "Starved", seat: 1, board: 1, population: 0, rule: "end.starvation" }, "Ann: board C starves to death"],
    [{ type: "Extinct", seat: 1, board: 1, cards: 2, rule: "loss.extinction" }, "Ann: board C is extinct (+2 cards)"],
    [{ type: "Declined", seat: 1, rule: "feeding.decline" }, "Ann: feeds no more this turn"],
    [{ type: "OutOfOptions", seat: 1, rule: "feeding.no-option" }, "Ann: can feed no more this turn"],
    [{ type: "TurnEnded", turn: 2, watering_hole: 3, rule: "feeding.left-over" },
      "Turn 2 ends; 3 tokens stay in the watering hole"],
    [{ type: "Expelled", seat: 1, fault }, "Ann: is out of the game: it broke a rule"],
    [{ type: "GameOver", ranking: [{ seat: 2, name: "<b>Ben</b>", rank: 1, score: 1, fault: null },
      { seat: 1, name: "Ann", rank: null, score: null, fault }], rule: "game.over" },
      "The game is over; 1st <b>Ben</b>, 1 point; Ann is out"],
  ];
  for (const [event, text] of cases) assert.equal(lineOf(event, BEFORE).text, text, event.type);
});

test("what the engine does by itself is marked, and a fault has its rule", () => {
  assert.ok(lineOf({ type: "Ate", seat: 1, board: 0, tokens: 1, rule: "feeding.automatic" }, BEFORE).automatic);
  assert.equal(lineOf({ type: "Expelled", seat: 1, fault }, BEFORE).rule, "cardplay.cards");
});

test("lines that belong together are one entry", () => {
  const ate = (seat, rule) => ({ type: "Ate", seat, board: 0, tokens: 1, rule });
  const attack = { type: "Attacked", seat: 1, board: 0, target_seat: 2, target: 0, rule: "feeding.attack" };
  const starved = (seat) => ({ type: "Starved", seat, board: 0, population: 0, rule: "end.starvation" });
  const extinct = (seat) => ({ type: "Extinct", seat, board: 0, cards: 2, rule: "loss.extinction" });
  const events = [
    { type: "TurnStarted", turn: 1, order: [1, 2], watering_hole: 0, deck: 90 },
    { type: "BoardGiven", seat: 1, rule: "start.board" }, { type: "BoardGiven", seat: 2, rule: "start.board" },
    { type: "CardsDealt", seat: 1, cards: 4, rule: "start.cards" },
    { ...revealed, boards: [[]] }, { ...revealed, seat: 2, boards: [[], []] },
    ate(1, "feeding.graze"), ate(1, "meal.cooperation"), ate(2, "feeding.graze"), ate(2, "feeding.graze"),
    attack, { type: "AnimalLost", seat: 2, board: 0, population: 0, rule: "loss.animal" }, extinct(2),
    ate(1, "attack.course"), ate(2, "meal.scavenger"), attack,
    starved(1), extinct(1), starved(1), extinct(1), starved(2), extinct(2),
    { type: "TurnEnded", turn: 1, watering_hole: 0, rule: "feeding.left-over" },
  ];
  const lines = linesOf({ names: ["Ann", "Ben"], players: [], events });
  const entries = [];
  for (const line of lines) {
    const last = entries.at(-1);
    if (last && continuesEntry(last[0], line)) last.push(line);
    else entries.push([line]);
  }
  assert.deepEqual(entries.map((entry) => [entry.length, entrySeat(entry[0])]),
    [[1, null], [3, null], [1, 1], [1, 2], [2, 1], [2, 2], [5, 1], [1, 1], [4, 1], [2, 2], [1, null]]);
  const paragraphs = entries.map((entry) => entry.filter((line, at) => at === 0 || !runsOn(entry[at - 1], line)).length);
  assert.deepEqual(paragraphs, [1, 1, 1, 1, 2, 2, 5, 1, 2, 1, 1]);
});
