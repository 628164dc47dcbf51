/**
 * Feeding: which own board does what, and whom it attacks.
 *
 * Laws: what each board may do, and why it may not, comes with the request. Nothing is worked out here. A decline is
 * sent after some seconds in which it can be taken back.
 *
 * @typedef {import("../shared/types.js").Feeding} Meal
 * @typedef {{rule: string | null, text: string}} Refusal
 */

import { focusOn, h, redraw } from "../shared/dom.js";
import { uiGlyph } from "../shared/glyphs.js";
import { hideReason, refusalText, showReason, speak } from "../shared/notices.js";
import { text } from "../shared/text.js";
import { explain, touchExplained } from "../shared/tooltips.js";
import { drawTargets, pressPrey, wipeTargets } from "./attack_targets.js";
import { DeclineDelay } from "./decline_delay.js";
import { declinedBar, feedingButtons, preyButtons } from "./feeding_view.js";
import { hideHint, showFeedingHint } from "./hint_line.js";
import { focusDock, layBoards, ownBoard, showInBand, showOwnBoards } from "./own_side.js";

export class Feeding {
  /** @type {import("../shared/messages.js").FeedBoards | null} */
  #asked = null;
  /** @type {import("../shared/types.js").Me | null} */
  #me = null;
  /** @type {import("../shared/table_state.js").TableState | null} */
  #table = null;
  /** When the player's clock ends, in milliseconds of this page. */
  #clockEnds = Infinity;
  /** @type {number | null} */
  #attacker = null;
  /** @type {Meal | null} */
  #hinted = null;
  #sending = false;
  /** How much fat the player has set, by board. @type {Map<number, number>} */
  #fat = new Map();
  #decline = new DeclineDelay({
    tick: () => this.draw(),
    end: () => this.#answer({ move: "decline" }),
  });

  /**
   * @param {{mine: HTMLElement, others: HTMLElement, tray: HTMLElement, state: HTMLElement, options: HTMLElement,
   *   decline: HTMLElement}} room
   * @param {import("./opponents.js").Opponents} opponents
   * @param {(value: import("../shared/messages.js").PageSays) => boolean} send
   */
  constructor(room, opponents, send) {
    this.room = room;
    this.opponents = opponents;
    this.send = send;
    this.acts = {
      answer: (/** @type {Meal} */ meal) => this.#answer(meal),
      hunt: (/** @type {number} */ board, /** @type {boolean} */ byKey) => this.#takeAttacker(board, byKey),
      changeFat: (/** @type {number} */ board, /** @type {number} */ by) => this.#changeFat(board, by),
      back: () => this.#takeAttacker(null, true),
    };
    room.decline.addEventListener("click", () => this.#declineSoon());
    room.mine.addEventListener("click", (event) => this.#clickedBoard(event));
    room.others.addEventListener("click", pressPrey);
  }

  get asked() {
    return this.#asked;
  }

  /**
   * @param {import("../shared/messages.js").FeedBoards} asked
   * @param {import("../shared/types.js").Me} me
   * @param {import("../shared/table_state.js").TableState} table  which the request is about
   */
  ask(asked, me, table) {
    const { seconds, showing } = asked;
    this.#asked = asked;
    this.#me = me;
    this.#table = table;
    this.#clockEnds = seconds === null ? Infinity : performance.now() + (seconds - showing) * 1000;
    this.#attacker = null;
    this.#hinted = null;
    this.#sending = false;
    this.#fat.clear();
    this.#decline.stop();
    this.draw();
  }

  close() {
    this.#asked = null;
    this.#attacker = null;
    this.#decline.stop();
    this.room.options.replaceChildren();
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
    if (hint.answer.move === "play" || this.#decline.left) return;
    const meal = hint.answer;
    this.#hinted = meal;
    if (meal.move === "store") this.#fat.set(meal.board, meal.tokens);
    this.#attacker = meal.move === "attack" ? meal.board : null;
    this.draw();
    this.#showAsked();
    showFeedingHint(meal, hint.reasons, table);
  }

  /** @param {string} key @returns {boolean} whether it meant something here */
  key(key) {
    if (!this.#asked) return false;
    if (this.#decline.left) {
      if (key === "Escape") this.undo();
      return key === "Escape";
    }
    if (key === "d") this.#declineSoon();
    else if (key === "Escape" && this.#attacker !== null) this.#takeAttacker(null, true);
    else if (/^[1-9]$/.test(key)) this.#feedBoard(Number(key) - 1);
    else return false;
    return true;
  }

  /** Take a decline back that is not sent yet. */
  undo() {
    if (!this.#decline.left) return;
    this.#decline.stop();
    this.draw();
    this.room.decline.focus();
  }

  /** Draw the own boards and mark the others'; also after the others were drawn anew. */
  draw() {
    const me = this.#me;
    if (!this.#asked || !me) return;
    layBoards(this.room.mine, me.boards.map((board, index) => ownBoard(board, me.seat, index, {
      state: index === this.#attacker ? "chosen" : this.#canFeed(index) ? "pick" : null,
      controls: this.#canFeed(index) ? [] : [this.#whyNot(index)],
    })));
    this.room.state.textContent = this.#says();
    this.room.decline.hidden = this.#sending || this.#decline.left > 0;
    this.room.tray.toggleAttribute("data-declined", this.#decline.left > 0);
    redraw(this.room.options, this.#buttons(me));
    this.#drawTargets();
  }

  #says() {
    if (this.#sending) return text("feeding.sending");
    if (this.#decline.left) return "";
    return this.#attacker === null ? text("feeding.ask") : text("feeding.prey.ask", { letter: this.#letter(this.#attacker) });
  }

  /** @param {import("../shared/types.js").Me} me @returns {HTMLElement[]} */
  #buttons(me) {
    const hinted = this.#hinted;
    if (this.#sending) return [];
    if (this.#decline.left) return declinedBar(this.#decline.left, () => this.undo());
    if (this.#attacker !== null) {
      const open = this.#attacksOf(this.#attacker).filter(({ rule }) => rule === null);
      return preyButtons(this.#attacker, open.flatMap((attack) => this.#prey(attack)), hinted, this.acts);
    }
    return feedingButtons(me.boards.map((_, board) => {
      const { graze, fat, attack } = this.#options(board);
      return { board, letter: this.#letter(board), graze, fat: this.#fat.get(board) ?? fat, most: fat, attack };
    }), hinted, this.acts);
  }

  /** @param {number} board */
  #letter(board) {
    return this.#me?.boards[board]?.letter ?? "";
  }

  /** A board of another player, with its owner. @param {{seat: number, target: number}} attack */
  #prey({ seat, target }) {
    const board = this.#table?.players.find((player) => player.seat === seat)?.boards[target];
    return board ? [{ seat, target, name: this.#table?.names[seat - 1] ?? "", board }] : [];
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

  /** @param {number} index */
  #whyNot(index) {
    const { rule, text: detail } = this.#refusal(index);
    const why = refusalText(rule, detail);
    const button = h("button", { class: "quiet why-not small", type: "button", "data-key": `none:${index}`,
      "data-why": why, "data-rule": rule, onclick: () => showReason(rule, detail),
      "aria-label": text("feeding.cannot.label", { letter: this.#letter(index), why }) },
      uiGlyph("help"), h("span", {}, text("feeding.cannot")));
    explain(button, () => ({ text: why }));
    return button;
  }

  /**
   * Why this board can do nothing: for a hunter without prey that is why the prey is safe.
   *
   * @param {number} index
   * @returns {Refusal}
   */
  #refusal(index) {
    const board = this.#me?.boards[index];
    if (board && board.food >= board.population) return { rule: null, text: text("feeding.full") };
    const found = [...this.#attacksOf(index), this.#asked?.grazing[index]].find((word) => word?.rule && word.text);
    return /** @type {Refusal} */ (found ?? { rule: "feeding.options", text: text("feeding.none") });
  }

  /** @param {Event} event */
  #clickedBoard(event) {
    const board = /** @type {Element} */ (event.target).closest("wh-board")?.closest("[data-board]");
    if (this.#asked && board && !touchExplained()) this.#feedBoard(Number(board.getAttribute("data-board")));
  }

  /** Do the only thing that this board can do, or lead to what it can; say why if there is nothing. @param {number} index */
  #feedBoard(index) {
    if (this.#sending || this.#decline.left || !this.#me?.boards[index]) return;
    if (!this.#canFeed(index)) {
      const { rule, text: why } = this.#refusal(index);
      return showReason(rule, why);
    }
    if (this.#attacker !== null) this.#takeAttacker(null, false);
    const buttons = [...this.room.options.querySelectorAll(`[data-feed$=":${index}"]`)];
    const [only] = buttons;
    if (buttons.length === 1 && only instanceof HTMLElement) only.click();
    else focusOn(this.room.options, `[data-feed$=":${index}"]`);
  }

  /** @param {number} board @param {number} by */
  #changeFat(board, by) {
    const { fat: most } = this.#options(board);
    const tokens = Math.min(most, Math.max(1, (this.#fat.get(board) ?? most) + by));
    this.#fat.set(board, tokens);
    this.draw();
    speak(text("feeding.store", { letter: this.#letter(board), count: tokens }));
  }

  /** @param {number | null} index @param {boolean} byKey */
  #takeAttacker(index, byKey) {
    hideReason();
    const before = this.#attacker;
    this.#attacker = index;
    this.draw();
    if (index === null && byKey) focusOn(this.room.options, `[data-feed="attack:${before}"]`);
    else if (byKey) focusOn(this.room.options, "[data-prey]");
    this.#showAsked();
    if (index !== null) speak(text("feeding.prey.ask", { letter: this.#letter(index) }));
  }

  /** Scroll to what is to be chosen: the prey, or an own board. */
  #showAsked() {
    const prey = this.#attacker === null ? [] : [...this.room.others.querySelectorAll("wh-board[data-state=target]")];
    if (prey.length) showInBand(prey);
    else showOwnBoards();
  }

  #drawTargets() {
    wipeTargets(this.opponents);
    if (this.#attacker === null || !this.#asked || this.#sending || this.#decline.left) return;
    const hinted = this.#hinted?.move === "attack" ? this.#hinted : null;
    drawTargets(this.opponents, this.#attacksOf(this.#attacker), hinted, ({ board, seat, target, rule, text: why }) => {
      if (why !== null) showReason(rule, why);
      else this.#answer({ move: "attack", board, seat, target });
    });
  }

  #declineSoon() {
    if (!this.#asked || this.#sending || this.#decline.left) return;
    hideReason();
    this.#attacker = null;
    this.#decline.start((this.#clockEnds - performance.now()) / 1000);
    if (!this.#decline.left) return;
    focusOn(this.room.options, "#undo-decline");
    speak(text("feeding.declined"));
  }

  /** @param {Meal} meal */
  #answer(meal) {
    if (!this.#asked || this.#sending) return;
    if (this.send({ type: "answer", id: this.#asked.id, answer: meal })) {
      this.#sending = true;
      hideReason();
      focusDock();
    } else showReason(null, text("feeding.offline"));
    this.draw();
  }
}
