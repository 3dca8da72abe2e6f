// The steps of a game so far; any of them can be looked at again.

import { button, element, refill } from "../dom.js";
import { signed } from "../words.js";

export class StepList {
  constructor(onlook, title = "So far") {
    this.onlook = onlook;
    this.list = element("ol", { class: "steps" });
    this.none = element("p", { class: "soft small" }, "No move yet.");
    this.element = element("section", { class: "panel" }, element("h2", {}, title), this.list, this.none);
  }

  /** `looking` is the step whose position is on the board, if it is not the last. */
  show(steps, looking = null) {
    this.none.hidden = steps.length > 0;
    const focused = [...this.list.children].findIndex((item) => item.contains(document.activeElement));
    refill(
      this.list,
      steps.map((step) => this.item(step, looking)),
    );
    this.list.children[focused]?.querySelector("button").focus({ preventScroll: true });
    const now = this.list.querySelector("[aria-current]") ?? this.list.lastElementChild;
    if (now) this.list.scrollTop = now.offsetTop - this.list.offsetTop - this.list.clientHeight + now.offsetHeight + 8;
  }

  item(step, looking) {
    const who = step.player ? `player${((step.player - 1) % 6) + 1}` : "chance";
    const { thought } = step;
    const value =
      thought && thought.value !== null ? element("span", { class: "soft number" }, signed(thought.value)) : null;
    const title = thought
      ? `${thought.player}: depth ${thought.depth}, ${thought.nodes} nodes, ${thought.seconds?.toFixed(2)} s`
      : "";
    const label = `${step.ply}. ${step.player ? `Player ${step.player}` : "Chance"}: ${step.name}`;
    const parts = [element("span", { class: `seat-dot ${who}` }), element("span", {}, step.name), value];
    const current = step.ply === looking ? "step" : null;
    return element(
      "li",
      { "aria-current": current },
      button(parts, () => this.onlook(step.ply), { class: "quiet small", "aria-label": label, title }),
    );
  }
}
