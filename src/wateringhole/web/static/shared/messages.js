/**
 * The messages of a tab's WebSocket and a finished game as types, written by `make documents` from
 * web/page_messages.py, web/tab_messages.py and web/replay_messages.py. Nothing here runs.
 *
 * @typedef {"ambush" | "burrowing" | "carnivore" | "climbing" | "cooperation" | "fat-tissue" | "fertile" |
 *   "foraging" | "hard-shell" | "herding" | "horns" | "long-neck" | "pack-hunting" | "scavenger" | "symbiosis" |
 *   "warning-call"} Trait
 * @typedef {"exception" | "timeout" | "disconnected" | "unsolicited" | "bad-utf8" | "bad-json" | "too-big" | "shape"
 *   | "illegal" | "slow-reader" | "exited" | "memory" | "server-error"} Reason
 * @typedef {[number, Trait]} Face
 * @typedef {"bot" | "client" | "person"} Kind
 * @typedef {"away" | "empty" | "here" | "out" | "stand-in"} Presence
 * @typedef {"open" | "over" | "playing"} RoomStage
 * @typedef {TurnStarted | BoardGiven | CardsDealt | Revealed | Bred | FatMoved | FatStored | Ate | Attacked |
 *   AnimalLost | Starved | Extinct | Declined | OutOfOptions | TurnEnded | Expelled | GameOver} Event
 * @typedef {MostFood | TraitSpared | BoardsBringCards | BestTraits | SpareAnimals | EatsTokens | EatsMost | HasBegun
 *   | PreyLosesAnimal | PreyDiesOut | HunterLosesNothing | HunterLosesAnimal | HunterDiesOut | NoMealLeft |
 *   AttacksCostMore} MoveReason
 * @typedef {TabSignUp | TokenSeen | MoveAnswer | CheckPlan | HintWanted | SeatBack | BeginGame | ChangeSeat |
 *   LeaveTable | StandIn | Rematch} PageSays
 * @typedef {TabWelcome | TabRefused | RoomMessage | NewTable | Snapshot | EventsTold | SeatsAsked | ChooseCards |
 *   FeedBoards | PlanChecked | MoveObjection | MoveHint | RequestDone | GameEnd} ServerSays
 * @typedef {{type: "AnimalLost", seat: number, board: number, population: number, rule: string}} AnimalLost
 * @typedef {{type: "Ate", seat: number, board: number, tokens: number, rule: string}} Ate
 * @typedef {{move: "attack", board: number, seat: number, target: number}} Attack
 * @typedef {{type: "Attacked", seat: number, board: number, target_seat: number, target: number, rule: string}}
 *   Attacked
 * @typedef {{reason: "attacks-cost-more"}} AttacksCostMore
 * @typedef {{seat: number, seconds: number | null}} AwaitedSeat
 * @typedef {{type: "begin"}} BeginGame
 * @typedef {{reason: "best-traits", traits: Trait[]}} BestTraits
 * @typedef {{population: number, body: number, food: number, fat_food: number, traits: Trait[]}} Board
 * @typedef {{type: "BoardGiven", seat: number, rule: string}} BoardGiven
 * @typedef {{reason: "boards-bring-cards", boards: number}} BoardsBringCards
 * @typedef {{type: "Bred", seat: number, board: number, population: number, rule: string}} Bred
 * @typedef {{food?: number | null, population?: Growth[], body?: Growth[], boards?: NewBoard[], traits?:
 *   Replacement[]}} CardPlan
 * @typedef {{move: "play", food: number, population?: Growth[], body?: Growth[], boards?: NewBoard[], traits?:
 *   Replacement[]}} CardPlay
 * @typedef {{type: "CardsDealt", seat: number, cards: number, rule: string}} CardsDealt
 * @typedef {{kind: Kind, bot?: string}} Chair
 * @typedef {{type: "change", seat: number, chair: Chair}} ChangeSeat
 * @typedef {{type: "check", plan: CardPlan, card?: number | null, ref?: number}} CheckPlan
 * @typedef {{type: "choose", id: number, seconds: number | null, showing: number}} ChooseCards
 * @typedef {{move: "decline"}} Decline
 * @typedef {{type: "Declined", seat: number, rule: string}} Declined
 * @typedef {{reason: "eats-most", tokens: number}} EatsMost
 * @typedef {{reason: "eats-tokens", tokens: number}} EatsTokens
 * @typedef {{type: "events", events: Event[], hand?: Face[], bag?: number}} EventsTold
 * @typedef {{type: "Expelled", seat: number, fault: Fault}} Expelled
 * @typedef {{type: "Extinct", seat: number, board: number, cards: number, rule: string}} Extinct
 * @typedef {{sealed: string | null, seed: string | null, objection: string | null}} FairDeal
 * @typedef {{type: "FatMoved", seat: number, board: number, tokens: number, rule: string}} FatMoved
 * @typedef {{type: "FatStored", seat: number, board: number, tokens: number, rule: string}} FatStored
 * @typedef {{move: "fault", reason: Reason, text: string, rule?: string, during?: "" | "choose" | "feed" | "start"}}
 *   Fault
 * @typedef {{reason: Reason, text: string, rule: string}} FaultShown
 * @typedef {{type: "feed", id: number, seconds: number | null, showing: number, grazing: (PlanVerdict | null)[],
 *   storing: number[], attacks: PreyVerdict[]}} FeedBoards
 * @typedef {Graze | StoreFat | Attack | Decline} Feeding
 * @typedef {{type: "end", game: string, ranking: ScoreRow[], identities: string[], ladder: LadderVerdict, turns:
 *   TurnEnd[]}} GameEnd
 * @typedef {{type: "GameOver", ranking: Standing[], rule: string}} GameOver
 * @typedef {{move: "graze", board: number}} Graze
 * @typedef {{board: number, card: number}} Growth
 * @typedef {{reason: "has-begun"}} HasBegun
 * @typedef {{type: "hint", id: number}} HintWanted
 * @typedef {{seat: number, bag: number, population: number, traits: number}} Holding
 * @typedef {{reason: "hunter-dies-out"}} HunterDiesOut
 * @typedef {{reason: "hunter-loses-animal"}} HunterLosesAnimal
 * @typedef {{reason: "hunter-loses-nothing"}} HunterLosesNothing
 * @typedef {{uncounted: "alone" | "private" | "same" | "unfinished" | null, unrated: UnratedSeat[]}} LadderVerdict
 * @typedef {{type: "leave"}} LeaveTable
 * @typedef {{reason: "most-food", card: number, food: number}} MostFood
 * @typedef {CardPlay | Graze | StoreFat | Attack | Decline} Move
 * @typedef {{type: "answer", id: number, answer: Move}} MoveAnswer
 * @typedef {{type: "hint", id: number, bot: string, answer: Move, reasons: MoveReason[]}} MoveHint
 * @typedef {{type: "objection", id: number, rule: string, text: string}} MoveObjection
 * @typedef {{pay: number, traits?: number[]}} NewBoard
 * @typedef {{type: "new_table", table: string, token: string}} NewTable
 * @typedef {{reason: "no-meal-left"}} NoMealLeft
 * @typedef {{type: "OutOfOptions", seat: number, rule: string}} OutOfOptions
 * @typedef {{seat: number, hand: Face[], bag: number}} OwnHand
 * @typedef {{type: "checked", ref: number, rule: string | null, text: string | null, boards: Board[], places:
 *   SpotVerdict[]}} PlanChecked
 * @typedef {{rule: string | null, text: string | null}} PlanVerdict
 * @typedef {{reason: "prey-dies-out"}} PreyDiesOut
 * @typedef {{reason: "prey-loses-animal"}} PreyLosesAnimal
 * @typedef {{board: number, seat: number, target: number, rule: string | null, text: string | null}} PreyVerdict
 * @typedef {{type: "rematch"}} Rematch
 * @typedef {{board: number, slot: number, card: number}} Replacement
 * @typedef {{id: string, title: string, names: string[], identities: string[], watering_hole: number, deck: Face[],
 *   steps: ReplayStep[], ranking: ScoreRow[], turns: TurnEnd[], fair: FairDeal}} Replay
 * @typedef {{seat: number, move: Move | Fault, why?: string}} ReplayReply
 * @typedef {{reply: ReplayReply | null, events: Event[], asked: number[]}} ReplayStep
 * @typedef {{type: "done", id: number}} RequestDone
 * @typedef {{type: "Revealed", seat: number, food: Face, watering_hole: number, boards: Trait[][], replaced:
 *   [number, number, Trait][], population: number[], body: number[], rule: string}} Revealed
 * @typedef {{type: "room", id: string, title: string, private: boolean, time: string, stage: RoomStage, places:
 *   SeatPlace[], you: number | null, host: boolean, watchers: number, port: number | null, ready: number[],
 *   undecided: number[], next: string | null, game: string | null, seal: string | null, trouble: Trouble | null}}
 *   RoomMessage
 * @typedef {{seat: number, name: string, rank: number | null, score: number | null, bag: number, population: number,
 *   traits: number, fault: FaultShown | null}} ScoreRow
 * @typedef {{type: "back"}} SeatBack
 * @typedef {{seat: number, kind: Kind, name: string, bot: string, presence: Presence}} SeatPlace
 * @typedef {{type: "asked", seats: AwaitedSeat[]}} SeatsAsked
 * @typedef {{type: "snapshot", names: string[], turn: number, phase: "choose" | "feed" | "over", watering_hole:
 *   number, deck: number, players: Them[], me: OwnHand | null, events: Event[]}} Snapshot
 * @typedef {{reason: "spare-animals", animals: number}} SpareAnimals
 * @typedef {{use: "board" | "body" | "food" | "new-trait" | "population" | "trait", board?: number, slot?: number,
 *   rule: string | null, text: string | null}} SpotVerdict
 * @typedef {{type: "stand_in", seat: number}} StandIn
 * @typedef {{seat: number, name: string, rank: number | null, score: number | null, fault: Fault | null}} Standing
 * @typedef {{type: "Starved", seat: number, board: number, population: number, rule: string}} Starved
 * @typedef {{move: "store", board: number, tokens: number}} StoreFat
 * @typedef {{type: "refused", text: string}} TabRefused
 * @typedef {{type: "sign_up", wateringhole: number, name?: string, key?: string, token?: string, watch?: boolean}}
 *   TabSignUp
 * @typedef {{type: "welcome", version: number, token: string}} TabWelcome
 * @typedef {{seat: number, boards: Board[], cards: number}} Them
 * @typedef {{type: "seen"}} TokenSeen
 * @typedef {{reason: "trait-spared", card: number, food: number, trait: Trait}} TraitSpared
 * @typedef {{kind: "address" | "mistake" | "stopped" | "tables" | "unkept", why: string, count: number}} Trouble
 * @typedef {{turn: number, players: Holding[]}} TurnEnd
 * @typedef {{type: "TurnEnded", turn: number, watering_hole: number, rule: string}} TurnEnded
 * @typedef {{type: "TurnStarted", turn: number, order: number[], watering_hole: number, deck: number}} TurnStarted
 * @typedef {{name: string, why: "namesake" | "stand-in"}} UnratedSeat
 */
export {};
