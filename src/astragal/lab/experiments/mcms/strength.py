"""Figure 1 of Lanctot et al. 2013: playing strength in four games, and in one of them by its evaluation."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from astragal.lab.budget import limited, limited_pair, limits_of, with_settings
from astragal.lab.claims import Above, BestNear, Claim, Near, Together
from astragal.lab.experiment import Experiment
from astragal.lab.experiments.mcms.players import EXACT, NODES, SAMPLED, SECONDS, SIMS
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
            players = limited_pair((first, second), game, size)
            yield Duel(f"{first} - {second}", game, game, *players, limits_of(size), paper=printed, levels=(0.5,))

    return duels


WITHIN = 0.05  # "about so much"
LUCK = {
    "exact": " Exact values tell what the dice gave, which is taken off: the mean is the same, the error a tenth.",
    "learned": " Learned evaluations tell what chance gave, about: that is taken off, which leaves the mean as it is.",
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
    score = "exact" if game == "pig" else "learned"
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
        score=score,
    )
    return Experiment(
        f"mcms-strength-{game.replace('_', '-')}",
        f"Playing strength in {title}",
        "Each sampled search against its exact counterpart, sampled searches against each other, and all of them "
        "against MCTS and DPW. Games are in pairs with seats swapped and the same dice." + LUCK[score],
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


EVALUATIONS = ("nearest", "cubes", "advance")


def by_evaluation(size: Size) -> Iterator[Duel]:
    for evaluation in EVALUATIONS:
        for pair in zip(SAMPLED, EXACT, strict=True):
            game = f"ewn:evaluation={evaluation}"
            players = limited_pair(pair, "ewn", size)
            yield Duel(" - ".join(pair), evaluation, game, *players, limits_of(size))


SHARES = (100, 75, 50)  # percent of nodes


def by_share(size: Size) -> Iterator[Duel]:
    """A search with bounds against one without that has more nodes, as it would at equal time."""
    for share in SHARES:
        mine = limited("star1ss", "ewn", replace(size, nodes=size.nodes * share // 100))
        yield Duel("star1ss - expss", str(share), "ewn", mine, limited("expss", "ewn", size), levels=(0.5,))


FEWER = (700, 2000, 7000)  # simulations in Ra
WIDER = {"as in the work": "", "more outcomes and actions": "c2=25,alpha=0.3", "twice as many": "c2=4,alpha=0.1"}


def by_widening(size: Size) -> Iterator[Duel]:
    """MCTS against DPW in Ra, by simulations and by what DPW lets into its tree."""
    for row, settings in WIDER.items():
        for sims in sorted({min(sims, size.sims) for sims in FEWER}):
            wide = with_settings("dpw", sims=sims) + (f",{settings}" if settings else "")
            yield Duel(f"DPW {row}", str(sims), "ra", f"mcts:sims={sims}", wide, levels=(0.5,))


EXPERIMENTS = (
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
        "mcms-widening-ra",
        "Ra: MCTS against DPW by what DPW lets in",
        "The work has DPW above MCTS in Ra. MCTS against DPW with the work's settings, with more outcomes and actions "
        "let into the tree, and with fewer simulations, as slower programs have.",
        Sizes(
            quick=Size(games=10, sims=700),
            standard=Size(games=100, sims=2000),
            paper=Size(games=4000, sims=7000),
            equivalent=Size(games=400, sims=7000, reach=0.05),
        ),
        (
            Duels(
                "MCTS against DPW",
                by_widening,
                "mcms-widening-ra",
                "DPW",
                "simulations a move",
                score="learned",
                log=True,
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
            paper=Size(games=10000, nodes=NODES),
            equivalent=Size(games=1600, nodes=NODES, reach=0.02),
        ),
        (Duels("By nodes", by_share, "mcms-bounds", "pairing", "percent of nodes", score="learned"),),
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
                score="learned",
                shape="bars",
                claims=tuple(
                    Above(f"Sampling makes {exact} stronger with {evaluation}", f"{sampled} - {exact}", evaluation)
                    for evaluation in EVALUATIONS
                    for sampled, exact in zip(SAMPLED, EXACT, strict=True)
                ),
            ),
        ),
    ),
)
