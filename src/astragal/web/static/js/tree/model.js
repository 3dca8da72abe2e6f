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
