/**
 * The question before a player leaves a running game by a link: once for each table and tab, and not at a reload.
 */

import { h } from "../shared/dom.js";
import { showDialog } from "../shared/settings.js";
import { note, noted } from "../shared/storage.js";
import { text } from "../shared/text.js";

/** @param {string} table */
export function askBeforeLeaving(table) {
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || event.defaultPrevented || !leavesThisTab(event, link)) return;
    if (!playsHere() || noted(`left.${table}`) !== null) return;
    event.preventDefault();
    note(`left.${table}`, "asked");
    askAbout(link.href);
  });
}

/** Whether this page has a seat in a game that is not over. */
function playsHere() {
  const running = ["choose", "feed", "wait"].includes(document.body.dataset.phase ?? "");
  return running && document.getElementById("own")?.hidden === false;
}

/** @param {MouseEvent} event @param {HTMLAnchorElement} link */
function leavesThisTab(event, link) {
  const elsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0 || link.target === "_blank";
  return !elsewhere && !link.hasAttribute("download") && link.pathname !== location.pathname;
}

/** @param {string} address */
function askAbout(address) {
  const stay = h("button", { class: "primary", type: "button", id: "stay",
    onclick: () => stay.closest("dialog")?.close() }, text("leave.stay"));
  showDialog(text("leave.title"), h("div", { class: "leaving" },
    h("p", {}, text("leave.text")),
    h("p", { class: "how-ways" }, stay, h("a", { class: "button", id: "leave-anyway", href: address }, text("leave.go")))));
  stay.focus();
}
