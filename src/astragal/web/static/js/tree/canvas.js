// A tree that can be walked: by pointer, by touch and by keys.

import { calm, element } from "../dom.js";
import { Camera } from "./camera.js";
import { frameOf, layOut } from "./layout.js";
import { pathTo } from "./model.js";
import { Painter, setRadii } from "./paint.js";

const GLIDE = 350;
const NEAR = 14; // pixels from a node at which the pointer is on it

export class TreeCanvas {
  /** `onlook` is told the node under the pointer or the focus; `ontoggle` one to fold or unfold. */
  constructor({ onlook, ontoggle }) {
    this.onlook = onlook;
    this.ontoggle = ontoggle;
    this.canvas = element("canvas", {
      class: "tree",
      tabindex: 0,
      role: "application",
      "aria-label": "Search tree",
      "aria-describedby": "tree-keys",
    });
    this.element = this.canvas;
    this.camera = new Camera(this.canvas, () => this.ask());
    this.painter = new Painter(this.canvas, this.camera);
    this.layout = "radial";
    this.line = new Set(); // nodes of best play
    this.tint = null; // how values are coloured, if they are
    this.order = [];
    this.listen();
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener("pointermove", (event) => this.hovered(event));
    canvas.addEventListener("pointerleave", () => this.setHover(null));
    canvas.addEventListener("click", (event) => this.clicked(event));
    canvas.addEventListener("dblclick", (event) => this.toggled(event));
    canvas.addEventListener("keydown", (event) => this.pressed(event));
    this.recolour = () => {
      this.painter.refreshColours();
      this.ask();
    };
    document.addEventListener("themechange", this.recolour);
    this.watching = new ResizeObserver(() => this.ask());
    this.watching.observe(canvas);
  }

  leave() {
    document.removeEventListener("themechange", this.recolour);
    this.watching.disconnect();
  }

  /** Show another tree, all of it in sight; one that has grown out of the tree shown glides out of it. */
  show(tree, { line = [], tint = null, grown = false } = {}) {
    const before = grown ? this.tree : null;
    const { focus } = this;
    this.tree = tree;
    this.line = new Set(line);
    this.tint = tint;
    this.hover = null;
    if (before) tree.takePlaces(before);
    this.focus = before && focus ? tree.counterpart(focus) : tree.root;
    this.arrange(Boolean(before));
    this.fit();
  }

  setTint(tint) {
    this.tint = tint;
    this.ask();
  }

  setLayout(name) {
    this.layout = name;
    if (!this.tree) return;
    this.arrange();
    this.fit();
  }

  /** Find the nodes their places again, after something was folded or added. */
  arrange(glide = true) {
    const { order, step } = layOut(this.tree.root, this.layout);
    this.order = order;
    setRadii(order, step);
    this.canvas.dataset.shown = order.length;
    this.began = glide && !calm() ? performance.now() : 0;
    for (const node of order) {
      node.fromX = node.x ?? node.above?.x ?? 0;
      node.fromY = node.y ?? node.above?.y ?? 0;
      if (!this.began) [node.x, node.y] = [node.goalX, node.goalY];
    }
    this.ask();
  }

  fit() {
    if (this.order.length) this.camera.fit(frameOf(this.order));
  }

  /** Paint with the next frame. */
  ask() {
    if (this.asked) return;
    this.asked = requestAnimationFrame((now) => {
      this.asked = null;
      this.paint(now);
    });
  }

  paint(now) {
    if (!this.canvas.isConnected) return;
    if (this.began) this.glide(now);
    this.painter.paint(this.order, {
      focus: this.focus,
      hover: this.hover,
      path: new Set(this.focus ? pathTo(this.focus) : []),
      line: this.line,
      tint: this.tint,
    });
  }

  glide(now) {
    const part = Math.min(1, Math.max(0, (now - this.began) / GLIDE));
    const eased = 1 - (1 - part) ** 3;
    for (const node of this.order) {
      node.x = node.fromX + (node.goalX - node.fromX) * eased;
      node.y = node.fromY + (node.goalY - node.fromY) * eased;
    }
    if (part === 1) this.began = 0;
    else this.ask();
  }

  // Pointer

  nodeAt(x, y) {
    let best = null;
    let least = Infinity;
    for (const node of this.order) {
      const away = Math.hypot(node.sx - x, node.sy - y) - node.sr;
      if (away < least) {
        least = away;
        best = node;
      }
    }
    return least <= NEAR ? best : null;
  }

  hovered(event) {
    if (event.buttons || event.pointerType === "touch") return;
    this.setHover(this.nodeAt(event.offsetX, event.offsetY));
  }

  setHover(node) {
    if (node === this.hover) return;
    this.hover = node;
    this.canvas.classList.toggle("over", Boolean(node));
    this.ask();
    this.onlook(node ?? this.focus, false);
  }

  clicked(event) {
    if (this.camera.moved) return;
    const node = this.nodeAt(event.offsetX, event.offsetY);
    if (node) this.setFocus(node);
  }

  toggled(event) {
    const node = this.nodeAt(event.offsetX, event.offsetY);
    if (node) this.ontoggle(node);
  }

  setFocus(node) {
    this.focus = node;
    this.camera.bringIn(node.goalX, node.goalY);
    this.ask();
    this.onlook(node, true);
  }

  // Keys

  pressed(event) {
    if (!this.tree || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.camera.key(event)) {
      event.preventDefault();
      return;
    }
    const next = this.neighbour(event.key);
    if (next) this.setFocus(next);
    else if (event.key === "Enter" || event.key === " ") this.ontoggle(this.focus);
    else if (event.key === "0") this.fit();
    else if (!event.key.startsWith("Arrow") && event.key !== "Home") return;
    event.preventDefault();
  }

  /** Up to the parent, down to the heaviest child that is shown, left and right among siblings. */
  neighbour(key) {
    const { focus } = this;
    const siblings = focus.above?.shown ?? [focus];
    const at = siblings.indexOf(focus);
    switch (key) {
      case "ArrowUp":
        return focus.above;
      case "ArrowDown":
        return focus.shown.reduce((best, child) => (!best || child.weight > best.weight ? child : best), null);
      case "ArrowLeft":
        return siblings[at - 1] ?? null;
      case "ArrowRight":
        return siblings[at + 1] ?? null;
      case "Home":
        return this.tree.root;
      default:
        return null;
    }
  }
}
