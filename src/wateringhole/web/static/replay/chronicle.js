/**
 * The whole story of a replay, step by step. The current step stands out, what is still to come is quieter, and every
 * step is a way to go there.
 */
import { h } from "../shared/dom.js";
import { citedRule } from "../shared/rulebook.js";
import { replyText, seenBy } from "./frames.js";

/** @typedef {import("./frames.js").Scene} ToldScene */

export class Chronicle {
  #root;
  #replay;
  #scenes;
  #goTo;
  /** @type {HTMLElement[]} */
  #steps = [];

  /**
   * @param {HTMLElement} root
   * @param {import("../shared/types.js").Replay} replay
   * @param {ToldScene[][]} scenes
   * @param {(step: number) => void} goTo
   */
  constructor(root, replay, scenes, goTo) {
    this.#root = root;
    this.#replay = replay;
    this.#scenes = scenes;
    this.#goTo = goTo;
  }

  /**
   * Tell it all as this viewer may know it.
   *
   * @param {import("./frames.js").Viewer} viewer
   */
  tell(viewer) {
    this.#steps = this.#replay.frames.map((frame, step) =>
      h(
        "li",
        { class: "chronicle-step", "data-story-step": step },
        this.#head(step, viewer),
        frame.reply?.why ? h("p", { class: "chronicle-why soft small" }, `It thought: ${frame.reply.why}.`) : null,
        h("ul", { class: "chronicle-lines" }, ...frame.lines.map((line) => this.#line(line, step))),
      ),
    );
    this.#root.replaceChildren(...this.#steps);
  }

  /**
   * What was answered in this step, in words.
   *
   * @param {number} step
   * @param {import("./frames.js").Viewer} viewer
   */
  headOf(step, viewer) {
    const before = this.#scenes[Math.max(0, step - 1)].at(-1);
    const players = (before?.players ?? []).map((player) => seenBy(player, viewer));
    return replyText(this.#replay.frames[step], players, this.#replay.names);
  }

  /**
   * Mark where the replay stands, and bring it into sight without moving the page.
   *
   * @param {ToldScene} scene
   */
  mark(scene) {
    this.#steps.forEach((item, step) => {
      item.classList.toggle("to-come", step > scene.step);
      if (step === scene.step) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    });
    const item = this.#steps[scene.step];
    item.querySelectorAll(".chronicle-lines > li").forEach((line, at) => {
      line.classList.toggle("to-come", at >= scene.told);
    });
    const room = this.#root.clientHeight - item.offsetHeight;
    this.#root.scrollTop = item.offsetTop - Math.max(0, room / 2);
  }

  /**
   * @param {number} step
   * @param {import("./frames.js").Viewer} viewer
   */
  #head(step, viewer) {
    const { reply } = this.#replay.frames[step];
    const text = h("span", {}, this.headOf(step, viewer));
    const number = h("span", { class: "chronicle-number" }, step);
    const seat = reply ? reply.seat : null;
    const button = h("button", { type: "button", class: "quiet chronicle-head", "data-seat": seat }, number, text);
    button.addEventListener("click", () => this.#goTo(step));
    return button;
  }

  /**
   * A line goes to its step by the pointer; for the keyboard, the head of the step is enough.
   *
   * @param {import("../shared/types.js").Line} line
   * @param {number} step
   */
  #line(line, step) {
    const text = h("span", { class: "chronicle-line", onclick: () => this.#goTo(step) }, line.text);
    return h("li", { "data-kind": line.kind, "data-seat": line.seat }, text, " ", citedRule(line.rule));
  }
}
