/** Texts of a catalogue. */
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { decimalText, hasText, languageNames, listText, numberText, ordinalText, percentText, signedText, text, useTexts }
  from "../../../src/wateringhole/web/static/shared/text.js";

const TEXTS = { plain: "Graze", named: "{name} waits for {other}", eggs: { one: "{count} egg", other: "{count} eggs" },
  ordinal: { one: "{number}st", two: "{number}nd", few: "{number}rd", other: "{number}th" } };

afterEach(() => useTexts("en", {}));

test("a text with its parameters", () => {
  useTexts("en", TEXTS);
  assert.equal(text("plain"), "Graze");
  assert.equal(text("named", { name: "{other}", other: "$&" }), "{other} waits for $&");
  assert.ok(hasText("plain") && !hasText("plan"));
});

test("count chooses the plural form of the language", () => {
  useTexts("en", TEXTS);
  assert.deepEqual([0, 1, 2].map((count) => text("eggs", { count })), ["0 eggs", "1 egg", "2 eggs"]);
  useTexts("fr", TEXTS);
  assert.deepEqual([0, 1, 2].map((count) => text("eggs", { count })), ["0 egg", "1 egg", "2 eggs"]);
});

test("numbers, ordinals and lists are those of the language", () => {
  useTexts("en", TEXTS);
  assert.deepEqual([1, 2, 3, 4, 11, 22].map(ordinalText), ["1st", "2nd", "3rd", "4th", "11th", "22nd"]);
  assert.equal(numberText(12345), "12,345");
  assert.equal(listText(["Ann", "Bob", "Cid"]), "Ann, Bob, and Cid");
  useTexts("de", { ordinal: { other: "{number}." } });
  assert.deepEqual([ordinalText(2), numberText(12345), listText(["Ann", "Bob"])], ["2.", "12.345", "Ann und Bob"]);
});

test("shares and numbers behind the point are those of the language, which knows the names of all", () => {
  useTexts("en", {}, { en: "English", de: "Deutsch" });
  assert.deepEqual([decimalText(7, 2), decimalText(1234.56, 1), percentText(0.5)], ["7.00", "1,234.6", "50%"]);
  assert.deepEqual(languageNames(), { en: "English", de: "Deutsch" });
  useTexts("de", {});
  assert.deepEqual([decimalText(7.25, 1), percentText(0.125)], ["7,3", "13\u00a0%"]);
});

test("a key that the catalogue lacks is shown as it is", () => {
  useTexts("en", {});
  assert.equal(text(/** @type {any} */ ("feeding.graze")), "feeding.graze");
});

test("a number has its sign", () => {
  useTexts("en", TEXTS);
  assert.deepEqual([2, 0, -3].map(signedText), ["+2", "0", "\u22123"]);
});
