// The view of a search tree: what a player searched at a position, node by node.

import * as api from "../api.js";
import { announce, attempt } from "../announce.js";
import { button, choice, element, field, refill } from "../dom.js";
import { checkNamed, PlayerChooser, usualPlayer } from "../forms/player.js";
import { FoundView } from "../parts/found.js";
import { PositionPanel } from "../parts/position-panel.js";
import { PositionView } from "../parts/position.js";
import { SearchRun } from "../parts/search-run.js";
import { rememberRoute } from "../route.js";
import { TreeCanvas } from "../tree/canvas.js";
import { Tint } from "../tree/colours.js";
import { missingOf, Tree } from "../tree/model.js";
import { legendOf, nameOf, wordsFor } from "../tree/words.js";
import { capital, compilingText, whole } from "../words.js";

const LIMITS = ["100", "300", "1000", "2000", "5000"];
const GROWING = 400; // nodes drawn while a search runs
const CHILDREN = 200; // asked for at once
const HOVER = 120; // milliseconds before the position under the pointer is asked for
const KEYS =
  "Arrows walk the tree, Enter folds and unfolds, plus and minus zoom, Shift with arrows moves the picture, 0 shows all.";

export function show(root, options) {
  const view = new TreeView(root, options);
  attempt(() => view.begin(options));
  return view;
}

class TreeView {
  constructor(root, options) {
    this.wanted = options.get("player");
    this.panel = new PositionPanel({ onchange: () => this.moved(), ongame: (facts) => this.choosePlayer(facts) });
    this.run = new SearchRun(this.panel);
    this.canvas = new TreeCanvas({
      onlook: (node, fixed) => this.look(node, fixed),
      ontoggle: (node) => this.toggle(node),
    });
    this.canvas.layout = options.get("layout") === "layered" ? "layered" : "radial";
    this.byValue = options.get("colour") !== "player";
    this.node = new PositionView({ label: "Position of the node" });
    root.append(this.frame(options));
  }

  frame(options) {
    this.player = element("div");
    this.limit = choice(
      LIMITS.map((each) => [each, whole(each)]),
      options.get("limit") ?? "300",
      () => this.remember(),
    );
    this.go = button("Search", () => this.search(), { class: "main", disabled: true });
    this.stop = button("Stop", () => attempt(() => this.run.stop()), { disabled: true });
    this.searching = element("div");
    this.summary = element("p", { class: "small soft", role: "status" }, "No tree yet: choose a player and search.");
    this.legend = element("ul", { class: "legend", "aria-label": "Legend" });
    this.facts = element("div", { class: "node-facts" }, element("p", { class: "soft small" }, "The position of the node under the pointer is drawn here."));
    const ask = element(
      "section",
      { class: "panel stack tight ask" },
      element("h2", {}, "Search"),
      this.player,
      element("div", { class: "row ends" }, field("Nodes drawn", this.limit), this.go, this.stop),
      this.searching,
    );
    const keys = element("p", { class: "soft small", id: "tree-keys" }, KEYS);
    const surface = element(
      "section",
      { class: "panel tree-panel" },
      this.toolbar(),
      this.summary,
      this.canvas.element,
      this.legend,
      keys,
    );
    const node = element("section", { class: "panel node-panel", "aria-label": "Node" }, this.facts, this.node.element);
    return element(
      "div",
      { class: "tree-view" },
      element("h1", {}, "The tree of a search"),
      element("div", { class: "stack" }, ask, this.panel.element),
      surface,
      node,
    );
  }

