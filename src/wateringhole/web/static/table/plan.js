/**
 * The plan: what a player means to do with the cards, before it is played.
 *
 * Laws: pure and immutable; every function returns a new plan. It knows no rule of the game, only what refers to what:
 * entries have ids, and growth or a trait for a board that the plan itself adds refers to that entry. So it survives
 * every reordering, and goes when what it refers to goes.
 *
 * @typedef {{old: number} | {added: number}} BoardRef  a board in play by number, or the entry that adds one
 * @typedef {{old: number} | {added: number}} SlotRef  a trait by number, or the entry that puts it on a new board
 * @typedef {{id: number, card: number} & ({use: "food"} | {use: "population", board: BoardRef}
 *   | {use: "body", board: BoardRef} | {use: "board"} | {use: "new-trait", board: BoardRef}
 *   | {use: "trait", board: BoardRef, slot: SlotRef})} Entry
 * @typedef {{use: "food"} | {use: "population", board: number} | {use: "body", board: number} | {use: "board"}
 *   | {use: "new-trait", board: number} | {use: "trait", board: number, slot: number}} Target
 * @typedef {{boards: number, entries: readonly Entry[], nextId: number, past: readonly (readonly Entry[])[]}} Plan
 *   boards: how many boards the player has in play
 */

/** @param {number} boards @returns {Plan} */
export function emptyPlan(boards) {
  return { boards, entries: [], nextId: 1, past: [] };
}

/**
 * The same plan with this card there. A card that it uses already moves; a new food card takes the place of the old.
 *
 * @param {Plan} plan
 * @param {number} card
 * @param {Target} target  in the numbers of the plan without this card
 * @returns {Plan}
 */
export function withCard(plan, card, target) {
  const lifted = withoutCard(plan, card).entries;
  const kept = target.use === "food" ? lifted.filter((entry) => entry.use !== "food") : lifted;
  return planChanged(plan, [...kept, entryFor(plan.nextId, card, target, plan.boards, kept)]);
}

/** @param {Plan} plan @param {number} card @returns {Plan} */
export function withoutCard(plan, card) {
  const entry = plan.entries.find((one) => one.card === card);
  return entry ? withoutEntry(plan, entry.id) : plan;
}

/**
 * Without this entry and all that refers to it.
 *
 * @param {Plan} plan
 * @param {number} id
 * @returns {Plan}
 */
export function withoutEntry(plan, id) {
  const gone = new Set([id]);
  let before = 0;
  while (gone.size > before) {
    before = gone.size;
    for (const entry of plan.entries) if (refersTo(entry, gone)) gone.add(entry.id);
  }
  return planChanged(plan, plan.entries.filter((entry) => !gone.has(entry.id)));
}

/**
 * With this entry moved by so many places; unchanged at the ends of the list.
 *
 * @param {Plan} plan
 * @param {number} id
 * @param {number} by
 * @returns {Plan}
 */
export function withEntryMoved(plan, id, by) {
  const from = plan.entries.findIndex((entry) => entry.id === id);
  const to = from + by;
  if (from < 0 || to < 0 || to >= plan.entries.length) return plan;
  const entries = plan.entries.filter((entry) => entry.id !== id);
  entries.splice(to, 0, plan.entries[from]);
  return planChanged(plan, entries);
}

/** @param {Plan} plan @returns {Plan} */
export function cleared(plan) {
  return planChanged(plan, []);
}

/** @param {Plan} plan @returns {Plan} */
export function undone(plan) {
  const entries = plan.past.at(-1);
  return entries ? { ...plan, entries, past: plan.past.slice(0, -1) } : plan;
}

/**
 * Another's move as the plan, in one step that can be undone.
 *
 * @param {Plan} plan
 * @param {import("../shared/types.js").CardPlay} move
 * @returns {Plan}
 */
export function planFromMove(plan, move) {
  /** @type {[number, Target][]} */
  const uses = [[move.food, { use: "food" }]];
  (move.boards ?? []).forEach((added, at) => {
    const board = plan.boards + at;
    uses.push([added.pay, { use: "board" }]);
    for (const card of added.traits ?? []) uses.push([card, { use: "new-trait", board }]);
  });
  for (const { board, slot, card } of move.traits ?? []) uses.push([card, { use: "trait", board, slot }]);
  for (const { board, card } of move.population ?? []) uses.push([card, { use: "population", board }]);
  for (const { board, card } of move.body ?? []) uses.push([card, { use: "body", board }]);
  /** @type {Entry[]} */
  const entries = [];
  uses.forEach(([card, target], at) => entries.push(entryFor(plan.nextId + at, card, target, plan.boards, entries)));
  return planChanged(plan, entries);
}

/** @param {Plan} plan @returns {Required<import("../shared/messages.js").CardPlan>} */
export function draftOf(plan) {
  /** @type {Required<import("../shared/messages.js").CardPlan>} */
  const draft = { food: null, population: [], body: [], boards: [], traits: [] };
  for (const entry of plan.entries) {
    const { card, use } = entry;
    if (use === "food") draft.food = card;
    else if (use === "board") draft.boards.push({ pay: card, traits: traitsOn(plan, entry.id).map((one) => one.card) });
    else if (use === "population") draft.population.push({ board: boardNumber(plan, entry.board), card });
    else if (use === "body") draft.body.push({ board: boardNumber(plan, entry.board), card });
    else if (use === "trait") {
      draft.traits.push({ board: boardNumber(plan, entry.board), slot: slotNumber(plan, entry), card });
    }
  }
  return draft;
}

