"""Ramanujan & Selman 2011 on looking further ahead: it makes alpha-beta stronger, and where it might not."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.lab.claims import Above
from astragal.lab.experiment import Experiment
from astragal.lab.experiments.tradeoffs.boards import BOARD, LARGE, PAPER_FINISHER, PARTIAL_PLIES, finish
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.parts.pathology import ALIKE, DEEPER, Pathology
from astragal.lab.size import Size, Sizes


def deeper(size: Size) -> Iterator[Duel]:
    """MM-(k + n) against MM-k, until finishers take over."""
    for board, name in (("kalah:pits=4,stones=4,setup=random", "(4,4)"), (BOARD, "(6,4)"), (LARGE, "(8,6)")):
        for more in (2, 4):
            for depth in range(2, size.depth + 1 - more, 2):
                players = (f"mm:depth={depth + more}", f"mm:depth={depth}")
                end = finish(size, ply=PARTIAL_PLIES)
                yield Duel(f"{name}, n = {more}", str(depth), board, *players, finish=end)


PATHOLOGY = {"(3,3)": "kalah:pits=3,stones=3,setup=random", "(4,4)": "kalah:pits=4,stones=4,setup=random"}

EXPERIMENTS = (
    Experiment(
        "tradeoffs-deeper",
        "Deeper alpha-beta is stronger",
        "MM-(k + n) against MM-k until ply 14, after which two MM-16 finish, on three boards: no pathology.",
        Sizes(
            quick=Size(games=20, depth=6, finisher=6),
            standard=Size(games=100, depth=10, finisher=10),
            paper=Size(games=1000, depth=14, finisher=PAPER_FINISHER),
            equivalent=Size(games=1000, depth=10, finisher=10, reach=0.04),
        ),
        (
            Duels(
                "MM-(k + n) against MM-k",
                deeper,
                "tradeoffs-deeper",
                "board",
                "k",
                score="boards",
                claims=tuple(
                    Above(f"The deeper player is stronger on {board} with n = {more}", f"{board}, n = {more}")
                    for board in ("(4,4)", "(6,4)", "(8,6)")
                    for more in (2, 4)
                ),
            ),
        ),
    ),
    Experiment(
        "tradeoffs-pathology",
        "Pathology with noisy values",
        "Games that end after eight plies, and true values with Gaussian noise for an evaluation (Nau et al. 2010): "
        "does a search of five plies decide worse than one of a single ply? And where deeper nodes have less noise?",
        Sizes(quick=Size(games=4), standard=Size(games=20), paper=Size(games=120), equivalent=Size(games=120)),
        (
            Pathology(
                "Decisions by plies looked ahead",
                "tradeoffs-pathology",
                PATHOLOGY,
                claims=(
                    *(
                        Above(
                            f"One ply decides better than five on {board}, by {values}",
                            f"{board}, {values}, {ALIKE}",
                            "5",
                            level=0.0,
                            below=True,
                        )
                        for board in PATHOLOGY
                        for values in ("stones", "who wins")
                    ),
                    *(
                        Above(
                            f"That disappears where deeper values are more accurate on {board}",
                            f"{board}, stones, {DEEPER}",
                            "5",
                            level=0.0,
                        )
                        for board in PATHOLOGY
                    ),
                    *(
                        Above(
                            f"One ply decides better than {plies} on (4,4) where neighbours are unlike",
                            f"(4,4), who wins, shuffled, {ALIKE}",
                            str(plies),
                            level=0.0,
                            below=True,
                        )
                        for plies in (2, 4)
                    ),
                ),
            ),
        ),
    ),
)
