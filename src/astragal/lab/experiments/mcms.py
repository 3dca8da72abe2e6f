"""Lanctot et al. 2013: Monte Carlo *-Minimax Search, its tables and figures, and what it left as future work."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from astragal.lab.budget import limited_pair, limits_of
from astragal.lab.claims import Above, BestNear, Claim, More, Near, Together
from astragal.lab.experiment import Experiment, Publication
from astragal.lab.findings import Paper
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.parts.estimation import Estimation
from astragal.lab.parts.ratios import Ratios
from astragal.lab.parts.theorem import Theorem
from astragal.lab.parts.tuning import Consistency, Tuning
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
NODES, SIMS = 30_000, 10_000  # what that was in Pig: see `mcms-calibration`

STATES = 2470  # of Table 1, each searched 50 times
# Table 1: MSE, variance, bias, regret
PRINTED = {
    "mcts": (78.7, 0.71, 8.83, 0.41),
    "dpw": (79.4, 5.3, 8.61, 0.96),
    "exp": (91.4, 0.037, 9.56, 0.56),
    "star1": (91.0, 0.064, 9.54, 0.55),
    "star2": (87.9, 0.008, 9.38, 0.58),
    "expss": (95.3, 13.0, 9.07, 0.52),
    "star1ss": (99.8, 11.0, 9.43, 0.55),
    "star2ss": (97.5, 14.8, 9.09, 0.56),
}
NARROW = 0.15  # half an interval of ours, as a part of the printed number, with which they can be said to agree


def printed(row: str, judged: bool = True) -> tuple[Paper | None, ...]:
    """What Table 1 prints. The variance of an exact search is that of its clock: with so many nodes it has none."""
    papers = [Paper(value, states=STATES, within=NARROW * value, judged=judged) for value in PRINTED[row]]
    return tuple(None if row in EXACT and column == 1 else paper for column, paper in enumerate(papers))


TABLE_1_CLAIMS: tuple[Claim, ...] = (
    More("The bias of expss is lower than that of exp", "exp", "expss", "Bias"),
    *(More(f"Sampling adds variance: {s} to {e}", s, e, "Variance") for s, e in zip(SAMPLED, EXACT, strict=True)),
    More("expss has less regret than exp", "exp", "expss", "Regret"),
    More("star2ss has less regret than star2", "star2", "star2ss", "Regret"),
)


VARIANCE_OF_DPW = Near(
    "DPW's variance is of the size of the printed 5.3, between 1.8 and 8.8", "dpw", "Variance", 5.3, 3.5
)

KEYED = {f"{row}, key by path": f"{row}:key=path" for row in SAMPLED}


def estimation(title: str, game: str, players: Mapping[str, str], *claims: Claim, judged: bool = True) -> Estimation:
    """Searches of one form of Pig. Exact values are the same whatever the heuristic and the rolls told apart.

    Where numbers are not judged they stand beside the work's: variants show what a difference is due to.
    """
    papers = {row: printed(row.partition(",")[0], judged) for row in players}
    certain = [row for row in players if row.partition(",")[0] in EXACT]
    return Estimation(title, game, players, ("pig", PLAYERS), papers, claims, certain)


def by_state_and_path() -> dict[str, str]:
    """All searches, those with samples in either reading: a state met again has the same samples, or others."""
    return {row: row for row in PLAYERS} | KEYED


def calibration() -> dict[str, str]:
    """Searches with limits of their own, whose numbers tell which the authors' searches had."""
    return (
        {f"exp, depth {depth}": f"exp:depth={depth}" for depth in (2, 3, 4, 5)}
        | {f"expss, {nodes} nodes": f"expss:key=path,nodes={nodes}" for nodes in (10_000, 30_000, 100_000)}
        | {f"mcts, {sims} simulations": f"mcts:sims={sims}" for sims in (300, 1000, 3000, 10_000)}
    )


AGAINST_MCTS = tuple(f"{sampled} - mcts" for sampled in SAMPLED)
BEST_MCTS = {"pig": "mcts", "ewn": "mcts", "cant_stop": "dpw", "ra": "dpw"}  # the work's own choice
PAIRS = (
    *zip(SAMPLED, EXACT, strict=True),
    ("star1ss", "expss"),
    ("star2ss", "expss"),
    ("star2ss", "star1ss"),
    ("mcts", "dpw"),
)


