// A game looked at again: what every decision lost, what luck every roll brought, and the mistakes by their size.

import { announce, attempt } from "../announce.js";
import { button, element, refill } from "../dom.js";
import { compilingText, percent } from "../words.js";
import { graphOf } from "./evaluation.js";
import { accuracyWords, amountIn, decisionWords, lossOf, pointsOf, reviewedWords, totalsOf } from "./review-words.js";

const REDRAWN = 12; // rows, after which the graph is drawn again

export class ReviewView {
  /**
   * `ask` streams a review; `onlook` receives the step to look at and the moves to show there, `name` says what a seat
   * is called, `ongraph` is called when there is a graph or none.
   */
  constructor({ ask, onlook, name, ongraph = () => {} }) {
    Object.assign(this, { ask, onlook, name, ongraph, rows: [] });
    this.go = button("Review the game", () => this.run(), { class: "main" });
    this.prove = button("Prove the losses", () => this.run(true), { hidden: true, title: "Proven bounds instead of estimates" });
    this.buttons = element("div", { class: "row" }, this.go, this.prove);
    this.state = element("p", { class: "soft small", role: "status" });
    this.graph = element("div", { hidden: true });
    this.sum = element("div", { class: "stack tight" });
    this.body = element("tbody");
    const heads = ["step", "who", "played", "lost or luck"].map((words) => element("th", { scope: "col" }, words));
    this.table = element(
      "div",
      { class: "scroll review-rows", hidden: true, tabindex: 0, role: "region", "aria-label": "Decisions and rolls" },
      element("table", {}, element("thead", {}, element("tr", {}, heads)), this.body),
    );
    const parts = [this.buttons, this.state, this.graph, this.sum, this.table];
    this.element = element("section", { class: "panel stack tight review" }, parts);
  }

  /** Whether anything can be proven in this game. */
  offerProofs(can) {
    this.prove.hidden = !can;
  }

  /** Another game: nothing is known of it. */
  forget() {
    this.asking?.abort();
    this.asking = null;
    const had = this.rows.length > 0;
    this.rows = [];
    this.state.textContent = "";
    this.table.hidden = this.graph.hidden = true;
    this.buttons.hidden = false;
    refill(this.graph);
    refill(this.sum);
    refill(this.body);
    if (had) this.ongraph();
  }

  async run(prove = false) {
    this.forget();
    this.buttons.hidden = true;
    this.state.textContent = "Looking at the game again …";
    const mine = new AbortController();
    this.asking = mine;
    await attempt(() => this.ask({ prove }, (event, data) => mine === this.asking && this.hear(event, data), mine.signal));
    if (mine === this.asking && !this.sum.childElementCount) this.buttons.hidden = false;
  }

  hear(event, data) {
    if (event === "begin") this.facts = data;
    if (event === "wait") this.state.textContent = "Waiting for the machine …";
    if (event === "compile") this.state.textContent = compilingText(data);
    if (event === "failed") throw new Error(data.error);
    if (event === "row") {
      this.rows.push(data);
      this.body.append(this.row(data));
      this.table.hidden = false;
      this.state.textContent = `Looking at step ${data.ply} of ${this.facts.steps} …`;
      if (this.rows.length % REDRAWN === 0) this.draw();
    }
    if (event === "end") this.show(data);
  }

  /** Who was ahead, with the mistakes. */
  draw() {
    const { steps, players, range, measure } = this.facts;
    const graph = graphOf(pointsOf(this.rows, this.facts), {
      plies: steps,
      now: steps,
      seats: players,
      measure: { range, measure },
      name: this.name,
      onlook: (ply) => this.onlook(ply, []),
    });
    this.graph.hidden = !graph;
    if (graph) refill(this.graph, element("h2", {}, "Who was ahead"), graph);
    this.ongraph();
  }

  show(found) {
    this.draw();
    this.state.textContent = reviewedWords(this.facts, this.rows);
    const dot = (seat) => element("span", { class: `seat-dot player${((seat - 1) % 6) + 1}`, "aria-hidden": "true" });
    const lines = found.players
      .filter((each) => each.decisions)
      .map((each) => element("p", {}, dot(each.player), ` ${this.name(each.player)}: ${totalsOf(each, this.facts, percent)}`));
    const mistakes = found.mistakes.map((ply) => this.mistake(this.rows.find((row) => row.ply === ply)));
    const listed = mistakes.length
      ? [element("h2", {}, "Mistakes, the biggest first"), element("ol", { class: "mistakes" }, mistakes)]
      : element("p", {}, "There was no mistake that could be seen.");
    refill(this.sum, lines, element("p", { class: "soft small" }, accuracyWords(this.facts)), listed);
    announce("The review is ready.");
  }

  /** A mistake; a click shows both moves on the board. */
  mistake(row) {
    const words = `step ${row.ply}, ${row.played}`;
    const look = button(words, () => this.onlook(row.ply - 1, this.moves(row)), { class: "small worst" });
    const line = row.line.length > 1 ? element("span", { class: "soft small" }, ` Best play: ${row.line.join(" ")}`) : "";
    const by = ` by ${this.name(row.player).toLowerCase()}; ${row.best} was better by ${lossOf(row, this.facts)}.`;
    return element("li", {}, look, by, line);
  }

  /** The move that was played and the better one, to be drawn on the board. */
  moves(row) {
    if (!row.numbers || row.numbers[0] === row.numbers[1]) return [];
    return [
      { number: row.numbers[0], kind: "other", text: `−${amountIn(row.lost, this.facts)}` },
      { number: row.numbers[1], kind: "best", text: "best" },
    ];
  }

  row(row) {
    const look = button(String(row.ply), () => this.onlook(row.ply - 1, row.what === "roll" ? [] : this.moves(row)), {
      class: "quiet small",
      "aria-label": `Look at step ${row.ply}`,
    });
    const luck = (each, i) => `${this.name(i + 1)} ${amountIn(each, this.facts, true)}`;
    const proven = row.proven ? element("div", { class: "soft small" }, row.proven) : "";
    const lost = () => [decisionWords(row, this.facts), proven];
    const cells =
      row.what === "roll" ? ["chance", row.outcome, row.luck.map(luck).join("  ")] : [this.name(row.player), row.played, lost()];
    return element(
      "tr",
      { class: row.mistake ? "mistake" : row.what, title: row.kind },
      element("td", { class: "number" }, look),
      cells.map((words) => element("td", {}, words)),
    );
  }
}
