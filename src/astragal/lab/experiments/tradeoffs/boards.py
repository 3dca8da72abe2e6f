"""What the experiments of Ramanujan & Selman 2011 share: boards, orders of moves, random games, finishers, curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from astragal.arena.contest import Finish
from astragal.lab.budget import with_settings
from astragal.lab.claims import Claim
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.size import Size

BOARD = "kalah:setup=random"
LARGE = "kalah:pits=8,stones=6,setup=random"
SMALL = "kalah:pits=4,stones=3,setup=random"  # which is solved exactly
ORDERS = {"good order": "listed", "poor order": "reversed"}
PLAYOUTS = "uct:ends=sign,c=1.4,unit=points"  # random games that count 1, 0 or -1 point
PARTIAL_PLIES = 14
PAPER_FINISHER = 16


def finish(size: Size, ply: int | None = None, terminal_ratio: float | None = None) -> Finish:
    """Two MM finish, from a ply on, or once the trees of Minimax, the second player, have met enough ends."""
    both = (f"alphabeta:depth={size.finisher}",) * 2
    return Finish(both, ply, terminal_ratio, None if terminal_ratio is None else 1)


def over(columns: Iterable[int], row: str, players: Callable[[int], tuple[str, str]], **more: Any) -> Iterator[Duel]:
    """Two players on the (6,4) board, over a number that they depend on."""
    return (Duel(row, str(column), BOARD, *players(column), **more) for column in columns)


def with_iterations(first: str, second: str) -> Callable[[int], tuple[str, str]]:
    """Both with so many iterations."""
    return lambda sims: (with_settings(first, sims=sims), with_settings(second, sims=sims))


def of_boards(
    title: str,
    duels: Callable[[Size], Iterable[Duel]],
    name: str,
    axes: tuple[str, str],
    *claims: Claim,
    **more: Any,
) -> Duels:
    """A table of the work: shares of boards, and what its rows and columns are."""
    return Duels(title, duels, name, *axes, score="boards", claims=claims, **more)


def curve(
    title: str,
    duels: Callable[[Size], Iterable[Duel]],
    name: str,
    columns_are: str,
    *claims: Claim,
    rows_are: str = "player",
) -> Duels:
    """A figure of the work: shares of boards over what grows by about the same factor from column to column."""
    return of_boards(title, duels, name, (rows_are, columns_are), *claims, log=True)
