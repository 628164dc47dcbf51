/** What a seat answered, in words. Nothing of the page. */

import { faultText, lettersBefore, timesEach } from "../shared/event_text.js";
import { listText, signedText, text } from "../shared/text.js";
import { traitName } from "../shared/trait_text.js";

/**
 * @typedef {import("./open_table.js").OpenTable} AnsweredTable
 * @typedef {import("../shared/messages.js").Face} AnsweredFace
 */

/**
 * A reply in words; null for a feeding, which its first event tells. A card play is told with its cards only to who may
 * see that hand.
 *
 * @param {import("../shared/messages.js").ReplayReply | null} reply  null: the game begins
 * @param {AnsweredTable} before
 * @param {import("./open_table.js").Viewer} viewer
 * @returns {string | null}
 */
export function replyText(reply, before, viewer) {
  if (!reply) return text("replay.begins");
  const { seat, move } = reply;
  const name = before.table.names[seat - 1];
  if (move.move === "fault") return text("replay.fails", { name, reason: faultText(move) });
  if (move.move !== "play") return null;
  if (viewer !== "all" && viewer !== seat) return text("replay.chosen", { name });
  return text("replay.chooses", { name, play: listText(playParts(move, before, seat)) });
}

/**
 * @param {import("../shared/messages.js").CardPlay} play
 * @param {AnsweredTable} before
 * @param {number} seat
 * @returns {string[]}
 */
function playParts(play, { table, hands }, seat) {
  const hand = hands[seat] ?? [];
  const letter = (/** @type {number} */ board) => lettersBefore(table)(seat, board);
  const { boards = [], traits = [], population = [], body = [] } = play;
  const bare = boards.filter((board) => !board.traits?.length).length;
  return [
    text("replay.play.food", { card: faceText(hand[play.food]) }),
    ...bare ? [text("replay.play.bare", { count: bare })] : [],
    ...boards.flatMap(({ traits: cards = [] }) => cards.length
      ? [text("replay.play.board", { traits: listText(cards.map((card) => traitOn(hand[card]))) })] : []),
    ...traits.map(({ board, card }) =>
      text("replay.play.trait", { trait: traitOn(hand[card]), board: letter(board) })),
    ...timesEach(population.map(({ board }) => board)).map(([board, count]) => text("replay.play.population", { count, board: letter(board) })),
    ...timesEach(body.map(({ board }) => board)).map(([board, count]) => text("replay.play.body", { count, board: letter(board) })),
  ];
}

/** @param {AnsweredFace | undefined} face  a play that expelled its player may name a card that it never had */
function faceText(face) {
  return face ? text("replay.card", { trait: traitName(face[1]), food: signedText(face[0]) }) : traitOn(face);
}

/** @param {AnsweredFace | undefined} face */
function traitOn(face) {
  return face ? traitName(face[1]) : text("replay.card.none");
}
