"""Table 1 of Lanctot et al. 2013: searches as estimators of exact values in Pig, and what its numbers depend on."""

from __future__ import annotations

from collections.abc import Mapping

from astragal.lab.claims import Above, Claim, Every, Near, Ours
from astragal.lab.experiment import Departure, Experiment
from astragal.lab.experiments.mcms.players import (
    EXACT,
    PLAYERS,
    SAMPLED,
    SECONDS,
    SHARED_DEPARTURES,
    TABLE_1_NODES,
    TABLE_1_SIMS,
)
from astragal.lab.findings import Paper
from astragal.lab.parts.estimation import GAMES_A_MEETING, Compared, Estimation, Frequent
from astragal.lab.size import Size, Sizes

STATES = 2470  # of Table 1, each searched 50 times
MANY_GAMES = 8  # a meeting: regrets differ from set to set of games (`mcms-regrets`), so states are from many
ENOUGH_GAMES = 4  # a meeting, of which as many count as have the work's number of states: some 85
NODES, SIMS = 30_000, 10_000  # what explains single numbers, with the eleven sums of two dice for throws
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
NARROW = 0.15  # half our interval, as a part of the printed number, with which they can agree


def printed(row: str, judged: bool = True) -> tuple[Paper | None, ...]:
    """The columns of Table 1. The variance of an exact search is that of its clock; with a limit of nodes it is 0."""
    papers = [Paper(value, states=STATES, within=NARROW * value, judged=judged) for value in PRINTED[row]]
    return tuple(None if row in EXACT and column == 1 else paper for column, paper in enumerate(papers))


def printed_margin(one: str, other: str, column: int) -> float:
    """Half of what the work has them differ by."""
    return round(abs(PRINTED[one][column] - PRINTED[other][column]) / 2, 3)


# Half of what the work prints is the margin; where it prints a difference of a hundredth there is none.
TABLE_1_CLAIMS = (
    Compared(
        "The bias of expss is lower than that of exp", "expss", "exp", "Bias", True, printed_margin("expss", "exp", 2)
    ),
    *(Compared("", sampled, exact, "Variance") for sampled, exact in zip(SAMPLED, EXACT, strict=True)),
    Compared("expss has less regret than exp", "expss", "exp", "Regret", True),
    Compared("star2ss has less regret than star2", "star2ss", "star2", "Regret", True),
)
MORE_VARIANCE = Every(
    "Sampling adds variance",
    tuple(
        Above(f"to {exact}", Compared("", sampled, exact, "Variance").name, "Variance", 0.0)
        for sampled, exact in zip(SAMPLED, EXACT, strict=True)
    ),
)
VARIANCE_OF_DPW = Ours(
    Near("DPW's variance is of the size of the printed 5.3, between 1.8 and 8.8", "dpw", "Variance", 5.3, 3.5)
)

KEYED = {f"{row}, key by path": f"{row}:key=path" for row in SAMPLED}


def estimation(
    title: str,
    game: str,
    players: Mapping[str, str],
    *compared: Compared,
    claims: tuple[Claim, ...] = (),
    judged: bool = True,
    occasion: str = "",
    games: int = GAMES_A_MEETING,
) -> Estimation:
    """Searches of one form of Pig. Exact values are the same for every heuristic and every way to count rolls.

    Where numbers are not judged they stand beside the work's: variants show what a difference is due to. An occasion
    has other games, and so other states.
    """
    papers = {row: printed(row.partition(",")[0], judged) for row in players}
    certain = [row for row in players if row.partition(",")[0] in EXACT]
    return Estimation(title, game, players, ("pig", PLAYERS), papers, claims, compared, certain, occasion, games)


def searched(states: int, runs: int, nodes: int = NODES, sims: int = SIMS) -> Size:
    """This many states, each searched this often, with the work that stands for the authors' 200 ms."""
    return Size(states=states, runs=runs, nodes=nodes, sims=sims)


