/**
 * The whole story of a replay, step by step. The current step stands out, what is still to come is quieter; the number
 * of a step leads to the table after it, and every line to the table after its event.
 */
import { h } from "../shared/dom.js";
import { lineOf } from "../shared/event_text.js";
import { seatMark } from "../shared/glyphs.js";
import { StoryEntries } from "../shared/story_entries.js";
import { text } from "../shared/text.js";
import { replyText } from "./reply_text.js";

/** @typedef {import("../shared/event_text.js").StoryLine} ToldLine */

export class Chronicle {
  #root;
  #game;
  #moments;
  #goTo;
  /** @type {ToldLine[][]} */
  #lines;
  /** @type {HTMLElement[]} */
  #steps = [];

  /**
   * @param {HTMLElement} root
   * @param {import("../shared/messages.js").Replay} game
   * @param {import("./open_table.js").OpenTable[][]} moments
   * @param {(step: number, told?: number) => void} goTo
   */
  constructor(root, game, moments, goTo) {
    this.#root = root;
    this.#game = game;
    this.#moments = moments;
    this.#goTo = goTo;
    this.#lines = game.steps.map(({ events }, step) =>
      events.map((event, at) => lineOf(event, moments[step][at].table)));
  }

  /**
   * Tell it all as this viewer may know it.
   *
   * @param {import("./open_table.js").Viewer} viewer
   */
  tell(viewer) {
    this.#steps = this.#game.steps.map(({ reply }, step) =>
      h(
        "li",
        { class: "chronicle-step", "data-story-step": step },
        this.#number(step),
        h(
          "div",
          {},
          this.#reply(step, viewer),
          reply?.why ? h("p", { class: "chronicle-why soft small" }, text("replay.why", { why: reply.why })) : null,
          this.#entries(step),
        ),
      ),
    );
    this.#root.replaceChildren(...this.#steps);
  }

  /**
   * The event that was told last, or what was answered, in words.
   *
   * @param {number} step
   * @param {number} told  0: the reply
   * @param {import("./open_table.js").Viewer} viewer
   */
  textOf(step, told, viewer) {
    return this.#lines[step][told - 1]?.text ?? this.#replyText(step, viewer) ?? this.#lines[step][0]?.text ?? "";
  }

  /**
   * Mark where the replay stands, and bring it into sight without moving the page.
   *
   * @param {number} step
   * @param {number} told
   */
  mark(step, told) {
    this.#steps.forEach((item, at) => {
      item.classList.toggle("to-come", at > step);
      if (at === step) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    const item = this.#steps[step];
    const lines = [...item.querySelectorAll("[data-told]")];
    for (const line of lines) line.classList.toggle("to-come", toldAt(line) > told);
    this.#scrollTo(item, lines.find((line) => toldAt(line) === told) ?? item);
  }

  /**
   * The step in the middle, or the line if the step is too high for that.
   *
   * @param {HTMLElement} item
   * @param {Element} line
   */
  #scrollTo(item, line) {
    const room = this.#root.clientHeight;
    const shown = item.offsetHeight <= room ? item : line;
    const above = shown.getBoundingClientRect().top - this.#root.getBoundingClientRect().top;
    this.#root.scrollTop += above - Math.max(0, (room - shown.clientHeight) / 2);
  }

  /** @param {number} step @param {import("./open_table.js").Viewer} viewer */
  #replyText(step, viewer) {
    return replyText(this.#game.steps[step].reply, this.#moments[step][0], viewer);
  }

  /** @param {number} step */
  #number(step) {
    return h("button", { type: "button", class: "quiet chronicle-number", "aria-label": text("replay.go", { step }),
      onclick: () => this.#goTo(step) }, step);
  }

  /** @param {number} step @param {import("./open_table.js").Viewer} viewer */
  #reply(step, viewer) {
    const words = this.#replyText(step, viewer);
    const seat = this.#game.steps[step].reply?.seat;
    return words && h("p", { class: "chronicle-reply", onclick: () => this.#goTo(step) },
      ...seat ? [seatMark(seat), "\u00a0"] : [], words);
  }

  /**
   * What happened, in entries as at a table. A line leads to its moment by the pointer; keys go there by Shift and an
   * arrow.
   *
   * @param {number} step
   * @returns {HTMLElement}
   */
  #entries(step) {
    const list = h("ol");
    const entries = new StoryEntries();
    for (const [at, line] of this.#lines[step].entries()) {
      if (line.kind === "TurnStarted") list.append(h("li", {}, h("h3", {}, line.who)));
      const told = entries.tell(line, list);
      told.dataset.told = String(at + 1);
      told.addEventListener("click", (event) => {
        // It may stand inside the line before it.
        event.stopPropagation();
        this.#goTo(step, at + 1);
      });
    }
    return list;
  }
}

/** @param {Element} line */
function toldAt(line) {
  return Number(line.getAttribute("data-told"));
}
