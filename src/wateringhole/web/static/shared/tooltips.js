/**
 * Tooltips: one small text bubble for the whole page explains what the pointer rests on or the keyboard focuses.
 *
 * The bubble lives in the browser's top layer, so no panel and no dialog clips it, and it is moved into the window.
 * It is for eyes only: the caller of `explain` also gives screen readers the text, by aria-describedby.
 * Escape, a touch elsewhere or scrolling closes it, and the pointer may move onto it to read.
 */
import { h } from "./dom.js";

/** @typedef {{heading?: string, text: string} | null} Tip */

/** @type {WeakMap<Element, () => Tip>} */
const tipsOfElements = new WeakMap();

/** @type {HTMLElement | null} */
let tipBubble = null;
/** @type {Element | null} */
let tipOwner = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let tipTimer;

const TIP_LINGER = 180;
const TIP_MARGIN = 8;

/**
 * Explains an element on hover and focus. The tip is asked for when it is shown.
 *
 * @param {Element} element
 * @param {() => Tip} tip
 */
export function explain(element, tip) {
  if (!tipBubble) tipBubble = preparedBubble();
  tipsOfElements.set(element, tip);
}

/** @returns {HTMLElement} */
function preparedBubble() {
  document.addEventListener("pointerover", (event) => tipWanted(event.target));
  document.addEventListener("pointerdown", (event) => tipWanted(event.target));
  document.addEventListener("focusin", (event) => tipWanted(event.target));
  document.addEventListener("focusout", (event) => {
    if (event.target === tipOwner) closeTip();
  });
  document.addEventListener("scroll", closeTip, { capture: true, passive: true });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") closeTip();
  });
  return h("div", { class: "tip", popover: "manual", "aria-hidden": "true" });
}

/** @param {EventTarget | null} target */
function tipWanted(target) {
  const owner = target instanceof Element ? explainedAround(target) : null;
  clearTimeout(tipTimer);
  if (owner) {
    if (owner !== tipOwner) openTip(owner);
  } else if (tipOwner && target !== tipBubble && !(target instanceof Node && tipBubble?.contains(target))) {
    tipTimer = setTimeout(closeTip, TIP_LINGER);
  }
}

/**
 * @param {Element} target
 * @returns {Element | null}
 */
function explainedAround(target) {
  for (let at = /** @type {Element | null} */ (target); at; at = at.parentElement) {
    if (tipsOfElements.has(at)) return at;
  }
  return null;
}

/** @param {Element} owner */
function openTip(owner) {
  const tip = tipsOfElements.get(owner)?.();
  if (!tip || !tipBubble) return closeTip();
  tipOwner = owner;
  tipBubble.replaceChildren(...(tip.heading ? [h("strong", {}, tip.heading)] : []), tip.text);
  if (!tipBubble.isConnected) document.body.append(tipBubble);
  // Shown anew each time, so that it lies above a dialog that has opened since.
  tipBubble.hidePopover();
  tipBubble.showPopover();
  placeTip(owner.getBoundingClientRect(), tipBubble);
}

/**
 * Below its owner, or above where there is no room; always inside the window.
 *
 * @param {DOMRect} owner
 * @param {HTMLElement} bubble
 */
function placeTip(owner, bubble) {
  const { width, height } = bubble.getBoundingClientRect();
  const room = document.documentElement;
  const centred = owner.left + owner.width / 2 - width / 2;
  const left = Math.max(TIP_MARGIN, Math.min(centred, room.clientWidth - width - TIP_MARGIN));
  const below = owner.bottom + TIP_MARGIN;
  const fits = below + height <= room.clientHeight;
  const top = fits ? below : Math.max(TIP_MARGIN, owner.top - height - TIP_MARGIN);
  bubble.style.setProperty("left", `${left}px`);
  bubble.style.setProperty("top", `${top}px`);
}

function closeTip() {
  clearTimeout(tipTimer);
  tipOwner = null;
  if (tipBubble?.isConnected) tipBubble.hidePopover();
}
