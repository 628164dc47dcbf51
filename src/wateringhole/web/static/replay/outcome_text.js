/** How a game ended, in one line: who won, then the others by their places. Nothing of the page. */

import { listText, ordinalText, text } from "../shared/text.js";

/** @param {import("../shared/messages.js").ScoreRow[]} ranking @returns {string} */
export function outcomeText(ranking) {
  const winners = ranking.filter(({ rank }) => rank === 1);
  const others = ranking.filter(({ rank }) => rank !== 1).map(placeText);
  const first = winnersText(winners);
  return others.length ? text("replay.outcome", { winners: first, others: listText(others) }) : first;
}

/** @param {import("../shared/messages.js").ScoreRow[]} winners @returns {string} */
function winnersText(winners) {
  if (winners.length === 0) return text("replay.outcome.none");
  const won = { names: listText(winners.map(({ name }) => name)), count: winners[0].score ?? 0 };
  return winners.length === 1 ? text("replay.outcome.won", won) : text("replay.outcome.shared", won);
}

/** @param {import("../shared/messages.js").ScoreRow} row @returns {string} */
function placeText({ name, rank, score }) {
  if (rank === null) return text("replay.outcome.expelled", { name });
  return text("replay.outcome.place", { name, place: ordinalText(rank), score: score ?? 0 });
}
