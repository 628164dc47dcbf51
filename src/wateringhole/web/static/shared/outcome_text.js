/** How a game ended, in words: who won, then the others by their places. Nothing of the page. */

import { listText, ordinalText, text } from "./text.js";

/**
 * Who won, told to the player on seat `you`.
 *
 * @param {import("./messages.js").ScoreRow[]} ranking
 * @param {number | null} [you]
 * @returns {string}
 */
export function winnersText(ranking, you = null) {
  const winners = ranking.filter(({ rank }) => rank === 1);
  if (winners.length === 0) return text("ranking.none");
  const names = listText(winners.filter(({ seat }) => seat !== you).map(({ name }) => name));
  if (you !== null && winners.some(({ seat }) => seat === you)) {
    return winners.length === 1 ? text("ranking.you-win") : text("ranking.you-share", { names });
  }
  return winners.length === 1 ? text("ranking.wins", { name: names }) : text("ranking.share", { names });
}

/** The whole outcome in one line. @param {import("./messages.js").ScoreRow[]} ranking @returns {string} */
export function outcomeText(ranking) {
  const best = ranking.find(({ rank }) => rank === 1);
  const others = ranking.filter(({ rank }) => rank !== 1).map(placeText);
  const winners = best ? text("replay.outcome.winners", { winners: winnersText(ranking), count: best.score ?? 0 })
    : winnersText(ranking);
  return others.length ? text("replay.outcome", { winners, others: listText(others) }) : winners;
}

/** @param {import("./messages.js").ScoreRow} row @returns {string} */
function placeText({ name, rank, score }) {
  if (rank === null) return text("replay.outcome.expelled", { name });
  return text("replay.outcome.place", { name, place: ordinalText(rank), score: score ?? 0 });
}
