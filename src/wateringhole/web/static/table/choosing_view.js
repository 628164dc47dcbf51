/**
 * How choosing cards looks: the hand, the own boards after the plan, and the line that says what comes next.
 *
 * Laws: draws what it is given and decides nothing.
 *
 * @typedef {{me: import("../shared/types.js").Me, plan: import("./plan.js").Plan, picked: number | null,
 *   boards: import("../shared/types.js").Board[], moment: "idle" | "asking" | "answered", spelled: string,
 *   sending: boolean, verdict: import("./card_places.js").Word,
 *   wordOn: (place: string) => import("./card_places.js").Word}} ChoosingState
 */

import { h, redraw } from "../shared/dom.js";
import { asSentence } from "../shared/notices.js";
import { citedRule } from "../shared/rulebook.js";
import { traitName, traitText } from "../shared/trait_text.js";
import { boardPlace, foodPlace, markPlaces, placesOn } from "./card_places.js";
import { ownBoard } from "./own_side.js";
import { draftOf } from "./plan.js";

/** Which cards are taken and which are used. @param {HTMLElement} hand @param {ChoosingState} state */
export function markHand(hand, { plan, picked }) {
  for (const button of hand.querySelectorAll("[data-card]")) {
    const card = Number(button.getAttribute("data-card"));
    const used = plan.entries.some((entry) => entry.card === card);
    button.setAttribute("aria-pressed", String(card === picked));
    button.toggleAttribute("data-used", used);
    button.querySelector("wh-card")?.setAttribute("data-state", card === picked ? "picked" : used ? "used" : "pick");
  }
}

/** The own boards as the plan leaves them, with every place. @param {HTMLElement} root @param {ChoosingState} state */
export function drawPlannedBoards(root, { me, plan, boards, moment, wordOn }) {
  const { food } = draftOf(plan);
  const drawn = boards.map((board, index) => {
    const old = me.boards[index];
    const changed = old && JSON.stringify(old) !== JSON.stringify(board);
    const state = old ? (changed ? "changed" : null) : "new";
    return ownBoard(board, me.seat, index, { state, compact: true, controls: placesOn(board, index, !old) });
  });
  redraw(root, [foodPlace(food === null ? null : me.hand[food]), ...drawn, boardPlace(boards.length)]);
  markPlaces(root, moment, wordOn);
}

/** What the player can do next, or what is wrong with the plan. @param {HTMLElement} line @param {ChoosingState} state */
export function drawPlanState(line, { me, plan, picked, spelled, sending, verdict }) {
  line.replaceChildren(...nextWords({ me, plan, picked, spelled, sending, verdict }));
  line.toggleAttribute("data-bad", verdict.text !== null && picked === null);
}

/**
 * @param {Pick<ChoosingState, "me" | "plan" | "picked" | "spelled" | "sending" | "verdict">} state
 * @returns {(Node | string)[]}
 */
function nextWords({ me, plan, picked, spelled, sending, verdict }) {
  if (sending) return ["Playing ..."];
  if (spelled) return [`Which ${spelled.length === 1 ? "board" : "slot"}? Press its number.`];
  if (picked !== null) return [`Card ${picked}: choose its place. `, traitWords(me.hand[picked][1])];
  if (verdict.text !== null) {
    return ["Not like this: ", asSentence(verdict.text), " ", citedRule(verdict.rule ?? "cardplay.shape")];
  }
  if (plan.entries.length === 0) return ["Take a card, then its place. One must go to the watering hole."];
  if (draftOf(plan).food === null) return ["Still missing: a card for the watering hole."];
  return ["Ready. Cards that you do not use stay in your hand."];
}

/** What a trait does. @param {import("../shared/types.js").Trait} trait @returns {Node} */
function traitWords(trait) {
  return h("span", { class: "soft" }, `${traitName(trait)}: ${traitText(trait)}`);
}
