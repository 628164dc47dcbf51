/**
 * The line above the hand that shows a hint and its reasons.
 *
 * Laws: it stays until the plan changes or the request is answered. A refusal covers it meanwhile (hint_line.css).
 */

import { byId, h } from "../shared/dom.js";
import { glyphButton, uiGlyph } from "../shared/glyphs.js";
import { speak } from "../shared/notices.js";
import { text } from "../shared/text.js";
import { feedingHint, planReasons } from "./hint_text.js";

/**
 * Show what the bot proposes for a feeding.
 *
 * @param {import("../shared/types.js").Feeding} meal
 * @param {import("../shared/messages.js").MoveReason[]} reasons
 * @param {import("../shared/table_state.js").TableState} table
 */
export function showFeedingHint(meal, reasons, table) {
  fillLine(feedingHint(meal, reasons, table));
}

/**
 * Say that the plan is the bot's now, and why it is like this.
 *
 * @param {import("../shared/messages.js").MoveReason[]} reasons
 * @param {import("../shared/table_state.js").TableState} table
 * @param {boolean} replaced  whether there was a plan before
 * @param {() => void} undo
 */
export function showPlanHint(reasons, table, replaced, undo) {
  const head = replaced ? text("hint.plan.replaced") : text("hint.plan.new");
  fillLine(`${head} ${planReasons(reasons, table)}`,
    glyphButton("undo", text("hint.undo"), { class: "quiet", id: "undo-hint", onclick: undo }));
}

/** @param {string} words @param {...Node} more */
function fillLine(words, ...more) {
  byId("hint-line").replaceChildren(uiGlyph("hint"), h("span", {}, words), ...more);
  byId("hint-line").hidden = false;
  speak(words);
}

export function hideHint() {
  byId("hint-line").replaceChildren();
  byId("hint-line").hidden = true;
}
