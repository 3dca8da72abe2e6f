"""Figure 1 of Lanctot et al. 2013: playing strength in four games, and in one of them by its evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from astragal.base.parameters import split_settings
from astragal.lab.budget import EQUAL_NODES, EQUAL_TIME, budgets, limited, limited_pair, limits_of, with_settings
from astragal.lab.claims import Above, BestNear, Claim, Near, Ours, Together
from astragal.lab.experiment import Departure, Experiment
from astragal.lab.experiments.mcms.players import (
    EQUAL_SECONDS,
    EXACT,
    NODES,
    SAMPLED,
    SECONDS,
    SHARED_DEPARTURES,
    SIMS,
)
from astragal.lab.findings import Paper
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.size import Size, Sizes

AGAINST_MCTS = tuple(f"{sampled} - mcts" for sampled in SAMPLED)
BEST_MCTS = {"pig": "mcts", "ewn": "mcts", "cant_stop": "dpw", "ra": "dpw"}  # the work's own choice
PAIRS = (
    *zip(SAMPLED, EXACT, strict=True),
    ("star1ss", "expss"),
    ("star2ss", "expss"),
    ("star2ss", "star1ss"),
    ("mcts", "dpw"),
)


def pairings(game: str) -> Callable[[Size], Iterator[Duel]]:
    """Figure 1: sampled against exact, sampled against sampled, and all against the better of MCTS and DPW, by the
    work's choice, and against the other."""

    def duels(size: Size) -> Iterator[Duel]:
        against_trees = [(first, tree) for tree in ("mcts", "dpw") for first in (*EXACT, *SAMPLED)]
        for first, second in (*PAIRS, *against_trees):
            printed = PRINTED_STRENGTH.get((game, first, second))
            for column, share in budgets(size):
                players = limited_pair((first, second), game, share)
                judged = printed and replace(printed, judged=printed.judged and column == EQUAL_TIME)
                at = f"{first} - {second}", column, game
                yield Duel(*at, *players, limits_of(share), paper=judged, levels=(0.5,))

    return duels


WITHIN = 0.05  # "about so much"
# What the work's own games could not have shown either: half a 95% interval of 10,000 games, and of 4,000. The bars of
# its Figure 1 are not printed as numbers, but for one; with "outperform in every case" each is above 50% by more.
MARGINS = {"pig": 0.01, "ewn": 0.01, "cant_stop": 0.0155, "ra": 0.0155}
LUCK = {
    "exact": " The luck of the dice is subtracted, by exact values: the mean is the same, the error a tenth.",
    "learned": " Luck is subtracted, as learned evaluations estimate it: the mean is the same, the error smaller.",
}

# What the text says of Figure 1 in numbers: one of them exactly, the others as "roughly 60%", which a claim judges.
PRINTED_STRENGTH = {("cant_stop", "star2ss", "star2"): Paper(0.85, 4000)} | {
    ("ra", sampled, exact): Paper(0.6, judged=False) for sampled, exact in zip(SAMPLED, EXACT, strict=True)
}


def headline(column: str, game: str) -> tuple[Claim, ...]:
    """What the work says of every game, on one column."""
    pairs = tuple(zip(SAMPLED, EXACT, strict=True))
    better, other = BEST_MCTS[game], {"mcts": "dpw", "dpw": "mcts"}[BEST_MCTS[game]]
    by_work, by_other = (
        Together(
            f"Sampling makes *-Minimax do better against {tree.upper()}",
            tuple(f"{sampled} - {tree}" for sampled in SAMPLED),
            tuple(f"{exact} - {tree}" for exact in EXACT),
            column=column,
        )
        for tree in (better, other)
    )
    return (
        *(Above(f"Sampling makes {exact} stronger", f"{sampled} - {exact}", column) for sampled, exact in pairs),
        Above(f"{better.upper()} is better than {other.upper()}", "mcts - dpw", column, below=better == "dpw"),
        by_work,
        Ours(by_other),
    )


