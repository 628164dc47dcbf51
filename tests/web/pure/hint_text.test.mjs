/** The words of a hint: what it proposes and why, in English and in the order of other languages. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { useTexts } from "../../../src/wateringhole/web/static/shared/text.js";
import { feedingHint, planReasons } from "../../../src/wateringhole/web/static/table/hint_text.js";

const catalogue = (language) =>
  JSON.parse(readFileSync(new URL(`../../../src/wateringhole/web/static/text/${language}.json`, import.meta.url), "utf8"));
const board = (letter) => ({ population: 1, body: 0, food: 0, fat_food: 0, traits: [], letter });
const TABLE = {
  names: ["Zoe", "Ann", "<b>Bob</b>"], turn: 2, phase: "feed", watering_hole: 5, deck: 60,
  players: [{ seat: 2, boards: [board("C"), board("D")], cards: 3, lettered: 4 },
    { seat: 1, boards: [board("B")], cards: 4, lettered: 2 }],
  me: { seat: 1, hand: [], bag: 0 },
};
const ATTACK = { move: "attack", board: 0, seat: 2, target: 1 };
const GAIN = [{ reason: "eats-tokens", tokens: 2 }, { reason: "hunter-loses-nothing" }, { reason: "prey-dies-out" }];

test("a feeding is said with the letters of the boards, the player and the reasons", () => {
  useTexts("en", catalogue("en"));
  assert.equal(feedingHint(ATTACK, GAIN.slice(0, 2), TABLE),
    "Hint: board B attacks Ann's board D, because it gets 2 tokens and loses nothing.");
  assert.equal(feedingHint({ move: "graze", board: 0 }, [{ reason: "eats-most", tokens: 1 }], TABLE),
    "Hint: board B grazes, because it gets 1 token, more than any other.");
  assert.equal(feedingHint({ move: "store", board: 0, tokens: 1 }, [], TABLE), "Hint: board B stores 1 token as fat.");
  useTexts("de", catalogue("de"));
  assert.equal(feedingHint(ATTACK, GAIN, TABLE),
    "Tipp: Art B greift Art D von Ann an, denn sie bekommt 2 Futtermarken, verliert nichts und die Beute stirbt aus.");
});

test("what a move costs stands behind what it brings", () => {
  useTexts("en", catalogue("en"));
  assert.equal(feedingHint(ATTACK, [{ reason: "hunter-loses-animal" }, { reason: "prey-loses-animal" }], TABLE),
    "Hint: board B attacks Ann's board D, because the prey loses an animal, but the horns kill one of your animals.");
});

test("a plan has a sentence for each reason, with cards that count from 1", () => {
  useTexts("en", catalogue("en"));
  const reasons = [{ reason: "trait-spared", card: 0, food: 2, trait: "long-neck" },
    { reason: "boards-bring-cards", boards: 2 }, { reason: "best-traits", traits: ["long-neck", "foraging"] }];
  assert.match(planReasons(reasons, TABLE),
    /^Card 1 brings food \(2\); long-neck would bring more, .*\. 2 new boards .*: long-neck and foraging\.$/);
  // No card is dealt after the last turn: 9 would be, for two players with three boards.
  assert.match(planReasons(reasons, { ...TABLE, deck: 9 }), / 2 new boards bring a card more each/);
  assert.doesNotMatch(planReasons(reasons, { ...TABLE, deck: 8 }), /new boards bring/);
});
