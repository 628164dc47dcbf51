/**
 * The pieces on the table as custom elements: traits, boards, cards, the watering hole.
 *
 * A piece draws the data it is given and nothing else: it knows no rule. It draws again only when the data differ, so
 * a page may hand over everything after every message. What a page says about a piece, it says by attributes
 * (`data-state`, `data-note`, `compact`, `interactive`); they survive a new drawing.
 */
import { h, renew } from "../shared/dom.js";
import { traitGlyph, uiGlyph } from "../shared/glyphs.js";
import { listText, text } from "../shared/text.js";
import { explain } from "../shared/tooltips.js";
import { traitName, traitNote, traitText } from "../shared/trait_text.js";
import { fillHole, holeScene, pips, speciesScene, tokenGlyph } from "./drawings.js";

/**
 * @typedef {{board: import("../shared/types.js").Board, seat: number, index: number, label?: string,
 *   planned?: {population: number, body: number}}} BoardData  planned: so much of it is the player's plan
 */
/** @typedef {{face: import("../shared/types.js").Face, index: number}} CardData */
/** @typedef {{tokens: number, note?: string}} HoleData */

/** What a highlight means: the glyph and the word of its tag, and what screen readers hear. */
const STATE_TAGS = /** @type {Record<string, () => [glyph: string, word: string, spoken: string]>} */ ({
  pick: () => ["pick", text("piece.pick"), text("piece.pick.spoken")],
  target: () => ["target", text("piece.target"), text("piece.target.spoken")],
  blocked: () => ["blocked", text("piece.blocked"), text("piece.blocked.spoken")],
  chosen: () => ["chosen", text("piece.chosen"), text("piece.chosen")],
  new: () => ["new", text("piece.new"), text("piece.new")],
  changed: () => ["changed", text("piece.changed"), text("piece.changed")],
  picked: () => ["chosen", text("piece.picked"), text("piece.picked")],
  used: () => ["card", text("piece.used"), text("piece.used")],
});

/** The traits that compare body sizes, or have room by them. @type {import("../shared/types.js").Trait[]} */
const TRAITS_OF_BODY = ["hard-shell", "pack-hunting", "symbiosis", "fat-tissue"];

/** A trait: glyph and name. With `interactive` it is a button: focusable, and Enter and Space click it. */
export class TraitElement extends HTMLElement {
  static observedAttributes = ["interactive"];

  #trait = /** @type {import("../shared/types.js").Trait | ""} */ ("");

