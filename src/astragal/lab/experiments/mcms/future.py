"""What Lanctot et al. 2013 left as future work: thinking time, ways to sample, forward pruning."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from astragal.algorithms.limits import Limits
from astragal.lab.budget import budgets, limited_pair, limits_of, work_limits
from astragal.lab.experiment import Experiment
from astragal.lab.experiments.mcms.players import EQUAL_SECONDS, GAMES, NODES, SECONDS, SIMS
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.parts.ratios import Ratios
from astragal.lab.size import Size, Sizes

PARTS = (0.125, 0.25, 0.5, 1, 2, 4, 8)  # of what a player has at the size itself


TIMED = (  # game, players, share of games, the largest part
    ("ewn", ("star1ss", "star1"), 1.0, PARTS[-1]),
    ("ra", ("star2ss", "star2"), 0.25, PARTS[-1]),
    ("cant_stop", ("star2ss", "star2"), 1.0, 1),
)


def by_time(size: Size) -> Iterator[Duel]:
    """Thinking times around that of the size, 200 ms in the work."""
    for game, pair, share, most in TIMED:
        for part in (each for each in PARTS if size.time and each <= most):
            at = f"{game}: {' - '.join(pair)}", f"{1000 * part * size.time:g}", game
            yield Duel(*at, *pair, Limits(time=part * size.time), share=share, levels=(0.5,))


def by_nodes(size: Size) -> Iterator[Duel]:
    """Nodes around those of the size."""
    for game, pair, share, most in TIMED:
        for part in (each for each in PARTS if size.nodes and each <= most):
            work = replace(size, nodes=round(size.nodes * part), time=0.0)
            at = f"{game}: {' - '.join(pair)}", f"{work_limits(pair[0], game, work).nodes}", game
            yield Duel(*at, *limited_pair(pair, game, work), share=share, levels=(0.5,))


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
# Can't Stop and Ra have no null move, and no measured model of how shallow values predict deep ones.
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
                for column, share in budgets(size):
                    players = limited_pair(pair, game, share)
                    yield Duel(row, f"{game}, {column}", game, *players, limits_of(share), levels=(0.5,))

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
        "Sampled against exact searches with an eighth of the usual seconds a move to eight times as many, and with an "
        "eighth to eight times as many nodes.",
        Sizes(
            quick=Size(games=8, time=0.01),
            standard=Size(games=8, time=0.05),
            paper=Size(games=1000, time=SECONDS),
            equivalent=Size(games=1000, time=EQUAL_SECONDS, nodes=NODES, reach=0.04),
        ),
        (
            Duels(
                "Over thinking time",
                by_time,
                "mcms-time",
                "pairing",
                "milliseconds of the processor a move",
                score="learned",
                log=True,
            ),
            Duels("Over nodes", by_nodes, "mcms-time-nodes", "pairing", "nodes a move", score="learned", log=True),
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
            equivalent=Size(games=2400, states=60, runs=50, time=EQUAL_SECONDS, nodes=NODES, sims=SIMS, reach=0.02),
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
            equivalent=Size(games=2400, states=100, time=EQUAL_SECONDS, nodes=NODES, sims=SIMS, reach=0.02),
        ),
        (
            Ratios("Forward pruning", "nodes", node_pairs()),
            Duels("Games at equal work", at_equal_work(PRUNED_DUELS), "mcms-pruning", "setting", "game", shape="bars"),
        ),
    ),
)
