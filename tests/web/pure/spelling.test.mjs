/** Places by letters. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isUseLetter, readSpelling } from "../../../src/wateringhole/web/static/table/spelling.js";

const ONE = ["food", "population:0", "body:0", "board"];
const MANY = ["food", "population:0", "body:0", "trait:0:0", "trait:0:1", "population:1", "body:1", "trait:1:0",
  "new-trait:1", "board"];

test("letters that begin a word", () => {
  for (const key of ["f", "n", "p", "b", "t"]) assert.ok(isUseLetter(key));
  for (const key of ["u", "c", "1", "toString", ""]) assert.ok(!isUseLetter(key));
});

test("what can mean only one thing needs no numbers", () => {
  assert.deepEqual(readSpelling("f", MANY), { place: "food" });
  assert.deepEqual(readSpelling("n", MANY), { place: "board" });
  assert.deepEqual(readSpelling("p", ONE), { place: "population:0" });
  assert.deepEqual(readSpelling("t", [...ONE, "new-trait:0"]), { place: "new-trait:0" });
});

test("boards and slots are asked for", () => {
  assert.deepEqual(readSpelling("p", MANY), { ask: "board", spelled: "p" });
  assert.deepEqual(readSpelling("b1", MANY), { place: "body:1" });
  assert.deepEqual(readSpelling("t", MANY), { ask: "board", spelled: "t" });
  assert.deepEqual(readSpelling("t0", MANY), { ask: "slot", spelled: "t0" });
  assert.deepEqual(readSpelling("t01", MANY), { place: "trait:0:1" });
  assert.deepEqual(readSpelling("t", ["trait:2:0", "trait:2:1"]), { ask: "slot", spelled: "t2" });
});

test("the slot behind the last is the next trait of a new board", () => {
  assert.deepEqual(readSpelling("t1", MANY), { ask: "slot", spelled: "t1" });
  assert.deepEqual(readSpelling("t10", MANY), { place: "trait:1:0" });
  assert.deepEqual(readSpelling("t11", MANY), { place: "new-trait:1" });
  assert.equal(readSpelling("t02", MANY), null);
});

test("nothing of the kind", () => {
  assert.equal(readSpelling("t", ONE), null);
  assert.equal(readSpelling("p4", MANY), null);
});
