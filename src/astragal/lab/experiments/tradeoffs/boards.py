"""What the experiments of Ramanujan & Selman 2011 share: boards, orders of moves, random games, finishers, curves."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from astragal.arena.contest import Finish
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


def curve(
    title: str,
    duels: Callable[[Size], Iterable[Duel]],
    name: str,
    columns_are: str,
    *claims: Claim,
    rows_are: str = "player",
) -> Duels:
    """A figure of the work: shares of boards over what grows by about the same factor from column to column."""
    return Duels(title, duels, name, rows_are, columns_are, score="boards", log=True, claims=claims)
