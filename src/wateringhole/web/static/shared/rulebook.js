/**
 * The rule book for tooltips and citations: from the page itself where it carries one, otherwise from the server.
 *
 * Laws: without a rule book a page still shows everything but the rules' words.
 */
import { h } from "./dom.js";
import { explain } from "./tooltips.js";

/** @type {import("./types.js").Rulebook} */
let rulebookInUse = { rules: {}, traits: {} };

/** Load the rule book, and give all pieces on the page the sentences that they share. */
export async function openRulebook() {
  const embedded = embeddedRulebook();
  try {
    rulebookInUse = embedded ? JSON.parse(embedded.textContent ?? "") : await fetchedRulebook();
    shareTraitSentences();
  } catch (error) {
    console.warn("no rule book", error);
  }
}

/** One hidden sentence per trait, which all pieces on the page share for their aria-describedby. */
function shareTraitSentences() {
  document.getElementById("trait-sentences")?.remove();
  const sentences = Object.entries(rulebookInUse.traits)
    .map(([trait, { text }]) => h("p", { id: `trait-sentence-${trait}` }, text));
  document.body.append(h("div", { id: "trait-sentences", hidden: true }, ...sentences));
}

/** What a trait does, or nothing where there is no rule book. @param {string} trait @returns {string | undefined} */
export function traitSentence(trait) {
  return rulebookInUse.traits[trait]?.text;
}

/**
 * A link to a rule in the rule book, with its text as tooltip.
 *
 * @param {string} rule
 * @returns {HTMLAnchorElement}
 */
export function ruleLink(rule) {
  const link = h("a", {
    class: "rule-link", href: `/rules#${rule.replaceAll(".", "")}`, target: "_blank", rel: "noopener",
  }, rule);
  explain(link, () => {
    const known = rulebookInUse.rules[rule];
    return known ? { heading: known.title, text: known.text } : null;
  });
  return link;
}

/**
 * A rule by its id: a link into the rule book, or where there is none to be opened, its tooltip alone.
 *
 * @param {string} rule
 * @returns {HTMLElement}
 */
export function citedRule(rule) {
  const link = ruleLink(rule);
  if (embeddedRulebook()) for (const name of ["href", "target", "rel"]) link.removeAttribute(name);
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
