/**
 * Choosing cards: the hand, the places, the plan, and the one button that plays it.
 *
 * Laws: the plan is the page's, every judgement the server's. Each change of the plan and each card that is taken is
 * asked about (`check`); a place that is chosen before the answer has come waits for it. What is refused changes
 * nothing. The plan survives a reload of the page.
 *
 * @typedef {{mine: HTMLElement, hand: HTMLElement, plan: HTMLElement, planCount: HTMLElement, planState: HTMLElement,
 *   putBack: HTMLElement, undo: HTMLElement, clear: HTMLElement, play: HTMLElement}} ChoosingRoom
 */

import { focusOn, redraw } from "../shared/dom.js";
import { hideReason, showReason, speak } from "../shared/notices.js";
import { note, noted } from "../shared/storage.js";
import { boardLetter, plannedBoards } from "../shared/table_state.js";
import { text } from "../shared/text.js";
import { traitName, traitText } from "../shared/trait_text.js";
import { placeName, placeTarget } from "./card_places.js";
import { listenForCards } from "./choosing_input.js";
import { drawPlanCount, drawPlannedBoards, drawPlanState, markHand, playedSide } from "./choosing_view.js";
import { hideHint, showPlanHint } from "./hint_line.js";
import { drawHand, focusDock, showOwnBoards } from "./own_side.js";
import { cleared, draftOf, emptyPlan, planFromMove, restoredPlan, savedPlan, undone, withCard } from "./plan.js";
import { withEntryMoved, withoutCard, withoutEntry } from "./plan.js";
import { planItems } from "./plan_list.js";
import { isUseLetter, readSpelling } from "./spelling.js";

export class Choosing {
  /** What was played, until the cards are revealed. @type {import("./own_side.js").PlayedSide | null} */
  played = null;
  /** @type {import("../shared/messages.js").ChooseCards | null} */
  #asked = null;
  /** @type {import("../shared/types.js").Me | null} */
  #me = null;
  #plan = emptyPlan(0);
  /** @type {number | null} */
  #picked = null;
  #ref = 0;
  /** @type {"idle" | "asking" | "answered"} */
  #moment = "idle";
  /** @type {Map<string, import("./card_places.js").Word>} */
  #words = new Map();
  /** @type {import("../shared/types.js").Board[]} */
  #boards = [];
  /** @type {import("./card_places.js").Word} */
  #verdict = { rule: null, text: null };
  /** What to do with the answer: a place chosen in advance, letters spelled in advance, the focus to move. */
  #then = { place: /** @type {string | null} */ (null), spelled: "", focus: false, dragged: false };
  #sending = false;
  /** Whether the server has left the page waiting for an answer. */
  #stalled = false;
  /** Whether the next answer of the server is about a plan that the player has not made. */
  #hinted = false;

