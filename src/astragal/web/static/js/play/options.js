// How somebody likes to play: who rolls the dice, how fast things move, sounds, and asking before a move is made.

import { choice, element, field } from "../dom.js";
import { prefer, preference } from "../preferences.js";

export class PlayOptions {
  /** `onchange` is called after any of them has changed. */
  constructor(onchange) {
    this.byHand = element("input", { type: "checkbox", onchange });
    this.dice = element("label", { class: "tick small" }, this.byHand, " I roll the dice myself");
    const tick = (name, words) => {
      const input = element("input", {
        type: "checkbox",
        checked: preference(name) === "on",
        onchange: () => (prefer(name, input.checked ? "on" : "off"), onchange()),
      });
      return element("label", { class: "tick small" }, input, ` ${words}`);
    };
    const roll = element("input", {
      type: "checkbox",
      checked: preference("roll") !== "click",
      onchange: () => (prefer("roll", roll.checked ? "auto" : "click"), onchange()),
    });
    this.auto = element("label", { class: "tick small" }, roll, " Dice roll by themselves");
    const speeds = ["slow", "normal", "fast", "instant"].map((each) => [each, each]);
    const speed = choice(speeds, preference("speed"), (chosen) => prefer("speed", chosen));
    this.element = element(
      "details",
      { class: "panel options" },
      element("summary", {}, "Options"),
      element(
        "div",
        { class: "stack tight" },
        this.auto,
        this.dice,
        tick("confirm", "Ask before a move is made"),
        tick("sound", "Sounds"),
        field("Speed", speed),
      ),
    );
  }

  /** Only what a game has a use for. */
  fit(chance) {
    this.auto.hidden = this.dice.hidden = !chance;
  }
}
