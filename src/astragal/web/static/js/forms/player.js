// The choice of a player with all its settings, or of a person.

import { complain } from "../announce.js";
import { choice, element, freshId, refill } from "../dom.js";
import { SettingsForm } from "./settings.js";
import { parseSpec, writeSpec } from "./spec.js";

export const PERSON = "person";
const USUAL = ["star2", "alphabeta", "uct", "maxn", "mcts", "random"]; // the first that fits is offered

/** A player that can be offered before anybody has chosen one. */
export function usualPlayer(players, wish = USUAL) {
  const fitting = players.filter((each) => each.fits).map((each) => each.name);
  return wish.find((name) => fitting.includes(name)) ?? fitting[0] ?? "random";
}

/** Say of players that a link names when others have to stand in for them. */
export function checkNamed(players, specs) {
  const missing = specs.filter((spec) => !players.some((each) => each.fits && each.name === parseSpec(spec).name));
  if (missing.length) complain(`There is no player for this game of the name ${missing.join(" or ")}.`);
}

export class PlayerChooser {
  /** `players` as the server lists them for the game; `spec` the text of the one chosen at first. */
  constructor({ players, spec, label, person = false, onchange = () => {} }) {
    this.players = players;
    this.onchange = onchange;
    const { name, values } = parseSpec(spec);
    const pairs = [
      ...(person ? [[PERSON, "Person"]] : []),
      ...players.filter((each) => each.fits).map((each) => [each.name, each.name]),
    ];
    this.select = choice(pairs, name, (chosen) => this.take(chosen), { "aria-label": label, class: "player" });
    const unfit = players.filter((each) => !each.fits);
    for (const each of unfit)
      this.select.append(
        element("option", { value: each.name, disabled: true, title: each.why }, `${each.name} (does not fit)`),
      );
    this.summary = element("summary");
    this.about = element("p", { class: "soft small", id: freshId("about") });
    this.holder = element("div");
    this.details = element("details", { class: "player-settings" }, this.summary, this.about, this.holder);
    this.select.setAttribute("aria-describedby", this.about.id);
    this.element = element("div", { class: "player-chooser" }, this.select, this.details);
    this.set(pairs.some(([value]) => value === name) ? name : pairs[0][0], values);
  }

  get name() {
    return this.select.value;
  }

  /** The text form, as on the command line. */
  get text() {
    return this.name === PERSON ? PERSON : writeSpec(this.name, this.form.values);
  }

  get facts() {
    return this.players.find((each) => each.name === this.name);
  }

  take(name) {
    this.set(name, {});
    this.onchange();
  }

  set(name, values) {
    this.select.value = name;
    this.details.hidden = name === PERSON;
    if (name === PERSON) return;
    this.about.textContent = this.facts.about;
    this.form = new SettingsForm(this.facts.parameters, values, () => {
      this.tell();
      this.onchange();
    });
    refill(this.holder, this.form.element);
    this.tell();
  }

  tell() {
    const values = Object.entries(this.form.values).map(([key, value]) => `${key}=${value}`);
    refill(this.summary, "Settings", values.length ? element("span", { class: "code" }, ` ${values.join(", ")}`) : "");
  }
}
