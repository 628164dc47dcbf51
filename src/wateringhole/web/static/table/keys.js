/** The keys of a table, also of the tutorial's: shortcuts, and the arrows from button to button. */

import { byId } from "../shared/dom.js";
import { showHowToPlay } from "../shared/how_to_play.js";
import { isTyping } from "../shared/keys.js";
import { hideReason } from "../shared/notices.js";
import { settings } from "../shared/settings.js";

/**
 * Do what this key means at a table.
 *
 * @param {KeyboardEvent} event
 * @param {import("./choosing.js").Choosing} choosing
 * @param {import("./feeding.js").Feeding} feeding
 * @param {() => void} [askHint]  none: `h` means nothing here
 */
export function handleKey(event, choosing, feeding, askHint) {
  if (event.ctrlKey && event.key === "Enter" && choosing.asked) return byId("play").click();
  if (isTyping(event) || event.altKey || event.defaultPrevented) return;
  if (event.key.startsWith("Arrow")) return stepFocus(event);
  if (!settings().keys && event.key !== "Escape") return;
  const asking = choosing.asked ? choosing : feeding.asked ? feeding : null;
  if (event.key === "?") showHowToPlay();
  else if (event.key === "g") goToAsked();
  else if (event.key === "h" && askHint) askHint();
  else if (event.key === "u") asking?.undo();
  else if (event.key === "c") choosing.clear();
  else {
    if (event.key === "Escape") hideReason();
    if (!asking?.key(event.key)) return;
  }
  event.preventDefault();
}

/** To what is asked: the first card, or the first board that can feed. */
function goToAsked() {
  const stop = document.querySelector("[data-phase=choose] #hand button, [data-phase=feed] #feed-options button");
  if (stop instanceof HTMLElement) stop.focus();
}

/** The arrow keys go from card to card, from place to place, from feeding to feeding. @param {KeyboardEvent} event */
function stepFocus(event) {
  const here = document.activeElement;
  const group = here?.closest("#hand, #mine, #others, #feed-options");
  if (!group || !here) return;
  const stops = [...group.querySelectorAll("button:not(:disabled)")];
  const by = event.key === "ArrowLeft" || event.key === "ArrowUp" ? -1 : 1;
  const next = stops[(stops.indexOf(here) + by + stops.length) % stops.length];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}
