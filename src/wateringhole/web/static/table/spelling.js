/**
 * Places for a card by letters on the keyboard: f, n, p1, b2, t3, t32.
 *
 * Laws: pure. A letter names the use, the first number the board, the second the trait, both counted from 1 as the player
 * counts, while places count from 0. Numbers that could mean only one thing may be left out.
 *
 * @typedef {{place: string} | {ask: "board" | "trait", spelled: string} | null} Reading
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
  const [letter, board, trait] = spelled;
  const fitting = places.filter((place) => SPELLED_USES[letter].includes(place.split(":")[0]));
  if (board === undefined) {
    const boards = new Set(fitting.map((place) => place.split(":")[1]));
    if (fitting.length === 0) return null;
    if (fitting.length === 1) return { place: fitting[0] };
    return boards.size > 1 ? { ask: "board", spelled } : { ask: "trait", spelled: letter + (Number([...boards][0]) + 1) };
  }
  const there = fitting.filter((place) => Number(place.split(":")[1]) === Number(board) - 1);
  if (trait === undefined) {
    if (there.length === 0) return null;
    return there.length === 1 ? { place: there[0] } : { ask: "trait", spelled };
  }
  const traits = there.filter((place) => place.startsWith("trait:"));
  const exact = traits.find((place) => Number(place.split(":")[2]) === Number(trait) - 1);
  // One behind the last trait of a new board is its next one.
  const next = Number(trait) - 1 === traits.length ? there.find((place) => place.startsWith("new-trait:")) : undefined;
  const place = exact ?? next;
  return place ? { place } : null;
}
