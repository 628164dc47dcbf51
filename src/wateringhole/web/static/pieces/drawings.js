/**
 * The larger drawings: a species in its savanna, the watering hole, tokens, and the pips that count animals and fat.
 *
 * An animal is put together from what its board shows: it grows with the body, and every trait adds something to see,
 * such as horns or a bird on its back. All colours come from drawings.css by class, so a theme never redraws anything.
 * The drawings repeat what stands beside them as text and are hidden from screen readers.
 */
import { copyOf, s } from "../shared/dom.js";
import { reducedMotion } from "../shared/settings.js";

/** @typedef {{on: "head" | "torso" | "ground", paths: [string, string][]}} Feature  class and outline of each path */

const MAX_BODY = 7;
/** The size of an animal without a body, of the largest. */
const MIN_SIZE = 0.58;
const HEAD_AT = { short: "29 -36", long: "37 -57" };

/** The animal stands on y = 0 and looks to the right; ground features lie in the frame of the scene instead. */
const ANIMAL_STROKES = {
  farLegs: "M-21-14l1 14h8l1-14z M12-14l1 14h8l1-14z",
  torso: "M-38 0l-1-20c0-15 10-22 26-22 12 0 20-2 32 1 11 3 14 11 13 21l-1 20h-9l-2-12c-12 3-33 3-46-1l-3 13z",
  tail: "M-38-26c-5 2-7 7-6 13",
  curledTail: "M-37-28c-12-2-13-20-3-23 7-2 11 7 4 9",
  longNeck: "M12-40C22-44 28-52 30-62l14 8c-4 14-6 24-12 32z",
  head: "M-13 2C-9-8-4-13 3-17c5-4 13-3 17 2l8 6c4 3 2 8-2 8L14 1C11 7 7 12 1 14z",
  ear: "M1-15l-3-10 10 6z",
  eye: "M10.5-11a1.9 1.9 0 1 0 3.8 0a1.9 1.9 0 1 0-3.8 0z",
};

/** @type {Record<import("../shared/types.js").Trait, Feature>} */
const TRAIT_FEATURES = {
  "ambush": { on: "ground", paths: [
    ["scene-near", "M44 96c2-10 0-18-5-24 8 5 10 12 10 18 1-9 5-15 10-19-4 7-5 14-4 20 3-7 6-10 11-12-5 5-6 11-5 17z"
      + " M86 96c1-8-2-14-6-18 7 3 10 8 10 13 1-9 4-14 9-19-3 7-4 14-3 19 3-6 6-9 11-11-4 5-6 10-5 16z"],
  ] },
  "burrowing": { on: "ground", paths: [
    ["scene-mound", "M116 92c4-15 12-18 18-18s13 4 17 18z"], ["scene-hole", "M124 92c1-8 5-10 9-10s8 2 9 10z"],
  ] },
  "carnivore": { on: "head", paths: [
    ["animal-bone", "M25-2l-2 8-3.5-7.5z M17-.5l-2 6-3-5.5z"], ["animal-line", "M8-16l8 3 M15-2.5h13"],
  ] },
  "climbing": { on: "torso", paths: [["animal-line", "M25-2v3 M28-2v3 M-36-2v3 M-33-2v3"]] },
  "cooperation": { on: "ground", paths: [
    ["token-fruit", "M142 84a6 6 0 1 0 12 0a6 6 0 1 0-12 0z"], ["token-leaf-blade", "M148 78c0-4 3-6 7-6 0 4-3 6-7 6z"],
  ] },
  "fat-tissue": { on: "torso", paths: [["animal-belly", "M-29-15C-20 0 14 0 23-14 10-20-15-20-29-15z"]] },
  "fertile": { on: "ground", paths: [
    ["scene-egg", "M10 85c0-6 3-11 6-11s6 5 6 11-3 8-6 8-6-2-6-8z M23 87c0-5 2.5-9 5-9s5 4 5 9-2.5 6-5 6-5-1-5-6z"],
  ] },
  "foraging": { on: "head", paths: [
    ["token-leaf-blade", "M26-4c4-8 11-9 17-6-4 7-10 10-17 6z M25-3c6-1 11 2 12 8-6 1-11-2-12-8z"],
  ] },
  "hard-shell": { on: "torso", paths: [
    ["animal-shell", "M-40-22c0-19 13-30 35-30s34 11 36 28c-20 7-50 8-71 2z"],
    ["animal-line", "M-22-19l7-17h20l8 16 M-15-36l-8-9 M5-36l9-10"],
  ] },
  "herding": { on: "ground", paths: [
    ["scene-far", "M6 70v-8c0-5 3-7 8-7h5l4-4 5 3-2 4h-2v12h-3v-6h-8v6z"
      + " M30 70v-6c0-4 3-6 6-6h4l3-3 4 2-2 3h-1v10h-3v-5h-6v5z"],
  ] },
  "horns": { on: "head", paths: [
    ["animal-bone", "M5-16c-3-11 2-19 12-22-4 7-4 13 0 20z M-2-14c-7-8-7-16 0-22 0 8 3 13 9 18z"],
  ] },
  "long-neck": { on: "torso", paths: [] },
  "pack-hunting": { on: "ground", paths: [
    ["scene-far", "M116 70v-8l-3-5 5 1h9l3-6 2 3 6 2-2 4h-4v9h-3v-5h-8v5z"
      + " M138 70v-7l-3-4 4 1h7l3-5 2 2 5 2-2 3h-3v8h-3v-4h-6v4z"],
  ] },
  "scavenger": { on: "ground", paths: [
    ["scene-bone", "M100 86c-2-3 1-5 3-3 0-3 4-3 4 0l12 3c2-2 5 0 3 2 2 2 0 5-3 4-1 3-4 2-4-1l-11-2c-2 2-6 0-4-3z"],
  ] },
  "symbiosis": { on: "torso", paths: [
    ["animal-guest", "M-24-42c-2-8 3-14 11-14 1-4 7-5 9-1l5 2-5 2c0 7-5 11-12 11z"], ["animal-line", "M-14-42v-3"],
  ] },
  "warning-call": { on: "head", paths: [
    ["animal-voice", "M33-13c3 3 3 8 0 11 M38-17c5 5 5 14 0 19"],
  ] },
};

