"""Ramanujan & Selman 2011: what makes UCT work in Kalah, in duplicate games from random boards.

Scores are shares of boards: a player takes a board if it wins one of its two games and does not lose the other, and all
other boards are set aside. Where a tree search meets MM-k it may add as many nodes as MM-k would expand at the same
position. That number depends on the order in which MM-k tries moves, which the work does not tell. So these experiments
are made twice: with the pit next to the store first (a good order) and last (a poor one).

MM-16, which finishes games, is alpha-beta to the same depth with table and learned order: it gives the same values.

"All comparisons" of the work give UCT as many nodes as Minimax would expand "unless stated otherwise", which only
Figure 7 does. Figures 6, 8 and 9 vary the iterations themselves. "Expanded" may mean all nodes or those inside the
tree: Figure 10 is made with both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from astragal.arena.contest import Finish
from astragal.lab.claims import Above, AverageAbove, Beyond, Claim, Higher, HighestAt, More, Near, Rises
from astragal.lab.experiment import Experiment, Publication
from astragal.lab.parts.deep_playouts import Coulom, Playouts
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.parts.pathology import Pathology
from astragal.lab.parts.trees import Trees
from astragal.lab.size import Size, Sizes

RANK = 2
PUBLICATION = Publication("tradeoffs", "Trade-Offs in Sampling-Based Adversarial Planning", "Ramanujan & Selman 2011")
BOARD = "kalah:setup=random"
LARGE = "kalah:pits=8,stones=6,setup=random"
SMALL = "kalah:pits=4,stones=3,setup=random"  # which is solved exactly
ORDERS = {"good order": "listed", "poor order": "reversed"}
PLAYOUTS = "uct:ends=sign,c=1.4,unit=points"  # random games that count 1, 0 or -1 point
TERMINAL_RATIO = 0.003
PARTIAL_PLIES = 14


def finish(size: Size, ply: int | None = None, terminal_ratio: float | None = None) -> Finish:
    """Two MM finish, from a ply on, or once the trees of Minimax, the second player, have met enough ends."""
    both = (f"alphabeta:depth={size.finisher}",) * 2
    return Finish(both, ply, terminal_ratio, None if terminal_ratio is None else 1)


def by_c(size: Size) -> Iterator[Duel]:
    """Figure 4: UCT_H against MM-8, with as many nodes; and UCTMAX_H, which the text means by "outperforms"."""
    for order, name in ORDERS.items():
        opponent = f"mm:depth={size.depth},order={name}"
        for c in ("0", "0.5", "1", "2.5", "5", "10", "20", "40"):
            yield Duel(f"UCT_H, {order}", c, BOARD, f"uct_h:c={c}", opponent, matched=0)
        for c in ("1", "2.5", "5"):
            levels = (0.5,) if c == "2.5" else ()
            yield Duel(f"UCTMAX_H, {order}", c, BOARD, f"uctmax_h:c={c}", opponent, matched=0, levels=levels)


def by_playouts(size: Size) -> Iterator[Duel]:
    """Figure 5: random games averaged for each leaf, with as many leaves as MM-k has nodes."""
    for count in (1, 2, 4, 8, 16, 32):
        yield Duel("UCT", str(count), BOARD, f"{PLAYOUTS},rollouts={count}", f"mm:depth={size.depth}", matched=0)


def by_iterations(size: Size) -> Iterator[Duel]:
    """Figure 6: nodes added to the tree, one random game for each."""
    for part in (0.125, 0.25, 0.5, 1, 2, 4):
        sims = round(part * size.sims)
        yield Duel("UCT", str(sims), BOARD, f"{PLAYOUTS},sims={sims}", "mm:depth=8")


def by_split(size: Size) -> Iterator[Duel]:
    """Figure 7: so many random games in all, spread over more leaves or fewer."""
    for count in (1, 2, 4, 8, 16, 32):
        sims = max(1, 2 * size.sims // count)
        yield Duel("UCT", str(count), BOARD, f"{PLAYOUTS},sims={sims},rollouts={count}", "mm:depth=8")


ITERATIONS = (100, 500, 1000, 2000, 5000, 10000, 20000)
BELOW = ("100",)  # fewer than the work shows, so no part of its trend


def backups(first: str, second: str, partial: bool = False) -> Callable[[Size], Iterator[Duel]]:
    """Figures 8 and 9: two ways to back values up, over iterations."""

    def duels(size: Size) -> Iterator[Duel]:
        end = finish(size, ply=PARTIAL_PLIES) if partial else None
        for sims in ITERATIONS:
            if sims <= max(size.sims, ITERATIONS[0]):
                mine, theirs = (f"{name}{',' if ':' in name else ':'}sims={sims}" for name in (first, second))
                yield Duel(first.partition(":")[0], str(sims), BOARD, mine, theirs, finish=end)

    return duels


def by_unvisited(size: Size) -> Iterator[Duel]:
    """Figure 8 with other minimax values of a node that has children which were not visited yet."""
    for row, rule in (("own evaluation", "own"), ("a draw", "draw")):
        for sims in (500, 2000, 5000, 20000):
            if sims <= size.sims:
                mine, theirs = f"uctmax_h:sims={sims},unvisited={rule}", f"uct_h:sims={sims}"
                yield Duel(row, str(sims), BOARD, mine, theirs)


def against_minimax(
    board: str, tree: str = "uctmax_h", deepest: int = 14, expanded: str = "all"
) -> Callable[[Size], Iterator[Duel]]:
    """Figures 10 and 11: a tree search against MM-k with as many nodes, complete and partial games.

    Both kinds begin on the same boards with the same searches, and are the same until finishers take over.
    """

    def duels(size: Size) -> Iterator[Duel]:
        for order, name in ORDERS.items():
            last = min(deepest, size.depth - (2 if name == "reversed" else 0))  # a poor order takes far more nodes
            for kind, end in (("complete", None), ("partial", finish(size, terminal_ratio=TERMINAL_RATIO))):
                for depth in range(min(6, last), last + 1, 2):
                    opponent = f"mm:depth={depth},order={name}"
                    row = f"{kind}, {order}"
                    yield Duel(row, str(depth), board, tree, opponent, matched=0, finish=end, expanded=expanded)

    return duels


def deeper(size: Size) -> Iterator[Duel]:
    """MM-(k + n) against MM-k, until finishers take over."""
    for board, name in (("kalah:pits=4,stones=4,setup=random", "(4,4)"), (BOARD, "(6,4)"), (LARGE, "(8,6)")):
        for more in (2, 4):
            for depth in range(2, size.depth + 1 - more, 2):
                players = (f"mm:depth={depth + more}", f"mm:depth={depth}")
                end = finish(size, ply=PARTIAL_PLIES)
                yield Duel(f"{name}, n = {more}", str(depth), board, *players, finish=end, levels=(0.5,))


def hybrids(size: Size) -> Iterator[Duel]:
    """`hybrid` against both its parents with as many nodes each."""
    for board, name in ((BOARD, "(6,4)"), (LARGE, "(8,6)")):
        for other in ("uctmax_h", "alphabeta"):
            mine, theirs = (f"{player}:nodes={size.sims}" for player in ("hybrid", other))
            yield Duel(f"against {other}", name, board, mine, theirs, levels=(0.5,))


def against_playouts(size: Size) -> Iterator[Duel]:
    """UCT_H and UCTMAX_H against plain UCT, each with so many iterations."""
    for player in ("uct_h", "uctmax_h"):
        for part in (0.1, 0.3, 1):
            sims = round(part * size.sims)
            mine, theirs = f"{player}:sims={sims}", f"{PLAYOUTS},sims={sims}"
            yield Duel(player, str(sims), BOARD, mine, theirs, levels=(0.5,))


def minimax_against_playouts(size: Size) -> Iterator[Duel]:
    """MM-k against plain UCT with as many nodes."""
    for depth in range(4, size.depth + 1, 2):
        yield Duel("MM-k", str(depth), BOARD, f"mm:depth={depth}", PLAYOUTS, matched=1, levels=(0.5,))


SWITCHES = tuple(
    Near(
        f"Against MM-{depth} finishers take over at ply {ply} on average ({order})", f"partial, {order}", depth, ply, 2
    )
    for order in ORDERS
    for depth, ply in (("6", 21), ("14", 8))
)


BETTER_PARTIAL = {order: (f"partial, {order}", f"complete, {order}") for order in ORDERS}


def always_better(player: str) -> tuple[Claim, ...]:
    """What the work says of partial and complete games, on the boards that both began on."""
    return tuple(
        claim
        for order in ORDERS
        for claim in (
            AverageAbove(f"{player} does better in partial games than in complete ones ({order})", order),
            Above(f"{player} does so at every k ({order})", order, level=0.0),
        )
    )


def figures_10(name: str, board: str, figure: int, switch_claims: tuple[Near, ...] = ()) -> Duels:
    return Duels(
        f"Figure {figure}: UCTMAX_H against MM-k",
        against_minimax(board),
        name,
        "games",
        "k",
        score="boards",
        switches=True,
        switch_claims=switch_claims,
        differences=BETTER_PARTIAL,
        difference_claims=always_better("UCTMAX_H"),
        claims=tuple(
            Rises(f"Its win rate declines with k in partial games ({order})", f"partial, {order}", falls=True)
            for order in ORDERS
        ),
    )


PAPER_FINISHER = 16

EXPERIMENTS = (
    Experiment(
        "tradeoffs-figures2-3",
        "Figures 2 and 3: search trees",
        "What MM-8 searches of one position, and what UCT_H adds to its tree with as many nodes and three values of c. "
        "Depth is the distance from the root.",
        Sizes(quick=Size(depth=8), standard=Size(depth=8), paper=Size(depth=8)),
        (
            Trees(
                "Figures 2 and 3",
                BOARD,
                ("tradeoffs-figure2", "MM-8", "mm"),
                [(f"tradeoffs-figure3-c{c}", f"UCT_H, c = {c}", f"uct_h:c={c}") for c in ("0", "2.5", "20")],
                claims=(
                    More(
                        "With c = 0 the tree reaches some very deep positions",
                        "UCT_H, c = 0",
                        "UCT_H, c = 2.5",
                        "deepest",
                    ),
                    More("With c = 20 it is less deep than with c = 2.5", "UCT_H, c = 2.5", "UCT_H, c = 20", "deepest"),
                ),
            ),
        ),
    ),
    Experiment(
        "tradeoffs-figure4",
        "Figure 4: exploration",
        "UCT_H against MM-8 with as many nodes, over the exploration constant c (in stones). That such a tree "
        "outperforms Minimax is said of a later variant, UCTMAX_H.",
        Sizes(
            quick=Size(games=20, depth=6),
            standard=Size(games=160, depth=8),
            paper=Size(games=1000, depth=8),
            equivalent=Size(games=2000, depth=8, reach=0.04),
        ),
        (
            Duels(
                "Figure 4",
                by_c,
                "tradeoffs-figure4",
                "player, and the order in which MM-8 tries moves",
                "c",
                score="boards",
                claims=tuple(
                    claim
                    for order in ORDERS
                    for claim in (
                        HighestAt(f"c = 2.5 is the best value ({order})", f"UCT_H, {order}", "2.5"),
                        Beyond(f"c = 2.5 is better than too little, c = 0 ({order})", f"UCT_H, {order}", "2.5", "0"),
                        Beyond(f"and than too much, c = 20 ({order})", f"UCT_H, {order}", "2.5", "20"),
                        Above(f"UCTMAX_H outperforms Minimax ({order})", f"UCTMAX_H, {order}", "2.5"),
                    )
                ),
            ),
        ),
    ),
    Experiment(
        "tradeoffs-introduction",
        "The claims of the introduction: a heuristic in place of random games",
        "UCT_H and UCTMAX_H against UCT with random games and averages, and Minimax with the heuristic against it.",
        Sizes(
            quick=Size(games=20, sims=1000, depth=4),
            standard=Size(games=100, sims=5000, depth=6),
            paper=Size(games=1000, sims=20000, depth=8),
            equivalent=Size(games=1000, sims=10000, depth=8, reach=0.04),
        ),
        (
            Duels(
                "A heuristic in place of random games",
                against_playouts,
                "tradeoffs-introduction",
                "player",
                "iterations",
                score="boards",
                log=True,
                claims=(
                    Above("The heuristic in place of random games boosts UCT", "uct_h"),
                    Above("UCTMAX_H outperforms the original UCT", "uctmax_h"),
                ),
            ),
            Duels(
                "Minimax with the heuristic against UCT with random games",
                minimax_against_playouts,
                "",
                "player",
                "k",
                score="boards",
                claims=(Above("Minimax with the heuristic strongly dominates UCT with random games", "MM-k"),),
            ),
        ),
    ),
    Experiment(
        "tradeoffs-figures5-7",
        "Figures 5, 6 and 7: random games or nodes",
        "UCT with random games against MM-8: more random games for each leaf of a tree with as many nodes, more "
        "leaves, and both under one budget of random games (20,000 in the work, twice the simulations named here).",
        Sizes(
            quick=Size(games=20, sims=400, depth=4),
            standard=Size(games=160, sims=2000, depth=6),
            paper=Size(games=1000, sims=10000, depth=8),
            equivalent=Size(games=1000, sims=10000, depth=8, reach=0.04),
        ),
        (
            Duels(
                "Figure 5: random games for each leaf",
                by_playouts,
                "tradeoffs-figure5",
                "player",
                "random games a leaf",
                score="boards",
                log=True,
                claims=(Rises("More random games for each leaf help a little", "UCT"),),
            ),
            Duels(
                "Figure 6: iterations",
                by_iterations,
                "tradeoffs-figure6",
                "player",
                "iterations",
                score="boards",
                log=True,
                claims=(Rises("More iterations help much", "UCT"),),
            ),
            Duels(
                "Figure 7: one budget of random games",
                by_split,
                "tradeoffs-figure7",
                "player",
                "random games a leaf",
                score="boards",
                log=True,
                claims=(
                    Rises("The fewer random games for each leaf the better", "UCT", falls=True),
                    HighestAt("One random game for each leaf is best", "UCT", "1"),
                ),
            ),
        ),
    ),
    Experiment(
        "tradeoffs-figures8-9",
        "Figures 8 and 9: minimax values or averages",
        "UCTMAX_H against UCT_H over iterations: in complete games, and until ply 14, after which two MM-16 finish. "
        "And the work's remark that averages are better with random games while nodes have few visits.",
        Sizes(
            quick=Size(games=20, sims=2000, finisher=8),
            standard=Size(games=200, sims=20000, finisher=12),
            paper=Size(games=1000, sims=20000, finisher=PAPER_FINISHER),
            equivalent=Size(games=1600, sims=20000, finisher=12, reach=0.04),
        ),
        (
            Duels(
                "Figure 8: complete games",
                backups("uctmax_h", "uct_h"),
                "tradeoffs-figure8",
                "player",
                "iterations",
                score="boards",
                log=True,
                claims=(
                    Near("With 500 iterations UCTMAX_H is already on a par", "uctmax_h", "500", within=0.1),
                    Rises("More iterations widen the gap", "uctmax_h", without=BELOW),
                ),
            ),
            Duels(
                "Figure 9: partial games",
                backups("uctmax_h", "uct_h", partial=True),
                "tradeoffs-figure9",
                "player",
                "iterations",
                score="boards",
                log=True,
                claims=(Rises("The same upward trend in partial games", "uctmax_h", without=BELOW),),
            ),
            Duels(
                "Figure 8 by what children count that were not visited yet",
                by_unvisited,
                "tradeoffs-unvisited",
                "unvisited children count as",
                "iterations",
                score="boards",
                log=True,
                claims=tuple(
                    Rises(f"More iterations widen the gap ({name})", name) for name in ("own evaluation", "a draw")
                ),
            ),
            Coulom(
                "Averages or minimax values by visits of a node, with random games",
                "tradeoffs-coulom",
                SMALL,
                PLAYOUTS,
                claims=(
                    Higher(
                        "The average errs less than the best child at nodes with few visits",
                        "few: best child",
                        "few: average",
                    ),
                    Higher("The best child errs less at nodes with many visits", "many: average", "many: best child"),
                ),
            ),
            Playouts(
                "Random games tell more the deeper they begin",
                "tradeoffs-playouts",
                SMALL,
                claims=(Rises("They tell the winner more often from deeper positions", "random games"),),
            ),
            Duels(
                "Minimax values with random games",
                backups(f"{PLAYOUTS},backup=minimax", PLAYOUTS),
                "tradeoffs-minimax-playouts",
                "player",
                "iterations",
                score="boards",
                log=True,
                claims=(
                    Above("With few visits averages are better", "uct", "500", below=True),
                    Rises("Minimax values gain with more visits", "uct"),
                ),
            ),
        ),
    ),
    Experiment(
        "tradeoffs-figure10",
        "Figure 10: UCTMAX_H against MM-k on the (6,4) board",
        "Complete games, and games that two MM-16 finish once more than 3 of 1,000 nodes that MM-k searched were "
        "ends of the game. Also with averages in place of minimax values.",
        Sizes(
            quick=Size(games=8, depth=8, finisher=8),
            standard=Size(games=200, depth=10, finisher=12),
            paper=Size(games=1000, depth=14, finisher=PAPER_FINISHER),
            equivalent=Size(games=1000, depth=10, finisher=12, reach=0.04),
        ),
        (
            figures_10("tradeoffs-figure10", BOARD, 10, SWITCHES),
            Duels(
                "Averages: UCT_H against MM-k",
                against_minimax(BOARD, "uct_h", deepest=8),
                "",
                "games",
                "k",
                score="boards",
                differences=BETTER_PARTIAL,
                difference_claims=always_better("UCT_H"),
            ),
            Duels(
                "Only nodes inside the tree count as expanded",
                against_minimax(BOARD, deepest=8, expanded="interior"),
                "",
                "games",
                "k",
                score="boards",
                switches=True,
                differences=BETTER_PARTIAL,
                difference_claims=always_better("UCTMAX_H"),
            ),
        ),
    ),
    Experiment(
        "tradeoffs-figure11",
        "Figure 11: UCTMAX_H against MM-k on the (8,6) board",
        "The same on a larger board.",
        Sizes(
            quick=Size(games=6, depth=6, finisher=6),
            standard=Size(games=60, depth=8, finisher=10),
            paper=Size(games=1000, depth=14, finisher=PAPER_FINISHER),
            equivalent=Size(games=600, depth=10, finisher=10, reach=0.05),
        ),
        (figures_10("tradeoffs-figure11", LARGE, 11),),
    ),
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
            Duels(
                "MM-(k + n) against MM-k",
                deeper,
                "tradeoffs-deeper",
                "board",
                "k",
                score="boards",
                claims=tuple(
                    Above(f"The deeper player is stronger on {board} with n = {more}", f"{board}, n = {more}")
                    for board in ("(4,4)", "(6,4)", "(8,6)")
                    for more in (2, 4)
                ),
            ),
        ),
    ),
    Experiment(
        "tradeoffs-pathology",
        "Pathology with noisy values",
        "Games that end after eight plies, and true values with Gaussian noise for an evaluation (Nau et al. 2010): "
        "does a search of five plies decide worse than one of a single ply? And where deeper nodes have less noise?",
        Sizes(quick=Size(games=4), standard=Size(games=20), paper=Size(games=60), equivalent=Size(games=60)),
        (
            Pathology(
                "Decisions by plies looked ahead",
                "tradeoffs-pathology",
                {"(3,3)": "kalah:pits=3,stones=3,setup=random", "(4,4)": "kalah:pits=4,stones=4,setup=random"},
                claims=tuple(
                    claim
                    for board in ("(3,3)", "(4,4)")
                    for claim in (
                        Beyond(
                            f"One ply decides better than five on {board}",
                            f"{board}, noise alike at every depth",
                            "1",
                            "5",
                        ),
                        Beyond(
                            f"That disappears where deeper values are more accurate on {board}",
                            f"{board}, less noise the deeper",
                            "5",
                            "1",
                        ),
                    )
                ),
            ),
        ),
    ),
    Experiment(
        "tradeoffs-hybrid",
        "The hybrid that the conclusion asks for",
        "`hybrid` plays UCTMAX_H while ends of the game are rare and alpha-beta once they are not. It meets both with "
        "as many nodes a move.",
        Sizes(
            quick=Size(games=20, sims=2000),
            standard=Size(games=160, sims=20000),
            paper=Size(games=1000, sims=50000),
            equivalent=Size(games=1000, sims=20000, reach=0.04),
        ),
        (
            Duels(
                "hybrid against its parents",
                hybrids,
                "tradeoffs-hybrid",
                "opponent",
                "board",
                score="boards",
                shape="bars",
            ),
        ),
    ),
)
