// Moves shown on a board before they are made: an arrow from their first square to their last, and what they are worth.

import { shape } from "../dom.js";
import { extentOf } from "./items.js";

/** `pointed` are [{number, kind, text}]; kinds are `best`, `other` and `hover`. */
export function pointersOf(picture, pointed) {
  const places = new Map(picture.items.map((item) => [item.key, item]));
  const made = pointed.map((each) => {
    const way = picture.ways?.[each.number] ?? picture.moves[each.number] ?? [];
    const items = way.map((key) => places.get(key)).filter(Boolean);
    return items.length ? pointer(items, each, Boolean(picture.ways?.[each.number])) : null;
  });
  return shape("g", { class: "pointers", "aria-hidden": "true" }, made.reverse());
}

function pointer(items, { kind, text }, chain) {
  const [from, to] = [items[0], items.at(-1)];
  const parts = [];
  const several = !chain && items.length > 2 && items.length % 2 === 0; // one piece after the other
  if (several) for (let i = 0; i < items.length; i += 2) parts.push(...arrow(items.slice(i, i + 2)));
  else if (items.length > 1) parts.push(...arrow(items));
  else parts.push(shape("circle", { class: "target", cx: to.x, cy: to.y, r: 0.42 * extentOf(to) }));
  if (text) parts.push(pill(to.x, to.y - (items.length > 1 ? 0.38 : 0.3) * extentOf(to), text));
  return shape("g", { class: `pointer ${kind}`, "data-from": from.key, "data-to": to.key }, parts);
}

/** A line through all squares of a move, with a head. */
function arrow(items) {
  const points = items.map((item) => [item.x, item.y]);
  const [[x1, y1], [x2, y2]] = points.slice(-2);
  const angle = Math.atan2(y2 - y1, x2 - x1);
  const side = (turn) => `${x2 - 20 * Math.cos(angle + turn)},${y2 - 20 * Math.sin(angle + turn)}`;
  return [
    shape("polyline", { points: points.map((point) => point.join(",")).join(" ") }),
    shape("polyline", { points: `${side(0.5)} ${x2},${y2} ${side(-0.5)}` }),
  ];
}

function pill(x, y, text) {
  const width = 11 * text.length + 14;
  const words = shape("text", { x, y, "text-anchor": "middle", "dominant-baseline": "central" }, text);
  return shape("g", {}, shape("rect", { x: x - width / 2, y: y - 14, width, height: 28, rx: 14 }), words);
}
