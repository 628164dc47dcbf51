/**
 * Events as lines of the story, and which lines stand together.
 *
 * Laws: pure. The words are those of the catalogue, by the kind of an event and its rule; a board is named by its letter.
 *
 * @typedef {import("./messages.js").Event} Event
 * @typedef {import("./table_state.js").TableState} TableState
 * @typedef {{kind: Event["type"], rule: string, turn: number, seat: number | null, who: string, parts: string[],
 *   text: string, automatic: boolean}} StoryLine
 *   who: the player or the turn that it tells of, or nothing; parts: what happened, without who; text: all in one line
 * @typedef {(seat: number, board: number) => string} LetterAt
 */

import { applyEvent, beginsLastTurn, letterOf, stateBefore } from "./table_state.js";
import { listText, ordinalText, text } from "./text.js";
import { traitName } from "./trait_text.js";

const AUTOMATIC = "feeding.automatic";
/** The rule of a fault that names none. */
const EXPULSION = "expulsion.reasons";
/** A turn announces its order. */
const ORDER = "end.order";

/** Events of a deal, which stand together. @type {Event["type"][]} */
const DEALT = ["BoardGiven", "CardsDealt"];
/** What follows from the event before it. @type {Event["type"][]} */
const CONSEQUENCES = ["AnimalLost", "Extinct"];
/** The meals that follow from another meal or from an attack. */
const FOLLOWING_MEALS = ["attack.course", "meal.cooperation", "meal.scavenger"];

/**
 * The lines of all events of a snapshot.
 *
 * @param {import("./messages.js").Snapshot} snapshot
 * @returns {StoryLine[]}
 */
export function linesOf(snapshot) {
  let before = stateBefore(snapshot);
  return snapshot.events.map((event) => {
    const line = lineOf(event, before);
    before = applyEvent(before, event);
    return line;
  });
}

/**
 * @param {Event} event
 * @param {TableState} before  the table before the event, which has the letters of the boards
 * @returns {StoryLine}
 */
export function lineOf(event, before) {
  const rule = ruleOf(event);
  const seat = "seat" in event ? event.seat : null;
  const turn = "turn" in event ? event.turn : before.turn;
  const who = seat !== null ? before.names[seat - 1] : event.type === "TurnStarted" ? turnText(event, before) : "";
  const parts = partsOf(event, before);
  const what = parts.join("; ");
  return { kind: event.type, rule, turn, seat, who, parts, text: who ? `${text("story.who", { who })} ${what}` : what,
    automatic: rule === AUTOMATIC };
}

/**
 * Whether a line belongs to the entry of the story that begins with another one.
 *
 * @param {StoryLine} first
 * @param {StoryLine} line
 * @returns {boolean}
 */
export function continuesEntry(first, line) {
  if (DEALT.includes(line.kind)) return DEALT.includes(first.kind);
  if (CONSEQUENCES.includes(line.kind) || FOLLOWING_MEALS.includes(line.rule)) return true;
  return line.kind !== "Attacked" && line.kind === first.kind && line.rule === first.rule && line.seat === first.seat;
}

/**
 * Whether a line is short and stands behind the one before it, in the same paragraph: a deal, or an extinction behind
 * the hunger that caused it.
 *
 * @param {StoryLine} last
 * @param {StoryLine} line
 * @returns {boolean}
 */
export function runsOn(last, line) {
  return line.kind === "Extinct" ? last.kind === "Starved" : DEALT.includes(line.kind);
}

/** The seat that the entry of this line is about; a deal is about all. @param {StoryLine} first @returns {number | null} */
export function entrySeat(first) {
  return DEALT.includes(first.kind) ? null : first.seat;
}

/** @param {import("./messages.js").TurnStarted} event @param {TableState} before */
function turnText({ turn, deck }, { players }) {
  return beginsLastTurn(deck, players) ? text("story.turn.last", { turn }) : text("story.turn", { turn });
}

/** @param {Event} event @returns {string} */
function ruleOf(event) {
  if (event.type === "TurnStarted") return ORDER;
  return event.type === "Expelled" ? event.fault.rule ?? EXPULSION : event.rule;
}

