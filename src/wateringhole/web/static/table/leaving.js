/**
 * The question before a player leaves a running game by a link: once for each table and tab, and not at a reload.
 */

import { h } from "../shared/dom.js";
import { showDialog } from "../shared/settings.js";
import { note, noted } from "../shared/storage.js";

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
    onclick: () => stay.closest("dialog")?.close() }, "Stay");
  showDialog("Leave the table?", h("div", { class: "leaving" },
    h("p", {}, "Your game goes on, and your seat stays yours: every page has \u201cContinue\u201d in its header. If "
      + "others wait for you, a bot plays for you after a minute, until you come back. If only bots wait, so does the game."),
    h("p", { class: "how-ways" }, stay, h("a", { class: "button", id: "leave-anyway", href: address }, "Leave"))));
  stay.focus();
}
