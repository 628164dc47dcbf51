/**
 * The page of a finished game: the table at any moment, the whole story, and controls to move through it.
 *
 * Laws: what happens is shown with the motions of a table. The step stands in the address, so that a link leads to the
 * same picture; one that leads into the game does not give its end away. Where the page carries its game with it, it
 * never asks a server for anything.
 */
import { byId, h } from "../shared/dom.js";
import { fairCheck } from "../shared/fair_deal.js";
import { downloadNotes, downloads, rankingTable, shareButton, turnsFigure } from "../shared/game_end.js";
import { uiGlyph } from "../shared/glyphs.js";
import { outcomeText } from "../shared/outcome_text.js";
import { openRulebook } from "../shared/rulebook.js";
import { applySettings, reducedMotion, settings, settingsButton } from "../shared/settings.js";
import { playSound, soundOf } from "../shared/sound.js";
import { numberText, text } from "../shared/text.js";
import { movesOf, preyPlace } from "../table/event_moves.js";
import { Motions } from "../table/motions.js";
import { Chronicle } from "./chronicle.js";
import { forkDialog } from "./fork_dialog.js";
import { momentsOf, turnStarts } from "./open_table.js";
import { Playback, SPEEDS, stepInHash } from "./playback.js";
import { ReplayTable } from "./replay_table.js";

const ADDRESS_MILLISECONDS = 300;

class ReplayPage {
  /** @type {import("./open_table.js").Viewer} */
  #viewer = "all";
  #addressDue = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #addressTimer;
  #motions = new Motions(reducedMotion, (seat) => this.#game.names[seat - 1]);
  #game;
  #moments;
  #turns;
  #table;
  #chronicle;
  #playback;

