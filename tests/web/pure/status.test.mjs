/** Whose turn it is and what for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import "./english.mjs";
import { statusText } from "../../../src/wateringhole/web/static/table/status.js";

const place = (seat, name, presence = "here") => ({ seat, name, kind: "person", bot: "", presence });
const ROOM = { places: [place(1, "Ann"), place(2, "<i>Ben</i>"), place(3, "Cid")], you: 1 };

test("the status names the players that the table waits for, and what for", () => {
  const cases = [
    ["choose", "choose", [1, 2], "Your turn: choose your cards"],
    ["feed", "feed", [1], "Your turn: feed a board"],
    ["wait", "choose", [2], "Waiting for <i>Ben</i> to choose cards"],
    ["wait", "choose", [2, 3], "Waiting for <i>Ben</i> and Cid to choose cards"],
    ["wait", "feed", [3], "Cid feeds"],
    ["wait", "choose", [1], "The cards are revealed"],
    ["wait", "feed", [1], "The animals feed"],
    ["wait", "choose", [], "The cards are revealed"],
    ["wait", "feed", [], "The animals feed"],
    ["over", "over", [], "The game is over"],
  ];
  for (const [phase, tablePhase, seats, says] of cases) {
    const asked = seats.map((seat) => ({ seat, seconds: null }));
    assert.equal(statusText(phase, ROOM, { phase: tablePhase, turn: 2, deck: 50, players: [] }, asked), says);
  }
});

test("the last turn is announced when cards are chosen", () => {
  const table = (deck) => ({ turn: 4, deck, phase: "choose", players: [{ seat: 1, boards: [{}, {}] }, { seat: 2, boards: [] }] });
  assert.equal(statusText("choose", ROOM, table(9), []), "Your turn: choose your cards");
  assert.equal(statusText("choose", ROOM, table(8), []), "Last turn: choose your cards");
});

test("before the game it says how many are missing", () => {
  const empty = (count) => ({ ...ROOM, places: [place(1, "Ann"), ...Array(count).fill(place(2, "", "empty"))] });
  assert.equal(statusText("waiting", empty(0), null, []), "The game begins");
  assert.equal(statusText("waiting", empty(1), null, []), "Waiting for 1 more player");
  assert.equal(statusText("waiting", empty(2), null, []), "Waiting for 2 more players");
});
