// The form for a new game: which one, with which settings, and who sits where.

import * as api from "../api.js";
import { attempt } from "../announce.js";
import { button, element, field, refill } from "../dom.js";
import { GameChooser } from "../forms/game.js";
import { parseSpec } from "../forms/spec.js";
import { PERSON, PlayerChooser, usualPlayer } from "../forms/player.js";

export class NewGame {
  /** `onstart` is told {game, seats, seed}; `onseats` only seats, for the game under way. */
  constructor({ games, game, seats, onstart, onseats }) {
    this.onseats = onseats;
    this.started = game;
    this.chooser = new GameChooser({ games, game, onchange: (facts) => this.reseat(facts) });
    this.seed = element("input", { type: "number", min: 0, step: 1, placeholder: "drawn", inputmode: "numeric" });
    this.places = element("div", { class: "stack tight" });
    this.change = button("Change the seats only", () => onseats(this.seats));
    const form = element(
      "form",
      {
        class: "stack tight",
        onsubmit: (event) => (
          event.preventDefault(),
          onstart({
            game: this.chooser.text,
            seats: this.seats,
            seed: this.seed.value === "" ? null : Number(this.seed.value),
          })
        ),
      },
      this.chooser.element,
      this.places,
      field("Seed of the dice", this.seed, "The same seed gives the same dice"),
      element("div", { class: "row" }, element("button", { type: "submit", class: "main" }, "Start"), this.change),
    );
    this.element = form;
    this.first = seats;
  }

  get seats() {
    return this.choosers.map((each) => each.text);
  }

  /** Seats for the game that is chosen; whoever sat there stays, if that fits. */
  async reseat(facts) {
    await attempt(async () => {
      this.seated = facts.game;
      const players = await api.players(facts.game);
      if (this.seated !== facts.game) return; // another was chosen meanwhile
      const before = this.choosers ? this.seats : this.first;
      this.choosers = Array.from({ length: facts.players }, (_, i) => this.chooserFor(i, players, before[i]));
      refill(
        this.places,
        this.choosers.map((each, i) =>
          element(
            "fieldset",
            {},
            element("legend", {}, element("span", { class: `seat-dot player${(i % 6) + 1}` }), ` Player ${i + 1}`),
            each.element,
          ),
        ),
      );
      this.change.hidden = facts.game !== this.started;
    });
  }

  chooserFor(i, players, spec) {
    const usual = i ? usualPlayer(players) : PERSON;
    const fits = spec === PERSON || players.some((each) => each.fits && each.name === parseSpec(spec ?? "").name);
    return new PlayerChooser({ players, spec: spec === undefined ? usual : fits ? spec : usualPlayer(players), label: `Player ${i + 1}`, person: true });
  }

  /** The game that is being played now, with its seats. */
  async follow(session) {
    this.started = session.game;
    this.first = session.seats;
    this.choosers = null;
    await this.reseat(await api.gameFacts(session.game));
  }
}