  /** @param {import("../shared/messages.js").Replay} game */
  constructor(game) {
    this.#game = game;
    this.#moments = momentsOf(game);
    this.#turns = turnStarts(this.#moments);
    this.#playback = new Playback(
      game.steps,
      (event, milliseconds) => this.#show(event, milliseconds),
      (run, milliseconds) => setTimeout(run, milliseconds),
    );
    this.#table = new ReplayTable(byId("game"));
    this.#chronicle = new Chronicle(byId("story"), game, this.#moments,
      (step, told) => this.#playback.goTo(step, told));
    this.#fillChoices();
    this.#listen();
    this.#showResult();
  }

  /** The first picture: the one that the address names. */
  open() {
    for (const id of ["replay", "dock"]) byId(id).hidden = false;
    this.#chronicle.tell(this.#viewer);
    const step = stepInHash(location.hash, this.#playback.last);
    this.#tellOutcome(step === 0);
    this.#playback.goTo(step);
  }

  /** The table that is shown now. */
  get #moment() {
    return this.#moments[this.#playback.step][this.#playback.told];
  }

  get #events() {
    return this.#game.steps[this.#playback.step].events;
  }

  /** The seats that must answer now: none while the step is not told to its end. */
  get #asked() {
    const { step, told } = this.#playback;
    return told === this.#events.length ? this.#game.steps[step].asked : [];
  }

  #fillChoices() {
    const { names } = this.#game;
    scrubber().max = String(this.#playback.last);
    replaySelect("speed").replaceChildren(...SPEEDS.map((speed) =>
      replayOption(speed, `${numberText(speed)}\u00d7`, speed === 1)));
    replaySelect("turn").replaceChildren(...this.#turns.map(({ turn }) => replayOption(turn, numberText(turn))));
    replaySelect("view").replaceChildren(
      replayOption("all", text("replay.view.all")),
      replayOption("public", text("replay.view.public")),
      ...names.map((name, at) => replayOption(at + 1, `${at + 1}: ${name}`)),
    );
  }

  #listen() {
    const playback = this.#playback;
    scrubber().addEventListener("input", () => playback.goTo(Number(scrubber().value)));
    onReplayClick("first", () => playback.goTo(0));
    onReplayClick("back", () => playback.goTo(playback.step - 1));
    onReplayClick("play", () => this.#toggle());
    onReplayClick("forward", () => this.#forward());
    onReplayClick("last", () => playback.goTo(playback.last));
    onReplayClick("show-outcome", () => this.#tellOutcome(true));
    onReplayChange("speed", (value) => {
      playback.speed = Number(value);
    });
    onReplayChange("turn", (value) => playback.goTo(this.#turns.find(({ turn }) => String(turn) === value)?.step ?? 0));
    onReplayChange("view", (value) => this.#lookAs(value === "all" || value === "public" ? value : Number(value)));
    onReplayClick("fork", () => {
      const { step } = playback;
      playback.goTo(step);
      forkDialog(this.#game.id, step, this.#moment.table, this.#asked);
    });
    onReplayClick("more", () => {
      const open = byId("choices").toggleAttribute("data-open");
      byId("more").setAttribute("aria-expanded", String(open));
    });
    document.addEventListener("keydown", (event) => this.#key(event));
    // Timers of a hidden tab come late: the film waits for its reader.
    document.addEventListener("visibilitychange", () => document.hidden && playback.moving && playback.pause());
    window.addEventListener("hashchange", () => this.#follow());
  }

  /** Arrows, Home, End and space, unless what has the focus needs them itself. @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {Element} */ (event.target);
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
    if (event.key === " " && target.closest("button, a, summary")) return;
    const { step, told, last } = this.#playback;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowRight: () => this.#forward(),
      ArrowLeft: () => this.#playback.goTo(step - 1),
      "Shift+ArrowRight": () => (told < this.#events.length || step === last
        ? this.#playback.goTo(step, told + 1) : this.#playback.goTo(step + 1, 0)),
      "Shift+ArrowLeft": () => (told > 0 ? this.#playback.goTo(step, told - 1) : this.#playback.goTo(step - 1)),
      Home: () => this.#playback.goTo(0),
      End: () => this.#playback.goTo(last),
      " ": () => this.#toggle(),
    };
    const act = keys[`${event.shiftKey ? "Shift+" : ""}${event.key}`];
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** The events of the next step happen; all at once for who wants them so at a table. */
  #forward() {
    if (settings().events === "off") this.#playback.goTo(this.#playback.step + 1);
    else this.#playback.forward();
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
    if (step !== this.#playback.step) this.#playback.goTo(step);
  }

  #toggle() {
    if (this.#playback.playing) this.#playback.pause();
    else this.#playback.play();
  }

  /** @param {import("./open_table.js").Viewer} viewer */
  #lookAs(viewer) {
    this.#viewer = viewer;
    this.#chronicle.tell(viewer);
    this.#draw();
  }

  /** @type {import("./playback.js").ShowPosition} */
  #show(event, milliseconds) {
    if (event && settings().events !== "off") this.#animate(event, milliseconds);
    else {
      this.#motions.clear();
      this.#draw();
    }
    document.documentElement.dataset.ready = "true";
  }

  /** @param {import("../shared/messages.js").Event} event @param {number} milliseconds */
  #animate(event, milliseconds) {
    const { step, told } = this.#playback;
    const before = { players: this.#moments[step][told - 1].table.players, prey: this.#prey() };
    this.#motions.play(event.type, movesOf(event, before), milliseconds, () => this.#draw());
    const sound = soundOf(event);
    if (sound) playSound(sound, settings());
  }

  /** The place of the board that was attacked last, before the event that is told now. */
  #prey() {
    const { step, told } = this.#playback;
    const at = this.#events.slice(0, told - 1).map(({ type }) => type).lastIndexOf("Attacked");
    const event = this.#events[at];
    if (event?.type !== "Attacked") return null;
    return preyPlace(event, { players: this.#moments[step][at].table.players, prey: null });
  }

  #draw() {
    const { step, told, moving, atEnd } = this.#playback;
    this.#table.show(this.#moment, this.#asked, this.#viewer);
    this.#chronicle.mark(step, told);
    this.#showPlace();
    this.#showPlaying();
    document.body.dataset.step = String(step);
    document.body.toggleAttribute("data-events", moving);
    this.#writeAddress();
    byId("result-details").toggleAttribute("open", atEnd);
    if (atEnd) this.#tellOutcome(true);
  }

  #showPlace() {
    const { step, told, last, moving } = this.#playback;
    const { turn } = this.#moment.table;
    const whole = told === this.#events.length && !moving;
    const what = this.#chronicle.textOf(step, whole ? 0 : told, this.#viewer);
    const place = text("replay.place", { turn, step, last });
    scrubber().value = String(step);
    scrubber().setAttribute("aria-valuetext", `${place} ${what}`);
    byId("now-place").textContent = place;
    byId("now-text").textContent = what;
    replaySelect("turn").value = String(turn);
    for (const id of ["first", "back"]) replayButton(id).disabled = step === 0;
    for (const id of ["forward", "last"]) replayButton(id).disabled = step === last;
    replayButton("fork").disabled = this.#game.steps[step].asked.length === 0;
  }

  #showPlaying() {
    const { playing } = this.#playback;
    byId("play").replaceChildren(uiGlyph(playing ? "pause" : "play"));
    byId("play").setAttribute("aria-label", playing ? text("replay.pause") : text("replay.play"));
  }

  /** Say how the game ended, or offer to. @param {boolean} told */
  #tellOutcome(told) {
    byId("outcome").hidden = !told;
    byId("show-outcome").hidden = told;
  }

  #showResult() {
    const { id, names, ranking, turns, title, identities, fair } = this.#game;
    document.title = `${names.join(", ")} - wateringhole`;
    byId("title").textContent = names.join(", ");
    byId("outcome").append(uiGlyph("crown"), ` ${outcomeText(ranking)}`);
    byId("result-body").replaceChildren(
      title ? h("p", { class: "soft" }, title) : "",
      rankingTable(ranking, null, embeddedReplay() ? null : identities),
      turnsFigure(turns, ranking),
      embeddedReplay() ? "" : downloadNotes(),
    );
    byId("fair-body").replaceChildren(...fairCheck(fair));
    if (embeddedReplay()) return;
    byId("ways").append(...downloads(id), shareButton(id, () => `#step=${this.#playback.step}`));
  }
}

function embeddedReplay() {
  return document.getElementById("replay-data");
}

/** @returns {Promise<import("../shared/messages.js").Replay>} */
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
    byId("problem").textContent =
      text("replay.problem", { why: error instanceof Error ? error.message : String(error) });
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

/** @param {string | number} value @param {string} words @param {boolean} [selected] */
function replayOption(value, words, selected = false) {
  return h("option", { value, selected }, words);
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
