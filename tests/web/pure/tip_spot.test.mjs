/** Where a tooltip goes: near its owner, inside the window, and never over what must stay in sight. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { tipSpot } from "../../../src/wateringhole/web/static/shared/tip_spot.js";

const ROOM = { width: 390, height: 844 };
const SIZE = { width: 200, height: 60 };
const box = (left, top, width, height) => ({ left, top, width, height });
const covers = (spot, other) => other.left < spot.left + SIZE.width && other.left + other.width > spot.left
  && other.top < spot.top + SIZE.height && other.top + other.height > spot.top;

test("a bubble covers neither its owner nor the hand nor a reason, and stays inside the window", () => {
  const hand = Array.from({ length: 9 }, (_, at) => box(5 + 40 * at, 700, 76, 110));
  const reason = box(0, 640, 390, 44);
  const rows = {
    "a trait in the hand": [box(90, 720, 60, 40), [...hand, reason]],
    "the last card": [box(330, 720, 55, 40), [...hand, reason]],
    "a trait at the top": [box(10, 4, 60, 24), []],
    "a trait at the bottom": [box(300, 810, 60, 24), []],
    "two rows of cards": [box(90, 600, 60, 40), [...hand, ...hand.map((one) => ({ ...one, top: 580 })), reason]],
  };
  for (const [name, [owner, kept]] of Object.entries(rows)) {
    const spot = tipSpot(owner, SIZE, [owner, ...kept], ROOM);
    assert.ok([owner, ...kept].every((one) => !covers(spot, one)), `${name}: ${JSON.stringify(spot)}`);
    assert.ok(spot.left >= 0 && spot.left + SIZE.width <= ROOM.width, name);
    assert.ok(spot.top >= 0 && spot.top + SIZE.height <= ROOM.height, name);
  }
});

test("the nearer side wins, and where all sides are taken the bubble still lies inside the window", () => {
  const owner = box(100, 300, 60, 40);
  assert.equal(tipSpot(owner, SIZE, [owner], ROOM).top, 348);
  assert.equal(tipSpot(owner, SIZE, [owner, box(0, 345, 390, 100)], ROOM).top, 232);
  const full = tipSpot(owner, SIZE, [owner, box(0, 0, 390, 844)], ROOM);
  assert.ok(full.top >= 0 && full.top + SIZE.height <= ROOM.height);
});
