// A game is chosen: against whom, who begins, and all else under Advanced.

import * as api from "../api.js";
import { attempt, complain } from "../announce.js";
import { button, element, refill } from "../dom.js";
import { firstGame, GameChooser } from "../forms/game.js";
import { PERSON, PlayerChooser } from "../forms/player.js";
import { prose, rulesPart } from "../parts/prose.js";
import { prefer, preference } from "../preferences.js";
import { routeTo } from "../route.js";
import { nameAndAbout } from "../words.js";
import { factsOf, pictureOf } from "./welcome.js";

const WHO = [
  ["you", "You"],
  ["other", "The opponent"],
  ["lot", "By lot"],
];

export function show(root, options) {
  const view = new NewView(root);
  attempt(() => view.begin(options.get("game")));
  return view;
}

class NewView {
  constructor(root) {
    this.root = element("div", { class: "new-view" });
    root.append(this.root);
  }

  async begin(game) {
    const games = await api.games();
    const named = games.find((each) => each.id === (game ?? "").split(":")[0]);
    if (game && !named) complain(`there is no game ${game} here`);
    const known = named ?? games.find((each) => each.id === firstGame(games));
    this.root.append(element("h1", {}, nameAndAbout(known)[0]), element("p", { class: "soft" }, "Setting up the board …"));
    const [card] = await api.cards({ game: known.id });
    this.levels = element("div", { class: "choices", role: "radiogroup", "aria-label": "Opponent" });
    this.first = element("div", { class: "choices", role: "radiogroup", "aria-label": "Who begins" });
    this.seats = element("div", { class: "stack tight" });
    this.chooser = new GameChooser({ games, game: named ? game : card.id, onchange: (facts) => attempt(() => this.fit(facts)), fixed: true });
    const advanced = element(
      "details",
      { class: "advanced" },
      element("summary", {}, "Advanced: settings of the game, and players by name"),
      this.chooser.element,
      this.seats,
    );
    const [name, about] = nameAndAbout(card);
    this.rules = element("details", { class: "panel rules", open: true }, element("summary", {}, "Rules"), rulesPart());
    const form = element(
      "form",
      { class: "panel stack", onsubmit: (event) => (event.preventDefault(), this.start()) },
      element("p", {}, about),
      element("p", { class: "soft small" }, factsOf(card).join(" · ")),
      element("fieldset", {}, element("legend", {}, "Against"), this.levels),
      element("fieldset", { class: "first" }, element("legend", {}, "Who begins?"), this.first),
      element(
        "div",
        { class: "row" },
        (this.play = element("button", { type: "submit", class: "main", disabled: true }, "Play")),
        (this.both = button("Watch two play", () => this.watch(), { disabled: true })),
      ),
      (this.strength = element("div", {})),
      advanced,
    );
    refill(this.first, WHO.map(([value, words]) => radio("first", value, words, value === "you")));
    refill(
      this.root,
      element("p", { class: "crumb" }, element("a", { href: routeTo("") }, "All games")),
      element("h1", {}, name),
      element("div", { class: "new-columns" }, element("div", { class: "panel card-picture large", "aria-hidden": "true" }, pictureOf(card)), form),
      this.rules,
    );
    await this.fit(await api.gameFacts(this.chooser.text));
    if (card.own) await this.offerStrength(card.id);
  }

  /** A game of the user's is learned, and gets levels that are measured, by the server's queue of work. */
  async offerStrength(game) {
    if (!(await api.work()).allowed) return;
    const start = async () => {
      await api.startWork("strong", { game });
      location.hash = routeTo("work");
    };
    const words = "Learns this game for a minute, and measures levels from random moves to the strongest.";
    refill(this.strength, button("Make it strong", () => attempt(start)), element("p", { class: "soft small" }, words));
  }

  /** What depends on the game's settings: levels, seats, rules. */
  async fit(facts) {
    const [players, levels] = await Promise.all([api.players(facts.game), api.levels(facts.game)]);
    this.facts = facts;
    this.known = levels;
    const chosen = levels.findIndex((each) => each.name === (preference("level") || "easy"));
    const usual = Math.max(0, chosen); // the first visit begins with an easy opponent
    refill(
      this.levels,
      levels.map((each, i) => radio("level", each.name, each.words, i === usual)),
      facts.players > 1 ? radio("level", PERSON, "Another person", !levels.length) : null,
    );
    this.levels.closest("fieldset").hidden = facts.players < 2;
    this.root.querySelector(".first").hidden = facts.players < 2;
    this.choosers = Array.from(
      { length: facts.players },
      (_, i) => new PlayerChooser({ players, spec: PERSON, label: `Seat ${i + 1}`, person: true, onchange: () => (this.byName = true) }),
    );
    this.byName = false;
    refill(
      this.seats,
      element("p", { class: "soft small" }, "Players chosen here take the place of the levels above."),
      this.choosers.map((each, i) =>
        element("fieldset", {}, element("legend", {}, element("span", { class: `seat-dot player${(i % 6) + 1}` }), ` Seat ${i + 1}`), each.element),
      ),
    );
    refill(this.rules.querySelector(".prose"), prose(facts.rules));
    this.play.disabled = this.both.disabled = false;
  }

  chosen(name) {
    return this.root.querySelector(`input[name=${name}]:checked`)?.value;
  }

  opponent(level = this.chosen("level")) {
    return this.known.find((each) => each.name === level)?.player ?? PERSON;
  }

  start() {
    const { players } = this.facts;
    if (this.known.some((each) => each.name === this.chosen("level"))) prefer("level", this.chosen("level"));
    let seats = this.choosers.map((each) => each.text);
    if (!this.byName) {
      const begins = { you: 0, other: players - 1, lot: Math.floor(Math.random() * players) }[this.chosen("first")];
      seats = Array.from({ length: players }, (_, i) => (i === begins ? PERSON : this.opponent()));
    }
    this.go(seats);
  }

  /** Two of the same strength, or the players that were named. */
  watch() {
    const strongest = this.known.at(-1)?.name;
    const level = this.chosen("level") === PERSON ? strongest : this.chosen("level");
    const named = this.choosers.map((each) => each.text);
    this.go(named.map((spec) => (spec === PERSON ? this.opponent(level) : spec)));
  }

  go(seats) {
    location.hash = routeTo("play", { game: this.chooser.text, seats, new: 1 });
  }

  leave() {}
}

function radio(name, value, words, checked) {
  return element("label", { class: "choice" }, element("input", { type: "radio", name, value, checked }), element("span", {}, words));
}
