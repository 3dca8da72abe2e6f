"""Max^n: every player maximises their own utility (Luckhardt & Irani 1986), for any number of players.

A node is worth a vector of utilities, one for each player: at a decision that of the action best for the mover, at a
chance node the expectation. Where actions are equally good for the mover the first in the game's order is taken, so the
value is well defined, though other ways to break ties may give the other players something else. Nothing is pruned:
without a bound on the sum of utilities nothing can be.

Depth is counted as in `astragal.algorithms.star.star`. A node leaves its vector at `work.vector`, where its parent
takes it up before it searches on.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import types

from astragal.algorithms.depth_first.table import EXACT, MIN_DEPTH, remember
from astragal.algorithms.depth_first.work import SILENT, Silent, exhausted, note_hidden
from astragal.algorithms.plain_tree import HORIZON
from astragal.algorithms.star.outcomes import listed_outcomes
from astragal.base.parameters import Constant
from astragal.compiler.guard import in_turn
from astragal.compiler.intrinsics.native import local_copy, record_reader, recursion, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL, compiled
from astragal.rules.random import state_hash

own_address, recurse = recursion(lambda: vector_of, types.float64)
result_of = record_reader(np.dtype([("utility", "f8")]))


@compiled
@dataclass(frozen=True)
class MaxnVariant:
    """Max^n as a `astragal.algorithms.depth_first.variant`: values are those of the player at the root."""

    recorder: Constant[Silent] = SILENT
    _label_ = "maxn"  # what it is called while it is compiled
    sampled = False
    prune = False
    scouts = False
    lasting = True
    shares = False

    def viewer(self, work):
        return work.viewer

    def minimises(self, turn, work):
        return False

    def value(self, game, state, turn, depth, alpha, beta, work):
        return vector_of(game, self, state, turn, depth, work)

    def step(self, work, path, state, action):
        """Nothing is drawn, so no path is kept."""


@kernel
def vector_of(game, variant, state, turn, depth, work):
    """Search a state that is not terminal, with depth > 0 units left; its value for the player at the root."""
    if exhausted(work):
        return 0.0
    actions = scratch(np.uint32, game.max_actions)
    best = scratch(np.float64, game.players)
    best_action = np.int64(0)
    count = 1
    row = np.int64(-1)
    if turn != CHANCE:
        work.decisions += 1
        row = variant.recorder.enter(work)
        in_turn(game, state, turn)
        count = game.actions(state, actions)
        note_hidden(game, state, count, work)
    for i in range(count):
        child = local_copy(state)
        action = np.int64(0)
        if turn != CHANCE:
            action = np.int64(actions[i])
            game.play(child, action)
            variant.recorder.step(work, action, 0)
        search_after_action(game, variant, child, depth, work, own_address())
        if work.stop != 0:
            return 0.0
        if i == 0 or result_of(work.vector, turn).utility > best[turn]:
            best_action = action
            for player in range(game.players):
                best[player] = result_of(work.vector, player).utility
    for player in range(game.players):
        result_of(work.vector, player).utility = best[player]
    if turn != CHANCE and depth >= MIN_DEPTH and work.table != 0:
        remember(work, state_hash(state), depth, best_action, best[turn], EXACT, 0)
    return variant.recorder.leave(work, row, best[work.viewer], count, 0)


@kernel(inline=True)
def search_after_action(game, variant, state, depth, work, me):
    """Search the state an action led to: the end, the horizon, another decision at once, or a chance node."""
    turn = np.int64(game.turn(state))
    if turn == CHANCE:
        if not exhausted(work):
            work.chances += 1
            expect(game, variant, state, depth - 1, work, me)
    else:
        search_on(game, variant, state, turn, depth - 1, work, me)


@kernel(inline=True)
def expect(game, variant, state, depth, work, me):
    """A chance node: the expectation of the vectors below it."""
    outcomes = scratch(np.uint32, game.max_outcomes)
    chances = scratch(np.float64, game.max_outcomes)
    sums = scratch(np.float64, game.players)
    for player in range(game.players):
        sums[player] = 0.0
    row = variant.recorder.enter(work)
    count = listed_outcomes(game, state, work.merge != 0, outcomes, chances)
    for i in range(count):
        child = local_copy(state)
        game.deal(child, np.int64(outcomes[i]))
        variant.recorder.step(work, outcomes[i], 0)
        search_on(game, variant, child, np.int64(game.turn(child)), depth, work, me)
        if work.stop != 0:
            return
        for player in range(game.players):
            sums[player] += chances[i] * result_of(work.vector, player).utility
    for player in range(game.players):
        result_of(work.vector, player).utility = sums[player]
    variant.recorder.leave(work, row, sums[work.viewer], count, 0)


@kernel(inline=True)
def search_on(game, variant, state, turn, depth, work, me):
    """Search a state with depth units left: the end, the horizon, or a decision, forced or not."""
    if exhausted(work):
        return
    if turn == TERMINAL:
        work.terminals += 1
        for player in range(game.players):
            result_of(work.vector, player).utility = game.utility(state, player)
        variant.recorder.leaf(work, result_of(work.vector, work.viewer).utility, 0)
    elif depth == 0:
        work.leaves += 1
        for player in range(game.players):
            result_of(work.vector, player).utility = game.heuristic(state, player)
        variant.recorder.leaf(work, result_of(work.vector, work.viewer).utility, HORIZON)
    else:
        recurse(me, game, variant, state, turn, depth, work)
