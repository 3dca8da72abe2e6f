// The laboratory's report: a page of its own, shown inside this one.

import * as api from "../api.js";
import { attempt } from "../announce.js";
import { element } from "../dom.js";

export function show(root) {
  attempt(async () => {
    const there = (await api.about()).report;
    root.append(there ? shown() : missing());
  });
  return { leave: () => {} };
}

function shown() {
  const open = element("a", { href: "/report/", target: "_blank", rel: "noopener" }, "Open it alone");
  return element(
    "div",
    { class: "stack" },
    element("div", { class: "row spread" }, element("h1", {}, "Report of the laboratory"), open),
    element("iframe", { class: "report panel", src: "/report/", title: "Report of the laboratory" }),
  );
}

function missing() {
  const command = element("code", {}, "astragal web --report FOLDER");
  return element(
    "div",
    { class: "panel" },
    element("h1", {}, "Report of the laboratory"),
    element("p", {}, "No report is shown here. Give the folder of one on the command line: ", command),
  );
}
