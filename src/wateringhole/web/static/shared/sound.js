/**
 * The sounds of the page, made here of a few notes each: no file is loaded.
 *
 * Laws: quiet and short. Nothing sounds before the user has touched the page, as browsers want it; in a hidden tab only
 * the sound that calls the player does. Nothing depends on a sound: what it tells can be seen as well.
 *
 * @typedef {{wave: OscillatorType | "rustle", from: number, to: number, after: number, lasts: number, gain: number}} Note
 *   from, to: hertz; after, lasts: seconds
 * @typedef {{sound: boolean, volume: number}} SoundSettings  volume: 0 to 100
 */

/** @param {number} hertz @param {number} after @param {number} [lasts] @param {number} [gain] @returns {Note} */
function pluck(hertz, after, lasts = 0.5, gain = 0.16) {
  return { wave: "triangle", from: hertz, to: hertz, after, lasts, gain };
}

/** Every sound as its notes. @satisfies {Record<string, Note[]>} */
const SOUNDS = {
  card: [{ wave: "rustle", from: 1800, to: 3600, after: 0, lasts: 0.11, gain: 0.1 }],
  food: [{ wave: "sine", from: 420, to: 700, after: 0, lasts: 0.1, gain: 0.14 }],
  attack: [
    { wave: "sine", from: 170, to: 60, after: 0, lasts: 0.22, gain: 0.24 },
    { wave: "rustle", from: 500, to: 250, after: 0, lasts: 0.12, gain: 0.1 },
  ],
  loss: [pluck(392, 0, 0.3, 0.1), pluck(330, 0.11, 0.4, 0.1)],
  extinct: [pluck(330, 0, 0.35, 0.12), pluck(277.2, 0.14, 0.35, 0.12), pluck(220, 0.28, 0.6, 0.12)],
  turn: [pluck(587.3, 0, 0.7), pluck(880, 0.16, 0.7)],
  end: [pluck(523.3, 0), pluck(659.3, 0.14), pluck(784, 0.28), pluck(1046.5, 0.42, 0.9)],
};

/** @typedef {keyof typeof SOUNDS} SoundName */
/** @type {SoundName[]} */
export const SOUND_NAMES = /** @type {SoundName[]} */ (Object.keys(SOUNDS));

/** The sound of each kind of event that has one. @type {Partial<Record<import("./messages.js").Event["type"], SoundName>>} */
const EVENT_SOUNDS = {
  CardsDealt: "card", BoardGiven: "card", Revealed: "card", Ate: "food", FatStored: "food", FatMoved: "food", Bred: "food",
  TurnEnded: "food", Attacked: "attack", AnimalLost: "loss", Starved: "loss", Extinct: "extinct", Expelled: "extinct",
};

/** The sound of this event, if it has one. @param {{type: import("./messages.js").Event["type"]}} event */
export function soundOf({ type }) {
  return EVENT_SOUNDS[type] ?? null;
}

/** How much louder than they are written the notes are at full volume. */
const MAX_LOUDNESS = 2;

/** So long after the last sound the audio rests: one that runs takes 2 % of a core, in silence, too. */
const REST_MS = 3000;

/** @type {AudioContext | null} */
let audio = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let restTimer;

/** Let this be heard, if the user wants sounds. @param {SoundName} name @param {SoundSettings} wanted */
export function playSound(name, { sound, volume }) {
  if (!sound || volume <= 0 || !navigator.userActivation?.hasBeenActive) return;
  if (document.hidden && name !== "turn") return;
  try {
    audio ??= new AudioContext();
    void audio.resume();
    soundOn(audio, name, volume);
    clearTimeout(restTimer);
    restTimer = setTimeout(() => void audio?.suspend(), REST_MS);
  } catch {
    // No sound device.
  }
}

/** Put the notes of a sound on this context. @param {BaseAudioContext} context @param {SoundName} name @param {number} volume */
export function soundOn(context, name, volume) {
  const loudness = new GainNode(context, { gain: (volume / 100) ** 2 * MAX_LOUDNESS });
  loudness.connect(context.destination);
  for (const note of SOUNDS[name]) {
    const start = context.currentTime + note.after;
    const envelope = new GainNode(context, { gain: 0 });
    envelope.gain.setValueAtTime(0, start);
    envelope.gain.linearRampToValueAtTime(note.gain, start + 0.012);
    envelope.gain.exponentialRampToValueAtTime(0.0005, start + note.lasts);
    envelope.connect(loudness);
    const source = note.wave === "rustle" ? rustle(context, note, start, envelope) : tone(context, note, note.wave, start, envelope);
    source.start(start);
    source.stop(start + note.lasts + 0.05);
  }
}

/** @param {BaseAudioContext} context @param {Note} note @param {OscillatorType} wave @param {number} start @param {AudioNode} into */
function tone(context, { from, to, lasts }, wave, start, into) {
  const source = new OscillatorNode(context, { type: wave, frequency: from });
  source.frequency.setValueAtTime(from, start);
  source.frequency.exponentialRampToValueAtTime(to, start + lasts);
  source.connect(into);
  return source;
}

/** Noise in a narrow band, as of a card on a table. @param {BaseAudioContext} context @param {Note} note @param {number} start @param {AudioNode} into */
function rustle(context, { from, to, lasts }, start, into) {
  const noise = new AudioBuffer({ length: Math.ceil(context.sampleRate * lasts), sampleRate: context.sampleRate });
  const samples = noise.getChannelData(0);
  for (let at = 0; at < samples.length; at += 1) samples[at] = Math.random() * 2 - 1;
  const band = new BiquadFilterNode(context, { type: "bandpass", frequency: from, Q: 1.2 });
  band.frequency.setValueAtTime(from, start);
  band.frequency.exponentialRampToValueAtTime(to, start + lasts);
  const source = new AudioBufferSourceNode(context, { buffer: noise });
  source.connect(band).connect(into);
  return source;
}
