"""What the experiments of Ramanujan & Selman 2011 share: boards, orders of moves, random games, finishers, curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Finish
from astragal.lab.budget import with_settings
from astragal.lab.claims import Claim
from astragal.lab.experiment import Departure
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.size import Size

BOARD = "kalah:setup=random"
LARGE = "kalah:pits=8,stones=6,setup=random"
SMALL = "kalah:pits=4,stones=3,setup=random"  # which is solved exactly
ORDERS = {"good order": "listed", "poor order": "reversed"}
PLAYOUTS = "uct:ends=sign,c=1.4,unit=points"  # random games that count 1, 0 or -1 point
PARTIAL_PLIES = 14
PAPER_FINISHER = 16
MARGIN = 0.02  # of boards: the work prints no numbers for its curves; an effect that one can see in them is larger
SECONDS_AN_ITERATION = 0.4e-6  # of the processor, for UCT_H and UCTMAX_H on the (6,4) board
EQUAL_SECONDS = 0.002  # a move, in rows of equal time: more than MM-12 takes in a good order of moves
DEPARTURES = (
    Departure("ends of the game", "-1, 0, 1", "stones; -1, 0, 1 in further rows"),
    Departure("equal time", "not tested", "further rows"),
    Departure("order of Minimax's moves", "not stated", "a good one, and a poor one"),
    Departure("finisher MM-16", "alpha-beta", "alpha-beta with table and learned order: the same values"),
)


def finish(size: Size, ply: int | None = None, terminal_ratio: float | None = None) -> Finish:
    """Two MM finish, from a ply on, or once the trees of Minimax, the second player, have met enough ends."""
    both = (f"alphabeta:depth={size.finisher}",) * 2
    return Finish(both, ply, terminal_ratio, None if terminal_ratio is None else 1)


def over(columns: Iterable[int], row: str, players: Callable[[int], tuple[str, str]], **more: Any) -> Iterator[Duel]:
    """Two players on the (6,4) board, over a number that they depend on."""
    return (Duel(row, str(column), BOARD, *players(column), **more) for column in columns)


def with_iterations(first: str, second: str) -> Callable[[int], tuple[str, str]]:
    """Both with this many iterations."""
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
    return Duels(title, duels, name, *axes, score="boards", claims=claims, margin=MARGIN, **more)


def at_equal_time(row: str, column: str, board: str, first: str, second: str, seconds: float) -> Duel:
    """Two players with as many seconds of the processor a move, in a row of its own; no work claims anything of it."""
    return Duel(f"{row}, equal time", column, board, first, second, Limits(time=seconds), levels=(0.5,))


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
