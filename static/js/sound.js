// Short sounds, made on the spot: nothing to download, nothing from elsewhere.

/** Frequency in Hz, start and length in seconds, loudness. @typedef {[number, number, number, number]} Tone */
/** @type {Record<string, {wave: OscillatorType, tones: Tone[]}>} */
const SOUNDS = {
  move: { wave: 'triangle', tones: [[190, 0, 0.06, 0.5]] },
  capture: { wave: 'triangle', tones: [[230, 0, 0.05, 0.5], [150, 0.05, 0.09, 0.6]] },
  check: { wave: 'triangle', tones: [[190, 0, 0.06, 0.5], [560, 0.05, 0.16, 0.3]] },
  low: { wave: 'sine', tones: [[880, 0, 0.09, 0.3], [880, 0.14, 0.09, 0.3]] },
  end: { wave: 'sine', tones: [[330, 0, 0.22, 0.3], [415, 0.09, 0.24, 0.3], [495, 0.18, 0.4, 0.3]] },
};
/** A tone falls this much while it lasts, which makes it wood rather than a beep. */
const FALL = 0.6;

/** @type {AudioContext | null} */
let context = null;

/** Browsers let a page sound only after somebody has touched it: to be called when that happens. */
export function wakeSound() {
  context ??= new AudioContext();
  if (context.state === 'suspended') context.resume().catch(() => {});
}

/** @param {string} name one of SOUNDS */
export function sound(name) {
  if (context?.state !== 'running') return;
  const { wave, tones } = SOUNDS[name];
  for (const [hertz, start, length, loud] of tones) {
    const at = context.currentTime + start;
    const tone = new OscillatorNode(context, { type: wave, frequency: hertz });
    const volume = new GainNode(context, { gain: 0 });
    tone.frequency.setValueAtTime(hertz, at);
    tone.frequency.exponentialRampToValueAtTime(hertz * FALL, at + length);
    volume.gain.setValueAtTime(loud, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}

/**
 * What an event of a game sounds like, if like anything. Pure.
 * @param {{kind: string, check?: string | null, lan?: string}} event
 * @returns {string | null}
 */
export function soundOf({ kind, check, lan }) {
  if (kind === 'ended') return 'end';
  if (kind !== 'move') return null;
  return check ? 'check' : lan?.includes('x') ? 'capture' : 'move';
}
