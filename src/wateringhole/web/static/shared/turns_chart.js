/**
 * The course of a game, turn by turn, as a line chart and as a table of the same figures.
 *
 * Every line carries the mark of its seat at every point and its player's name at its end, so that no reader needs the
 * colours. Names that would cover each other are pushed apart.
 */
import { h, s } from "./dom.js";
import { seatMark, seatShape } from "./glyphs.js";
import { listText, numberText, text } from "./text.js";

/** @typedef {import("./types.js").TurnEnd} ChartTurn */
/** @typedef {{seat: number, name: string}} ChartPlayer */
/** @typedef {"bag" | "population" | "traits"} Figure */
/** @typedef {{player: ChartPlayer, points: {x: number, y: number, value: number}[]}} ChartLine */

/** What each figure is drawn with. @type {Record<Figure, string>} */
export const FIGURE_GLYPHS = { bag: "bag", population: "population", traits: "card" };
export const FIGURES = /** @type {Figure[]} */ (Object.keys(FIGURE_GLYPHS));
const CHART = { left: 28, lines: 272, height: 290, top: 14, bottom: 28 };
const LABEL_HEIGHT = 16;
/** A letter of a label is about so wide; before the name stand a mark and a number. */
const LETTER_WIDTH = 7.4;
const BEFORE_LABEL = 58;
/** As many letters of a name as can be read, in a wide window and on a phone. */
const MAX_LABEL_CHARS = { wide: 32, narrow: 11 };

/**
 * @param {ChartTurn[]} turns
 * @param {ChartPlayer[]} players
 * @param {Figure} what
 * @returns {SVGSVGElement}
 */
export function turnsChart(turns, players, what) {
  const top = niceTop(Math.max(1, ...turns.flatMap((turn) => turn.players.map((holding) => holding[what]))));
  const gap = chartSpan("x") / Math.max(1, turns.length - 1);
  const xAt = (/** @type {number} */ at) => CHART.left + gap * (turns.length > 1 ? at : 0.5);
  const yAt = (/** @type {number} */ value) => CHART.top + chartSpan("y") * (1 - value / top.value);
  const lines = players.map((player) => ({ player, points: pointsOf(turns, player.seat, what, xAt, yAt) }));
  const most = matchMedia("(min-width: 44rem)").matches ? MAX_LABEL_CHARS.wide : MAX_LABEL_CHARS.narrow;
  const names = players.map(({ name }) => shortened(name, most).length);
  const width = Math.ceil(CHART.left + CHART.lines + BEFORE_LABEL + Math.max(...names, 4) * LETTER_WIDTH);
  return s("svg", { class: "turns-chart", viewBox: `0 0 ${width} ${CHART.height}`, role: "img" },
    s("title", {}, text(`chart.${what}`)),
    s("desc", {}, lines.map(lineSentence).join("; ")),
    ...gridOf(top, yAt), ...turnNames(turns, xAt),
    ...lines.map(drawnLine), ...endLabels(lines, most));
}

/**
 * @param {"x" | "y"} axis
 * @returns {number}
 */
function chartSpan(axis) {
  return axis === "x" ? CHART.lines : CHART.height - CHART.top - CHART.bottom;
}

/**
 * A round end of the scale, and the distance of its grid lines.
 *
 * @param {number} most
 * @returns {{value: number, step: number}}
 */
function niceTop(most) {
  const step = [1, 2, 5, 10, 20, 25, 50, 100].find((size) => most / size <= 5) ?? Math.ceil(most / 5);
  return { value: Math.ceil(most / step) * step, step };
}

/**
 * The points of one player; a player who has left has no more of them.
 *
 * @param {ChartTurn[]} turns
 * @param {number} seat
 * @param {Figure} what
 * @param {(at: number) => number} xAt
 * @param {(value: number) => number} yAt
 */
function pointsOf(turns, seat, what, xAt, yAt) {
  return turns.flatMap((turn, at) => {
    const holding = turn.players.find((one) => one.seat === seat);
    return holding ? [{ x: xAt(at), y: yAt(holding[what]), value: holding[what] }] : [];
  });
}

/**
 * @param {ChartLine} line
 * @returns {string}
 */
function lineSentence({ player, points }) {
  const values = listText(points.map((point) => numberText(point.value))) || text("chart.nothing");
  return `${text("story.who", { who: player.name })} ${values}`;
}

/**
 * @param {{value: number, step: number}} top
 * @param {(value: number) => number} yAt
 */
