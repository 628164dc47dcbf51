/**
 * The rule book for citations: from the page itself where it carries one, otherwise from the server.
 *
 * Laws: without a rule book a page still shows everything but the rules' words.
 */
import { h } from "./dom.js";
import { text } from "./text.js";
import { explain } from "./tooltips.js";

/** @type {import("./types.js").Rulebook} */
let rulebookInUse = { rules: {} };

/** Load the rule book. */
export async function openRulebook() {
  const embedded = embeddedRulebook();
  try {
    rulebookInUse = embedded ? JSON.parse(embedded.textContent ?? "") : await fetchedRulebook();
  } catch (error) {
    console.warn("no rule book", error);
  }
}

/**
 * A rule where it is cited: a link into the rule book with its text as tooltip.
 *
 * @param {string} rule
 * @returns {HTMLAnchorElement}
 */
export function citedRule(rule) {
  return linkTo(rule, text("rule.link"));
}

/**
 * A small button that shows the words of rules, and hides them again.
 *
 * @param {() => string[]} rules  their ids, asked for when they are shown
 * @returns {HTMLElement}
 */
export function ruleButton(rules) {
  const notes = h("span", { class: "rule-notes", hidden: true });
  const show = () => {
    notes.hidden = !notes.hidden;
    button.setAttribute("aria-expanded", String(!notes.hidden));
    notes.replaceChildren(...notes.hidden ? [] : rules().map(ruleNote));
  };
  const button = h("button", { class: "quiet rule-button", type: "button", "aria-expanded": "false",
    "aria-label": text("rule.why"), onclick: show }, "?");
  return h("span", { class: "rules" }, button, notes);
}

/** @param {string} rule */
function ruleNote(rule) {
  return h("span", { class: "rule-note", lang: "en" }, linkTo(rule, rule), ` ${rulebookInUse.rules[rule]?.text ?? ""}`);
}

/** Where the page carries its rule book, it has none to be opened. @param {string} rule @param {string} words */
function linkTo(rule, words) {
  const address = { href: `/rules#${rule.replaceAll(".", "")}`, target: "_blank", rel: "noopener" };
  const link = h("a", { class: "rule-link", "data-rule": rule, ...embeddedRulebook() ? {} : address }, words);
  explain(link, () => {
    const known = rulebookInUse.rules[rule];
    return known ? { heading: known.title, text: known.text } : null;
  });
  return link;
}

function embeddedRulebook() {
  return document.getElementById("rulebook-data");
}

async function fetchedRulebook() {
  const response = await fetch(document.documentElement.dataset.rulebook ?? "/static/rules/rulebook.json");
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}
