/**
 * The page of a finished game: the table as it was after any step, the whole story, and controls to move through it.
 *
 * Laws: it shows what the server's frames say and works nothing out. The step stands in the address, so that a link
 * leads to the same picture. Where the page carries its game with it, it never asks a server for anything.
 */
import { byId, h } from "../shared/dom.js";
import { fairCheck } from "../shared/fair_deal.js";
import { downloads, rankingTable, shareButton, turnsFigure, winnersText } from "../shared/game_end.js";
import { uiGlyph } from "../shared/glyphs.js";
import { openRulebook } from "../shared/rulebook.js";
import { applySettings, settingsButton } from "../shared/settings.js";
import { Chronicle } from "./chronicle.js";
import { forkDialog } from "./fork_dialog.js";
import { phaseText, placeText, scenesOf, stepInHash, turnStarts } from "./frames.js";
import { Playback, SPEEDS } from "./playback.js";
import { ReplayTable } from "./replay_table.js";

/** @typedef {import("./frames.js").Viewer} ReplayViewer */

const ADDRESS_MILLISECONDS = 300;

class ReplayPage {
  /** @type {ReplayViewer} */
  #viewer = "all";
  #addressDue = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #addressTimer;
  #replay;
  #scenes;
  #turns;
  #table;
  #chronicle;
  #playback;

