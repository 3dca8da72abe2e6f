// A game that was played, step by step on the board, with what each player thought.

import * as api from "../api.js";
import { announce, attempt } from "../announce.js";
import { button, calm, element, refill } from "../dom.js";
import { graphOf } from "../parts/evaluation.js";
import { ReviewView } from "../parts/review.js";
import { PositionView } from "../parts/position.js";
import { StepList } from "../play/history.js";
import { saveGame } from "../play/keeping.js";
import { rememberRoute, routeTo } from "../route.js";
import { brief, seconds, signed } from "../words.js";

const PACE = 900; // milliseconds a step

export class Replay {
  constructor(number, pair, game, ply) {
    Object.assign(this, { number, pair, game, ply: ply ?? 0 });
    this.view = new PositionView({ label: "Board of the replay" });
    this.steps = new StepList((wanted) => this.go(wanted), "Steps");
    this.slider = element("input", {
      type: "range",
      min: 0,
      value: 0,
      "aria-label": "Step",
      oninput: () => this.go(Number(this.slider.value)),
    });
    this.auto = button("Run", () => this.toggle(), { "aria-pressed": "false" });
    const step = (words, by, label) =>
      button(words, () => this.go(by(this.ply)), { class: "icon", "aria-label": label });
    const tools = element(
      "div",
      { class: "row" },
      step("«", () => 0, "First"),
      step("‹", (ply) => ply - 1, "Back"),
      step("›", (ply) => ply + 1, "Forward"),
      step("»", () => this.last, "Last"),
      this.auto,
    );
    this.review = new ReviewView({
      ask: (wanted, listen, signal) => api.reviewRecord(number, pair, game, wanted, listen, signal),
      onlook: (wanted, moves) => this.go(wanted, true, moves),
      name: (seat) => `Player ${seat}`,
    });
    this.status = element("p", { class: "status", role: "status" });
    this.thought = element("dl", { class: "facts" });
    this.graph = element("div", { class: "thoughts" });
    this.title = element("h1");
    const link = element("a", { href: routeTo("results", { contest: number }) }, "The contest");
    const left = element("div", { class: "panel table" }, this.status, this.view.element, this.slider, tools);
    this.inside = element("a", { class: "button quiet" }, "Look inside");
    tools.append(button("Save game", () => attempt(() => this.save())), this.inside);
    const right = element(
      "div",
      { class: "stack" },
      element(
        "section",
        { class: "panel stack tight" },
        element("h2", {}, "What they thought"),
        this.thought,
        this.graph,
      ),
      this.review.element,
      this.steps.element,
    );
    this.element = element(
      "div",
      { class: "stack" },
      element("p", {}, link),
      this.title,
      element("div", { class: "replay-view" }, left, right),
    );
    this.onkey = (event) => this.pressed(event);
    document.addEventListener("keydown", this.onkey); // wherever the focus is: nothing else here takes these keys
  }

  async begin() {
    this.record = await api.gameRecord(this.number, this.pair, this.game);
    this.last = this.record.positions - 1;
    this.review.offerProofs(this.record.proves);
    this.slider.max = this.last;
    this.title.textContent = `${this.record.game}: ${this.record.seats.join(" – ")}`;
    await this.go(this.ply, false);
  }

  /** As a file that the page and `astragal review` read. */
  async save() {
    saveGame(this.record.game, await api.recordFile(this.number, this.pair, this.game));
  }

  /** Show the position after so many steps, with some moves drawn on it. */
  async go(ply, animate = true, moves = []) {
    if (!this.record) return;
    const wanted = Math.max(0, Math.min(this.last, ply));
    this.ply = wanted;
    await attempt(async () => {
      const { position, step, last_keys: last } = await api.recordAt(this.number, this.pair, this.game, wanted);
      if (wanted !== this.ply) return; // somebody was quicker
      this.slider.value = wanted;
      this.steps.show(this.record.steps, wanted);
      this.showThought(step);
      this.status.textContent = this.words(step, position);
      announce(this.status.textContent);
      this.inside.href = routeTo("analyse", { game: this.record.game, position: position.text });
      rememberRoute("results", { contest: this.number, pair: this.pair, game: this.game, ply: wanted });
      await this.view.show(position, { last, animate });
      this.view.board.point(moves);
    });
  }

  words(step, position) {
    const count = `Step ${this.ply} of ${this.last}`;
    const done = step
      ? `: ${step.player ? `player ${step.player}` : "chance"} ${step.player ? "plays" : "gives"} ${step.name}`
      : ": the start";
    const won = position.utilities ? `. Result: ${position.utilities.map((each) => signed(each, 0)).join("  ")}` : "";
    return `${count}${done}${won}.`;
  }

  showThought(step) {
    const thought = step?.thought;
    const pairs = thought
      ? [
          ["player", thought.player],
          ["value", signed(thought.value)],
          ["depth", thought.depth ?? "–"],
          ["nodes", brief(thought.nodes ?? 0)],
          ["time", seconds(thought.seconds)],
        ]
      : [["player", step?.kind ?? (step ? "chance" : "–")]];
    refill(
      this.thought,
      pairs.map(([name, value]) =>
        element("div", {}, element("dt", {}, name), element("dd", { class: "number" }, value)),
      ),
    );
    refill(this.graph, this.curve());
  }

  /** Everybody's values over the game, each for the player who thought. */
  curve() {
    const told = this.record.steps.filter((step) => step.thought && step.thought.value !== null && step.thought.value !== undefined);
    return graphOf(
      told.map((step) => ({ ply: step.ply, seat: step.player, value: step.thought.value, chances: false })),
      {
        plies: this.last,
        now: this.ply,
        seats: 0, // players think on scales of their own: a line for each
        measure: { range: [0, 1], measure: "score" },
        name: (seat) => `Player ${seat}`,
        onlook: (ply) => this.go(ply),
      },
    );
  }

  toggle() {
    if (this.timer) this.halt();
    else {
      if (this.ply === this.last) this.ply = -1;
      this.auto.setAttribute("aria-pressed", "true");
      const onward = () => (this.ply >= this.last ? this.halt() : this.go(this.ply + 1, !calm()));
      onward();
      this.timer = setInterval(onward, PACE);
    }
  }

  halt() {
    clearInterval(this.timer);
    this.timer = null;
    this.auto.setAttribute("aria-pressed", "false");
  }

  pressed(event) {
    if (!this.record || event.target.matches("input") || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "ArrowRight") this.go(this.ply + 1);
    else if (event.key === "ArrowLeft") this.go(this.ply - 1);
    else return;
    event.preventDefault();
  }

  leave() {
    this.review.forget();
    document.removeEventListener("keydown", this.onkey);
    this.halt();
  }
}
