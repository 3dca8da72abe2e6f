// What there is to say of a node, and of the shapes.

import { signed, whole } from "../words.js";
import { missingOf } from "./model.js";

export function wordsFor(node) {
  const words = [];
  if (node.kind === "end") words.push("the game is over");
  else words.push(node.kind === "chance" ? "chance moves" : `player ${node.player} to move`);
  if (node.value !== null)
    words.push(`value ${signed(node.value)} for player ${node.value_of}${node.cut ? ", a bound" : ""}`);
  if (node.visits !== null && node.visits !== undefined) words.push(`${whole(node.visits)} visits`);
  if (node.below) words.push(`${whole(node.below)} nodes below`);
  if (node.kind === "leaf") words.push("evaluated, not searched");
  if (node.probe) words.push("a probe");
  if (node.from_table) words.push("known from the transposition table");
  else if (node.left_out)
    words.push(`${whole(node.left_out)} ${node.kind === "chance" ? "outcomes" : "actions"} not searched`);
  if (node.folded) words.push("folded");
  else if (missingOf(node)) words.push(`${whole(missingOf(node))} children not drawn`);
  return words;
}

export const nameOf = (node) => (node.above ? node.name : "the root");

/** [class, words] of what is in a tree, for the legend; where values are coloured, players are at the rim. */
export function legendOf(nodes, tint = null) {
  const all = [...nodes];
  const seats = [
    ...new Set(
      all.filter((node) => node.player && node.kind !== "end" && node.kind !== "chance").map((node) => node.player),
    ),
  ].sort();
  const entries = [
    ["root", "root"],
    ...seats.map((seat) => [`player${((seat - 1) % 6) + 1}${tint ? " rim" : ""}`, `player ${seat} to move`]),
    ["best-line", "best line"],
  ];
  if (tint?.players === 2) entries.push(["tint", `inside: good for player 2 … for player 1 (± ${signed(tint.most, 2).slice(1)})`]);
  else if (tint) entries.push(["tint several", `inside: bad … good for who chose it (± ${signed(tint.most, 2).slice(1)})`]);
  const add = (test, look, words) => all.some(test) && entries.push([look, words]);
  add((node) => node.kind === "chance", "chance", "chance");
  add((node) => node.kind === "end", "end", "end of the game");
  if (!tint) add((node) => node.kind === "leaf", "leaf", "pale: evaluated only");
  add((node) => node.probe, "probe", "hollow: a probe");
  add((node) => node.left_out > 0 && !node.probe && !node.from_table, "cut", "pruned");
  add((node) => node.from_table, "table", "known from the table");
  add((node) => missingOf(node) > 0, "more", "more, not drawn");
  return entries;
}
