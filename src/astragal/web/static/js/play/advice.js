// Advice to a person: a hint, first the move and then why; and who is ahead, at every position or when asked.

import * as api from "../api.js";
import { announce, attempt } from "../announce.js";
import { button, element, refill } from "../dom.js";
import { FoundView } from "../parts/found.js";
import { compilingText } from "../words.js";
import { worthWords } from "../parts/worth.js";

const HINT_SECONDS = 1.5;
const EVALUATION_SECONDS = 0.4;
const CANDIDATES = 3; // drawn on the board

export class Advice {
  /** `table` is whoever shows the game: its session, facts, board, and where a search is shown. */
  constructor(table) {
    this.table = table;
    this.words = element("p", { class: "hint-words", role: "status" });
    this.why = button("Why?", () => this.explain(), { class: "quiet", hidden: true });
    this.element = element("div", { class: "row hint", hidden: true }, this.words, this.why);
    this.values = new Map(); // what was found at a position, by its ply
  }

  /** Ask the analyst about the position on the table; null if that was broken off. */
  async ask(seconds, hear = () => {}) {
    const { session, facts } = this.table;
    this.stop();
    const mine = new AbortController();
    this.asking = mine;
    let found = null;
    const request = { players: [facts.analyst], seconds, tree: false };
    const listen = (event, data) => {
      if (event === "result") found = data;
      if (event === "failed") throw new Error(data.error);
      hear(event, data);
    };
    try {
      await this.table.alive((id) => api.analyse(id, request, listen, mine.signal));
    } catch (problem) {
      if (problem.name !== "AbortError") throw problem;
    } finally {
      if (this.asking === mine) this.asking = null;
    }
    if (mine.signal.aborted || session !== this.table.session) return null;
    return found;
  }

  stop() {
    this.asking?.abort();
    this.asking = null;
  }

  /** Another position: what was advised does not count any more. */
  forget() {
    this.stop();
    this.element.hidden = true;
    this.found = null;
    this.table.position.board.point([]);
  }

  takenBack(ply) {
    for (const known of this.values.keys()) if (known > ply) this.values.delete(known);
  }

  async hint() {
    this.element.hidden = false;
    this.why.hidden = true;
    this.words.textContent = "Looking for a good move …";
    await attempt(async () => {
      this.view = new FoundView({ title: "Why", ...this.table.measure });
      const found = await this.ask(HINT_SECONDS, (event, data) => {
        if (event === "compile") this.words.textContent = compilingText(data);
        if (event === "report" || event === "result") this.view.show(data);
      });
      if (!found) return;
      this.found = found;
      this.note(found);
      this.words.textContent = `Hint: ${found.best}`;
      this.why.hidden = false;
      this.table.position.board.point([{ number: found.best_number, kind: "best" }]);
      announce(this.words.textContent);
    });
    if (!this.found) this.element.hidden = true;
  }

  /** The best lines, and the best moves on the board with what they are worth. */
  explain() {
    this.why.hidden = true;
    this.table.showThoughts(this.view);
    this.table.position.board.point(this.candidates(this.found));
  }

  candidates({ actions, chances }) {
    const told = actions.filter((each) => each.value !== null && each.value !== undefined).slice(0, CANDIDATES);
    return told.map((each, i) => ({
      number: each.number,
      kind: i ? "other" : "best",
      text: worthWords(each.value, { ...this.table.measure, chances }),
    }));
  }

  /** Who is ahead now, if somebody wants to know. */
  async evaluate() {
    const { ply, position } = this.table.session;
    if (position.kind === "end" || this.values.has(ply) || !this.table.facts.analyst) return;
    await attempt(async () => {
      const found = await this.ask(EVALUATION_SECONDS);
      if (found) this.note(found);
    });
  }

  note(found) {
    const { session } = this.table;
    const seat = session.position.player ?? 1; // at a chance node values are for player 1
    this.values.set(session.ply, { seat, value: found.value, chances: found.chances });
    this.table.evaluated();
  }
}
