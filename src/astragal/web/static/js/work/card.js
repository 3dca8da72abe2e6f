// A piece of work in the queue: its state, its score or curve so far, and what can be done with it.

import { button, element, refill } from "../dom.js";
import { intervalPicture, intervalWords } from "../results/interval.js";
import { routeTo } from "../route.js";
import { curve } from "../views/models.js";
import { capital, whole } from "../words.js";
import { gamesOf, GOING, kindWords, sprtWords, stateWords } from "./words.js";

const LONGEST = 12; // contests that a card shows

export class WorkCard {
  /** `act` is called with what to do: stop, resume or remove. */
  constructor(act) {
    this.title = element("h3", { tabindex: "-1" });
    this.state = element("span", { class: "state" });
    this.facts = element("div", { class: "stack tight" });
    this.command = element("code", { class: "small command" });
    this.printed = element("pre", { class: "printed", tabindex: "0", "aria-label": "What the command printed" });
    this.details = element("details", {}, element("summary", {}, "Command, and what it printed"), this.command, this.printed);
    const named = (name, words) => button(words, () => act(name), { hidden: true, "data-act": name });
    this.buttons = { stop: named("stop", "Stop"), resume: named("resume", "Go on"), remove: named("remove", "Remove") };
    this.element = element(
      "li",
      { class: "panel stack tight work" },
      element("div", { class: "row spread" }, this.title, this.state),
      this.facts,
      element("div", { class: "row" }, Object.values(this.buttons)),
      this.details,
    );
  }

  show(work) {
    const told = JSON.stringify({ ...work, seconds: 0 });
    if (told === this.told) return;
    if (!this.told && work.kind === "strong") this.details.open = true; // what it reached is printed
    this.told = told;
    this.element.dataset.work = work.number;
    this.element.dataset.state = work.state;
    this.title.textContent = `${kindWords(work.kind)}: ${work.title}`;
    this.state.textContent = stateWords(work.state);
    this.command.textContent = work.command;
    this.printed.textContent = work.printed.join("\n");
    this.printed.hidden = !work.printed.length;
    refill(
      this.facts,
      work.note ? element("p", { class: work.state === "failed" ? "problem" : "soft" }, capital(work.note)) : null,
      work.wanted ? progress(work) : null,
      work.contests.length ? scores(work.contests) : null,
      work.contests.filter((each) => each.sprt).map((each) => element("p", { class: "small" }, sprtWords(each.sprt))),
      work.model ? [element("p", { class: "small" }, element("a", { href: routeTo("models") }, "Learning")), curve(work.model, this.room)] : null,
    );
    this.allow("stop", GOING.includes(work.state), work.state === "stopping" ? "Stop at once" : "Stop");
    this.allow("resume", work.state === "stopped" || work.state === "failed");
    this.allow("remove", work.state !== "running" && work.state !== "stopping");
  }

  get room() {
    return Math.max(260, this.element.clientWidth - 40);
  }

  /** Show a button or not; the focus of one that goes stays with the card. */
  allow(name, isThere, words) {
    const each = this.buttons[name];
    if (words) each.textContent = words;
    if (!isThere && each === document.activeElement) this.title.focus();
    each.hidden = !isThere;
  }
}

function progress(work) {
  const { games, wanted, words } = gamesOf(work);
  return element("div", { class: "row" }, element("progress", { max: wanted, value: games, "aria-label": words }), element("span", { class: "small" }, words));
}

function scores(contests) {
  const rows = contests.slice(0, LONGEST).map((each) =>
    element(
      "tr",
      {},
      element("th", { scope: "row" }, element("a", { href: routeTo("results", { contest: each.number }) }, each.players.join(" – "))),
      element("td", { class: "number" }, whole(each.games)),
      element("td", { class: "number" }, intervalWords(each)),
      element("td", { class: "interval-cell" }, intervalPicture(each)),
    ),
  );
  const measure = contests[0].measure === "score" ? "mean score" : "share of the first";
  const heads = ["players", "games", measure].map((words, i) => element("th", { scope: "col", class: i ? "number" : "" }, words));
  const last = element("td", {});
  const table = element("table", {}, element("thead", {}, element("tr", {}, heads, last)), element("tbody", {}, rows));
  const more = contests.length > LONGEST ? element("a", { href: routeTo("results") }, `${contests.length - LONGEST} more in Results`) : null;
  return [element("div", { class: "scroll" }, table), more, contests.length > 1 ? element("a", { class: "small", href: routeTo("results", { show: "crosstable" }) }, "Crosstable") : null];
}
