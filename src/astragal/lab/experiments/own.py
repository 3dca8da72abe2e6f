"""Experiments that the works could not make: how much sampling gains where exact search has a table of every depth."""

from __future__ import annotations

from collections.abc import Iterator

from astragal.lab.budget import budgets, limited_pair, limits_of
from astragal.lab.claims import Above, Ours
from astragal.lab.experiment import Experiment, Publication
from astragal.lab.experiments.mcms.estimates import ENOUGH_GAMES, STATES, TABLE_1
from astragal.lab.experiments.mcms.players import EQUAL_SECONDS, EXACT, GAMES, NODES, SAMPLED, SECONDS
from astragal.lab.experiments.mcms.strength import MARGINS
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.parts.estimation import Compared, Estimation
from astragal.lab.size import Size, Sizes

RANK = 5
PUBLICATION = Publication("own", "Experiments of Astragal")
STAR = "star"  # exact, with a table of positions
OUTCOMES = {"6": "pig:dice=1", "11": "pig", "21": "pig:rolls=21", "36": "pig:rolls=36"}
SIZES = Sizes(
    quick=Size(games=10, time=0.01),
    standard=Size(games=100, time=0.01),
    paper=Size(games=10000, time=SECONDS),
    equivalent=Size(games=2400, time=EQUAL_SECONDS, nodes=NODES, reach=0.02),
)


def by_game(size: Size) -> Iterator[Duel]:
    """Sampled searches, and the works' exact ones, against `star`."""
    for game in GAMES:
        for first in (*SAMPLED, *EXACT):
            for column, share in budgets(size):
                players = limited_pair((first, STAR), game, share)
                at = f"{first} - {STAR}", f"{game}, {column}", game
                yield Duel(*at, *players, limits_of(share), levels=(0.5,))


def by_outcomes(size: Size) -> Iterator[Duel]:
    """Sampled against exact search in one game with more and more outcomes of a throw."""
    for outcomes, game in OUTCOMES.items():
        for row, pair in {
            "star1ss - star1": ("star1ss", "star1"),
            "star2ss - star2": ("star2ss", "star2"),
            "star2ss - star": ("star2ss", STAR),
        }.items():
            yield Duel(row, outcomes, game, *limited_pair(pair, game, size), limits_of(size), levels=(0.5,))


EXPERIMENTS = (
    Experiment(
        "own-table1",
        "Table 1 with exact search that has a table",
        "The rows of Table 1 and `star` with the same seconds of the processor, on the same states.",
        Sizes(
            quick=Size(states=20, runs=4, time=0.01),
            standard=Size(states=120, runs=4, time=0.01),
            paper=Size(states=STATES, runs=50, time=SECONDS),
            equivalent=Size(states=600, runs=4, time=EQUAL_SECONDS),
        ),
        (
            Estimation(
                "At equal time",
                "pig:rolls=36",
                {**TABLE_1.players, STAR: STAR},
                TABLE_1.observed,
                compared=[Compared("", row, STAR, "Regret") for row in (*SAMPLED, *EXACT)],
                certain=[*EXACT, STAR],
                games=ENOUGH_GAMES,
                all_states=True,
            ),
        ),
    ),
    Experiment(
        "own-strength",
        "Figure 1 with exact search that has a table",
        "Sampled searches, and the works' exact ones, against `star` in the four games.",
        SIZES,
        (
            Duels(
                "Against star",
                by_game,
                "own-strength",
                "pairing",
                "game and budget",
                shape="bars",
                margin=MARGINS["ra"],
            ),
        ),
    ),
    Experiment(
        "own-outcomes",
        "At how many outcomes sampling begins to pay",
        "Pig with one die, with the eleven sums of two, with 21 pairs of faces and with all 36 throws, at equal time. "
        "What the dice gave is taken off by exact values.",
        Sizes(
            quick=SIZES.quick,
            standard=SIZES.standard,
            paper=SIZES.paper,
            equivalent=Size(games=400, time=EQUAL_SECONDS),
        ),
        (
            Duels(
                "By outcomes of a throw",
                by_outcomes,
                "own-outcomes",
                "pairing",
                "outcomes of a throw",
                score="exact",
                log=True,
                claims=tuple(
                    Ours(Above(f"Sampling pays with 36 outcomes: {row}", row, "36"))
                    for row in ("star1ss - star1", "star2ss - star2", "star2ss - star")
                ),
                margin=MARGINS["pig"],
            ),
        ),
    ),
)
