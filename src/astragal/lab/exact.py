"""Exact values that experiments compare with, solved first if need be."""

from __future__ import annotations

from functools import lru_cache

from astragal.arena.contest import Contest
from astragal.games import load_game
from astragal.rules.position import Position
from astragal.solvers.exact import Exact, exact_values, own_solver, solve


@lru_cache(maxsize=4)
def exact_for(game: str) -> Exact:
    """Exact values of a game's positions."""
    start = Position.start(load_game(game))
    return solve(start).values if own_solver(start) is None else exact_values(start)


def solve_for_players(contest: Contest) -> None:
    """Solve a game that one of the players looks up, which would refuse to play otherwise."""
    if any(kind.partition(":")[0] == "optimal" for kind in contest.kinds):
        exact_for(contest.game)
