/**
 * The quick game: this player against three bots, without any further question.
 *
 * Laws: easy bots alone until this browser has finished a game.
 */

import { USUAL_BOTS } from "../shared/room_text.js";
import { remembered } from "../shared/storage.js";
import { text } from "../shared/text.js";
import { openTable } from "./new_table.js";

/** Go to a new game; the sentence why that could not be otherwise. @returns {Promise<string>} */
export function quickGame() {
  const bots = remembered("finished") === null ? USUAL_BOTS.map(() => "easy") : USUAL_BOTS;
  const places = [{ kind: "person" }, ...bots.map((bot) => ({ kind: "bot", bot }))];
  return openTable({ title: text("lobby.quick.title"), private: true, time: "none", places });
}
