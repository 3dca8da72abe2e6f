// A share of wins with its interval, in words and as a little picture; of games for one a mean score, in words.

import { element, shape } from "../dom.js";
import { percent, score } from "../words.js";

export const SCORE = "score";

export function intervalWords({ rate, low, high, measure }) {
  if (rate === null || rate === undefined) return "–";
  const words = measure === SCORE ? score : percent;
  const between = low === null || low === undefined ? "" : ` (${words(low)} to ${words(high)})`;
  return `${words(rate)}${between}`;
}

/** How a player of a contest did, as its row in the standing says it. */
export function intervalOf(player, measure) {
  if (measure !== SCORE) return player;
  const { mean, low, high } = player.utility ?? {};
  return { rate: mean, low, high, measure };
}

/** A line from the least to the most likely share, with a mark at the half. */
export function intervalPicture({ rate, low, high, measure }) {
  if (rate === null || rate === undefined || measure === SCORE) return element("span", {}, "");
  const svg = shape("svg", {
    class: "interval",
    viewBox: "0 0 100 12",
    preserveAspectRatio: "none",
    "aria-hidden": "true",
  });
  svg.append(shape("rect", { class: "half", x: 49.7, y: 0, width: 0.6, height: 12 }));
  svg.append(
    shape("rect", {
      class: "span",
      x: 100 * (low ?? rate),
      y: 5,
      width: Math.max(0.5, 100 * ((high ?? rate) - (low ?? rate))),
      height: 2,
    }),
  );
  svg.append(shape("rect", { class: "mean", x: 100 * rate - 1, y: 1.5, width: 2, height: 9 }));
  return svg;
}
