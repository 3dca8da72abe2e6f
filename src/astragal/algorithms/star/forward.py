"""Forward pruning: cuts on the word of a shallower search, which Lanctot et al. 2013 leave to future work (Section 5).

None of it is sound: a value may differ from the depth-d minimax value, and a better one is found only if the nodes
saved buy more depth than the errors cost. All of it is off unless a setting asks for it.

- **Null move** (Beal 1989; Goetsch & Campbell 1990): if the mover could let the turn go by, and even that reaches the
  window's end in a shallower search, so will some action. The game says what that means (`skip`).
- **Multi-cut** (Bjornsson & Marsland 2001): if C of the first M actions reach the window's end in shallower searches,
  one of them probably will in the full one.
- **ChanceProbCut** (Schadd, Winands & Uiterwijk 2009; after ProbCut, Buro 1995): the value of a chance node is
  predicted from a shallower search of it (`prediction` beside this). If the prediction lies outside the window by more
  than its error, the node is cut.

Departures from the papers:
- the trees here have no scout windows to mark a node that expects a cut, so null move and multi-cut are tried where
  the mover's evaluation reaches the window's end; Bjornsson & Marsland try expected cut nodes, and chess programs do as
  we do;
- no null move is tried anywhere below another one;
- both ends of the window are asked about in one shallower search of a chance node, not in one for each;
- a cut returns the end of the window, not the value of the shallower search, which is no bound on anything.

Nothing is tried in a probe of Star2, nor at and below `prune_above`. A node that was cut is not put into the table.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.algorithms.depth_first.work import mirrored
from astragal.algorithms.star.chance import clamped, star
from astragal.algorithms.star.outcomes import step_path
from astragal.algorithms.star.settings import PROBCUT_REDUCTION
from astragal.algorithms.star.star import value_after_action
from astragal.compiler.intrinsics.native import local_copy
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE

NULL_STEP = 2**32  # in the key of a path, where no action has this number


@kernel(inline=True)
def forward_cut(game, variant, state, turn, depth, actions, here, work, me):
    """Whether a null move or multi-cut says that a decision is worth high, the mover's end of the window, or more.

    Also when the search is to stop: then nothing that is returned counts.
    """
    if turn == CHANCE or work.null + work.multicut == 0:
        return False
    count, high = here.count, here.high
    most = -work.low if here.minimises else work.high
    if high >= most or mirrored(game.heuristic(state, variant.viewer(work)), here.minimises) < high:
        return False
    if work.null > 0 and work.skipped == 0 and depth > work.null:
        work.skipped = 1
        reached = reaches(game, variant, state, turn, True, 0, depth - work.null, high, work, me)
        work.skipped = 0
        if reached and work.stop == 0:
            work.null_cuts += 1
        if reached or work.stop != 0:
            return True
    if work.multicut > 0 and count >= work.multicut and depth > work.multicut_reduction:
        return multi_cut(game, variant, state, turn, depth, actions, count, high, work, me)
    return False


@kernel
def multi_cut(game, variant, state, turn, depth, actions, count, high, work, me):
    """Whether enough of the first actions reach the window's end in shallower searches."""
    tried = min(count, work.multicut_moves)
    found = 0
    for i in range(tried):
        if found + tried - i < work.multicut:
            return False
        left = depth - work.multicut_reduction
        found += reaches(game, variant, state, turn, False, np.int64(actions[i]), left, high, work, me)
        if work.stop != 0:
            return True
        if found == work.multicut:
            work.multi_cuts += 1
            return True
    return False


@kernel
def reaches(game, variant, state, turn, skips, action, depth, high, work, me):
    """Whether a null move or an action is worth high to the mover, searched with a window that has no room."""
    path = work.path
    child = local_copy(state)
    if skips:
        game.skip(child)
    else:
        game.play(child, action)
    if not skips:
        variant.step(work, path, state, action)
    elif variant.sampled:
        step_path(work, path, NULL_STEP)
    minimises = variant.minimises(turn, work)
    below = np.nextafter(high, -np.inf)
    a, b = (-high, -below) if minimises else (below, high)
    value = value_after_action(game, variant, child, depth, a, b, work, me)
    if variant.sampled:
        work.path = path
    return (-value if minimises else value) >= high


@kernel
def chance_probcut(game, variant, state, depth, alpha, beta, work, me):
    """A chance node whose children have depth units left, cut if a shallower search predicts a value off the window."""
    slope, margin = work.probcut_slope, work.probcut_margin
    if slope > 0.0 and depth >= PROBCUT_REDUCTION:
        least, most = (alpha - margin) / slope, (beta + margin) / slope
        if least > work.low or most < work.high:
            path = work.path
            a, b = clamped(least, work.low, work.high), clamped(most, work.low, work.high)
            value = star(game, variant, state, depth - PROBCUT_REDUCTION, a, b, work, me)
            work.path = path
            if work.stop != 0:
                return 0.0
            if value >= most or value <= least:
                work.prob_cuts += 1
                return beta if value >= most else alpha
    return star(game, variant, state, depth, alpha, beta, work, me)
