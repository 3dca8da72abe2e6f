// The view for looking inside: what one to three players find at a position, side by side, while they search.

import * as api from "../api.js";
import { announce, attempt } from "../announce.js";
import { button, element, field, refill } from "../dom.js";
import { checkNamed, PlayerChooser, usualPlayer } from "../forms/player.js";
import { FoundView } from "../parts/found.js";
import { PositionPanel } from "../parts/position-panel.js";
import { SearchRun } from "../parts/search-run.js";
import { rememberRoute } from "../route.js";
import { compilingText, signed } from "../words.js";

const SECOND_WISH = ["uct", "mcts", "star1", "alphabeta", "random"]; // a contrast to the first

const SOON_SOLVED = new Set(["pig"]); // by `astragal solve`; most other games are too large

export function show(root, options) {
  const view = new AnalyseView(root, options);
  attempt(() => view.begin(options));
  return view;
}

class AnalyseView {
  constructor(root, options) {
    this.wanted = options.getAll("players");
    this.panel = new PositionPanel({
      onchange: (session) => this.moved(session),
      ongame: (facts) => this.choosePlayers(facts),
    });
    this.run = new SearchRun(this.panel);
    this.choosers = [];
    this.found = [];
    this.columns = element("div", { class: "columns" });
    this.exact = element("p", { class: "soft small" });
    this.verdict = element("p", { class: "agreement", role: "status" });
    this.seconds = element("input", {
      type: "number",
      min: 0.1,
      step: 0.1,
      value: options.get("seconds") ?? "",
      placeholder: "its own",
      inputmode: "decimal",
    });
    this.go = button("Search", () => this.search(), { class: "main", disabled: true });
    this.stop = button("Stop", () => attempt(() => this.run.stop()), { disabled: true });
    this.add = button("Compare with another", () => this.addPlayer(), { disabled: true });
    const tools = element(
      "div",
      { class: "row ends" },
      field("Seconds each", this.seconds, "Longest time of a player; the server has its own limit"),
      this.go,
      this.stop,
      this.add,
    );
    this.tools = element("div", { class: "panel stack tight" }, tools, this.exact);
    root.append(
      element("h1", {}, "Look inside a search"),
      element(
        "div",
        { class: "analyse-view" },
        this.panel.element,
        element("div", { class: "stack" }, this.tools, this.verdict, this.columns, legend()),
      ),
    );
  }

  async begin(options) {
    this.caps = (await api.about()).caps;
    this.seconds.max = this.caps.seconds;
    await this.panel.begin(options);
  }

  async choosePlayers(facts) {
    this.run.breakOff();
    this.players = await api.players(facts.game);
    if (this.panel.left) return;
    checkNamed(this.players, this.wanted);
    const named = this.wanted.length ? this.wanted : this.choosers.map((each) => each.text);
    const specs = named.slice(0, this.caps.players);
    this.wanted = [];
    this.choosers = [];
    refill(this.columns);
    for (const spec of specs.length ? specs : [usualPlayer(this.players)]) this.addPlayer(spec);
  }

  addPlayer(spec = usualPlayer(this.players, SECOND_WISH)) {
    const label = `Player to compare ${this.choosers.length + 1}`;
    const chooser = new PlayerChooser({ players: this.players, spec, label, onchange: () => this.remember() });
    const holder = element("div", { class: "holder" });
    const remove = button("×", () => this.removePlayer(chooser), {
      class: "quiet icon remove",
      "aria-label": "Take this player out",
    });
    chooser.column = element(
      "section",
      { class: "panel column" },
      element("div", { class: "row spread nowrap" }, chooser.element, remove),
      holder,
    );
    chooser.holder = holder;
    this.choosers.push(chooser);
    this.columns.append(chooser.column);
    this.counted();
  }

  removePlayer(chooser) {
    this.run.breakOff();
    this.choosers = this.choosers.filter((each) => each !== chooser);
    chooser.column.remove();
    this.counted();
  }

