// The tree of a walk so far: the way to the node that is looked at, and what is known beside it.

import { element, refill, shape } from "../dom.js";
import { layOut } from "../tree/layout.js";
import { lookOf } from "../tree/paint.js";
import { signed } from "../words.js";

const ACROSS = 3.1; // from the layout's units to the drawing's, so that there is room for words
const LEVEL = 92;
const RADIUS = 11;
const LETTERS = 8; // of a name

export class Drawing {
  constructor({ onlook }) {
    this.onlook = onlook;
    this.svg = shape("svg", { class: "walk", role: "img" });
    this.element = element("div", { class: "walk-holder", tabindex: 0, "aria-label": "The tree so far" }, this.svg);
  }

  show(walk, current) {
    const { order } = layOut(walk.nodes[0], "layered");
    for (const node of order) [node.x, node.y] = [node.goalX * ACROSS, node.depth * LEVEL];
    const left = Math.min(...order.map((node) => node.x)) - 40;
    const right = Math.max(...order.map((node) => node.x)) + 40;
    const bottom = Math.max(...order.map((node) => node.y)) + 52;
    const width = Math.max(right - left, 320);
    this.svg.setAttribute("viewBox", `${(left + right - width) / 2} -40 ${width} ${bottom + 40}`);
    this.svg.style.minWidth = `${Math.min(width, 3000) * 0.62}px`;
    this.svg.style.maxWidth = `${width * 1.25}px`;
    this.svg.setAttribute("aria-label", `${order.length} nodes are drawn`);
    refill(
      this.svg,
      order.filter((node) => node.above).map((node) => edge(node, walk.open)),
      order.map((node) => this.node(node, node === current)),
    );
    this.bringIn(current, left, width);
  }

  /** Scroll as much as brings a node into sight, where the tree is wider than its place. */
  bringIn(node, left, width) {
    const { clientWidth, scrollWidth } = this.element;
    if (scrollWidth <= clientWidth) return;
    this.element.scrollLeft = ((node.x - left) / width) * scrollWidth - clientWidth / 2;
  }

  node(node, current) {
    const [name, kind = ""] = lookOf(node).split(" ");
    const square = name === "chance" || !node.above;
    const own = name === "root" ? (node.kind === "chance" ? "chance" : `player${node.player}`) : name;
    const look = `node ${own} ${kind} ${current ? "current" : ""}`;
    const mark = square
      ? shape("rect", { class: look, x: -RADIUS, y: -RADIUS, width: 2 * RADIUS, height: 2 * RADIUS, rx: 3 })
      : shape("circle", { class: look, r: RADIUS });
    const words = node.name.length > LETTERS ? `${node.name.slice(0, LETTERS - 1)}…` : node.name;
    const value = node.value === null || node.value === undefined ? "" : valueOf(node);
    return shape(
      "g",
      { transform: `translate(${node.x} ${node.y})`, onclick: () => this.onlook(node) },
      shape("title", {}, titleOf(node)),
      mark,
      node.cut ? shape("path", { class: "cut", d: `M -9 ${RADIUS + 22} H 9 M 0 ${RADIUS + 18} V ${RADIUS + 22}` }) : null,
      node.above ? shape("text", { class: "name", y: -RADIUS - 5 }, words) : null,
      shape("text", { class: "value", y: RADIUS + 15 }, value),
      node.visits ? shape("text", { class: `visits on-${own}`, y: 4 }, String(node.visits)) : null,
    );
  }
}

function edge(node, open) {
  const { above } = node;
  const kind = `edge ${open.has(node.id) ? "open" : ""} ${node.probe ? "probe" : ""}`;
  return shape("path", { class: kind, d: `M ${above.x} ${above.y + RADIUS} L ${node.x} ${node.y - RADIUS}` });
}

const valueOf = (node) => signed(node.value, Math.abs(node.value) >= 10 ? 1 : 2);

function titleOf(node) {
  const worth = node.value === null || node.value === undefined ? "" : `, worth ${signed(node.value)} to player ${node.value_of ?? 1}`;
  return `${node.above ? node.name : "the root"}${node.probe ? ", a probe" : ""}${worth}`;
}
