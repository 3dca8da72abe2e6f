"""Rounds: how players select who choose at once, in a tree in which they choose one after the other.

The tree is that of the game as the searcher sees it: the searcher is first, and the others come after. A node at which
the last h decisions are hidden from the player to move has **cousins**: the nodes h plies below the same node, one for
each way in which those decisions can be made. To the player they are one. All have the same actions in the same order.

- `Answered`: nothing is done about it. The others select as if they saw what was chosen before them and answer it: the
  pessimistic view of Genesereth & Thielscher, which is also that of alpha-beta and of Monte Carlo Search here.
- `Decoupled`: every player selects by their own statistics, over all that the others may have chosen: the visits and
  the rewards of an action are added up over the cousins, and so are the visits of the node itself. At the first node of
  a round these are its own. This is decoupled UCT (DUCT; Tak, Lanctot & Winands 2014), with which CadiaPlayer searched
  games with simultaneous moves (Finnsson & Bjornsson 2008). Visits tend to shares of mixed strategies, without a
  guarantee that these are an equilibrium.

Departure: those papers keep one node a round, with a table for each player, and one child for each joint move. Here the
joint moves are paths, and the tables are added up from the nodes when they are needed. A simulation therefore may end
in the middle of a round, where a rollout chooses for those who are left.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from astragal.algorithms.tree.nodes import NONE, node_at
from astragal.algorithms.tree.steps.select import inverse, root_of_log, upper_confidence
from astragal.compiler.intrinsics.native import scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import compiled
from astragal.rules.random import next_word, upper


@compiled
@dataclass(frozen=True)
class Answered:
    """All players select as if all decisions before were visible."""

    decoupled = False

    def hidden(self, game, state):
        return np.int64(0)

    def select(self, game, steps, tree, at, above, hidden, mover, generator, work):
        return NONE, generator


@compiled
@dataclass(frozen=True)
class Decoupled:
    """All players select over all decisions that are hidden from them."""

    decoupled = True

    def hidden(self, game, state):
        return np.int64(game.hidden(state))

    def select(self, game, steps, tree, at, above, hidden, mover, generator, work):
        """The child of a node to go to, by the values of its actions at all nodes the same plies below one above."""
        visits = scratch(np.int64, game.max_actions)
        sums = scratch(np.float64, game.max_actions)
        for i in range(game.max_actions):
            visits[i], sums[i] = 0, 0.0
        seen = add_cousins(tree, np.int64(above), hidden, visits, sums) - 1  # this simulation has been counted
        node = node_at(tree, at)
        count = steps.widen.actions(node, seen, work)
        generator, word = next_word(generator)
        i = upper(word) * count >> 32
        explore = work.c[mover] * root_of_log(seen)
        best, chosen = -np.inf, i
        for _ in range(count):
            if visits[i] == 0:
                chosen = i
                break
            mean = sums[i] * inverse(visits[i]) + steps.backup.floor
            action = np.int64(node_at(tree, node.first + np.uint32(i)).action)
            value = upper_confidence(steps, tree, mover, action, visits[i], mean, explore, work)
            if value > best:
                best, chosen = value, i
            i = i + 1 if i + 1 < count else 0
        return np.uint32(node.first + np.uint32(chosen)), generator


@kernel
def add_cousins(tree, at, plies, visits, sums):
    """Add up the children of all nodes `hidden` plies below one, action by action; how often those were visited."""
    node = node_at(tree, at)
    first = node.first
    if plies == 0:
        if first != NONE:
            for i in range(node.count):
                child = node_at(tree, first + np.uint32(i))
                visits[i] += np.int64(child.visits)
                sums[i] += child.sum
        return np.int64(node.visits)
    seen = np.int64(0)
    if first != NONE:
        for i in range(node.count):
            child = np.int64(first) + np.int64(i)
            if node_at(tree, child).visits > 0:
                seen += add_cousins(tree, child, plies - 1, visits, sums)
    return seen
