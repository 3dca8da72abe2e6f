"""Ramanujan & Selman 2011 on looking further ahead: it makes alpha-beta stronger, and where it might not."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.lab.claims import Above, Every, Ours
from astragal.lab.experiment import Departure, Experiment
from astragal.lab.experiments.tradeoffs.boards import BOARD, LARGE, PAPER_FINISHER, PARTIAL_PLIES, finish, of_boards
from astragal.lab.parts.duels import Duel
from astragal.lab.parts.pathology import ALIKE, DEEPER, Pathology
from astragal.lab.size import Size, Sizes

BOARDS = {"(4,4)": "kalah:pits=4,stones=4,setup=random", "(6,4)": BOARD, "(8,6)": LARGE}
MORE = (2, 4)  # plies that the deeper player looks further


def deeper(size: Size) -> Iterator[Duel]:
    """MM-(k + n) against MM-k, until finishers take over."""
    for name, board in BOARDS.items():
        for more in MORE:
            for depth in range(2, size.depth + 1 - more, 2):
                players = (f"mm:depth={depth + more}", f"mm:depth={depth}")
                end = finish(size, ply=PARTIAL_PLIES)
                yield Duel(f"{name}, n = {more}", str(depth), board, *players, finish=end)


PATHOLOGY = {"(3,3)": "kalah:pits=3,stones=3,setup=random", "(4,4)": BOARDS["(4,4)"]}


WORSE, GONE = "One ply decides better than", "That disappears where deeper values are more accurate"
UNLIKE = f"(4,4), who wins, shuffled, {ALIKE}"


def than_one_ply(sentence: str, row: str, plies: int, below: bool = False) -> Above:
    """Whether a number of plies decides better than one, or worse."""
    return Above(sentence, row, str(plies), level=0.0, below=below)


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
            of_boards(
                "MM-(k + n) against MM-k",
                deeper,
                "tradeoffs-deeper",
                ("board", "k"),
                Every(
                    "The deeper player is stronger for every k, n and board",
                    tuple(Above(row, row) for board in BOARDS for more in MORE for row in [f"{board}, n = {more}"]),
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
                    Every(
                        f"{WORSE} five",
                        tuple(
                            than_one_ply(f"on {board}, by {values}", f"{board}, {values}, {ALIKE}", 5, below=True)
                            for board in PATHOLOGY
                            for values in ("stones", "who wins")
                        ),
                    ),
                    Every(
                        GONE,
                        tuple(than_one_ply(f"on {board}", f"{board}, stones, {DEEPER}", 5) for board in PATHOLOGY),
                    ),
                    *(
                        Ours(than_one_ply(f"{WORSE} {plies} on (4,4), shuffled", UNLIKE, plies, below=True))
                        for plies in (2, 4)
                    ),
                ),
            ),
        ),
        (
            Departure("rules of sowing", "changed to make the tree regular, not stated how", "Kalah's own"),
            Departure("true values", "stones", "stones, and who wins"),
        ),
    ),
)
