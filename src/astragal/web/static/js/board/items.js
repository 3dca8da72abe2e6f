// One item of a picture as SVG (the vocabulary is that of `astragal.drawing.pictures`). Colours are roles of the palette.

import { shape } from "../dom.js";

const PIPS = { 1: ["c"], 2: ["nw", "se"], 3: ["nw", "c", "se"], 4: ["nw", "ne", "sw", "se"] };
PIPS[5] = [...PIPS[4], "c"];
PIPS[6] = [...PIPS[4], "w", "e"];
const PLACES = { c: [0, 0], nw: [-1, -1], ne: [1, -1], sw: [-1, 1], se: [1, 1], w: [-1, 0], e: [1, 0] };

const role = (name) => (/^[\w-]+$/.test(name ?? "") ? `var(--${name})` : "none");

function edgeOf(item) {
  if (!item.stroke) return null;
  return item.stroke === "edge" ? role(`edge-${item.fill}`) : role(item.stroke);
}

/** The outline of an item, by its kind; null for a text. */
export function outlineOf(item, grow = 0) {
  switch (item.kind) {
    case "rect":
      return rounded(item.w + 2 * grow, item.h + 2 * grow, (item.r ?? 0) + (item.r ? grow : 0));
    case "die":
      return rounded(item.w + 2 * grow, item.w + 2 * grow, item.w / 5 + grow);
    case "circle":
      return shape("circle", { r: item.r + grow });
    case "hex":
      return shape("polygon", { points: hexagon(item.r + grow) });
    case "polygon":
      return shape("polygon", { points: item.points.map((point) => point.join(",")).join(" ") });
    case "line":
      return shape("polyline", { points: item.points.map((point) => point.join(",")).join(" ") });
    case "path":
      return shape("path", { d: item.d });
    default:
      return null;
  }
}

function rounded(width, height, corner) {
  return shape("rect", { x: -width / 2, y: -height / 2, width, height, rx: corner });
}

function hexagon(radius) {
  const corners = [0, 1, 2, 3, 4, 5].map((i) => (Math.PI / 3) * i - Math.PI / 2);
  return corners
    .map((angle) => `${(radius * Math.cos(angle)).toFixed(2)},${(radius * Math.sin(angle)).toFixed(2)}`)
    .join(" ");
}

/** How large an item is, for marks on it. */
export function extentOf(item) {
  if (item.kind === "circle" || item.kind === "hex") return 2 * item.r;
  if (item.kind === "rect") return Math.min(item.w, item.h);
  return item.w ?? 40;
}

/** All that is seen of an item, with its origin at its place. */
export function drawItem(item) {
  const parts = [];
  const body = outlineOf(item);
  if (body) {
    const fill = item.kind === "die" ? (item.fill ?? "die") : item.fill;
    body.style.fill = item.kind === "line" ? "none" : role(fill);
    const edge = item.kind === "line" ? role(item.stroke ?? "ink") : edgeOf(item);
    if (edge) {
      body.style.stroke = edge;
      body.style.strokeWidth = `${item.line ?? 2}px`;
    }
    body.classList.add("body");
    parts.push(body);
  }
  if (item.kind === "die") parts.push(faceOf(item));
  if (item.text) parts.push(textOf(item));
  if (item.badge) parts.push(badgeOf(item));
  const drawn = shape("g", { class: "drawn" }, parts);
  if (item.opacity !== undefined) drawn.style.opacity = item.opacity;
  return drawn;
}

/** The pips of a die, or its number. */
export function faceOf(item, value = item.value ?? 0) {
  const ink = role(`on-${item.fill ?? "die"}`);
  const face = shape("g", { class: "face" });
  face.style.fill = ink;
  if (value > 6) face.append(words(String(value), 0, 0, { size: item.w / 2, weight: "bold" }));
  for (const place of PIPS[value] ?? []) {
    const [dx, dy] = PLACES[place];
    face.append(shape("circle", { cx: (dx * item.w) / 4, cy: (dy * item.w) / 4, r: item.w / 11 }));
  }
  return face;
}

function words(text, x, y, { size = 20, weight = "normal", anchor = "middle", mono = false }) {
  const made = shape("text", { x, y, "text-anchor": anchor, "dominant-baseline": "central" }, text);
  made.style.fontSize = `${size}px`;
  made.style.fontWeight = weight;
  if (mono) made.classList.add("mono");
  return made;
}

function textOf(item) {
  const made = words(item.text, 0, 0, item);
  made.style.fill = item.ink ? role(item.ink) : item.fill ? `var(--on-${item.fill}, var(--ink))` : "var(--ink)";
  return made;
}

function badgeOf(item) {
  const size = item.badge_size ?? 16;
  const half =
    item.kind === "circle" || item.kind === "hex"
      ? [item.r * Math.SQRT1_2, -item.r * Math.SQRT1_2]
      : [(item.w ?? 0) / 2, -(item.h ?? item.w ?? 0) / 2];
  const height = 1.5 * size;
  const width = Math.max(height, 0.62 * size * String(item.badge).length + 0.7 * size);
  const pill = shape("rect", { x: -width / 2, y: -height / 2, width, height, rx: height / 2 });
  pill.style.fill = role("badge");
  const text = words(item.badge, 0, 0, { size, weight: "bold" });
  text.style.fill = role("on-badge");
  return shape("g", { transform: `translate(${half[0]},${half[1]})` }, pill, text);
}