def strength(game: str, title: str, sizes: Sizes, *claims: Claim, name: str = "", ours: bool = False) -> Experiment:
    """Figure 1 in one game. The work's claims are of equal time; the same sentences about equal nodes are ours, and
    all of them where another experiment has the work's own seconds."""
    name = name or f"mcms-strength-{game.replace('_', '-')}"
    said = (*headline(EQUAL_TIME, game), *claims)
    score = "exact" if game == "pig" else "learned"
    part = Duels(
        "Figure 1",
        pairings(game),
        name,
        "pairing",
        shape="bars",
        claims=(*(map(Ours, said) if ours else said), *map(Ours, headline(EQUAL_NODES, game))),
        caption=title,
        score=score,
        margin=MARGINS[game],
    )
    return Experiment(
        name,
        f"Playing strength in {title}",
        "Each sampled search against its exact counterpart, sampled searches against each other, and all of them "
        "against MCTS and DPW. Games are in pairs with seats swapped and the same dice." + LUCK[score],
        sizes,
        (part,),
        (*SHARED_DEPARTURES, Departure("score", "games won", "games won, less what chance gave")),
    )


def about_equal(game: str) -> BestNear:
    """The best sampled search against the work's choice of tree search."""
    tree = BEST_MCTS[game]
    rows = tuple(f"{sampled} - {tree}" for sampled in SAMPLED)
    return BestNear(f"The best sampled search is about equal to {tree.upper()}", rows, EQUAL_TIME, within=WITHIN)


def strength_sizes(paper: int, standard: int, quick: int) -> Sizes:
    return Sizes(
        quick=Size(games=quick, time=0.01),
        standard=Size(games=standard, time=0.01),
        paper=Size(games=paper, time=SECONDS),
        equivalent=Size(games=2400, time=EQUAL_SECONDS, nodes=NODES, sims=SIMS, reach=0.02),
    )


EVALUATIONS = ("nearest", "cubes", "advance")


def by_evaluation(size: Size) -> Iterator[Duel]:
    for evaluation in EVALUATIONS:
        for pair in zip(SAMPLED, EXACT, strict=True):
            for column, share in budgets(size):
                at = " - ".join(pair), f"{evaluation}, {column}", f"ewn:evaluation={evaluation}"
                yield Duel(*at, *limited_pair(pair, "ewn", share), limits_of(share), levels=(0.5,))


SHARES = (100, 75, 50)  # percent of nodes


