/** The plan: order, references, undo, and the way to a draft and back. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cleared, draftOf, emptyPlan, planFromMove, restoredPlan, savedPlan, targetOf, undone, withCard, withEntryMoved,
  withoutCard, withoutEntry,
} from "../../../src/wateringhole/web/static/table/plan.js";

const EMPTY = { food: null, population: [], body: [], boards: [], traits: [] };

/** A plan for two boards in play: two boards are added, the second with a trait, and both grow. */
function busyPlan() {
  let plan = emptyPlan(2);
  plan = withCard(plan, 0, { use: "food" });
  plan = withCard(plan, 1, { use: "board" });
  plan = withCard(plan, 2, { use: "board" });
  plan = withCard(plan, 3, { use: "new-trait", board: 3 });
  plan = withCard(plan, 4, { use: "population", board: 2 });
  return withCard(plan, 5, { use: "body", board: 3 });
}

/** The id of the entry that uses this card. */
function idOf(plan, card) {
  return plan.entries.find((entry) => entry.card === card).id;
}

test("an empty plan is an empty draft", () => {
  assert.deepEqual(draftOf(emptyPlan(3)), EMPTY);
});

test("every use reaches its part of the draft", () => {
  let plan = withCard(busyPlan(), 6, { use: "trait", board: 0, slot: 2 });
  plan = withCard(plan, 7, { use: "population", board: 1 });
  assert.deepEqual(draftOf(plan), {
    food: 0,
    population: [{ board: 2, card: 4 }, { board: 1, card: 7 }],
    body: [{ board: 3, card: 5 }],
    boards: [{ pay: 1, traits: [] }, { pay: 2, traits: [3] }],
    traits: [{ board: 0, slot: 2, card: 6 }],
  });
});

test("nothing that was made is changed by what comes later", () => {
  const plan = busyPlan();
  const before = savedPlan(plan);
  withCard(withoutEntry(withEntryMoved(plan, idOf(plan, 2), -1), idOf(plan, 1)), 9, { use: "board" });
  assert.equal(savedPlan(plan), before);
});

test("growth and traits follow their new board when the boards change places", () => {
  const plan = busyPlan();
  const draft = draftOf(withEntryMoved(plan, idOf(plan, 2), -1));
  assert.deepEqual(draft.boards, [{ pay: 2, traits: [3] }, { pay: 1, traits: [] }]);
  assert.deepEqual(draft.population, [{ board: 3, card: 4 }]);
  assert.deepEqual(draft.body, [{ board: 2, card: 5 }]);
});

test("an entry may stand before the board that it refers to", () => {
  const plan = busyPlan();
  const moved = withEntryMoved(plan, idOf(plan, 5), -5);
  assert.equal(moved.entries[0].card, 5);
  assert.deepEqual(draftOf(moved), draftOf(plan));
});

test("moving beyond an end changes nothing and leaves nothing to undo", () => {
  const plan = busyPlan();
  assert.equal(withEntryMoved(plan, idOf(plan, 0), -1), plan);
  assert.equal(withEntryMoved(plan, idOf(plan, 5), 1), plan);
  assert.equal(withEntryMoved(plan, 99, 1), plan);
});

test("without its new board, what referred to it goes as well", () => {
  const plan = busyPlan();
  const less = withoutEntry(plan, idOf(plan, 2));
  assert.deepEqual(draftOf(less), {
    ...EMPTY, food: 0, population: [{ board: 2, card: 4 }], boards: [{ pay: 1, traits: [] }],
  });
  assert.deepEqual(draftOf(undone(less)), draftOf(plan));
});

test("without the first new board the second one moves up", () => {
  const plan = busyPlan();
  const draft = draftOf(withoutEntry(plan, idOf(plan, 1)));
  assert.deepEqual(draft, { ...EMPTY, food: 0, body: [{ board: 2, card: 5 }], boards: [{ pay: 2, traits: [3] }] });
});

test("a replaced trait of a new board follows the trait, not the slot number", () => {
  let plan = withCard(busyPlan(), 6, { use: "new-trait", board: 3 });
  plan = withCard(plan, 7, { use: "trait", board: 3, slot: 1 });
  assert.deepEqual(draftOf(plan).traits, [{ board: 3, slot: 1, card: 7 }]);
  const turned = withEntryMoved(plan, idOf(plan, 6), -3);
  assert.deepEqual(draftOf(turned).boards[1].traits, [6, 3]);
  assert.deepEqual(draftOf(turned).traits, [{ board: 3, slot: 0, card: 7 }]);
  assert.deepEqual(draftOf(withoutCard(plan, 6)).traits, []);
});