def by_seconds(equivalent: Size) -> Sizes:
    """What the work itself did."""
    return Sizes(
        quick=Size(states=20, runs=4, time=0.01),
        standard=Size(states=120, runs=8, time=0.02),
        paper=Size(states=STATES, runs=50, time=SECONDS),
        equivalent=equivalent,
    )


def by_work(quick_runs: int, standard: Size, equivalent: Size) -> Sizes:
    """What explains its numbers: by nodes and simulations at every scale."""
    return Sizes(searched(20, quick_runs, 3000, 300), standard, searched(STATES, 50), equivalent)


def by_state_and_path() -> dict[str, str]:
    """All searches, those with samples in either reading: a state met again has the same samples, or others."""
    return {row: row for row in PLAYERS} | KEYED


TABLE_1 = Estimation(
    "With 36 throws, one budget for all rows",
    "pig:rolls=36",
    {row: KEYED.get(f"{row}, key by path", row) for row in PLAYERS},
    ("pig:rolls=36", PLAYERS),
    {row: printed(row) for row in PLAYERS},
    (),
    TABLE_1_CLAIMS,
    EXACT,
    games=ENOUGH_GAMES,
    all_states=True,
    difference_claims=(MORE_VARIANCE,),
)


def of_one_budget() -> dict[str, str]:
    """The rows of Table 1 with fewer and with more of everything."""
    return {
        f"{row}, {nodes} nodes": f"{TABLE_1.players[row]}{',' if ':' in TABLE_1.players[row] else ':'}{limit}"
        for nodes in (400_000, TABLE_1_NODES, 700_000)
        for row in PLAYERS
        for limit in [
            f"sims={round(nodes * TABLE_1_SIMS / TABLE_1_NODES)}" if row in ("mcts", "dpw") else f"nodes={nodes}"
        ]
    }


def calibration() -> dict[str, str]:
    """Searches with limits of their own, whose numbers show which the authors' searches had."""
    return (
        {f"exp, depth {depth}": f"exp:depth={depth}" for depth in (2, 3, 4, 5)}
        | {f"expss, {nodes} nodes": f"expss:key=path,nodes={nodes}" for nodes in (10_000, 30_000, 100_000)}
        | {f"mcts, {sims} simulations": f"mcts:sims={sims}" for sims in (300, 1000, 3000, 10_000)}
    )


REGRETS = {f"exp, depth {depth}": f"exp:depth={depth}" for depth in (2, 3, 4)} | {
    f"{player}, depth {depth}": f"{player}:key=path,depth={depth}" for player in SAMPLED for depth in (3, 4)
}
DEPTHS = "exp, depth 4", "exp, depth 3"
SIMULATIONS = {f"mcts, {sims} simulations": f"mcts:sims={sims}" for sims in (10_000, 30_000, 100_000)} | {
    f"mcts, c = {c}": f"mcts:c={c}" for c in (25, 100)
}
SAMPLES = {"exp": "exp", "expss": "expss:key=path"} | {
    f"expss, {name}": f"expss:key=path,{setting}"
    for name, setting in {
        "common random numbers": "common=on",
        "width 10": "width=10",
        "width 40": "width=40",
        "stratified": "sampling=stratified",
        "antithetic": "sampling=antithetic",
        "the previous depth's move": "unfinished=previous",
    }.items()
}
BUDGETS = (NODES, 60_000, 100_000)  # with the last all sampled searches finish depth 4, and exact ones depth 3


def with_nodes(player: str, nodes: int) -> str:
    return f"{player}, {nodes} nodes"