def pairings(game: str, variants: tuple[str, ...] = ()) -> Callable[[Size], Iterator[Duel]]:
    """Figure 1: sampled against exact, sampled against sampled, and all against the better of MCTS and DPW, by the
    work's choice, and against the other."""

    def duels(size: Size) -> Iterator[Duel]:
        against_trees = [(first, tree) for tree in ("mcts", "dpw") for first in (*EXACT, *SAMPLED)]
        for first, second in (*PAIRS, *against_trees):
            printed = PRINTED_STRENGTH.get((game, first, second))
            players = limited_pair((first, second), game, size)
            levels = (printed.value, 0.5) if printed and printed.judged else ABOUT.get((game, first, second), (0.5,))
            yield Duel(f"{first} - {second}", game, game, *players, limits_of(size), paper=printed, levels=levels)

    return duels


# "About so much": a pairing is decided when it is inside or outside of this much to either side.
WITHIN = 0.05
ABOUT = {("ra", sampled, exact): (0.55, 0.65) for sampled, exact in zip(SAMPLED, EXACT, strict=True)} | {
    (game, sampled, BEST_MCTS[game]): (0.45, 0.55) for game in ("pig", "ra") for sampled in SAMPLED
}

# What the text says of Figure 1 in numbers: one of them exactly, the others as "roughly 60%", which a claim judges.
PRINTED_STRENGTH = {("cant_stop", "star2ss", "star2"): Paper(0.85, 4000)} | {
    ("ra", sampled, exact): Paper(0.6, judged=False) for sampled, exact in zip(SAMPLED, EXACT, strict=True)
}


def strength(game: str, title: str, sizes: Sizes, *claims: Claim) -> Experiment:
    pairs = tuple(zip(SAMPLED, EXACT, strict=True))
    better, other = BEST_MCTS[game], {"mcts": "dpw", "dpw": "mcts"}[BEST_MCTS[game]]
    improves = (
        Together(
            f"Sampling makes *-Minimax do better against {tree.upper()}{note}",
            tuple(f"{sampled} - {tree}" for sampled in SAMPLED),
            tuple(f"{exact} - {tree}" for exact in EXACT),
        )
        for tree, note in ((better, ", the work's choice"), (other, ""))
    )
    part = Duels(
        "Figure 1",
        pairings(game),
        f"mcms-strength-{game.replace('_', '-')}",
        "pairing",
        shape="bars",
        claims=(
            *(Above(f"Sampling makes {exact} stronger", f"{sampled} - {exact}") for sampled, exact in pairs),
            Above(f"{better.upper()} is better than {other.upper()}", "mcts - dpw", below=better == "dpw"),
            *improves,
            *claims,
        ),
        caption=title,
    )
    return Experiment(
        f"mcms-strength-{game.replace('_', '-')}",
        f"Playing strength in {title}",
        "Each sampled search against its exact counterpart, sampled searches against each other, and all of them "
        "against MCTS and DPW. Games are in pairs with seats swapped and the same dice.",
        sizes,
        (part,),
    )


def about_equal(game: str) -> BestNear:
    """The best sampled search against the work's choice of tree search."""
    tree = BEST_MCTS[game]
    rows = tuple(f"{sampled} - {tree}" for sampled in SAMPLED)
    return BestNear(f"The best sampled search is about equal to {tree.upper()}", rows, game, within=WITHIN)


def strength_sizes(paper: int, standard: int, quick: int) -> Sizes:
    return Sizes(
        quick=Size(games=quick, time=0.01),
        standard=Size(games=standard, time=0.01),
        paper=Size(games=paper, time=SECONDS),
        equivalent=Size(games=2400, nodes=NODES, sims=SIMS, reach=0.02),
    )


TUNED: dict[str, tuple[str, ...]] = {
    "expss": ("width=1..40:log",),
    "star1ss": ("width=1..40:log",),
    "star2ss": ("width=1..40:log",),
    "mcts": ("c=10..400:log", "rollout=0..100"),
    "dpw": ("c=10..400:log", "rollout=0..100", "c2=1..30:log", "alpha=0.1..0.5"),
}
GAMES = ("pig", "ewn", "cant_stop", "ra")
EVALUATIONS = ("nearest", "cubes", "advance")


def by_evaluation(size: Size) -> Iterator[Duel]:
    for evaluation in EVALUATIONS:
        for pair in zip(SAMPLED, EXACT, strict=True):
            game = f"ewn:evaluation={evaluation}"
            players = limited_pair(pair, "ewn", size)
            yield Duel(" - ".join(pair), evaluation, game, *players, limits_of(size), levels=(0.5,))


TIMES = (25, 50, 100, 200, 400, 800, 1600)  # milliseconds a move