test("a new food card takes the place of the old, which is free again", () => {
  const plan = withCard(busyPlan(), 8, { use: "food" });
  assert.equal(draftOf(plan).food, 8);
  assert.equal(plan.entries.filter((entry) => entry.use === "food").length, 1);
  assert.equal(draftOf(undone(plan)).food, 0);
});

test("a card that is used already moves in one step", () => {
  const plan = withCard(busyPlan(), 4, { use: "body", board: 0 });
  assert.deepEqual(draftOf(plan).population, []);
  assert.deepEqual(draftOf(plan).body, [{ board: 3, card: 5 }, { board: 0, card: 4 }]);
  assert.deepEqual(draftOf(undone(plan)), draftOf(busyPlan()));
});

test("a card that is not used cannot be taken out", () => {
  const plan = busyPlan();
  assert.equal(withoutCard(plan, 9), plan);
});

test("undo goes all the way back, also through clear and a hint", () => {
  let plan = planFromMove(cleared(busyPlan()), { move: "play", food: 3 });
  assert.deepEqual(draftOf(plan), { ...EMPTY, food: 3 });
  plan = undone(plan);
  assert.deepEqual(draftOf(plan), EMPTY);
  plan = undone(plan);
  assert.deepEqual(draftOf(plan), draftOf(busyPlan()));
  for (let steps = 0; steps < 6; steps += 1) plan = undone(plan);
  assert.deepEqual(draftOf(plan), EMPTY);
  assert.equal(undone(plan), plan);
});

test("clearing an empty plan leaves nothing to undo", () => {
  const plan = emptyPlan(1);
  assert.equal(cleared(plan), plan);
});

test("ids are never given twice, not even after undo", () => {
  let plan = busyPlan();
  const last = idOf(plan, 5);
  plan = withCard(undone(plan), 9, { use: "board" });
  assert.ok(idOf(plan, 9) > last);
});

test("a move becomes a plan with the same draft", () => {
  const move = {
    move: "play",
    food: 7,
    population: [{ board: 2, card: 0 }],
    body: [{ board: 0, card: 1 }, { board: 0, card: 2 }],
    boards: [{ pay: 3, traits: [4, 5] }, { pay: 6, traits: [] }],
    traits: [{ board: 1, slot: 0, card: 8 }, { board: 2, slot: 1, card: 9 }],
  };
  const { move: _, ...draft } = move;
  assert.deepEqual(draftOf(planFromMove(emptyPlan(2), move)), draft);
  assert.deepEqual(draftOf(planFromMove(emptyPlan(2), { move: "play", food: 1 })), { ...EMPTY, food: 1 });
});

test("targets are in the server's numbers", () => {
  let plan = withCard(busyPlan(), 6, { use: "trait", board: 3, slot: 0 });
  plan = withEntryMoved(plan, idOf(plan, 2), -1);
  assert.deepEqual(plan.entries.map((entry) => targetOf(plan, entry)), [
    { use: "food" }, { use: "board" }, { use: "board" }, { use: "new-trait", board: 2 },
    { use: "population", board: 3 }, { use: "body", board: 2 }, { use: "trait", board: 2, slot: 0 },
  ]);
});

test("a plan survives being saved, with its past", () => {
  const plan = withEntryMoved(busyPlan(), 1, 1);
  const again = restoredPlan(savedPlan(plan), 2, 6);
  assert.deepEqual(again, plan);
  assert.deepEqual(draftOf(undone(again)), draftOf(busyPlan()));
});

test("what does not fit is not restored", () => {
  const text = savedPlan(busyPlan());
  assert.equal(restoredPlan(text, 3, 6), null);
  assert.equal(restoredPlan(text, 2, 5), null);
  for (const bad of [null, "", "{", "7", "[]", "{}", '{"boards":2,"entries":[{}],"nextId":1,"past":[]}',
    '{"boards":2,"entries":[],"nextId":1,"past":[7]}',
    '{"boards":2,"entries":[],"nextId":3,"past":[[{"id":1,"card":9,"use":"food"}]]}',
    '{"boards":2,"nextId":3,"past":[],"entries":[{"id":1,"card":0,"use":"body","board":{"added":9}}]}',
    '{"boards":2,"nextId":3,"past":[],"entries":[{"id":1,"card":0,"use":"body"}]}',
    '{"boards":2,"nextId":3,"past":[],"entries":[{"id":1,"card":0,"use":"dance"}]}']) {
    assert.equal(restoredPlan(bad, 2, 6), null, String(bad));
  }
});
