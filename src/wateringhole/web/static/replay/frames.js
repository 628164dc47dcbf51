/**
 * The frames of a replay, put together to scenes: pure data, nothing of the page.
 *
 * Laws: a scene is what the engine said, never worked out. Scenes share the players that did not change, so that any
 * step is there at once, however long the game was.
 */

/**
 * On the way from one frame to the next a turn may end; its stops show how.
 *
 * @typedef {Omit<import("../shared/types.js").Frame, "lines" | "reply"> & {told: number}} Stop
 * @typedef {import("../shared/types.js").Frame & {stops?: Stop[]}} FrameWithStops
 *
 * @typedef {{step: number, turn: number, phase: string, watering_hole: number, deck: number, order: number[],
 *   asked: number[], players: import("../shared/types.js").Player[], told: number}} Scene
 *   players: in turn order; told: how many lines of its step have been told
 * @typedef {"all" | "public" | number} Viewer  who looks: everything, what all players saw, or what this seat saw
 * @typedef {{seat: number, board: number, what: "new" | "changed"}} BoardChange
 */

/**
 * For each step its scenes; the last one is the state after the step, those before are the stops on the way.
 *
 * @param {FrameWithStops[]} frames
 * @returns {Scene[][]}
 */
export function scenesOf(frames) {
  /** @type {Map<number, import("../shared/types.js").Player>} */
  let known = new Map();
  return frames.map((frame, step) => {
    const before = known;
    known = withPlayers(before, frame.players);
    const stops = (frame.stops ?? []).map((stop) => sceneOf(stop, step, withPlayers(before, stop.players), stop.told));
    return [...stops, sceneOf(frame, step, known, frame.lines.length)];
  });
}

/**
 * @param {Map<number, import("../shared/types.js").Player>} known
 * @param {import("../shared/types.js").Player[]} changed
 */
function withPlayers(known, changed) {
  return new Map([...known, ...changed.map((player) => /** @type {const} */ ([player.seat, player]))]);
}

/**
 * @param {FrameWithStops | Stop} picture
 * @param {number} step
 * @param {Map<number, import("../shared/types.js").Player>} known
 * @param {number} told
 * @returns {Scene}
 */
function sceneOf(picture, step, known, told) {
  const players = picture.order.flatMap((seat) => known.get(seat) ?? []);
  const { turn, phase, watering_hole, deck, order, asked } = picture;
  return { step, turn, phase, watering_hole, deck, order, asked, players, told };
}

/**
 * The step at which each turn begins.
 *
 * @param {FrameWithStops[]} frames
 * @returns {{turn: number, step: number}[]}
 */
export function turnStarts(frames) {
  return frames.flatMap(({ turn }, step) => (step === 0 || frames[step - 1].turn !== turn ? [{ turn, step }] : []));
}

/**
 * A player as this viewer saw it: hands and bags are for everything and for the seat itself.
 *
 * @param {import("../shared/types.js").Player} player
 * @param {Viewer} viewer
 * @returns {import("../shared/types.js").Player}
 */
export function seenBy(player, viewer) {
  if (viewer === "all" || viewer === player.seat) return player;
  const { seat, name, boards, cards } = player;
  return { seat, name, boards, cards };
}

/**
 * The boards that are not as they were. Boards that moved up because one before them died out are the same ones.
 *
 * @param {Scene} before
 * @param {Scene} after
 * @returns {BoardChange[]}
 */
export function boardChanges(before, after) {
  return after.players.flatMap((player) => {
    const old = before.players.find(({ seat }) => seat === player.seat);
    return old === player ? [] : rowChanges(player.seat, old ? old.boards : [], player.boards);
  });
}

/**
 * @param {number} seat
 * @param {import("../shared/types.js").Board[]} before
 * @param {import("../shared/types.js").Board[]} after
 * @returns {BoardChange[]}
 */
