// Who is ahead: a bar, and a graph over the game that can be clicked.

import { element, refill, shape } from "../dom.js";
import { percent, signed } from "../words.js";
import { chanceOf } from "./worth.js";

/** A bar for two players, or a sentence for more. */
export class EvaluationBar {
  constructor() {
    this.element = element("div", { class: "evaluation", hidden: true });
  }

  /** `known` is {seat, value, chances}; `name` says what a seat is called. */
  show(known, { seats, measure, name }) {
    this.element.hidden = !known;
    if (!known) return;
    const chance = chanceOf(known.value, { ...measure, chances: known.chances });
    const { range } = measure;
    const share = chance ?? (known.value - range[0]) / (range[1] - range[0]);
    const words =
      chance === null
        ? `${name(known.seat)}: ${signed(known.value, 2)} expected`
        : `${name(known.seat)}: ${percent(chance, 0)} to win`;
    const first = known.seat === 1 ? share : 1 - share;
    const bar =
      seats === 2
        ? element(
            "div",
            { class: "evaluation-bar", "aria-hidden": "true" },
            part("player1", first),
            part("player2", 1 - first),
          )
        : null;
    refill(this.element, bar, element("span", { class: "small number" }, words));
  }
}

function part(player, share) {
  const made = element("span", { class: player });
  made.style.flexGrow = Math.round(1000 * share);
  return made;
}

const WIDTH = 320;
const HEIGHT = 150;
const EDGE = { left: 40, right: 8, top: 8, bottom: 34 };

/** Values over a game. `points` are [{ply, seat, value, chances, mistake}]; a click says which step is wanted. */
export function graphOf(points, { plies, now, seats, measure, name, onlook }) {
  const known = points.filter((each) => each.value !== null && each.value !== undefined);
  if (known.length < 2) return null;
  const asChance = known.every((each) => chanceOf(each.value, { ...measure, chances: each.chances }) !== null);
  const worth = (each) => (asChance ? chanceOf(each.value, { ...measure, chances: true }) : each.value);
  const zeroSum = seats === 2;
  const mirrored = (value) => (asChance ? 1 - value : measure.range[0] + measure.range[1] - value);
  const lines = zeroSum
    ? [[1, known.map((each) => [each.ply, each.seat === 1 ? worth(each) : mirrored(worth(each))])]]
    : [...new Set(known.map((each) => each.seat))].sort().map((seat) => [seat, known.filter((each) => each.seat === seat).map((each) => [each.ply, worth(each)])]);
  const mistakes = new Set(known.filter((each) => each.mistake).map((each) => each.ply));
  const values = lines.flatMap(([, line]) => line.map(([, value]) => value));
  const most = Math.max(...values.map(Math.abs), 1e-9);
  const [low, high] = asChance ? [0, 1] : [Math.min(0, ...values) < 0 ? -most : 0, most];
  const x = (ply) => EDGE.left + ((WIDTH - EDGE.left - EDGE.right) * ply) / Math.max(1, plies);
  const y = (value) => EDGE.top + ((HEIGHT - EDGE.top - EDGE.bottom) * (high - value)) / (high - low || 1);
  const svg = shape("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img" });
  svg.setAttribute("aria-label", asChance ? `Chance of ${name(1)} to win, over the game` : "Values over the game");
  const text = (at, words, anchor, across = EDGE.left - 6) =>
    shape("text", { x: across, y: at, "text-anchor": anchor, "dominant-baseline": "central" }, words);
  for (const mark of asChance ? [0, 0.5, 1] : [low, (low + high) / 2, high])
    svg.append(
      shape("line", { class: "grid", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: y(mark), y2: y(mark) }),
      text(y(mark), asChance ? percent(mark, 0) : signed(mark, Math.abs(mark) < 10 ? 1 : 0), "end"),
    );
  for (const mark of [0, Math.round(plies / 2), plies]) svg.append(text(HEIGHT - EDGE.bottom + 12, String(mark), "middle", x(mark)));
  svg.append(text(HEIGHT - 7, "step", "middle", (EDGE.left + WIDTH) / 2));
  svg.append(shape("line", { class: "now", x1: x(now), x2: x(now), y1: EDGE.top, y2: HEIGHT - EDGE.bottom }));
  for (const [seat, line] of lines)
    svg.append(
      shape(
        "g",
        { class: `series series-player${((seat - 1) % 6) + 1}` },
        shape("polyline", { points: line.map(([ply, value]) => `${x(ply).toFixed(1)},${y(value).toFixed(1)}`).join(" ") }),
        line.map(([ply, value]) => shape("circle", { cx: x(ply), cy: y(value), r: 2.2 })),
        line.filter(([ply]) => mistakes.has(ply)).map(([ply, value]) => shape("circle", { class: "mistake", cx: x(ply), cy: y(value), r: 4.5 })),
      ),
    );
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    const across = ((event.clientX - box.left) * WIDTH) / box.width;
    const ply = Math.round(((across - EDGE.left) * plies) / (WIDTH - EDGE.left - EDGE.right));
    onlook(Math.max(0, Math.min(plies, ply)));
  });
  const legend = element(
    "ul",
    { class: "legend" },
    lines.map(([seat]) => element("li", {}, element("span", { class: `swatch player${((seat - 1) % 6) + 1}` }), legendWords(seat, asChance, name))),
    mistakes.size ? element("li", {}, element("span", { class: "swatch ring" }), "a mistake") : null,
  );
  return element("figure", { class: "graph-figure" }, svg, legend);
}

function legendWords(seat, asChance, name) {
  const who = name(seat);
  if (!asChance) return `value for ${who === "You" ? "you" : who.toLowerCase()}`;
  return who === "You" ? "your chance to win" : `chance of ${who.toLowerCase()} to win`;
}
