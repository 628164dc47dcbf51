/** The title of a table, its places and its time control in words. */

import { hasText, text } from "./text.js";

/** The bots for people who do not know the others by name, the weakest first. */
export const USUAL_BOTS = ["easy", "normal", "hard"];
/** The bots that a host can choose in the waiting room. */
export const CHOICE_BOTS = [...USUAL_BOTS, "champion"];

/** What a table is called, also if no person has given it a title. @param {{title: string, places: import("./types.js").Place[]}} table */
export function tableTitle({ title, places }) {
  if (title) return title;
  return places.some(({ kind }) => kind === "person") ? text("new-table.title.example") : text("table.programs");
}

/** Who has a place, or will have it. @param {import("./types.js").Place} place @returns {string} */
export function placeHolder(place) {
  if (place.presence !== "empty") return place.name;
  return place.kind === "bot" && place.bot ? text("place.bot-named", { bot: place.bot }) : text(`place.${place.kind}`);
}

/** What each of these bots is like, as far as the catalogue says so. @param {string[]} bots @returns {string[]} */
export function botNotes(bots) {
  return bots.filter((bot) => hasText(`bot.${bot}`)).map((bot) => text("place.bot-about", { bot, about: text(`bot.${bot}`) }));
}

/** Why a game could not begin, or had to stop. @param {import("./messages.js").Trouble} trouble @returns {string} */
export function troubleText({ kind, why, count }) {
  return text(`trouble.${kind}`, { why, count });
}

/** A time control in words. @param {string} time @returns {string} */
export function timeText(time) {
  if (time === "none") return text("time.none");
  const [bank, more] = time.split("+").map(Number);
  return more === undefined ? text("time.each", { span: spanText(bank) })
    : text("time.bank", { bank: spanText(bank), more: spanText(more) });
}

/** @param {number} seconds @returns {string} */
function spanText(seconds) {
  if (seconds < 60 || seconds % 60) return text("time.seconds", { count: seconds });
  return text("time.minutes", { count: seconds / 60 });
}
