"""Adaptive multistage sampling (Chang, Fu, Hu & Marcus 2005), for two players.

A decision is worth the mean of several tries. Each try takes an action, lets chance follow it once, and estimates the
decision that comes then in the same way, one unit less deep. Every action is tried once, then always the one with the
greatest mean plus exploration, sqrt(2 ln n / n_a) times a share of the utility range (UCB1, Auer, Cesa-Bianchi &
Fischer 2002). As in the paper the mean is over all tries of a decision: it is too low for the mover by what tries of
poorer actions cost, and tends to the value as tries grow.

No tree is kept: each try samples anew, and with N tries at each decision a search to depth d makes some N^d.

Departures from the paper: two players in place of one; no discount; decisions with one action, and chance nodes
straight after chance nodes, are tried once, since there is nothing to choose.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numba import types

from astragal.algorithms.depth_first.work import SILENT, exhausted
from astragal.compiler.guard import finite, in_turn
from astragal.compiler.intrinsics.native import local_copy, record_reader, recursion, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL, compiled
from astragal.rules.random import next_word, upper

own_address, recurse = recursion(lambda: mean_of_tries, types.float64)
mean_of = record_reader(np.dtype([("value", "f8")]))


@compiled
@dataclass(frozen=True)
class AmsVariant:
    """Adaptive multistage sampling as a `astragal.algorithms.depth_first.variant`, for player 0's values."""

    _label_ = "ams"  # what it is called while it is compiled
    sampled = True
    prune = False
    scouts = False
    lasting = False
    shares = False
    recorder = SILENT

    def viewer(self, work):
        return 0

    def minimises(self, turn, work):
        return turn == 1

    def value(self, game, state, turn, depth, alpha, beta, work):
        return mean_of_tries(game, self, state, turn, depth, 0.0, work)

    def step(self, work, path, state, action):
        """Samples have no key."""


@kernel(entry="adaptive multistage sampling")
def try_root(game, variant, root, depth, spread, works):
    """Search a root and leave the mean of each action's tries at `work.vector`, in the game's order."""
    state, work = root[0], works[0]
    work.root_depth = depth
    mean_of_tries(game, variant, state, np.int64(game.turn(state)), depth, spread, work)


@kernel
def mean_of_tries(game, variant, state, turn, depth, spread, work):
    """Estimate a state that is not terminal, with depth > 0 units left. A chance node here is a forced decision."""
    actions = scratch(np.uint32, game.max_actions)
    sums, tried = scratch(np.float64, game.max_actions), scratch(np.int64, game.max_actions)
    count = np.int64(1)
    if turn != CHANCE:
        work.decisions += 1
        in_turn(game, state, turn)
        count = np.int64(game.actions(state, actions))
    tries = max(count, np.int64(work.widths[depth - 1]))
    if count == 1 and depth < work.root_depth:
        tries = np.int64(1)
    total = 0.0
    for n in range(tries):
        if exhausted(work):
            return 0.0
        i = n if n < count else most_promising(sums, tried, count, n, turn, spread)
        child = local_copy(state)
        if turn != CHANCE:
            game.play(child, np.int64(actions[i]))
        value = value_of_try(game, variant, child, depth - 1, spread, work, own_address())
        if work.stop != 0:
            return 0.0
        if n < count:
            sums[i], tried[i] = 0.0, 0
        sums[i] += value
        tried[i] += 1
        total += value
    if depth == work.root_depth:
        for i in range(count):
            mean_of(work.vector, i).value = sums[i] / tried[i]
    return total / tries


@kernel
def most_promising(sums, tried, count, n, turn, spread):
    """The action with the greatest mean plus exploration; of equal ones the first."""
    best, most = np.int64(0), -np.inf
    for i in range(count):
        mean = sums[i] / tried[i]
        hope = (-mean if turn == 1 else mean) + spread * math.sqrt(2.0 * math.log(n) / tried[i])
        if hope > most:
            best, most = np.int64(i), hope
    return best


@kernel(inline=True)
def value_of_try(game, variant, state, depth, spread, work, me):
    """Let chance happen once, where it is to, and estimate what comes then."""
    turn = np.int64(game.turn(state))
    if turn == CHANCE:
        work.chances += 1
        word = next_word(work.key)
        work.key = word[0]
        game.deal(state, np.int64(game.draw(state, upper(word[1]))))
        turn = np.int64(game.turn(state))
    if turn == TERMINAL:
        work.terminals += 1
        return finite_value(state, game.utility(state, 0))
    if depth == 0:
        work.leaves += 1
        return finite_value(state, game.heuristic(state, 0))
    return recurse(me, game, variant, state, turn, depth, spread, work)


@kernel(inline=True)
def finite_value(state, value):
    finite(state, value)
    return value
