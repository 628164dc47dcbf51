/**
 * Tooltips: one small text bubble for the whole page explains what the pointer rests on or the keyboard focuses.
 *
 * The bubble lives in the browser's top layer, so no panel and no dialog clips it. It is moved into the window, and
 * away from what its player must see: the hand and the lines above it.
 * It is for eyes only: the caller of `explain` also gives screen readers the text, by aria-describedby.
 * Escape, a touch elsewhere or scrolling closes it, and the pointer may move onto it to read. It closes, too, when what
 * it explains is gone, or is another thing: a hand that is dealt anew under a resting pointer opens none.
 *
 * Laws: a button that does something when it is pressed says so itself; pressing it closes its bubble, and a touch,
 * which has no other way to press, opens none. A trait of a board that can be pressed is explained by a touch; the rest
 * of the board is for pressing.
 */
import { h } from "./dom.js";
import { tipSpot } from "./tip_spot.js";

/** @typedef {{heading?: string, text: string} | null} Tip */

/** @type {WeakMap<Element, () => Tip>} */
const tipsOfElements = new WeakMap();

/** @type {HTMLElement | null} */
let tipBubble = null;
/** @type {Element | null} */
let tipOwner = null;
/** The words that the bubble shows. */
let tipWords = "";
/** What was pressed, until the pointer leaves it. @type {Element | null} */
let tipPressed = null;
/** Whether the last press was a touch that asked for a bubble. */
let tipTouched = false;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let tipTimer;
/** Where the pointer was last. */
const tipPointer = { x: NaN, y: NaN };
/** Watches the page while the bubble is open. @type {MutationObserver | null} */
let tipWatcher = null;

const TIP_LINGER = 180;
const PRESSED_BY_TOUCH = "button:not([aria-disabled=true]), a[href], [role=button], [data-state=pick] .board-sign";
/** What no bubble covers. */
const KEPT_CLEAR = "#reason, #hint-line, #hand [data-card]";

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

/** Whether the press of this click was a touch that asked what something is: then it does nothing else. */
export function touchExplained() {
  return tipTouched;
}

/** @returns {HTMLElement} */
function preparedBubble() {
  tipWatcher = new MutationObserver(checkTip);
  document.addEventListener("pointerover", hovered);
  document.addEventListener("pointermove", noteTipPointer, { passive: true });
  document.addEventListener("pointerdown", pressed);
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof Element && target.matches(":focus-visible")) tipWanted(explainedIn(target) ?? target);
  });
  document.addEventListener("focusout", ({ target }) => {
    if (target instanceof Node && target.contains(tipOwner)) closeTip();
  });
  document.addEventListener("scroll", closeTip, { capture: true, passive: true });
  document.addEventListener("keydown", ({ key }) => {
    if (key === "Escape") closeTip();
  });
  return h("div", { class: "tip", popover: "manual", "aria-hidden": "true" });
}

/** @param {PointerEvent} event */
function hovered(event) {
  // What comes under a pointer that rests was moved there by the page.
  const rests = event.clientX === tipPointer.x && event.clientY === tipPointer.y;
  noteTipPointer(event);
  if (event.pointerType === "touch" || rests) return;
  const owner = explainedAround(event.target);
  if (owner === null || owner !== tipPressed) {
    tipPressed = null;
    tipWanted(event.target);
  }
}

/** @param {PointerEvent} event */
function pressed(event) {
  const owner = explainedAround(event.target);
  const acts = owner?.closest(PRESSED_BY_TOUCH);
  const touch = event.pointerType === "touch";
  tipTouched = touch && owner !== null && !acts;
  if (acts) {
    tipPressed = owner;
    closeTip();
  } else if (touch) tipWanted(event.target);
}

/** @param {PointerEvent} event */
function noteTipPointer({ clientX, clientY }) {
  tipPointer.x = clientX;
  tipPointer.y = clientY;
}

/** @param {EventTarget | null} target */
function tipWanted(target) {
  const owner = explainedAround(target);
  clearTimeout(tipTimer);
  if (owner) {
    if (owner !== tipOwner) openTip(owner);
  } else if (tipOwner && !(target instanceof Node && tipBubble?.contains(target))) {
    tipTimer = setTimeout(closeTip, TIP_LINGER);
  }
}

/**
 * @param {EventTarget | null} target
 * @returns {Element | null}
 */
function explainedAround(target) {
  for (let at = target instanceof Element ? target : null; at; at = at.parentElement) {
    if (tipsOfElements.has(at)) return at;
  }
  return null;
}

/** What a button explains that is not explained itself, such as the trait on a card. @param {Element} target */
function explainedIn(target) {
  if (tipsOfElements.has(target) || !target.matches("button")) return null;
  return [...target.querySelectorAll("*")].find((one) => tipsOfElements.has(one)) ?? null;
}

/** @param {Element} owner */
function openTip(owner) {
  const tip = tipsOfElements.get(owner)?.();
  if (!tip || !tipBubble) return closeTip();
  tipOwner = owner;
  tipWords = JSON.stringify(tip);
  tipBubble.replaceChildren(...(tip.heading ? [h("strong", {}, tip.heading)] : []), tip.text);
  if (!tipBubble.isConnected) document.body.append(tipBubble);
  // Shown anew each time, so that it lies above a dialog that has opened since.
  tipBubble.hidePopover();
  tipBubble.showPopover();
  placeTip(owner, tipBubble);
  tipWatcher?.observe(document.body, { childList: true, subtree: true });
}

/** The page has changed: the bubble goes where its owner is now, or closes if that is not the same any more. */
function checkTip() {
  if (!tipOwner || !tipBubble) return;
  const same = tipOwner.getClientRects().length > 0 && JSON.stringify(tipsOfElements.get(tipOwner)?.()) === tipWords;
  if (same) placeTip(tipOwner, tipBubble);
  else closeTip();
}

/** @param {Element} owner @param {HTMLElement} bubble */
function placeTip(owner, bubble) {
  const around = owner.getBoundingClientRect();
  const { left, top } = tipSpot(around, bubble.getBoundingClientRect(), [around, ...clearRects()], {
    width: document.documentElement.clientWidth, height: document.documentElement.clientHeight,
  });
  bubble.style.setProperty("left", `${left}px`);
  bubble.style.setProperty("top", `${top}px`);
}

/** @returns {DOMRect[]} */
function clearRects() {
  return [...document.querySelectorAll(KEPT_CLEAR)].map((one) => one.getBoundingClientRect())
    .filter(({ width }) => width > 0);
}

function closeTip() {
  clearTimeout(tipTimer);
  tipWatcher?.disconnect();
  tipOwner = null;
  if (tipBubble?.isConnected) tipBubble.hidePopover();
}
