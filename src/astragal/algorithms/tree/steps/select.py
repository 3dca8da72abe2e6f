"""Selection: which child of a decision node a simulation goes to.

UCT (Kocsis & Szepesvari 2006), as both papers use it: the child with the largest

    mean_i + C * sqrt(ln n_p / n_i),

the mean being that of the rewards of the player who chooses. Children without a visit come first. The scan begins at a
random child, so that among equals the seed decides.

Progressive History (Nijssen & Winands 2010, equation (1), corrected) adds

    (s_a / n_a) * W / (n_i - s_i + 1)

with scores in [0, 1], so that n_i - s_i counts losses; s_a / n_a is how the mover's action a has done wherever it was
played (`history`). The paper prints the square root over both terms, which its own references
do not. Everything here is in utilities, so the term is multiplied by the width of their range: with W = 0 nothing
changes. The paper does not define which of several children without a visit comes first: any, or (`history_first`)
the one with the largest term, as in programs that divide by a little more than n_i.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from astragal.algorithms.tree.nodes import NONE, node_at
from astragal.algorithms.tree.steps.history import entry_at, find_entry
from astragal.base.parameters import Constant
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import compiled
from astragal.rules.random import next_word, upper

UNTRIED = 1e12  # above every bound of a child that has a visit
# From tables: divisions, logarithms and roots would take half the time of selection.
TABULATED = 1 << 12
VISITS = np.maximum(np.arange(TABULATED, dtype=np.float64), 1.0)
INVERSES = 1.0 / VISITS
INVERSE_ROOTS = np.sqrt(INVERSES)
ROOTS_OF_LOGS = np.sqrt(np.log(VISITS))


@kernel(inline=True)
def inverse(visits):
    """1 / n."""
    return INVERSES[visits] if visits < TABULATED else 1.0 / np.float64(visits)


@kernel(inline=True)
def inverse_root(visits):
    """1 / sqrt(n)."""
    return INVERSE_ROOTS[visits] if visits < TABULATED else 1.0 / np.sqrt(np.float64(visits))


@kernel(inline=True)
def root_of_log(visits):
    """sqrt(ln n)."""
    return ROOTS_OF_LOGS[visits] if visits < TABULATED else np.sqrt(np.log(np.float64(visits)))


@compiled
@dataclass(frozen=True)
class UCT:
    """Upper confidence bounds; no bias."""

    uses_history = False
    sorts_untried = False

    def bias(self, tree, mover, action, visits, mean, work):
        return 0.0


@compiled
@dataclass(frozen=True)
class ProgressiveHistory(UCT):
    """UCT with the bias of Progressive History; it may decide among children without a visit, too."""

    uses_history = True
    sorts_untried: Constant[bool] = False

    def bias(self, tree, mover, action, visits, mean, work):
        entry = find_entry(tree, mover, action)
        if entry < 0:
            return 0.0
        row = entry_at(tree.history, entry)
        width = work.high - work.low
        tried = np.float64(visits)
        lost = tried if work.history_by_visits else tried * (1.0 - (mean - work.low) / width)
        return width * (row.score / row.count) * work.history_weight / (lost + 1.0)


@kernel(inline=True)
def select_child(steps, tree, parent, count, seen, mover, generator, work):
    """The child to go to among the first `count`, and the generator; a child that is proven worse only if all are."""
    generator, word = next_word(generator)
    start = np.uint32(upper(word) * count >> 32)
    chosen = best_child(steps, tree, parent, count, seen, mover, start, work, True)
    if steps.prove.active and chosen == NONE:
        chosen = best_child(steps, tree, parent, count, seen, mover, start, work, False)
    return chosen, generator


@kernel(inline=True)
def best_child(steps, tree, parent, count, seen, mover, start, work, skip_proven):
    """The child with the largest upper confidence bound, from a starting place on and around."""
    first = node_at(tree, parent).first
    explore = work.c[mover] * root_of_log(seen)
    best, chosen = -np.inf, NONE
    i = start
    for _ in range(count):
        index = np.uint32(first + i)
        i = np.uint32(i + np.uint32(1))
        if i == np.uint32(count):
            i = np.uint32(0)
        child = node_at(tree, index)
        if steps.prove.active and skip_proven and steps.prove.inferior(tree, parent, index, mover, work):
            continue
        if child.visits == 0 and not steps.select.sorts_untried:
            return index
        mean = steps.backup.mean(child, inverse(child.visits))
        value = upper_confidence(steps, tree, mover, np.int64(child.action), child.visits, mean, explore, work)
        if steps.select.sorts_untried and child.visits == 0:
            value = UNTRIED + steps.select.bias(tree, mover, np.int64(child.action), 0, work.low, work)
        better = value > best
        chosen = index if better else chosen
        best = value if better else best
    return chosen


@kernel(inline=True)
def upper_confidence(steps, tree, mover, action, visits, mean, explore, work):
    """The upper confidence bound of an action, with the bias of its history; `explore` is C sqrt(ln n_p)."""
    value = mean + explore * inverse_root(visits)
    if steps.select.uses_history:
        value += steps.select.bias(tree, mover, action, visits, mean, work)
    return value