def by_share(size: Size) -> Iterator[Duel]:
    """A search with bounds against one without that has more nodes, as it would at equal time; and at equal time."""
    if size.time:
        yield Duel("star1ss - expss", EQUAL_TIME, "ewn", "star1ss", "expss", limits_of(size), levels=(0.5,))
    for share in SHARES if size.nodes else ():
        work = replace(size, time=0.0)
        mine = limited("star1ss", "ewn", replace(work, nodes=size.nodes * share // 100))
        at = "star1ss - expss", f"{share}% of the nodes", "ewn"
        yield Duel(*at, mine, limited("expss", "ewn", work), levels=(0.5,))


FEWER = (700, 2000, 7000)  # simulations in Ra
WIDER = {"as in the work": "", "more outcomes and actions": "c2=25,alpha=0.3", "twice as many": "c2=4,alpha=0.1"}


def by_widening(size: Size) -> Iterator[Duel]:
    """MCTS against DPW in Ra, by simulations and by what DPW lets into its tree."""
    for row, settings in WIDER.items():
        if size.time:
            wide = with_settings("dpw", **dict(split_settings(settings, row))) if settings else "dpw"
            yield Duel(f"DPW {row}", EQUAL_TIME, "ra", "mcts", wide, limits_of(size), levels=(0.5,))
        for sims in sorted({min(sims, size.sims) for sims in FEWER}):
            wide = with_settings("dpw", sims=sims) + (f",{settings}" if settings else "")
            yield Duel(f"DPW {row}", str(sims), "ra", f"mcts:sims={sims}", wide, levels=(0.5,))


EXPERIMENTS = (
    strength(
        "pig",
        "Pig at the published 200 ms",
        replace(strength_sizes(10000, 40, 10), equivalent=Size(games=24, time=SECONDS)),
        about_equal("pig"),
        name="mcms-strength-pig-published",
    ),
    strength("pig", "Pig", strength_sizes(10000, 40, 10), about_equal("pig"), ours=True),
    strength(
        "ewn",
        "EinStein würfelt nicht!",
        strength_sizes(10000, 160, 30),
        Above("expss is slightly above star1ss", "star1ss - expss", EQUAL_TIME, below=True),
        Together("Sampled searches are weak against MCTS", AGAINST_MCTS, level=0.5, below=True, column=EQUAL_TIME),
    ),
    strength("cant_stop", "Can't Stop", strength_sizes(4000, 20, 6)),
    strength(
        "ra",
        "Ra",
        strength_sizes(4000, 32, 8),
        *(
            Near(f"About 60% of games are won by {sampled}", f"{sampled} - {exact}", EQUAL_TIME, 0.6, WITHIN)
            for sampled, exact in zip(SAMPLED, EXACT, strict=True)
        ),
        Above("star1ss is above star2ss", "star2ss - star1ss", EQUAL_TIME, below=True),
        about_equal("ra"),
    ),
    Experiment(
        "mcms-widening-ra",
        "Ra: MCTS against DPW by what DPW lets in",
        "The work has DPW above MCTS in Ra. MCTS against DPW with the work's settings, with more outcomes and actions "
        "let into the tree, and with fewer simulations, as slower programs have.",
        Sizes(
            quick=Size(games=10, sims=700),
            standard=Size(games=100, sims=2000),
            paper=Size(games=4000, sims=7000),
            equivalent=Size(games=400, sims=7000, time=EQUAL_SECONDS, reach=0.05),
        ),
        (
            Duels(
                "MCTS against DPW",
                by_widening,
                "mcms-widening-ra",
                "DPW",
                "simulations a move, or equal time",
                score="learned",
                shape="bars",
            ),
        ),
    ),
    Experiment(
        "mcms-bounds",
        "EinStein würfelt nicht!: what bounds cost",
        "The work has expss slightly above star1ss at equal time, and says that bounds take time where they prune "
        "little. star1ss against expss with as many nodes, three quarters of them, and half.",
        Sizes(
            quick=Size(games=20, nodes=3000),
            standard=Size(games=200, nodes=NODES),
            paper=Size(games=10000, time=SECONDS),
            equivalent=Size(games=2000, time=EQUAL_SECONDS, nodes=NODES, reach=0.02),
        ),
        (Duels("By nodes", by_share, "mcms-bounds", "pairing", "budget", score="learned", shape="bars"),),
    ),
    Experiment(
        "mcms-evaluations",
        "Playing strength in EinStein würfelt nicht! by evaluation",
        "The work calls its evaluation of this game poor and does not give it. Sampled against exact searches with "
        "three: how much nearer one's nearest cube is, more cubes left, and more steps made.",
        strength_sizes(10000, 100, 20),
        (
            Duels(
                "By evaluation",
                by_evaluation,
                "mcms-evaluations",
                "pairing",
                "evaluation",
                score="learned",
                shape="bars",
                claims=tuple(
                    Ours(Above(f"Sampling makes {exact} stronger with {evaluation}, {column}", *at))
                    for evaluation in EVALUATIONS[1:]  # the first is that of Figure 1
                    for column in (EQUAL_TIME, EQUAL_NODES)
                    for sampled, exact in zip(SAMPLED, EXACT, strict=True)
                    for at in [(f"{sampled} - {exact}", f"{evaluation}, {column}")]
                ),
                margin=MARGINS["ewn"],
            ),
        ),
    ),
)
