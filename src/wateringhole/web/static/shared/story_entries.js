/**
 * The entries of a story: lines that belong together, under the mark of their player, with their rules on demand.
 *
 * Laws: lines are only added, in their order. A short line may stand inside the element of the one before it.
 *
 * @typedef {import("./event_text.js").StoryLine} EntryLine
 */

import { h } from "./dom.js";
import { continuesEntry, entrySeat, runsOn } from "./event_text.js";
import { seatMark } from "./glyphs.js";
import { ruleButton } from "./rulebook.js";
import { text } from "./text.js";

export class StoryEntries {
  /** The last entry. @type {{first: EntryLine, last: EntryLine, lines: HTMLElement, rules: Set<string>} | null} */
  #entry = null;

  /**
   * Tell one more line.
   *
   * @param {EntryLine} line
   * @param {HTMLElement} list  where an entry goes that begins with it
   * @returns {HTMLElement}  the line
   */
  tell(line, list) {
    if (!this.#entry || !continuesEntry(this.#entry.first, line)) this.#entry = this.#open(line, list);
    const { first, last, lines, rules } = this.#entry;
    const words = lineWords(line, line.seat !== entrySeat(first));
    const paragraph = lines.lastElementChild;
    const behind = paragraph && runsOn(last, line);
    const told = h(behind ? "span" : "li", { "data-kind": line.kind }, behind && "; ", ...words);
    (behind ? paragraph : lines).append(told);
    rules.add(line.rule);
    this.#entry.last = line;
    return told;
  }

  /** A new entry that begins with this line. @param {EntryLine} first @param {HTMLElement} list */
  #open(first, list) {
    const lines = h("ul");
    /** @type {Set<string>} */
    const rules = new Set();
    const seat = entrySeat(first);
    list.append(h("li", { class: "story-entry", "data-of": seat },
      h("span", { class: "whose" }, seat === null ? null : seatMark(seat)),
      h("div", { class: "what" }, seat === null ? null : whoPart(first), lines, ruleButton(() => [...rules]))));
    return { first, last: first, lines, rules };
  }
}

/**
 * @param {EntryLine} line
 * @param {boolean} named  it tells of another player than its entry
 * @returns {(Node | string)[]}
 */
function lineWords(line, named) {
  return [
    ...named && line.seat !== null ? [h("span", { class: "mark" }, seatMark(line.seat), "\u00a0"), whoPart(line)] : [],
    ...line.parts.map((part) => h("span", { class: "part" }, part)),
    ...line.automatic ? [h("span", { class: "automatic" }, text("story.automatic"))] : [],
  ];
}

/** @param {EntryLine} line @returns {HTMLElement} */
function whoPart({ who }) {
  return h("b", {}, `${text("story.who", { who })} `);
}
