/**
 * Places for a card by letters on the keyboard: f, n, p1, b0, t2, t21.
 *
 * Laws: pure. A letter names the use, the first number the board, the second the slot. Numbers that could mean only one
 * thing may be left out.
 *
 * @typedef {{place: string} | {ask: "board" | "slot", spelled: string} | null} Reading
 *   a place, or what must be spelled next, or nothing of this kind
 */

const SPELLED_USES = /** @type {Record<string, string[]>} */ ({
  f: ["food"], n: ["board"], p: ["population"], b: ["body"], t: ["trait", "new-trait"],
});

/** Whether a word can begin with this key. @param {string} key @returns {boolean} */
export function isUseLetter(key) {
  return Object.hasOwn(SPELLED_USES, key);
}

/**
 * What these letters mean among these places.
 *
 * @param {string} spelled
 * @param {string[]} places
 * @returns {Reading}
 */
export function readSpelling(spelled, places) {
  const [letter, board, slot] = spelled;
  const fitting = places.filter((place) => SPELLED_USES[letter].includes(place.split(":")[0]));
  if (board === undefined) {
    const boards = new Set(fitting.map((place) => place.split(":")[1]));
    if (fitting.length === 0) return null;
    if (fitting.length === 1) return { place: fitting[0] };
    return boards.size > 1 ? { ask: "board", spelled } : { ask: "slot", spelled: letter + [...boards][0] };
  }
  const there = fitting.filter((place) => place.split(":")[1] === board);
  if (slot === undefined) {
    if (there.length === 0) return null;
    return there.length === 1 ? { place: there[0] } : { ask: "slot", spelled };
  }
  const slots = there.filter((place) => place.startsWith("trait:"));
  const exact = slots.find((place) => place.split(":")[2] === slot);
  // One behind the last slot of a new board is its next one.
  const next = Number(slot) === slots.length ? there.find((place) => place.startsWith("new-trait:")) : undefined;
  const place = exact ?? next;
  return place ? { place } : null;
}
