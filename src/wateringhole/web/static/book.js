/** The rule book for tooltips and citations: from the page itself where it carries one, otherwise from the server. */
import { ruleLink, setRulebook } from "./pieces.js";

/** Give the pieces their rule book. Without one they still show everything but the rules' words. */
export async function openBook() {
  const embedded = embeddedBook();
  try {
    setRulebook(embedded ? JSON.parse(embedded.textContent ?? "") : await fetchedBook());
  } catch (error) {
    console.warn("no rule book", error);
  }
}

/**
 * A rule by its id: a link into the rule book, or where there is none to be opened, its tooltip alone.
 *
 * @param {string} rule
 * @returns {HTMLElement}
 */
export function citedRule(rule) {
  const link = ruleLink(rule);
  if (embeddedBook()) for (const name of ["href", "target", "rel"]) link.removeAttribute(name);
  return link;
}

function embeddedBook() {
  return document.getElementById("rulebook-data");
}

async function fetchedBook() {
  const response = await fetch("/static/rulebook.json");
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}
