// Every move as a button, with a filter where there are many.

import { button, element, refill } from "../dom.js";
import { plural } from "../words.js";

const MANY = 12;
const MOST = 60; // buttons at a time

export class MoveList {
  /** `onpoint` is told the number of a move under the pointer or with the focus, then null. */
  constructor(onchoose, onpoint = () => {}) {
    this.onchoose = onchoose;
    this.onpoint = onpoint;
    this.heading = element("h2", {}, "Moves");
    this.filter = element("input", {
      type: "search",
      placeholder: "filter",
      "aria-label": "Filter the moves",
      oninput: () => this.fill(),
    });
    this.list = element("div", { class: "moves", role: "group", "aria-label": "Moves" });
    this.rest = element("p", { class: "soft small" });
    this.element = element(
      "section",
      { class: "panel" },
      element("div", { class: "row spread" }, this.heading, this.filter),
      this.list,
      this.rest,
    );
    this.choices = [];
  }

  /** Offer [{number, name}, ...]; where there are none the list is hidden, or keeps its place until there are some. */
  show(choices, { heading = "Moves", stays = false } = {}) {
    const { height } = this.element.getBoundingClientRect();
    this.element.style.minHeight = stays && !choices.length && height ? `${height}px` : "";
    this.choices = choices;
    this.heading.textContent = heading;
    this.element.hidden = !choices.length && !stays;
    this.filter.hidden = choices.length <= MANY;
    this.filter.value = "";
    this.fill();
  }

  /** Give the focus to the first move; whether there is one. */
  focus() {
    this.list.querySelector("button")?.focus({ preventScroll: true });
    return this.list.contains(document.activeElement);
  }

  fill() {
    const wanted = this.filter.value.trim().toLowerCase();
    const matching = this.choices.filter((each) => each.name.toLowerCase().includes(wanted));
    refill(
      this.list,
      matching.slice(0, MOST).map((each) => this.button(each)),
    );
    this.rest.textContent =
      matching.length > MOST ? `and ${plural(matching.length - MOST, "more")}`.replace(/s$/, "") : "";
    this.rest.hidden = !this.rest.textContent;
  }

  button(each) {
    const chance =
      each.probability === undefined
        ? null
        : element("span", { class: "soft" }, ` ${(100 * each.probability).toFixed(1)} %`);
    return button([each.name, chance], () => this.onchoose(each.number), {
      "data-number": each.number,
      onpointerenter: () => this.onpoint(each.number),
      onpointerleave: () => this.onpoint(null),
      onfocus: () => this.onpoint(each.number),
      onblur: () => this.onpoint(null),
    });
  }
}
