// A picture that can be played on, by pointer and by keys.

import { shape } from "../dom.js";
import { keyFocusIn } from "../focus.js";
import { Choosing } from "./choosing.js";
import { hearDrags } from "./dragging.js";
import { Halves } from "./halves.js";
import { drawItem, extentOf, outlineOf } from "./items.js";
import { enact, place } from "./motion.js";
import { pointersOf } from "./pointers.js";

const LARGEST = 1.5; // pixels of the page for one of the picture: a line of text does not become a poster

export class Board {
  /** `onaction` receives the number of an action that was clicked together; `onhalf` how many parts of one are made. */
  constructor({ onaction = null, onhalf = () => {}, label = "Board" } = {}) {
    Object.assign(this, { onaction, onhalf });
    this.svg = shape("svg", {
      class: "board",
      role: "group",
      "aria-label": label,
      tabindex: -1, // has the focus while there is nothing to click
      preserveAspectRatio: "xMidYMid meet",
    });
    this.svg.addEventListener("click", (event) => this.clicked(event));
    this.svg.addEventListener("keydown", (event) => this.pressed(event));
    if (onaction)
      hearDrags(this.svg, {
        begin: (key) => this.takeUp(key),
        drop: (key) => (this.choosing.open.has(key) ? this.choose(key) : this.unchoose()),
        cancel: () => this.unchoose(),
      });
    this.picture = null;
    this.elements = new Map();
    this.choosing = new Choosing();
  }

  /** Show a picture; `last` are the keys of the last move. Resolves when nothing moves any more. */
  show(picture, { last = [], active = false, animate = true } = {}) {
    const focused = this.svg.contains(document.activeElement);
    const byKeys = keyFocusIn(this.svg) !== null;
    this.left = (focused && document.activeElement.dataset.key) || this.left; // the item that had the focus last
    const before = this.picture && animate && sameFrame(this.picture, picture) ? this.picture.items : [];
    const old = this.elements;
    this.picture = picture;
    const begun = this.halves?.moved.length;
    this.choosing = new Choosing(active ? picture.moves : {}, picture.paired);
    this.svg.setAttribute("viewBox", `0 0 ${picture.width} ${picture.height}`);
    this.svg.style.maxWidth = `${LARGEST * picture.width}px`;
    this.elements = new Map(picture.items.map((item) => [item.key, this.element(item)]));
    this.halves = new Halves(picture, this.elements);
    if (begun) this.onhalf(0);
    const ordered = picture.items.map((item, i) => [item.layer ?? 0, i]).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    this.svg.replaceChildren(...ordered.map(([, i]) => this.elements.get(picture.items[i].key)));
    for (const key of last) this.elements.get(key)?.classList.add("last");
    this.mark();
    if (focused) this.focus(byKeys);
    return enact(this.svg, { elements: this.elements, items: picture.items, way: last }, { elements: old, items: before });
  }

  /** Point at moves, [{number, kind, text}]; what was pointed at before is forgotten. */
  point(moves) {
    this.svg.querySelector(".pointers")?.remove();
    if (moves.length && this.picture) this.svg.append(pointersOf(this.picture, moves));
  }

  /** Begin to drag from a key: what lies there moves with the pointer. Null where a drag leads nowhere. */
  takeUp(key) {
    this.choosing.forget();
    if (!this.choosing.open.has(key)) return null;
    if (this.choosing.completes(key)) return null; // a button
    this.choose(key);
    const { x, y } = this.picture.items.find((item) => item.key === key);
    const here = this.picture.items.filter((item) => item.x === x && item.y === y && item.key !== key);
    const upper = this.choosing.paired && this.picture.items.findLast((item) => item.acts === key);
    const own = upper ? [upper] : this.picture.items.filter((item) => item.key === key && item.kind === "circle");
    const items = here.length && !upper ? here : own;
    return items.map((item) => {
      const group = this.elements.get(item.key);
      return { group, transform: group.style.transform };
    });
  }

  element(item) {
    const named = this.choosing.all.has(item.key);
    const counts = item.acts !== undefined && this.choosing.all.has(item.acts);
    const group = shape("g", { class: "item", "data-key": item.key, "data-acts": item.acts });
    group.style.transform = place(item.x, item.y);
    group.append(drawItem(item), ...marksOf(item));
    if (named || counts) group.classList.add("live");
    if (named) {
      group.setAttribute("role", "button");
      group.setAttribute("tabindex", "-1");
      group.setAttribute("aria-label", item.label ?? item.key);
    } else if (item.label) {
      group.setAttribute("role", "img");
      group.setAttribute("aria-label", item.label);
    } else group.setAttribute("aria-hidden", "true");
    return group;
  }

