/** Elements from plain data. Whatever comes from outside becomes text or an attribute, never markup. */

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | EventListener>} Attributes */

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  return equipped(document.createElement(tag), attributes, children);
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag
 * @param {Attributes} [attributes]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, attributes = {}, ...children) {
  return equipped(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/**
 * Attributes as they are called in HTML; a name that begins with "on" is a listener, true an empty attribute.
 *
 * @template {Element} E
 * @param {E} element
 * @param {Attributes} attributes
 * @param {Child[]} children
 * @returns {E}
 */
function equipped(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  for (const child of children) {
    if (child !== null && child !== undefined && child !== false) element.append(child instanceof Node ? child : String(child));
  }
  return element;
}

/**
 * A copy of the drawing with this key, which is drawn once: a copy takes much less time.
 *
 * @template {Element} E
 * @param {Map<string, E>} drawings
 * @param {string} key
 * @param {() => E} draw
 * @returns {E}
 */
export function copyOf(drawings, key, draw) {
  const drawing = drawings.get(key) ?? draw();
  drawings.set(key, drawing);
  return /** @type {E} */ (drawing.cloneNode(true));
}

/**
 * The element with this id, which the page has.
 *
 * @param {string} id
 * @returns {HTMLElement}
 */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found;
}

/**
 * Make these the children of a node. What is as it was stays, with what was typed into it, the focus and a finger on it:
 * a button that is replaced between press and release was never clicked.
 *
 * @param {Element} parent
 * @param {Node[]} nodes
 */
export function renew(parent, nodes) {
  const before = [...parent.childNodes];
  for (const [at, node] of nodes.entries()) {
    if (at >= before.length) parent.append(node);
    else if (!before[at].isEqualNode(node)) before[at].replaceWith(node);
  }
  for (const left of before.slice(nodes.length)) left.remove();
}

/**
 * Put these children into the root; what is as it was stays, and what had the focus has it again: whatever can have it
 * has a `data-key`.
 *
 * @param {HTMLElement} root
 * @param {Node[]} children
 */
export function redraw(root, children) {
  const focused = root.contains(document.activeElement) ? document.activeElement : null;
  const key = focused?.closest("[data-key]")?.getAttribute("data-key");
  renew(root, children);
  if (key && document.activeElement !== focused) focusOn(root, `[data-key="${CSS.escape(key)}"]`);
}

/**
 * Focus the first match, if there is one.
 *
 * @param {ParentNode} root
 * @param {string} selector
 * @returns {boolean}
 */
export function focusOn(root, selector) {
  const found = root.querySelector(selector);
  if (!(found instanceof HTMLElement)) return false;
  found.focus({ preventScroll: false });
  return true;
}
