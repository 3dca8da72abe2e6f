"""Backup: what the nodes on a simulation's path learn from its rewards.

A node keeps what it is worth to its **owner**, the player who chose it at the decision above it (at an outcome, the
owner of the chance node; at the root, the player to move). So selection at a decision compares its children as they
are, for any player to move and any number of players.

- `Average`: the mean of all rewards. For more than two players this is max^n with means.
- `Minimax`: the best child's value, UCTMAX_H's (Ramanujan & Selman 2011; their printed update multiplies by the visits,
  since their Q holds a sum): a decision is worth what its best visited child is worth, a chance node the mean over the
  outcomes seen with their probabilities renormalised, a node without visited children its own evaluation. The paper
  does not say what children count that were not visited yet. Here they count nothing; by the setting `unvisited` they
  count as the node's own evaluation, or as the middle of the range of utilities, a draw. With more than two players,
  or without zero sum, a node keeps everybody's value: max^n.
- `Minimum`: chapter 8's: everybody but the searcher wants the searcher's reward to be small, and what is passed up from
  an opponent's decision is the smallest mean over its actions.

Visits are counted on the way down (`astragal.algorithms.tree.simulation`). With several threads a virtual loss lies on
each node of the path until its backup. It takes no writing: where threads share a tree, rewards are added up as what
they are above the least there is, so that a visit without its reward yet counts as the worst. A line of memory that two
processors write has to travel between them each time, which is most of what sharing costs: much visited nodes get a few
visits at a time (`astragal.algorithms.tree.sharing`).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from astragal.algorithms.tree.nodes import child_at, extra_at, node_at, value_at
from astragal.algorithms.tree.sharing import gather, gathers
from astragal.algorithms.tree.steps.select import inverse
from astragal.base.parameters import Constant
from astragal.compiler.intrinsics.atomic import atomic_add
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, compiled

NOTHING, OWN, MIDDLE = 0, 1, 2  # what children that were not visited yet count for a minimax value


@kernel
def add_reward(steps, tree, i, reward, work):
    """Add a reward to the i-th node of the path, which takes the virtual loss away."""
    if steps.shared and gathers(steps) and i < work.gathering:
        gather(tree, work.path[i], reward - steps.backup.floor, work)
    elif steps.shared:
        atomic_add(node_at(tree, work.path[i]), "sum", reward - steps.backup.floor)
    else:
        node_at(tree, work.path[i]).sum += reward


@compiled
@dataclass(frozen=True)
class Average:
    """Means of rewards."""

    floor: Constant[float] = 0.0  # what rewards are counted above: the least there is where threads share the tree
    needs_chances = False
    sums = True  # whether a node adds rewards up
    keeps_all = False  # whether a node keeps every player's value

    def mean(self, node, share):
        return node.sum * share + self.floor if self.floor != 0.0 else node.sum * share

    def reward(self, owner, work):
        """What a simulation gives a node's owner."""
        return work.rewards[owner]

    def update(self, game, steps, tree, work):
        for back in range(work.length):
            i = work.length - 1 - back
            steps.prove.correct(game, tree, work.path[i], work)
            owner = np.int64(work.owners[i])
            add_reward(steps, tree, i, self.reward(owner, work), work)


@compiled
@dataclass(frozen=True)
class Minimum(Average):
    """The searcher against all others, with the minimum over an opponent's actions passed up."""

    def reward(self, owner, work):
        reward = work.rewards[work.root_player]
        return reward if owner == work.root_player else -reward

    def update(self, game, steps, tree, work):
        searcher = work.root_player
        for back in range(work.length):
            i = work.length - 1 - back
            node = node_at(tree, work.path[i])
            mover = np.int64(work.movers[i])
            if back > 0 and mover != CHANCE and mover != searcher:
                work.rewards[searcher] = -best_mean(steps, tree, node)
                if game.players == 2:
                    work.rewards[1 - searcher] = -work.rewards[searcher]
            steps.prove.correct(game, tree, work.path[i], work)
            owner = np.int64(work.owners[i])
            add_reward(steps, tree, i, self.reward(owner, work), work)


@kernel
def best_mean(steps, tree, node):
    """The largest mean of a decision's visited children, its mover's."""
    best = -np.inf
    for i in range(node.first, node.first + np.uint32(node.count)):
        child = node_at(tree, i)
        if child.visits > 0:
            best = max(best, steps.backup.mean(child, inverse(child.visits)))
    return best


