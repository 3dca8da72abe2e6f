// A search tree as the server told it: who is whose child, what is folded, and what was left out.

export class Tree {
  constructor(rows) {
    this.nodes = new Map();
    this.add(rows);
    this.root = this.nodes.get(rows[0].id);
  }

  /** Take more nodes in; each after its parent. Those that are there already are left alone. */
  add(rows) {
    let added = 0;
    for (const row of rows) {
      if (this.nodes.has(row.id)) continue;
      const above = this.nodes.get(row.parent) ?? null;
      const { children: total, ...facts } = row;
      const node = {
        ...facts,
        total,
        above,
        children: [],
        shown: [],
        folded: false,
        x: above?.x ?? 0,
        y: above?.y ?? 0,
      };
      this.nodes.set(row.id, node);
      above?.children.push(node);
      added += 1;
    }
    for (const node of this.nodes.values()) node.shown = node.folded ? [] : node.children;
    return added;
  }

  /** Nodes that another tree has too, by the same way from the root, stay where they were there, and folded. */
  takePlaces(other) {
    const places = new Map([...other.nodes.values()].map((node) => [wayTo(node), node]));
    for (const node of this.nodes.values()) {
      const before = places.get(wayTo(node));
      if (before) Object.assign(node, { x: before.x, y: before.y });
      else Object.assign(node, { x: node.above?.x ?? 0, y: node.above?.y ?? 0 });
      if (before?.folded) this.fold(node, true);
    }
    return places;
  }

  /** The node that lies where one of another tree did, or the nearest above it. */
  counterpart(node) {
    const way = new Set(pathTo(node).map(wayTo));
    return [...this.nodes.values()].reduce((best, each) => (way.has(wayTo(each)) ? each : best), this.root);
  }

  get size() {
    return this.nodes.size;
  }

  fold(node, folded) {
    node.folded = folded;
    node.shown = folded ? [] : node.children;
  }

  /** Fold what is below a depth, and unfold what is above it. */
  foldFrom(depth) {
    for (const node of this.nodes.values()) this.fold(node, node.children.length > 0 && depthOf(node) >= depth);
  }
}

const wayTo = (node) => pathTo(node).map((each) => each.name).join(" / ") + (node.probe ? " ?" : "");

/** What a node is worth to player 1 of two, or to whoever chose it of several. */
export const worthOf = (node, players) =>
  node.value === null ? null : players === 2 && node.value_of === 2 ? -node.value : node.value;

/** Children of a node that the server has and the page has not. */
export const missingOf = (node) => Math.max(0, node.total - node.children.length);

export function depthOf(node) {
  let depth = 0;
  for (let { above } = node; above; { above } = above) depth += 1;
  return depth;
}

/** What tells large nodes from small ones: visits, or the nodes below. */
export const weightOf = (node) => node.weight ?? node.visits ?? (node.below ?? 0) + 1;

/** The nodes from the root to one, that one included. */
export function pathTo(node) {
  const path = [];
  for (let each = node; each; each = each.above) path.unshift(each);
  return path;
}
