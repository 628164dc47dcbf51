/**
 * The story of the game as a log: a block for each turn, in it entries of what belongs together, each with its rules.
 *
 * Laws: lines are only added. It follows the newest line unless the reader has scrolled away from it.
 *
 * @typedef {import("../shared/event_text.js").StoryLine} StoryLine
 * @typedef {{first: StoryLine, last: StoryLine, lines: HTMLElement, rules: Set<string>}} StoryEntry
 */

import { h } from "../shared/dom.js";
import { continuesEntry, entrySeat, runsOn } from "../shared/event_text.js";
import { seatMark } from "../shared/glyphs.js";
import { ruleButton } from "../shared/rulebook.js";
import { text } from "../shared/text.js";

export class Story {
  /** The entries of the turn that was told last. */
  #turn = h("ol");
  /** The last entry. @type {StoryEntry | null} */
  #entry = null;

  /** @param {HTMLElement} log @param {HTMLElement} latest  where the newest line is repeated */
  constructor(log, latest) {
    this.log = log;
    this.latest = latest;
  }

  /**
   * @param {StoryLine[]} lines
   * @param {boolean} whole  these are all there are
   */
  tell(lines, whole) {
    const following = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 60;
    // A whole story at once is for reading, not for reading aloud.
    this.log.setAttribute("aria-live", whole ? "off" : "polite");
    if (whole) this.#clear();
    for (const line of lines) this.#add(line);
    const last = lines.at(-1);
    if (last) this.latest.textContent = last.text;
    if (following || whole) this.log.scrollTop = this.log.scrollHeight;
  }

  #clear() {
    this.#turn = h("ol");
    this.#entry = null;
    this.log.replaceChildren(this.#turn);
  }

  /** @param {StoryLine} line */
  #add(line) {
    if (line.kind === "TurnStarted") {
      this.#turn = h("ol");
      this.log.append(h("section", { class: "story-turn" }, h("h3", {}, line.who), this.#turn));
    }
    if (!this.#entry || !continuesEntry(this.#entry.first, line)) this.#entry = this.#open(line);
    const entry = this.#entry;
    const paragraph = entry.lines.lastElementChild;
    const words = lineWords(line, line.seat !== entrySeat(entry.first));
    if (paragraph && runsOn(entry.last, line)) paragraph.append(h("span", { "data-kind": line.kind }, "; ", ...words));
    else entry.lines.append(h("li", { "data-kind": line.kind }, ...words));
    entry.rules.add(line.rule);
    entry.last = line;
  }

  /** A new entry that begins with this line. @param {StoryLine} first @returns {StoryEntry} */
  #open(first) {
    const lines = h("ul");
    const rules = new Set();
    const seat = entrySeat(first);
    this.#turn.append(h("li", { class: "story-entry", "data-of": seat },
      h("span", { class: "whose" }, seat === null ? null : seatMark(seat)),
      h("div", { class: "what" }, seat === null ? null : whoPart(first), lines, ruleButton(() => [...rules]))));
    return { first, last: first, lines, rules };
  }
}

/**
 * @param {StoryLine} line
 * @param {boolean} named  it tells of another player than its entry
 * @returns {(Node | string)[]}
 */
function lineWords(line, named) {
  return [
    ...named && line.seat !== null ? [seatMark(line.seat), "\u00a0", whoPart(line)] : [],
    ...line.parts.map((part) => h("span", { class: "part" }, part)),
    ...line.automatic ? [h("span", { class: "automatic" }, text("story.automatic"))] : [],
  ];
}

/** @param {StoryLine} line @returns {HTMLElement} */
function whoPart({ who }) {
  return h("b", {}, `${text("story.who", { who })} `);
}
