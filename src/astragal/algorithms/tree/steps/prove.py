"""Proof: what best play leads to, found on the way up from ends of the game.

Two players of a zero-sum game (`Bounds`): every node keeps a lower and an upper bound of player 0's value (Cazenave &
Saffidine 2010). At a decision both are the best of its children's; at a chance node their expectation, outcomes not in
the tree counting as the ends of the range. A node whose bounds meet is proven. Wins and losses are the case in which
they meet at an end of the range: this is MCTS-Solver (Winands et al. 2008), with draws and chance nodes.

Any number of players (`Winners`): MP-MCTS-Solver (Nijssen & Winands 2010). An end is a win of the player who alone has
the highest utility; a draw has no winner. A decision is a win of its mover if one child is; if all children are
wins of the same opponent it is that one's. If they are wins of different opponents, the update rule decides:

- standard: nothing is proven;
- paranoid: the player at the root is taken off the list of winners; if one is left, it is that one's win;
- first winner: of the winners, the first one who comes after the mover.

A chance node is proven if all outcomes there are lie in the tree and are wins of the same player.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from astragal.algorithms.tree.nodes import child_at, extra_at, node_at
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL, compiled

EPSILON = 1e-9  # rounding, as a share of the range of utilities
STANDARD, PARANOID, FIRST_WINNER = 0, 1, 2


@compiled
@dataclass(frozen=True)
class NoProof:
    """Nothing is proven."""

    active = False
    needs_chances = False

    def settled(self, tree, index, work):
        return False

    def settled_rewards(self, game, tree, index, work):
        pass

    def inferior(self, tree, parent, index, mover, work):
        return False

    def correct(self, game, tree, index, work):
        pass

    def corrected(self, tree, index, owner, value):
        return value

    def update(self, game, tree, turn, work):
        pass


@compiled
@dataclass(frozen=True)
class Bounds:
    """Bounds of the value, for two players of a zero-sum game."""

    active = True
    needs_chances = True

    def settled(self, tree, index, work):
        more = extra_at(tree, index)
        return more.upper - more.lower <= EPSILON * (work.high - work.low)

    def settled_rewards(self, game, tree, index, work):
        work.rewards[0] = extra_at(tree, index).lower
        work.rewards[1] = -work.rewards[0]

    def inferior(self, tree, parent, index, mover, work):
        """Whether a child can give the mover nothing more than is sure already: a loss, or a draw where one is sure."""
        slack = EPSILON * (work.high - work.low)
        sure, more = extra_at(tree, parent), extra_at(tree, index)
        return more.upper <= sure.lower + slack if mover == 0 else more.lower >= sure.upper - slack

    def correct(self, game, tree, index, work):
        """Bring what a simulation passes up through a node within what is proven of it.

        Simulations go on to look for more where a draw is sure; that they find less must not count against the node.
        """
        more = extra_at(tree, index)
        work.rewards[0] = min(max(work.rewards[0], more.lower), more.upper)
        work.rewards[1] = -work.rewards[0]

    def corrected(self, tree, index, owner, value):
        """A value for a node's owner, brought within what is proven of it."""
        more = extra_at(tree, index)
        return min(max(value, more.lower), more.upper) if owner == 0 else min(max(value, -more.upper), -more.lower)

    def update(self, game, tree, turn, work):
        """Carry the news of a proven leaf up for as long as it changes anything."""
        leaf = extra_at(tree, work.path[work.length - 1])
        if turn == TERMINAL and leaf.lower != leaf.upper:
            leaf.lower = leaf.upper = work.rewards[0]
            work.proofs += 1
        elif not work.news:
            return
        for back in range(1, work.length):
            index = work.path[work.length - 1 - back]
            mover = np.int64(work.movers[work.length - 1 - back])
            lower, upper = child_bounds(game, tree, index, mover, work)
            more = extra_at(tree, index)
            if lower <= more.lower and upper >= more.upper:
                return
            more.lower, more.upper = max(lower, more.lower), min(upper, more.upper)
            work.proofs += self.settled(tree, index, work)


