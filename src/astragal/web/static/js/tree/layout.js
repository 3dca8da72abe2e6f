// Where the nodes of a tree go: each leaf gets the same share of the width, or of the circle, and a node as much as its
// leaves (the same as `astragal.drawing.layout`). Pure functions; places are left in `goalX` and `goalY`.

const LEAF = 18; // from a leaf to the next, on a line
const LEVEL = { radial: 90, layered: 80 };
const CROWDED = 7; // room that a node on the fullest circle has at least
const FARTHEST = 900; // between circles, however crowded

/** The shown nodes with the first leaf below each, and how many there are; children after their parents. */
export function shares(root) {
  const order = [];
  const waiting = [root];
  while (waiting.length) {
    const node = waiting.pop();
    order.push(node);
    for (let i = node.shown.length - 1; i >= 0; i -= 1) waiting.push(node.shown[i]);
  }
  for (let i = order.length - 1; i >= 0; i -= 1) {
    const node = order[i];
    node.leaves = node.shown.length ? node.shown.reduce((sum, child) => sum + child.leaves, 0) : 1;
  }
  root.first = 0;
  root.depth = 0;
  for (const node of order) {
    let next = node.first;
    for (const child of node.shown) {
      child.first = next;
      child.depth = node.depth + 1;
      next += child.leaves;
    }
  }
  return order;
}

function levelStep(order) {
  const inLevel = [];
  for (const node of order) inLevel[node.depth] = (inLevel[node.depth] ?? 0) + 1;
  const needed = inLevel.map((count, depth) => (depth ? (CROWDED * count) / (2 * Math.PI * depth) : 0));
  return Math.min(FARTHEST, Math.max(LEVEL.radial, ...needed));
}

/** The root in the middle, each level on a circle around it. */
function radial(order) {
  const step = levelStep(order);
  for (const node of order) {
    const angle = (2 * Math.PI * (node.first + node.leaves / 2)) / order[0].leaves - Math.PI / 2;
    node.downX = Math.cos(angle);
    node.downY = Math.sin(angle);
    node.goalX = node.depth * step * node.downX;
    node.goalY = node.depth * step * node.downY;
    node.room = Math.min(step, (2 * Math.PI * node.depth * step * node.leaves) / order[0].leaves || step);
  }
  return step;
}

/** The root on top, each level on a line below the one before. */
function layered(order) {
  const inner = order[0].leaves * LEAF;
  const deepest = order.reduce((most, node) => Math.max(most, node.depth), 1);
  const step = Math.max(LEVEL.layered, (0.75 * inner) / deepest); // wide trees are not flat bands
  for (const node of order) {
    node.downX = 0;
    node.downY = 1;
    node.goalX = (node.first + node.leaves / 2) * LEAF - inner / 2;
    node.goalY = node.depth * step;
    node.room = LEAF * node.leaves;
  }
  return step;
}

const LAYOUTS = { radial, layered };

/** Lay the shown part of a tree out; returns its nodes, parents first, and the distance of levels. */
export function layOut(root, name) {
  const order = shares(root);
  return { order, step: LAYOUTS[name](order) };
}

/** The least rectangle that all goals are in. */
export function frameOf(order) {
  const frame = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const node of order) {
    frame.left = Math.min(frame.left, node.goalX);
    frame.right = Math.max(frame.right, node.goalX);
    frame.top = Math.min(frame.top, node.goalY);
    frame.bottom = Math.max(frame.bottom, node.goalY);
  }
  return frame;
}
