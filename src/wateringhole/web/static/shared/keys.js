/** What the shortcuts of all pages leave alone. */

/** Whether a key belongs to something that is being written or to a dialog. @param {KeyboardEvent} event */
export function isTyping(event) {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.isComposing) return true;
  return Boolean(target.closest?.("input, textarea, select, dialog, [contenteditable]"));
}