  counted() {
    this.add.disabled = this.choosers.length >= (this.caps?.players ?? 3);
    for (const each of this.choosers) each.column.querySelector(".remove").hidden = this.choosers.length < 2;
    this.columns.dataset.count = this.choosers.length;
    if (this.panel.session) this.remember();
  }

  /** Another position: what was found belongs to the old one. */
  moved(session) {
    this.run.breakOff();
    this.busy(false);
    for (const each of this.choosers) refill(each.holder);
    this.found = [];
    this.verdict.textContent = "";
    this.go.disabled = session.position.kind === "end";
    this.remember();
    this.askExact(session);
  }

  async askExact(session) {
    this.known = null;
    this.exact.textContent = "";
    const { text } = session.position;
    const known = await attempt(() => api.exact(session.id));
    if (!known || this.panel.position.text !== text) return;
    if (known.value === null) {
      if (SOON_SOLVED.has(session.game_id)) this.exact.textContent = `Exact values: ${known.why}.`;
      return;
    }
    this.known = known;
    const best = known.actions.length ? `; best is ${known.actions[0].name}` : "";
    this.exact.textContent = `The exact value is ${signed(known.value)} for player ${known.player ?? 1}${best}.`;
    for (const each of this.found) each.setExact(known);
  }

  async search() {
    const { position } = this.panel;
    this.found = this.choosers.map(
      (each) => new FoundView({
          title: each.text,
          range: this.panel.facts.utility_range,
          measure: this.panel.facts.measure,
          beside: () => this.found,
          onpoint: (number) => this.panel.view.board.point(number === null ? [] : [{ number, kind: "hover" }]),
        }),
    );
    this.found.forEach((each, i) => refill(this.choosers[i].holder, each.element));
    for (const each of this.found) if (this.known) each.setExact(this.known);
    this.verdict.textContent = "";
    this.busy(true);
    this.remember();
    const seconds = this.seconds.value === "" ? null : Number(this.seconds.value);
    const request = { players: this.choosers.map((each) => each.text), seconds, tree: false };
    await attempt(() => this.run.start(request, (event, data) => this.hear(event, data, position)));
    if (this.run.running) return;
    this.busy(false);
    this.compare();
  }

  /** Whether those who were compared would play the same. */
  compare() {
    const chosen = this.found.map((each) => each.last?.best).filter(Boolean);
    if (chosen.length < 2) return;
    const same = chosen.every((each) => each === chosen[0]);
    const told = this.found.map((each) => `${each.element.getAttribute("aria-label")} plays ${each.last?.best}`);
    this.verdict.textContent = same ? `They agree: ${chosen[0]}.` : `They disagree: ${told.join("; ")}.`;
  }

  hear(event, data, position) {
    const found = this.found[data.index];
    if (event === "wait") found.say("waiting for the machine …");
    if (event === "begin") found.say("thinking … (the first search of a kind has to be compiled)");
    if (event === "compile") found.say(compilingText(data));
    if (event === "failed") found.say(data.error);
    if (event === "report" || event === "result") found.show(data);
    if (event === "result" && position === this.panel.position)
      announce(`${this.choosers[data.index].text}: ${data.best ?? "no move"}, ${signed(data.value)}.`);
  }

  busy(on) {
    this.go.disabled = on;
    this.stop.disabled = !on;
  }

  remember() {
    const { game, position } = this.panel.session.link;
    rememberRoute("analyse", {
      game,
      position,
      players: this.choosers.map((each) => each.text),
      seconds: this.seconds.value,
    });
  }

  leave() {
    this.run.breakOff();
    this.panel.leave();
  }
}

/** What is drawn in a bar. */
function legend() {
  const row = (kind, words) => element("li", {}, element("span", { class: `swatch ${kind}` }), words);
  return element(
    "ul",
    { class: "legend panel", "aria-label": "Legend" },
    row("bar-best", "value of the best move, from 0"),
    row("bar-value", "value of another"),
    row("bar-open", "all that a bound leaves open"),
    row("bar-error", "error of a mean"),
    row("chance", "share of the visits"),
    row("bar-exact", "exact value"),
  );
}
