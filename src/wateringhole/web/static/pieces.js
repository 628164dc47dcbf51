/**
 * The pieces on the table as custom elements: traits, boards, cards, the watering hole, players.
 *
 * A piece draws the data it is given and nothing else: it knows no rule. It draws again only when the data differ, so
 * a page may hand over everything after every message. What a page says about a piece, it says by attributes
 * (`data-state`, `data-note`, `compact`, `interactive`); they survive a new drawing.
 */
import { h } from "./dom.js";
import { seatMark, traitGlyph, uiGlyph } from "./glyphs.js";
import { fillHole, holeScene, pips, speciesScene, tokenGlyph } from "./scenery.js";
import { explain } from "./tips.js";

/** @typedef {{board: import("./types.js").Board, seat: number, index: number, label?: string}} BoardData */
/** @typedef {{face: import("./types.js").Face, index: number}} CardData */
/** @typedef {{tokens: number, note?: string}} HoleData */
/** @typedef {import("./types.js").Awaited} AwaitedAnswer */
/**
 * @typedef {{player: import("./types.js").Player, place: import("./types.js").Place | null, turnOrder: number,
 *   asked: AwaitedAnswer | null, you: boolean}} PlayerData  turnOrder: 1 starts the turn; 0 says nothing
 */

const MAX_TRAITS = 3;

/** What a highlight means: the glyph and the word of its tag, and what screen readers hear. */
const STATE_TAGS = /** @type {Record<string, [glyph: string, word: string, spoken: string]>} */ ({
  pick: ["pick", "choose", "can be chosen"],
  target: ["target", "attack", "can be attacked"],
  blocked: ["blocked", "not now", "not possible"],
  chosen: ["chosen", "chosen", "chosen"],
  new: ["new", "new", "new"],
  changed: ["changed", "changed", "changed"],
  picked: ["chosen", "picked", "picked"],
  used: ["card", "used", "used"],
});

const ORDINALS = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"];

/** How a seat is occupied, where this is worth a word. */
const PRESENCE_WORDS = /** @type {Record<string, string>} */ ({
  "empty": "free seat", "away": "away", "stand-in": "a bot stands in", "out": "out of the game",
});

/** @type {import("./types.js").Rulebook} */
let rulebookInUse = { rules: {}, traits: {} };

/**
 * Gives the pieces the texts for their tooltips and descriptions.
 *
 * @param {import("./types.js").Rulebook} rulebook
 */
export function setRulebook(rulebook) {
  rulebookInUse = rulebook;
  // One hidden sentence per trait, which all pieces on the page share for their aria-describedby.
  document.getElementById("trait-sentences")?.remove();
  document.body.append(h("div", { id: "trait-sentences", hidden: true },
    ...Object.entries(rulebook.traits).map(([trait, { text }]) => h("p", { id: `trait-sentence-${trait}` }, text))));
}

/**
 * A link to a rule in the rule book, with its text as tooltip.
 *
 * @param {string} rule
 * @returns {HTMLAnchorElement}
 */
export function ruleLink(rule) {
  const link = h("a", {
    class: "rule-link", href: `/rules#${rule.replaceAll(".", "")}`, target: "_blank", rel: "noopener",
  }, rule);
  explain(link, () => {
    const known = rulebookInUse.rules[rule];
    return known ? { heading: known.title, text: known.text } : null;
  });
  return link;
}

/** A trait: glyph and name. With `interactive` it is a button: focusable, and Enter and Space click it. */
export class TraitElement extends HTMLElement {
  static observedAttributes = ["interactive"];

  #trait = "";