  constructor() {
    super();
    explain(this, () => (this.#trait ? { heading: traitName(this.#trait), text: traitText(this.#trait) } : null));
    this.addEventListener("keydown", (event) => {
      if (event.target !== this || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      this.click();
    });
  }

  /** @returns {import("../shared/types.js").Trait | ""} */
  get trait() {
    return this.#trait;
  }

  /** @param {import("../shared/types.js").Trait} trait */
  set trait(trait) {
    this.#trait = trait;
    this.dataset.trait = trait;
    this.setAttribute("aria-label", traitName(trait));
    this.setAttribute("aria-describedby", traitNote(trait));
    this.#behave();
    this.replaceChildren(traitGlyph(trait), h("span", { class: "trait-name" }, traitName(trait)));
  }

  attributeChangedCallback() {
    this.#behave();
  }

  #behave() {
    const interactive = this.hasAttribute("interactive");
    this.setAttribute("role", interactive ? "button" : "img");
    if (interactive) this.tabIndex = 0;
    else this.removeAttribute("tabindex");
  }
}

/**
 * @param {import("../shared/types.js").Trait} name
 * @param {boolean} interactive
 * @returns {TraitElement}
 */
function traitPiece(name, interactive) {
  const piece = new TraitElement();
  piece.toggleAttribute("interactive", interactive);
  piece.trait = name;
  return piece;
}

/** What boards and cards have in common: data, a highlight, a note, and a drawing made of them. */
class TablePiece extends HTMLElement {
  static observedAttributes = ["data-state", "data-note", "interactive"];

  /** @type {unknown} */
  drawnData = undefined;
  #seen = "";
  #sentence = "";

  /** @param {string} name @param {string | null} before @param {string | null} after */
  attributeChangedCallback(name, before, after) {
    if (!this.#seen || before === after) return;
    if (name === "interactive") this.#draw();
    else this.#mark();
  }

  /**
   * Draws if these data are news.
   *
   * @param {unknown} data
   */
  show(data) {
    const seen = JSON.stringify(data);
    this.drawnData = data;
    if (seen === this.#seen) return;
    this.#seen = seen;
    this.#draw();
  }

  /**
   * The children and the sentence that describes the piece.
   *
   * @returns {{sentence: string, children: Node[]}}
   */
  drawing() {
    return { sentence: "", children: [] };
  }

  #draw() {
    const { sentence, children } = this.drawing();
    const slot = document.activeElement?.closest("[data-slot]");
    const focused = slot && this.contains(slot) ? slot.getAttribute("data-slot") : null;
    if (!this.hasAttribute("role")) this.setAttribute("role", "group");
    this.#sentence = sentence;
    renew(this, children);
    this.#mark();
    const again = focused === null ? null : this.querySelector(`[data-slot="${focused}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** The highlight and the note; the drawing stays. */
  #mark() {
    const { state = "", note = "" } = this.dataset;
    const tag = STATE_TAGS[state]?.();
    this.setAttribute("aria-label", [this.#sentence, tag?.[2], note].filter(Boolean).join("; "));
    for (const old of this.querySelectorAll(".state-tag, .piece-note")) old.remove();
    if (tag) this.append(h("span", { class: "state-tag" }, uiGlyph(tag[0]), h("span", { class: "state-word" }, tag[1])));
    if (note) this.append(h("p", { class: "piece-note" }, note));
  }
}

/** A species as a card. */
export class BoardElement extends TablePiece {
  get data() {
    return /** @type {BoardData} */ (this.drawnData);
  }

  set data(data) {
    this.dataset.seat = String(data.seat);
    this.dataset.index = String(data.index);
    this.dataset.letter = data.board.letter;
    this.show(data);
  }

  /** @override */
  drawing() {
    const { board, label, planned } = this.data;
    const fat = board.traits.includes("fat-tissue");
    return { sentence: boardSentence(this.data), children: [
      h("div", { class: "board-scene", "aria-hidden": "true" }, speciesScene(board),
        h("b", { class: "piece-index" }, board.letter),
        bodySign(board, planned?.body ?? 0),
        label ? h("span", { class: "board-label" }, label) : null),
      h("div", { class: "board-counts" }, animalSign(board, planned?.population), fat ? fatSign(board) : null),
      h("div", { class: "board-traits" }, ...board.traits.map((name, slot) => this.#traitAt(name, slot))),
    ] };
  }

  /** @param {import("../shared/types.js").Trait} name @param {number} slot */
  #traitAt(name, slot) {
    const trait = traitPiece(name, this.hasAttribute("interactive"));
    trait.dataset.slot = String(slot);
    return trait;
  }
}

/** @param {import("../shared/types.js").Board} board @param {number} planned */
function bodySign(board, planned) {
  const sign = h("span", { class: "board-body board-sign" }, uiGlyph("body"), h("span", {}, text("piece.body")), board.body,
    planned ? h("span", { class: "planned-count" }, `+${planned}`) : null);
  explain(sign, () => ({ heading: text("piece.body.size", { body: board.body }),
    text: text("piece.body.tip", { traits: listText(TRAITS_OF_BODY.map(traitName)) }) }));
  return sign;
}

/** @param {import("../shared/types.js").Board} board @param {number} [planned] */
function animalSign(board, planned) {
  const sign = h("span", { class: "board-sign" }, pips("animal", board.food, board.population, planned));
  explain(sign, () => ({ heading: animalWords(board), text: text("piece.animals.tip") }));
  return sign;
}

/** @param {import("../shared/types.js").Board} board */
function fatSign(board) {
  const sign = h("span", { class: "board-sign" }, pips("drop", board.fat_food, board.body));
  explain(sign, () => ({ heading: fatWords(board), text: traitText("fat-tissue") }));
  return sign;
}

/**
 * @param {BoardData} data
 * @returns {string}
 */
function boardSentence({ board, label }) {
  return `${text("piece.board", { letter: board.letter })}${label ? ` ${label}` : ""}: ${boardFacts(board)}`;
}

/** All that a board shows, in words. @param {import("../shared/types.js").Board} board @returns {string} */
export function boardFacts(board) {
  return listed(animalWords(board), text("piece.body.size", { body: board.body }),
    board.traits.includes("fat-tissue") ? fatWords(board) : "",
    board.traits.length ? board.traits.map(traitName).join(", ") : text("piece.no-traits"));
}

/** @param {import("../shared/types.js").Board} board */
function animalWords({ population, food }) {
  return listed(text("piece.animals", { count: population }), text("piece.fed", { fed: food }));
}

/** @param {import("../shared/types.js").Board} board */
function fatWords({ fat_food, body }) {
  return text("piece.fat", { fat: fat_food, body });
}

/** @param {...string} parts @returns {string} */
function listed(...parts) {
  return parts.filter(Boolean).join(", ");
}

/** A card in the hand. */
export class CardElement extends TablePiece {
  get data() {
    return /** @type {CardData} */ (this.drawnData);
  }

  set data(data) {
    this.dataset.index = String(data.index);
    this.show(data);
  }

  /** @override */
  drawing() {
    const { face: [food, name], index } = this.data;
    const sentence = text("piece.card", { card: index + 1, trait: traitName(name), food: signed(food) });
    return { sentence, children: [
      h("b", { class: "piece-index", "aria-hidden": "true" }, index + 1),
      h("span", { class: "card-food", "data-sign": Math.sign(food), "aria-hidden": "true" },
        signed(food), tokenGlyph(food < 0)),
      traitPiece(name, this.hasAttribute("interactive")),
    ] };
  }
}

/**
 * A food number with its sign; a real minus, because a hyphen is easy to miss.
 *
 * @param {number} food
 * @returns {string}
 */
function signed(food) {
  return food > 0 ? `+${food}` : food < 0 ? `\u2212${-food}` : "0";
}

/** The watering hole. */
export class HoleElement extends HTMLElement {
  #data = /** @type {HoleData} */ ({ tokens: 0 });
  #scene = holeScene();
  #number = h("strong");
  #note = h("p", { class: "piece-note", hidden: true });

  get data() {
    return this.#data;
  }

  set data(data) {
    this.#data = data;
    if (!this.firstChild) {
      if (!this.hasAttribute("role")) this.setAttribute("role", "group");
      this.append(this.#scene, h("p", { class: "hole-count" }, this.#number), this.#note);
    }
    this.setAttribute("aria-label", text("piece.hole"));
    this.toggleAttribute("data-empty", data.tokens === 0);
    this.#number.textContent = text("tokens", { count: data.tokens });
    this.#note.textContent = data.note ?? "";
    this.#note.hidden = !data.note;
    fillHole(this.#scene, data.tokens);
  }
}

/**
 * A drawn piece with its data.
 *
 * @param {string} tag
 * @param {unknown} data
 * @returns {HTMLElement}
 */
export function piece(tag, data) {
  return Object.assign(document.createElement(tag), { data });
}

customElements.define("wh-trait", TraitElement);
customElements.define("wh-board", BoardElement);
customElements.define("wh-card", CardElement);
customElements.define("wh-hole", HoleElement);
