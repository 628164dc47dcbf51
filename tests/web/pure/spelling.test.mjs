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

test("boards and traits are asked for, and counted from 1", () => {
  assert.deepEqual(readSpelling("p", MANY), { ask: "board", spelled: "p" });
  assert.deepEqual(readSpelling("b2", MANY), { place: "body:1" });
  assert.deepEqual(readSpelling("t", MANY), { ask: "board", spelled: "t" });
  assert.deepEqual(readSpelling("t1", MANY), { ask: "trait", spelled: "t1" });
  assert.deepEqual(readSpelling("t12", MANY), { place: "trait:0:1" });
  assert.deepEqual(readSpelling("t", ["trait:2:0", "trait:2:1"]), { ask: "trait", spelled: "t3" });
});

test("the number behind the last trait is the next one of a new board", () => {
  assert.deepEqual(readSpelling("t2", MANY), { ask: "trait", spelled: "t2" });
  assert.deepEqual(readSpelling("t21", MANY), { place: "trait:1:0" });
  assert.deepEqual(readSpelling("t22", MANY), { place: "new-trait:1" });
  assert.equal(readSpelling("t13", MANY), null);
});

test("nothing of the kind", () => {
  assert.equal(readSpelling("t", ONE), null);
  assert.equal(readSpelling("p4", MANY), null);
});
