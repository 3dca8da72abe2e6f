// A position on the page: its picture, or its text where there is none.

import { Board } from "../board/board.js";
import { element, refill } from "../dom.js";

export class PositionView {
  constructor({ onaction = null, onhalf, label = "Board" } = {}) {
    this.board = new Board({ onaction, onhalf, label });
    this.text = element("pre", { class: "show", tabindex: 0, "aria-label": label });
    this.note = element("p", { class: "note" });
    this.element = element("div", { class: "position" });
  }

  /** Give the focus to what can be clicked, or wait for it. */
  focus() {
    if (this.board.svg.isConnected) this.board.focus();
    else this.text.focus({ preventScroll: true });
  }

  /** Whether an element has the focus only until there is something to click. */
  waits(focused) {
    return focused === this.board.svg || focused === this.text;
  }

  /** Resolves when nothing moves any more. */
  show(position, { last = [], active = false, animate = true } = {}) {
    const { picture } = position;
    this.note.textContent = picture?.note ?? "";
    if (!picture) {
      this.text.textContent = position.show;
      refill(this.element, this.text);
      return Promise.resolve();
    }
    if (this.element.firstChild !== this.board.svg) refill(this.element, this.board.svg, this.note);
    return this.board.show(picture, { last, active, animate });
  }
}
