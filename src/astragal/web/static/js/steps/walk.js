// A search that was walked through: what its nodes look like at an event, and which event comes next.

export class Walk {
  constructor(told) {
    Object.assign(this, told);
    for (const node of this.nodes) Object.assign(node, { above: this.nodes[node.parent] ?? null, children: [], shown: [] });
    for (const node of this.nodes) node.above?.children.push(node);
  }

  get last() {
    return this.events.length - 1;
  }

  /** Give all nodes the looks that they have at an event; the node it is about. */
  at(index) {
    for (const node of this.nodes) Object.assign(node, { value: null, visits: null, cut: false });
    for (const event of this.events.slice(0, index + 1))
      for (const [number, looks] of Object.entries(event.changes)) Object.assign(this.nodes[number], looks);
    const event = this.events[index];
    const node = this.nodes[event.node];
    this.open = new Set(event.path ?? pathOf(node));
    for (const each of this.nodes) each.shown = this.whole || this.open.has(each.id) ? met(each, event.nodes) : [];
    return node;
  }

  /** The event at which the node of this one is done with, all that lies below it being stepped over. */
  over(index) {
    const { node, path } = this.events[index];
    if (path) return this.find(index, (event) => event.line === "s1" || event.line === "f1");
    const depth = pathOf(this.nodes[node]).length;
    return this.find(index, (event) => pathOf(this.nodes[event.node]).length <= depth);
  }

  nextCut(index) {
    return this.find(index, (event) => Object.values(event.changes).some((looks) => looks.cut));
  }

  get hasCuts() {
    return this.nextCut(-1) !== null;
  }

  find(index, wanted) {
    const found = this.events.findIndex((event, at) => at > index && wanted(event));
    return found < 0 ? null : found;
  }
}

/** The children that were met among the first nodes; a probe only until its outcome is searched. */
function met({ kind, children }, count) {
  const there = children.filter((child) => child.id < count);
  const searched = new Set(there.filter((child) => !child.probe).map((child) => child.step));
  const shown = there.filter((child) => !child.probe || !searched.has(child.step));
  return kind === "chance" ? shown.sort((a, b) => a.step - b.step) : shown; // outcomes keep their order
}

/** The numbers of the nodes from the root to one. */
export function pathOf(node) {
  const path = [];
  for (let each = node; each; each = each.above) path.unshift(each.id);
  return path;
}
