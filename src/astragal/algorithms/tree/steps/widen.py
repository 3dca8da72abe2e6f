"""Widening: how many of a node's actions and outcomes a simulation may choose from.

Double Progressive Widening (Couetoux et al. 2011, as used by Lanctot et al. 2013, Section 2.2): at a node with v >= 1
visits, k = ceil(C2 * v^alpha). Of the actions, the first k in the game's static order. Of the outcomes, one is sampled:
one already stored is followed; a new one is stored and followed if k exceeds the number stored; otherwise an outcome is
drawn among the stored ones, with their probabilities renormalised.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from astragal.algorithms.tree.nodes import NONE, child_at, extra_at, node_at
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import compiled
from astragal.rules.random import next_word, upper


@kernel
def allowed(seen, work):
    """k = ceil(C2 * v^alpha)."""
    return np.int64(np.ceil(work.widen_factor * np.float64(max(seen, 1)) ** work.widen_power))


@kernel
def stored_chance(game, steps, state, tree, index):
    """The probability of a stored outcome; where it stands for several, adding theirs up once was enough."""
    if steps.needs_extra:
        return extra_at(tree, index).chance
    return game.probability(state, np.int64(node_at(tree, index).action))


@compiled
@dataclass(frozen=True)
class AllChildren:
    """No widening: every action and every outcome from the start."""

    needs_chances = False

    def actions(self, node, seen, work):
        return np.int64(node.count)

    def may_add(self, node, seen, work):
        return True

    def redraw(self, game, steps, state, tree, node, generator):
        return NONE, generator


@compiled
@dataclass(frozen=True)
class DoubleWidening:
    """Double Progressive Widening."""

    needs_chances = True

    def actions(self, node, seen, work):
        return min(np.int64(node.count), max(allowed(seen, work), 1))

    def may_add(self, node, seen, work):
        return node.count == 0 or allowed(seen, work) > node.count

    def redraw(self, game, steps, state, tree, node, generator):
        """A stored outcome by its probability among those stored."""
        generator, word = next_word(generator)
        total = 0.0
        for i in range(node.count):
            total += stored_chance(game, steps, state, tree, child_at(game, tree, node, i, True))
        left = (upper(word) + 0.5) / 4294967296.0 * total
        index = NONE
        for i in range(node.count):
            index = child_at(game, tree, node, i, True)
            left -= stored_chance(game, steps, state, tree, index)
            if left < 0.0:
                break
        return index, generator
