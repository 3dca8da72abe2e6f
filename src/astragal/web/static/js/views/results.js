// The view of results: contests, tables and curves of a store, or one contest, or one of its games.

import * as api from "../api.js";
import { attempt } from "../announce.js";
import { button, element, field, refill } from "../dom.js";
import { rememberRoute } from "../route.js";
import { chart } from "../results/chart.js";
import { ContestPage } from "../results/contest.js";
import { ContestTable } from "../results/contests.js";
import { crosstable } from "../results/crosstable.js";
import { Replay } from "../results/replay.js";

export function show(root, options) {
  const view = viewFor(options);
  root.append(view.element);
  attempt(() => view.begin());
  return { leave: () => view.leave?.() };
}

function viewFor(options) {
  const number = (name) => (options.has(name) ? Number(options.get(name)) : null);
  const pair = number("pair") ?? number("match"); // as links called it once
  if (pair !== null) return new Replay(number("contest"), pair, number("game"), number("ply"));
  if (options.has("contest")) return new ContestPage(number("contest"));
  return new Overview(options);
}

const TABS = { contests: "Contests", crosstable: "Crosstables", curves: "Curves" };

class Overview {
  constructor(options) {
    this.options = options;
    this.tab = options.get("show") in TABS ? options.get("show") : "contests";
    this.file = element("span", { class: "soft small code" });
    this.tabs = element(
      "div",
      { class: "segments", role: "group", "aria-label": "What to show" },
      Object.entries(TABS).map(([name, words]) => button(words, () => this.turnTo(name), { "data-tab": name })),
    );
    this.body = element("div", { class: "panel" });
    this.element = element(
      "div",
      { class: "stack" },
      element("div", { class: "row spread" }, element("h1", {}, "Results"), this.tabs),
      this.file,
      this.body,
    );
    this.table = new ContestTable();
  }

  async begin() {
    if (!(await api.about()).results) {
      refill(
        this.body,
        element(
          "p",
          {},
          "No results are shown here. Give a store on the command line: ",
          element("code", {}, "astragal web --db results.db"),
        ),
      );
      this.tabs.hidden = true;
      return;
    }
    await this.turnTo(this.tab);
    this.unfollow = api.followResults((changes) => this.changed(changes));
  }

  async turnTo(name) {
    this.tab = name;
    for (const each of this.tabs.children) each.setAttribute("aria-pressed", String(each.dataset.tab === name));
    rememberRoute("results", { show: name === "contests" ? "" : name });
    const fill = {
      contests: () => this.showContests(),
      crosstable: () => this.showCrosstables(),
      curves: () => this.showCurves(),
    };
    await attempt(fill[name]);
  }

  async changed(changes) {
    const unknown = this.table.update(changes);
    if (unknown && this.tab === "contests") await attempt(() => this.showContests());
  }

  async showContests() {
    const { file, contests } = await api.contests();
    this.file.textContent = file;
    this.table.show(contests);
    refill(
      this.body,
      contests.length ? this.table.element : element("p", { class: "soft" }, "There is no contest in this store yet."),
    );
  }

  async showCrosstables() {
    const { tables } = await api.crosstables();
    const note = element(
      "p",
      { class: "soft small" },
      "The share of wins of a row's player against a column's. Coloured where the interval lies on one side of the half.",
    );
    refill(
      this.body,
      tables.length
        ? [tables.map(crosstable), note]
        : element("p", { class: "soft" }, "There is no contest of two players in this store yet."),
    );
  }

  async showCurves() {
    const names = { over: "Setting", player: "Player", opponent: "Opponent", game: "Game" };
    this.wanted ??= Object.fromEntries(Object.keys(names).map((name) => [name, this.options.get(name) ?? ""]));
    const input = (name) =>
      element("input", {
        type: "text",
        value: this.wanted[name],
        placeholder: "any",
        oninput: (event) => (this.wanted[name] = event.target.value.trim()),
      });
    const form = element(
      "form",
      { class: "settings", onsubmit: (event) => (event.preventDefault(), this.drawCurves()) },
      Object.entries(names).map(([name, words]) => field(words, input(name))),
      element("button", { type: "submit" }, "Draw"),
    );
    this.drawing = element("div", { class: "drawing" });
    refill(this.body, form, this.drawing);
    await this.drawCurves();
  }

  async drawCurves() {
    try {
      refill(this.drawing, chart(await api.curves(this.wanted), this.drawing.clientWidth));
    } catch (problem) {
      refill(this.drawing, element("p", { class: "soft" }, problem.message));
    }
  }

  leave() {
    this.unfollow?.();
  }
}
