// A tree on a canvas. All edges are one path and all nodes of one look another, so that 5,000 nodes can be
// moved smoothly; SVG elements take several times as long (benchmarks/tree_view.py).

import { mixed } from "./colours.js";
import { missingOf, weightOf } from "./model.js";

const BARE = 1.6; // radius in pixels below which shapes are dots
const CLEAR = 5; // radius in pixels at which colours are told apart, for nodes that have the room
const LETTER = 6.4;
const LONGEST = 14; // letters of a name
const FEW = 16; // children of the root that are all named, however small they are

/** How a node looks: one of few kinds, painted together. */
export function lookOf(node) {
  if (!node.above) return "root";
  if (node.kind === "end") return "end";
  if (node.kind === "chance") return node.probe ? "chance probe" : "chance";
  const seat = `player${(((node.player ?? 1) - 1) % 6) + 1}`;
  return node.probe ? `${seat} probe` : node.kind === "leaf" ? `${seat} leaf` : seat;
}

/** The colours of a theme, read from the style sheet once. */
export function themeColours() {
  const style = getComputedStyle(document.documentElement);
  const read = (name) => style.getPropertyValue(name).trim();
  const colours = {
    text: read("--ui-text"),
    soft: read("--ui-soft"),
    panel: read("--ui-panel"),
    accent: read("--ui-accent"),
    line: read("--tree-line"),
    even: read("--tree-even"),
  };
  for (const name of ["chance", "chance-edge", "end", "edge", "root", "table"]) colours[name] = read(`--tree-${name}`);
  for (let seat = 1; seat <= 6; seat += 1) colours[`player${seat}`] = read(`--player${seat}`);
  return colours;
}

/** Radii in the world's units; areas grow with weight, and the root does not set the scale. */
export function setRadii(order, step) {
  const most = order.slice(1).reduce((high, node) => Math.max(high, weightOf(node)), 1);
  const largest = Math.min(11, 0.2 * step);
  for (const node of order) {
    const room = 0.46 * Math.min(node.room, step);
    const wanted = 2.6 + (largest - 2.6) * Math.sqrt(Math.min(1, weightOf(node) / most));
    node.radius = node.above ? Math.max(1.4, Math.min(wanted, room)) : largest * 1.15;
  }
}

export class Painter {
  constructor(canvas, camera) {
    this.canvas = canvas;
    this.camera = camera;
    this.context = canvas.getContext("2d");
    this.refreshColours();
  }

  refreshColours() {
    this.colours = themeColours();
  }

  /** Paint the nodes of a layout; `focus` and `hover` are marked, and so is the line of best play. */
  paint(order, { focus = null, hover = null, path = new Set(), line = new Set(), tint = null } = {}) {
    this.prepare();
    this.line = line;
    this.tint = tint;
    const seen = this.inSight(order);
    this.edges(order, path);
    this.stubs(seen);
    this.shapes(seen);
    this.names(seen);
    if (hover) this.ring(hover, this.colours.soft, 2);
    if (focus) this.ring(focus, this.colours.accent, 2.5);
  }

