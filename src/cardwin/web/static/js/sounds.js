// Short tones for the table, made by the browser; off until a person switches them on.
import { remember, remembered } from "./dom.js";

// Of each sound: frequency in Hz, start and length in seconds.
const TONES = {
  act: [[330, 0, 0.06]],
  board: [[440, 0, 0.05], [440, 0.08, 0.05]],
  turn: [[660, 0, 0.1]],
  win: [[523, 0, 0.1], [659, 0.1, 0.1], [784, 0.2, 0.18]],
  lose: [[392, 0, 0.12], [311, 0.13, 0.2]],
  even: [[440, 0, 0.14]],
};
const LOUD = 0.08;
let context = null;

export const soundsOn = () => remembered("sounds", false) === true;
export function setSounds(on) {
  remember("sounds", on);
  if (on) sound("turn");
}

export function sound(name) {
  if (!soundsOn() || !("AudioContext" in window)) return;
  context ??= new AudioContext();
  context.resume?.();
  for (const [pitch, start, length] of TONES[name]) {
    const tone = context.createOscillator(), volume = context.createGain(), at = context.currentTime + start;
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(LOUD, at);
    volume.gain.exponentialRampToValueAtTime(0.0005, at + length);
    tone.connect(volume).connect(context.destination);
    tone.start(at);
    tone.stop(at + length);
  }
}
