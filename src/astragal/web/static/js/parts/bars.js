// A move's value as a bar, a bound as the thin line of all it may be; with its error, its share of visits and the exact value, where there are such.

import { shape } from "../dom.js";

const PARTS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]; // of a game's range, that bars may show instead of all of it

const isNumber = (value) => value !== null && value !== undefined;

/** From where to where bars go: a part of the game's range that all values fit in, in few steps so that it seldom jumps. */
export function scaleFor(actions, [low, high], exact) {
  const reach = actions.filter((each) => isNumber(each.value)).map((each) => Math.max(Math.abs(each.value) + (each.error ?? 0), ...(each.interval ?? []).map(Math.abs)));
  const most = Math.max(0, ...reach, ...[...exact.values()].map(Math.abs));
  if (low !== -high) return { low, high, words: `${low} … ${high}` };
  const end = (PARTS.find((each) => each * high >= most) ?? 1) * high;
  return { low: -end, high: end, words: `± ${Number(end.toPrecision(3))}` };
}

export function barOf(action, { low, high }, { best, exact }) {
  const at = (value) => (100 * (Math.min(high, Math.max(low, value)) - low)) / (high - low || 1);
  const svg = shape("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none" });
  const part = (kind, x, y, width, height) => svg.append(shape("rect", { class: kind, x, y, width, height }));
  const zero = at(0);
  part("track", 0, 0, 100, 10);
  if (isNumber(action.share)) part("share", 0, 8, 100 * action.share, 2);
  if (isNumber(action.value) && action.bound === "at most") part("open", 0, 3.2, Math.max(0.8, at(action.value)), 1.6);
  else if (isNumber(action.value) && action.bound === "at least")
    part("open", at(action.value), 3.2, Math.max(0.8, 100 - at(action.value)), 1.6);
  else if (action.interval && action.interval[1] > action.interval[0]) {
    const [from, to] = action.interval.map(at);
    part(best ? "value best" : "value", from, 1, Math.max(0.8, to - from), 6);
  } else if (isNumber(action.value)) {
    const end = at(action.value);
    part(best ? "value best" : "value", Math.min(zero, end), 1, Math.max(0.8, Math.abs(end - zero)), 6);
    if (action.error) {
      const [from, to] = [at(action.value - action.error), at(action.value + action.error)];
      part("error", from, 3.4, Math.max(0.6, to - from), 1.2);
    }
  }
  if (isNumber(exact)) part("exact", at(exact) - 0.5, 0, 1, 8);
  part("zero", zero - 0.2, 0, 0.4, 10);
  return svg;
}