/** What happened, without the name of its player. @param {Event} event @param {TableState} before @returns {string[]} */
function partsOf(event, before) {
  const at = lettersBefore(before);
  switch (event.type) {
    case "TurnStarted": {
      const order = listText(event.order.map((seat) => before.names[seat - 1]));
      return [text("event.TurnStarted", { tokens: text("tokens", { count: event.watering_hole }),
        cards: text("cards", { count: event.deck }), order })];
    }
    case "BoardGiven": return [text("event.BoardGiven", { board: at(event.seat, boardsOf(before, event.seat).length) })];
    case "CardsDealt": return [text("event.CardsDealt", { count: event.cards })];
    case "Revealed": return revealedParts(event, boardsOf(before, event.seat).length, at);
    case "Declined": return [text("event.Declined")];
    case "OutOfOptions": return [text("event.OutOfOptions")];
    case "TurnEnded": return [text("event.TurnEnded", { turn: event.turn, count: event.watering_hole })];
    case "Expelled": return [text("event.Expelled", { why: faultText(event.fault) })];
    case "GameOver": return [text("event.GameOver"), ...event.ranking.map(standingText)];
    case "Attacked":
      return [text("event.Attacked", { board: at(event.seat, event.board), player: before.names[event.target_seat - 1],
        target: at(event.target_seat, event.target) })];
    default: return [boardText(event, at(event.seat, event.board))];
  }
}

/**
 * What happened to one board.
 *
 * @param {Extract<Event, {type: "Bred" | "FatMoved" | "FatStored" | "Ate" | "AnimalLost" | "Starved" | "Extinct"}>} event
 * @param {string} board
 * @returns {string}
 */
function boardText(event, board) {
  switch (event.type) {
    case "Bred": return text("event.Bred", { board, count: event.population });
    case "FatMoved": return text("event.FatMoved", { board, count: event.tokens });
    case "FatStored": return text("event.FatStored", { board, count: event.tokens });
    case "Ate": return text(`event.Ate.${event.rule}`, { board, count: event.tokens });
    case "AnimalLost": return text(`event.AnimalLost.${event.rule}`, { board, count: event.population });
    case "Starved":
      return event.population === 0 ? text("event.Starved.all", { board })
        : text("event.Starved", { board, count: event.population });
    case "Extinct": return text("event.Extinct", { board, count: event.cards });
  }
}

/**
 * A card play: the food card, then what became of the boards.
 *
 * @param {import("./messages.js").Revealed} event
 * @param {number} old  how many boards there were
 * @param {LetterAt} at
 * @returns {string[]}
 */
function revealedParts({ seat, food: [value, trait], watering_hole, boards, replaced, population, body }, old, at) {
  const bare = boards.flatMap((traits, number) => (traits.length ? [] : [at(seat, old + number)]));
  return [
    foodText(value, traitName(trait), watering_hole),
    ...bare.length ? [text("event.Revealed.boards", { count: bare.length, boards: listText(bare) })] : [],
    ...boards.flatMap((traits, number) => traits.length
      ? [text("event.Revealed.board", { board: at(seat, old + number), traits: listText(traits.map(traitName)) })] : []),
    ...replaced.map(([board, , put]) => text("event.Revealed.exchange", { board: at(seat, board), trait: traitName(put) })),
    ...timesEach(population).map(([board, count]) => text("event.Revealed.population", { board: at(seat, board), count })),
    ...timesEach(body).map(([board, count]) => text("event.Revealed.body", { board: at(seat, board), count })),
  ];
}

/** @param {number} value @param {string} trait @param {number} total @returns {string} */
function foodText(value, trait, total) {
  if (value > 0) return text("event.Revealed.gives", { count: value, trait, total });
  return value < 0 ? text("event.Revealed.takes", { count: -value, trait, total })
    : text("event.Revealed.nothing", { trait, total });
}

/** Each number of a list once, with how often it is there. @param {number[]} numbers @returns {[number, number][]} */
export function timesEach(numbers) {
  return [...new Set(numbers)].map((number) => [number, numbers.filter((one) => one === number).length]);
}

/** @param {import("./messages.js").Standing} row @returns {string} */
function standingText({ name, rank, score, fault }) {
  if (fault || rank === null) return text("event.GameOver.out", { name });
  return text("event.GameOver.row", { rank: ordinalText(rank), name, points: text("points", { count: score ?? 0 }) });
}

/**
 * Why a player is out of the game.
 *
 * @param {{reason: import("./messages.js").Reason}} fault
 * @returns {string}
 */
export function faultText({ reason }) {
  return text(`fault.${reason}`);
}

/** The letters of the boards before an event, and those that new boards get by it. @param {TableState} before @returns {LetterAt} */
export function lettersBefore(before) {
  return (seat, board) => {
    const player = before.players.find((one) => one.seat === seat);
    const boards = player?.boards ?? [];
    return boards[board]?.letter ?? letterOf((player?.lettered ?? 0) + board - boards.length);
  };
}

/** @param {TableState} before @param {number} seat */
function boardsOf(before, seat) {
  return before.players.find((player) => player.seat === seat)?.boards ?? [];
}