def by_time(size: Size) -> Iterator[Duel]:
    """Thinking times from 25 ms to 1.6 s, or the nodes that stand for them: those of 200 ms are the size's."""
    for game, pair, share in (("ewn", ("star1ss", "star1"), 1.0), ("ra", ("star2ss", "star2"), 0.25)):
        row = f"{game}: {' - '.join(pair)}"
        for milliseconds in TIMES:
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
        "mcms-table1",
        "Table 1: statistical properties",
        "Eight searches as estimators of exact values, which value iteration gives, over the states of Pig seen "
        "in games between all pairs of them. The work does not tell whether a state met again draws new samples, "
        "so there are rows of both kinds.",
        Sizes(
            quick=Size(states=20, runs=4, time=0.01),
            standard=Size(states=120, runs=8, time=0.02),
            paper=Size(states=STATES, runs=50, time=SECONDS),
            equivalent=Size(states=STATES, runs=50, nodes=NODES, sims=SIMS),
        ),
        (estimation("The plain difference as heuristic", "pig", by_state_and_path(), *TABLE_1_CLAIMS),),
    ),
    Experiment(
        "mcms-table1-variants",
        "Table 1 with what the work leaves open",
        "Another heuristic, the tanh of the difference, and rolls told apart: 21 pairs of faces or 36 throws in place "
        "of 11 sums, which changes what is sampled and what progressive widening lets in. Values are the same.",
        Sizes(
            quick=Size(states=20, runs=4, time=0.01),
            standard=Size(states=120, runs=8, time=0.02),
            paper=Size(states=STATES, runs=50, time=SECONDS),
            equivalent=Size(states=600, runs=20, nodes=NODES, sims=SIMS),
        ),
        (
            *(
                estimation(
                    f"Rolls told apart: {rolls}",
                    f"pig:rolls={rolls}",
                    {row: row for row in ("dpw", "mcts", *SAMPLED)} | KEYED,
                    VARIANCE_OF_DPW,
                    judged=False,
                )
                for rolls in (36, 21)
            ),
            estimation(
                "The tanh of the difference", "pig:evaluation=tanh", {row: row for row in PLAYERS}, judged=False
            ),
        ),
    ),
    Experiment(
        "mcms-calibration",
        "How much the authors searched in 200 ms",
        "Expectimax of Pig at fixed depths, and tree search with so many simulations, beside the printed numbers. The "
        "nodes and simulations of the scale `equivalent` come from here.",
        Sizes(
            quick=Size(states=20, runs=2, nodes=3000, sims=300),
            standard=Size(states=600, runs=4, nodes=NODES, sims=SIMS),
            paper=Size(states=STATES, runs=50, nodes=NODES, sims=SIMS),
            equivalent=Size(states=STATES, runs=10, nodes=NODES, sims=SIMS),
        ),
        (estimation("Depths, simulations and nodes", "pig", calibration(), judged=False),),
    ),
    strength("pig", "Pig", strength_sizes(10000, 40, 10), about_equal("pig")),
    strength(
        "ewn",
        "EinStein würfelt nicht!",
        strength_sizes(10000, 160, 30),
        Above("expss is slightly above star1ss", "star1ss - expss", below=True),
        Together("Sampled searches are weak against MCTS", AGAINST_MCTS, level=0.5, below=True),
    ),
    strength("cant_stop", "Can't Stop", strength_sizes(4000, 20, 6)),
    strength(
        "ra",
        "Ra",
        strength_sizes(4000, 32, 8),
        *(
            Near(f"About 60% of games are won by {sampled}", f"{sampled} - {exact}", "ra", 0.6, WITHIN)
            for sampled, exact in zip(SAMPLED, EXACT, strict=True)
        ),
        Above("star1ss is above star2ss", "star2ss - star1ss", below=True),
        about_equal("ra"),
    ),
    Experiment(
        "mcms-evaluations",
        "Playing strength in EinStein würfelt nicht! by evaluation",
        "The work calls its evaluation of this game poor and does not tell it. Sampled against exact searches with "
        "three: how much nearer one's nearest cube is, more cubes left, and more steps made.",
        strength_sizes(10000, 100, 20),
        (
            Duels(
                "By evaluation",
                by_evaluation,
                "mcms-evaluations",
                "pairing",
                "evaluation",
                shape="bars",
                claims=tuple(
                    Above(f"Sampling makes {exact} stronger with {evaluation}", f"{sampled} - {exact}", evaluation)
                    for evaluation in EVALUATIONS
                    for sampled, exact in zip(SAMPLED, EXACT, strict=True)
                ),
            ),
        ),
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
