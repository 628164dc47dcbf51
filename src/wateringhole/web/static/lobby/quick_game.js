/**
 * The quick game: this player against three bots, without any further question.
 *
 * Laws: easy bots alone until this browser has finished a game. The page of the quick game is the table's, which the
 * lobby has fetched beforehand: it sets the table up itself, so that a slow line does not wait for a page in between.
 */

import { USUAL_BOTS } from "../shared/room_text.js";
import { remembered } from "../shared/storage.js";
import { text } from "../shared/text.js";
import { openTable } from "./new_table.js";

export const QUICK_PAGE = "/quick";

/** Leave this page for the page of the quick game. */
export function goToQuickGame() {
  location.assign(QUICK_PAGE);
}

/**
 * Let the browser fetch what a quick game needs, and keep it. Firefox takes a prefetch link for a violation of the page's
 * policy, so this is a request of the script's own.
 */
export function fetchBeforehand() {
  for (const address of document.body.dataset.beforehand?.split(" ") ?? []) {
    void fetch(address, { priority: "low" }).then((response) => response.blob()).catch(() => undefined);
  }
}

/** On the page of the quick game: have a table. @returns {Promise<string>}  why there is none, or the empty text */
export async function setUpQuickGame() {
  const bots = remembered("finished") === null ? USUAL_BOTS.map(() => "easy") : USUAL_BOTS;
  const places = [{ kind: "person" }, ...bots.map((bot) => ({ kind: "bot", bot }))];
  let made = false;
  const said = await openTable({ title: text("lobby.quick.title"), private: true, time: "none", places }, (address) => {
    made = true;
    history.replaceState(null, "", address);
  });
  return made ? "" : said;
}
