/** Keys that mean the same everywhere at a table: to what is asked, and the arrows from button to button. */

/** To what is asked: the first card, or the first board that can feed. */
export function goToAsked() {
  const stop = document.querySelector("[data-phase=choose] #hand button, [data-phase=feed] #feed-options button");
  if (stop instanceof HTMLElement) stop.focus();
}

/** The arrow keys go from card to card, from place to place, from feeding to feeding. @param {KeyboardEvent} event */
export function stepFocus(event) {
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
