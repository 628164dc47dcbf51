/**
 * The story of the game as a log: what happened, to whom, by which rule.
 *
 * Laws: lines are only added. It follows the newest line unless the reader has scrolled away from it.
 */

import { h } from "../shared/dom.js";
import { seatMark } from "../shared/glyphs.js";
import { ruleLink } from "../shared/rulebook.js";

export class Story {
  #list = h("ol");

  /** @param {HTMLElement} log @param {HTMLElement} latest  where the newest line is repeated */
  constructor(log, latest) {
    this.log = log;
    this.latest = latest;
    log.replaceChildren(this.#list);
  }

  /**
   * @param {import("../shared/types.js").Line[]} lines
   * @param {boolean} whole  these are all there are
   */
  tell(lines, whole) {
    const following = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 60;
    // A whole story at once is for reading, not for reading aloud.
    this.log.setAttribute("aria-live", whole ? "off" : "polite");
    const items = lines.map(storyItem);
    if (whole) this.#list.replaceChildren(...items);
    else this.#list.append(...items);
    const last = lines.at(-1);
    if (last) this.latest.textContent = last.text;
    if (following || whole) this.log.scrollTop = this.log.scrollHeight;
  }
}

/** @param {import("../shared/types.js").Line} line @returns {HTMLLIElement} */
function storyItem(line) {
  const mark = line.seat === null ? null : seatMark(line.seat);
  return h("li", { "data-kind": line.kind, "data-of": line.seat },
    h("span", { class: "whose" }, mark),
    h("span", { class: "what" }, line.text, line.automatic ? h("span", { class: "automatic" }, "automatic") : null, " ",
      ruleLink(line.rule)));
}
