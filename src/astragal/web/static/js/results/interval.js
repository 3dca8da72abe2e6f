// A share of wins with its interval, in words and as a little picture.

import { element, shape } from "../dom.js";
import { percent } from "../words.js";

export function intervalWords({ rate, low, high }) {
  if (rate === null || rate === undefined) return "–";
  const between = low === null || low === undefined ? "" : ` (${percent(low)} to ${percent(high)})`;
  return `${percent(rate)}${between}`;
}

/** A line from the least to the most likely share, with a mark at the half. */
export function intervalPicture({ rate, low, high }) {
  if (rate === null || rate === undefined) return element("span", {}, "");
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