  toolbar() {
    this.segments = segments("Layout", { radial: "Radial", layered: "Layered" }, this.canvas.layout, (name) => this.setLayout(name));
    this.colours = segments("Colours", { value: "Values", player: "Players" }, this.byValue ? "value" : "player", (name) => this.setColours(name));
    const zoom = (words, factor, label) =>
      button(words, () => this.canvas.camera.zoom(factor), { class: "icon", "aria-label": label });
    const folded = button("Fold", () => this.foldFrom(2), { title: "Fold all but the first two levels" });
    const open = button("Unfold", () => this.foldFrom(Infinity), { title: "Unfold all" });
    return element(
      "div",
      { class: "row" },
      this.segments,
      this.colours,
      zoom("−", 1 / 1.4, "Zoom out"),
      zoom("+", 1.4, "Zoom in"),
      button("Fit", () => this.canvas.fit()),
      folded,
      open,
    );
  }

  async begin(options) {
    await this.panel.begin(options);
  }

  async choosePlayer(facts) {
    this.run.breakOff();
    const players = (await api.players(facts.game)).map((each) =>
      each.tree || !each.fits ? each : { ...each, fits: false, why: "it has no tree" },
    );
    if (this.wanted) checkNamed(players, [this.wanted]);
    const spec = this.wanted ?? this.chooser?.text ?? usualPlayer(players);
    this.wanted = null;
    this.chooser = new PlayerChooser({
      players,
      spec,
      label: "Player whose tree is drawn",
      onchange: () => this.remember(),
    });
    refill(this.player, this.chooser.element);
  }

  moved() {
    this.run.breakOff();
    this.busy(false);
    this.go.disabled = this.panel.position.kind === "end";
    this.remember();
  }

  async search() {
    const found = new FoundView({ title: this.chooser.text, range: this.panel.facts.utility_range });
    refill(this.searching, element("details", {}, element("summary", {}, "What it finds"), found.element));
    this.busy(true);
    this.remember();
    this.summary.textContent = "Searching … the first search of a kind has to be compiled.";
    let grown = false;
    const request = { players: [this.chooser.text], seconds: null, tree: true };
    await attempt(() =>
      this.run.start(request, (event, data) => {
        if (event === "report" || event === "result") {
          found.show(data);
          this.summary.textContent = `${data.final ? "Searched" : "Searching"}: ${whole(data.nodes)} nodes, depth ${data.depth}.`;
        }
        if (event === "wait") this.summary.textContent = "Waiting for the machine …";
        if (event === "compile") this.summary.textContent = capital(compilingText(data));
        if (event === "failed") this.summary.textContent = data.error;
        if (event === "result") grown = data.tree;
        if (event === "report" && data.tree) this.fetchGrowing();
        if (event === "result" && !data.tree) this.summary.textContent = "This search has no tree to show.";
      }),
    );
    if (!this.run.running) this.busy(false);
    if (grown) await attempt(() => this.fetchTree());
  }

  async fetchTree() {
    this.show(await api.tree(this.panel.session.id, 0, Number(this.limit.value)));
  }

  /** Show how far the tree has grown, unless that is still being fetched. */
  async fetchGrowing() {
    if (this.fetching) return;
    this.fetching = true;
    const { run, panel } = this;
    const mine = run.aborting;
    const told = await api.tree(panel.session.id, 0, Math.min(GROWING, Number(this.limit.value))).catch(() => null);
    this.fetching = false;
    if (told && run.running && run.aborting === mine) this.show(told);
  }

  show(told) {
    const grown = Boolean(this.told) && this.told.position === told.position && this.told.player === told.player;
    this.told = told;
    this.tree = new Tree(told.rows);
    const line = told.line.map((number) => this.tree.nodes.get(number)).filter(Boolean);
    this.canvas.show(this.tree, { line, tint: this.tint(), grown });
    this.tell();
    if (!grown) this.look(this.tree.root, true);
    else this.describe(this.canvas.focus);
  }

  tint() {
    return this.byValue ? new Tint(this.tree.nodes.values(), this.told.players) : null;
  }

  setColours(name) {
    this.byValue = name === "value";
    press(this.colours, name);
    if (this.tree) {
      this.canvas.setTint(this.tint());
      this.tell();
    }
    this.remember();
  }

