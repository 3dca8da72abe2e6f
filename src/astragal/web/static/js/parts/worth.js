// What a value is worth to people: a chance to win where it is one, else points.

import { percent, signed } from "../words.js";

/** A value as a chance to win, from 0 to 1; null where it is none. */
export function chanceOf(value, { range: [low, high], measure, chances }) {
  if (measure !== "win" || !chances || value === null || value === undefined) return null;
  return Math.min(1, Math.max(0, (value - low) / (high - low)));
}

export function worthWords(value, measure, digits = 0) {
  const chance = chanceOf(value, measure);
  return chance === null ? signed(value, 2) : percent(chance, digits);
}