/** All that were drawn, by body and traits. @type {Map<string, SVGSVGElement>} */
const drawnScenes = new Map();

/**
 * A species where it lives, 160 x 96.
 *
 * @param {import("../shared/types.js").Board} board
 * @returns {SVGSVGElement}
 */
export function speciesScene(board) {
  return copyOf(drawnScenes, [board.body, ...board.traits].join(), () => drawnScene(board));
}

/** @param {import("../shared/types.js").Board} board */
function drawnScene(board) {
  const has = (/** @type {import("../shared/types.js").Trait} */ trait) => board.traits.includes(trait);
  const size = MIN_SIZE + (1 - MIN_SIZE) * Math.min(board.body, MAX_BODY) / MAX_BODY;
  const head = `translate(${has("long-neck") ? HEAD_AT.long : HEAD_AT.short})`;
  return s("svg", { class: "scene", viewBox: "0 0 160 96", "aria-hidden": "true", focusable: "false" },
    drawn("scene-sun", "M116 38a15 15 0 1 0 30 0a15 15 0 1 0-30 0z"),
    drawn("scene-hill", "M0 62c30-12 60-10 84-4s50 0 76-8v46H0z"),
    drawn("scene-ground", "M0 72c40-5 110-5 160 0v24H0z"),
    drawn("scene-grass", "M8 80l3-7 2 6 3-5 1 6z M138 78l3-6 2 5 4-6 0 7z M84 75l2-5 2 4 3-4 0 5z"),
    ...features(board, "ground", (kind) => kind === "scene-far"),
    s("ellipse", { class: "scene-shadow", cx: 76, cy: 88, rx: 46 * size, ry: 4 }),
    s("g", { class: "animal", transform: `translate(76 88) scale(${size.toFixed(3)})` },
      drawn("animal-line animal-tail", has("climbing") ? ANIMAL_STROKES.curledTail : ANIMAL_STROKES.tail),
      drawn("animal-far", ANIMAL_STROKES.farLegs),
      // First all edges, then all fills: so the parts grow together without seams.
      ...["animal-edge", "animal-hide"].flatMap((kind) => [
        drawn(kind, ANIMAL_STROKES.torso),
        has("long-neck") ? drawn(kind, ANIMAL_STROKES.longNeck) : null,
        s("g", { transform: head }, drawn(kind, ANIMAL_STROKES.ear), drawn(kind, ANIMAL_STROKES.head)),
      ]),
      ...features(board, "torso"),
      s("g", { transform: head }, drawn("animal-eye", ANIMAL_STROKES.eye), ...features(board, "head"))),
    ...features(board, "ground", (kind) => kind !== "scene-far"));
}

