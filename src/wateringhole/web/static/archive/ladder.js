/** The ladder: who stands where, by all the games that count. */
import { byId, h } from "../shared/dom.js";
import { applySettings, settingsButton } from "../shared/settings.js";
import { text } from "../shared/text.js";
import { asked, ladderTable } from "./lists.js";

async function showLadder() {
  applySettings();
  byId("tools").append(settingsButton());
  try {
    const { ladder } = /** @type {{ladder: import("./lists.js").Rung[]}} */ (await asked("/api/ladder"));
    byId("ladder").replaceChildren(ladder.length ? ladderTable(ladder)
      : h("p", { class: "soft nothing" }, text("ladder.none"), " ", h("a", { href: "/" }, text("ladder.none.play"))));
  } catch (error) {
    byId("problem").textContent = error instanceof Error ? error.message : String(error);
    byId("problem").hidden = false;
  }
  document.documentElement.dataset.ready = "true";
}

void showLadder();
