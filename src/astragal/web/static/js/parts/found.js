// What a search has found so far: a bar for every move, and the line of best play. Updates in place while it runs.

import { button, element, refill } from "../dom.js";
import { barOf, scaleFor } from "./bars.js";
import { brief, percent, seconds, signed, whole } from "../words.js";
import { chanceOf } from "./worth.js";

const FIRST = 10; // rows that are shown until all are asked for
const SIGNS = { "at least": "≥", "at most": "≤", estimate: "", exact: "=", proven: "=" };

export class FoundView {
  /** `range` is the least and the most that a game can be worth; `beside` are views whose bars are compared with these. */
  constructor({ title, range, measure = "score", beside = () => [], onpoint = () => {} }) {
    this.range = range;
    this.measure = { range, measure };
    this.onpoint = onpoint; // told the number of a move under the pointer, or null
    this.beside = beside;
    this.exact = new Map();
    this.all = false;
    this.title = element("h3", {}, title);
    this.state = element("p", { class: "soft small state" }, "waiting");
    this.facts = element("dl", { class: "facts" });
    this.note = element("p", { class: "soft small", hidden: true });
    this.body = element("tbody");
    this.head = element("tr");
    this.more = button("", () => this.showAll(), { class: "quiet small", hidden: true });
    this.line = element("p", { class: "line small" });
    const table = element("table", { class: "found" }, element("thead", {}, this.head), this.body);
    this.element = element(
      "section",
      { class: "found-view", "aria-label": title },
      this.title,
      this.state,
      this.facts,
      this.note,
      element("div", { class: "scroll" }, table),
      this.more,
      this.line,
    );
    this.last = null;
  }

  /** Exact values, where a game is solved: by the action's number. */
  setExact(exact) {
    this.exact = new Map((exact?.actions ?? []).map((each) => [each.number, each.value]));
    this.exactValue = exact?.value;
    if (this.last) this.show(this.last);
  }

  say(state) {
    this.state.textContent = state;
  }

  show(found) {
    this.last = found;
    this.element.dataset.nodes = found.nodes;
    this.element.dataset.final = Boolean(found.final);
    this.element.dataset.reports = Number(this.element.dataset.reports ?? 0) + 1;
    this.say(stateOf(found));
    this.showFacts(found);
    this.showRows(found.actions ?? []);
    this.showLine(found);
    for (const other of this.beside()) if (other.last && other.scale.words !== this.scale.words) other.rescale();
  }

  rescale() {
    this.showRows(this.last.actions ?? []);
  }

  showFacts(found) {
    const chance = found.between ? null : chanceOf(found.value, { ...this.measure, chances: found.chances });
    const pairs = [
      chance === null ? null : ["chance to win", percent(chance, 0)],
      ["value", found.bound === "not searched" ? "–" : (found.between ?? signed(found.value))],
      found.bound === `depth ${found.depth}` || found.bound === "between" ? null : ["kind of value", found.bound],
      this.exactValue === undefined ? null : ["exact", signed(this.exactValue)],
      ["depth", whole(found.depth)],
      found.simulations === null || found.simulations === undefined
        ? ["nodes visited", brief(found.nodes - (found.leaves ?? 0))]
        : ["simulations", brief(found.simulations)],
      found.leaves ? ["leaves evaluated", brief(found.leaves)] : null,
      ["a second", brief(found.speed ?? 0)],
      ["time", seconds(found.seconds)],
      found.threads > 1 ? ["threads", whole(found.threads)] : null,
      found.proven ? ["proven", found.proven] : null,
    ];
    this.note.textContent = found.note ?? "";
    this.note.hidden = !found.note;
    refill(
      this.facts,
      pairs
        .filter(Boolean)
        .map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", { class: "number" }, value))),
    );
  }

  showRows(actions) {
    const visits = actions.some((each) => each.visits !== null && each.visits !== undefined);
    const exact = this.exact.size > 0;
    this.head.hidden = !actions.length; // at a chance node nobody chooses
    const compared = this.beside().flatMap((each) => each.last?.actions ?? []);
    this.scale = scaleFor([...actions, ...compared], this.range, this.exact);
    const heads = ["move", this.scale.words, this.measure.measure === "win" && this.last?.chances ? "wins" : "value", ...(exact ? ["exact"] : []), ...(visits ? ["visits"] : [])];
    refill(
      this.head,
      heads.map((words, i) => element("th", { scope: "col", class: ["", "scale", "number"][Math.min(i, 2)] }, words)),
    );
    const shown = this.all ? actions : actions.slice(0, FIRST);
    refill(
      this.body,
      shown.map((each, i) => this.row(each, i === 0, visits, exact)),
    );
    this.more.hidden = shown.length === actions.length;
    this.more.textContent = `all ${actions.length} moves`;
  }

  row(action, best, visits, exact) {
    const searched = action.value !== null && action.value !== undefined;
    const chance = chanceOf(action.value, { ...this.measure, chances: this.last?.chances });
    const worth = chance === null ? signed(action.value) : percent(chance, 0);
    const told = action.between ?? (searched ? `${SIGNS[action.bound] ?? ""} ${worth}`.trim() : "–");
    const error = action.error ? element("span", { class: "soft aside" }, ` ± ${this.errorWords(action, chance)}`) : null;
    return element(
      "tr",
      {
        class: best ? "best" : "",
        onpointerenter: () => this.onpoint(action.number),
        onpointerleave: () => this.onpoint(null),
      },
      element("th", { scope: "row" }, action.name),
      element(
        "td",
        { class: "bar-cell", "aria-hidden": "true" },
        barOf(action, this.scale, { best, exact: this.exact.get(action.number) }),
      ),
      element("td", { class: "number", title: action.between ? "proven" : `${action.bound}: ${signed(action.value)}` }, told, error),
      exact ? element("td", { class: "number" }, signed(this.exact.get(action.number))) : null,
      visits
        ? element(
            "td",
            { class: "number" },
            brief(action.visits ?? 0),
            action.share === null || action.share === undefined
              ? null
              : element("span", { class: "soft aside" }, ` ${percent(action.share, 0)}`),
          )
        : null,
    );
  }

  /** An error on the scale that its value is shown on. */
  errorWords(action, chance) {
    if (chance === null) return action.error.toPrecision(2);
    return `${((100 * action.error) / (this.range[1] - this.range[0])).toFixed(1)}`;
  }

  showLine(found) {
    refill(
      this.line,
      found.line?.length ? ["best line: ", element("span", { class: "code" }, found.line.join("  "))] : [],
    );
  }

  showAll() {
    this.all = true;
    this.rescale();
  }
}

function stateOf({ final, stopped, complete, depth, bound }) {
  if (!final) return "thinking …";
  if (bound === "not searched" && !depth) return "depth 0: not searched";
  if (stopped) return "stopped";
  return complete ? "finished: all was searched" : "finished";
}