function rowChanges(seat, before, after) {
  const old = before.map((board) => JSON.stringify(board));
  let from = 0;
  return after.flatMap((shown, board) => {
    const same = old.indexOf(JSON.stringify(shown), from);
    if (same >= 0) {
      from = same + 1;
      return [];
    }
    return [{ seat, board, what: /** @type {"new" | "changed"} */ (board < before.length ? "changed" : "new") }];
  });
}

/**
 * The step that an address names after its #, within the game; 0 when it names none.
 *
 * @param {string} hash
 * @param {number} last
 */
export function stepInHash(hash, last) {
  const named = Number.parseInt(new URLSearchParams(hash.replace(/^#/, "")).get("step") ?? "", 10);
  return Number.isNaN(named) ? 0 : Math.min(Math.max(named, 0), last);
}

/**
 * What was answered in a step, in words. A card play is told with its cards only to who may see that hand.
 *
 * @param {import("../shared/types.js").Frame} frame
 * @param {import("../shared/types.js").Player[]} players  before the step, as the viewer sees them
 * @param {string[]} names
 */
export function replyText(frame, players, names) {
  if (!frame.reply) return "The game begins.";
  const { seat, move } = frame.reply;
  const name = names[seat - 1];
  if (!("move" in move)) return `${name} fails: it ${"text" in move ? move.text : ""}.`;
  if (move.move !== "play") return `${name} ${feedingText(move, names)}.`;
  const hand = players.find((player) => player.seat === seat)?.hand;
  return hand ? `${name} chooses: ${playText(move, hand)}.` : `${name} has chosen.`;
}

/**
 * @param {import("../shared/types.js").Feeding} move
 * @param {string[]} names
 */
function feedingText(move, names) {
  switch (move.move) {
    case "graze":
      return `lets board ${move.board} graze`;
    case "store":
      return `stores ${move.tokens} on board ${move.board}`;
    case "attack":
      return `attacks ${names[move.seat - 1]}'s board ${move.target} with board ${move.board}`;
    case "decline":
      return "declines to feed";
  }
}

/**
 * @param {import("../shared/types.js").CardPlay} play
 * @param {import("../shared/types.js").Face[]} hand
 */
function playText(play, hand) {
  return [
    `${faceText(hand[play.food])} for the watering hole`,
    ...(play.boards ?? []).map((board) => newBoardText(board, hand)),
    ...(play.traits ?? []).map(({ board, slot, card }) => `${traitText(hand[card])} in slot ${slot} of board ${board}`),
    ...(play.population ?? []).map(({ board }) => `an animal for board ${board}`),
    ...(play.body ?? []).map(({ board }) => `body for board ${board}`),
  ].join(", ");
}

/**
 * @param {import("../shared/types.js").NewBoard} board
 * @param {import("../shared/types.js").Face[]} hand
 */
function newBoardText(board, hand) {
  const traits = board.traits ?? [];
  return traits.length ? `a board with ${traits.map((card) => traitText(hand[card])).join(" and ")}` : "a bare board";
}

/** @param {import("../shared/types.js").Face | undefined} face  a play that expelled its player may name a card it never had */
function faceText(face) {
  return face ? `${face[0] > 0 ? "+" : ""}${face[0]} ${face[1]}` : "a card that is not there";
}

/** @param {import("../shared/types.js").Face | undefined} face */
function traitText(face) {
  return face ? face[1] : "a card that is not there";
}

/**
 * Where the replay stands, in words.
 *
 * @param {Scene} scene
 * @param {number} last
 * @param {string} what
 */
export function placeText(scene, last, what) {
  return `turn ${scene.turn}, step ${scene.step} of ${last}: ${what}`;
}

/**
 * What a phase is called at a stop or at the end of a step.
 *
 * @param {string} phase
 */
export function phaseText(phase) {
  /** @type {Record<string, string>} */
  const texts = {
    choose: "All players choose cards",
    feed: "Feeding",
    fed: "All have fed",
    "turn over": "The turn is over",
    over: "The game is over",
  };
  return texts[phase] ?? phase;
}
