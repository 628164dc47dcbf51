/**
 * How choosing cards looks: the hand, the own boards after the plan, and the line that says what comes next.
 *
 * Laws: draws what it is given and decides nothing.
 *
 * @typedef {{me: import("../shared/types.js").Me, plan: import("./plan.js").Plan, picked: number | null,
 *   boards: import("../shared/types.js").Board[], moment: "idle" | "asking" | "answered", spelled: string,
 *   sending: boolean, verdict: import("./card_places.js").Word,
 *   wordOn: (place: string) => import("./card_places.js").Word}} ChoosingState
 *   boards: as the plan leaves them
 */

import { h } from "../shared/dom.js";
import { refusalText } from "../shared/notices.js";
import { ruleButton } from "../shared/rulebook.js";
import { boardLetter } from "../shared/table_state.js";
import { signedText, text } from "../shared/text.js";
import { traitName, traitText } from "../shared/trait_text.js";
import { boardPlace, foodPlace, markPlaces, placesOn, plannedEntries } from "./card_places.js";
import { layBoards, ownBoard } from "./own_side.js";
import { draftOf, withoutCard } from "./plan.js";

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
export function drawPlannedBoards(root, { me, plan, picked, boards, moment, wordOn }) {
  const shown = picked === null ? plan : withoutCard(plan, picked);
  const { food } = draftOf(shown);
  const planned = plannedEntries(shown);
  const drawn = boards.map((board, index) => ownBoard(board, me.seat, index, { ...plannedDress(me, planned, index), compact: true,
    controls: placesOn(board, index, !me.boards[index], planned) }));
  const before = [foodPlace(food === null ? null : me.hand[food], planned)];
  const after = [boardPlace(boardLetter(me, boards.length))];
  // Before they are compared with those that lie there: what is as it was stays.
  for (const place of [...before, ...drawn, ...after]) markPlaces(place, moment, wordOn);
  layBoards(root, drawn, { before, after });
}

/**
 * What the plan does to this board.
 *
 * @param {import("../shared/types.js").Me} me
 * @param {import("./card_places.js").PlannedEntries} planned
 * @param {number} index
 * @returns {import("./own_side.js").BoardDress}
 */
function plannedDress(me, planned, index) {
  const growth = { population: planned.get(`population:${index}`)?.length ?? 0, body: planned.get(`body:${index}`)?.length ?? 0 };
  const changed = [...planned.keys()].some((place) => place.split(":")[1] === String(index));
  return { state: me.boards[index] ? (changed ? "changed" : null) : "new", planned: growth };
}

/** The own side while the others still choose: as the plan that was played leaves it. @param {ChoosingState} state */
export function playedSide({ me, plan, boards }) {
  const planned = plannedEntries(plan);
  return { boards, dresses: boards.map((_, index) => plannedDress(me, planned, index)),
    used: plan.entries.map(({ card }) => card) };
}

/** What the player can do next, or what is wrong with the plan. @param {HTMLElement} line @param {ChoosingState} state */
export function drawPlanState(line, state) {
  line.replaceChildren(...nextWords(state));
  line.toggleAttribute("data-bad", state.verdict.text !== null && state.picked === null);
}

/**
 * How many cards the plan uses, and whether its list goes on below what is seen.
 *
 * @param {HTMLElement} line
 * @param {HTMLElement} list  drawn before
 * @param {number} count
 */
export function drawPlanCount(line, list, count) {
  const scrolls = list.closest("details")?.open && list.scrollHeight > list.clientHeight;
  line.replaceChildren(text("plan.count", { count }),
    scrolls ? h("span", { class: "soft" }, ` (${text("plan.scroll")})`) : "");
}

/** @param {ChoosingState} state @returns {(Node | string)[]} */
function nextWords({ me, plan, picked, spelled, sending, verdict }) {
  if (sending) return [text("choosing.sending")];
  if (spelled) return [spelled.length === 1 ? text("choosing.spell.board") : text("choosing.spell.trait")];
  if (picked !== null) return pickedWords(me.hand[picked], picked);
  if (verdict.text !== null) {
    const { rule, text: detail } = verdict;
    return [text("choosing.wrong", { why: refusalText(rule, detail) }), " ", ruleButton(() => (rule ? [rule] : []))];
  }
  if (plan.entries.length === 0) return [text("choosing.begin")];
  return [draftOf(plan).food === null ? text("choosing.food.missing") : text("choosing.ready")];
}

/** @param {import("../shared/types.js").Face} face @param {number} card @returns {Node[]} */
function pickedWords([food, trait], card) {
  const words = text("choosing.picked", { card: card + 1, trait: traitName(trait), food: signedText(food) });
  return [h("span", {}, words, " "), h("span", { class: "soft picked-trait" }, traitText(trait))];
}
