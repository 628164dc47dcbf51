/** Which pieces an event moves, and from where to where. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { movesOf } from "../../../src/wateringhole/web/static/table/event_moves.js";

const board = (population, food = 0) => ({ population, body: 0, food, fat_food: 0, traits: [] });
const BOARDS = { 1: [board(3, 2), board(2)], 2: [board(4), board(1, 1), board(5)] };
const ATTACK = { type: "Attacked", seat: 1, board: 1, target_seat: 2, target: 2, rule: "feeding.attack" };

/** The moves as words: piece, from, to, and what is written on it. */
function words(event, attack = null) {
  const before = { boards: (seat) => BOARDS[seat], seats: () => [1, 2], attack };
  return movesOf(event, before).map((move) =>
    [move.piece, move.from, move.to, move.count ?? "", move.text ?? "", move.trait ?? ""].join(" ").trim().replace(/ +/g, " "));
}

test("every kind of event moves something from its source to its target", () => {
  const cases = [
    [{ type: "TurnStarted", turn: 3 }, ["banner table table Turn 3"]],
    [{ type: "BoardGiven", seat: 1 }, ["new hand:1 board:1:2"]],
    [{ type: "CardsDealt", seat: 2, cards: 5 }, ["cards deck hand:2 5", "sign hand:2 hand:2 +5"]],
    [{ type: "CardsDealt", seat: 2, cards: 0 }, []],
    [{ type: "Revealed", seat: 1, food: [3, "climbing"], watering_hole: 3, boards: [["horns"], []],
      replaced: [[0, 1, "herding"]], population: [1], body: [0] },
      ["food-card hand:1 hole", "new hand:1 board:1:2", "new hand:1 board:1:3", "trait hand:1 slot:1:0:1 herding",
        "card hand:1 board:1:1 1", "sign board:1:1 board:1:1 +1", "card hand:1 board:1:0 1",
        "sign board:1:0 board:1:0 +1 body"]],
    [{ type: "Bred", seat: 2, board: 0, population: 5 }, ["sign board:2:0 board:2:0 +1 fertile"]],
    [{ type: "FatMoved", seat: 2, board: 0, tokens: 2 }, ["drop fat:2:0 board:2:0 2"]],
    [{ type: "FatStored", seat: 2, board: 0, tokens: 2, rule: "feeding.fat" }, ["drop hole fat:2:0 2"]],
    [{ type: "Ate", seat: 1, board: 1, tokens: 1, rule: "feeding.graze" }, ["token hole board:1:1 1"]],
    [{ type: "Ate", seat: 1, board: 1, tokens: 1, rule: "meal.cooperation" },
      ["token board:1:0 board:1:1 1", "sign board:1:1 board:1:1 +1 cooperation"]],
    [{ type: "Ate", seat: 1, board: 1, tokens: 1, rule: "meal.scavenger" },
      ["token hole board:1:1 1", "sign board:1:1 board:1:1 +1 scavenger"]],
    [{ type: "Ate", seat: 1, board: 1, tokens: 2, rule: "reveal.long-neck" },
      ["token hole board:1:1 2", "sign board:1:1 board:1:1 +2 long-neck"]],
    [ATTACK, ["hunter board:1:1 board:2:2"]],
    [{ type: "AnimalLost", seat: 2, board: 2, population: 4, rule: "loss.animal" },
      ["animal board:2:2 away 1", "sign board:2:2 board:2:2 \u22121"]],
    [{ type: "AnimalLost", seat: 1, board: 1, population: 1, rule: "attack.horns" },
      ["trait board:2:2 board:1:1 horns", "sign board:1:1 board:1:1 \u22121 horns"]],
    [{ type: "Starved", seat: 2, board: 0, population: 1 },
      ["animal board:2:0 away 3", "sign board:2:0 board:2:0 \u22123 starved"]],
    [{ type: "Extinct", seat: 2, board: 1, cards: 2 },
      ["gone board:2:1 away", "slide board:2:2 board:2:1", "cards deck hand:2 2", "sign hand:2 hand:2 +2"]],
    [{ type: "Declined", seat: 2 }, ["sign player:2 player:2 feeds no more"]],
    [{ type: "OutOfOptions", seat: 2 }, ["sign player:2 player:2 can feed no more"]],
    [{ type: "TurnEnded", turn: 1, watering_hole: 0 },
      ["sign hole hole turn 1 ends", "token board:1:0 bag:1 2", "sign bag:1 bag:1 +2", "token board:2:1 bag:2 1", "sign bag:2 bag:2 +1"]],
    [{ type: "Expelled", seat: 2, fault: { reason: "illegal", text: "plays card 9" } },
      ["gone player:2 away", "sign player:2 player:2 expelled"]],
    [{ type: "GameOver", ranking: [] }, ["ranking table table"]],
  ];
  for (const [event, moves] of cases) assert.deepEqual(words(event, ATTACK), moves, event.type);
});