BY_NODES = {with_nodes(row, nodes): f"{row}:nodes={nodes}" for nodes in BUDGETS for row in EXACT} | {
    with_nodes(row, nodes): f"{row}:key=path,nodes={nodes}" for nodes in BUDGETS for row in SAMPLED
}
WIDENING = {f"dpw, {sims} simulations": f"dpw:sims={sims}" for sims in (1000, 10_000, 100_000)} | {
    "dpw, C2 = 2": "dpw:c2=2",
    "dpw, C2 = 2, 100000 simulations": "dpw:c2=2,sims=100000",
    "dpw, alpha = 0.1": "dpw:alpha=0.1",
    "dpw, the move of the best mean": "dpw:final=mean",
    "dpw, 100000 simulations, the best mean": "dpw:sims=100000,final=mean",
}
BY_FINAL_MOVE = {
    f"mcts, {sims} simulations, the {words}": f"mcts:sims={sims},final={final}"
    for sims in (10_000, 100_000)
    for words, final in (("most visits", "visits"), ("best mean", "mean"))
}
FINAL_MOVES = tuple(
    (f"mcts, {sims} simulations, the best mean", f"mcts, {sims} simulations, the most visits")
    for sims in (10_000, 100_000)
)
OTHER_GAMES = ("second", "third", "fourth")
IN_OTHER_GAMES = {row: REGRETS[row] for row in ("exp, depth 3", "expss, depth 3")} | {"mcts": "mcts"}

