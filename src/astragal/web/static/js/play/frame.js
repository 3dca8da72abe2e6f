// What the view for playing is made of: the table with its tools, and the panels beside it.

import * as api from "../api.js";
import { attempt } from "../announce.js";
import { button, element } from "../dom.js";
import { rulesPart } from "../parts/prose.js";
import { preference } from "../preferences.js";
import { routeTo, wholeLink } from "../route.js";
import { Keeping } from "./keeping.js";

/** The whole view; what it is made of are fields of the view. */
export function frameOf(view) {
  view.title = element("h1");
  view.about = element("span", { class: "soft small" });
  const others = element("a", { class: "button quiet", href: routeTo("") }, "Other games");
  const right = element(
    "div",
    { class: "stack" },
    view.review.element,
    view.moves.element,
    view.steps.element,
    view.graph,
    view.thinking,
    setupPanel(view),
    view.options.element,
    keepingPanel(view),
    rulesPanel(view),
  );
  return element(
    "div",
    { class: "play-view" },
    element("div", { class: "row heading" }, view.title, view.about, others),
    tablePanel(view),
    right,
  );
}

function tablePanel(view) {
  view.roll = button("Roll the dice", () => view.act(-1), { class: "main", hidden: true });
  view.sure = element("span", { class: "row", hidden: true });
  view.hint = button("Hint", () => view.advice.hint());
  view.undo = button("Undo", () => view.position.board.takeBack() || view.change((id) => api.undo(id)), { accesskey: "u" });
  view.resign = button("Resign", () => view.confirm("Give the game up?", () => view.giveUp()));
  view.again = button("New game", () => view.playAgain());
  view.stop = button("Move now", () => attempt(() => api.stop(view.session.id)), { hidden: true });
  view.pause = button("Pause", () => view.togglePause(), { "aria-pressed": "false" });
  view.back = button("Back to the game", () => view.refresh(), { class: "main", hidden: true });
  view.evaluating = button("Evaluation", () => view.toggleEvaluation(), {
    "aria-pressed": String(preference("evaluation") === "on"),
    title: "Show who is ahead, at every position",
  });
  view.inside = element("a", { class: "button quiet" }, "Look inside");
  const tools = [view.hint, view.undo, view.resign, view.again, view.stop, view.pause, view.back, view.evaluating];
  return element(
    "div",
    { class: "stack" },
    element(
      "div",
      { class: "panel table" },
      view.seats.element,
      element("div", { class: "row say" }, view.status, view.roll, view.sure),
      view.event,
      view.bar.element,
      view.position.element,
      view.advice.element,
      element("div", { class: "row tools" }, tools, view.inside),
    ),
  );
}

function setupPanel(view) {
  view.setup = element("details", { class: "panel setup" }, element("summary", {}, "Game and players"));
  return view.setup;
}

function keepingPanel(view) {
  view.keeping = new Keeping({
    link: () => wholeLink("play", view.session.record),
    shown: () => ({ id: view.session.id, ply: view.looking, game: view.session.game_id }),
    onload: (wanted) => view.start(wanted),
  });
  return element(
    "section",
    { class: "panel" },
    element("h2", {}, "Position"),
    view.notation.element,
    view.keeping.element,
  );
}

function rulesPanel(view) {
  const summary = element("summary", {}, "Rules");
  view.rules = element("details", { class: "panel rules" }, summary, rulesPart());
  return view.rules;
}
