// The choice of a game with its settings. Settings that do not fit are answered by the server's sentence.

import * as api from "../api.js";
import { choice, element, field, refill } from "../dom.js";
import { nameAndAbout } from "../words.js";
import { SettingsForm } from "./settings.js";
import { parseSpec, writeSpec } from "./spec.js";

const FIRST = "pig";

/** The game to begin with, before anybody has chosen one. */
export const firstGame = (games) => (games.find((each) => each.id === FIRST) ?? games[0]).id;

export class GameChooser {
  /** Where the game itself is `fixed`, only its settings are chosen. `onchange` is called with the game's facts (seats, range, ...) whenever another game is chosen. */
  constructor({ games, game, onchange, fixed = false }) {
    this.games = games;
    this.onchange = onchange;
    const { name, values } = parseSpec(game);
    const pairs = games.map((each) => [each.id, `${nameAndAbout(each)[0]}${each.own ? " (yours)" : ""}`]);
    this.select = choice(pairs, name, (chosen) => this.take(chosen));
    this.about = element("p", { class: "soft small" });
    this.problem = element("p", { class: "problem small", role: "alert" });
    this.holder = element("div");
    this.element = element(
      "div",
      { class: "stack tight" },
      fixed ? null : field("Game", this.select),
      fixed ? null : this.about,
      this.holder,
      this.problem,
    );
    this.set(games.some((each) => each.id === name) ? name : games[0].id, values);
  }

  get text() {
    return writeSpec(this.select.value, this.form.values);
  }

  take(id) {
    this.set(id, {});
    this.changed();
  }

  set(id, values) {
    this.select.value = id;
    const { about, parameters } = this.games.find((each) => each.id === id);
    this.about.textContent = nameAndAbout({ id, about })[1];
    this.form = new SettingsForm(parameters, values, () => this.changed());
    refill(this.holder, parameters.length ? this.form.element : null);
  }

  /** Only what was chosen last counts, whichever answer comes first. */
  async changed() {
    const { text } = this;
    try {
      const facts = await api.gameFacts(text);
      if (text !== this.text) return;
      this.problem.textContent = "";
      this.onchange(facts);
    } catch (problem) {
      if (text === this.text) this.problem.textContent = problem.message;
    }
  }
}
