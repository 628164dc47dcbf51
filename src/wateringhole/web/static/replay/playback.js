/**
 * Playback of a replay: a position among scenes, and a clock that moves it on. Nothing of the page.
 *
 * Laws: the position is always a scene that exists. Going to a step shows the state after it; only a running replay
 * stops at the scenes on the way.
 */

/** @typedef {import("./frames.js").Scene} PlayedScene */
/** @typedef {(scene: PlayedScene, before: PlayedScene) => void} Show  before: the one that precedes it */
/** @typedef {(run: () => void, milliseconds: number) => unknown} Later */

export const SPEEDS = [0.5, 1, 2, 4];

const START_MILLISECONDS = 400;
const SCENE_MILLISECONDS = 900;
const LINE_MILLISECONDS = 260;
const MAX_LINES_READ = 10;

export class Playback {
  step = 0;
  stop = 0;
  speed = 1;
  playing = false;
  #scenes;
  #show;
  #later;
  #run = 0;

  /**
   * @param {PlayedScene[][]} scenes
   * @param {Show} show
   * @param {Later} later
   */
  constructor(scenes, show, later) {
    this.#scenes = scenes;
    this.#show = show;
    this.#later = later;
    this.stop = scenes[0].length - 1;
  }

  get last() {
    return this.#scenes.length - 1;
  }

  get scene() {
    return this.#scenes[this.step][this.stop];
  }

  /** The scene that precedes this one in the game. */
  get before() {
    return this.#scenes[this.step][this.stop - 1] ?? this.#scenes[this.step - 1]?.at(-1) ?? this.scene;
  }

  get atEnd() {
    return this.step === this.last && this.stop === this.#scenes[this.step].length - 1;
  }

  /**
   * Show the state after this step, or the stop on the way to it.
   *
   * @param {number} step
   * @param {number} [stop]
   */
  goTo(step, stop) {
    this.step = Math.min(Math.max(step, 0), this.last);
    const stops = this.#scenes[this.step].length;
    this.stop = Math.min(Math.max(stop ?? stops - 1, 0), stops - 1);
    if (this.playing && this.atEnd) this.pause();
    this.#show(this.scene, this.before);
  }

  /** Run on, from the start when the end is reached. */
  play() {
    this.playing = true;
    if (this.atEnd) this.goTo(0);
    else this.#show(this.scene, this.before);
    this.#schedule(START_MILLISECONDS / this.speed);
  }

  pause() {
    this.playing = false;
    this.#run += 1;
  }

  /** @param {number} milliseconds */
  #schedule(milliseconds) {
    this.#run += 1;
    const run = this.#run;
    this.#later(() => run === this.#run && this.#advance(), milliseconds);
  }

  #advance() {
    if (this.stop < this.#scenes[this.step].length - 1) this.goTo(this.step, this.stop + 1);
    else this.goTo(this.step + 1, 0);
    if (this.playing) this.#schedule(this.#pause());
  }

  /** How long the scene stays: as long as it takes to read what is told in it. */
  #pause() {
    const told = this.stop === 0 ? 0 : this.#scenes[this.step][this.stop - 1].told;
    const lines = Math.min(this.scene.told - told, MAX_LINES_READ);
    return (SCENE_MILLISECONDS + LINE_MILLISECONDS * lines) / this.speed;
  }
}
