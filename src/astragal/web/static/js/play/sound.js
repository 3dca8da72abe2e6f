// Short sounds for moves, rolls and ends; none unless somebody has asked for them.

import { preference } from "../preferences.js";

const NOTES = { move: [[420, 0.05]], roll: [[180, 0.03], [240, 0.03], [200, 0.04]], event: [[300, 0.08], [220, 0.12]], end: [[390, 0.1], [520, 0.18]] };

let audio = null;

export function sound(kind) {
  if (preference("sound") !== "on") return;
  audio ??= new AudioContext();
  let at = audio.currentTime;
  for (const [pitch, long] of NOTES[kind] ?? []) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = "triangle";
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + long);
    tone.connect(volume).connect(audio.destination);
    tone.start(at);
    tone.stop(at + long);
    at += long;
  }
}
