/** A table's places and time control in words, for the lobby and the waiting room. */

/** The bots for people who do not know the others by name, the weakest first. */
export const USUAL_BOTS = ["easy", "normal", "hard"];

/** Who has a place, or will have it. @param {import("./types.js").Place} place @returns {string} */
export function placeHolder(place) {
  if (place.presence !== "empty") return place.name;
  return { person: "free", bot: place.bot ? `the bot ${place.bot}` : "a bot", client: "a program" }[place.kind];
}

/** A time control in words. @param {string} time @returns {string} */
export function timeText(time) {
  if (time === "none") return "No clock.";
  const [bank, more] = time.split("+").map(Number);
  return more === undefined ? `${bank} seconds for each answer.`
    : `Clock: ${spanText(bank)} for the game, and ${spanText(more)} more after each answer.`;
}

/** @param {number} seconds @returns {string} */
function spanText(seconds) {
  if (seconds < 60 || seconds % 60) return `${seconds} seconds`;
  return seconds === 60 ? "1 minute" : `${seconds / 60} minutes`;
}
