/**
 * The small line drawings: one glyph per trait, one mark per seat, and the glyphs of buttons and facts.
 *
 * Every drawing is data on a 24 x 24 field: `tint` (a faint fill), `line` (a stroke), `solid` (a full fill) and `dots`
 * (discs that belong to the solid, and are holes where they lie on it), all in the colour of the text around it. The
 * drawings carry no words, so they are hidden from screen readers; the caller says in text what one means.
 */
import { copyOf, h, s } from "./dom.js";

/** @typedef {[x: number, y: number, radius: number]} Dot */
/** @typedef {{line?: string, tint?: string, solid?: string, dots?: Dot[]}} Strokes */

/** @type {Record<import("./types.js").Trait, Strokes>} */
const TRAIT_STROKES = {
  "ambush": {
    line: "M3 22.5c.8-5.5.4-10.5-1.2-15 M21 22.5c-.8-5.5-.4-10.5 1.2-15 M7 22.5c0-3.5-.5-5.5-1.5-7.5"
      + " M10 22.5c0-3.5.4-6 1.6-8.5 M13.5 22.5c.2-3 .8-4.5 2-6.5 M17.3 22.5c0-3 .3-5 1.2-7",
    solid: "M4.5 3.5L11 7.5c-.2 2.5-1.4 3.7-3.1 3.7C5.5 11.2 4.2 8.3 4.5 3.5z"
      + " M19.5 3.5L13 7.5c.2 2.5 1.4 3.7 3.1 3.7 2.4 0 3.7-2.9 3.4-7.7z",
  },
  "burrowing": {
    tint: "M2.5 20c.5-3.5 2.5-4 4-6.5C8 10.5 9 7.5 12 7.5s4.3 3 5.7 6c1.3 2.5 3.3 3 3.8 6.5z",
    line: "M1 20h22 M2.5 20c.5-3.5 2.5-4 4-6.5C8 10.5 9 7.5 12 7.5s4.3 3 5.7 6c1.3 2.5 3.3 3 3.8 6.5",
    solid: "M7.5 20c0-4.6 1.7-7.2 4.5-7.2s4.5 2.6 4.5 7.2z",
    dots: [[10.3, 17, 1.1], [13.7, 17, 1.1], [3.8, 9.5, 1.3], [7, 4.5, 1.3], [19.3, 6.5, 1.3]],
  },
  "carnivore": {
    line: "M2 9.5C5 4 19 4 22 9.5 M5 16c2.5 5 11.5 5 14 0",
    solid: "M4.5 7.8l2.8 9 2.7-10z M19.5 7.8l-2.8 9-2.7-10z M10.6 7.2h2.8L12 10.6z M10 19l2-4 2 4z",
  },
  "climbing": {
    tint: "M7.5 1h9v22h-9z",
    line: "M10.5 9L6.5 9.5 4.5 6 M13.5 9l4 .5 2-3.5 M10.5 14.5L6.5 14.5 4 18 M13.5 14.5l4 0 2.5 3.5"
      + " M12 16c0 4 1.5 6 5 6.5",
    solid: "M12 1.5c1.9 0 3 1.7 3 3.6 0 1.3-.5 2-.9 2.7.6 1.2.9 2.5.9 4 0 3-1.2 6-3 6s-3-3-3-6c0-1.5.3-2.8.9-4"
      + "C9.5 7.1 9 6.4 9 5.1c0-1.9 1.1-3.6 3-3.6z",
  },
  "cooperation": {
    tint: "M2 10l2.2-.4 5.3 6.4v5.5H6.8L2 16z M22 10l-2.2-.4-5.3 6.4v5.5h2.7L22 16z",
    line: "M2 9v7l4.5 5.5 M10 21.5v-4.5l-4.7-5.2c-1-1-2.5.2-1.7 1.5L6.2 16.5 M22 9v7l-4.5 5.5"
      + " M14 21.5v-4.5l4.7-5.2c1-1 2.5.2 1.7 1.5L17.8 16.5",
    dots: [[12, 6, 3.8]],
  },
  "fat-tissue": {
    line: "M2.5 12c0-5.2 4-8.5 9.5-8.5s9.5 3.3 9.5 8.5c0 2.7-1 4.9-2.9 6.4v2.8h-3.4v-1.1"
      + "c-2 .4-4.4.4-6.4 0v1.1H5.4v-2.8C3.5 16.9 2.5 14.7 2.5 12z",
    solid: "M12 6c2.4 3 3.7 4.9 3.7 6.9a3.7 3.7 0 0 1-7.4 0C8.3 10.9 9.6 9 12 6z",
  },
  "fertile": {
    tint: "M4.5 13l2.5 2.2 2.5-2.2 2.5 2.2 2.5-2.2 2.5 2.2 2.5-2.2c0 5.5-3 8.7-7.5 8.7s-7.5-3.2-7.5-8.7z",
    line: "M4.5 13l2.5 2.2 2.5-2.2 2.5 2.2 2.5-2.2 2.5 2.2 2.5-2.2c0 5.5-3 8.7-7.5 8.7s-7.5-3.2-7.5-8.7z M12 13V7.5",
    solid: "M12 9.2c-.3-4.3-2.9-6.5-7.5-6.7C4.6 7 7.2 9.4 12 9.2z"
      + " M12 7.2c.2-3 2.2-4.8 6.2-5C18.3 5.5 16.2 7.3 12 7.2z",
  },
  "foraging": {
    tint: "M11 19C3.5 18 1 13 2.5 5 9.5 6.5 12.5 11 11 19z",
    line: "M11 19C3.5 18 1 13 2.5 5 9.5 6.5 12.5 11 11 19z M5.5 10c2 2.5 4.5 6 6.5 12",
    solid: "M13.5 17.5C11.5 10 14 5 21.5 3 23.5 10.5 21 15.5 13.5 17.5z",
  },
  "hard-shell": {
    tint: "M3 16.5C3 9.5 6.5 5 11.5 5S20 9.5 20 16.5z",
    line: "M3 16.5C3 9.5 6.5 5 11.5 5S20 9.5 20 16.5z M8 16.5l1.2-5.5h4.6l1.2 5.5 M9.2 11L6.5 7.5 M13.8 11l2.7-3.5"
      + " M6 16.5v3h3v-3 M14 16.5v3h3v-3",
    solid: "M19.5 15.5c.2-2.3 1.2-3.5 2.4-3.5 1 0 1.6.8 1.6 2s-.9 2.5-3 2.5z",
  },
  "herding": {
    tint: "M7.5 21v-4.5c0-3 2-4.5 4.5-4.5h4l2.5-2.5 3.5 2-.5 2.5h-2v7z",
    line: "M9.7 21h-2.2v-4.5c0-3 2-4.5 4.5-4.5h4l2.5-2.5 3.5 2-.5 2.5h-2v7h-2.2v-3.5h-5.6V21z"
      + " M4.5 17v-3.5c0-3 2-4.7 4.5-4.7h4l2.2-2.3 2.3.8 M1.7 13v-3C1.7 7 3.7 5.3 6.2 5.3h4L12.4 3l2.3.8",
  },
  "horns": {
    tint: "M8 12c0 5.5 1.8 9.5 4 9.5s4-4 4-9.5c-1.5-2.5-6.5-2.5-8 0z",
    line: "M8 12c0 5.5 1.8 9.5 4 9.5s4-4 4-9.5c-1.5-2.5-6.5-2.5-8 0z",
    solid: "M9.5 12.8C3.5 12.5.3 8 2.8 2c.8 4.3 3.5 6.5 8.7 7.3z"
      + " M14.5 12.8c6-.3 9.2-4.8 6.7-10.8-.8 4.3-3.5 6.5-8.7 7.3z",
  },
  "long-neck": {
    tint: "M4.5 22C6.5 17 8.2 11.5 9.5 6c.5-2 1.8-3 3.5-3l5.8 2.3c1.5.7 1 3-.6 2.9L14 8c-.7 5 0 10 2 14z",
    line: "M4.5 22C6.5 17 8.2 11.5 9.5 6c.5-2 1.8-3 3.5-3l5.8 2.3c1.5.7 1 3-.6 2.9L14 8c-.7 5 0 10 2 14"
      + " M12 3l-.6-1.8",
    solid: "M9.5 11.5l2.5-1 .3 2.8-2.3.4z M8 17.5l2.6-2 1.8 2.8-2.8 2z M12 5.6a.9.9 0 1 0 1.8 0a.9.9 0 1 0-1.8 0z",
  },
  "pack-hunting": {
    solid: "M12 5c1.9 0 3.5 2 3.5 3.5 0 1.9-1.9 1.4-3.5 1.4s-3.5.5-3.5-1.4c0-1.5 1.6-3.5 3.5-3.5z"
      + " M6.1 16c1.9 0 3.5 2 3.5 3.5 0 1.9-1.9 1.4-3.5 1.4s-3.5.5-3.5-1.4c0-1.5 1.6-3.5 3.5-3.5z"
      + " M17.9 16c1.9 0 3.5 2 3.5 3.5 0 1.9-1.9 1.4-3.5 1.4s-3.5.5-3.5-1.4c0-1.5 1.6-3.5 3.5-3.5z",
    dots: [
      [8.5, 4, 1.3], [12, 2.4, 1.4], [15.5, 4, 1.3],
      [2.6, 15, 1.3], [6.1, 13.4, 1.4], [9.6, 15, 1.3], [14.4, 15, 1.3], [17.9, 13.4, 1.4], [21.4, 15, 1.3],
    ],
  },
  "scavenger": {
    tint: "M2.5 21.5c-1.2-3 .3-5.8 3-6.2 1.5-1.8 6.5-1.8 8.2.2 2.8.3 3.8 3.2 2.8 6z",
    line: "M2.5 21.5c-1.2-3 .3-5.8 3-6.2 1.5-1.8 6.5-1.8 8.2.2 2.8.3 3.8 3.2 2.8 6z"
      + " M5.7 15C3.5 8 6.5 3 11.5 3c3 0 5 1.5 6 3.7 M13.5 15c-.5-2 .3-3.6 1.7-4.5",
    solid: "M14.6 5.5c4.4.2 7.4 2.5 7.6 7.2.1 1.2-.6 2.3-1.3 2.8-.2-2.5-2.4-4-6.9-4.5z",
    dots: [[10.9, 7.7, 1.2]],
  },
  "symbiosis": {
    line: "M12 2.5a9.5 9.5 0 0 1 0 19a4.75 4.75 0 0 1 0-9.5a4.75 4.75 0 0 0 0-9.5z M12 2.5a9.5 9.5 0 0 0 0 19",
    solid: "M12 2.5a9.5 9.5 0 0 0 0 19a4.75 4.75 0 0 1 0-9.5a4.75 4.75 0 0 0 0-9.5z",
    dots: [[9.1, 7.2, 1.6], [14.1, 16.8, 1.6]],
  },
  "warning-call": {
    tint: "M2 21.5c-.5-9 1-15.5 6-15.5 2.5 0 4 1.2 4.6 3l-1.6 4.5c-.5 3 .5 5 2 8z",
    line: "M2 21.5c-.5-9 1-15.5 6-15.5 2.5 0 4 1.2 4.6 3L17 6.8 M17 14.5l-5.5-1.5c-.9 3 0 5.5 1.5 8.5"
      + " M12.6 9L11.5 13 M19.5 8.8c.7 1.2.7 2.8 0 4 M22.3 6.5c1.2 2.6 1.2 5.7 0 8.3",
    dots: [[7.8, 10.5, 1.3]],
  },
};

