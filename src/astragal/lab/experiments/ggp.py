"""Genesereth & Thielscher, chapter 8: Monte Carlo Search against tree search, over thinking time."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.algorithms.limits import Limits
from astragal.lab.budget import with_settings
from astragal.lab.claims import Above, Every
from astragal.lab.experiment import Experiment, Publication
from astragal.lab.parts.alone import Alone
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.size import Size, Sizes

RANK = 4
PUBLICATION = Publication("ggp", "General Game Playing, chapter 8", "Genesereth & Thielscher")
GAMES = ("tic_tac_toe", "connect_four", "kalah:setup=random")


def by_time(size: Size) -> Iterator[Duel]:
    """The tree search of the chapter against its Monte Carlo Search with the same time a move."""
    for game in GAMES:
        for part in (0.05, 0.1, 0.2, 0.5, 1.0):
            seconds = part * size.time
            yield Duel(game, f"{1000 * seconds:g}", game, "ggp", "mcs", Limits(time=max(seconds, 0.001)))


SHEETS = ("tic_tac_toe.kif", "connect_four.kif", "three_way.kif")
DEPTH = 4  # decisions looked ahead by the searches of the chapter before
MINIMAX = {sheet: f"{'maxn' if sheet == SHEETS[-1] else 'alphabeta'}:depth={DEPTH}" for sheet in SHEETS}


def by_level(size: Size) -> Iterator[Duel]:
    """Monte Carlo Search with one and two levels against none, with as many random games a move, on rule sheets."""
    for sheet in SHEETS:
        for levels in (1, 2):
            mine, theirs = (f"mcs:levels={each},sims={size.sims}" for each in (levels, 0))
            yield Duel(sheet, str(levels), sheet, mine, theirs, levels=(0.5,))


def tree_or_none(size: Size) -> Iterator[Duel]:
    """The chapter's players against others on rule sheets, three of them without Monte Carlo.

    The chapter compares with the heuristic searches before it, which see the goals within their depth: `MINIMAX`."""
    for sheet in SHEETS:
        for other in (f"mcs:sims={size.sims}", MINIMAX[sheet], "greedy", "random"):
            name = other.partition(":")[0]
            at = sheet, f"ggp - {'minimax' if other == MINIMAX[sheet] else name}", sheet
            yield Duel(*at, f"ggp:sims={size.sims}", other, levels=(0.5,))


EXPERIMENTS = (
    Experiment(
        "ggp-levels",
        "Monte Carlo Search with levels, on rule sheets",
        "The chapter's Monte Carlo Search expands some levels before its random games. One and two levels against "
        "none, and the chapter's tree search against it and against players without Monte Carlo, with two and three "
        "players; and all of them alone in a puzzle.",
        Sizes(
            quick=Size(games=12, sims=100),
            standard=Size(games=60, sims=400),
            paper=Size(games=1000, sims=10000),
            equivalent=Size(games=600, sims=2000, reach=0.04),
        ),
        (
            Duels("Levels against none", by_level, "ggp-levels", "rule sheet", "levels", shape="bars"),
            Duels(
                "Tree search against others",
                tree_or_none,
                "ggp-others",
                "rule sheet",
                "opponent",
                shape="bars",
                claims=(
                    Every(
                        "Monte Carlo is better than the heuristic search before it",
                        tuple(Above(sheet, sheet, "ggp - minimax") for sheet in SHEETS),
                    ),
                ),
            ),
            Alone(
                "Alone: a knight's tour",
                "knights_tour.kif",
                lambda size: (
                    {
                        name: with_settings(name, sims=size.sims)
                        for name in ("ggp", "mcs", "mcs:levels=1", "mcs:levels=2")
                    }
                    | {"greedy": "greedy", "random": "random"}
                ),
            ),
        ),
    ),
    Experiment(
        "ggp-time",
        "Monte Carlo Search and tree search",
        "The chapter's tree search against its Monte Carlo Search on three games, over thinking time. The chapter has "
        "no numbers.",
        Sizes(quick=Size(games=10, time=0.02), standard=Size(games=60, time=0.05), paper=Size(games=1000, time=1.0)),
        (Duels("Over thinking time", by_time, "ggp-time", "game", "milliseconds a move", log=True),),
    ),
)
