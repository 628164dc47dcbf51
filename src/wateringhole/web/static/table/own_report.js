/**
 * What happened to a player since its last reply, in one line. Nothing of the page.
 *
 * @typedef {import("./event_moves.js").GameEvent} ReportedEvent
 * @typedef {"declined" | "hole" | "prey"} Hunger  why animals starved: the player fed no more, the watering hole was
 *   empty, or only carnivores without prey were hungry
 * @typedef {{attackers: Map<number, number>, eaten: number, gored: number, declined: boolean, starved: number,
 *   hunger: Hunger, extinct: string[], cards: number, bag: number}} OwnReport  extinct: the letters of boards
 */

import { listText, text } from "../shared/text.js";

const HORNS = "attack.horns";

/** @returns {OwnReport} */
export function emptyReport() {
  return { attackers: new Map(), eaten: 0, gored: 0, declined: false, starved: 0, hunger: "hole", extinct: [],
    cards: 0, bag: 0 };
}

/**
 * The report with one event more.
 *
 * @param {OwnReport} report
 * @param {ReportedEvent} event
 * @param {{seat: number, boards: import("../shared/types.js").Board[]}} own  whose report it is, before the event
 * @param {number} tokens  in the watering hole, before the event
 * @returns {OwnReport}
 */
export function reportedWith(report, event, { seat, boards }, tokens) {
  if (event.type === "Attacked" && event.target_seat === seat) {
    const times = report.attackers.get(event.seat) ?? 0;
    return { ...report, attackers: new Map(report.attackers).set(event.seat, times + 1) };
  }
  if (event.type === "TurnEnded") return { ...report, bag: report.bag + boards.reduce((sum, { food }) => sum + food, 0) };
  if (!("seat" in event) || event.seat !== seat) return report;
  switch (event.type) {
    case "AnimalLost":
      return event.rule === HORNS ? { ...report, gored: report.gored + 1 } : { ...report, eaten: report.eaten + 1 };
    case "Starved": {
      const lost = (boards[event.board]?.population ?? event.population) - event.population;
      return { ...report, starved: report.starved + lost, hunger: report.declined ? "declined" : tokens ? "prey" : "hole" };
    }
    case "Extinct":
      return { ...report, extinct: [...report.extinct, boards[event.board].letter], cards: report.cards + event.cards };
    case "Declined": return { ...report, declined: true };
    case "CardsDealt": return { ...report, cards: report.cards + event.cards };
    default: return report;
  }
}

/**
 * The report in one line; empty when nothing happened.
 *
 * @param {OwnReport} report
 * @param {(seat: number) => string} nameOf
 * @returns {string}
 */
export function reportText({ attackers, eaten, gored, starved, hunger, extinct, cards, bag }, nameOf) {
  const parts = [
    ...[...attackers].map(([seat, count]) => text("report.attacked", { name: nameOf(seat), count })),
    eaten ? text("report.eaten", { count: eaten }) : "",
    gored ? text("report.gored", { count: gored }) : "",
    starved ? text("report.starved", { count: starved, why: hungerText(hunger) }) : "",
    extinct.length ? text("report.extinct", { count: extinct.length, boards: listText(extinct) }) : "",
    cards ? text("report.cards", { count: cards }) : "",
    bag ? text("report.bag", { count: bag }) : "",
  ].filter(Boolean);
  return parts.length ? text("report.since", { what: parts.join(", ") }) : "";
}

/** @param {Hunger} hunger @returns {string} */
function hungerText(hunger) {
  switch (hunger) {
    case "declined": return text("report.hunger.declined");
    case "hole": return text("report.hunger.hole");
    case "prey": return text("report.hunger.prey");
  }
}
