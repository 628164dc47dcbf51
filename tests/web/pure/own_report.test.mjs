/** What happened to a player, in one line. */
import assert from "node:assert/strict";
import { test } from "node:test";
import "./english.mjs";
import { emptyReport, reportedWith, reportText } from "../../../src/wateringhole/web/static/table/own_report.js";

const ME = 1;
const NAMES = { 2: "Jon", 3: "<b>Kim</b>" };
const board = (population, food = 0, letter = "A") => ({ population, body: 0, food, fat_food: 0, traits: [], letter });

/** The line after these events, each with the own boards and the tokens in the watering hole before it. */
function line(...steps) {
  const report = steps.reduce((before, [event, boards = [], tokens = 0]) =>
    reportedWith(before, event, { seat: ME, boards }, tokens), emptyReport());
  return reportText(report, (seat) => NAMES[seat]);
}

test("each thing that happens to the player is said", () => {
  const attack = (seat) => ({ type: "Attacked", seat, board: 0, target_seat: ME, target: 0, rule: "feeding.attack" });
  const loss = { type: "AnimalLost", seat: ME, board: 0, population: 1, rule: "loss.animal" };
  const cases = [
    [[], ""],
    [[[attack(2)], [loss]], "Since your last move: Jon attacked you, 1 animal eaten."],
    [[[attack(2)], [attack(2)], [attack(3)], [loss], [loss], [loss]],
      "Since your last move: Jon attacked you 2 times, <b>Kim</b> attacked you, 3 animals eaten."],
    [[[attack(3)], [attack(3)], [attack(3)]], "Since your last move: <b>Kim</b> attacked you 3 times."],
    [[[{ ...loss, rule: "attack.horns" }]], "Since your last move: 1 animal lost to horns."],
    [[[{ type: "Starved", seat: ME, board: 1, population: 1 }, [board(7), board(4, 1)]]],
      "Since your last move: 3 animals starved (the watering hole was empty)."],
    [[[{ type: "Starved", seat: ME, board: 0, population: 0 }, [board(1)], 2]],
      "Since your last move: 1 animal starved (there was no prey)."],
    [[[{ type: "Declined", seat: 2 }], [{ type: "Starved", seat: ME, board: 0, population: 0 }, [board(2)], 2]],
      "Since your last move: 2 animals starved (there was no prey)."],
    [[[{ type: "Declined", seat: ME }, [board(2)], 4], [{ type: "Starved", seat: ME, board: 0, population: 0 }, [board(2)]]],
      "Since your last move: 2 animals starved (you fed no more)."],
    [[[{ type: "Starved", seat: ME, board: 0, population: 0 }, [board(1)]],
      [{ type: "Extinct", seat: ME, board: 0, cards: 2 }, [board(0)]]],
      "Since your last move: 1 animal starved (the watering hole was empty), board A extinct, 2 cards gained."],
    [[[{ type: "Extinct", seat: ME, board: 1, cards: 2 }, [board(2), board(0, 0, "C"), board(0, 0, "D")]],
      [{ type: "Extinct", seat: ME, board: 1, cards: 1 }, [board(2), board(0, 0, "D")]]],
      "Since your last move: 2 boards extinct (C and D), 3 cards gained."],
    [[[{ type: "CardsDealt", seat: ME, cards: 4 }], [{ type: "CardsDealt", seat: 2, cards: 9 }]],
      "Since your last move: 4 cards gained."],
    [[[{ type: "TurnEnded", turn: 1, watering_hole: 0 }, [board(3, 3), board(2, 1)]]], "Since your last move: bag +4."],
  ];
  for (const [steps, text] of cases) assert.equal(line(...steps), text);
});

test("what happens to others is not said", () => {
  const others = [
    { type: "Attacked", seat: 2, board: 0, target_seat: 3, target: 0, rule: "feeding.attack" },
    { type: "Attacked", seat: ME, board: 0, target_seat: 3, target: 0, rule: "feeding.attack" },
    { type: "AnimalLost", seat: 3, board: 0, population: 1, rule: "loss.animal" },
    { type: "Starved", seat: 2, board: 0, population: 0 },
    { type: "Extinct", seat: 2, board: 0, cards: 2 },
    { type: "TurnStarted", turn: 2, order: [1, 2], watering_hole: 3, deck: 80 },
    { type: "GameOver", ranking: [] },
  ];
  assert.equal(line(...others.map((event) => [event, [board(2)]])), "");
});
