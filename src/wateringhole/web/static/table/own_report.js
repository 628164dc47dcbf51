/**
 * What happened to a player since its last reply, in one line. Nothing of the page.
 *
 * @typedef {import("./event_moves.js").GameEvent} ReportedEvent
 * @typedef {{attackers: Map<number, number>, eaten: number, gored: number, starved: number, extinct: number,
 *   cards: number, bag: number}} OwnReport
 */

const HORNS = "attack.horns";

/** @returns {OwnReport} */
export function emptyReport() {
  return { attackers: new Map(), eaten: 0, gored: 0, starved: 0, extinct: 0, cards: 0, bag: 0 };
}

/**
 * The report with one event more.
 *
 * @param {OwnReport} report
 * @param {ReportedEvent} event
 * @param {number} seat  whose report it is
 * @param {import("../shared/types.js").Board[]} boards  this seat's, before the event
 * @returns {OwnReport}
 */
export function reportedWith(report, event, seat, boards) {
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
      return { ...report, starved: report.starved + lost };
    }
    case "Extinct": return { ...report, extinct: report.extinct + 1, cards: report.cards + event.cards };
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
export function reportText({ attackers, eaten, gored, starved, extinct, cards, bag }, nameOf) {
  const attacks = [...attackers].map(([seat, times]) => `${nameOf(seat)} attacked you${timesText(times)}`);
  const parts = [
    ...attacks,
    eaten ? `${counted(eaten, "animal")} eaten` : "",
    gored ? `${counted(gored, "animal")} lost to horns` : "",
    starved ? `${counted(starved, "animal")} starved` : "",
    extinct ? `${counted(extinct, "board")} extinct` : "",
    cards ? `${counted(cards, "card")} gained` : "",
    bag ? `bag +${bag}` : "",
  ].filter(Boolean);
  return parts.length ? `Since your last move: ${parts.join(", ")}.` : "";
}

/** @param {number} times */
function timesText(times) {
  return times === 1 ? "" : times === 2 ? " twice" : ` ${times} times`;
}

/** @param {number} number @param {string} thing */
function counted(number, thing) {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
