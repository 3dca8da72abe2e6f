// The marks of a docstring as elements: paragraphs, lists, indented blocks, **strong**, *words*, `code`, links.

import { element } from "../dom.js";

const INLINE = /(``[^`]+``|`[^`]+`|\*\*[^*]+\*\*|\*[^*\s][^*]*\*|\[[^\]]+\]\([^)\s]+\)|https?:\/\/[^\s<>)]*[\w/])/;

/** A text's paragraphs; whatever is no mark stays as it is. */
export function prose(text) {
  return text
    .split(/\n\s*\n/)
    .filter((block) => block.trim())
    .flatMap(blockOf);
}

function blockOf(block) {
  const lines = block.split("\n").filter((line) => line.trim());
  const title = /^#{1,6}\s+(.*)$/.exec(lines[0]);
  if (title) return [element("h3", {}, inline(title[1])), ...(lines[1] ? blockOf(lines.slice(1).join("\n")) : [])];
  if (lines.every((line) => /^\s{4}/.test(line))) return [element("pre", {}, lines.join("\n"))];
  const first = lines.findIndex((line) => bullet.test(line));
  if (first < 0) return [element("p", {}, inline(joined(lines)))];
  const items = [];
  for (const line of lines.slice(first)) {
    if (bullet.test(line)) items.push([line.replace(bullet, "")]);
    else items.at(-1).push(line);
  }
  const before = first ? [element("p", {}, inline(joined(lines.slice(0, first))))] : [];
  return [
    ...before,
    element(
      "ul",
      {},
      items.map((each) => element("li", {}, inline(joined(each)))),
    ),
  ];
}

const bullet = /^\s*[-*]\s+/;
const joined = (lines) => lines.map((line) => line.trim()).join(" ");

function inline(text) {
  return text
    .split(INLINE)
    .filter(Boolean)
    .map((part) => {
      const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part);
      if (link && !/^https?:/.test(link[2])) return link[1]; // a file of the sources, which is not here
      if (link || /^https?:\/\//.test(part))
        return element("a", { href: link?.[2] ?? part, rel: "noreferrer" }, link?.[1] ?? part);
      if (part.length > 4 && part.startsWith("**") && part.endsWith("**")) return element("strong", {}, part.slice(2, -2));
      if (part.length > 2 && part.startsWith("`") && part.endsWith("`"))
        return element("code", {}, part.replaceAll("`", ""));
      if (part.length > 2 && part.startsWith("*") && part.endsWith("*")) return element("em", {}, part.slice(1, -1));
      return part;
    });
}

/** The part that holds the rules; where it scrolls, keys reach it. */
export const rulesPart = () => element("div", { class: "prose", tabindex: 0, role: "region", "aria-label": "The rules" });
