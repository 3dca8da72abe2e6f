"""A review in words: its rows, its totals and its mistakes, for the terminal and for files."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from astragal.algorithms.interval import Interval
from astragal.arena.judging import NOT_KNOWN
from astragal.arena.review import Decision, Review, Roll
from astragal.rules.ending import measure

ACCURACY = (
    "accuracy is the share of decisions without a mistake: one that lost more than 1% of the range, and than its ±"
)


def row_text(row: Decision | Roll, found: Review) -> str:
    """A row with its step; the best move where another was played."""
    if isinstance(row, Roll):
        return f"{row.ply:>4}. chance:   {row.outcome:<14} luck: {luck_text(row, found)} ({row.kind})"
    return f"{row.ply:>4}. player {row.player}: {row.played:<14} {decision_text(row, found)}"


def decision_text(row: Decision, found: Review) -> str:
    if row.kind == NOT_KNOWN:
        return NOT_KNOWN
    if row.between is not None and row.between.upper > 0.0:
        best = "" if row.best == row.played else f", best so far is {row.best}"
        return f"lost {loss_text(row.between, found)}{best} ({row.kind})"
    if row.lost <= 0:
        return f"best ({row.kind})"
    return f"lost {worth(row.lost, found)}{error_text(row, found)}, best was {row.best} ({row.kind})"


def loss_text(between: Interval, found: Review) -> str:
    """What was lost, by what is proven; digits are rounded outwards."""
    chances = measure(found.game) == "win"
    return between.in_units(Fraction(found.span) / 100, "", "%") if chances else between.in_units(found.unit)


def luck_text(row: Roll, found: Review) -> str:
    luck = "  ".join(f"player {seat} {worth(each, found, True)}" for seat, each in enumerate(row.luck, 1))
    return f"{luck}{error_text(row, found)}"


def error_text(row: Decision | Roll, found: Review) -> str:
    return f" ± {worth(row.error, found)}" if row.error else ""


def worth(value: float, found: Review, signed: bool = False) -> str:
    """Utilities as people read them: points of the chance to win where the game is won or lost, else points."""
    return in_units(value / found.unit, found, signed)


def in_units(amount: float, found: Review, signed: bool = False) -> str:
    sign = "+" if signed else ""
    return f"{100 * amount:{sign}.1f}%" if measure(found.game) == "win" else f"{amount:{sign}.2f}"


def totals(found: Review) -> Iterator[str]:
    """A line for each player with decisions."""
    chances = measure(found.game) == "win"
    each, by_roll = (" of the chance to win a decision", " a roll") if chances else (" points in the game", " points")
    for row in found.as_dict()["players"]:
        if row["decisions"]:
            luck = f", luck {in_units(row['luck_each'], found, True)}{by_roll}" if row["rolls"] else ""
            yield (
                f"player {row['player']}: accuracy {row['accuracy']:.0%} of {row['decisions']} decisions, "
                f"lost {in_units(row['lost_each'], found)}{each}{luck}"
            )


def mistake_text(row: Decision, found: Review) -> tuple[str, str]:
    """Where a mistake was made, and what it lost."""
    line = f"; best play: {' '.join(row.line)}" if len(row.line) > 1 else ""
    lost = f"{worth(row.lost, found)}{error_text(row, found)}"
    return f"step {row.ply}, player {row.player}", f"{row.played} instead of {row.best}, lost {lost}{line}"