  constructor() {
    super();
    explain(this, () => {
      const known = rulebookInUse.traits[this.#trait];
      return known ? { heading: this.#trait, text: known.text } : null;
    });
    this.addEventListener("keydown", (event) => {
      if (event.target !== this || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      this.click();
    });
  }

  get trait() {
    return this.#trait;
  }

  set trait(trait) {
    this.#trait = trait;
    this.setAttribute("aria-label", trait);
    this.setAttribute("aria-describedby", `trait-sentence-${trait}`);
    this.#behave();
    this.replaceChildren(traitGlyph(trait), h("span", { class: "trait-name" }, trait));
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
 * @param {import("./types.js").Trait} name
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

  attributeChangedCallback() {
    if (this.#seen) this.#draw();
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
    const { state = "", note = "" } = this.dataset;
    const { sentence, children } = this.drawing();
    const tag = STATE_TAGS[state];
    const slot = document.activeElement?.closest("[data-slot]");
    const focused = slot && this.contains(slot) ? slot.getAttribute("data-slot") : null;
    if (!this.hasAttribute("role")) this.setAttribute("role", "group");
    this.setAttribute("aria-label", [sentence, tag?.[2], note].filter(Boolean).join("; "));
    this.replaceChildren(...children);
    if (tag) this.append(h("span", { class: "state-tag" }, uiGlyph(tag[0]), h("span", {}, tag[1])));
    if (note) this.append(h("p", { class: "piece-note" }, note));
    const again = focused === null ? null : this.querySelector(`[data-slot="${focused}"]`);
    if (again instanceof HTMLElement) again.focus();
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
    this.show(data);
  }

  /** @override */
  drawing() {
    const { board, index, label } = this.data;
    const fat = board.traits.includes("fat-tissue");
    return { sentence: boardSentence(this.data), children: [
      h("div", { class: "board-scene", "aria-hidden": "true" }, speciesScene(board),
        h("b", { class: "piece-index" }, index),
        h("span", { class: "board-body" }, uiGlyph("body"), h("span", {}, "body "), board.body),
        label ? h("span", { class: "board-label" }, label) : null),
      h("div", { class: "board-counts" },
        pips("animal", board.food, board.population), fat ? pips("drop", board.fat_food, board.body) : null),
      h("div", { class: "board-traits" }, ...Array.from({ length: MAX_TRAITS }, (_, slot) => this.#slot(slot))),
    ] };
  }

  /** @param {number} slot */
  #slot(slot) {
    const name = this.data.board.traits[slot];
    if (name === undefined) return h("span", { class: "empty-slot", "aria-hidden": "true" });
    const trait = traitPiece(name, this.hasAttribute("interactive"));
    trait.dataset.slot = String(slot);
    return trait;
  }
}

/**
 * @param {BoardData} data
 * @returns {string}
 */
function boardSentence({ board, index, label }) {
  const animals = `${board.population} ${board.population === 1 ? "animal" : "animals"}, ${board.food} fed`;
  const fat = board.traits.includes("fat-tissue") ? `, fat ${board.fat_food} of ${board.body}` : "";
  const traits = board.traits.length ? board.traits.join(", ") : "no traits";
  return `board ${index}${label ? ` ${label}` : ""}: ${animals}, body ${board.body}${fat}, ${traits}`;
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
    return { sentence: `card ${index}: ${name}, food ${signed(food)}`, children: [
      h("b", { class: "piece-index", "aria-hidden": "true" }, index),
      traitPiece(name, this.hasAttribute("interactive")),
      h("span", { class: "card-food", "data-sign": Math.sign(food), "aria-hidden": "true" },
        signed(food), tokenGlyph(food < 0)),
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
  #unit = h("span");
  #note = h("p", { class: "piece-note", hidden: true });

  get data() {
    return this.#data;
  }

  set data(data) {
    this.#data = data;
    if (!this.firstChild) {
      if (!this.hasAttribute("role")) this.setAttribute("role", "group");
      this.append(this.#scene, h("p", { class: "hole-count" }, this.#number, " ", this.#unit), this.#note);
    }
    this.setAttribute("aria-label", "watering hole");
    this.toggleAttribute("data-empty", data.tokens === 0);
    this.#number.textContent = String(data.tokens);
    this.#unit.textContent = data.tokens === 1 ? "token" : "tokens";
    this.#note.textContent = data.note ?? "";
    this.#note.hidden = !data.note;
    fillHole(this.#scene, data.tokens);
  }
}

/** When the time of an answer runs out. The same request keeps its end, however often it is drawn. */
const endsOfAnswers = /** @type {WeakMap<AwaitedAnswer, number>} */ (new WeakMap());

/** A player: who it is, what is known of it, and its row of boards. */
export class PlayerElement extends HTMLElement {
  static observedAttributes = ["compact", "interactive"];

  #data = /** @type {PlayerData | null} */ (null);
  #head = h("header", { class: "player-head" });
  #row = h("div", { class: "board-row" });
  #clock = h("span", { class: "fact player-clock" });
  #ticking = /** @type {ReturnType<typeof setInterval> | undefined} */ (undefined);

  get data() {
    return /** @type {PlayerData} */ (this.#data);
  }

  set data(data) {
    this.#data = data;
    if (!this.firstChild) this.append(this.#head, this.#row);
    if (!this.hasAttribute("role")) this.setAttribute("role", "group");
    this.setAttribute("aria-label", `seat ${data.player.seat}, ${data.player.name}`);
    this.dataset.seat = String(data.player.seat);
    this.toggleAttribute("data-asked", data.asked !== null);
    this.toggleAttribute("data-you", data.you);
    this.dataset.presence = data.place?.presence ?? "here";
    this.#head.replaceChildren(...this.#facts());
    this.#lay();
    this.#tick();
  }

  /**
   * @param {number} index
   * @returns {BoardElement | null}
   */
  boardAt(index) {
    const board = this.#row.children[index];
    return board instanceof BoardElement ? board : null;
  }

  connectedCallback() {
    this.#ticking = setInterval(() => this.#tick(), 1000);
  }

  disconnectedCallback() {
    clearInterval(this.#ticking);
  }

  attributeChangedCallback() {
    if (this.#data) this.#lay();
  }

  /** @returns {Node[]} */
  #facts() {
    const { player, place, turnOrder, asked, you } = this.data;
    const presence = PRESENCE_WORDS[place?.presence ?? ""];
    const kind = place && place.kind !== "person" ? place.kind : null;
    return [
      h("span", { class: "player-who" },
        seatMark(player.seat), h("b", { class: "player-name" }, player.name),
        you ? h("span", { class: "tag you-tag" }, "you") : null),
      h("span", { class: "player-facts" },
        turnOrder ? fact("", ORDINALS[turnOrder - 1] ?? "", "in the turn order") : null,
        kind ? fact(kind, "", kind) : null,
        presence ? h("span", { class: "tag presence-tag" }, presence) : null,
        fact("card", String(player.cards), player.cards === 1 ? "card" : "cards"),
        player.bag === undefined ? null : fact("bag", String(player.bag), "in the bag"),
        asked ? this.#clock : null),
    ];
  }

  /** Keeps the boards that are there: what a page said about them by attributes stays. */
  #lay() {
    const { boards, seat } = this.data.player;
    while (this.#row.childElementCount > boards.length) this.#row.lastElementChild?.remove();
    while (this.#row.childElementCount < boards.length) this.#row.append(new BoardElement());
    boards.forEach((board, index) => {
      const piece = this.boardAt(index);
      if (!piece) return;
      for (const name of ["compact", "interactive"]) piece.toggleAttribute(name, this.hasAttribute(name));
      piece.data = { board, seat, index };
    });
  }

  #tick() {
    const asked = this.#data?.asked;
    if (!asked) return;
    const left = secondsLeft(asked);
    this.#clock.toggleAttribute("data-late", left !== null && left <= 10);
    this.#clock.replaceChildren(uiGlyph("clock"), left === null ? "to move" : minutes(left));
  }
}

/**
 * @param {string} glyph  or nothing
 * @param {string} shown
 * @param {string} meaning
 * @returns {HTMLElement}
 */
function fact(glyph, shown, meaning) {
  const element = h("span", { class: "fact" },
    glyph ? uiGlyph(glyph) : null, shown, h("span", { class: "visually-hidden" }, ` ${meaning}`));
  explain(element, () => ({ text: `${shown} ${meaning}`.trim() }));
  return element;
}

/**
 * @param {AwaitedAnswer} asked
 * @returns {number | null}
 */
function secondsLeft(asked) {
  if (asked.seconds === null) return null;
  const end = endsOfAnswers.get(asked) ?? performance.now() + asked.seconds * 1000;
  endsOfAnswers.set(asked, end);
  return Math.max(0, Math.ceil((end - performance.now()) / 1000));
}

/**
 * @param {number} seconds
 * @returns {string}
 */
function minutes(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

customElements.define("wh-trait", TraitElement);
customElements.define("wh-board", BoardElement);
customElements.define("wh-card", CardElement);
customElements.define("wh-hole", HoleElement);
customElements.define("wh-player", PlayerElement);
