/** What the ladder makes of a game, in sentences. */

import { text } from "./text.js";

/** @param {import("./messages.js").LadderVerdict} verdict @returns {string} */
export function ladderText({ uncounted, unrated }) {
  if (uncounted !== null) return text(`rated.not.${uncounted}`);
  return [text("rated.counts"), ...unrated.map(({ name, why }) => text(`rated.seat.${why}`, { name }))].join(" ");
}
