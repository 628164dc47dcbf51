/**
 * Feeding: which own board does what, and whom it attacks.
 *
 * Laws: what each board may do, and why it may not, comes with the request. Nothing is worked out here.
 *
 * @typedef {import("../shared/types.js").Feeding} Meal
 * @typedef {{rule: string, text: string}} Refusal
 */

import { focusOn, h, redraw } from "../shared/dom.js";
import { glyphButton, uiGlyph } from "../shared/glyphs.js";
import { asSentence, hideReason, showReason, speak } from "../shared/notices.js";
import { explain } from "../shared/tooltips.js";
import { drawTargets, wipeTargets } from "./attack_targets.js";
import { hideHint, showFeedingHint } from "./hint_line.js";
import { ownBoard } from "./own_side.js";

export class Feeding {
  /** @type {import("../shared/messages.js").FeedBoards | null} */
  #asked = null;
  /** @type {import("../shared/types.js").Me | null} */
  #me = null;
  /** @type {number | null} */
  #attacker = null;
  /** @type {Meal | null} */
  #hinted = null;
  #sending = false;
  /** How much fat the player has set, by board. @type {Map<number, number>} */
  #fat = new Map();

  /**
   * @param {{mine: HTMLElement, state: HTMLElement, decline: HTMLElement}} room
   * @param {import("./opponents.js").Opponents} opponents
   * @param {(value: import("../shared/messages.js").PageSays) => boolean} send
   */
  constructor(room, opponents, send) {
    this.room = room;
    this.opponents = opponents;
    this.send = send;
    room.decline.addEventListener("click", () => this.#answer({ move: "decline" }));
    room.mine.addEventListener("click", (event) => this.#clickedBoard(event));
  }

  get asked() {
    return this.#asked;
  }

  /** @param {import("../shared/messages.js").FeedBoards} asked @param {import("../shared/types.js").Me} me */
  ask(asked, me) {
    this.#asked = asked;
    this.#me = me;
    this.#attacker = null;
    this.#hinted = null;
    this.#sending = false;
    this.#fat.clear();
    this.draw();
  }

  close() {
    this.#asked = null;
    this.#attacker = null;
    wipeTargets(this.opponents);
    hideHint();
  }

  /** @param {import("../shared/messages.js").MoveObjection} objected */
  hearObjection(objected) {
    this.#sending = false;
    this.draw();
    showReason(objected.rule, objected.text);
  }

  /** @param {import("../shared/messages.js").MoveHint} hint @param {import("../shared/table_state.js").TableState} table */
  hearHint(hint, table) {
    if (!this.#asked || hint.id !== this.#asked.id || hint.answer.move === "play") return;
    const meal = hint.answer;
    this.#hinted = meal;
    if (meal.move === "store") this.#fat.set(meal.board, meal.tokens);
    this.#attacker = meal.move === "attack" ? meal.board : null;
    this.draw();
    showFeedingHint(meal, hint.reasons, table);
  }

  /** @param {string} key @returns {boolean} whether it meant something here */
  key(key) {
    if (!this.#asked) return false;
    if (key === "d") this.#answer({ move: "decline" });
    else if (key === "Escape" && this.#attacker !== null) this.#takeAttacker(null, true);
    else if (/^\d$/.test(key)) this.#feedBoard(Number(key));
    else return false;
    return true;
  }

  /** Draw the own boards and mark the others'; also after the others were drawn anew. */
  draw() {
    const me = this.#me;
    if (!this.#asked || !me) return;
    redraw(this.room.mine, me.boards.map((board, index) => ownBoard(board, me.seat, index, {
      state: index === this.#attacker ? "chosen" : this.#canFeed(index) ? "pick" : null,
      controls: this.#controls(index),
    })));
    const says = this.#attacker === null ? "Which board feeds? Grazing takes a token, and then the others follow."
      : `Board ${this.#attacker} attacks: choose its prey.`;
    this.room.state.replaceChildren(this.#sending ? "Feeding ..." : says);
    this.#drawTargets();
  }

  /** What this board may do. @param {number} index @returns {{graze: boolean, fat: number, attack: boolean}} */
  #options(index) {
    return { graze: this.#asked?.grazing[index] === null, fat: this.#asked?.storing[index] ?? 0,
      attack: this.#attacksOf(index).some(({ rule }) => rule === null) };
  }

  /** Every board of the others as prey of this one. @param {number} index */
  #attacksOf(index) {
    return this.#asked?.attacks.filter((attack) => attack.board === index) ?? [];
  }

  /** @param {number} index @returns {boolean} */
  #canFeed(index) {
    const { graze, fat, attack } = this.#options(index);
    return graze || fat > 0 || attack;
  }

  /** @param {number} index @returns {HTMLElement[]} */
  #controls(index) {
    const { graze, fat, attack } = this.#options(index);
    /** @type {HTMLElement[]} */
    const controls = [];
    if (graze) controls.push(this.#grazeButton(index));
    if (fat > 0) controls.push(this.#fatControl(index, fat));
    if (attack) controls.push(this.#attackButton(index));
    return controls.length ? controls : [this.#whyNot(index)];
  }

  /** @param {number} index */
  #grazeButton(index) {
    return glyphButton("food", "Graze", { ...this.#marks(`graze:${index}`, "graze", index),
      "aria-label": `Graze with board ${index}`, onclick: () => this.#answer({ move: "graze", board: index }) });
  }

  /** @param {number} index @param {number} most */
  #fatControl(index, most) {
    const number = h("input", { type: "number", min: 1, max: most, value: this.#fat.get(index) ?? most,
      oninput: () => this.#fat.set(index, number.valueAsNumber || most), "data-key": `tokens:${index}`,
      "aria-label": `Tokens for the fat of board ${index}, 1 to ${most}`, "data-tokens": index });
    const tokens = () => Math.min(most, Math.max(1, Math.trunc(number.valueAsNumber || most)));
    const store = () => this.#answer({ move: "store", board: index, tokens: tokens() });
    const button = glyphButton("fat", "Store fat", { ...this.#marks(`store:${index}`, "store", index),
      "aria-label": `Store fat on board ${index}`, onclick: store });
    return h("div", { class: "fat-control" }, number, button);
  }

  /** @param {number} index */
  #attackButton(index) {
    const take = (/** @type {Event} */ event) => {
      const byKey = /** @type {MouseEvent} */ (event).detail === 0;
      this.#takeAttacker(index === this.#attacker ? null : index, byKey);
    };
    return glyphButton("target", "Attack", { ...this.#marks(`attack:${index}`, "attack", index), onclick: take,
      "aria-label": `Attack with board ${index}`, "aria-pressed": index === this.#attacker ? "true" : "false" });
  }

  /** @param {string} name @param {string} move @param {number} index @returns {import("../shared/dom.js").Attributes} */
  #marks(name, move, index) {
    const hinted = this.#hinted?.move === move && "board" in this.#hinted && this.#hinted.board === index;
    return { "data-feed": name, "data-key": name, "data-hint": hinted, disabled: this.#sending, class: "feed" };
  }

  /** @param {number} index */
  #whyNot(index) {
    const { rule, text } = this.#refusal(index);
    const button = h("button", { class: "quiet why-not small", type: "button", "data-key": `none:${index}`,
      "data-feed": `none:${index}`, "data-why": asSentence(text), "data-rule": rule,
      "aria-label": `Cannot feed with board ${index}: ${asSentence(text)}`, onclick: () => showReason(rule, text) },
      uiGlyph("help"), h("span", {}, "Cannot feed"));
    explain(button, () => ({ heading: rule, text: asSentence(text) }));
    return button;
  }

  /** Why this board can do nothing: for a hunter without prey that is why the prey is safe. @param {number} index */
  #refusal(index) {
    const found = [...this.#attacksOf(index), this.#asked?.grazing[index]].find((word) => word?.rule && word.text);
    return /** @type {Refusal} */ (found ?? { rule: "feeding.options", text: "this board has no option now" });
  }

  /** @param {Event} event */
  #clickedBoard(event) {
    const board = /** @type {Element} */ (event.target).closest("wh-board")?.closest("[data-board]");
    if (this.#asked && board) this.#feedBoard(Number(board.getAttribute("data-board")));
  }

  /** Do the only thing that this board can do, or show what it can. @param {number} index */
  #feedBoard(index) {
    const buttons = [...this.room.mine.querySelectorAll(`[data-board="${index}"] [data-feed]`)];
    const [only] = buttons;
    if (buttons.length === 1 && only instanceof HTMLElement) only.click();
    else focusOn(this.room.mine, `[data-board="${index}"] [data-feed]`);
  }

  /** @param {number | null} index @param {boolean} byKey */
  #takeAttacker(index, byKey) {
    hideReason();
    const before = this.#attacker;
    this.#attacker = index;
    this.draw();
    if (index === null && byKey) focusOn(this.room.mine, `[data-feed="attack:${before}"]`);
    else if (byKey) focusOn(document, "button[data-target][data-open]");
    else document.querySelector("button[data-target][data-open]")?.scrollIntoView({ block: "nearest" });
    if (index !== null) speak(`Board ${index} attacks: choose its prey.`);
  }

  #drawTargets() {
    wipeTargets(this.opponents);
    if (this.#attacker === null || !this.#asked) return;
    const attacker = this.#attacker;
    const hinted = this.#hinted?.move === "attack" ? this.#hinted : null;
    drawTargets(this.opponents, this.#attacksOf(attacker), hinted, ({ board, seat, target, rule, text }) => {
      if (text !== null) showReason(rule, text);
      else this.#answer({ move: "attack", board, seat, target });
    });
  }

  /** @param {Meal} meal */
  #answer(meal) {
    if (!this.#asked || this.#sending) return;
    if (!this.send({ type: "answer", id: this.#asked.id, answer: meal })) return showReason(null, "the connection is lost");
    this.#sending = true;
    hideReason();
    this.draw();
  }
}
