/** Keys that mean the same everywhere at a table: what is being typed, and the arrows from button to button. */

/** Whether a key belongs to something that is being written or to a dialog. @param {KeyboardEvent} event */
export function isTyping(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.isComposing) return true;
  return Boolean(target.closest?.("input, textarea, select, dialog, [contenteditable]"));
}

/** To what is asked: the first card, or the first board that can be fed. */
export function goToAsked() {
  const stop = document.querySelector("[data-phase=choose] #hand button, [data-phase=feed] #mine button:not(:disabled)");
  if (stop instanceof HTMLElement) stop.focus();
}

/** The arrow keys go from card to card, from place to place, from prey to prey. @param {KeyboardEvent} event */
export function stepFocus(event) {
  const here = document.activeElement;
  const group = here?.closest("#hand, #mine, #others");
  if (!group || !here) return;
  const stops = [...group.querySelectorAll("button:not(:disabled)")];
  const by = event.key === "ArrowLeft" || event.key === "ArrowUp" ? -1 : 1;
  const next = stops[(stops.indexOf(here) + by + stops.length) % stops.length];
  if (!(next instanceof HTMLElement)) return;
  event.preventDefault();
  next.focus();
}
