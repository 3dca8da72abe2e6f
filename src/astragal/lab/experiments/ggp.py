"""Genesereth & Thielscher, chapter 8: Monte Carlo Search against tree search, over thinking time."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.lab.experiment import Experiment, Publication
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.size import Size, Sizes
from astragal.search.limits import Limits

RANK = 4
PUBLICATION = Publication("ggp", "General Game Playing, chapter 8", "Genesereth & Thielscher")
GAMES = ("tic_tac_toe", "connect_four", "kalah:setup=random")


def by_time(size: Size) -> Iterator[Duel]:
    """The tree search of the chapter against its Monte Carlo Search with the same time a move."""
    for game in GAMES:
        for part in (0.05, 0.1, 0.2, 0.5, 1.0):
            seconds = part * size.time
            yield Duel(game, f"{1000 * seconds:g}", game, "ggp", "mcs", Limits(time=max(seconds, 0.001)))


EXPERIMENTS = (
    Experiment(
        "ggp-time",
        "Monte Carlo Search and tree search",
        "The chapter's tree search against its Monte Carlo Search on three games, over thinking time. The chapter has "
        "no numbers.",
        Sizes(quick=Size(games=10, time=0.02), standard=Size(games=60, time=0.05), paper=Size(games=1000, time=1.0)),
        (Duels("Over thinking time", by_time, "ggp-time", "game", "milliseconds a move", log=True),),
    ),
)
