// The view for students: one small search, step by step, beside its pseudo-code.

import * as api from "../api.js";
import { attempt } from "../announce.js";
import { button, choice, element, field, refill } from "../dom.js";
import { PositionPanel } from "../parts/position-panel.js";
import { PositionView } from "../parts/position.js";
import { rememberRoute } from "../route.js";
import { Drawing } from "../steps/drawing.js";
import { CodeView, tableOf, variablesOf, windowOf } from "../steps/reading.js";
import { Walk } from "../steps/walk.js";
import { whole } from "../words.js";

const TITLES = { exp: "Expectimax", alphabeta: "Alpha-beta", star1: "Star1", star2: "Star2", uct: "UCT" };
const FIRST = { game: "ewn", position: ".3c../45.../1..../...eb/..adf 1 6" }; // small, and with all kinds of cuts
const PACE = 1100; // milliseconds from event to event
const WISH = ["star1", "alphabeta", "uct"];

export function show(root, options) {
  const view = new StepsView(root, options);
  attempt(() => view.begin(options));
  return view;
}

class StepsView {
  constructor(root, options) {
    this.wanted = { search: options.get("search"), size: options.get("size"), at: Number(options.get("at") ?? 0) };
    this.index = 0;
    this.panel = new PositionPanel({ onchange: () => this.moved(), ongame: () => this.chooseSearch() });
    this.drawing = new Drawing({ onlook: (node) => this.look(node) });
    this.code = new CodeView();
    this.node = new PositionView({ label: "Position of the node" });
    root.append(this.frame());
    this.pressed = (event) => this.key(event);
    document.addEventListener("keydown", this.pressed);
  }

  frame() {
    this.ask = element("div", { class: "row ends" });
    this.told = element("p", { class: "told", role: "status" });
    this.count = element("span", { class: "soft small number" });
    this.reading = element("div", { class: "stack tight" });
    this.legend = element("ul", { class: "legend", "aria-label": "Legend" });
    this.where = element("h2", {}, "The node");
    this.note = element("p", { class: "soft small" });
    const setup = element("details", { class: "panel elsewhere" }, element("summary", {}, "Another position"), this.panel.element);
    this.panel.element.classList.remove("panel");
    const head = element("section", { class: "panel stack tight" }, this.ask, this.note);
    const tree = element("section", { class: "panel walk-panel" }, this.told, this.controls(), this.drawing.element, this.legend);
    const code = element("section", { class: "panel reads" }, element("h2", {}, "What runs"), this.code.element);
    const node = element("section", { class: "panel stack tight node-side" }, this.where, this.reading, this.node.element);
    return element(
      "div",
      { class: "steps-view" },
      element("h1", {}, "A search, step by step"),
      element("div", { class: "stack first" }, head, code, setup),
      tree,
      node,
    );
  }

  controls() {
    const step = (words, label, doing) => button(words, doing, { "aria-label": label, title: label });
    this.buttons = {
      first: step("«", "To the beginning", () => this.go(0)),
      back: step("‹", "Back", () => this.go(this.index - 1)),
      forward: step("›", "Forward", () => this.go(this.index + 1)),
      end: step("»", "To the end", () => this.go(this.walk.last)),
      over: step("Step over", "All that is below this node", () => this.go(this.walk.over(this.index) ?? this.walk.last)),
      cut: step("Next cut", "The next cut", () => this.go(this.walk.nextCut(this.index) ?? this.walk.last)),
      run: button("Play", () => (this.playing ? this.pause() : this.play()), { class: "main" }),
    };
    this.slider = element("input", { type: "range", min: 0, value: 0, "aria-label": "Step", oninput: () => this.go(Number(this.slider.value)) });
    this.whole = element("input", { type: "checkbox", onchange: () => this.go(this.index) });
    return element(
      "div",
      { class: "stack tight" },
      element("div", { class: "row" }, Object.values(this.buttons), element("label", { class: "small" }, this.whole, " whole tree")),
      element("div", { class: "row nowrap" }, this.slider, this.count),
    );
  }

  async begin(options) {
    const given = options.has("game") ? options : new URLSearchParams(FIRST);
    await this.panel.begin(given);
  }

  /** Another game: which searches there are for it. */
  async chooseSearch() {
    const { searches } = await api.walkable(this.panel.session.id);
    if (this.panel.left) return;
    this.searches = new Map(searches.map((each) => [each.name, each]));
    const fitting = searches.filter((each) => !each.why).map((each) => each.name);
    const named = fitting.includes(this.wanted.search) ? this.wanted.search : null;
    const before = fitting.includes(this.search) ? this.search : null;
    this.search = named ?? before ?? WISH.find((name) => fitting.includes(name)) ?? fitting[0];
    this.fill(named ? this.wanted.size : null);
  }

  fill(size) {
    const { usual, most, size: measured } = this.searches.get(this.search) ?? {};
    const pairs = [...this.searches.values()].map(({ name, why }) => [name, `${TITLES[name]}${why ? " (not for this game)" : ""}`]);
    const select = choice(pairs, this.search, (name) => this.take(name));
    for (const each of select.options) each.disabled = Boolean(this.searches.get(each.value).why);
    this.size = element("input", { type: "number", min: 1, max: most, value: size ?? usual, inputmode: "numeric", onchange: () => this.load() });
    refill(this.ask, field("Search", select), field(measured === "depth" ? "Depth" : "Simulations", this.size));
  }

