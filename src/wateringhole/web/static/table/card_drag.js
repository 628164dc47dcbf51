/**
 * Hand cards by pointer: mouse, pen and finger alike.
 *
 * Laws: knows cards and places only by their attributes. A short press is a click and none of its business; any movement
 * of a pointer that is pressed on a card takes it (touch-action: none).
 *
 * @typedef {{take: (card: number) => void, drop: (place: string | null) => void,
 *   ghost: (card: number) => HTMLElement}} Dragging
 */

const FAR_ENOUGH = 7;
const EDGE = 70;

/**
 * Let the cards in this hand be dragged.
 *
 * @param {HTMLElement} hand
 * @param {Dragging} dragging
 */
export function dragFrom(hand, dragging) {
  hand.addEventListener("pointerdown", (event) => {
    const held = /** @type {Element} */ (event.target).closest("[data-card]:not([aria-disabled])");
    if (!(held instanceof HTMLElement) || event.button !== 0 || !event.isPrimary) return;
    followPointer(event, Number(held.dataset.card), dragging);
  });
}

/** @param {PointerEvent} start @param {number} card @param {Dragging} dragging */
function followPointer(start, card, dragging) {
  /** @type {HTMLElement | null} */
  let ghost = null;
  let hovered = /** @type {Element | null} */ (null);
  let at = { x: start.clientX, y: start.clientY };
  const scrolling = setInterval(() => {
    if (ghost) scrollNearEdge(at.y);
  }, 30);
  const ending = new AbortController();
  const listen = { signal: ending.signal };

  /** @param {Element | null} place */
  const hover = (place) => {
    if (place === hovered) return;
    hovered?.removeAttribute("data-over");
    place?.setAttribute("data-over", "");
    hovered = place;
  };
  const finish = () => {
    hover(null);
    clearInterval(scrolling);
    ending.abort();
    ghost?.remove();
    document.documentElement.classList.remove("dragging");
  };

  addEventListener("pointermove", (event) => {
    if (event.pointerId !== start.pointerId) return;
    at = { x: event.clientX, y: event.clientY };
    if (!ghost) {
      if (Math.hypot(at.x - start.clientX, at.y - start.clientY) < FAR_ENOUGH) return;
      ghost = dragging.ghost(card);
      document.body.append(ghost);
      document.documentElement.classList.add("dragging");
      dragging.take(card);
    }
    ghost.style.setProperty("translate", `${at.x}px ${at.y}px`);
    hover(placeUnder(at));
  }, listen);
  addEventListener("pointerup", (event) => {
    if (event.pointerId !== start.pointerId) return;
    const place = ghost ? placeUnder(at) : null;
    const dragged = ghost !== null;
    finish();
    if (!dragged) return;
    swallowClick();
    dragging.drop(place?.getAttribute("data-place") ?? place?.getAttribute("data-accepts") ?? null);
  }, listen);
  addEventListener("pointercancel", () => {
    const dragged = ghost !== null;
    finish();
    if (dragged) dragging.drop(null);
  }, listen);
}

/** @param {{x: number, y: number}} at @returns {Element | null} */
function placeUnder({ x, y }) {
  return document.elementFromPoint(x, y)?.closest("[data-place], [data-accepts]") ?? null;
}

/** @param {number} y */
function scrollNearEdge(y) {
  if (y < EDGE) scrollBy(0, -14);
  else if (y > innerHeight - EDGE / 2) scrollBy(0, 14);
}

/** The click that a browser sends after the drop is none. */
function swallowClick() {
  /** @param {Event} event */
  const swallow = (event) => {
    event.stopPropagation();
    event.preventDefault();
  };
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
}
