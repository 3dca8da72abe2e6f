"""Beyond the works: our best players against a known opponent in each game."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from astragal.algorithms.limits import Limits
from astragal.lab.budget import limited, limits_of
from astragal.lab.experiment import Experiment, Publication
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.parts.estimation import Regrets
from astragal.lab.size import Size, Sizes

RANK = 6
PUBLICATION = Publication("beyond", "Beyond the works")
UCT = "uct:c=140"  # as it was when these were played; without a number, C follows the results seen
OURS_IN_PIG = ("star2", "star2ss", "mcts", UCT)
OURS_IN_CANT_STOP = ("star2ss", "mcts", "dpw", UCT)
SMALL_KALAH = "kalah:pits=4,stones=3,setup=random"
OURS_IN_KALAH = ("alphabeta", "uctmax_h", "uct_h", UCT, "hybrid")


def against(game: str, players: Sequence[str], *others: str) -> Callable[[Size], Iterator[Duel]]:
    """Each of some players, with this many seconds, against each of others."""

    def duels(size: Size) -> Iterator[Duel]:
        for player in players:
            for other in others:
                yield Duel(player, other, game, player, other, Limits(time=size.time))

    return duels


def against_solved(title: str, name: str, game: str, players: Sequence[str], score: str) -> tuple[Duels, Regrets]:
    """Games against one that makes no mistake, and what moves lose."""
    duels = against(game, players, "optimal")
    return (
        Duels(title, duels, name, "player", shape="bars", score=score),
        Regrets("Regret", game, {player: player for player in players}, players),
    )


AGAINST_RULES = against("cant_stop", OURS_IN_CANT_STOP, "rule28", "glenn")


def against_openspiel(size: Size) -> Iterator[Duel]:
    limits = Limits(time=size.time)
    for player in (UCT, "mcts", "star2"):
        yield Duel(player, "ewn", "ewn", player, "openspiel", limits)
    for player in (UCT, "uctmax_h", "alphabeta"):
        yield Duel(player, "kalah", "kalah:rules=standard", player, "openspiel", limits)


def against_simple(size: Size) -> Iterator[Duel]:
    """Searches in games that have no known rule of thumb against one that looks a move ahead, and against chance."""
    for game in ("ewn", "ra"):
        for player in ("star2", "star2ss", "mcts", "dpw"):
            for other in ("greedy", "random"):
                mine = limited(player, game, size)
                yield Duel(f"{game}: {player}", other, game, mine, other, limits_of(size), levels=(0.5,))


EXPERIMENTS = (
    Experiment(
        "beyond-simple",
        "EinStein würfelt nicht! and Ra: against simple opponents",
        "Our searches against one that looks one move ahead with the same evaluation, and against random moves.",
        Sizes(
            quick=Size(games=10, time=0.01),
            standard=Size(games=40, time=0.02),
            paper=Size(games=4000, time=0.2),
            equivalent=Size(games=2400, nodes=30_000, sims=10_000, reach=0.02),
        ),
        (Duels("Against simple opponents", against_simple, "beyond-simple", "player", "opponent", shape="bars"),),
    ),
    Experiment(
        "beyond-pig",
        "Pig: against optimal play",
        "What our searches' moves lose against exact values, and how often they win against one that makes none.",
        Sizes(
            quick=Size(games=20, states=20, runs=2, time=0.01),
            standard=Size(games=150, states=100, runs=4, time=0.02),
            paper=Size(games=10000, states=2470, runs=50, time=0.2),
        ),
        against_solved("Games against optimal play", "beyond-pig", "pig", OURS_IN_PIG, "exact"),
    ),
    Experiment(
        "beyond-cant-stop",
        "Can't Stop: against the Rule of 28 and the tuned weights",
        "Our searches against the Rule of 28 and Glenn's weights, which a genetic algorithm had tuned.",
        Sizes(quick=Size(games=6, time=0.01), standard=Size(games=24, time=0.02), paper=Size(games=4000, time=0.2)),
        (Duels("Against rules of thumb", AGAINST_RULES, "beyond-cant-stop", "player", shape="bars"),),
    ),
    Experiment(
        "beyond-kalah",
        "Kalah: against solved values",
        "On a board that is solved exactly: games against one that makes no mistake, and what moves lose.",
        Sizes(
            quick=Size(games=20, states=20, runs=1, time=0.005),
            standard=Size(games=200, states=100, runs=2, time=0.01),
            paper=Size(games=4000, states=1000, runs=10, time=0.2),
        ),
        against_solved("Games against solved play", "beyond-kalah", SMALL_KALAH, OURS_IN_KALAH, "boards"),
    ),
    Experiment(
        "beyond-openspiel",
        "Against OpenSpiel's tree search",
        "OpenSpiel's MCTS, written in C++, at equal time (it needs the package open_spiel).",
        Sizes(quick=Size(games=10, time=0.01), standard=Size(games=100, time=0.02), paper=Size(games=1000, time=0.2)),
        (Duels("Games at equal time", against_openspiel, "beyond-openspiel", "player", "game", shape="bars"),),
    ),
)