  take(name) {
    this.search = name;
    this.fill(null);
    this.load();
  }

  moved() {
    if (this.search) this.load();
    else this.note.textContent = "No search of these fits the game.";
  }

  async load() {
    this.pause();
    const { at } = this.wanted;
    this.wanted = { at: 0 };
    const asked = (this.asked = {});
    await attempt(async () => {
      const told = await this.panel.alive((id) => api.steps(id, this.search, this.size.value));
      if (asked !== this.asked) return;
      this.size.value = told.size;
      this.walk = new Walk(told);
      this.code.show(told);
      this.slider.max = this.walk.last;
      refill(this.legend, legendOf(this.walk));
      this.buttons.cut.hidden = !this.walk.hasCuts;
      this.nameOver(told.search === "uct");
      const all = `${whole(told.nodes.length)} nodes, ${whole(told.events.length)} steps`;
      this.note.textContent = told.finished
        ? `${all}; the same search as ${told.player}.`
        : `The first ${all}: the search would go on. Choose a smaller one to see all of it.`;
      this.go(Math.min(at, this.walk.last));
    });
  }

  /** What is stepped over: what is below a node, or the rest of a simulation. */
  nameOver(simulates) {
    const { over } = this.buttons;
    over.textContent = simulates ? "Next simulation" : "Step over";
    over.title = simulates ? "The next simulation" : "All that is below this node";
    over.setAttribute("aria-label", over.title);
  }

  go(index) {
    if (!this.walk) return;
    this.index = Math.max(0, Math.min(this.walk.last, index));
    this.walk.whole = this.whole.checked;
    const event = this.walk.events[this.index];
    const node = this.walk.at(this.index);
    this.slider.value = this.index;
    this.count.textContent = `${whole(this.index + 1)} of ${whole(this.walk.last + 1)}`;
    this.told.textContent = event.text;
    this.code.mark(event.line);
    this.drawing.show(this.walk, node);
    refill(
      this.reading,
      variablesOf(event.variables),
      event.window ? windowOf(event.window, this.walk.range) : null,
      event.table ? tableOf(event.table) : null,
    );
    for (const name of ["first", "back"]) this.buttons[name].disabled = this.index === 0;
    for (const name of ["forward", "end", "over", "cut"]) this.buttons[name].disabled = this.index === this.walk.last;
    this.look(node);
    this.remember();
  }

  /** Draw the position of a node. */
  async look(node) {
    this.where.textContent = node.above ? `After ${node.name}` : "The root";
    clearTimeout(this.waiting);
    if (this.drawn === node) return;
    this.waiting = setTimeout(async () => {
      const position = await api.stepsPosition(this.panel.session.id, node.text).catch(() => null);
      if (!position || this.panel.left) return;
      this.drawn = node;
      this.node.show(position, { animate: false });
    }, 60);
  }

  play() {
    if (this.index === this.walk?.last) this.go(0);
    this.buttons.run.textContent = "Pause";
    this.playing = setInterval(() => {
      if (this.index === this.walk.last) this.pause();
      else this.go(this.index + 1);
    }, PACE);
  }

  pause() {
    clearInterval(this.playing);
    this.playing = null;
    this.buttons.run.textContent = "Play";
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (event.target.closest("input, select, textarea, .board, .position-panel")) return;
    const to = { ArrowLeft: this.index - 1, ArrowRight: this.index + 1, Home: 0, End: this.walk?.last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.pause();
    this.go(to); // which screen readers hear of by the status
  }

  remember() {
    const { game, position } = this.panel.session.link;
    rememberRoute("steps", { game, position, search: this.search, size: this.size.value, at: this.index || null });
  }

  leave() {
    this.pause();
    clearTimeout(this.waiting);
    document.removeEventListener("keydown", this.pressed);
    this.panel.leave();
  }
}

/** What is drawn, of what there is in a walk. */
function legendOf({ nodes, hasCuts, search }) {
  const seats = [...new Set(nodes.map((node) => node.player).filter(Boolean))].sort();
  const role = (seat) => (search === "uct" ? "" : seat === 1 ? ", Max" : ", Min");
  const entries = seats.map((seat) => [`player${seat}`, `player ${seat}${role(seat)}`]);
  const add = (there, kind, words) => there && entries.push([kind, words]);
  const some = (test) => nodes.some(test);
  add(some((node) => node.kind === "chance"), "chance", "chance");
  add(some((node) => node.kind === "end"), "end", "end of the game");
  add(some((node) => node.kind === "leaf"), "leaf", "pale: evaluated");
  add(some((node) => node.probe), "probe", "hollow: a probe");
  add(hasCuts, "cut-mark", "cut");
  add(search === "uct", "visited", "number inside: visits");
  return entries.map(([kind, words]) => element("li", {}, element("span", { class: `swatch ${kind}` }), words));
}