  tell() {
    const { told } = this;
    const all = told.nodes === this.tree.size;
    const thinned = all ? "all drawn" : `${whole(this.tree.size)} drawn, ${told.rule} first`;
    this.summary.textContent = `${told.player}: ${whole(told.nodes)} nodes, ${thinned}${told.finished ? "" : "; the search was stopped"}.`;
    this.canvas.element.setAttribute(
      "aria-label",
      `Search tree of ${told.player}, ${whole(this.tree.size)} nodes drawn`,
    );
    refill(
      this.legend,
      legendOf(this.tree.nodes.values(), this.canvas.tint).map(([look, words]) =>
        element("li", {}, element("span", { class: `swatch ${look}` }), words),
      ),
    );
  }

  setLayout(name) {
    this.canvas.setLayout(name);
    press(this.segments, name);
    this.remember();
  }

  foldFrom(depth) {
    if (!this.tree) return;
    this.tree.foldFrom(depth);
    this.canvas.setFocus(this.tree.root);
    this.canvas.arrange();
    this.canvas.fit();
  }

  /** Fold a node or unfold it; the server is asked for children that were left out. */
  async toggle(node) {
    await attempt(async () => {
      if (node.folded) this.tree.fold(node, false);
      else if (missingOf(node)) {
        const { rows } = await api.treeChildren(this.panel.session.id, node.id, 0, CHILDREN);
        this.tree.add(rows);
      } else if (node.children.length) this.tree.fold(node, true);
      else return;
      this.canvas.arrange();
      this.tell();
      announce(`${nameOf(node)} ${node.folded ? "folded" : "unfolded"}, ${this.canvas.order.length} nodes shown.`);
      this.describe(node);
    });
  }

  /** Tell of a node, and draw its position: at once for the focus, after a moment for the pointer. */
  look(node, fixed) {
    clearTimeout(this.waiting);
    this.asking?.abort();
    if (!node) return;
    this.describe(node);
    if (fixed) announce(`${nameOf(node)}: ${wordsFor(node).join(", ")}.`);
    this.waiting = setTimeout(() => this.draw(node), fixed ? 0 : HOVER);
  }

  describe(node) {
    const fold =
      node.children.length || missingOf(node)
        ? button(node.folded || missingOf(node) ? "Unfold" : "Fold", () => this.toggle(node), { class: "small" })
        : null;
    refill(
      this.facts,
      element("div", { class: "row spread" }, element("h2", {}, nameOf(node)), fold),
      element(
        "ul",
        { class: "small plain" },
        wordsFor(node).map((words) => element("li", {}, words)),
      ),
    );
  }

  async draw(node) {
    this.asking = new AbortController();
    try {
      const { position, line } = await api.treeNode(this.panel.session.id, node.id, 0, this.asking.signal);
      this.node.show(position, { animate: false });
      if (line.length)
        this.facts.append(
          element("p", { class: "small soft" }, "by ", element("span", { class: "code" }, line.join("  "))),
        );
    } catch (problem) {
      if (problem.name !== "AbortError") this.node.element.replaceChildren();
    }
  }

  busy(on) {
    this.go.disabled = on;
    this.stop.disabled = !on;
  }

  remember() {
    if (!this.panel.session || !this.chooser) return;
    const { game, position } = this.panel.session.link;
    rememberRoute("tree", {
      game,
      position,
      player: this.chooser.text,
      limit: this.limit.value,
      layout: this.canvas.layout,
      colour: this.byValue ? null : "player",
    });
  }

  leave() {
    clearTimeout(this.waiting);
    this.run.breakOff();
    this.canvas.leave();
    this.panel.leave();
  }
}

/** Buttons of which one is pressed. */
function segments(label, words, chosen, onchoose) {
  const made = Object.entries(words).map(([name, word]) => button(word, () => onchoose(name), { "data-name": name }));
  const group = element("div", { class: "segments", role: "group", "aria-label": label }, made);
  press(group, chosen);
  return group;
}

function press(group, name) {
  for (const each of group.children) each.setAttribute("aria-pressed", String(each.dataset.name === name));
}