export const TRAITS = /** @type {import("./types.js").Trait[]} */ (Object.keys(TRAIT_STROKES));

/** The shapes of the seats 1 to 8: they differ as silhouettes, so that colour is never needed. */
const SEAT_SHAPES = [
  "M3 12a9 9 0 1 0 18 0a9 9 0 1 0-18 0z",
  "M12 2.5L22.5 21h-21z",
  "M4 4h16v16H4z",
  "M12 1l9 11-9 11-9-11z",
  "M12 1.5l3 7.3 7.8.6-6 5.1 1.9 7.7-6.7-4.2-6.7 4.2 1.9-7.7-6-5.1 7.8-.6z",
  "M8.5 2.5h7v6h6v7h-6v6h-7v-6h-6v-7h6z",
  "M15.5 2A10.2 10.2 0 1 0 22 16.5 9 9 0 0 1 15.5 2z",
  "M3 2.5h18L14.5 12 21 21.5H3L9.5 12z",
];

/** @type {Record<string, Strokes>} */
const UI_STROKES = {
  "play": { solid: "M7 4l13 8-13 8z" },
  "pause": { solid: "M6 4h4v16H6z M14 4h4v16h-4z" },
  "step": { solid: "M5 4l10 8-10 8z M16.5 4h3v16h-3z" },
  "back": { solid: "M19 4L9 12l10 8z M4.5 4h3v16h-3z" },
  "first": { solid: "M22 5l-8 7 8 7z M13.5 5l-8 7 8 7z M2 5h2.5v14H2z" },
  "last": { solid: "M2 5l8 7-8 7z M10.5 5l8 7-8 7z M19.5 5H22v14h-2.5z" },
  "undo": { line: "M8.5 4L4 8.5 8.5 13 M4 8.5h10a5.5 5.5 0 0 1 0 11H8" },
  "clear": { line: "M4 7h16 M9 7V4h6v3 M6 7l1 14h10l1-14 M10 11v6 M14 11v6" },
  "up": { line: "M5 15l7-7 7 7" },
  "down": { line: "M5 9l7 7 7-7" },
  "hint": {
    tint: "M8.5 16c0-2-2.5-3.5-2.5-7a6 6 0 0 1 12 0c0 3.5-2.5 5-2.5 7z",
    line: "M8.5 16c0-2-2.5-3.5-2.5-7a6 6 0 0 1 12 0c0 3.5-2.5 5-2.5 7z M9 19h6 M10.5 22h3",
  },
  "sound": { line: "M15.5 9c1.5 1.8 1.5 4.2 0 6 M18.5 6c3 3.5 3 8.5 0 12", solid: "M3 9h4l5-5v16l-5-5H3z" },
  "mute": { line: "M16 9l6 6 M22 9l-6 6", solid: "M3 9h4l5-5v16l-5-5H3z" },
  "sun": {
    line: "M12 1.5v3 M12 19.5v3 M1.5 12h3 M19.5 12h3 M4.6 4.6l2.1 2.1 M17.3 17.3l2.1 2.1 M4.6 19.4l2.1-2.1"
      + " M17.3 6.7l2.1-2.1",
    dots: [[12, 12, 4.5]],
  },
  "moon": { solid: "M14.5 2.5A10 10 0 1 0 21.5 16 8.5 8.5 0 0 1 14.5 2.5z" },
  "help": {
    line: "M2.5 12a9.5 9.5 0 1 0 19 0a9.5 9.5 0 1 0-19 0z M9 9.5a3 3 0 1 1 4.7 2.4c-1.2.8-1.7 1.3-1.7 2.6",
    dots: [[12, 17.5, 1.3]],
  },
  "link": {
    line: "M10 14a4.5 4.5 0 0 0 6.5 0l3.5-3.5a4.5 4.5 0 0 0-6.5-6.5L12 5.5"
      + " M14 10a4.5 4.5 0 0 0-6.5 0L4 13.5a4.5 4.5 0 0 0 6.5 6.5L12 18.5",
  },
  "download": { line: "M12 3v12 M6.5 10l5.5 5.5 5.5-5.5 M4 17v4h16v-4" },
  "eye": { line: "M1.5 12C6 4.5 18 4.5 22.5 12 18 19.5 6 19.5 1.5 12z", dots: [[12, 12, 3.5]] },
  "fork": { line: "M6 8v8 M6 13.5c0-2.5 12-1 12-5.5", dots: [[6, 5, 2.8], [6, 19, 2.8], [18, 5, 2.8]] },
  "close": { line: "M5 5l14 14 M19 5L5 19" },
  "food": {
    tint: "M12 8c-5-3-9 0-8.5 5.5S8 22 12 20c4 2 8-1 8.5-6.5S17 5 12 8z",
    line: "M12 8c-5-3-9 0-8.5 5.5S8 22 12 20c4 2 8-1 8.5-6.5S17 5 12 8z M12 8c0-2-.5-3.5-1.5-5",
    solid: "M12.5 5c.5-2.5 2.5-3.5 5.5-3.5 0 2.7-2 4-5.5 3.5z",
  },
  "population": { solid: "M3 21v-9c0-3.5 2.5-5.5 6-5.5h4.5L16.5 2 21 4.5l1.5 4-1.5 2h-2.5V21H15v-5H6.5v5z" },
  "body": { line: "M3 21L21 3 M14 3h7v7 M3 14v7h7" },
  "fat": { solid: "M12 2c4.5 5.5 7 9 7 12.7a7 7 0 0 1-14 0C5 11 7.5 7.5 12 2z" },
  "bag": {
    tint: "M9 7.5C4 11 2.5 14.5 3.5 18.5 4 20.5 5.5 21.5 8 21.5h8c2.5 0 4-1 4.5-3 1-4-.5-7.5-5.5-11z",
    line: "M9 7.5C4 11 2.5 14.5 3.5 18.5 4 20.5 5.5 21.5 8 21.5h8c2.5 0 4-1 4.5-3 1-4-.5-7.5-5.5-11z M7.5 2.5l1.5 5"
      + " M16.5 2.5l-1.5 5 M7.5 2.5c3 1.5 6 1.5 9 0",
  },
  "card": { tint: "M5 2.5h14v19H5z", line: "M5 2.5h14v19H5z M9 7h6 M9 17h6" },
  "deck": { tint: "M3 7h12v15H3z", line: "M3 7h12v15H3z M6 4.5h11.5V19 M9 2h11.5v14.5" },
  "crown": { solid: "M3 19L1.5 6.5l6 4.5L12 3l4.5 8 6-4.5L21 19z" },
  "clock": { line: "M2.5 12a9.5 9.5 0 1 0 19 0a9.5 9.5 0 1 0-19 0z M12 6v6.5l4 2.5" },
  "bot": {
    line: "M4 8h16v12H4z M12 8V3.5 M1.5 12v4 M22.5 12v4 M9 16.8h6",
    dots: [[8.7, 12.5, 1.5], [15.3, 12.5, 1.5], [12, 3, 1.5]],
  },
  "person": { solid: "M3 22c0-6 3.5-9 9-9s9 3 9 9z", dots: [[12, 7, 4.5]] },
  "client": { line: "M2 4h20v16H2z M6 9l3.5 3L6 15 M12 15.5h6" },
  "menu": { line: "M3 6h18 M3 12h18 M3 18h18" },
  "pick": { line: "M12 3v18 M3 12h18" },
  "target": { line: "M5 12a7 7 0 1 0 14 0a7 7 0 1 0-14 0z M12 1v6 M12 17v6 M1 12h6 M17 12h6" },
  "blocked": { line: "M2.5 12a9.5 9.5 0 1 0 19 0a9.5 9.5 0 1 0-19 0z M5.5 5.5l13 13" },
  "chosen": { line: "M3.5 12.5l6 6L20.5 6" },
  "new": { solid: "M12 1.5l2.6 7.9 7.9 2.6-7.9 2.6L12 22.5l-2.6-7.9L1.5 12l7.9-2.6z" },
  "changed": { line: "M4 10a8.5 8.5 0 0 1 15-3 M19.5 2v5.5H14 M20 14a8.5 8.5 0 0 1-15 3 M4.5 22v-5.5H10" },
};

