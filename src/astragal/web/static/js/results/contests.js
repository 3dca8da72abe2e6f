// The contests of a store, with their progress.

import { element, refill } from "../dom.js";
import { routeTo } from "../route.js";
import { whole } from "../words.js";
import { intervalPicture, intervalWords } from "./interval.js";

export class ContestTable {
  constructor() {
    this.body = element("tbody");
    const heads = ["no.", "game", "players", "limits", "games", "first player's share of wins, or mean score", ""];
    const head = element(
      "thead",
      {},
      element(
        "tr",
        {},
        heads.map((words) =>
          element("th", { scope: "col", class: words === "games" || words === "no." ? "number" : "" }, words),
        ),
      ),
    );
    this.element = element("div", { class: "scroll" }, element("table", { class: "contests" }, head, this.body));
    this.rows = new Map();
  }

  show(contests) {
    this.rows = new Map(
      contests.map((each) => [each.number, { contest: each, row: element("tr", { "data-contest": each.number }) }]),
    );
    refill(
      this.body,
      [...this.rows.values()].map(({ row }) => row),
    );
    for (const number of this.rows.keys()) this.fill(number);
  }

  /** Take in what has changed; says whether a contest is new. */
  update(changes) {
    let unknown = false;
    for (const change of changes) {
      const known = this.rows.get(change.number);
      if (!known) unknown = true;
      else {
        Object.assign(known.contest, change);
        this.fill(change.number);
      }
    }
    return unknown;
  }

  fill(number) {
    const { contest, row } = this.rows.get(number);
    const link = element("a", { href: routeTo("results", { contest: number }) }, contest.players.join(" – "));
    const active = contest.active ? element("span", { class: "running" }, "running") : null;
    refill(
      row,
      element("td", { class: "number" }, number),
      element("td", {}, contest.game),
      element("td", {}, link, active),
      element("td", { class: "code" }, contest.limits ?? ""),
      element("td", { class: "number" }, whole(contest.games), progressOf(contest)),
      element("td", { class: "number" }, intervalWords(contest)),
      element("td", { class: "interval-cell" }, intervalPicture(contest)),
    );
  }
}

/** How far a contest is, where it is known how many games were asked for. */
function progressOf({ games, wanted }) {
  if (!wanted || games >= wanted) return null;
  const words = `${whole(games)} of ${whole(wanted)} games`;
  return element("progress", { max: wanted, value: games, "aria-label": words, title: words });
}
