/**
 * The tutorial: one position and one task after the other, played with the parts of a table.
 *
 * Laws: the positions, and every judgement on a move, are the server's; this page keeps nothing but how far its user
 * has come. A lesson can be tried as often as one likes, left at any time, and is resumed at the next visit.
 *
 * @typedef {import("../shared/messages.js").Snapshot} Snapshot
 * @typedef {import("../shared/messages.js").ChooseCards | import("../shared/messages.js").FeedBoards} LessonRequest
 * @typedef {import("../shared/messages.js").PlanChecked | import("../shared/messages.js").MoveObjection} Verdict
 * @typedef {{name: string, snapshot: Snapshot, request: LessonRequest}} Lesson  its texts are in the catalogue, by its name
 * @typedef {{reply: Verdict | {type: "missed"} | Snapshot, ranking: import("../shared/types.js").Standing[]}} Judgement
 */

import { goToQuickGame } from "../lobby/quick_game.js";
import { byId, h } from "../shared/dom.js";
import { linesOf } from "../shared/event_text.js";
import { uiGlyph } from "../shared/glyphs.js";
import { helpButton } from "../shared/how_to_play.js";
import { hideReason, speak } from "../shared/notices.js";
import { postJson } from "../shared/post_json.js";
import { openRulebook } from "../shared/rulebook.js";
import { applySettings, settingsButton } from "../shared/settings.js";
import { remember, remembered } from "../shared/storage.js";
import { ownSide, stateOf } from "../shared/table_state.js";
import { text } from "../shared/text.js";
import { Choosing } from "../table/choosing.js";
import { Feeding } from "../table/feeding.js";
import { handleKey } from "../table/keys.js";
import { Opponents } from "../table/opponents.js";
import { choosingRoom, drawQuietSide, feedingRoom, showOwnBoards } from "../table/own_side.js";
import { drawOwnHead, playButtons } from "../table/status.js";

const STEP_KEY = "lesson";
const LEARNER = 1;

class LearnPage {
  /** @type {Lesson[]} */
  #lessons = [];
  #step = 0;
  /** Counts the lessons that were begun: what the server says to an earlier one is not heard. */
  #begun = 0;

  constructor() {
    // What the parts of a table send to their server: a plan to check, or the move.
    const send = (/** @type {import("../shared/messages.js").PageSays} */ tried) => {
      void this.#judge(tried);
      return true;
    };
    this.opponents = new Opponents({
      left: byId("left"), top: byId("far"), right: byId("right"), hole: byId("hole"), facts: byId("facts"),
    }, () => undefined);
    const buttons = playButtons(() => undefined);
    byId("buttons").append(buttons.undo, buttons.clear, buttons.play);
    byId("tools").append(helpButton(), settingsButton());
    this.choosing = new Choosing(choosingRoom(buttons), send, "learn");
    this.feeding = new Feeding(feedingRoom(), this.opponents, send);
    byId("hole").addEventListener("click", () => this.choosing.picking && this.choosing.place("food"));
    document.addEventListener("keydown", (event) => handleKey(event, this.choosing, this.feeding));
  }

  async open() {
    applySettings();
    void openRulebook();
    try {
      const response = await fetch("/api/lessons");
      if (!response.ok) throw new Error(`status ${response.status}`);
      this.#lessons = /** @type {{lessons: Lesson[]}} */ (await response.json()).lessons;
    } catch {
      byId("problem").textContent = text("learn.silent");
      byId("problem").hidden = false;
      return;
    }
    const kept = Number(remembered(STEP_KEY) ?? 0);
    this.#begin(kept >= 0 && kept < this.#lessons.length ? Math.trunc(kept) : 0);
  }

  /** @param {number} step */
  #begin(step) {
    this.#step = step;
    this.#begun += 1;
    remember(STEP_KEY, String(step));
    this.choosing.close(true);
    this.feeding.close();
    hideReason();
    const { name, snapshot, request } = this.#lessons[step];
    this.#draw(text(`lesson.${name}.title`), text(`lesson.${name}.task`), text("learn.your-turn"));
    byId("lesson-example").hidden = step === 0; // a later lesson has a position of its own
    byId("lesson-end").replaceChildren();
    byId("lesson-ways").replaceChildren(
      step > 0 ? this.#quietButton("lesson-back", text("learn.back"), step - 1) : "",
      step < this.#lessons.length - 1 ? this.#quietButton("lesson-skip", text("tour.skip"), step + 1) : "");
    this.#drawTable(snapshot, [{ seat: LEARNER, seconds: null }]);
    this.#ask(request, snapshot);
    byId("lesson").hidden = false;
    byId("game").hidden = false;
    byId("lesson-heading").focus({ preventScroll: true });
    scrollTo(0, 0);
    // Elsewhere the task stands above the boards, and must be in sight.
    if (matchMedia("(min-width: 60.01rem)").matches) requestAnimationFrame(showOwnBoards);
    document.body.dataset.lesson = String(step);
  }

  /** @param {string} heading @param {string} words @param {string} status */
  #draw(heading, words, status) {
    byId("lesson-place").textContent = text("learn.place", { step: this.#step + 1, count: this.#lessons.length });
    byId("lesson-heading").textContent = heading;
    byId("lesson-text").textContent = words;
    byId("status").textContent = status;
  }

  /** @param {LessonRequest} request @param {Snapshot} snapshot */
  #ask(request, snapshot) {
    const table = stateOf(snapshot);
    const me = ownSide(table);
    if (me && request.type === "choose") this.choosing.ask(request, me);
    else if (me && request.type === "feed") this.feeding.ask(request, me, table);
    this.#drawPhase();
  }