function gridOf(top, yAt) {
  const values = Array.from({ length: top.value / top.step + 1 }, (_, at) => at * top.step);
  return values.map((value) => s("g", { class: "chart-grid" },
    s("path", { d: `M${CHART.left} ${yAt(value)}H${CHART.left + CHART.lines}` }),
    s("text", { x: CHART.left - 7, y: yAt(value) + 4, "text-anchor": "end" }, value)));
}

/**
 * @param {ChartTurn[]} turns
 * @param {(at: number) => number} xAt
 */
function turnNames(turns, xAt) {
  const every = Math.ceil(turns.length / 12);
  const names = turns.map(({ turn }, at) => at % every ? null
    : s("text", { x: xAt(at), y: CHART.height - CHART.bottom + 18, "text-anchor": "middle" }, turn));
  return [s("g", { class: "chart-turns" }, ...names,
    s("text", { x: CHART.left + CHART.lines + 16, y: CHART.height - CHART.bottom + 18 }, text("chart.turn")))];
}

/** @param {ChartLine} line */
function drawnLine({ player, points }) {
  const d = points.map(({ x, y }, at) => `${at ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  return s("g", { class: "chart-line", "data-seat": player.seat },
    s("path", { class: "chart-path", d }),
    ...points.map(({ x, y }) => s("path", {
      class: "chart-mark", d: seatShape(player.seat),
      transform: `translate(${(x - 5).toFixed(1)} ${(y - 5).toFixed(1)}) scale(0.42)`,
    })));
}

/**
 * The names at the ends of the lines, from the top down, each at least one line below the one before.
 *
 * @param {ChartLine[]} lines
 * @param {number} most  letters of a name
 */
function endLabels(lines, most) {
  const ends = lines.flatMap(({ player, points }) => {
    const last = points.at(-1);
    return last ? [{ player, value: last.value, x: last.x, wanted: last.y, y: last.y }] : [];
  }).sort((one, other) => one.wanted - other.wanted);
  let free = CHART.top;
  for (const end of ends) {
    end.y = Math.max(end.wanted, free);
    free = end.y + LABEL_HEIGHT;
  }
  let floor = CHART.height - CHART.bottom;
  for (const end of [...ends].reverse()) {
    end.y = Math.min(end.y, floor);
    floor = end.y - LABEL_HEIGHT;
  }
  const left = CHART.left + CHART.lines + 16;
  return ends.map(({ player, value, x, wanted, y }) => s("g", { class: "chart-label", "data-seat": player.seat },
    s("path", { class: "chart-lead", d: `M${x + 6} ${wanted}L${left - 3} ${y}` }),
    s("path", { class: "chart-mark", d: seatShape(player.seat), transform: `translate(${left} ${y - 5}) scale(0.42)` }),
    s("text", { x: left + 14, y: y + 4.5 }, `${value} ${shortened(player.name, most)}`)));
}

/** @param {string} name @param {number} most @returns {string} */
function shortened(name, most) {
  const letters = Array.from(name);
  return letters.length > most ? `${letters.slice(0, most - 1).join("")}\u2026` : name;
}

/**
 * The figures of the chart as text: a row for each turn, three columns for each player.
 *
 * @param {ChartTurn[]} turns
 * @param {ChartPlayer[]} players
 * @returns {HTMLTableElement}
 */
export function turnsTable(turns, players) {
  return h("table", { class: "turns-table" },
    h("caption", {}, text("chart.caption")),
    h("thead", {},
      h("tr", {}, h("th", { scope: "col", rowspan: 2 }, text("chart.turn")), ...players.map((player) =>
        h("th", { scope: "colgroup", colspan: FIGURES.length }, seatMark(player.seat), " ", player.name))),
      h("tr", {}, ...players.flatMap(() => FIGURES.map((what) =>
        h("th", { scope: "col", class: "number" }, text(`score.${what}`)))))),
    h("tbody", {}, ...turns.map((turn) => h("tr", {}, h("th", { scope: "row" }, turn.turn),
      ...players.flatMap((player) => turnFigures(turn, player.seat))))));
}

/**
 * @param {ChartTurn} turn
 * @param {number} seat
 * @returns {HTMLTableCellElement[]}
 */
function turnFigures(turn, seat) {
  const holding = turn.players.find((one) => one.seat === seat);
  return FIGURES.map((what) => h("td", { class: "number" }, holding ? holding[what] : "\u2013"));
}
