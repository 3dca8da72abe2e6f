// What there is to read beside the tree: the code with the line that runs, the variables, the window, the children.

import { element, refill, shape } from "../dom.js";
import { signed, whole } from "../words.js";

/** The pseudo-code, with the paper's line numbers where it has some; `mark` says which line runs. */
export class CodeView {
  constructor() {
    this.list = element("ol", { class: "pseudo" });
    this.source = element("p", { class: "soft small" });
    this.element = element("div", {}, this.list, this.source);
  }

  show({ code, source }) {
    this.source.textContent = source;
    this.lines = new Map();
    refill(
      this.list,
      code.map(({ key, text, indent }) => {
        const number = /^[0-9]+$/.test(key ?? "") ? element("span", { class: "line-number" }, key) : null;
        const line = element("li", { class: key ? "" : "head", "data-key": key }, number, text);
        line.style.setProperty("--indent", indent);
        if (key) this.lines.set(key, line);
        return line;
      }),
    );
  }

  mark(key) {
    for (const [each, line] of this.lines) {
      line.classList.toggle("runs", each === key);
      if (each === key) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
  }
}

/** A cell of a column: names first, shares and counts as they are, values with their sign. */
function cell(value, head, i) {
  if (value === null) return element("td", { class: "number" }, "–");
  if (typeof value !== "number") return element(i ? "td" : "th", i ? {} : { scope: "row" }, value);
  const text = head === "p" ? value.toFixed(3) : head === "n" ? whole(value) : signed(value);
  return element("td", { class: "number" }, text);
}

export function tableOf({ head, rows, current, of }) {
  const column = (word, i) => element("th", { scope: "col", class: i ? "number" : "" }, word);
  const line = (row, i) =>
    element("tr", { class: i === current ? "runs" : "" }, row.map((value, column) => cell(value, head[column], column)));
  return element(
    "div",
    { class: "scrolled" },
    element(
      "table",
      { class: "small" },
      element("thead", {}, element("tr", {}, head.map(column))),
      element("tbody", {}, rows.map(line)),
    ),
    of > rows.length ? element("p", { class: "soft small" }, `${whole(rows.length)} of ${whole(of)}`) : null,
  );
}

export function variablesOf(variables) {
  const pairs = Object.entries(variables).map(([name, value]) => {
    const text = Number.isInteger(value) && /^(d|n)/.test(name) ? whole(value) : signed(value);
    return element("div", {}, element("dt", {}, name), element("dd", { class: "number" }, text));
  });
  return pairs.length ? element("dl", { class: "variables" }, pairs) : null;
}

/** What a chance node can be worth (pess to opti) beside the window that matters (alpha to beta), on the game's range. */
export function windowOf({ alpha, beta, pess, opti }, [low, high]) {
  const at = (value) => (100 * (Math.min(high, Math.max(low, value)) - low)) / (high - low || 1);
  const band = (kind, from, to, y) =>
    shape("rect", { class: kind, x: at(from), y, width: Math.max(0.7, at(to) - at(from)), height: 7 });
  const svg = shape(
    "svg",
    { class: "closing", viewBox: "0 0 100 22", preserveAspectRatio: "none", "aria-hidden": true },
    shape("rect", { class: "track", x: 0, y: 0, width: 100, height: 22 }),
    band("window", alpha, beta, 2),
    band("known", pess, opti, 13),
  );
  const row = (kind, words) => element("li", {}, element("span", { class: `swatch ${kind}` }), words);
  return element(
    "div",
    { class: "closing-holder" },
    svg,
    element(
      "ul",
      { class: "legend" },
      row("window", `window: α ${signed(alpha)} to β ${signed(beta)}`),
      row("known", `the node: pess ${signed(pess)} to opti ${signed(opti)}`),
    ),
  );
}
