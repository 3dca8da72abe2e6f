// Learned evaluations and their learning curves; while one is being learned, its curve grows.

import * as api from "../api.js";
import { attempt } from "../announce.js";
import { element, refill } from "../dom.js";
import { chart } from "../results/chart.js";
import { percent } from "../words.js";

const LOOK_MS = 2000; // between looks at what is being learned
const ACTIVE_SECONDS = 300; // after its last round, one counts as being learned

export function show(root) {
  const view = new ModelsView();
  root.append(view.element);
  attempt(() => view.look());
  return view;
}

class ModelsView {
  constructor() {
    this.list = element("div", { class: "models" });
    this.folder = element("p", { class: "soft" });
    this.element = element("div", { class: "stack" }, element("h1", {}, "Learned evaluations"), this.folder, this.list);
    this.cards = new Map(); // kind and name -> what is shown of a model, and its card
  }

  async look() {
    const { folder, models } = await api.models();
    refill(this.folder, folderWords(folder));
    const cards = models.map((model) => this.cardOf(model));
    const same = cards.length === this.list.children.length && cards.every((card, i) => card === this.list.children[i]);
    if (!same) this.list.replaceChildren(...cards); // what is open stays open where nothing has changed
    if (folder !== null && !this.left) this.timer = setTimeout(() => this.look().catch(() => {}), LOOK_MS);
  }

  /** The card of a model, made anew only when there is more to show. */
  cardOf(model) {
    const key = `${model.kind} ${model.name}`;
    const told = JSON.stringify([model.games, model.points.length, isActive(model)]);
    const known = this.cards.get(key);
    if (known?.told === told) return known.card;
    const column = parseFloat(getComputedStyle(this.list).gridTemplateColumns); // the first of them, in pixels
    const made = card(model, column - 40);
    const details = known?.card.querySelector("details");
    if (details?.open) made.querySelector("details").open = true;
    this.cards.set(key, { told, card: made });
    return made;
  }

  leave() {
    this.left = true;
    clearTimeout(this.timer);
  }
}

function folderWords(folder) {
  if (folder !== null) return [element("code", {}, "astragal learn"), ` in the folder ${folder} is followed here.`];
  return ["To follow ", element("code", {}, "astragal learn GAME"), ", name its folder: ", element("code", {}, "astragal web --models .")];
}

const isActive = (model) => model.kind === "checkpoint" && model.age < ACTIVE_SECONDS;

const KINDS = { shipped: "comes with Astragal", file: "a model", checkpoint: "a checkpoint" };

function card(model, room) {
  const kind = isActive(model) ? "is being learned" : KINDS[model.kind];
  const facts = [
    model.games ? `${model.games.toLocaleString("en")} games of self-play` : null,
    model.inputs ? `${model.inputs.toLocaleString("en")} inputs` : null,
    model.hidden === 0 ? "a sum of weights" : model.hidden ? `${model.hidden} hidden units` : null,
    model.processor_seconds ? `${(model.processor_seconds / 60).toFixed(1)} minutes of the processor` : null,
  ];
  return element(
    "section",
    { class: "panel", "data-model": model.name, "data-kind": model.kind },
    element("div", { class: "row spread" }, element("h2", {}, model.name), element("span", { class: "soft" }, kind)),
    element("p", { class: "small" }, [model.game, ...facts.filter(Boolean)].join(" · ")),
    Object.entries(model.strength ?? {}).map(([whom, score]) => strength(whom, score, model.depth)),
    curve(model, room),
  );
}

function strength(whom, { share, share_error: error, points, games }, depth) {
  const deep = depth === 1 ? "one move deep" : `${depth} moves deep`;
  const words = `${percent(share)} ± ${percent(error)} of ${games.toLocaleString("en")} games against ${whom}, ${deep}`;
  return element("p", { class: "small" }, `${words} (${points >= 0 ? "+" : ""}${points.toFixed(2)} points a game)`);
}

export function curve(model, room) {
  if (!model.points.length) return element("p", { class: "soft small" }, "No learning curve was kept with it.");
  const points = model.points.map(({ games, share, error }) => ({
    x: games / 1000,
    mean: share,
    low: Math.max(0, share - error),
    high: Math.min(1, share + error),
  }));
  return chart({ setting: "thousand games of self-play", series: [{ name: `against ${model.against ?? "its rival"}`, points }] }, room);
}
