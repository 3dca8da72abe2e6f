// A move of several parts, such as a play of Backgammon: each piece moves as soon as its part is chosen.

import { calm } from "../dom.js";
import { place } from "./motion.js";

const STACKED = 0.86; // of a diameter, from a piece to the next one on a point
const FULL = 5; // pieces of a stack; more lie on the last one
const GLIDE = 200;

/** The orders in which the parts of a move may be chosen. Keys come in pairs, from where to where. */
export function ordersOf(keys) {
  if (keys.length % 2) return [keys];
  const pairs = [];
  for (let i = 0; i < keys.length; i += 2) pairs.push([keys[i], keys[i + 1]]);
  const found = new Map();
  const extend = (chosen, left) => {
    if (!left.length) found.set(chosen.flat().join(), chosen.flat());
    left.forEach((pair, i) => {
      const others = left.filter((_, at) => at !== i);
      const waits = others.some((other, at) => at < i && other[1] === pair[0]); // for the piece to come there
      const bars = pair[0].startsWith("bar") || !others.some((other) => other[0].startsWith("bar")); // these come first
      if (!waits && bars) extend([...chosen, pair], others);
    });
  };
  extend([], pairs);
  return [...found.values()];
}

/** Where a piece comes to lie: on a strip at the upper or lower edge, after the pieces that are there. */
export function placeOn(strip, { height }, radius, there) {
  const down = strip.y < height / 2 ? 1 : -1;
  const foot = strip.y - (down * strip.h) / 2;
  return [strip.x, foot + down * (radius + 2 + Math.min(there, FULL - 1) * 2 * radius * STACKED)];
}

export class Halves {
  constructor(picture, elements) {
    Object.assign(this, { picture, elements, moved: [] });
  }

  /** Show these parts as made: those that are new are made now, others are taken back. */
  follow(chosen) {
    const wanted = Math.floor(chosen.length / 2);
    while (this.moved.length > wanted) for (const [item, was] of this.moved.pop().reverse()) this.put(item, was);
    while (this.moved.length < wanted) {
      const at = 2 * this.moved.length;
      this.moved.push(this.make(chosen[at], chosen[at + 1]));
    }
  }

  /** Move the uppermost piece, and one that is hit to its bar; what was moved, and from where. */
  make(from, to) {
    const pieces = this.picture.items.filter((item) => item.kind === "circle" && item.acts);
    const piece = pieces.findLast((item) => item.acts === from);
    if (!piece) return [];
    const there = pieces.filter((item) => item.acts === to);
    const hit = there.find((item) => item.group !== piece.group);
    const steps = [];
    const move = (item, key, count) => {
      const strip = this.picture.items.find((each) => each.key === key);
      if (!strip) return;
      steps.push([item, { x: item.x, y: item.y, acts: item.acts }]);
      const [x, y] = placeOn(strip, this.picture, item.r, count);
      this.put(item, { x, y, acts: key });
    };
    if (hit) move(hit, hit.group.replace("men", "bar"), 0);
    move(piece, to, there.length - (hit ? 1 : 0));
    return steps;
  }

  put(item, { x, y, acts }) {
    const group = this.elements.get(item.key);
    const before = group.style.transform;
    Object.assign(item, { x, y, acts });
    group.style.transform = place(x, y);
    group.dataset.acts = acts;
    group.parentNode.append(group); // above what it passes
    if (!calm()) group.animate([{ transform: before }, { transform: place(x, y) }], { duration: GLIDE, easing: "ease-out" });
  }
}
