// The page: one view at a time, as the address says.

import { complain, forgive } from "./announce.js";
import { currentRoute } from "./route.js";
import * as welcome from "./views/welcome.js";
import * as fresh from "./views/new.js";
import * as play from "./views/play.js";
import * as analyse from "./views/analyse.js";
import * as tree from "./views/tree.js";
import * as steps from "./views/steps.js";
import * as results from "./views/results.js";
import * as models from "./views/models.js";
import * as report from "./views/report.js";

const VIEWS = { welcome, new: fresh, play, analyse, tree, steps, results, models, report };
const TITLES = { welcome: "Games", new: "New game", play: "Play", analyse: "Look inside", tree: "Tree", steps: "Step by step", results: "Results", models: "Learning", report: "Report" };

const OF = { welcome: "play", new: "play" }; // which link of the header a view belongs to

const root = document.getElementById("view");
let shown = null;

function go() {
  const { view, options } = currentRoute();
  const aimless = view === "play" && !options.has("game") && !play.keptGame();
  const name = view in VIEWS && !aimless ? view : "welcome";
  forgive();
  shown?.leave();
  if (name !== root.dataset.view) scrollTo(0, 0); // where a link led from is not where it leads to
  const focused = root.contains(document.activeElement); // on a link that led here, say
  root.replaceChildren();
  root.dataset.view = name;
  document.title = `${TITLES[name]} – Astragal`;
  for (const link of document.querySelectorAll("nav a[data-view]")) {
    if (link.dataset.view === (OF[name] ?? name)) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  shown = VIEWS[name].show(root, options);
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