  /** Mark what may be clicked now and what was; one item is reached by Tab, the others by arrows. */
  mark() {
    const { open, chosen } = this.choosing;
    for (const [key, group] of this.elements) {
      group.classList.toggle("can", open.has(key));
      group.classList.toggle("chosen", chosen.includes(key));
      if (group.getAttribute("role") === "button") {
        group.setAttribute("aria-pressed", String(chosen.includes(key)));
        group.setAttribute("aria-disabled", String(!open.has(key) && !chosen.includes(key)));
        group.setAttribute("tabindex", "-1");
      }
    }
    const first = this.reachable()[0];
    if (first) first.setAttribute("tabindex", "0");
  }

  reachable() {
    return [...this.elements].filter(([key]) => this.choosing.open.has(key)).map(([, group]) => group);
  }

  /** Give the focus to the item that had it last, or another that can be clicked, or `wait` until there is one. */
  focus(wait = true) {
    const group = this.elements.get(this.left);
    const target = group?.getAttribute("role") === "button" ? group : (this.reachable()[0] ?? (wait ? this.svg : null));
    target?.focus({ preventScroll: true });
  }

  clicked(event) {
    const group = event.target.closest(".item.live");
    if (group) this.choose(group.dataset.acts ?? group.dataset.key);
    else this.unchoose();
  }

  choose(key) {
    const action = this.choosing.click(key);
    this.mark();
    if (action === null) this.followHalves();
    if (action !== null) {
      const { chosen } = this.choosing;
      this.choosing = new Choosing(); // what comes next is a new picture
      for (const each of chosen) this.elements.get(each)?.classList.add("chosen");
      this.onaction?.(action);
    }
  }

  unchoose() {
    this.choosing.forget();
    this.mark();
  }

  /** Take back the part of a move that was begun or made last; whether there was one. */
  takeBack() {
    if (!this.choosing.chosen.length) return false;
    this.choosing.back();
    this.mark();
    this.followHalves();
    return true;
  }

  /** Move pieces by the parts of a move that are complete. */
  followHalves() {
    if (!this.choosing.paired) return;
    const before = this.halves.moved.length;
    this.halves.follow(this.choosing.whole);
    const { length } = this.halves.moved;
    if (length !== before) this.onhalf(length, this.choosing.whole.slice(-2).map((key) => this.nameOf(key)));
  }

  /** A place without what lies there. */
  nameOf(key) {
    return (this.picture.items.find((item) => item.key === key)?.label ?? key).split(":")[0];
  }

  pressed(event) {
    const group = event.target.closest(".item");
    if (!group) return;
    const ways = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    if (event.key === "Enter" || event.key === " ") this.choose(group.dataset.key);
    else if (event.key === "Escape") this.takeBack();
    else if (ways[event.key]) this.nearest(group, ways[event.key])?.focus();
    else return;
    event.preventDefault();
  }

  /** The item that may be clicked, or was, nearest in a direction; sideways counts double. */
  nearest(group, [wayX, wayY]) {
    const places = new Map(this.picture.items.map((item) => [item.key, item]));
    const from = places.get(group.dataset.key);
    let best = null;
    let least = Infinity;
    for (const [key, each] of this.elements) {
      if (each === group || !(this.choosing.open.has(key) || this.choosing.chosen.includes(key))) continue;
      const [dx, dy] = [places.get(key).x - from.x, places.get(key).y - from.y];
      const along = dx * wayX + dy * wayY;
      const aside = Math.abs(dx * wayY) + Math.abs(dy * wayX);
      if (along > 0.5 && along + 2 * aside < least) {
        least = along + 2 * aside;
        best = each;
      }
    }
    return best;
  }
}

/** Shapes that are seen only while an item is marked (css/board.css). */
function marksOf(item) {
  const ring = outlineOf(item, 1) ?? shape("circle", { r: 18 });
  ring.classList.add("ring");
  const dot = shape("circle", { class: "dot", r: 0.16 * extentOf(item) });
  const marks = shape("g", { class: `marks hint-${item.hint ?? "outline"}` }, ring, item.hint === "dot" ? dot : null);
  return [marks];
}

function sameFrame(a, b) {
  return a.width === b.width && a.height === b.height;
}
