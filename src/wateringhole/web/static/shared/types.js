/**
 * The types that several pages use: those of messages.js under their short names, and a few more. Nothing here runs.
 *
 * @typedef {import("./messages.js").Trait} Trait
 * @typedef {import("./messages.js").Face} Face  a card: its food value and its trait
 * @typedef {import("./messages.js").Board & {letter: string}} Board  with the letter that it keeps
 * @typedef {import("./messages.js").SeatPlace} Place
 * @typedef {import("./messages.js").AwaitedSeat} Awaited
 * @typedef {import("./messages.js").RoomMessage} RoomMessage
 * @typedef {import("./messages.js").GameEnd} End
 * @typedef {import("./messages.js").ScoreRow} Standing
 * @typedef {import("./messages.js").TurnEnd} TurnEnd
 * @typedef {import("./messages.js").CardPlay} CardPlay
 * @typedef {import("./messages.js").NewBoard} NewBoard
 * @typedef {import("./messages.js").Feeding} Feeding
 * @typedef {import("./messages.js").Move} Move
 *
 * @typedef {{seat: number, boards: Board[], lettered: number, hand: Face[], bag: number}} Me
 *   all that lies before the own seat; lettered: how many boards it has had so far
 * @typedef {{seat: number, name: string, boards: Board[], cards: number, hand?: Face[], bag?: number}} Player
 * @typedef {{text: string, rule: string, kind: string, seat: number | null, automatic: boolean}} Line
 *   one event in the story
 *
 * @typedef {{rules: Record<string, {title: string, text: string}>}} Rulebook
 */
export {};