  /** @param {Verdict} verdict */
  #hear(verdict) {
    if (verdict.type === "checked") this.choosing.hearChecked(verdict);
    else this.#asking()?.hearObjection(verdict);
  }

  #asking() {
    if (this.choosing.asked) return this.choosing;
    return this.feeding.asked ? this.feeding : null;
  }

  #drawPhase() {
    document.body.dataset.phase = this.choosing.asked ? "choose" : this.feeding.asked ? "feed" : "wait";
  }

  /** @param {Snapshot} snapshot @param {import("../shared/types.js").Awaited[]} asked */
  #drawTable(snapshot, asked) {
    const table = stateOf(snapshot);
    const room = roomOf(snapshot);
    const me = ownSide(table);
    this.opponents.draw(table, room, asked);
    byId("own").hidden = me === null;
    byId("dock").hidden = me === null;
    if (!me) return;
    drawOwnHead(table, room);
    drawQuietSide(me, null);
    this.#drawPhase();
  }

  /** @param {import("../shared/messages.js").PageSays} tried */
  async #judge(tried) {
    const begun = this.#begun;
    /** @type {Judgement | null} */
    let judgement = null;
    try {
      const response = await postJson(`/api/lessons/${this.#step}`, tried);
      const said = await response.json();
      if (!response.ok) throw new Error(said.text);
      judgement = said;
    } catch {
      // The player is told below, and can try it again.
    }
    if (begun !== this.#begun) return;
    const reply = judgement?.reply;
    if (!reply) this.#hear(objection(text("learn.silent.try")));
    else if (reply.type === "missed") this.#hear(objection(text(`lesson.${this.#lessons[this.#step].name}.missed`)));
    else if (reply.type === "snapshot") this.#finish(reply, judgement?.ranking ?? []);
    else this.#hear(reply);
  }

  /** @param {Snapshot} snapshot @param {import("../shared/types.js").Standing[]} ranking */
  #finish(snapshot, ranking) {
    const done = text(`lesson.${this.#lessons[this.#step].name}.done`);
    const last = this.#step === this.#lessons.length - 1;
    this.choosing.close(true);
    this.feeding.close();
    hideReason();
    this.#drawTable(snapshot, []);
    byId("dock").hidden = true;
    byId("lesson-example").hidden = true;
    this.#draw(last ? text("learn.whole") : text("learn.done"), done, text("learn.done"));
    byId("lesson-end").replaceChildren(
      h("ul", { class: "lesson-lines" },
        ...linesOf(snapshot).map((line) => h("li", {}, line.text))),
      ranking.length ? rankingTable(ranking) : "");
    const next = last ? this.#firstGameButton() : h("button", { class: "primary", type: "button", id: "lesson-next",
      onclick: () => this.#begin(this.#step + 1) }, uiGlyph("step"), text("tour.next"));
    byId("lesson-ways").replaceChildren(next,
      this.#quietButton("lesson-again", last ? text("learn.restart") : text("learn.again"), last ? 0 : this.#step));
    remember(STEP_KEY, last ? null : String(this.#step + 1));
    // The tour at a table has nothing new for who has learned all of it.
    if (last) remember("tour", "seen");
    speak(done);
    next.focus({ preventScroll: true });
    scrollTo(0, 0);
  }

  /** A way to a lesson. @param {string} id @param {string} words @param {number} step */
  #quietButton(id, words, step) {
    return h("button", { class: "quiet", type: "button", id, onclick: () => this.#begin(step) }, words);
  }

  #firstGameButton() {
    return h("button", { class: "primary", type: "button", id: "first-game", onclick: goToQuickGame },
      uiGlyph("play"), text("learn.first-game"));
  }
}

/** A refusal in the page's own words. @param {string} words @returns {import("../shared/messages.js").MoveObjection} */
function objection(words) {
  return { type: "objection", id: 0, rule: "", text: words };
}

/**
 * The room that a position is shown in.
 *
 * @param {Snapshot} snapshot
 * @returns {import("../shared/types.js").RoomMessage}
 */
function roomOf({ names, me }) {
  const places = names.map((name, at) => (
    /** @type {import("../shared/types.js").Place} */ ({ seat: at + 1, name, kind: "person", bot: "", presence: "here" })));
  return { type: "room", id: "learn", title: text("nav.learn"), private: true, time: "none", stage: "playing", places,
    you: me?.seat ?? null, host: false, watchers: 0, port: null, ready: [], undecided: [], next: null,
    game: null, seal: null, trouble: null };
}

/** @param {import("../shared/types.js").Standing[]} ranking @returns {HTMLElement} */
function rankingTable(ranking) {
  const heads = [text("player.heading"), text("learn.bag"), text("learn.animals"), text("learn.traits"), text("learn.score")];
  return h("table", { class: "lesson-ranking" },
    h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", { scope: "col" }, head)))),
    h("tbody", {}, ...ranking.map(({ name, bag, population, traits, score }) => h("tr", {},
      h("th", { scope: "row" }, name), ...[bag, population, traits, score ?? ""].map((number) => h("td", {}, number))))));
}

void new LearnPage().open();
