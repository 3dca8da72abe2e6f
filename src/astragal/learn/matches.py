"""Matches between evaluations: what one scores against another, or against random moves, with intervals."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.compiler.intrinsics.native import local_copy
from astragal.compiler.kernel import kernel
from astragal.learn.look_ahead import chosen_action
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.dice import Dice
from astragal.rules.random import next_word, upper

Z = 1.96  # of an interval that holds in 95 of 100 cases


@dataclass(frozen=True)
class Score:
    """What one evaluation scored against another: its share of games, and of points, each with half an interval."""

    share: float
    share_error: float
    points: float
    points_error: float
    games: int

    @property
    def least(self) -> float:
        return self.share - self.share_error

    def __str__(self) -> str:
        return f"{100 * self.share:.1f}% ± {100 * self.share_error:.1f}"


def mean_and_error(values: npt.NDArray[np.float64], group: int) -> tuple[float, float]:
    """The mean, and half the width of its interval; games of a group share their dice and count as one."""
    means = values.reshape(-1, group).mean(axis=1)
    spread = float(means.std(ddof=1)) if len(means) > 1 else math.inf
    return float(means.mean()), Z * spread / math.sqrt(len(means))


def match_of(
    one: Any,
    other: Any | None,
    starts: Any,
    games: int,
    opening: int,
    longest: int,
    depth: int,
    seed: int,
    threads: int = 1,
) -> Score:
    """One game's evaluation against another's, `depth` decisions deep; against random moves if there is no other.

    In a game for one, each plays alone on the same dice. The one that has more points wins, by the difference. Games
    are numbered, so the score does not depend on the threads.
    """
    seats = max(2, one.players)
    groups = max(2, -(-games // seats))
    scores, points = np.zeros((2, groups * seats))
    dice = Dice(seed)
    seeds = np.array([dice.bits() for _ in range(groups)], np.uint64)
    rival = one if other is None else other
    parts = [range(groups * part // threads, groups * (part + 1) // threads) for part in range(threads)]

    def play(part: range) -> None:
        begins, mine = np.roll(starts, -part.start), slice(part.start * seats, part.stop * seats)
        leaves, generators = np.zeros(depth + 1, one.state), seeds[part.start : part.stop]
        among = scores[mine], points[mine]
        compare(one, rival, begins, generators, opening, longest, depth, other is None, leaves, *among)

    if threads == 1:
        play(parts[0])
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(play, parts))
    if one.players == 1:
        ahead = points[::2] - points[1::2]
        return Score(*mean_and_error(np.sign(ahead) / 2 + 0.5, 1), *mean_and_error(ahead, 1), len(points))
    return Score(*mean_and_error(scores, seats), *mean_and_error(points, seats), len(scores))


@kernel(entry="evaluations, compared")
def compare(one, other, starts, generators, opening, longest, depth, blind, leaves, scores, points):
    """Games between one evaluation and another, seats taking turns on the same dice; what each brought the first.

    Before that come `opening` random moves, the same for every seat. With `blind` the others play randomly. In a game
    for one there is a seat 2 besides, whose games the other plays.
    """
    seats = max(2, one.players)
    for number in range(len(scores)):
        generator = generators[number // seats]
        seat = number % seats
        state = local_copy(starts[number // seats % len(starts)])
        plies = 0
        turn = np.int64(one.turn(state))
        while turn != TERMINAL and plies < longest:
            generator, word = next_word(generator)
            if turn == CHANCE:
                one.deal(state, one.draw(state, upper(word)))
            elif plies < opening or (blind and turn != seat):
                one.play(state, one.pick(state, upper(word)))
            elif turn == seat:
                one.play(state, chosen_action(one, state, turn, depth, leaves))
            else:
                one.play(state, chosen_action(other, state, turn, depth, leaves))
            plies += 1
            turn = np.int64(one.turn(state))
        scores[number], points[number] = result_of(one, state, turn, seat)


@kernel
def result_of(game, state, turn, seat):
    """A seat's share of the win, and its utility; of a game that is not over, what chance would give."""
    if turn != TERMINAL:
        return 1.0 / game.players, 0.5 * (game.utility_range[0] + game.utility_range[1])
    if game.players == 1:
        return 0.5, np.float64(game.utility(state, 0))
    own = np.float64(game.utility(state, seat))
    winners, ahead = 1, False
    for player in range(game.players):
        if player != seat:
            their = game.utility(state, player)
            winners += their == own
            ahead = ahead or their > own
    return (0.0 if ahead else 1.0 / winners), own
