// The forms for new work: a match, a tournament or a learning run.

import * as api from "../api.js";
import { attempt } from "../announce.js";
import { button, choice, element, field, refill } from "../dom.js";
import { firstGame, GameChooser } from "../forms/game.js";
import { PlayerChooser, usualPlayer } from "../forms/player.js";
import { SettingsForm } from "../forms/settings.js";
import { writeSpec } from "../forms/spec.js";
import { fileName, LIMITS, limitOf } from "./words.js";

const number = (value, attributes = {}) => element("input", { type: "number", value, required: true, ...attributes });

/** A form whose game is chosen first; `onsubmit` gets the body of the request. */
class OrderForm {
  constructor({ games, game, onsubmit }) {
    const known = games.some((each) => each.id === (game ?? "").split(":")[0]);
    this.chooser = new GameChooser({ games, game: known ? game : firstGame(games), onchange: (facts) => attempt(() => this.fit(facts)) });
    this.rest = element("div", { class: "stack tight" });
    this.start = element("button", { type: "submit", class: "main" }, "Start");
    this.element = element(
      "form",
      { class: "panel stack work-form", onsubmit: (event) => (event.preventDefault(), onsubmit(this.body)) },
      this.chooser.element,
      this.rest,
      element("div", { class: "row" }, this.start),
    );
  }

  async begin() {
    await this.fit(await api.gameFacts(this.chooser.text));
  }
}

export class ContestForm extends OrderForm {
  constructor({ kind, ...options }) {
    super(options);
    this.kind = kind;
    this.places = element("div", { class: "work-players" });
    this.more = button("Add a player", () => this.add());
    this.games = number(100, { min: 2, step: 1, inputmode: "numeric" });
    this.limit = choice(LIMITS, "time", (chosen) => this.turnTo(chosen));
    this.amount = number(0.1, { min: 0, step: "any", inputmode: "decimal" });
    this.amountField = field("How much", this.amount);
    this.seed = number(0, { min: 0, step: 1, inputmode: "numeric" });
    this.format = choice([["round-robin", "Everyone against everyone"], ["gauntlet", "The first against all others"]], "round-robin");
    this.low = element("input", { type: "number", step: "any", placeholder: "none" });
    this.high = element("input", { type: "number", step: "any", placeholder: "none" });
    const duel = kind === "match";
    refill(
      this.rest,
      this.places,
      element("div", { class: "row" }, this.more),
      element(
        "div",
        { class: "settings" },
        field(duel ? "Games" : "Games of each two", this.games),
        field("A move is limited by", this.limit),
        this.amountField,
        duel ? null : field("Who meets whom", this.format),
      ),
      element(
        "details",
        {},
        element("summary", {}, duel ? "Seed and sequential test" : "Seed"),
        element(
          "div",
          { class: "settings" },
          field("Seed", this.seed),
          duel ? [field("Test: Elo of H0", this.low), field("Elo of H1", this.high)] : null,
        ),
        duel ? element("p", { class: "soft small" }, "With both numbers, games are played until the test decides, or there are as many as above.") : null,
      ),
    );
  }

  turnTo(kind) {
    this.amountField.hidden = !kind;
    const usual = { time: 0.1, nodes: 10000, sims: 1000, depth: 3 }[kind];
    if (usual) this.amount.value = usual;
  }

  async fit(facts) {
    this.facts = facts;
    this.players = await api.players(facts.game);
    const before = (this.choosers ?? []).map((each) => each.text);
    const names = this.players.filter((each) => each.fits).map((each) => each.name);
    const usual = [usualPlayer(this.players), names.includes("uct") && usualPlayer(this.players) !== "uct" ? "uct" : "random"];
    const kept = before.filter((spec) => names.includes(spec.split(":")[0]));
    this.choosers = [];
    for (const spec of kept.length > 1 ? kept : usual) this.add(spec);
  }

  add(spec = usualPlayer(this.players)) {
    this.choosers.push(new PlayerChooser({ players: this.players, spec, label: `Player ${this.choosers.length + 1}` }));
    this.showPlaces();
  }

  showPlaces() {
    refill(
      this.places,
      this.choosers.map((each, i) => {
        each.select.setAttribute("aria-label", `Player ${i + 1}`);
        const remove = button("Remove", () => (this.choosers.splice(i, 1), this.showPlaces(), this.more.focus()), {
          class: "quiet",
          "aria-label": `Remove player ${i + 1}`,
        });
        const legend = element("legend", {}, `Player ${i + 1}`);
        return element("fieldset", {}, legend, each.element, this.choosers.length > 2 ? remove : null);
      }),
    );
    const most = this.kind === "match" ? Math.max(2, this.facts.players) : 16;
    this.more.hidden = this.choosers.length >= most;
  }

  get body() {
    const { low, high } = this;
    const body = {
      game: this.chooser.text,
      players: this.choosers.map((each) => each.text),
      games: Number(this.games.value),
      seed: Number(this.seed.value),
      ...limitOf(this.limit.value, this.amount.value),
    };
    if (this.kind === "tournament") return { ...body, format: this.format.value };
    return low.value !== "" && high.value !== "" ? { ...body, sprt: [Number(low.value), Number(high.value)] } : body;
  }
}

export class LearnForm extends OrderForm {
  constructor({ parameters, ...options }) {
    super(options);
    this.name = element("input", { type: "text", required: true, pattern: "[A-Za-z0-9][A-Za-z0-9_\\-]*", maxlength: 60, autocomplete: "off", spellcheck: "false" });
    this.minutes = number(5, { min: 0.1, step: "any", inputmode: "decimal" });
    this.settings = new SettingsForm(parameters);
    refill(
      this.rest,
      element("div", { class: "settings" }, field("Name of the model", this.name), field("Minutes of the processor, in all", this.minutes)),
      element("details", {}, element("summary", {}, "Settings of learning"), this.settings.element),
    );
  }

  async fit(facts) {
    this.name.value = fileName(facts.game);
  }

  get body() {
    const settings = writeSpec("", this.settings.values).slice(1);
    return { game: this.chooser.text, name: this.name.value.trim(), minutes: Number(this.minutes.value), settings };
  }
}
