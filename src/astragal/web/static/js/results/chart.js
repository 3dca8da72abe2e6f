// Win-rate curves: means with their intervals against a setting. The same numbers stand in a table below.

import { element, shape } from "../dom.js";
import { percent } from "../words.js";

const WIDEST = 760;
const HEIGHT = 360;
const EDGE = { left: 56, right: 16, top: 16, bottom: 44 };

/** Ways to place x: by its logarithm where values spread over more than a decade and a half. */
function across(values, width) {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const logarithmic = low > 0 && high / low > 30;
  const from = logarithmic ? Math.log : (x) => x;
  const span = from(high) - from(low) || 1;
  const room = width - EDGE.left - EDGE.right - 24;
  return (x) => EDGE.left + 12 + (high === low ? room / 2 : (room * (from(x) - from(low))) / span);
}

/** Marks for an axis from 0 to 1, or the part of it that is needed. */
function upwards(points) {
  const low = Math.max(0, Math.floor(10 * Math.min(0.5, ...points.map((each) => each.low ?? each.mean))) / 10);
  const high = Math.min(1, Math.ceil(10 * Math.max(0.5, ...points.map((each) => each.high ?? each.mean))) / 10);
  const room = HEIGHT - EDGE.top - EDGE.bottom;
  const marks = Array.from({ length: Math.round(10 * (high - low)) + 1 }, (_, i) => low + i / 10);
  return { y: (share) => EDGE.top + (room * (high - share)) / (high - low || 1), marks };
}

/** A chart for a place of such a width. */
export function chart({ setting, series, why }, room) {
  const width = Math.min(WIDEST, room);
  const points = series.flatMap((each) => each.points);
  if (!points.length) return element("p", { class: "soft" }, why ?? "There is nothing to draw yet.");
  const x = across(
    points.map((each) => each.x),
    width,
  );
  const { y, marks } = upwards(points);
  const svg = shape("svg", {
    class: "chart",
    viewBox: `0 0 ${width} ${HEIGHT}`,
    role: "img",
    "aria-label": `Share of wins against ${setting}; the numbers are in the table below`,
  });
  for (const mark of marks) {
    svg.append(
      shape("line", {
        class: Math.abs(mark - 0.5) < 1e-9 ? "grid half" : "grid",
        x1: EDGE.left,
        x2: width - EDGE.right,
        y1: y(mark),
        y2: y(mark),
      }),
    );
    svg.append(
      shape(
        "text",
        { x: EDGE.left - 8, y: y(mark), "text-anchor": "end", "dominant-baseline": "central" },
        percent(mark, 0),
      ),
    );
  }
  const ticks = [...new Set(points.map((each) => each.x))].sort((a, b) => a - b);
  let last = -Infinity;
  for (const tick of ticks) {
    if (x(tick) - last < 34) continue;
    last = x(tick);
    svg.append(shape("text", { x: last, y: HEIGHT - EDGE.bottom + 18, "text-anchor": "middle" }, String(tick)));
  }
  svg.append(
    shape("text", { x: (width + EDGE.left) / 2, y: HEIGHT - 6, "text-anchor": "middle", class: "axis" }, setting),
  );
  series.forEach((each, i) => svg.append(curve(each, i, series.length, x, y)));
  return element("figure", {}, svg, legend(series), table(setting, series));
}

function curve({ points }, number, count, x, y) {
  const shift = (number - (count - 1) / 2) * 4; // intervals of several curves side by side
  const group = shape("g", { class: `series series${(number % 6) + 1}` });
  group.append(shape("polyline", { points: points.map((each) => `${x(each.x) + shift},${y(each.mean)}`).join(" ") }));
  for (const each of points) {
    const at = x(each.x) + shift;
    const bar = shape("path", {
      d: `M${at} ${y(each.low)}V${y(each.high)}M${at - 4} ${y(each.low)}h8M${at - 4} ${y(each.high)}h8`,
    });
    group.append(
      bar,
      shape(
        "circle",
        { cx: at, cy: y(each.mean), r: 4 },
        shape("title", {}, `${each.x}: ${percent(each.mean)}, ${percent(each.low)} to ${percent(each.high)}`),
      ),
    );
  }
  return group;
}

function legend(series) {
  return element(
    "ul",
    { class: "legend" },
    series.map((each, i) => element("li", {}, element("span", { class: `swatch series${(i % 6) + 1}` }), each.name)),
  );
}

function table(setting, series) {
  const rows = series.flatMap(({ name, points }) =>
    points.map((each) =>
      element(
        "tr",
        {},
        element("td", {}, name),
        element("td", { class: "number" }, each.x),
        element("td", { class: "number" }, percent(each.mean)),
        element("td", { class: "number" }, `${percent(each.low)} to ${percent(each.high)}`),
      ),
    ),
  );
  const head = element(
    "tr",
    {},
    ["players", setting, "share of wins", "interval"].map((words, i) =>
      element("th", { scope: "col", class: i ? "number" : "" }, words),
    ),
  );
  return element(
    "details",
    {},
    element("summary", {}, "As a table"),
    element("div", { class: "scroll" }, element("table", {}, element("thead", {}, head), element("tbody", {}, rows))),
  );
}
