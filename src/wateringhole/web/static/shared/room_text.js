/** A table's places and time control in words, for the lobby and the waiting room. */

import { text } from "./text.js";

/** The bots for people who do not know the others by name, the weakest first. */
export const USUAL_BOTS = ["easy", "normal", "hard"];

/** Who has a place, or will have it. @param {import("./types.js").Place} place @returns {string} */
export function placeHolder(place) {
  if (place.presence !== "empty") return place.name;
  return place.kind === "bot" && place.bot ? text("place.bot-named", { bot: place.bot }) : text(`place.${place.kind}`);
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
