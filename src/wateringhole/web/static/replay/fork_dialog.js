/** "Play on from here": a new table at this step of a finished game, at which the reader takes over one seat. */
import { byId, h } from "../shared/dom.js";
import { postJson } from "../shared/post_json.js";
import { text } from "../shared/text.js";

/**
 * Ask which seat, then go to the new table.
 *
 * @param {string} game
 * @param {number} step
 * @param {import("../shared/table_state.js").TableState} table  after that step
 * @param {number[]} asked
 */
export function forkDialog(game, step, { turn, players, names }, asked) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("fork-dialog"));
  const seats = /** @type {HTMLSelectElement} */ (byId("fork-seat"));
  byId("fork-text").textContent = text("replay.fork.text", { turn, step });
  byId("fork-problem").textContent = "";
  seats.replaceChildren(...players.map(({ seat }) => h("option", { value: seat }, `${seat}: ${names[seat - 1]}`)));
  if (asked.length) seats.value = String(asked[0]);
  byId("fork-cancel").onclick = () => dialog.close();
  byId("fork-form").onsubmit = (event) => {
    event.preventDefault();
    void takeOver(game, step, Number(seats.value));
  };
  dialog.showModal();
}

/**
 * @param {string} game
 * @param {number} step
 * @param {number} seat
 */
async function takeOver(game, step, seat) {
  try {
    const response = await postJson(`/api/games/${encodeURIComponent(game)}/fork`, { step, seat });
    const value = await response.json();
    if (!response.ok) throw new Error(value.text);
    location.assign(`/table/${value.table}#key=${value.key}`);
  } catch (error) {
    const why = error instanceof Error && error.message ? error.message : text("replay.unreachable");
    byId("fork-problem").textContent = text("replay.fork.problem", { why });
  }
}
