"""What Lanctot et al. 2013 left as future work: thinking time, ways to sample, forward pruning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from astragal.lab.budget import limited_pair, limits_of
from astragal.lab.experiment import Experiment
from astragal.lab.experiments.mcms.players import GAMES, NODES, SECONDS, SIMS
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.parts.ratios import Ratios
from astragal.lab.size import Size, Sizes
from astragal.search.limits import Limits

TIMES = (25, 50, 100, 200, 400, 800, 1600)  # milliseconds a move


TIMED = (  # game, players, share of games, milliseconds at most
    ("ewn", ("star1ss", "star1"), 1.0, TIMES[-1]),
    ("ra", ("star2ss", "star2"), 0.25, TIMES[-1]),
    ("cant_stop", ("star2ss", "star2"), 1.0, 200),
)


def by_time(size: Size) -> Iterator[Duel]:
    """Thinking times from 25 ms to 1.6 s, or the nodes that stand for them: those of 200 ms are the size's."""
    for game, pair, share, most in TIMED:
        row = f"{game}: {' - '.join(pair)}"
        for milliseconds in (each for each in TIMES if each <= most):
            at = row, str(milliseconds), game
            if not size.time:
                work = replace(size, nodes=round(size.nodes * milliseconds / 200))
                players = limited_pair(pair, game, work)
                yield Duel(*at, *players, share=share, levels=(0.5,))
            elif milliseconds / 1000 <= max(size.time, 0.025):
                yield Duel(*at, *pair, Limits(time=min(milliseconds / 1000, size.time)), share=share)


# What the work left as future work: each setting of sparse sampling, and the search it is a setting of.
SAMPLING = {
    "without replacement": "sampling=distinct",
    "stratified": "sampling=stratified",
    "antithetic": "sampling=antithetic",
    "common random numbers": "common=on",
    "control variates": "control=on",
}
WIDTH_SCHEDULES = {"width grows with time": "width=2,growth=1.5", "width shrinks with depth": "width=4-2-1"}
BASE = {  # widths at which there is something to choose
    "ewn": "star1ss:width=3",
    "pig": "star1ss:width=10",
    "cant_stop": "star1ss:width=10",
    "ra": "star1ss:width=5",
}
FIXED = {"ewn": 3, "pig": 3, "cant_stop": 2, "ra": 2}  # depths of which a search takes milliseconds
# Can't Stop and Ra have no null move, and nobody has measured what shallow values foretell there.
PRUNED_GAMES = {"null move": ("pig", "ewn"), "multi-cut": GAMES, "ChanceProbCut": ("pig", "ewn")}
PRUNING = {"null move": "null=2", "multi-cut": "multicut=2", "ChanceProbCut": "probcut=1"}
PRUNED_DEPTH = {"ewn": 5, "pig": 4, "cant_stop": 2, "ra": 3}


def ratio_pairs() -> dict[str, dict[str, tuple[str, str]]]:
    def pair(game: str, setting: str) -> tuple[str, str]:
        fixed = f"{BASE[game]},depth={FIXED[game]},deepening=off"
        return f"{fixed},{setting}", fixed

    return {row: {game: pair(game, setting) for game in BASE} for row, setting in SAMPLING.items()}


def at_equal_work(rows: Mapping[str, Mapping[str, tuple[str, str]]]) -> Callable[[Size], Iterator[Duel]]:
    """Each setting against the search without it, with as many seconds, or as many nodes."""

    def duels(size: Size) -> Iterator[Duel]:
        for row, of_games in rows.items():
            for game, pair in of_games.items():
                players = limited_pair(pair, game, size)
                yield Duel(row, game, game, *players, limits_of(size), levels=(0.5,))

    return duels


SAMPLED_DUELS = {
    row: {game: (f"{base},{setting}", base) for game, base in BASE.items()} for row, setting in SAMPLING.items()
} | {row: dict.fromkeys(BASE, (f"star1ss:{widths}", "star1ss:width=2")) for row, widths in WIDTH_SCHEDULES.items()}
PRUNED_DUELS = {
    row: dict.fromkeys(PRUNED_GAMES[row], (f"star1:{setting}", "star1")) for row, setting in PRUNING.items()
}


def node_pairs() -> dict[str, dict[str, tuple[str, str]]]:
    def pair(search: str, game: str, setting: str) -> tuple[str, str]:
        fixed = f"{search}:depth={PRUNED_DEPTH[game]},deepening=off"
        return f"{fixed},{setting}", fixed

    return {
        f"{search}, {row}": {game: pair(search, game, setting) for game in PRUNED_GAMES[row]}
        for search in ("star1", "star2")
        for row, setting in PRUNING.items()
    }


EXPERIMENTS = (
    Experiment(
        "mcms-time",
        "Future work: thinking time",
        "Sampled against exact searches with 25 ms to 1.6 s a move.",
        Sizes(
            quick=Size(games=8, time=0.05),
            standard=Size(games=8, time=0.4),
            paper=Size(games=1000, time=1.6),
            equivalent=Size(games=1000, nodes=NODES, sims=SIMS, reach=0.04),
        ),
        (
            Duels(
                "Over thinking time",
                by_time,
                "mcms-time",
                "pairing",
                "milliseconds a move",
                score="learned",
                log=True,
            ),
        ),
    ),
    Experiment(
        "mcms-sampling",
        "Future work: sampling without replacement, widths, variance reduction",
        "Each setting of sparse sampling against the search without it: the variance of the root's value at a fixed "
        "depth, and games at equal time.",
        Sizes(
            quick=Size(games=40, states=10, runs=20, time=0.005),
            standard=Size(games=1000, states=40, runs=50, time=0.005),
            paper=Size(games=10000, states=200, runs=100, time=SECONDS),
            equivalent=Size(games=2400, states=60, runs=50, nodes=NODES, sims=SIMS, reach=0.02),
        ),
        (
            Ratios("Sampling settings", "variance", ratio_pairs()),
            Duels(
                "Games at equal work", at_equal_work(SAMPLED_DUELS), "mcms-sampling", "setting", "game", shape="bars"
            ),
        ),
    ),
    Experiment(
        "mcms-pruning",
        "Future work: forward pruning",
        "Null move, multi-cut and ChanceProbCut: nodes at a fixed depth, and games at equal time.",
        Sizes(
            quick=Size(games=40, states=10, time=0.005),
            standard=Size(games=1000, states=60, time=0.005),
            paper=Size(games=10000, states=500, time=SECONDS),
            equivalent=Size(games=2400, states=100, nodes=NODES, sims=SIMS, reach=0.02),
        ),
        (
            Ratios("Forward pruning", "nodes", node_pairs()),
            Duels("Games at equal work", at_equal_work(PRUNED_DUELS), "mcms-pruning", "setting", "game", shape="bars"),
        ),
    ),
)
