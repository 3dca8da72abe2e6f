// Who sits where, who is to move, and what they have won.

import { element, refill } from "../dom.js";
import { signed } from "../words.js";
import { PERSON } from "../forms/player.js";

export class SeatStrip {
  constructor() {
    this.element = element("ul", { class: "seats", "aria-label": "Players" });
  }

  /** `levels` are the opponents that people know by other names. */
  show(session, levels = []) {
    const { utilities, player, kind } = session.position;
    const people = session.seats.filter((spec) => spec === PERSON).length;
    refill(
      this.element,
      session.seats.map((spec, i) => {
        const level = levels.find((each) => each.player === spec);
        const who = spec === PERSON ? (people > 1 ? "person" : "you") : (level?.words.toLowerCase() ?? spec);
        const turn = kind === "decision" ? player === i + 1 : kind === "chance" && session.to_move.roller === i + 1;
        const score = utilities ? element("span", { class: "number" }, signed(utilities[i], 0)) : null;
        const dot = element("span", { class: `seat-dot player${(i % 6) + 1}`, "aria-hidden": "true" });
        return element(
          "li",
          { class: turn ? "turn" : "", "aria-current": turn ? "true" : null, title: spec },
          dot,
          element("span", {}, `Player ${i + 1}`),
          element("span", { class: level || spec === PERSON ? "soft" : "soft code" }, who),
          score,
        );
      }),
    );
  }
}
