// The laboratory's report: a page of its own, shown inside this one with its contents beside it, in this page's theme.

import * as api from "../api.js";
import { attempt } from "../announce.js";
import { element, refill } from "../dom.js";
import { rememberRoute, routeTo } from "../route.js";

const DARK = "prefers-color-scheme";

export function show(root, options) {
  const view = new ReportView(options.get("at"));
  attempt(async () => {
    const there = (await api.about()).report;
    root.append(there ? view.frame() : missing());
  });
  return view;
}

class ReportView {
  constructor(at) {
    this.at = at; // the heading to show
    this.recolour = () => this.paint();
    document.addEventListener("themechange", this.recolour);
  }

  frame() {
    const open = element("a", { href: "/report/", target: "_blank", rel: "noopener" }, "Open it alone");
    this.list = element("ul", { class: "plain contents" });
    this.contents = element("details", { class: "panel", open: innerWidth > 860 }, element("summary", {}, "Contents"), this.list);
    this.page = element("iframe", { class: "report panel", src: "/report/", title: "Report of the laboratory", onload: () => this.loaded() });
    return element(
      "div",
      { class: "stack" },
      element("div", { class: "row spread" }, element("h1", {}, "Report of the laboratory"), open),
      element("div", { class: "report-view" }, element("nav", { "aria-label": "Contents of the report" }, this.contents), this.page),
    );
  }

  /** The report is there, or another page of it. */
  loaded() {
    const told = this.page.contentDocument;
    if (!told) return;
    this.told = told;
    this.switches = darkRules(told); // as they were written, before any is changed
    this.paint();
    const heads = [...told.querySelectorAll("h2[id], h3[id]")];
    refill(
      this.list,
      heads.map((head) => element("li", { class: head.tagName === "H3" ? "deeper" : "" }, this.link(head))),
    );
    this.contents.hidden = !heads.length;
    if (this.at) this.go(this.at);
  }

  link(head) {
    const go = (event) => {
      event.preventDefault();
      this.go(head.id);
      rememberRoute("report", { at: head.id });
    };
    return element("a", { href: routeTo("report", { at: head.id }), onclick: go }, head.textContent);
  }

  go(id) {
    this.told?.getElementById(id)?.scrollIntoView();
  }

  /** The report is dark as the system says; here it is as the page is. */
  paint() {
    if (!this.told) return;
    const { theme } = document.documentElement.dataset;
    this.told.documentElement.style.colorScheme = theme;
    for (const rule of this.switches) rule.media.mediaText = theme === "dark" ? "all" : "not all";
  }

  leave() {
    document.removeEventListener("themechange", this.recolour);
  }
}

/** The rules of a page that hold where the system is dark. */
function darkRules(told) {
  const rules = [...told.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  return rules.filter((rule) => rule.media?.mediaText.includes(DARK) && rule.media.mediaText.includes("dark"));
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
