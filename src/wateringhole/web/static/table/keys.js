/** Keys that mean the same everywhere at a table: to what is asked, and the arrows from button to button. */

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
