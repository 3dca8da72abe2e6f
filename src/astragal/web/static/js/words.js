// Numbers and lists in words.

const WHOLE = new Intl.NumberFormat("en-GB");
const SCORES = new Intl.NumberFormat("en-GB", { maximumSignificantDigits: 5 });

export const whole = (number) => WHOLE.format(Math.round(number));

/** A large number in few letters: 1.2 M. */
export function brief(number) {
  if (number < 10_000) return whole(number);
  if (number < 1e6) return `${(number / 1e3).toFixed(number < 1e5 ? 1 : 0)} k`;
  if (number < 1e9) return `${(number / 1e6).toFixed(number < 1e8 ? 1 : 0)} M`;
  return `${(number / 1e9).toFixed(1)} G`;
}

/** A value of a game, with its sign. */
export function signed(value, digits = 3) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const text = value.toFixed(Math.abs(value) >= 100 ? Math.min(1, digits) : digits);
  return Number(text) === 0 ? text.replace("-", "") : value > 0 ? `+${text}` : text.replace("-", "−");
}

export function percent(share, digits = 1) {
  return share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits)} %`;
}

/** What was scored in a game for one. */
export function score(number) {
  return number === null || number === undefined ? "–" : SCORES.format(number);
}

export function seconds(time) {
  return time === null || time === undefined ? "–" : time < 10 ? `${time.toFixed(2)} s` : `${time.toFixed(1)} s`;
}

/** A game's name and what it is about, from its first sentence, "Name: what it is about". */
export function nameAndAbout({ id, about }) {
  const [name, ...rest] = about.split(": ");
  const sheet = id.includes(".kif") ? " (GDL)" : ""; // the same game may be there both ways
  if (!rest.length || name.length > 40) return [capital(id.replaceAll("_", " ")), about];
  return [`${name}${sheet}`, capital(rest.join(": "))];
}

export const plural = (count, word) => `${whole(count)} ${word}${count === 1 ? "" : "s"}`;

export const player = (seat) => `player ${seat + 1}`;

export const capital = (words) => words.charAt(0).toUpperCase() + words.slice(1);

// What is being compiled for a search, and how far that is.
export function compilingText({ what, done, expected }) {
  if (!expected) return `compiling ${what} …`;
  if (done + 1 >= expected) return `compiling ${what}: ${done} functions, then their machine code …`;
  return `compiling ${what}: ${done} of about ${expected} functions …`;
}
