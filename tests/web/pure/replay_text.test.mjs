/** What a replay says: who won, and what was answered. */
import assert from "node:assert/strict";
import { test } from "node:test";
import "./english.mjs";
import { outcomeText, winnersText } from "../../../src/wateringhole/web/static/shared/outcome_text.js";
import { replyText } from "../../../src/wateringhole/web/static/replay/reply_text.js";

const row = (name, rank, score) => ({ name, rank, score });

test("the outcome names the winners, the places of the others and who was expelled", () => {
  const cases = [
    [[row("Ann", 1, 23), row("Bob", 2, 19), row("Cid", 3, 1)], "Ann wins with 23 points; Bob 2nd with 19 and Cid 3rd with 1."],
    [[row("Ann", 1, 1), row("Bob", 2, 0)], "Ann wins with 1 point; Bob 2nd with 0."],
    [[row("Ann", 1, 5), row("Bob", 1, 5), row("Cid", 3, 2), row("Dan", null, null)],
      "Ann and Bob share the win with 5 points; Cid 3rd with 2 and Dan was expelled."],
    [[row("Ann", 1, 4)], "Ann wins with 4 points"],
    [[row("Ann", null, null)], "No player is left at the table; Ann was expelled."],
  ];
  for (const [ranking, told] of cases) assert.equal(outcomeText(ranking), told);
});

test("who has won is told as you", () => {
  const [ann, bob, cid] = [1, 2, 3].map((seat) => ({ seat, ...row("Ann Bob Cid".split(" ")[seat - 1], seat < 3 ? 1 : 3, 5) }));
  const cases = [
    [[ann, cid], 1, "You win"],
    [[ann, cid], 3, "Ann wins"],
    [[ann, cid], null, "Ann wins"],
    [[ann, bob, cid], 2, "You share the win with Ann"],
    [[ann, bob, cid], 3, "Ann and Bob share the win"],
  ];
  for (const [ranking, you, told] of cases) assert.equal(winnersText(ranking, you), told);
});

const BEFORE = {
  table: { names: ["Ann", "<b>"], players: [{ seat: 1, lettered: 3, boards: [{ letter: "A" }, { letter: "C" }] }] },
  hands: { 1: [[3, "horns"], [-2, "fertile"], [0, "carnivore"], [1, "ambush"], [2, "foraging"], [4, "climbing"]] },
};

test("a play is told with its cards only to who may see that hand", () => {
  const move = {
    move: "play", food: 1, boards: [{ pay: 0, traits: [2, 3] }, { pay: 0 }, { pay: 0 }],
    traits: [{ board: 1, slot: 0, card: 5 }], population: [{ board: 2 }, { board: 2 }, { board: 0 }], body: [{ board: 3 }],
  };
  const reply = { seat: 1, move };
  const told = replyText(reply, BEFORE, "all");
  for (const part of ["Ann chooses: ", "\u22122", "2 new boards", "board C", "2 animals for board D", "an animal for board A",
    "body size +1 for board E"]) assert.ok(told.includes(part), `${part} in ${told}`);
  assert.equal(replyText(reply, BEFORE, 1), told);
  for (const viewer of ["public", 2]) assert.equal(replyText(reply, BEFORE, viewer), "Ann has chosen.");
});

test("a play that expelled its player may name cards that are not there", () => {
  const told = replyText({ seat: 1, move: { move: "play", food: 9 } }, BEFORE, "all");
  assert.equal(told, "Ann chooses: a card that is not there for the watering hole.");
});

test("a feeding is told by its first event, a failure and the beginning are not", () => {
  const fault = { seat: 2, move: { move: "fault", reason: "timeout", text: "is silent" } };
  assert.equal(replyText(fault, BEFORE, "all"), "<b> fails: it did not answer in time.");
  assert.equal(replyText(null, BEFORE, "all"), "The game begins.");
  assert.equal(replyText({ seat: 1, move: { move: "graze", board: 0 } }, BEFORE, "all"), null);
});