  prepare() {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, width, height);
    const { x, y, scale } = this.camera;
    this.scale = scale;
    this.growth = scale > 1 ? Math.sqrt(scale) : scale; // near by, what is between the nodes grows more than they do
    this.shiftX = width / 2 - x * scale;
    this.shiftY = height / 2 - y * scale;
    this.width = width;
    this.height = height;
  }

  inSight(order) {
    const seen = [];
    for (const node of order) {
      node.sx = node.x * this.scale + this.shiftX;
      node.sy = node.y * this.scale + this.shiftY;
      node.sr = Math.max(node.radius * this.growth, Math.min(CLEAR, 0.42 * node.room * this.scale));
      if (node.sx > -40 && node.sx < this.width + 40 && node.sy > -40 && node.sy < this.height + 40) seen.push(node);
    }
    return seen;
  }

  edges(order, path) {
    const { context } = this;
    const inSight = order.filter((node) => node.above && !this.outside(node, node.above));
    const draw = (nodes, colour, width) => {
      context.beginPath();
      for (const node of nodes) {
        context.moveTo(node.above.sx, node.above.sy);
        context.lineTo(node.sx, node.sy);
      }
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.stroke();
    };
    draw(inSight, this.colours.edge, Math.max(0.4, Math.min(1.2, this.scale)));
    draw(inSight.filter((node) => this.line.has(node)), this.colours.line, 4);
    draw(inSight.filter((node) => path.has(node)), this.colours.accent, 2);
  }

  outside(a, b) {
    return (
      (a.sx < 0 && b.sx < 0) ||
      (a.sy < 0 && b.sy < 0) ||
      (a.sx > this.width && b.sx > this.width) ||
      (a.sy > this.height && b.sy > this.height)
    );
  }

  /** Short lines that lead nowhere: pruned, known from the table, or not shown. */
  stubs(seen) {
    const kinds = {
      cut: [this.colours.text, [], 0.6, (node) => node.left_out > 0 && !node.probe && !node.from_table],
      table: [this.colours.table, [], 0, (node) => node.from_table],
      more: [this.colours.soft, [2, 2], -0.6, (node) => node.folded || missingOf(node) > 0],
    };
    for (const [colour, dashes, turned, wanted] of Object.values(kinds)) {
      this.context.beginPath();
      for (const node of seen) if (wanted(node)) this.stub(node, turned, !dashes.length);
      this.context.strokeStyle = colour;
      this.context.lineWidth = Math.max(0.5, Math.min(1.3, this.scale));
      this.context.setLineDash(dashes);
      this.context.stroke();
    }
    this.context.setLineDash([]);
  }

  stub(node, turned, bar) {
    if (this.scale < 0.2) return;
    const length = node.sr + Math.max(5, 6 * this.growth);
    const [cos, sin] = [Math.cos(turned), Math.sin(turned)];
    const dx = (node.downX * cos - node.downY * sin) * length;
    const dy = (node.downX * sin + node.downY * cos) * length;
    this.context.moveTo(node.sx, node.sy);
    this.context.lineTo(node.sx + dx, node.sy + dy);
    if (bar) {
      this.context.moveTo(node.sx + dx - 0.3 * dy, node.sy + dy + 0.3 * dx);
      this.context.lineTo(node.sx + dx + 0.3 * dy, node.sy + dy - 0.3 * dx);
    }
  }

  shapes(seen) {
    const groups = new Map();
    for (const node of seen) {
      const look = this.tint ? `${lookOf(node)}|${this.tint.step(node)}` : lookOf(node);
      if (!groups.has(look)) groups.set(look, []);
      groups.get(look).push(node);
    }
    for (const [look, nodes] of groups) this.group(look, nodes);
  }

  group(look, nodes) {
    const { context, colours, scale } = this;
    const [kinds, step] = look.split("|");
    const [name, kind] = kinds.split(" ");
    const tint = step === undefined || step === "none" ? null : mixed(this.tint.ends(colours), Number(step));
    context.beginPath();
    for (const node of nodes) {
      const radius = Math.max(1.1, node.sr);
      if (radius < BARE) context.rect(node.sx - radius, node.sy - radius, 2 * radius, 2 * radius);
      else if (name === "chance" || name === "root")
        context.rect(node.sx - 0.89 * radius, node.sy - 0.89 * radius, 1.78 * radius, 1.78 * radius);
      else {
        context.moveTo(node.sx + radius, node.sy);
        context.arc(node.sx, node.sy, radius, 0, 2 * Math.PI);
      }
    }
    context.fillStyle = colours.panel;
    context.fill();
    context.globalAlpha = kind === "leaf" && !tint ? 0.45 : 1;
    context.fillStyle = kind === "probe" ? colours.panel : (tint ?? colours[name]);
    context.fill();
    context.globalAlpha = 1;
    const rim = name === "chance" ? colours["chance-edge"] : kind || tint ? colours[name] : colours.panel;
    context.strokeStyle = rim;
    context.lineWidth = Math.max(0.3, Math.min(tint ? 2 : 1, (tint ? 1.2 : 0.6) * scale));
    context.stroke();
  }

  /** Names beside the nodes that have room for them, and of the line of best play wherever it is. */
  names(seen) {
    const { context, colours, scale } = this;
    context.font = "11px system-ui, sans-serif";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3;
    for (const node of seen) {
      const always = this.line.has(node) || (node.depth === 1 && node.above.shown.length <= FEW);
      if (!node.name || (node.sr < 3.5 && !always)) continue;
      const words = node.name.length > LONGEST ? `${node.name.slice(0, LONGEST - 1)}…` : node.name;
      const sideways = Math.abs(node.downX) > 0.5; // on circles, names left and right need height only
      const needed = sideways ? 12 : LETTER * words.length + 2 * node.sr;
      if (node.room * scale < needed && !always) continue;
      const left = node.downX < -0.5;
      context.textAlign = left ? "right" : "left";
      const x = node.sx + (left ? -1 : 1) * (node.sr + 3);
      context.strokeStyle = colours.panel;
      context.strokeText(words, x, node.sy);
      context.fillStyle = colours.text;
      context.fillText(words, x, node.sy);
    }
  }

  ring(node, colour, width) {
    this.context.beginPath();
    this.context.arc(node.sx, node.sy, Math.max(4, node.sr) + 3, 0, 2 * Math.PI);
    this.context.strokeStyle = colour;
    this.context.lineWidth = width;
    this.context.stroke();
  }
}
