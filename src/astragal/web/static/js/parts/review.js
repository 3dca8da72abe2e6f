// A game looked at again: what every decision lost, what luck every roll brought, and the biggest mistake.

import { announce, attempt } from "../announce.js";
import { button, element, refill } from "../dom.js";
import { compilingText, percent, signed } from "../words.js";

export class ReviewView {
  /** `ask` streams a review; `onlook` is told the step to look at, `name` says what a seat is called. */
  constructor({ ask, onlook, name }) {
    Object.assign(this, { ask, onlook, name });
    this.go = button("Review the game", () => this.run(), { class: "main" });
    this.state = element("p", { class: "soft small", role: "status" });
    this.sum = element("div", { class: "stack tight" });
    this.body = element("tbody");
    const head = element(
      "tr",
      {},
      ["step", "who", "played", "lost or luck"].map((words) => element("th", { scope: "col" }, words)),
    );
    this.table = element(
      "div",
      { class: "scroll review-rows", hidden: true, tabindex: 0, role: "region", "aria-label": "Decisions and rolls" },
      element("table", {}, element("thead", {}, head), this.body),
    );
    this.element = element("section", { class: "panel stack tight review" }, this.go, this.state, this.sum, this.table);
  }

  /** Another game: nothing is known of it. */
  forget() {
    this.asking?.abort();
    this.asking = null;
    this.state.textContent = "";
    this.table.hidden = true;
    this.go.hidden = false;
    refill(this.sum);
    refill(this.body);
  }

  async run() {
    this.forget();
    this.go.hidden = true;
    this.state.textContent = "Looking at the game again …";
    const rows = [];
    const mine = new AbortController();
    this.asking = mine;
    await attempt(() =>
      this.ask((event, data) => mine === this.asking && this.hear(event, data, rows), mine.signal),
    );
    if (mine === this.asking && !this.sum.childElementCount) this.go.hidden = false;
  }

  hear(event, data, rows) {
    if (event === "begin") Object.assign(this, { steps: data.steps, reviewer: data.reviewer });
    if (event === "wait") this.state.textContent = "Waiting for the machine …";
    if (event === "compile") this.state.textContent = compilingText(data);
    if (event === "failed") throw new Error(data.error);
    if (event === "row") {
      rows.push(data);
      this.state.textContent = `Looking at step ${data.ply} of ${this.steps} …`;
    }
    if (event === "end") this.show(data, rows);
  }

  show(found, rows) {
    this.unit = (value, plus = false) => {
      const [low, high] = found.range;
      if (found.measure !== "win") return plus ? signed(value, 2) : value.toFixed(2);
      const share = (100 * value) / (high - low || 1);
      return `${plus ? signed(share, 1) : share.toFixed(1)} %`;
    };
    this.state.textContent = `Reviewed by ${this.reviewer}.`;
    const worst = found.worst;
    const lines = found.players
      .filter((each) => each.decisions)
      .map((each) =>
        element(
          "p",
          {},
          element("span", { class: `seat-dot player${((each.player - 1) % 6) + 1}`, "aria-hidden": "true" }),
          ` ${this.name(each.player)}: accuracy ${percent(each.accuracy, 0)} of ${each.decisions} decisions, lost ${this.unit(each.lost)} in all`,
          rows.some((row) => row.what === "roll") ? `, luck ${this.unit(each.luck, true)}` : "",
        ),
      );
    const mistake = worst
      ? element(
          "p",
          {},
          "The biggest mistake: ",
          button(`step ${worst.ply}, ${worst.played}`, () => this.onlook(worst.ply - 1), { class: "small worst" }),
          ` by ${this.name(worst.player).toLowerCase()}; ${worst.best} was better by ${this.unit(worst.lost)}${this.error(worst)}.`,
        )
      : element("p", {}, "There was no mistake that could be seen.");
    refill(this.sum, lines, mistake);
    refill(this.body, rows.map((row) => this.row(row)));
    this.table.hidden = false;
    announce("The review is ready.");
  }

  error(row) {
    return row.error === null || row.error === undefined ? "" : ` ± ${this.unit(row.error)}`;
  }

  row(row) {
    const look = button(String(row.ply), () => this.onlook(row.ply - 1), {
      class: "quiet small",
      "aria-label": `Look at step ${row.ply}`,
    });
    const cells =
      row.what === "roll"
        ? ["chance", row.outcome, row.luck.map((each, i) => `${this.name(i + 1)} ${this.unit(each, true)}`).join("  ")]
        : [this.name(row.player), row.played, row.lost > 0 ? this.lossWords(row) : "best"];
    return element(
      "tr",
      { class: row.mistake ? "mistake" : row.what, title: row.kind },
      element("td", { class: "number" }, look),
      cells.map((words) => element("td", {}, words)),
    );
  }

  lossWords(row) {
    const sign = row.kind === "exact" ? "" : "≈ ";
    return `${sign}${this.unit(row.lost)}${this.error(row)}; best ${row.best}`;
  }
}
