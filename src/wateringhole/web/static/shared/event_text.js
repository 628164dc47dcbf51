/**
 * Events as lines of the story.
 *
 * Laws: pure. The sentences are those of `sentence` in events.py, which programs and the replay show; a test compares
 * them event by event.
 *
 * @typedef {(seat: number) => string} NameOf
 */

const AUTOMATIC = "feeding.automatic";
const HORNS = "attack.horns";
/** The rule of a fault that names none. */
const EXPULSION = "expulsion.reasons";
/** A turn announces its order. */
const ORDER = "end.order";

/** @type {Record<string, string>} */
const MEALS = {
  "feeding.graze": "grazes",
  [AUTOMATIC]: "grazes, its only option",
  "attack.course": "eats from its prey",
  "reveal.long-neck": "reaches up with its long neck",
  "meal.cooperation": "is fed by its neighbour",
  "meal.scavenger": "scavenges",
};

/**
 * @param {import("./messages.js").Event} event
 * @param {string[]} names  of all seats
 * @returns {import("./types.js").Line}
 */
export function lineOf(event, names) {
  const rule = ruleOf(event);
  return {
    text: sentence(event, (seat) => names[seat - 1]),
    rule,
    kind: event.type,
    seat: "seat" in event ? event.seat : null,
    automatic: rule === AUTOMATIC,
  };
}

/** @param {import("./messages.js").Event} event @returns {string} */
function ruleOf(event) {
  if (event.type === "TurnStarted") return ORDER;
  return event.type === "Expelled" ? event.fault.rule ?? EXPULSION : event.rule;
}

/** @param {import("./messages.js").Event} event @param {NameOf} name @returns {string} */
function sentence(event, name) {
  switch (event.type) {
    case "TurnStarted": {
      const [tokens, cards] = [counted(event.watering_hole, "token"), counted(event.deck, "card")];
      return `Turn ${event.turn} begins: ${tokens} in the watering hole, ${cards} in the deck; ${event.order.map(name).join(", ")}.`;
    }
    case "BoardGiven": return `${name(event.seat)} gets a new board.`;
    case "CardsDealt": return `${name(event.seat)} gets ${counted(event.cards, "card")}.`;
    case "Revealed": return `${name(event.seat)} ${revealedText(event)}`;
    case "Declined": return `${name(event.seat)} feeds no more this turn.`;
    case "OutOfOptions": return `${name(event.seat)} can feed no more this turn.`;
    case "TurnEnded": return `Turn ${event.turn} ends; ${counted(event.watering_hole, "token")} left in the watering hole.`;
    case "Expelled": return `${name(event.seat)} is expelled (${event.fault.reason}): it ${event.fault.text}.`;
    case "GameOver": return `The game is over. ${event.ranking.map(standingText).join(" ") || "No player took part."}`;
    case "Attacked": {
      const prey = `${name(event.target_seat)}'s board ${event.target}`;
      return `${name(event.seat)}'s board ${event.board} attacks ${prey}${onlyOption(event)}.`;
    }
    default: return `${name(event.seat)}'s board ${event.board} ${boardText(event)}.`;
  }
}

/**
 * What happened to one board.
 *
 * @param {Extract<import("./messages.js").Event,
 *   {type: "Bred" | "FatMoved" | "FatStored" | "Ate" | "AnimalLost" | "Starved" | "Extinct"}>} event
 * @returns {string}
 */
function boardText(event) {
  switch (event.type) {
    case "Bred": return `is fertile and grows to ${event.population}`;
    case "FatMoved": return `eats ${event.tokens} of its fat`;
    case "FatStored": return `stores ${event.tokens} as fat${onlyOption(event)}`;
    case "Ate": return `${MEALS[event.rule]}: ${counted(event.tokens, "token")}`;
    case "AnimalLost": return `loses an animal${event.rule === HORNS ? " to the horns" : ""}; ${event.population} left`;
    case "Starved": return `starves to ${event.population}`;
    case "Extinct": return `is extinct; ${counted(event.cards, "card")} in return`;
  }
}

/** @param {import("./messages.js").Revealed} event @returns {string} */
function revealedText({ food: [value, trait], watering_hole, boards, replaced, population, body }) {
  return `${[
    `puts ${value < 0 ? value : `+${value}`} (${trait}) into the watering hole, which holds ${watering_hole}`,
    ...boards.map((traits) => (traits.length ? `adds a board with ${traits.join(", ")}` : "adds a bare board")),
    ...replaced.map(([board, slot, put]) => `puts ${put} into slot ${slot} of board ${board}`),
    ...population.map((board) => `grows the population of board ${board}`),
    ...body.map((board) => `grows the body of board ${board}`),
  ].join("; ")}.`;
}

/** @param {import("./messages.js").Standing} row @returns {string} */
function standingText({ name, rank, score, fault }) {
  return fault ? `${name} was expelled.` : `${rank}. ${name}, ${counted(score ?? 0, "point")}.`;
}

/** @param {{rule: string}} event @returns {string} */
function onlyOption({ rule }) {
  return rule === AUTOMATIC ? ", its only option" : "";
}

/** @param {number} number @param {string} thing @returns {string} */
function counted(number, thing) {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
