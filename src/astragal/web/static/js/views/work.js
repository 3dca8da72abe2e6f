// Work that the server does: forms for a match, a tournament or a learning run, and the queue.

import * as api from "../api.js";
import { announce, attempt } from "../announce.js";
import { button, element, refill } from "../dom.js";
import { rememberRoute } from "../route.js";
import { WorkCard } from "../work/card.js";
import { ContestForm, LearnForm } from "../work/forms.js";
import { kindWords, spoken } from "../work/words.js";

const LOOK_MS = 1500; // between looks at the queue, or ten times as long as one takes
const KINDS = ["match", "tournament", "learn"];

export function show(root, options) {
  const view = new WorkView(options);
  root.append(view.element);
  attempt(() => view.begin());
  return view;
}

class WorkView {
  constructor(options) {
    this.options = options;
    this.kind = KINDS.includes(options.get("kind")) ? options.get("kind") : "match";
    this.tabs = element(
      "div",
      { class: "segments", role: "group", "aria-label": "What to start" },
      KINDS.map((kind) => button(kindWords(kind), () => attempt(() => this.turnTo(kind)), { "data-kind": kind })),
    );
    this.form = element("div", {});
    this.list = element("ul", { class: "queue" });
    this.none = element("p", { class: "soft" }, "Nothing was started yet.");
    this.start = element("section", { class: "stack", "aria-label": "New work" }, this.tabs, this.form);
    this.queue = element("section", { class: "stack" }, (this.head = element("h2", { tabindex: "-1" }, "Queue")), this.none, this.list);
    this.element = element("div", { class: "stack" }, element("h1", {}, "Work"), element("div", { class: "work-view" }, this.start, this.queue));
    this.cards = new Map();
    this.states = new Map();
  }

  async begin() {
    const facts = await api.work();
    if (!facts.allowed) {
      refill(this.element, element("h1", {}, "Work"), element("p", { class: "panel" }, "This server starts no work. Its operator can allow it: ", element("code", {}, "astragal web --work")));
      return;
    }
    this.facts = facts;
    await this.turnTo(this.kind);
    this.take(facts.work);
    this.wait(0);
  }

  async turnTo(kind) {
    this.kind = kind;
    for (const each of this.tabs.children) each.setAttribute("aria-pressed", String(each.dataset.kind === kind));
    rememberRoute("work", { kind: kind === "match" ? "" : kind, game: this.options.get("game") });
    const lack = this.lackOf(kind);
    if (lack) {
      refill(this.form, element("p", { class: "panel" }, lack));
      return;
    }
    const games = await api.games();
    const options = { games, game: this.options.get("game"), onsubmit: (body) => attempt(() => this.send(body)) };
    const made = kind === "learn" ? new LearnForm({ parameters: this.facts.learning, ...options }) : new ContestForm({ kind, ...options });
    await made.begin();
    if (this.kind !== kind) return; // another was chosen meanwhile
    refill(this.form, made.element);
  }

  /** What the server was not given. */
  lackOf(kind) {
    const needs = kind === "learn" ? [this.facts.models, "a folder for models", "--models ."] : [this.facts.results, "a file for results", "--db results.db"];
    return needs[0] === null ? ["This needs ", needs[1], ": ", element("code", {}, `astragal web ${needs[2]}`)] : null;
  }

  async send(body) {
    const made = await api.startWork(this.kind, body);
    announce(spoken(made));
    await this.look();
    this.cards.get(made.number)?.element.scrollIntoView({ block: "nearest" });
  }

  /** Look again after a while. */
  wait(took) {
    clearTimeout(this.timer);
    if (!this.left) this.timer = setTimeout(() => this.look().catch(() => this.wait(LOOK_MS)), Math.max(LOOK_MS, 10 * took));
  }

  async look() {
    const began = performance.now();
    this.take((await api.work()).work);
    this.wait(performance.now() - began);
  }

  take(pieces) {
    this.none.hidden = pieces.length > 0;
    const there = pieces.map((each) => {
      if (!this.cards.has(each.number)) this.cards.set(each.number, new WorkCard((act) => attempt(() => this.act(act, each.number))));
      return this.cards.get(each.number).element;
    });
    const same = there.length === this.list.children.length && there.every((each, i) => each === this.list.children[i]);
    if (!same) this.list.replaceChildren(...there);
    for (const each of pieces) {
      const before = this.states.get(each.number);
      if (before && before !== each.state) announce(spoken(each));
      if (before && before !== each.state && each.kind === "strong") api.forget(); // its levels are others now
      this.states.set(each.number, each.state);
      this.cards.get(each.number).show(each);
    }
  }

  async act(name, number) {
    await { stop: api.stopWork, resume: api.resumeWork, remove: api.removeWork }[name](number);
    if (name === "remove") this.head.focus();
    await this.look();
  }

  leave() {
    this.left = true;
    clearTimeout(this.timer);
  }
}
