/** "Play on from here": a new table at this step of a finished game, at which the reader takes over one seat. */
import { byId, h } from "../shared/dom.js";

/**
 * Ask which seat, then go to the new table.
 *
 * @param {string} game
 * @param {import("./frames.js").Scene} scene
 */
export function forkDialog(game, scene) {
  const dialog = /** @type {HTMLDialogElement} */ (byId("fork-dialog"));
  const seats = /** @type {HTMLSelectElement} */ (byId("fork-seat"));
  const places = scene.players.map(({ seat, name }) => h("option", { value: seat }, `${seat}: ${name}`));
  byId("fork-text").textContent =
    `A new table opens at turn ${scene.turn}, step ${scene.step}. You take over one seat; bots play the others.`;
  byId("fork-problem").textContent = "";
  seats.replaceChildren(...places);
  if (scene.asked.length) seats.value = String(scene.asked[0]);
  byId("fork-cancel").onclick = () => dialog.close();
  byId("fork-form").onsubmit = (event) => {
    event.preventDefault();
    void takeOver(game, scene.step, Number(seats.value));
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
    const response = await fetch(`/api/games/${encodeURIComponent(game)}/fork`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Wateringhole": "1" },
      body: JSON.stringify({ step, seat }),
    });
    const value = await response.json();
    if (!response.ok) throw new Error(value.text);
    location.assign(`/table/${value.table}#key=${value.key}`);
  } catch (error) {
    const why = error instanceof Error && error.message ? error.message : "the server cannot be reached";
    byId("fork-problem").textContent = `No table was opened: ${why}`;
  }
}