/**
 * Where this entry's card goes, in the numbers that the server uses.
 *
 * @param {Plan} plan
 * @param {Entry} entry
 * @returns {Target}
 */
export function targetOf(plan, entry) {
  if (entry.use === "food" || entry.use === "board") return { use: entry.use };
  const board = boardNumber(plan, entry.board);
  return entry.use === "trait" ? { use: "trait", board, slot: slotNumber(plan, entry) } : { use: entry.use, board };
}

/** The number that a board added by this entry gets. @param {Plan} plan @param {number} id @returns {number} */
export function addedBoardNumber(plan, id) {
  return plan.boards + plan.entries.filter((entry) => entry.use === "board").findIndex((entry) => entry.id === id);
}

/**
 * The place among the traits of a new board that the trait of this entry gets.
 *
 * @param {Plan} plan
 * @param {Entry & {use: "new-trait"}} entry
 * @returns {number}
 */
export function addedTraitNumber(plan, { id, board }) {
  return "added" in board ? traitsOn(plan, board.added).findIndex((one) => one.id === id) : 0;
}

/** @param {Plan} plan @returns {string} */
export function savedPlan(plan) {
  return JSON.stringify(plan);
}

/**
 * A plan that was saved for as many boards and cards; null when the text is none.
 *
 * @param {string | null} text
 * @param {number} boards
 * @param {number} cards
 * @returns {Plan | null}
 */
export function restoredPlan(text, boards, cards) {
  try {
    const plan = JSON.parse(text ?? "null");
    if (!isPlan(plan) || plan.boards !== boards) return null;
    return [plan.entries, ...plan.past].every((entries) => fits(entries, boards, cards)) ? plan : null;
  } catch {
    return null;
  }
}

/** @param {Plan} plan @param {readonly Entry[]} entries @returns {Plan} */
function planChanged(plan, entries) {
  const same = entries.length === plan.entries.length && entries.every((entry, at) => entry === plan.entries[at]);
  if (same) return plan;
  const nextId = Math.max(plan.nextId, ...entries.map((entry) => entry.id + 1));
  return { ...plan, entries, nextId, past: [...plan.past, plan.entries] };
}

/**
 * @param {number} id
 * @param {number} card
 * @param {Target} target
 * @param {number} boards
 * @param {readonly Entry[]} entries
 * @returns {Entry}
 */
function entryFor(id, card, target, boards, entries) {
  if (target.use === "food" || target.use === "board") return { id, card, use: target.use };
  const board = boardRef(target.board, boards, entries);
  if (target.use !== "trait") return { id, card, use: target.use, board };
  const bearer = "added" in board ? board.added : null;
  const added = entries.filter((entry) => entry.use === "new-trait" && bearer !== null && "added" in entry.board
    && entry.board.added === bearer);
  const trait = added[target.slot];
  return { id, card, use: "trait", board, slot: trait ? { added: trait.id } : { old: target.slot } };
}

/** @param {number} number @param {number} boards @param {readonly Entry[]} entries @returns {BoardRef} */
function boardRef(number, boards, entries) {
  const added = entries.filter((entry) => entry.use === "board")[number - boards];
  return added ? { added: added.id } : { old: number };
}

/** @param {Plan} plan @param {BoardRef} board @returns {number} */
function boardNumber(plan, board) {
  return "old" in board ? board.old : addedBoardNumber(plan, board.added);
}

/** @param {Plan} plan @param {Entry & {use: "trait"}} entry @returns {number} */
function slotNumber(plan, entry) {
  const { board, slot } = entry;
  if ("old" in slot || "old" in board) return "old" in slot ? slot.old : 0;
  return traitsOn(plan, board.added).findIndex((one) => one.id === slot.added);
}

/** The traits that the plan puts on the board of this entry. @param {Plan} plan @param {number} id */
function traitsOn(plan, id) {
  return plan.entries.filter((one) => one.use === "new-trait" && "added" in one.board && one.board.added === id);
}

/** @param {Entry} entry @param {Set<number>} gone @returns {boolean} */
function refersTo(entry, gone) {
  if ("board" in entry && "added" in entry.board && gone.has(entry.board.added)) return true;
  return "slot" in entry && "added" in entry.slot && gone.has(entry.slot.added);
}

/** @param {unknown} value @returns {value is Plan} */
function isPlan(value) {
  if (typeof value !== "object" || value === null) return false;
  const { boards, entries, nextId, past } = /** @type {Record<string, unknown>} */ (value);
  return Number.isInteger(boards) && Number.isInteger(nextId) && Array.isArray(entries)
    && Array.isArray(past) && past.every(Array.isArray);
}

/** What an entry of each use must refer to. */
const REFERENCES = {
  food: [], board: [], population: ["board"], body: ["board"], "new-trait": ["board"], trait: ["board", "slot"],
};

/**
 * Whether these entries are such, and all that they refer to is there.
 *
 * @param {readonly Entry[]} entries
 * @param {number} boards
 * @param {number} cards
 * @returns {boolean}
 */
function fits(entries, boards, cards) {
  const ids = new Set(entries.map((entry) => entry.id));
  return entries.every((entry) => {
    const refs = Object.hasOwn(REFERENCES, entry.use) ? REFERENCES[entry.use] : null;
    if (!refs || !Number.isInteger(entry.id) || !(entry.card >= 0 && entry.card < cards)) return false;
    return refs.every((name) => {
      const ref = /** @type {Record<string, any>} */ (entry)[name];
      return "old" in ref ? ref.old >= 0 && (name === "slot" || ref.old < boards) : ids.has(ref.added);
    });
  });
}
