// One contest: how it stands, and its games.

import * as api from "../api.js";
import { attempt } from "../announce.js";
import { button, element, refill } from "../dom.js";
import { routeTo } from "../route.js";
import { intervalOf, intervalPicture, intervalWords, SCORE } from "./interval.js";
import { brief, percent, seconds, signed, whole } from "../words.js";

const PAGE = 50;

export class ContestPage {
  constructor(number) {
    this.number = number;
    this.offset = 0;
    this.head = element("section", { class: "panel stack tight" });
    this.games = element("tbody");
    this.count = element("span", { class: "soft small", role: "status" });
    this.earlier = button("Earlier", () => this.turn(-PAGE));
    this.later = button("Later", () => this.turn(PAGE));
    const heads = ["", "pair", "game", "seats", "result", "plies", "nodes", "time"];
    const head = element(
      "tr",
      {},
      heads.map((words) =>
        element("th", { scope: "col", class: words === "seats" ? "" : "number" }, words || element("span", { class: "unseen" }, "replay")),
      ),
    );
    const list = element(
      "section",
      { class: "panel stack tight" },
      element("h2", {}, "Games"),
      element("div", { class: "scroll" }, element("table", { class: "games" }, element("thead", {}, head), this.games)),
      element("div", { class: "row" }, this.earlier, this.later, this.count),
    );
    this.element = element(
      "div",
      { class: "stack" },
      element("p", {}, element("a", { href: routeTo("results") }, "All contests")),
      this.head,
      list,
    );
  }

  async begin() {
    this.showHead(await api.contest(this.number));
    await this.fetchGames();
  }

  showHead(contest) {
    this.contest = contest;
    const { standing } = contest;
    const alone = standing.measure === SCORE;
    const facts = [
      ["games", contest.wanted ? `${whole(contest.games)} of ${whole(contest.wanted)}` : whole(contest.games)],
      ["limits", contest.limits || "none"],
      ["seed", contest.seed],
      ["begun", contest.started ? new Date(contest.started).toLocaleString() : "–"],
      standing.pairs === undefined ? null : [alone ? "seeds" : "pairs of games", whole(standing.pairs)],
      standing.elo
        ? ["Elo", `${signed(standing.elo.elo, 0)} (${signed(standing.elo.low, 0)} to ${signed(standing.elo.high, 0)})`]
        : null,
    ].filter(Boolean);
    const rows = (standing.players ?? []).map((each, i) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, contest.players[i]),
        element("td", { class: "number" }, intervalWords(intervalOf(each, standing.measure))),
        element("td", { class: "interval-cell" }, intervalPicture(intervalOf(each, standing.measure))),
        element("td", { class: "number" }, whole(each.forfeits ?? 0)),
        element(
          "td",
          { class: "number" },
          whole(Object.values(each.faults ?? {}).reduce((sum, count) => sum + count, 0)),
        ),
      ),
    );
    const heads = ["player", alone ? "mean score" : "share of wins", "", "forfeits", "faults"];
    refill(
      this.head,
      element(
        "div",
        { class: "row" },
        element("h1", {}, `${contest.game}: ${contest.players.join(" – ")}`),
        contest.active ? element("span", { class: "running" }, "running") : null,
      ),
      element(
        "dl",
        { class: "facts" },
        facts.map(([name, value]) =>
          element("div", {}, element("dt", {}, name), element("dd", { class: "number" }, value)),
        ),
      ),
      element(
        "div",
        { class: "scroll" },
        element(
          "table",
          { class: "standing" },
          element(
            "thead",
            {},
            element(
              "tr",
              {},
              heads.map((words, i) => element("th", { scope: "col", class: i === 1 || i > 2 ? "number" : "" }, words)),
            ),
          ),
          element("tbody", {}, rows),
        ),
      ),
    );
  }

  turn(step) {
    this.offset = Math.max(0, this.offset + step);
    attempt(() => this.fetchGames());
  }

  async fetchGames() {
    const { total, games } = await api.gamesOf(this.number, this.offset, PAGE);
    this.earlier.disabled = this.offset === 0;
    this.later.disabled = this.offset + PAGE >= total;
    this.count.textContent = total
      ? `${whole(this.offset + 1)} to ${whole(this.offset + games.length)} of ${whole(total)}`
      : "No game yet.";
    refill(
      this.games,
      games.map((each) => this.row(each)),
    );
  }

  row(game) {
    const label = `Replay pair ${game.pair}, game ${game.game}`;
    const replay = routeTo("results", { contest: this.number, pair: game.pair, game: game.game });
    const result = resultOf(game);
    return element(
      "tr",
      {},
      element("td", {}, this.contest.replay ? element("a", { href: replay, "aria-label": label }, "Replay") : null),
      element("td", { class: "number" }, game.pair),
      element("td", { class: "number" }, game.game),
      element("td", {}, game.seats.join(" – ")),
      element("td", { class: "number" }, result),
      element("td", { class: "number" }, whole(game.plies)),
      element("td", { class: "number" }, brief(game.nodes ?? 0)),
      element("td", { class: "number" }, seconds(game.seconds)),
    );
  }
}

function resultOf({ fault, forfeit, utilities, first }) {
  if (fault) return fault;
  if (forfeit) return `player ${forfeit} forfeits`;
  return utilities ? utilities.map((each) => signed(each, 0)).join("  ") : percent(first, 0);
}
