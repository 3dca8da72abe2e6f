"""Lanctot et al. 2013, Section 4.2 and Theorem 1: how settings were found, and what a width promises."""

from __future__ import annotations

from astragal.lab.experiment import Experiment
from astragal.lab.experiments.mcms.players import GAMES, NODES, SECONDS, SIMS
from astragal.lab.parts.theorem import Theorem
from astragal.lab.parts.tuning import Consistency, Tuning
from astragal.lab.size import Size, Sizes

TUNED: dict[str, tuple[str, ...]] = {
    "expss": ("width=1..40:log",),
    "star1ss": ("width=1..40:log",),
    "star2ss": ("width=1..40:log",),
    "mcts": ("c=10..400:log", "rollout=0..100"),
    "dpw": ("c=10..400:log", "rollout=0..100", "c2=1..30:log", "alpha=0.1..0.5"),
}

EXPERIMENTS = (
    Experiment(
        "mcms-tuning",
        "Section 4.2: tuning",
        "Settings found by an elimination among candidates drawn by lot, with 1,000 games a pairing in the work, "
        "beside those of the work.",
        Sizes(
            quick=Size(games=4, candidates=4, time=0.003),
            standard=Size(games=8, candidates=5, time=0.005),
            paper=Size(games=1000, candidates=32, time=SECONDS),
            equivalent=Size(games=400, candidates=8, nodes=NODES, sims=SIMS),
        ),
        (
            Consistency("Elimination or round robin", "star1ss", ("ewn", "pig"), TUNED["star1ss"]),
            *(Tuning(f"Tuning {player}", player, GAMES, settings) for player, settings in TUNED.items()),
        ),
    ),
    Experiment(
        "mcms-theorem1",
        "Theorem 1",
        "How far values of sparse sampling lie from those of expectimax of the same depth, and the bound on it.",
        Sizes(
            quick=Size(states=20, runs=10, depth=3),
            standard=Size(states=100, runs=50, depth=3),
            paper=Size(states=1000, runs=100, depth=4),
            equivalent=Size(states=200, runs=50, depth=3),
        ),
        (
            Theorem("Pig", "mcms-theorem1-pig", "pig"),
            Theorem("EinStein würfelt nicht!", "mcms-theorem1-ewn", "ewn"),
        ),
    ),
)
