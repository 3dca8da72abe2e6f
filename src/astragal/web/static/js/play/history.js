// The steps of a game so far, turn by turn; any of them can be looked at again.

import { button, element, refill } from "../dom.js";
import { signed } from "../words.js";
import { turnsOf } from "./telling.js";

const LONG = 48; // letters of what is told in the list

export class StepList {
  constructor(onlook, title = "So far") {
    this.onlook = onlook;
    this.list = element("ol", { class: "steps" });
    this.none = element("p", { class: "soft small" }, "No move yet.");
    this.element = element("section", { class: "panel" }, element("h2", {}, title), this.none, this.list);
  }

  /** `looking` is the step whose position is on the board, if it is not the last. */
  show(steps, looking = null, name = (seat) => `Player ${seat}`) {
    this.none.hidden = steps.length > 0;
    const focused = [...this.list.querySelectorAll("button")].indexOf(document.activeElement);
    refill(
      this.list,
      turnsOf(steps).map((turn, i) => this.turn(turn, i, looking, name)),
    );
    this.list.querySelectorAll("button")[focused]?.focus({ preventScroll: true });
    const now = this.list.querySelector("[aria-current]")?.closest("li") ?? this.list.lastElementChild;
    if (now) this.list.scrollTop = now.offsetTop - this.list.offsetTop - this.list.clientHeight + now.offsetHeight + 8;
  }

  turn({ of, steps }, i, looking, name) {
    const who = of ? `player${((of - 1) % 6) + 1}` : "chance";
    return element(
      "li",
      {},
      element("span", { class: "soft number turn-number" }, `${i + 1}.`),
      element("span", { class: `seat-dot ${who}`, "aria-hidden": "true" }),
      element("span", { class: "unseen" }, of ? `${name(of)}: ` : "Chance: "),
      steps.map((step) => this.step(step, looking)),
    );
  }

  step(step, looking) {
    const { thought } = step;
    const told = thought && thought.value !== null && thought.value !== undefined;
    const title = thought
      ? `${thought.player}: ${told ? `value ${signed(thought.value)}, ` : ""}depth ${thought.depth}, ${thought.nodes} nodes, ${thought.seconds?.toFixed(2)} s`
      : "";
    const label = `${step.ply}. ${step.player ? `Player ${step.player}` : "Chance"}: ${step.name}`;
    const words = step.player ? step.name : element("span", { class: "rolled" }, step.name);
    const lost = step.event ? element("span", { class: "soft" }, ` (${briefly(step.event)})`) : null;
    const current = step.ply === looking ? "step" : null;
    return button([words, lost], () => this.onlook(step.ply), {
      class: "quiet small",
      "aria-label": `${label}${step.event ? `: ${step.event}` : ""}`,
      "aria-current": current,
      title,
    });
  }
}

/** What happened, without its details where these are many. */
const briefly = (event) => (event.length > LONG ? event.split(":")[0] : event);
