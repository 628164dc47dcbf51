/**
 * How a game ended: who won, what every score is made of, how it came about turn by turn, and where to go from here.
 *
 * Laws: all figures come from the server. Names and reasons are text, never markup.
 */
import { focusOn, h, renew } from "./dom.js";
import { faultText } from "./event_text.js";
import { glyphButton, seatMark, uiGlyph } from "./glyphs.js";
import { ladderText } from "./ladder_text.js";
import { winnersText } from "./outcome_text.js";
import { playerAddress } from "./player_address.js";
import { citedRule } from "./rulebook.js";
import { listText, numberText, text } from "./text.js";
import { FIGURE_GLYPHS, FIGURES, turnsChart, turnsTable } from "./turns_chart.js";

/** @typedef {{want: () => void, begin: () => void}} AgainActs  the player wants another game; it is to begin now */

/**
 * The panel at the end of a game at a table.
 *
 * @param {import("./types.js").End} end
 * @param {import("./types.js").RoomMessage} room
 * @returns {HTMLElement}
 */
export function endPanel(end, room) {
  const heading = h("h2", { id: "end-heading", tabindex: "-1" }, uiGlyph("crown"), ` ${winnersText(end.ranking, room.you)}`);
  return h(
    "section",
    { class: "card-panel end-panel", "aria-labelledby": "end-heading" },
    heading,
    rankingTable(end.ranking, room.you, end.identities),
    h("p", { class: "soft small end-ladder" }, ladderText(end.ladder)),
    h("div", { id: "again" }),
    h("div", { class: "end-ways" },
      h("a", { class: "button", href: `/game/${end.game}` }, uiGlyph("play"), text("button.replay")),
      ...downloads(end.game), shareButton(end.game)),
    downloadNotes(),
    turnsFigure(end.turns, end.ranking),
  );
}

/**
 * Draw who wants another game, and the button that says so; later the way to the table where it is played.
 *
 * @param {HTMLElement} panel
 * @param {import("./types.js").RoomMessage} room
 * @param {AgainActs} acts
 */
export function drawPlayAgain(panel, room, acts) {
  const box = panel.querySelector("#again");
  if (!(box instanceof HTMLElement)) return;
  const focused = box.contains(document.activeElement);
  renew(box, againParts(room, acts));
  // The button that was pressed is gone.
  if (focused && !box.contains(document.activeElement)) focusOn(box, "button, [tabindex]");
}

/** @param {import("./types.js").RoomMessage} room @param {AgainActs} acts @returns {HTMLElement[]} */
function againParts({ places, you, host, ready, undecided, next }, { want, begin }) {
  const namesOf = (/** @type {number[]} */ seats) =>
    listText(places.filter(({ seat }) => seats.includes(seat)).map(({ name }) => name));
  const says = (/** @type {string} */ words) => h("p", { id: "again-state", role: "status", tabindex: "-1" }, words);
  if (next !== null) {
    const way = you !== null && ready.includes(you) ? text("end.again.go") : text("end.again.watch");
    return [says(text("end.again.begun", { names: namesOf(ready) })),
      h("a", { class: "button primary", id: "next", href: `/table/${encodeURIComponent(next)}` }, way)];
  }
  const parts = [];
  if (you !== null && !ready.includes(you)) {
    parts.push(glyphButton("play", text("button.again"), { class: "primary", id: "play-again", onclick: want }));
  }
  if (ready.length > 0 && undecided.length > 0) {
    parts.push(says(text("end.again.waiting", { ready: namesOf(ready), undecided: namesOf(undecided) })));
  }
  // Without undecided players there is one who has gone since, or there was trouble.
  if (you !== null && ready.includes(you) && (host || ready[0] === you || undecided.length === 0)) {
    parts.push(glyphButton("play", text("button.begin"), { id: "begin-again", onclick: begin }));
    parts.push(h("span", { class: "soft" }, text("end.again.bots")));
  }
  return parts;
}

/**
 * The ranking, each score with its parts; the expelled last, with their reasons.
 *
 * @param {import("./types.js").Standing[]} ranking
 * @param {number | null} you
 * @param {string[] | null} identities  by seats, where names are to lead to the players' pages
 * @returns {HTMLElement}
 */
export function rankingTable(ranking, you, identities) {
  const best = Math.max(1, ...ranking.map(({ score }) => score ?? 0));
  const parts = FIGURES.map((part) => h("th", { scope: "col", class: "number" }, uiGlyph(FIGURE_GLYPHS[part]),
    h("span", { class: "end-part" }, text(`score.${part}`))));
  return h(
    "table",
    { class: "end-ranking" },
    h("caption", { class: "visually-hidden" }, text("ranking.caption")),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, h("span", { class: "end-rank" }, text("ranking.rank"))),
      h("th", { scope: "col" }, text("ranking.player")), h("th", { scope: "col", class: "number" }, text("ranking.score")),
      ...parts)),
    h("tbody", {}, ...ranking.map((row) =>
      rankingRow(row, best, row.seat === you, identities && identities[row.seat - 1]))),
  );
}