EXPERIMENTS = (
    Experiment(
        "mcms-table1",
        "Table 1: statistical properties",
        "Eight searches as estimators of exact values, which value iteration gives, over the states of Pig seen "
        "in games between all pairs of them.",
        by_seconds(equivalent=searched(STATES, 10, TABLE_1_NODES, TABLE_1_SIMS)),
        (TABLE_1,),
        (
            Departure("throws of the dice", "not stated", "36, each an outcome of its own"),
            Departure("states", f"all {STATES} of its games", f"all of as many games as have {STATES}"),
            Departure("a state met again", "not stated", "draws new samples, as the pseudo-code does"),
            *SHARED_DEPARTURES,
        ),
    ),
    Experiment(
        "mcms-table1-sums",
        "Table 1 with the eleven sums of two dice",
        "The same with the game's default, in which throws of the same sum are one outcome, and equal draws one "
        "subtree: widths then cost nothing. Samples of a state met again are the same, or, in further rows, new ones. "
        "Its numbers are judged once, in `mcms-table1`.",
        by_seconds(equivalent=searched(STATES, 50)),
        (estimation("The plain difference as heuristic", "pig", by_state_and_path(), judged=False, games=MANY_GAMES),),
    ),
    Experiment(
        "mcms-one-budget",
        "Table 1 with fewer and with more nodes",
        "All rows of Table 1 with 400,000, 575,000 and 700,000 nodes, and simulations in proportion.",
        by_work(2, standard=searched(200, 4), equivalent=searched(800, 4)),
        (
            Estimation(
                "By budget",
                "pig:rolls=36",
                of_one_budget(),
                ("pig:rolls=36", PLAYERS),
                {row: printed(row.partition(",")[0], False) for row in of_one_budget()},
                games=ENOUGH_GAMES,
                certain=[row for row in of_one_budget() if row.partition(",")[0] in EXACT],
                all_states=True,
            ),
        ),
        SHARED_DEPARTURES,
    ),
    Experiment(
        "mcms-table1-variants",
        "Table 1 with what the work leaves open",
        "Another heuristic, the tanh of the difference, and distinct rolls: 21 pairs of faces or 36 throws in place "
        "of 11 sums, which changes what is sampled and what progressive widening lets in. Values are the same.",
        by_seconds(equivalent=searched(600, 20)),
        (
            *(
                estimation(
                    f"Distinct rolls: {rolls}",
                    f"pig:rolls={rolls}",
                    {row: row for row in ("dpw", "mcts", *SAMPLED)} | KEYED,
                    claims=(VARIANCE_OF_DPW,),
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
        "Expectimax of Pig at fixed depths, and tree search at fixed simulations, beside the printed numbers.",
        by_work(2, standard=searched(600, 4), equivalent=searched(STATES, 10)),
        (estimation("Depths, simulations and nodes", "pig", calibration(), judged=False),),
    ),
    Experiment(
        "mcms-regrets",
        "What the regrets of Table 1, and the bias of MCTS, depend on",
        "How deep searches get, how many simulations, how much exploration, and which games the states are from: three "
        "more sets of games between the same players.",
        by_work(2, standard=searched(300, 4), equivalent=searched(STATES, 10)),
        (
            estimation(
                "By depth",
                "pig",
                REGRETS,
                Compared("exp has less regret at depth 4 than at 3", *DEPTHS, "Regret", True, ours=True),
                judged=False,
            ),
            estimation(
                "By simulations and exploration",
                "pig",
                SIMULATIONS,
                Compared(
                    "MCTS has less bias with 100,000 simulations than with 10,000",
                    "mcts, 100000 simulations",
                    "mcts, 10000 simulations",
                    "Bias",
                    True,
                    ours=True,
                ),
                judged=False,
            ),
            *(
                estimation(f"States of a {each} set of games", "pig", IN_OTHER_GAMES, judged=False, occasion=each)
                for each in OTHER_GAMES
            ),
        ),
    ),
    Experiment(
        "mcms-widening",
        "What the numbers of DPW and MCTS depend on",
        "DPW with 36 distinct throws: simulations, how many outcomes it lets in, and by what it chooses its move, "
        "the most visits, as ours does, or the best mean, as the work says. MCTS by either.",
        by_work(2, standard=searched(100, 4), equivalent=searched(200, 2)),
        (
            estimation("With 36 distinct rolls", "pig:rolls=36", WIDENING, judged=False, games=MANY_GAMES),
            estimation(
                "MCTS by its final move",
                "pig",
                BY_FINAL_MOVE,
                *(Compared("", *pair, "Regret") for pair in FINAL_MOVES),
                judged=False,
                games=MANY_GAMES,
            ),
        ),
    ),
    Experiment(
        "mcms-samples",
        "The regret of one sampled search by how it draws",
        "One sampled search loses more than the work prints, with the printed variance. What might keep the variance "
        "and lower the regret: the same draws after every action, other widths, draws that are spread, 36 throws, the "
        "previous depth's move after an unfinished iteration.",
        by_work(2, standard=searched(200, 4), equivalent=searched(600, 4)),
        tuple(
            estimation(
                f"With {rolls} distinct rolls",
                f"pig:rolls={rolls}",
                SAMPLES,
                *(Compared("", row, "exp", "Regret") for row in SAMPLES if row != "exp"),
                judged=False,
                games=MANY_GAMES,
            )
            for rolls in (11, 36)
        ),
    ),
    Experiment(
        "mcms-nodes",
        "Table 1 with more nodes",
        "With eleven sums: from 60,000 nodes on there are states in which sampled searches see a decision further than "
        "exact ones.",
        by_work(2, standard=searched(200, 4), equivalent=searched(STATES, 8)),
        (
            estimation(
                "By nodes",
                "pig",
                BY_NODES,
                *(
                    Compared("", with_nodes(sampled, nodes), with_nodes(exact, nodes), "Regret")
                    for nodes in BUDGETS
                    for sampled, exact in zip(SAMPLED, EXACT, strict=True)
                ),
                judged=False,
                games=MANY_GAMES,
            ),
        ),
    ),
    Experiment(
        "mcms-noise",
        "How much of the regret of sampled searches is noise",
        "Each state is searched many times. Of one search, the move loses what bias and noise make it lose; of the "
        "move that most searches choose, noise is no longer a part.",
        by_work(5, standard=searched(200, 25), equivalent=searched(400, 25)),
        (
            Frequent(
                "By how many searches choose together",
                "mcms-noise",
                "pig",
                {"exp": "exp"} | KEYED,
                PLAYERS,
                EXACT,
                MANY_GAMES,
            ),
        ),
    ),
)
