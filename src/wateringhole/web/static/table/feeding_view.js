/**
 * The possible feedings as buttons of the dock: a board that grazes, stores fat or attacks, then the prey.
 *
 * Laws: draws what it is given and decides nothing.
 *
 * @typedef {import("../shared/types.js").Feeding} Meal
 * @typedef {{board: number, letter: string, graze: boolean, fat: number, most: number, attack: boolean}} BoardOptions
 *   fat: the tokens that the player has set, most: the tokens that it may set
 * @typedef {{seat: number, target: number, name: string, board: import("../shared/types.js").Board}} Prey
 * @typedef {{answer: (meal: Meal) => void, hunt: (board: number, byKey: boolean) => void,
 *   changeFat: (board: number, by: number) => void, back: () => void}} FeedingActs
 */

import { boardFacts } from "../pieces/pieces.js";
import { h } from "../shared/dom.js";
import { glyphButton, uiGlyph } from "../shared/glyphs.js";
import { text } from "../shared/text.js";

/**
 * A button for each feeding that the boards may do.
 *
 * @param {BoardOptions[]} boards
 * @param {Meal | null} hinted
 * @param {FeedingActs} acts
 * @returns {HTMLElement[]}
 */
export function feedingButtons(boards, hinted, acts) {
  return boards.flatMap((options) => {
    const { board, letter, graze, most, attack } = options;
    const marked = (/** @type {Meal["move"]} */ move) => marks(`${move}:${board}`, isHinted(hinted, move, board));
    return [
      graze ? glyphButton("food", text("feeding.graze", { letter }), { ...marked("graze"),
        onclick: () => acts.answer({ move: "graze", board }) }) : null,
      most > 0 ? fatControl(options, marked("store"), acts) : null,
      attack ? glyphButton("target", text("feeding.attack", { letter }), { ...marked("attack"),
        onclick: (event) => acts.hunt(board, isByKey(event)) }) : null,
    ].filter((control) => control !== null);
  });
}

/**
 * A button for each prey, and the way back to the boards.
 *
 * @param {number} board  the attacker
 * @param {Prey[]} prey
 * @param {Meal | null} hinted
 * @param {FeedingActs} acts
 * @returns {HTMLElement[]}
 */
export function preyButtons(board, prey, hinted, acts) {
  const hint = hinted?.move === "attack" && hinted.board === board ? hinted : null;
  const buttons = prey.map(({ seat, target, name, board: hunted }) => {
    const here = `${seat}:${target}`;
    return h("button", { class: "feed prey", type: "button", "data-prey": here, "data-key": `prey:${here}`,
      "data-hunter": board, "data-hint": hint?.seat === seat && hint.target === target, "data-seat": seat,
      onclick: () => acts.answer({ move: "attack", board, seat, target }) },
      uiGlyph("target"), h("span", { class: "prey-words" },
        h("span", { class: "prey-name" }, text("feeding.prey", { name, letter: hunted.letter })), " ",
        h("small", {}, boardFacts(hunted))));
  });
  const back = glyphButton("undo", text("feeding.back"), { class: "quiet feed", "data-key": "back", id: "attack-back",
    onclick: () => acts.back() });
  return [...buttons, back];
}

/**
 * The bar after a decline, until it is sent.
 *
 * @param {number} seconds
 * @param {() => void} undo
 * @returns {HTMLElement[]}
 */
export function declinedBar(seconds, undo) {
  return [
    h("p", { class: "declined" }, text("feeding.declined")),
    glyphButton("undo", text("feeding.undo", { seconds }), { id: "undo-decline", class: "feed",
      "data-key": "undo-decline", onclick: undo }),
  ];
}

/** @param {BoardOptions} options @param {import("../shared/dom.js").Attributes} marked @param {FeedingActs} acts */
function fatControl({ board, letter, fat, most }, marked, { answer, changeFat }) {
  const store = glyphButton("fat", text("feeding.store", { letter, count: fat }), { ...marked,
    onclick: () => answer({ move: "store", board, tokens: fat }) });
  if (most === 1) return store;
  /** @param {string} sign @param {number} by @param {string} label @param {boolean} off */
  const step = (sign, by, label, off) => h("button", { class: "quiet fat-step", type: "button", "data-fat": by,
    "data-key": `fat:${by}:${board}`, "aria-label": label, "aria-disabled": off ? "true" : null,
    onclick: () => changeFat(board, by) }, sign);
  return h("div", { class: "fat-control", role: "group" },
    step("\u2212", -1, text("feeding.less", { letter }), fat <= 1), store,
    step("+", 1, text("feeding.more", { letter }), fat >= most));
}

/** @param {string} name @param {boolean} hinted @returns {import("../shared/dom.js").Attributes} */
function marks(name, hinted) {
  return { "data-feed": name, "data-key": name, "data-hint": hinted, class: "feed" };
}

/** @param {Meal | null} hinted @param {Meal["move"]} move @param {number} board */
function isHinted(hinted, move, board) {
  return hinted?.move === move && "board" in hinted && hinted.board === board;
}

/** A click without a pointer is the Enter key. @param {Event} event */
function isByKey(event) {
  return /** @type {MouseEvent} */ (event).detail === 0;
}