  /** @param {import("../shared/types.js").Replay} replay */
  constructor(replay) {
    this.#replay = replay;
    this.#scenes = scenesOf(replay.frames);
    this.#turns = turnStarts(replay.frames);
    this.#playback = new Playback(
      this.#scenes,
      (scene, before) => this.#show(scene, before),
      (run, milliseconds) => setTimeout(run, milliseconds),
    );
    this.#table = new ReplayTable(byId("stage"));
    this.#chronicle = new Chronicle(byId("story"), replay, this.#scenes, (step) => this.#jump(step));
    this.#fillChoices();
    this.#listen();
    this.#showResult();
  }

  /** The first picture: the one that the address names. */
  open() {
    for (const id of ["replay", "controls"]) byId(id).hidden = false;
    this.#chronicle.tell(this.#viewer);
    this.#playback.goTo(stepInHash(location.hash, this.#playback.last));
  }

  #fillChoices() {
    const { names } = this.#replay;
    scrubber().max = String(this.#playback.last);
    replaySelect("speed").replaceChildren(...SPEEDS.map((speed) => replayOption(speed, `${speed}x`, speed === 1)));
    replaySelect("turn").replaceChildren(...this.#turns.map(({ turn }) => replayOption(turn, String(turn))));
    replaySelect("view").replaceChildren(
      replayOption("all", "everything"),
      replayOption("public", "all players"),
      ...names.map((name, at) => replayOption(at + 1, `${at + 1}: ${name}`)),
    );
  }

  #listen() {
    const playback = this.#playback;
    scrubber().addEventListener("input", () => this.#jump(Number(scrubber().value)));
    onReplayClick("first", () => this.#jump(0));
    onReplayClick("back", () => this.#jump(playback.step - 1));
    onReplayClick("play", () => this.#toggle());
    onReplayClick("forward", () => this.#jump(playback.step + 1));
    onReplayClick("last", () => this.#jump(playback.last));
    onReplayChange("speed", (value) => {
      playback.speed = Number(value);
    });
    onReplayChange("turn", (value) => this.#jump(this.#turns.find(({ turn }) => String(turn) === value)?.step ?? 0));
    onReplayChange("view", (value) => this.#lookAs(value === "all" || value === "public" ? value : Number(value)));
    onReplayClick("fork", () => {
      playback.pause();
      this.#showPlaying();
      forkDialog(this.#replay.id, this.#scenes[playback.step].at(-1) ?? playback.scene);
    });
    onReplayClick("more", () => {
      const open = byId("choices").toggleAttribute("data-open");
      byId("more").setAttribute("aria-expanded", String(open));
    });
    document.addEventListener("keydown", (event) => this.#key(event));
    window.addEventListener("hashchange", () => this.#follow());
  }

  /** Arrows, Home, End and space, unless what has the focus needs them itself. @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    const { step, last } = this.#playback;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowRight: () => this.#jump(step + 1),
      ArrowLeft: () => this.#jump(step - 1),
      Home: () => this.#jump(0),
      End: () => this.#jump(last),
      " ": () => this.#toggle(),
    };
    if (!(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  }

  /** Go there and stay. @param {number} step @param {number} [stop] */
  #jump(step, stop) {
    this.#playback.pause();
    this.#playback.goTo(step, stop);
  }

  /**
   * Replaced, not pushed: the way back leads out of the replay, not through all its steps. Browsers refuse too many
   * changes in a short time, as a dragged scrubber would make them.
   */
  #writeAddress() {
    clearTimeout(this.#addressTimer);
    const write = () => {
      this.#addressDue = performance.now() + ADDRESS_MILLISECONDS;
      history.replaceState(null, "", `#step=${this.#playback.step}`);
    };
    const wait = this.#addressDue - performance.now();
    if (wait > 0) this.#addressTimer = setTimeout(write, wait);
    else write();
  }

  /** The address was changed by hand or by going back. */
  #follow() {
    const step = stepInHash(location.hash, this.#playback.last);
    if (step !== this.#playback.step) this.#jump(step);
  }

  #toggle() {
    if (this.#playback.playing) this.#playback.pause();
    else this.#playback.play();
    this.#showPlaying();
  }

  /** @param {ReplayViewer} viewer */
  #lookAs(viewer) {
    this.#viewer = viewer;
    this.#chronicle.tell(viewer);
    this.#show(this.#playback.scene, this.#playback.before);
  }

  /** @type {import("./playback.js").Show} */
  #show(scene, before) {
    this.#table.show(scene, before, this.#viewer);
    this.#chronicle.mark(scene);
    this.#showPlace(scene);
    this.#showStops(scene);
    this.#showPlaying();
    document.body.dataset.step = String(scene.step);
    this.#writeAddress();
    byId("result-details").toggleAttribute("open", this.#playback.atEnd);
    document.documentElement.dataset.ready = "true";
  }

  /** @param {import("./frames.js").Scene} scene */
  #showPlace(scene) {
    const { step, last } = this.#playback;
    const what = this.#chronicle.headOf(step, this.#viewer);
    scrubber().value = String(step);
    scrubber().setAttribute("aria-valuetext", placeText(scene, last, what));
    byId("now-place").textContent = `Turn ${scene.turn}, step ${step} of ${last}.`;
    byId("now-text").textContent = what;
    replaySelect("turn").value = String(this.#replay.frames[step].turn);
    for (const id of ["first", "back"]) replayButton(id).disabled = step === 0;
    for (const id of ["forward", "last"]) replayButton(id).disabled = step === last;
    replayButton("fork").disabled = this.#replay.frames[step].asked.length === 0;
  }

  /** A step that ends a turn can be looked at in between. @param {import("./frames.js").Scene} scene */
  #showStops(scene) {
    const scenes = this.#scenes[scene.step];
    const stops = byId("now-stops");
    stops.hidden = scenes.length === 1;
    stops.replaceChildren(
      ...scenes.map((at, index) => {
        const label = index < scenes.length - 1 || at.phase === "over" ? phaseText(at.phase) : `Turn ${at.turn} begins`;
        const shown = { type: "button", class: "quiet", "aria-pressed": String(at === scene) };
        return h("button", { ...shown, onclick: () => this.#jump(scene.step, index) }, label);
      }),
    );
  }

  #showPlaying() {
    const { playing } = this.#playback;
    byId("play").replaceChildren(uiGlyph(playing ? "pause" : "play"));
    byId("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  }

  #showResult() {
    const { id, names, ranking, turns, title, identities, fair } = this.#replay;
    document.title = `${names.join(", ")} - wateringhole`;
    byId("title").textContent = names.join(", ");
    byId("result-body").replaceChildren(
      title ? h("p", { class: "soft" }, title) : "",
      h("p", { class: "replay-winner" }, uiGlyph("crown"), ` ${winnersText(ranking)}`),
      rankingTable(ranking, null, embeddedReplay() ? null : identities),
      turnsFigure(turns, ranking),
    );
    byId("fair-body").replaceChildren(...fairCheck(fair));
    if (embeddedReplay()) return;
    byId("ways").append(...downloads(id), shareButton(id, () => `#step=${this.#playback.step}`));
  }
}

function embeddedReplay() {
  return document.getElementById("replay-data");
}

/** @returns {Promise<import("../shared/types.js").Replay>} */
async function loadedReplay() {
  const embedded = embeddedReplay();
  if (embedded) return JSON.parse(embedded.textContent ?? "");
  const id = location.pathname.split("/").filter(Boolean).at(-1) ?? "";
  const response = await fetch(`/api/games/${encodeURIComponent(id)}`);
  const value = await response.json();
  if (!response.ok) throw new Error(value.text ?? `status ${response.status}`);
  return value;
}

async function startReplay() {
  applySettings();
  document.querySelectorAll("[data-served]").forEach((element) => {
    element.toggleAttribute("hidden", embeddedReplay() !== null);
  });
  document.querySelectorAll("[data-glyph]").forEach((element) => {
    element.prepend(uiGlyph(element.getAttribute("data-glyph") ?? ""));
  });
  byId("ways").append(settingsButton());
  try {
    const [replay] = await Promise.all([loadedReplay(), openRulebook()]);
    new ReplayPage(replay).open();
  } catch (error) {
    byId("problem").textContent = `This game cannot be shown: ${error instanceof Error ? error.message : error}`;
    byId("problem").hidden = false;
    document.documentElement.dataset.ready = "problem";
  }
}

function scrubber() {
  return /** @type {HTMLInputElement} */ (byId("scrubber"));
}

/** @param {string} id */
function replaySelect(id) {
  return /** @type {HTMLSelectElement} */ (byId(id));
}

/** @param {string} id */
function replayButton(id) {
  return /** @type {HTMLButtonElement} */ (byId(id));
}

/** @param {string | number} value @param {string} text @param {boolean} [selected] */
function replayOption(value, text, selected = false) {
  return h("option", { value, selected }, text);
}

/** @param {string} id @param {() => void} act */
function onReplayClick(id, act) {
  byId(id).addEventListener("click", act);
}

/** @param {string} id @param {(value: string) => void} act */
function onReplayChange(id, act) {
  replaySelect(id).addEventListener("change", () => act(replaySelect(id).value));
}

startReplay();
