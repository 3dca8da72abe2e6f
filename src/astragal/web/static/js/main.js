// The page: one view at a time, as the address says.

import { complain, forgive } from "./announce.js";
import { keptGame } from "./play/kept.js";
import { currentRoute } from "./route.js";

// Each is loaded when it is first shown, so that the cards are there soon.
const VIEWS = {
  welcome: () => import("./views/welcome.js"),
  new: () => import("./views/new.js"),
  play: () => import("./views/play.js"),
  analyse: () => import("./views/analyse.js"),
  tree: () => import("./views/tree.js"),
  steps: () => import("./views/steps.js"),
  results: () => import("./views/results.js"),
  models: () => import("./views/models.js"),
  work: () => import("./views/work.js"),
  report: () => import("./views/report.js"),
};
const TITLES = { welcome: "Games", new: "New game", play: "Play", analyse: "Look inside", tree: "Tree", steps: "Step by step", results: "Results", models: "Learning", work: "Work", report: "Report" };

const OF = { welcome: "play", new: "play" }; // which link of the header a view belongs to

const root = document.getElementById("view");
let shown = null;
let turn = 0; // counts what the address asked for, so that a slow module shows no view that was left meanwhile

async function go() {
  turn += 1;
  const mine = turn;
  const { view, options } = currentRoute();
  const aimless = view === "play" && !options.has("game") && !keptGame();
  const name = view in VIEWS && !aimless ? view : "welcome";
  forgive();
  if (!(view in VIEWS)) complain(`there is no view “${view}” here`);
  shown?.leave();
  shown = null;
  if (name !== root.dataset.view) scrollTo(0, 0); // where a link led from is not where it leads to
  const focused = root.contains(document.activeElement); // on a link that led here, say
  root.replaceChildren();
  root.dataset.view = name;
  document.title = `${TITLES[name]} – Astragal`;
  for (const link of document.querySelectorAll("nav a[data-view]")) {
    if (link.dataset.view === (OF[name] ?? name)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const module = await VIEWS[name]();
  if (mine !== turn) return;
  shown = module.show(root, options);
  if (focused) root.focus({ preventScroll: true });
}

addEventListener("hashchange", go);
for (const doing of ["click", "submit", "change"]) document.addEventListener(doing, forgive, { capture: true });
addEventListener("unhandledrejection", (event) => complain(event.reason));
document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  root.focus();
});
go();
