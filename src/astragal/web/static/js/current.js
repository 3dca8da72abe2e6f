// The position that somebody looks at now. Links to the other views lead to the same one.

import { routeTo } from "./route.js";

export function keepCurrent(game, position) {
  for (const view of ["analyse", "tree", "steps"]) {
    const link = document.querySelector(`nav a[data-view="${view}"]`);
    if (link) link.href = routeTo(view, { game, position });
  }
}
