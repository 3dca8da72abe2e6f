"""Lanctot et al. 2013: Monte Carlo *-Minimax Search, its tables and figures, and what it left as future work."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from astragal.lab.claims import Above, Claim, More, Near
from astragal.lab.experiment import Experiment, Publication
from astragal.lab.findings import Paper
from astragal.lab.parts.duels import Better, Duel, Duels
from astragal.lab.parts.estimation import Estimation
from astragal.lab.parts.ratios import Ratios
from astragal.lab.parts.theorem import Theorem
from astragal.lab.parts.tuning import Tuning
from astragal.lab.size import Size, Sizes
from astragal.search.limits import Limits

RANK = 1
PUBLICATION = Publication(
    "mcms", "Monte Carlo *-Minimax Search", "Lanctot, Saffidine, Veness, Archibald & Winands 2013"
)
EXACT = ("exp", "star1", "star2")
SAMPLED = ("expss", "star1ss", "star2ss")
PLAYERS = ("mcts", "dpw", *EXACT, *SAMPLED)
SECONDS = 0.2  # a move

# Table 1: MSE, variance, bias, regret over 2,470 states of Pig
TABLE_1 = {
    "mcts": (78.7, 0.71, 8.83, 0.41),
    "dpw": (79.4, 5.3, 8.61, 0.96),
    "exp": (91.4, 0.037, 9.56, 0.56),
    "star1": (91.0, 0.064, 9.54, 0.55),
    "star2": (87.9, 0.008, 9.38, 0.58),
    "expss": (95.3, 13.0, 9.07, 0.52),
    "star1ss": (99.8, 11.0, 9.43, 0.55),
    "star2ss": (97.5, 14.8, 9.09, 0.56),
}
TABLE_1_CLAIMS: tuple[Claim, ...] = (
    More("The bias of expss is lower than that of exp", "exp", "expss", "Bias"),
    *(More(f"Sampling adds variance: {s} to {e}", s, e, "Variance") for s, e in zip(SAMPLED, EXACT, strict=True)),
    More("expss has less regret than exp", "exp", "expss", "Regret"),
    More("star2ss has less regret than star2", "star2", "star2ss", "Regret"),
)


def estimation(evaluation: str, key: str) -> Estimation:
    """One heuristic and one kind of sampling key. The exact searches and those by simulation have no key."""
    by_path = key == "path"
    return Estimation(
        f"Heuristic {evaluation}, samples keyed by {key}",
        f"pig:evaluation={evaluation}",
        {row: f"{row}:key=path" for row in SAMPLED} if by_path else {row: row for row in PLAYERS},
        ("pig", PLAYERS),
        TABLE_1,
        () if by_path else TABLE_1_CLAIMS,
    )


def pairings(game: str) -> Callable[[Size], Iterator[Duel]]:
    """Figure 2: sampled against exact, sampled against sampled, and all against the better of MCTS and DPW."""
    best = Better("mcts", "dpw")  # by 500 pairs of games

    def duels(size: Size) -> Iterator[Duel]:
        limits = Limits(time=size.time)
        pairs = [
            *zip(SAMPLED, EXACT, strict=True),
            ("star1ss", "expss"),
            ("star2ss", "expss"),
            ("star2ss", "star1ss"),
        ]
        for first, second in pairs:
            printed = Paper(0.85, 4000) if (game, first, second) == ("cant_stop", "star2ss", "star2") else None
            yield Duel(f"{first} - {second}", game, game, first, second, limits, paper=printed)
        yield Duel("mcts - dpw", game, game, "mcts", "dpw", limits)
        for first in (*EXACT, *SAMPLED):
            yield Duel(f"{first} - best MCTS", game, game, first, best, limits)

    return duels


def strength(game: str, title: str, sizes: Sizes, better: str, *claims: Claim) -> Experiment:
    beats = tuple(
        Above(f"Sampling makes {exact} stronger", f"{sampled} - {exact}")
        for sampled, exact in zip(SAMPLED, EXACT, strict=True)
    )
    best = Above(f"{better.upper()} is better than the other kind of tree search", "mcts - dpw", below=better == "dpw")
    name = f"mcms-strength-{game.replace('_', '-')}"
    part = Duels(
        "Figure 2", pairings(game), name, "pairing", shape="bars", claims=(*beats, best, *claims), caption=title
    )
    return Experiment(
        name,
        f"Playing strength in {title}",
        "Each sampled search against its exact counterpart, sampled searches against each other, and all of them "
        "against the better of MCTS and DPW. Games are in pairs with seats swapped and the same dice.",
        sizes,
        (part,),
    )


def strength_sizes(paper: int, standard: int, quick: int) -> Sizes:
    return Sizes(
        quick=Size(games=quick, time=0.01),
        standard=Size(games=standard, time=0.01),
        paper=Size(games=paper, time=SECONDS),
    )


TUNED: dict[str, tuple[str, ...]] = {
    "expss": ("width=1..40:log",),
    "star1ss": ("width=1..40:log",),
    "star2ss": ("width=1..40:log",),
    "mcts": ("c=10..400:log", "rollout=0..100"),
    "dpw": ("c=10..400:log", "rollout=0..100", "c2=1..30:log", "alpha=0.1..0.5"),
}
GAMES = ("pig", "ewn", "cant_stop", "ra")


def by_time(size: Size) -> Iterator[Duel]:
    """Thinking times from 25 ms to 1.6 s."""
    for game, pair, share in (("ewn", ("star1ss", "star1"), 1.0), ("ra", ("star2ss", "star2"), 0.25)):
        for milliseconds in (25, 50, 100, 200, 400, 800, 1600):
            seconds = milliseconds / 1000
            if seconds <= max(size.time, 0.025):
                row = f"{game}: {' - '.join(pair)}"
                yield Duel(row, str(milliseconds), game, *pair, Limits(time=min(seconds, size.time)), share=share)


# What the work left as future work: each setting of sparse sampling, and the search it is a setting of.
SAMPLING = {
    "without replacement": "sampling=distinct",
    "stratified": "sampling=stratified",
    "antithetic": "sampling=antithetic",
    "common random numbers": "common=on",
    "control variates": "control=on",
}
WIDTH_SCHEDULES = {"width grows with time": "width=2,growth=1.5", "width shrinks with depth": "width=4-2-1"}
BASE = {"ewn": "star1ss:width=3", "pig": "star1ss:width=10"}
PRUNING = {"null move": "null=2", "multi-cut": "multicut=2", "ChanceProbCut": "probcut=1"}


def ratio_pairs() -> dict[str, dict[str, tuple[str, str]]]:
    fixed = "depth=3,deepening=off"
    return {
        row: {game: (f"{base},{fixed},{setting}", f"{base},{fixed}") for game, base in BASE.items()}
        for row, setting in SAMPLING.items()
    }


def settings_at_equal_time(size: Size) -> Iterator[Duel]:
    limits = Limits(time=size.time)
    for row, setting in SAMPLING.items():
        yield Duel(row, "ewn", "ewn", f"{BASE['ewn']},{setting}", BASE["ewn"], limits)
    for row, widths in WIDTH_SCHEDULES.items():
        yield Duel(row, "ewn", "ewn", f"star1ss:{widths}", "star1ss:width=2", limits)


def node_pairs() -> dict[str, dict[str, tuple[str, str]]]:
    return {
        row: {"ewn": (f"{search}:depth=5,deepening=off,{setting}", f"{search}:depth=5,deepening=off")}
        for search in ("star1", "star2")
        for row, setting in ((f"{search}, {name}", setting) for name, setting in PRUNING.items())
    }


def pruning_at_equal_time(size: Size) -> Iterator[Duel]:
    for row, setting in PRUNING.items():
        yield Duel(row, "ewn", "ewn", f"star1:{setting}", "star1", Limits(time=size.time))


EXPERIMENTS = (
    Experiment(
        "mcms-table1",
        "Table 1: statistical properties",
        "Eight searches as estimators of exact values, which value iteration gives, over the states of Pig seen "
        "in games between all pairs of them. The work does not tell its heuristic, nor whether a state met again draws "
        "new samples, so there are two of each.",
        Sizes(
            quick=Size(states=20, runs=4, time=0.01),
            standard=Size(states=120, runs=8, time=0.02),
            paper=Size(states=2470, runs=50, time=SECONDS),
        ),
        tuple(estimation(evaluation, key) for evaluation in ("difference", "tanh") for key in ("state", "path")),
    ),
    strength(
        "pig",
        "Pig",
        strength_sizes(10000, 40, 10),
        "mcts",
        Near("The best sampled search is about equal to MCTS", "star2ss - best MCTS", "pig", within=0.05),
    ),
    strength(
        "ewn",
        "EinStein würfelt nicht!",
        strength_sizes(10000, 160, 30),
        "mcts",
        Above("expss is slightly above star1ss", "star1ss - expss", below=True),
    ),
    strength("cant_stop", "Can't Stop", strength_sizes(4000, 20, 6), "dpw"),
    strength(
        "ra",
        "Ra",
        strength_sizes(4000, 32, 8),
        "dpw",
        *(
            Near(f"About 60% of games are won by {sampled}", f"{sampled} - {exact}", "ra", 0.6, 0.05)
            for sampled, exact in zip(SAMPLED, EXACT, strict=True)
        ),
        Above("star1ss is above star2ss", "star2ss - star1ss", below=True),
        Near("The best sampled search is about equal to the best MCTS", "star1ss - best MCTS", "ra", within=0.05),
    ),
    Experiment(
        "mcms-tuning",
        "Section 4.2: tuning",
        "Settings found by an elimination among candidates drawn by lot, with 1,000 games a pairing in the work, "
        "beside those of the work.",
        Sizes(
            quick=Size(games=4, candidates=4, time=0.003),
            standard=Size(games=8, candidates=5, time=0.005),
            paper=Size(games=1000, candidates=32, time=SECONDS),
        ),
        tuple(Tuning(f"Tuning {player}", player, GAMES, settings) for player, settings in TUNED.items()),
    ),
    Experiment(
        "mcms-theorem1",
        "Theorem 1",
        "How far values of sparse sampling lie from those of expectimax of the same depth, and the bound on it.",
        Sizes(
            quick=Size(states=20, runs=10, depth=3),
            standard=Size(states=100, runs=50, depth=3),
            paper=Size(states=1000, runs=100, depth=4),
        ),
        (
            Theorem("Pig", "mcms-theorem1-pig", "pig"),
            Theorem("EinStein würfelt nicht!", "mcms-theorem1-ewn", "ewn"),
        ),
    ),
    Experiment(
        "mcms-time",
        "Future work: thinking time",
        "Sampled against exact searches with 25 ms to 1.6 s a move.",
        Sizes(quick=Size(games=8, time=0.05), standard=Size(games=8, time=0.4), paper=Size(games=1000, time=1.6)),
        (
            Duels(
                "Over thinking time",
                by_time,
                "mcms-time",
                "pairing",
                "milliseconds a move",
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
        ),
        (
            Ratios("Sampling settings", "variance", ratio_pairs()),
            Duels("Games at equal time", settings_at_equal_time, "mcms-sampling", "setting", shape="bars"),
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
        ),
        (
            Ratios("Forward pruning", "nodes", node_pairs()),
            Duels("Games at equal time", pruning_at_equal_time, "mcms-pruning", "setting", shape="bars"),
        ),
    ),
)
