/** The one sound of the page, made here: two soft notes, as of a kalimba. */

/** @type {AudioContext | null} */
let audio = null;

export function chime() {
  // A browser lets no page sound before its user has touched it.
  if (!navigator.userActivation?.hasBeenActive) return;
  try {
    audio ??= new AudioContext();
    void audio.resume();
    pluck(audio, 587.3, 0);
    pluck(audio, 880, 0.16);
  } catch {
    // No sound device: the title and the live region say it as well.
  }
}

/** @param {AudioContext} context @param {number} frequency @param {number} after  in seconds */
function pluck(context, frequency, after) {
  const start = context.currentTime + after;
  const tone = new OscillatorNode(context, { type: "triangle", frequency });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(0.16, start + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0005, start + 0.7);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + 0.75);
}
