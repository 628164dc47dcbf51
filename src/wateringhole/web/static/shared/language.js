/**
 * The choice of the page's language: a cookie of a year, which the server reads, and the page is loaded again.
 *
 * Laws: a reload loses nothing, at a table neither the seat nor the plan.
 */

import { h } from "./dom.js";
import { languageNames, pageLanguage } from "./text.js";

const YEAR = 31536000;

/** Speak this language from now on, on all pages. @param {string} language */
export function chooseLanguage(language) {
  document.cookie = `language=${language}; Max-Age=${YEAR}; Path=/; SameSite=Lax`;
  location.reload();
}

/** One button for each language, with its own name. @returns {HTMLElement[]} */
export function languageButtons() {
  return Object.entries(languageNames()).map(([language, name]) => h("button", { type: "button", class: "quiet",
    lang: language, "data-language": language, "aria-pressed": String(language === pageLanguage()),
    onclick: () => chooseLanguage(language) }, name));
}
