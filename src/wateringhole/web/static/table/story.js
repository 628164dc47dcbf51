/**
 * The story of the game as a log: a block for each turn, in it entries of what belongs together, each with its rules.
 *
 * Laws: lines are only added. It follows the newest line unless the reader has scrolled away from it.
 *
 * @typedef {import("../shared/event_text.js").StoryLine} StoryLine
 */

import { h } from "../shared/dom.js";
import { StoryEntries } from "../shared/story_entries.js";

/** A reader who is so near to the end of the story follows it. */
const NEAR_END_PIXELS = 60;

export class Story {
  /** The entries of the turn that was told last. */
  #turn = h("ol");
  #entries = new StoryEntries();
  /** Whether the reader is at the newest line. */
  #following = true;
  #frame = 0;
  /** How far it was scrolled to its newest line. */
  #end = 0;

  /** @param {HTMLElement} log @param {HTMLElement} latest  where the newest line is repeated */
  constructor(log, latest) {
    this.log = log;
    this.latest = latest;
    log.addEventListener("scroll", () => {
      // Lines may have come since this story scrolled itself: that does not mean that the reader is elsewhere.
      if (log.scrollTop !== this.#end) this.#following = log.scrollHeight - log.scrollTop - log.clientHeight < NEAR_END_PIXELS;
    }, { passive: true });
    // What is folded cannot be scrolled: the story opens at its newest line.
    log.closest("details")?.addEventListener("toggle", () => this.#followSoon());
  }

  /**
   * @param {StoryLine[]} lines
   * @param {boolean} whole  these are all there are
   */
  tell(lines, whole) {
    // A whole story at once is for reading, not for reading aloud.
    this.log.setAttribute("aria-live", whole ? "off" : "polite");
    if (whole) this.#clear();
    for (const line of lines) this.#add(line);
    const last = lines.at(-1);
    if (last) this.latest.textContent = last.text;
    if (this.#following || whole) this.#followSoon();
  }

  /** In the next frame, which lays the page out anyway: to do so for each event takes longer than to draw it. */
  #followSoon() {
    if (this.#frame) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.log.scrollTop = this.log.scrollHeight;
      this.#end = this.log.scrollTop;
    });
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
