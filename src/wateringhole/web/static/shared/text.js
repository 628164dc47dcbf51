/**
 * The texts of the page, from the catalogue of its language.
 *
 * Laws: no sentence for users is written in another module. The server puts the catalogue in front of the page's modules
 * (page_text.py), so that a text is known before any of them runs. A parameter `count` chooses among plural forms.
 *
 * @typedef {keyof (typeof import("../text/en.json"))} FixedKey
 * @typedef {`event.${string}` | `refusal.${string}` | `trait.${string}` | `hint.reason.${string}` | `lesson.${string}`
 *   | `tournament.format.${string}` | `bot.${string}`} KeyByName
 *   keys of which a part is known only when the page runs: a kind of event, a rule id, a trait
 * @typedef {FixedKey | KeyByName} TextKey
 * @typedef {string | Partial<Record<Intl.LDMLPluralRule, string>>} TextEntry
 *   a sentence with {parameters}, or one for each plural form
 * @typedef {Record<string, string | number>} TextParameters
 */

const PARAMETER = /\{(\w+)\}/g;

/** @type {Record<string, TextEntry>} */
let texts = {};
let language = "en";
/** @type {{number: Intl.NumberFormat, plural: Intl.PluralRules, ordinal: Intl.PluralRules} | null} */
let formatsInUse = null;
/** @type {Record<string, string>} */
let names = {};

/**
 * Speak this language from now on.
 *
 * @param {string} chosen
 * @param {Record<string, TextEntry>} catalogue
 * @param {Record<string, string>} [all]  the languages that there are, each with its own name
 */
export function useTexts(chosen, catalogue, all = {}) {
  language = chosen;
  formatsInUse = null;
  texts = catalogue;
  names = all;
}

/** The language of this page, such as "en". */
export function pageLanguage() {
  return language;
}

/** The languages that the page can be had in, each with its own name. */
export function languageNames() {
  return names;
}

/** Whether the catalogue has this key. @param {string} key */
export function hasText(key) {
  return key in texts;
}

/** @param {TextKey} key @param {TextParameters} [parameters] @returns {string} */
export function text(key, parameters = {}) {
  const entry = texts[key] ?? key;
  const form = typeof entry === "string" ? entry : entry[pluralForm(Number(parameters.count))] ?? entry.other ?? key;
  return form.replace(PARAMETER, (found, name) => parameterText(parameters[name] ?? found));
}

/** "3", "1,000". @param {number} number */
export function numberText(number) {
  return formats().number.format(number);
}

/** "7.50": with so many digits behind the point. @param {number} number @param {number} digits */
export function decimalText(number, digits) {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat(language, options).format(number);
}

/** "50%", "50 %". @param {number} share */
export function percentText(share) {
  const style = "percent";
  return new Intl.NumberFormat(language, { style }).format(share);
}

/** A moment as this language writes it, in the reader's time zone. @param {string} moment @returns {string} */
export function momentText(moment) {
  const date = new Date(moment);
  if (Number.isNaN(date.valueOf())) return moment;
  // A British reader of the English page has British dates.
  const region = navigator.languages.find((one) => one.split("-")[0] === language) ?? language;
  return date.toLocaleString(region, { dateStyle: "medium", timeStyle: "short" });
}

/** A number with its sign; a real minus, because a hyphen is easy to miss. @param {number} number */
export function signedText(number) {
  return number > 0 ? `+${numberText(number)}` : number < 0 ? `\u2212${numberText(-number)}` : "0";
}

/** "1st", "2nd", in the way of this language. @param {number} number */
export function ordinalText(number) {
  const form = formats().ordinal.select(number);
  const entry = texts.ordinal ?? "{number}.";
  const words = typeof entry === "string" ? entry : entry[form] ?? entry.other ?? "{number}.";
  return words.replace(PARAMETER, numberText(number));
}

/** "Ann, Bob and Cid". @param {string[]} words */
export function listText(words) {
  return new Intl.ListFormat(language).format(words);
}

/** @param {number} count @returns {Intl.LDMLPluralRule} */
function pluralForm(count) {
  return formats().plural.select(count);
}

/** The formats that every sentence may need: to make one takes longer than to draw a board. */
function formats() {
  formatsInUse ??= { number: new Intl.NumberFormat(language), plural: new Intl.PluralRules(language),
    ordinal: new Intl.PluralRules(language, { type: "ordinal" }) };
  return formatsInUse;
}

/** @param {string | number} value */
function parameterText(value) {
  return typeof value === "number" ? numberText(value) : value;
}
