/** Which pieces an event moves, and from where to where. */
import assert from "node:assert/strict";
import { test } from "node:test";
import "./english.mjs";
import { movesOf, preyPlace } from "../../../src/wateringhole/web/static/table/event_moves.js";

const board = (letter, population, food = 0) => ({ population, body: 0, food, fat_food: 0, traits: [], letter });
// A board of each has died out already: letters are not indices.
const PLAYERS = [
  { seat: 1, cards: 4, lettered: 3, boards: [board("A", 3, 2), board("C", 2)] },
  { seat: 2, cards: 4, lettered: 4, boards: [board("B", 4), board("C", 1, 1), board("D", 5)] },
];
const ATTACK = { type: "Attacked", seat: 1, board: 1, target_seat: 2, target: 2, rule: "feeding.attack" };
const PREY = preyPlace(ATTACK, { players: PLAYERS, prey: null });

/** The moves as words: piece, from, to, and what is written on it. */
function words(event, prey = PREY) {
  return movesOf(event, { players: PLAYERS, prey }).map((move) =>
    [move.piece, move.from, move.to, move.count ?? "", move.text ?? "", move.trait ?? ""].join(" ").trim().replace(/ +/g, " "));
}

test("every kind of event moves something from its source to its target", () => {
  const cases = [
    // A turn takes 11 cards here, so with 22 there is another one.
    [{ type: "TurnStarted", turn: 3, deck: 22 }, ["banner table table Turn 3"]],
    [{ type: "TurnStarted", turn: 3, deck: 21 }, ["banner table table Last turn"]],
    [{ type: "BoardGiven", seat: 1 }, ["new hand:1 board:1:D"]],
    [{ type: "CardsDealt", seat: 2, cards: 5 }, ["cards deck hand:2 5", "sign hand:2 hand:2 +5"]],
    [{ type: "CardsDealt", seat: 2, cards: 0 }, []],
    [{ type: "Revealed", seat: 1, food: [3, "climbing"], watering_hole: 3, boards: [["horns"], []],
      replaced: [[0, 1, "herding"]], population: [1, 3], body: [0] },
      ["food-card hand:1 hole", "new hand:1 board:1:D", "new hand:1 board:1:E",
        "trait hand:1 trait:1:A:1 herding", "card hand:1 board:1:C 1", "sign board:1:C board:1:C +1",
        "card hand:1 board:1:E 1", "sign board:1:E board:1:E +1", "card hand:1 board:1:A 1",
        "sign board:1:A board:1:A +1 body"]],
    [{ type: "Bred", seat: 2, board: 0, population: 5 }, ["sign board:2:B board:2:B +1 fertile"]],
    [{ type: "FatMoved", seat: 2, board: 0, tokens: 2 }, ["drop fat:2:B board:2:B 2"]],
    [{ type: "FatStored", seat: 2, board: 0, tokens: 2, rule: "feeding.fat" }, ["drop hole fat:2:B 2"]],
    [{ type: "Ate", seat: 1, board: 1, tokens: 1, rule: "feeding.graze" }, ["token hole board:1:C 1"]],
    [{ type: "Ate", seat: 1, board: 1, tokens: 1, rule: "meal.cooperation" },
      ["token board:1:A board:1:C 1", "sign board:1:C board:1:C +1 cooperation"]],
    [{ type: "Ate", seat: 1, board: 1, tokens: 1, rule: "meal.scavenger" },
      ["token hole board:1:C 1", "sign board:1:C board:1:C +1 scavenger"]],
    [{ type: "Ate", seat: 1, board: 1, tokens: 2, rule: "reveal.long-neck" },
      ["token hole board:1:C 2", "sign board:1:C board:1:C +2 long-neck"]],
    [ATTACK, ["hunter board:1:C board:2:D"]],
    [{ type: "AnimalLost", seat: 2, board: 2, population: 4, rule: "loss.animal" },
      ["animal board:2:D away 1", "sign board:2:D board:2:D \u22121"]],
    [{ type: "AnimalLost", seat: 1, board: 1, population: 1, rule: "attack.horns" },
      ["trait board:2:D board:1:C horns", "sign board:1:C board:1:C \u22121 horns"]],
    [{ type: "Starved", seat: 2, board: 0, population: 1 },
      ["animal board:2:B away 3", "sign board:2:B board:2:B \u22123 starved"]],
    [{ type: "Extinct", seat: 2, board: 1, cards: 2 },
      ["gone board:2:C away extinct", "slide board:2:D board:2:D", "cards deck hand:2 2", "sign hand:2 hand:2 +2"]],
    [{ type: "Declined", seat: 2 }, ["sign player:2 player:2 feeds no more"]],
    [{ type: "OutOfOptions", seat: 2 }, ["sign player:2 player:2 can feed no more"]],
    [{ type: "TurnEnded", turn: 1, watering_hole: 0 },
      ["sign hole hole turn 1 ends", "token board:1:A bag:1 2", "sign bag:1 bag:1 +2", "token board:2:C bag:2 1", "sign bag:2 bag:2 +1"]],
    [{ type: "Expelled", seat: 2, fault: { reason: "illegal", text: "plays card 9" } }, ["gone player:2 away expelled"]],
    [{ type: "GameOver", ranking: [] }, ["ranking table table"]],
  ];
  for (const [event, moves] of cases) assert.deepEqual(words(event), moves, event.type);
});