/** All that were drawn, by kind and name. @type {Map<string, SVGSVGElement>} */
const drawnGlyphs = new Map();

/**
 * @param {import("./types.js").Trait} trait
 * @returns {SVGSVGElement}
 */
export function traitGlyph(trait) {
  return glyphOf(TRAIT_STROKES[trait] ?? UI_STROKES["help"] ?? {}, "trait-glyph", trait);
}

/**
 * @param {number} seat
 * @returns {SVGSVGElement}
 */
export function seatMark(seat) {
  const mark = glyphOf({ solid: seatShape(seat) }, "seat-mark", String(seat));
  mark.dataset.seat = String(seat);
  return mark;
}

/**
 * @param {string} name
 * @returns {SVGSVGElement}
 */
export function uiGlyph(name) {
  const strokes = UI_STROKES[name];
  if (!strokes) throw new Error(`there is no glyph ${name}`);
  return glyphOf(strokes, "ui-glyph", name);
}

/**
 * The bare outline of a seat's mark on the field of 24 x 24, for drawings that place it themselves.
 *
 * @param {number} seat
 * @returns {string}
 */
export function seatShape(seat) {
  return SEAT_SHAPES[(seat - 1) % SEAT_SHAPES.length] ?? "";
}

/** @param {Strokes} strokes @param {string} kind @param {string} name */
function glyphOf(strokes, kind, name) {
  return copyOf(drawnGlyphs, `${kind} ${name}`, () => drawnGlyph(strokes, kind));
}

/**
 * @param {Strokes} strokes
 * @param {string} kind
 * @returns {SVGSVGElement}
 */
function drawnGlyph(strokes, kind) {
  const solid = (strokes.solid ?? "") + (strokes.dots ?? []).map(dotOutline).join("");
  return s("svg", { class: `glyph ${kind}`, viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    strokes.tint ? s("path", { class: "glyph-tint", d: strokes.tint }) : null,
    strokes.line ? s("path", { class: "glyph-line", d: strokes.line }) : null,
    solid ? s("path", { class: "glyph-solid", d: solid, "fill-rule": "evenodd" }) : null);
}

/**
 * @param {Dot} dot
 * @returns {string}
 */
function dotOutline([x, y, radius]) {
  const half = `a${radius} ${radius} 0 1 0`;
  return `M${x - radius} ${y}${half} ${2 * radius} 0${half} ${-2 * radius} 0z`;
}

/**
 * A button with a glyph.
 *
 * @param {string} glyph
 * @param {string} text
 * @param {import("./dom.js").Attributes} attributes
 * @returns {HTMLButtonElement}
 */
export function glyphButton(glyph, text, attributes) {
  return h("button", { type: "button", ...attributes }, uiGlyph(glyph), h("span", {}, text));
}
