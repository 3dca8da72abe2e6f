// How one picture becomes the next: pieces glide, new ones come from somewhere, dice tumble.

import { calm } from "../dom.js";
import { faceOf } from "./items.js";

const GLIDE = 320;
const HOP = 240; // for each of several
const FADE = 220;
const TUMBLE = 620;
const SMOOTH = "cubic-bezier(.3,.1,.2,1)";

export const place = (x, y) => `translate(${x}px, ${y}px)`;

/** Where each new item comes from: {from: [x, y]} or {fade: true}; also the gone items that nobody takes over. */
export function transitions(before, after) {
  const old = new Map(before.map((item) => [item.key, item]));
  const kept = new Set(after.filter((item) => old.has(item.key)).map((item) => item.key));
  const gone = before.filter((item) => !kept.has(item.key));
  const coming = new Map();
  const taken = new Set();
  for (const item of after) {
    if (kept.has(item.key)) {
      const was = old.get(item.key);
      if (was.x !== item.x || was.y !== item.y || sized(was, item))
        coming.set(item.key, { from: [was.x, was.y], ...(sized(was, item) ? { size: [was.w, was.h] } : {}) });
      continue;
    }
    const other = item.group && gone.find((each) => each.group === item.group && !taken.has(each.key));
    if (other) {
      taken.add(other.key);
      coming.set(item.key, { from: [other.x, other.y] });
    } else if (item.origin) coming.set(item.key, { from: item.origin });
    else coming.set(item.key, { fade: true });
  }
  return { coming, leaving: gone.filter((item) => !taken.has(item.key)) };
}

/** Whether a rectangle grows or shrinks. */
const sized = (was, item) => item.kind === "rect" && was.kind === "rect" && (was.w !== item.w || was.h !== item.h);

/** Move what is new to its place, and let go what is gone. Resolves when all is still, or when it should be. */
export function enact(svg, { elements, items, way = [] }, before) {
  if (calm() || !before.items.length) return Promise.resolve();
  const { coming, leaving } = transitions(before.items, items);
  const values = new Map(before.items.map((item) => [item.key, item.value]));
  const running = leaving.map((item) => vanish(svg, before.elements.get(item.key)));
  const stops = stopsOf(way, items);
  for (const item of items) {
    const group = elements.get(item.key);
    const move = coming.get(item.key);
    if (move?.from && hopsAlong(stops, move.from, item)) running.push(hop(group, stops));
    else if (move?.from) running.push(glide(group, move, item));
    else if (move?.fade) running.push(appear(group, item));
    if (item.kind === "die" && item.value && values.get(item.key) !== item.value) running.push(tumble(group, item));
  }
  const still = Promise.allSettled(running.map((each) => each.finished));
  return Promise.race([still, new Promise((resolve) => setTimeout(resolve, 2 * TUMBLE))]); // a hidden tab has no frames
}

/** The places of a move that goes by more than its first and its last. */
function stopsOf(way, items) {
  const places = new Map(items.map((item) => [item.key, [item.x, item.y]]));
  const stops = way.map((key) => places.get(key)).filter(Boolean);
  return stops.length > 2 ? stops : [];
}

const same = ([a, b], [x, y]) => Math.hypot(a - x, b - y) < 1;

/** Whether a piece is the one that went from the first stop to the last. */
export const hopsAlong = (stops, from, item) =>
  stops.length > 2 && same(stops[0], from) && same(stops.at(-1), [item.x, item.y]);

/** From stop to stop. */
function hop(group, stops) {
  const frames = stops.map(([x, y]) => ({ transform: place(x, y), easing: SMOOTH }));
  return group.animate(frames, { duration: Math.min(HOP * (stops.length - 1), 1.8 * TUMBLE) });
}

/** A piece goes to its place; a bar grows from where it was, so that its near end stays. */
function glide(group, { from: [x, y], size }, item) {
  const scale = size ? ` scale(${size[0] / item.w}, ${size[1] / item.h})` : "";
  const there = `${place(item.x, item.y)}${size ? " scale(1, 1)" : ""}`;
  return group.animate([{ transform: `${place(x, y)}${scale}` }, { transform: there }], {
    duration: GLIDE,
    easing: SMOOTH,
  });
}

function appear(group, item) {
  return group.firstChild.animate([{ opacity: 0 }, { opacity: item.opacity ?? 1 }], { duration: FADE });
}

/** What is gone is shown once more, fading; it is no part of the board any more. */
function vanish(svg, gone) {
  const ghost = gone.cloneNode(true);
  ghost.setAttribute("class", "ghost");
  ghost.setAttribute("aria-hidden", "true");
  for (const name of ["role", "tabindex", "data-key"]) ghost.removeAttribute(name);
  svg.append(ghost);
  const fading = ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration: FADE, fill: "forwards" });
  fading.finished.catch(() => {}).finally(() => ghost.remove());
  return fading;
}

/** A die that rolls: it turns, with other faces on the way. */
function tumble(group, item) {
  const drawn = group.firstChild;
  const rolling = drawn.animate(
    [
      { transform: "rotate(-340deg) scale(.8)" },
      { transform: "rotate(-90deg) scale(1.12)", offset: 0.6 },
      { transform: "none" },
    ],
    { duration: TUMBLE, easing: "cubic-bezier(.2,.6,.3,1)" },
  );
  const face = () => drawn.querySelector(".face");
  const show = (value) => face()?.replaceWith(faceOf(item, value));
  const faces = item.value > 6 ? item.value : 6;
  const timer = setInterval(() => show(1 + Math.floor(Math.random() * faces)), 70);
  const settle = () => {
    clearInterval(timer);
    show(item.value);
  };
  rolling.finished.then(settle, settle);
  return rolling;
}
