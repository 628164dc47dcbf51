/**
 * A small moving picture of a turn, made of the pieces of the table: a card goes to the watering hole, a board feeds,
 * a hunter attacks. What moves, and when, is in turn_picture.css.
 */

import { tokenGlyph } from "../pieces/drawings.js";
import { piece } from "../pieces/pieces.js";
import { h } from "../shared/dom.js";

/** @type {import("../shared/types.js").Board} */
const GRAZERS = { population: 3, body: 1, food: 2, fat_food: 0, traits: ["long-neck"], letter: "A" };
/** @type {import("../shared/types.js").Board} */
const HUNTER = { population: 2, body: 4, food: 1, fat_food: 0, traits: ["carnivore"], letter: "A" };

/** @returns {Node[]} */
export function turnPicture() {
  return [
    part("grazers", smallBoard(GRAZERS, 1)),
    part("hole", piece("wh-hole", { tokens: 5 })),
    part("hunter", smallBoard(HUNTER, 2)),
    part("card", piece("wh-card", { face: [3, "foraging"], index: 0 })),
    part("token", tokenGlyph(false)),
  ];
}

/** @param {import("../shared/types.js").Board} board @param {number} seat */
function smallBoard(board, seat) {
  const drawn = piece("wh-board", { board, seat, index: 0 });
  drawn.setAttribute("compact", "");
  return drawn;
}

/** @param {string} name @param {Node} drawn */
function part(name, drawn) {
  return h("div", { class: "picture-part", "data-part": name }, drawn);
}