/**
 * @param {import("../shared/types.js").Board} board
 * @param {Feature["on"]} on
 * @param {(kind: string) => boolean} [wanted]
 * @returns {SVGPathElement[]}
 */
function features(board, on, wanted = () => true) {
  return board.traits.map((trait) => TRAIT_FEATURES[trait]).filter((feature) => feature?.on === on)
    .flatMap((feature) => feature?.paths ?? []).filter(([kind]) => wanted(kind)).map(([kind, d]) => drawn(kind, d));
}

/**
 * @param {string} kind
 * @param {string} d
 * @returns {SVGPathElement}
 */
function drawn(kind, d) {
  return s("path", { class: kind, d });
}

const PIP_ANIMAL = "M1.5 14.5V8c0-2.6 2-4.2 4.5-4.2h3.6L11.8 1l3.2 1.9 1 2.9-1 1.4h-1.9v7.3h-2.6v-3.6H4.3v3.6z";
const PIP_DROP = "M8 1c3.3 4.2 5.2 6.8 5.2 9.3a5.2 5.2 0 0 1-10.4 0C2.8 7.8 4.7 5.2 8 1z";

/**
 * Counts by drawing: `full` filled pips out of `all`, of which the last are only planned.
 *
 * @param {"animal" | "drop"} what
 * @param {number} full
 * @param {number} all
 * @param {number} [planned]
 * @returns {SVGSVGElement}
 */
export function pips(what, full, all, planned = 0) {
  const outline = what === "animal" ? PIP_ANIMAL : PIP_DROP;
  const width = Math.max(all, 1) * 18;
  return s("svg", {
    class: `pips pips-${what}`, viewBox: `0 0 ${width} 16`, "aria-hidden": "true", focusable: "false",
  }, ...Array.from({ length: all }, (_, at) => s("path", {
    class: `pip${at < full ? " pip-full" : ""}${at >= all - planned ? " pip-planned" : ""}`, d: outline, transform: `translate(${at * 18 + 0.5} 0)`,
  })));
}

const TOKEN_LEAF = "M-6 4C-7-4-1-8 7-7 8 1 2 7-6 4z";

/**
 * One token, drawn around 0, 0 with a radius of 10.
 *
 * @param {number} number  which token it is: they are not all alike
 * @returns {SVGGElement}
 */
function tokenAt(number) {
  const leafy = number % 3 === 2;
  return s("g", { class: "token" },
    s("ellipse", { class: "token-shadow", cx: 0, cy: 5, rx: 11, ry: 7 }),
    s("circle", { class: leafy ? "token-leaf" : "token-fruit", r: 10 }),
    leafy ? drawn("token-leaf-blade", TOKEN_LEAF) : drawn("token-shine", "M-6-1c0-4 2-6 5-6"),
    drawn("token-vein", leafy ? "M-6 4L3-3" : "M0-9c0-2 1-3 2-4"),
    leafy ? null : drawn("token-leaf-blade", "M1-10c1-4 4-6 9-5 0 4-4 7-9 5z"));
}

/**
 * A token by itself, for cards and facts: a fruit to give, or with `missing` the empty place of one that is taken.
 *
 * @param {boolean} [missing]
 * @returns {SVGSVGElement}
 */
export function tokenGlyph(missing = false) {
  return s("svg", { class: "token-glyph", viewBox: "-12 -16 24 28", "aria-hidden": "true", focusable: "false" },
    missing ? s("g", { class: "token token-missing" }, s("circle", { r: 9.5 }), drawn("", "M-5 0H5")) : tokenAt(0));
}

const MAX_DRAWN_TOKENS = 40;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Reeds, each from its foot; the first number is the x of the foot, then its y and its height. */
const REEDS = [
  [44, 150, 78], [54, 158, 96], [64, 164, 70], [74, 168, 52], [36, 142, 50],
  [404, 72, 44], [414, 78, 58], [424, 86, 40], [438, 150, 64], [428, 158, 46],
];

/**
 * The empty watering hole, 480 x 250; `fillHole` puts tokens on it.
 *
 * @returns {SVGSVGElement}
 */
