/**
 * The player's own side: its boards, each with room for controls beneath, and its hand.
 *
 * Laws: draws what it is given.
 *
 * @typedef {{state?: string | null, compact?: boolean, planned?: {population: number, body: number},
 *   controls?: Node[]}} BoardDress  how an own board is shown
 * @typedef {{boards: import("../shared/types.js").Board[], dresses: BoardDress[], used: number[]}} PlayedSide
 *   boards: as the cards that were played leave them
 */

import { piece } from "../pieces/pieces.js";
import { byId, h, redraw } from "../shared/dom.js";
import { text } from "../shared/text.js";
import { explain } from "../shared/tooltips.js";
import { traitName, traitText } from "../shared/trait_text.js";

const VIEW_GAP = 8;
/** dock.css lays the hand in so many rows at most. */
const MAX_HAND_ROWS = 4;
/**
 * The data that a root shows while nothing is asked: to draw them for each event, only to find them equal, takes long.
 *
 * @type {WeakMap<HTMLElement, string>}
 */
const quietlyDrawn = new WeakMap();

/**
 * One of the own boards.
 *
 * @param {import("../shared/types.js").Board} board
 * @param {number} seat
 * @param {number} index
 * @param {BoardDress} dress
 * @returns {HTMLElement}
 */
export function ownBoard(board, seat, index, { state = null, compact = false, planned, controls = [] }) {
  const drawn = piece("wh-board", { board, seat, index, planned });
  if (state) drawn.dataset.state = state;
  drawn.toggleAttribute("compact", compact);
  return h("div", { class: compact ? "own-board beside" : "own-board", "data-board": index, role: "group",
    "aria-label": text("choosing.own-board", { letter: board.letter }) },
    drawn, controls.length ? h("div", { class: "controls" }, ...controls) : null);
}

/**
 * Put the own boards there; fewer boards are drawn larger.
 *
 * @param {HTMLElement} root
 * @param {HTMLElement[]} boards
 * @param {{before?: HTMLElement[], after?: HTMLElement[]}} [tiles]
 */
export function layBoards(root, boards, { before = [], after = [] } = {}) {
  quietlyDrawn.delete(root);
  root.style.setProperty("--boards", String(Math.max(1, boards.length)));
  redraw(root, [...before, ...boards, ...after]);
}

/**
 * The own side when nothing is asked.
 *
 * @param {import("../shared/types.js").Me} me
 * @param {PlayedSide | null} played
 */
export function drawQuietSide(me, played) {
  drawQuietHand(me.hand, played);
  const { seat } = me;
  const { boards, dresses } = played ?? { boards: me.boards, dresses: [] };
  drawOnce(byId("mine"), { boards, seat, dresses }, () => layBoards(byId("mine"),
    boards.map((board, index) => ownBoard(board, seat, index, dresses[index] ?? {}))));
}

/** Draw, unless the root shows these data already. @param {HTMLElement} root @param {unknown} data @param {() => void} draw */
function drawOnce(root, data, draw) {
  const wanted = JSON.stringify(data);
  if (quietlyDrawn.get(root) === wanted) return;
  draw();
  quietlyDrawn.set(root, wanted);
}

/**
 * The hand, a fan of buttons: one row, unless a finger could not tell so many cards apart. The style sheet is told how
 * many cards a row has, by the number of rows.
 *
 * @param {HTMLElement} root
 * @param {import("../shared/types.js").Face[]} hand
 * @param {boolean} active  whether the cards can be taken
 */
export function drawHand(root, hand, active) {
  quietlyDrawn.delete(root);
  for (let rows = 1; rows <= MAX_HAND_ROWS; rows += 1) {
    root.style.setProperty(`--row-of-${rows}`, String(Math.max(1, Math.ceil(hand.length / rows))));
  }
  redraw(root, hand.map((face, index) => handCard(face, index, active)));
}

/** The hand when no card can be taken. @param {import("../shared/types.js").Face[]} hand @param {PlayedSide | null} [played] */
export function drawQuietHand(hand, played = null) {
  const used = played?.used ?? [];
  drawOnce(byId("hand"), { hand, used }, () => {
    drawHand(byId("hand"), hand, false);
    for (const card of used) byId("hand").querySelector(`[data-card="${card}"] wh-card`)?.setAttribute("data-state", "used");
  });
}

/**
 * A hand card in a button. The button is the part of the card that its neighbour leaves open, so it has the tip.
 *
 * @param {import("../shared/types.js").Face} face
 * @param {number} index
 * @param {boolean} active
 * @returns {HTMLButtonElement}
 */
function handCard(face, index, active) {
  const button = h("button", { class: "hand-card", type: "button", "data-card": index, "data-key": `card:${index}`,
    "aria-disabled": active ? null : "true" }, piece("wh-card", { face, index }));
  const [, trait] = face;
  explain(button, () => ({ heading: traitName(trait), text: traitText(trait) }));
  return button;
}

/** Scroll the own boards between the header and the dock, unless they are there. */
export function showOwnBoards() {
  showInBand([byId("mine")]);
}

/** Scroll these, or at least the first, between the header and the dock, unless they are there. @param {Element[]} elements */
export function showInBand(elements) {
  const top = byId("top").getBoundingClientRect().bottom + VIEW_GAP;
  const bottom = byId("dock").getBoundingClientRect().top - VIEW_GAP;
  const boxes = elements.map((element) => element.getBoundingClientRect());
  const first = Math.min(...boxes.map((box) => box.top));
  const last = Math.max(...boxes.map((box) => box.bottom));
  const lower = Math.max(0, last - bottom);
  const by = first - lower < top ? first - top : lower;
  if (by !== 0) scrollBy({ top: by, behavior: "instant" });
}

/**
 * While cards are chosen, the dock may grow: by a refusal, by the plan. Own boards that were above it stay there. On a small
 * screen it grows with each card that is placed, and the boards stay where the finger is.
 */
function keepAboveDock() {
  const wide = matchMedia("(min-width: 60.01rem)");
  let height = 0;
  new ResizeObserver(() => {
    const dock = byId("dock").getBoundingClientRect();
    const grown = height > 0 ? dock.height - height : 0;
    height = dock.height;
    if (grown <= 0 || !wide.matches || document.body.dataset.phase !== "choose") return;
    const { bottom } = byId("mine").getBoundingClientRect();
    if (bottom > dock.top && bottom <= dock.top + grown) showOwnBoards();
  }).observe(byId("dock"));
}

/** The focus waits here when what had it goes: after an answer. */
export function focusDock() {
  byId("dock").focus({ preventScroll: true });
}

/**
 * What choosing cards draws into; on a small screen the list of the plan is folded.
 *
 * @param {{undo: HTMLElement, clear: HTMLElement, play: HTMLElement}} buttons
 */
export function choosingRoom({ undo, clear, play }) {
  if (matchMedia("(max-width: 44rem)").matches) byId("plan-box").removeAttribute("open");
  keepAboveDock();
  return { mine: byId("mine"), hand: byId("hand"), plan: byId("plan"), planCount: byId("plan-count"),
    planState: byId("plan-state"), putBack: byId("put-back"), undo, clear, play };
}

/** What feeding draws into. */
export function feedingRoom() {
  return { mine: byId("mine"), others: byId("others"), tray: byId("feed-tray"), state: byId("feed-state"),
    options: byId("feed-options"), decline: byId("decline") };
}