  /**
   * @param {ChoosingRoom} room
   * @param {(value: import("../shared/messages.js").PageSays) => boolean} send
   * @param {string} table
   */
  constructor(room, send, table) {
    this.room = room;
    this.send = send;
    this.table = table;
    room.undo.addEventListener("click", () => this.undo());
    room.clear.addEventListener("click", () => this.clear());
    room.play.addEventListener("click", () => this.play());
    room.putBack.addEventListener("click", () => this.#putBack());
    room.plan.parentElement?.addEventListener("toggle", () => this.#drawPlanCount());
    listenForCards(room, {
      press: (card, byKey) => (card === this.#picked ? this.#release() : this.#pick(card, byKey)),
      take: (card) => this.#pick(card, false),
      place: (name) => this.place(name),
      remove: (entry) => this.#change(withoutEntry(this.#plan, entry)),
      drop: (name) => this.#dropped(name),
      face: (card) => this.#me?.hand[card],
    });
  }

  get asked() {
    return this.#asked;
  }

  get picking() {
    return this.#picked !== null;
  }

  /**
   * The server asks, perhaps again after a lost connection.
   *
   * @param {import("../shared/messages.js").ChooseCards} asked
   * @param {import("../shared/types.js").Me} me
   */
  ask(asked, me) {
    const { boards, hand } = me;
    if (this.#asked?.id !== asked.id) {
      this.#plan = restoredPlan(noted(this.#memory(asked.id)), boards.length, hand.length) ?? emptyPlan(boards.length);
    }
    this.#asked = asked;
    this.#me = me;
    this.#sending = false;
    this.#boards = boards;
    drawHand(this.room.hand, hand, true);
    this.#release();
  }

  /** Nothing is asked any more; a plan that was played is forgotten. @param {boolean} played */
  close(played) {
    if (this.#asked && played) note(this.#memory(this.#asked.id), null);
    // A bot that stands in plays something else.
    this.played = played && this.#asked && this.#sending && this.#me ? playedSide(this.#view(this.#me)) : null;
    this.#sending = false;
    this.#asked = null;
    this.#picked = null;
    delete document.body.dataset.picked;
    this.room.plan.replaceChildren();
    this.room.planState.replaceChildren();
    hideHint();
  }

  /** @param {import("../shared/messages.js").PlanChecked} checked */
  hearChecked(checked) {
    if (!this.#asked || !this.#me || checked.ref !== this.#ref) return;
    this.#boards = plannedBoards(this.#me, checked.boards);
    this.#verdict = { rule: checked.rule, text: checked.text };
    this.#words = new Map(checked.places.map((spot) => [placeName(spot), { rule: spot.rule, text: spot.text }]));
    this.#moment = this.#picked === null ? "idle" : "answered";
    this.#draw();
    this.#goOn();
    if (this.#hinted) requestAnimationFrame(showOwnBoards);
    this.#hinted = false;
  }

  /** @param {import("../shared/messages.js").MoveObjection} objected */
  hearObjection(objected) {
    this.#sending = false;
    this.#draw();
    showReason(objected.rule, objected.text);
  }

  /** @param {import("../shared/messages.js").MoveHint} hint @param {import("../shared/table_state.js").TableState} table */
  hearHint(hint, table) {
    if (hint.answer.move !== "play") return;
    const replaced = this.#plan.entries.length > 0;
    this.#change(planFromMove(this.#plan, hint.answer));
    showPlanHint(hint.reasons, table, replaced, () => this.undo());
    this.#hinted = true;
  }

  undo() {
    this.#change(undone(this.#plan));
  }

  clear() {
    this.#change(cleared(this.#plan));
  }

  play() {
    const draft = draftOf(this.#plan);
    if (!this.#asked || this.#sending) return;
    // The boards are to show the whole plan, also a card of it that was taken up again.
    if (this.#picked !== null && draft.food !== null) this.#release();
    if (draft.food === null) {
      // The card for it may be among those that wait for the server's word.
      showReason(null, this.#then.place ? text("choosing.silent") : text("choosing.food.must"));
    } else if (this.send({ type: "answer", id: this.#asked.id, answer: { move: "play", ...draft, food: draft.food } })) {
      this.#sending = true;
      hideReason();
      focusDock();
      this.#draw();
    } else {
      this.#sayOffline();
    }
  }

  /**
   * Without a connection no word on the picked card is to be expected.
   *
   * @param {import("./connection.js").ConnectionState} state
   */
  hearConnection(state) {
    this.#stalled = state === "stalled";
    if (state !== "lost" || this.#moment !== "asking") return;
    this.#moment = "idle";
    this.#draw();
  }

  /** Without a card a place does nothing, but a trait says what it is. @param {import("./plan.js").Target} target */
  #sayCardFirst(target) {
    const trait = target.use === "trait" ? this.#boards[target.board]?.traits[target.slot] : undefined;
    showReason(null, trait ? text("choosing.trait.is", { trait: traitName(trait), does: traitText(trait) })
      : text("choosing.card-first"));
  }

  #sayOffline() {
    showReason(null, text("choosing.offline"));
  }

  /** Put the picked card there, or say why not. @param {string} name */
  place(name) {
    if (!this.#asked) return;
    if (this.#picked === null) return this.#sayCardFirst(placeTarget(name));
    if (this.#moment === "asking") {
      this.#then.place = name;
      if (this.#stalled) showReason(null, text("choosing.silent"));
      return;
    }
    if (this.#moment === "idle") return this.#sayOffline();
    const word = this.#word(name);
    if (word.text !== null) {
      showReason(word.rule, word.text);
      if (this.#then.dragged) this.#release();
      return;
    }
    const byKey = this.#then.focus;
    this.#change(withCard(this.#plan, this.#picked, placeTarget(name)));
    if (byKey) focusOn(this.room.hand, "[data-card]:not([data-used])");
  }

  /**
   * A key that no other part of the page took; whether it meant something here.
   *
   * @param {string} key
   * @returns {boolean}
   */
  key(key) {
    if (!this.#asked) return false;
    if (key === "Escape" && this.#picked !== null) return this.#putBack();
    if (isUseLetter(key)) return this.#spell(key);
    if (!/^[1-9]$/.test(key)) return false;
    if (this.#then.spelled) return this.#spell(this.#then.spelled + key);
    if (Number(key) > (this.#me?.hand.length ?? 0)) return false;
    this.#pick(Number(key) - 1, true);
    return true;
  }

  /** The picked card goes back into the hand. */
  #putBack() {
    const card = this.#picked;
    this.#release();
    return focusOn(this.room.hand, `[data-card="${card}"]`);
  }

  /** @param {string} spelled @returns {boolean} */
  #spell(spelled) {
    const focused = document.activeElement?.closest("[data-card]")?.getAttribute("data-card");
    if (this.#picked === null && focused) this.#pick(Number(focused), true);
    if (this.#picked === null) {
      showReason(null, text("choosing.card-first.letter"));
      return true;
    }
    this.#then.spelled = spelled;
    this.#then.focus = true;
    if (this.#moment === "answered") this.#goOn();
    return true;
  }

  /** The server's word on the picked card is there: do what waits for it. */
  #goOn() {
    if (this.#moment !== "answered") return;
    const { place, spelled, focus } = this.#then;
    this.#then.place = null;
    if (place) return this.place(place);
    if (spelled) return this.#readSpelled(spelled);
    if (focus && !focusOn(this.room.mine, '[data-state="open"]')) focusOn(this.room.mine, "[data-place]");
  }

  /** @param {string} spelled */
  #readSpelled(spelled) {
    const reading = readSpelling(spelled, this.#placeNames());
    this.#then.spelled = "";
    if (!reading) return showReason(null, text("choosing.no-place"));
    if ("place" in reading) return this.place(reading.place);
    this.#then.spelled = reading.spelled;
    this.#draw();
    speak(reading.ask === "board" ? text("choosing.spell.board") : text("choosing.spell.trait"));
  }

  /** The places that the page shows. @returns {string[]} */
  #placeNames() {
    return [...this.room.mine.querySelectorAll("[data-place]")].map((place) => place.getAttribute("data-place") ?? "");
  }

  /** The server's word on the picked card there or, without one, on the plan. @param {string} name */
  #word(name) {
    const { rule, text: said } = this.#verdict;
    return this.#words.get(name) ?? { rule, text: said ?? text("choosing.no-place") };
  }

  /** @param {string | null} place */
  #dropped(place) {
    this.#then.dragged = true;
    if (place) this.place(place);
    else this.#release();
  }

  /** @param {number} card @param {boolean} byKey */
  #pick(card, byKey) {
    if (!this.#asked) return;
    hideReason();
    this.#picked = card;
    this.#then = { place: null, spelled: "", focus: byKey, dragged: false };
    this.#check();
    showOwnBoards();
  }

  /** No card is picked any more. */
  #release() {
    this.#picked = null;
    this.#then = { place: null, spelled: "", focus: false, dragged: false };
    this.#check();
  }

  /** @param {import("./plan.js").Plan} plan */
  #change(plan) {
    if (!this.#asked) return;
    this.#plan = plan;
    note(this.#memory(this.#asked.id), savedPlan(plan));
    hideReason();
    hideHint();
    const hadFocus = document.activeElement !== document.body;
    this.#release();
    // The button that took something out of the plan is gone with it.
    if (hadFocus && document.activeElement === document.body) focusDock();
  }

  #check() {
    this.#ref += 1;
    this.#words = new Map();
    // A card that the plan uses is lifted: where it may go is asked as if it were in the hand.
    const plan = this.#picked === null ? this.#plan : withoutCard(this.#plan, this.#picked);
    const sent = this.send({ type: "check", plan: draftOf(plan), card: this.#picked, ref: this.#ref });
    this.#moment = sent && this.#picked !== null ? "asking" : "idle";
    this.#draw();
  }

  /** @param {number} request @returns {string} */
  #memory(request) {
    return `plan.${this.table}.${request}`;
  }

  #draw() {
    const me = this.#me;
    if (!this.#asked || !me) return;
    document.body.toggleAttribute("data-picked", this.#picked !== null);
    markHand(this.room.hand, this.#view(me));
    drawPlannedBoards(this.room.mine, this.#view(me));
    redraw(this.room.plan, planItems(this.#plan, me.hand, {
      move: (id, by) => this.#change(withEntryMoved(this.#plan, id, by)),
      remove: (id) => this.#change(withoutEntry(this.#plan, id)),
      letterOf: (board) => boardLetter(me, board),
    }));
    this.room.plan.parentElement?.toggleAttribute("hidden", this.#plan.entries.length === 0);
    // It looks at the layout, which the next frame makes anyway.
    requestAnimationFrame(() => this.#drawPlanCount());
    drawPlanState(this.room.planState, this.#view(me));
    this.room.undo.toggleAttribute("disabled", this.#plan.past.length === 0);
    this.room.clear.toggleAttribute("disabled", this.#plan.entries.length === 0);
    this.room.play.toggleAttribute("disabled", this.#sending);
  }

  #drawPlanCount() {
    drawPlanCount(this.room.planCount, this.room.plan, this.#plan.entries.length);
  }

  /** @param {import("../shared/types.js").Me} me @returns {import("./choosing_view.js").ChoosingState} */
  #view(me) {
    return { me, plan: this.#plan, picked: this.#picked, boards: this.#boards, moment: this.#moment,
      spelled: this.#then.spelled, sending: this.#sending, verdict: this.#verdict, wordOn: (name) => this.#word(name) };
  }
}