export function holeScene() {
  const ripple = (/** @type {number} */ cx, /** @type {number} */ cy, /** @type {number} */ rx) =>
    s("ellipse", { class: "hole-ripple", cx, cy, rx, ry: rx * 0.38 });
  return s("svg", { class: "hole-scene", viewBox: "0 0 480 250", "aria-hidden": "true", focusable: "false" },
    drawn("hole-land", "M10 140C0 70 90 18 210 14S462 40 470 116 400 240 250 242 22 216 10 140z"),
    drawn("hole-shore", "M32 134C26 74 112 34 214 30s222 26 228 88-84 106-198 108S40 200 32 134z"),
    drawn("hole-wet", "M48 132c-4-50 72-86 168-90s200 24 206 76-78 92-180 94S52 188 48 132z"),
    drawn("hole-water", "M60 130c-2-44 66-76 158-80s186 22 190 66-74 82-168 84-178-26-180-70z"),
    drawn("hole-deep", "M98 128c0-34 56-56 126-58s140 16 142 48-56 58-128 60-140-18-140-50z"),
    drawn("hole-gleam", "M96 96c18-16 46-26 74-30 M300 62c24 4 46 12 60 22 M110 164c20 12 46 18 70 20"),
    ripple(170, 110, 46), ripple(310, 142, 58), ripple(236, 96, 34),
    drawn("hole-stone", "M366 196c4-12 22-14 32-6 8 6 6 16-6 18-14 2-28-2-26-12z"
      + " M398 208c4-8 16-8 20-2 4 8-6 12-14 10-4 0-8-4-6-8z M92 60c4-8 16-10 22-4 6 8-2 14-12 14-6 0-12-4-10-10z"),
    s("g", { class: "hole-tokens" }),
    ...REEDS.map((reed) => reedDrawn(reed)),
    drawn("hole-tuft", "M150 236l4-14 4 11 6-16 2 16 7-10-1 14z M320 238l3-12 5 9 5-14 3 14 6-9 0 12z"
      + " M446 178l3-13 5 10 6-14 1 17z M24 112l2-12 5 9 5-13 1 15z M250 24l3-9 4 7 5-10 1 11z"));
}

/**
 * @param {number[]} reed
 * @returns {SVGGElement}
 */
function reedDrawn([x = 0, y = 0, height = 0]) {
  const lean = (x % 7) - 3;
  const top = y - height;
  const middle = y - height / 2;
  return s("g", { class: "hole-reed" },
    drawn("reed-stem", `M${x} ${y}Q${x} ${middle} ${x + lean} ${top}`),
    drawn("reed-leaf", `M${x} ${y}Q${x - 2} ${middle} ${x - 9 - lean} ${top + 25}Q${x + 3} ${middle} ${x} ${y}`),
    drawn("reed-head", `M${x + lean} ${top - 2}l-1.5-14`));
}

/**
 * Puts so many tokens on a drawn watering hole. Tokens that were there stay where they are.
 *
 * @param {SVGSVGElement} scene
 * @param {number} tokens
 */
export function fillHole(scene, tokens) {
  const shore = scene.querySelector(".hole-tokens");
  if (!shore) return;
  const wanted = Math.min(tokens, MAX_DRAWN_TOKENS);
  if (wanted !== shore.childElementCount) stirHole(scene);
  while (shore.childElementCount > wanted) shore.lastElementChild?.remove();
  for (let number = shore.childElementCount; number < wanted; number += 1) shore.append(floatingToken(number));
}

/** How long reeds and water move (drawings.css). To ask the browser whether they still do costs it the whole style. */
const STIRRED_MILLISECONDS = 7500;
/** When they rest again. @type {WeakMap<SVGSVGElement, number>} */
const restTimes = new WeakMap();

/**
 * Lets reeds and water move for some seconds, unless they still do or nothing may: a copy begins its animation anew.
 *
 * @param {SVGSVGElement} scene
 */
function stirHole(scene) {
  const now = performance.now();
  if (reducedMotion() || now < (restTimes.get(scene) ?? 0)) return;
  restTimes.set(scene, now + STIRRED_MILLISECONDS);
  for (const part of scene.querySelectorAll(".hole-reed, .hole-ripple")) part.replaceWith(part.cloneNode(true));
}

/**
 * @param {number} number
 * @returns {SVGGElement}
 */
function floatingToken(number) {
  const out = Math.sqrt((number + 0.4) / MAX_DRAWN_TOKENS);
  const x = 236 + 146 * out * Math.cos(number * GOLDEN_ANGLE);
  const y = 122 + 62 * out * Math.sin(number * GOLDEN_ANGLE);
  return s("g", { transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(1.15)` }, tokenAt(number));
}