@compiled
@dataclass(frozen=True)
class Minimax:
    """Values of best children, for two players of a zero-sum game. A node's sum is its value."""

    unvisited: Constant[int] = NOTHING  # what children count that were not visited yet
    floor = 0.0
    needs_chances = True
    sums = False
    keeps_all = False

    def mean(self, node, share):
        return node.sum

    def update(self, game, steps, tree, work):
        for back in range(work.length):
            i = work.length - 1 - back
            node = node_at(tree, work.path[i])
            mover = np.int64(work.movers[i])
            owner = np.int64(work.owners[i])
            if back == 0:
                node.sum += (work.rewards[owner] - node.sum) / np.float64(max(node.visits, 1))
                if self.unvisited == OWN and node.visits <= 1:
                    extra_at(tree, work.path[i]).own = work.rewards[owner]
            elif mover == CHANCE:
                node.sum = expected_value(game, tree, node)
            else:
                best = best_mean(steps, tree, node)
                if self.unvisited != NOTHING and has_unvisited(tree, node):
                    own = extra_at(tree, work.path[i]).own if self.unvisited == OWN else (tree.low + tree.high) / 2.0
                    best = max(best, own if owner == mover or self.unvisited == MIDDLE else -own)
                node.sum = best if owner == mover else -best
            if steps.prove.active:
                node.sum = steps.prove.corrected(tree, work.path[i], owner, node.sum)


@kernel
def has_unvisited(tree, node):
    """Whether a decision has a child that no simulation has visited."""
    missing = False
    for i in range(node.first, node.first + np.uint32(node.count)):
        missing |= node_at(tree, i).visits == 0
    return missing


@kernel
def expected_value(game, tree, node):
    """The mean over a chance node's outcomes seen so far, by their probabilities."""
    total, weight = 0.0, 0.0
    for i in range(node.count):
        index = child_at(game, tree, node, i, True)
        if node_at(tree, index).visits > 0:
            total += extra_at(tree, index).chance * node_at(tree, index).sum
            weight += extra_at(tree, index).chance
    return total / weight


@compiled
@dataclass(frozen=True)
class MaxN(Minimax):
    """Values of best children for any number of players: every node keeps each player's value."""

    keeps_all = True

    def update(self, game, steps, tree, work):
        for back in range(work.length):
            i = work.length - 1 - back
            index = work.path[i]
            node = node_at(tree, index)
            mover = np.int64(work.movers[i])
            if back == 0:
                share = 1.0 / np.float64(max(node.visits, 1))
                for player in range(game.players):
                    if node.visits <= 1:
                        value_at(game, tree, index, player).value = work.rewards[player]
                    else:
                        value_at(game, tree, index, player).value += (
                            work.rewards[player] - value_at(game, tree, index, player).value
                        ) * share
            elif mover == CHANCE:
                take_expected_values(game, tree, index)
            else:
                take_best_values(game, tree, index, mover)
            if steps.prove.active:
                correct_values(game, steps, tree, index, work)
            node.sum = value_at(game, tree, index, np.int64(work.owners[i])).value


@kernel
def correct_values(game, steps, tree, index, work):
    """Bring a node's values in line with what is proven of it."""
    for player in range(game.players):
        work.rewards[player] = value_at(game, tree, index, player).value
    steps.prove.correct(game, tree, index, work)
    for player in range(game.players):
        value_at(game, tree, index, player).value = work.rewards[player]


@kernel
def take_best_values(game, tree, index, mover):
    """A decision is worth to everybody what the child is that is best for the mover."""
    node = node_at(tree, index)
    best, chosen = -np.inf, np.uint32(0)
    for i in range(node.first, node.first + np.uint32(node.count)):
        if node_at(tree, i).visits > 0 and value_at(game, tree, i, mover).value > best:
            best, chosen = value_at(game, tree, i, mover).value, np.uint32(i)
    for player in range(game.players):
        value_at(game, tree, index, player).value = value_at(game, tree, chosen, player).value


@kernel
def take_expected_values(game, tree, index):
    """A chance node is worth the mean over its outcomes seen so far."""
    node = node_at(tree, index)
    weight = 0.0
    for player in range(game.players):
        value_at(game, tree, index, player).value = 0.0
    for i in range(node.count):
        child = child_at(game, tree, node, i, True)
        if node_at(tree, child).visits > 0:
            weight += extra_at(tree, child).chance
            for player in range(game.players):
                value_at(game, tree, index, player).value += (
                    extra_at(tree, child).chance * value_at(game, tree, child, player).value
                )
    for player in range(game.players):
        value_at(game, tree, index, player).value /= weight
