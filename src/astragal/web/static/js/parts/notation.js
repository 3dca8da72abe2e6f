// A position's notation, to copy and to paste.

import { element } from "../dom.js";
import { copyButton } from "./copy.js";

export class Notation {
  /** `onset` is told a notation that somebody wants to see. */
  constructor(onset) {
    this.input = element("input", {
      type: "text",
      class: "code",
      "aria-label": "Notation of the position",
      spellcheck: "false",
      autocomplete: "off",
    });
    this.form = element(
      "form",
      { class: "notation", onsubmit: (event) => (event.preventDefault(), onset(this.input.value.trim())) },
      this.input,
      element("button", { type: "submit" }, "Set"),
      copyButton("Copy", () => this.input.value),
    );
    this.element = this.form;
  }

  /** Show a position's text; one that was typed and refused stays, to be put right. */
  show(text) {
    if (text !== this.text) this.input.value = text;
    this.text = text;
  }
}
