/** Where the own boards show what is planned. */
import "./english.mjs";
import assert from "node:assert/strict";
import { test } from "node:test";
import { placeName, placeTarget, plannedEntries }
  from "../../../src/wateringhole/web/static/table/card_places.js";
import { emptyPlan, withCard, withEntryMoved } from "../../../src/wateringhole/web/static/table/plan.js";

/** The cards of a plan by the place that shows them. */
function shown(plan) {
  const cards = new Map(plan.entries.map(({ id, card }) => [id, card]));
  return Object.fromEntries([...plannedEntries(plan)].map(([place, ids]) => [place, ids.map((id) => cards.get(id))]));
}

test("every entry is shown at its place, the last of several last", () => {
  let plan = withCard(emptyPlan(2), 0, { use: "food" });
  plan = withCard(plan, 1, { use: "population", board: 1 });
  plan = withCard(plan, 2, { use: "population", board: 1 });
  plan = withCard(plan, 3, { use: "body", board: 0 });
  plan = withCard(plan, 4, { use: "trait", board: 0, slot: 2 });
  assert.deepEqual(shown(plan), { food: [0], "population:1": [1, 2], "body:0": [3], "trait:0:2": [4] });
});

test("a new board is shown by its number, and its traits at their places on it", () => {
  let plan = withCard(emptyPlan(1), 0, { use: "board" });
  plan = withCard(plan, 1, { use: "board" });
  plan = withCard(plan, 2, { use: "new-trait", board: 2 });
  plan = withCard(plan, 3, { use: "new-trait", board: 2 });
  plan = withCard(plan, 4, { use: "trait", board: 2, slot: 1 });
  assert.deepEqual(shown(plan), { "board:1": [0], "board:2": [1], "trait:2:0": [2], "trait:2:1": [3, 4] });
  const turned = withEntryMoved(plan, plan.entries[1].id, -1);
  assert.deepEqual(shown(turned), { "board:1": [1], "board:2": [0], "trait:1:0": [2], "trait:1:1": [3, 4] });
});

test("a place's name leads back to it", () => {
  for (const name of ["food", "board", "population:3", "body:0", "trait:1:2", "new-trait:4"]) {
    assert.equal(placeName(placeTarget(name)), name);
  }
});
