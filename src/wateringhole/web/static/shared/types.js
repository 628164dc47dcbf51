/**
 * What the server says and hears, as types. Nothing here runs.
 *
 * @typedef {string} Trait
 * @typedef {[number, Trait]} Face  a card: its food value and its trait
 * @typedef {{population: number, body: number, food: number, fat_food: number, traits: Trait[]}} Board
 * @typedef {{seat: number, boards: Board[], hand: Face[], bag: number}} Me
 * @typedef {{seat: number, boards: Board[], cards: number}} Them
 *
 * @typedef {"person" | "bot" | "client"} Kind
 * @typedef {"empty" | "here" | "away" | "stand-in" | "out"} Presence
 * @typedef {{seat: number, kind: Kind, name: string, presence: Presence}} Place
 * @typedef {{seat: number, name: string, boards: Board[], cards: number, hand?: Face[], bag?: number}} Player
 * @typedef {{text: string, rule: string, kind: string, seat: number | null, automatic: boolean}} Line
 * @typedef {{seat: number, seconds: number | null}} Awaited
 *
 * @typedef {{board: number, card: number}} Growth
 * @typedef {{pay: number, traits: number[]}} NewBoard
 * @typedef {{board: number, slot: number, card: number}} Replacement
 * @typedef {{food: number | null, population: Growth[], body: Growth[], boards: NewBoard[], traits: Replacement[]}} Draft
 * @typedef {{move: "play", food: number, population?: Growth[], body?: Growth[], boards?: NewBoard[],
 *   traits?: Replacement[]}} CardPlay
 * @typedef {{move: "graze", board: number}} Graze
 * @typedef {{move: "store", board: number, tokens: number}} StoreFat
 * @typedef {{move: "attack", board: number, seat: number, target: number}} Attack
 * @typedef {{move: "decline"}} Decline
 * @typedef {Graze | StoreFat | Attack | Decline} Feeding
 * @typedef {CardPlay | Feeding} Move
 *
 * @typedef {{seat: number, name: string, rank: number | null, score: number | null, bag: number, population: number,
 *   traits: number, fault: {reason: string, text: string, rule: string} | null}} Standing
 * @typedef {{seat: number, bag: number, population: number, traits: number}} Holding
 * @typedef {{turn: number, players: Holding[]}} TurnEnd
 *
 * Messages of the server on a table's WebSocket:
 *
 * @typedef {{type: "welcome", version: number, token: string}} Welcome
 * @typedef {{type: "refused", text: string}} Refused
 * @typedef {{type: "room", id: string, title: string, private: boolean, time: string,
 *   stage: "open" | "playing" | "over", places: Place[], you: number | null, host: boolean, watchers: number,
 *   port: number | null, next: string | null, game: string | null, seal: string | null, trouble: string}} RoomMessage
 * @typedef {{type: "table", turn: number, phase: "choose" | "feed" | "over", watering_hole: number, deck: number,
 *   players: Player[], asked: Awaited[], me: Me | null, lines: Line[], whole: boolean}} TableMessage
 * @typedef {{type: "choose", id: number, seconds: number | null, bank: number | null, turn: number, deck: number,
 *   watering_hole: number, me: Me, before: Them[], after: Them[]}} ChooseAsked
 * @typedef {{type: "feed", id: number, seconds: number | null, bank: number | null, turn: number, deck: number,
 *   watering_hole: number, me: Me, others: Them[], options: Feeding[]}} FeedAsked
 * @typedef {{type: "meals", id: number, grazing: Objection[], storing: Objection[],
 *   attacks: (Objection & {board: number, seat: number, target: number})[]}} Meals
 * @typedef {{rule: string | null, text: string | null}} Objection
 * @typedef {{type: "checked", ref: number, rule: string | null, text: string | null, boards: Board[],
 *   places: Spot[]}} Checked
 * @typedef {Objection & ({use: "food"} | {use: "population", board: number} | {use: "body", board: number}
 *   | {use: "board"} | {use: "new-trait", board: number} | {use: "trait", board: number, slot: number})} Spot
 * @typedef {{type: "objection", id: number, rule: string, text: string}} Objected
 * @typedef {{type: "done", id: number}} Done
 * @typedef {{type: "hint", id: number, bot: string, answer: Move}} Hint
 * @typedef {{type: "end", game: string, ranking: Standing[], identities: string[], ladder: string,
 *   turns: TurnEnd[]}} End
 *
 * @typedef {Welcome | Refused | RoomMessage | TableMessage | ChooseAsked | FeedAsked | Meals | Checked | Objected
 *   | Done | Hint | End | {type: "turn" | "story" | "expelled" | "over"}} Message
 *
 * A finished game, for the replay:
 *
 * @typedef {{turn: number, phase: string, watering_hole: number, deck: number, order: number[], asked: number[],
 *   players: Player[], lines: Line[],
 *   reply: {seat: number, move: Move | {type: string}, why: string} | null}} Frame
 *   players: only those who changed since the frame before; order: who is still at the table
 * @typedef {{sealed: string | null, seed: string | null, objection: string | null}} Fair
 * @typedef {{id: string, title: string, names: string[], identities: string[], ranking: Standing[], turns: TurnEnd[],
 *   frames: Frame[], fair: Fair}} Replay
 *
 * @typedef {{rules: Record<string, {title: string, text: string}>,
 *   traits: Record<Trait, {rule: string, text: string}>}} Rulebook
 */
export {};
