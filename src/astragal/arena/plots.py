"""A picture of a tournament's ratings, drawn by Matplotlib."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from astragal.arena.ratings import Ratings
from astragal.errors import AstragalError, SpecError

SUFFIXES = (".svg", ".png", ".pdf")


def check_plot(path: Path) -> None:
    """Say what would keep a picture from being drawn, before hours of games."""
    if path.suffix not in SUFFIXES:
        raise SpecError(f"a picture is written to {', '.join(SUFFIXES)}, not to {path}")
    if not path.parent.is_dir():
        raise SpecError(f"there is no folder {path.parent} for the picture")
    figures()


def figures() -> Any:
    try:
        from matplotlib import figure
    except ImportError:
        raise AstragalError('a picture needs Matplotlib: pip install "astragal[plots]"') from None
    return figure


def plot_ratings(ratings: Ratings, path: Path, title: str) -> None:
    """Each player's rating with its interval, the best at the top."""
    best_last = sorted(ratings.players, key=lambda rating: rating.elo)
    made = figures().Figure(figsize=(7.0, 1.2 + 0.35 * len(best_last)), layout="constrained")
    axes = made.subplots()
    axes.errorbar(
        [rating.elo for rating in best_last],
        range(len(best_last)),
        xerr=[
            [rating.elo - rating.low for rating in best_last],
            [rating.high - rating.elo for rating in best_last],
        ],
        fmt="o",
        color="black",
        capsize=3,
    )
    axes.set_yticks(range(len(best_last)), [rating.player for rating in best_last])
    axes.axvline(0.0, color="grey", linewidth=0.5)
    axes.set_xlabel("Elo, with 95% interval")
    axes.set_title(title)
    try:
        made.savefig(path, dpi=150)
    except OSError as error:
        raise AstragalError(f"{path} cannot be written: {error.strerror}") from None