/**
 * @param {import("./types.js").Standing} row
 * @param {number} best
 * @param {boolean} yours
 * @param {string | null} identity
 */
function rankingRow(row, best, yours, identity) {
  const player = identity === null ? row.name : h("a", { href: playerAddress(identity) }, row.name);
  const name = h("span", { class: "end-name" }, seatMark(row.seat), " ", player, yours && h("em", {}, " ", text("ranking.you")));
  const mark = { "data-seat": row.seat, "data-rank": row.rank ?? "none" };
  if (row.fault) {
    const why = h("p", { class: "end-fault", title: row.fault.text },
      text("ranking.out", { why: faultText(row.fault) }), " ", citedRule(row.fault.rule));
    return h("tr", mark, h("td", {}, "-"), h("td", { colspan: "5" }, name, why));
  }
  return h(
    "tr",
    mark,
    h("td", {}, row.rank === 1 && uiGlyph("crown"), row.rank),
    h("td", {}, name, scoreBar(row, best)),
    h("td", { class: "number" }, h("strong", {}, row.score)),
    ...FIGURES.map((part) => h("td", { class: "number" }, numberText(row[part]))),
  );
}

/**
 * A score as a bar of its three parts, for the eye; the figures stand beside it.
 *
 * @param {import("./types.js").Standing} row
 * @param {number} best
 */
function scoreBar(row, best) {
  const bar = h("span", { class: "end-bar", "aria-hidden": "true" });
  for (const part of FIGURES) {
    const piece = h("span", { "data-part": part });
    piece.style.setProperty("width", `${(100 * row[part]) / best}%`);
    bar.append(piece);
  }
  return bar;
}

/**
 * What each player had at the end of each turn: a chart that can show any part of the score, and the figures.
 *
 * @param {import("./types.js").TurnEnd[]} turns
 * @param {{seat: number, name: string}[]} players
 * @returns {HTMLElement}
 */
export function turnsFigure(turns, players) {
  const bySeat = players.map(({ seat, name }) => ({ seat, name })).sort((one, other) => one.seat - other.seat);
  const chart = h("div", { class: "end-chart" });
  const buttons = FIGURES.map((part) => {
    const button = h("button", { type: "button", class: "quiet", "data-part": part }, text(`score.${part}`));
    button.addEventListener("click", () => show(part));
    return button;
  });
  /** @param {"bag" | "population" | "traits"} part */
  function show(part) {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.part === part));
    chart.replaceChildren(turnsChart(turns, bySeat, part));
  }
  show("bag");
  return h(
    "figure",
    { class: "end-turns" },
    h(
      "figcaption",
      {},
      text("chart.title"),
      " ",
      h("span", { role: "group", "aria-label": text("chart.choice"), class: "end-switch" }, ...buttons),
    ),
    chart,
    h("details", {}, h("summary", {}, text("chart.figures")), h("div", { class: "end-figures" }, turnsTable(turns, bySeat))),
  );
}

/**
 * The links that take a game along.
 *
 * @param {string} game
 * @returns {HTMLElement[]}
 */
export function downloads(game) {
  const link = (/** @type {"record" | "page"} */ kind, /** @type {string} */ ending) =>
    h("a", { class: "button", href: `/api/games/${game}/${kind}`, download: `${game}.${ending}` },
      uiGlyph("download"), h("span", {}, text(`download.${kind}`)));
  return [link("record", "jsonl"), link("page", "html")];
}

/** What the files are good for, in words that need no pointer. */
export function downloadNotes() {
  const note = (/** @type {"record" | "page"} */ kind) =>
    h("div", {}, h("dt", {}, text(`download.${kind}`)), " ", h("dd", {}, text(`download.${kind}.about`)));
  return h("dl", { class: "end-files soft small" }, note("record"), note("page"));
}

/**
 * Copies the address of the replay; where the browser does not let us, shows it to be copied by hand.
 *
 * @param {string} game
 * @param {() => string} [hash]  what the address ends with
 * @returns {HTMLElement}
 */
export function shareButton(game, hash = () => "") {
  const said = h("span", {}, text("copy.link"));
  const button = h("button", { type: "button" }, uiGlyph("link"), said);
  const shown = h("input", { type: "text", readonly: true, hidden: true, "aria-label": text("copy.address") });
  button.addEventListener("click", async () => {
    const address = `${location.origin}/game/${game}${hash()}`;
    try {
      await navigator.clipboard.writeText(address);
      said.textContent = text("copy.copied");
    } catch {
      shown.hidden = false;
      shown.value = address;
      shown.select();
    }
  });
  return h("span", { class: "end-share", role: "status" }, button, shown);
}
