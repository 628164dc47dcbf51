/**
 * The story of the game as a log: a block for each turn, in it entries of what belongs together, each with its rules.
 *
 * Laws: lines are only added. It follows the newest line unless the reader has scrolled away from it.
 *
 * @typedef {import("../shared/event_text.js").StoryLine} StoryLine
 */

import { h } from "../shared/dom.js";
import { StoryEntries } from "../shared/story_entries.js";

export class Story {
  /** The entries of the turn that was told last. */
  #turn = h("ol");
  #entries = new StoryEntries();

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
    this.#entries = new StoryEntries();
    this.log.replaceChildren(this.#turn);
  }

  /** @param {StoryLine} line */
  #add(line) {
    if (line.kind === "TurnStarted") {
      this.#turn = h("ol");
      this.log.append(h("section", { class: "story-turn" }, h("h3", {}, line.who), this.#turn));
    }
    this.#entries.tell(line, this.#turn);
  }
}