@kernel
def child_bounds(game, tree, index, mover, work):
    """The bounds of a node from those of its children."""
    node = node_at(tree, index)
    if mover == CHANCE:
        lower, upper, missing = 0.0, 0.0, 1.0
        for i in range(node.count):
            more = extra_at(tree, child_at(game, tree, node, i, True))
            lower += more.chance * more.lower
            upper += more.chance * more.upper
            missing -= more.chance
        if missing > EPSILON:
            lower += missing * work.low
            upper += missing * work.high
        return lower, upper
    lower, upper = (work.low, work.low) if mover == 0 else (work.high, work.high)
    for i in range(node.first, node.first + np.uint32(node.count)):
        more = extra_at(tree, i)
        if mover == 0:
            lower, upper = max(lower, more.lower), max(upper, more.upper)
        else:
            lower, upper = min(lower, more.lower), min(upper, more.upper)
    return lower, upper


@compiled
@dataclass(frozen=True)
class Winners:
    """Proven winners, for any number of players, by the update rule of the work."""

    active = True
    needs_chances = True

    def settled(self, tree, index, work):
        return node_at(tree, index).winner != 0

    def settled_rewards(self, game, tree, index, work):
        for player in range(game.players):
            work.rewards[player] = work.high if player + 1 == node_at(tree, index).winner else work.low

    def inferior(self, tree, parent, index, mover, work):
        """Whether a child is a proven win of another player."""
        winner = np.int64(node_at(tree, index).winner)
        return winner != 0 and winner != mover + 1

    def correct(self, game, tree, index, work):
        """Of a node that is a proven win a simulation passes up a win of that player, whatever it came to."""
        winner = np.int64(node_at(tree, index).winner)
        if winner != 0 and winner_at_end(game, work) != winner:
            self.settled_rewards(game, tree, index, work)

    def corrected(self, tree, index, owner, value):
        return value

    def update(self, game, tree, turn, work):
        leaf = node_at(tree, work.path[work.length - 1])
        if turn == TERMINAL and leaf.winner == 0:
            leaf.winner = winner_at_end(game, work)
            if leaf.winner == 0:
                return
            work.proofs += 1
        elif not work.news:
            return
        for back in range(1, work.length):
            index = work.path[work.length - 1 - back]
            mover = np.int64(work.movers[work.length - 1 - back])
            if node_at(tree, index).winner != 0:
                return
            if mover == CHANCE:
                winner = winner_by_chance(game, tree, index)
            else:
                winner = winner_by_choice(game, tree, index, mover, work)
            if winner == 0:
                return
            node_at(tree, index).winner = winner
            work.proofs += 1


@kernel
def winner_at_end(game, work):
    """1 + the player to whom alone the rewards give the highest utility there is, or 0."""
    slack = EPSILON * (work.high - work.low)
    winner = 0
    for player in range(game.players):
        if work.rewards[player] >= work.high - slack:
            if winner != 0:
                return 0
            winner = player + 1
    return winner


@kernel
def winner_by_chance(game, tree, index):
    """1 + the player who wins with every outcome there is, or 0."""
    node = node_at(tree, index)
    winner, missing = np.int64(0), 1.0
    for i in range(node.count):
        child = child_at(game, tree, node, i, True)
        if node_at(tree, child).winner == 0 or (i > 0 and node_at(tree, child).winner != winner):
            return 0
        winner = np.int64(node_at(tree, child).winner)
        missing -= extra_at(tree, child).chance
    return winner if missing <= EPSILON else 0


@kernel
def winner_by_choice(game, tree, index, mover, work):
    """1 + the winner of a decision by an update rule, or 0."""
    node = node_at(tree, index)
    winners = np.uint64(0)  # one bit a player
    unknown = False
    for i in range(node.first, node.first + np.uint32(node.count)):
        winner = np.int64(node_at(tree, i).winner)
        if winner == mover + 1:
            return winner
        if winner == 0:
            unknown = True
        else:
            winners |= np.uint64(1) << np.uint64(winner - 1)
    if unknown:
        return 0
    if work.rule == PARANOID and winners & (winners - np.uint64(1)) != 0:
        winners &= ~(np.uint64(1) << np.uint64(work.root_player))
    if work.rule != FIRST_WINNER and winners & (winners - np.uint64(1)) != 0:
        return 0
    for after in range(1, game.players):
        player = (mover + after) % game.players
        if winners >> np.uint64(player) & np.uint64(1):
            return player + 1
    return 0
