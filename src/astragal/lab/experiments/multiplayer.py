"""Nijssen & Winands 2010: Progressive History and MP-MCTS-Solver in Focus and Chinese Checkers.

The abstract gives neither the thinking time nor C, nor how the move is chosen in the end. Ours are simulations, the
default C of `uct`, and the move with most visits; with the one of the best mean, Progressive History loses in Focus.
Rollouts are by each game's own order: random games hardly ever end in these games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from astragal.lab.claims import Above, AverageAbove, Near, Rises
from astragal.lab.experiment import Experiment, Publication
from astragal.lab.findings import Paper
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.size import Size, Sizes

RANK = 3
PUBLICATION = Publication(
    "multiplayer", "Enhancements for Multi-Player Monte-Carlo Tree Search", "Nijssen & Winands 2010"
)
Reported = Mapping[str, Sequence[float]]  # row -> a win rate for each number of players
GAMES = 3360  # of each number in the work
PLAYERS = (2, 3, 4)
PLAIN = "uct:final=visits"


def table(
    game: str, enhanced: str, plain: str, rows_are: str, reported: Reported, setting: Callable[[str], str] = str
) -> Callable[[Size], Iterator[Duel]]:
    """Rows by setting, columns by number of players: an enhanced player against a plain one in all seatings."""

    def duels(size: Size) -> Iterator[Duel]:
        for row, rates in reported.items():
            for players, rate in zip(PLAYERS, rates, strict=True):
                yield Duel(
                    f"{rows_are} {row}",
                    f"{players} players",
                    f"{game}:players={players}",
                    f"{PLAIN},sims={size.sims},{enhanced}{setting(row)}",
                    f"{PLAIN},sims={size.sims}{plain}",
                    paper=Paper(rate / 100, GAMES),
                )

    return duels


def by_simulations(size: Size) -> Iterator[Duel]:
    """Progressive History with two players, over simulations, by its weight and by what the move is chosen by."""
    for game, weights in (("focus", ("1", "5")), ("chinese_checkers", ("1", "5"))):
        for weight in weights:
            for final in ("visits", "mean"):
                for sims in (300, 1000, 3000, 10000):
                    if sims <= size.sims:
                        plain = f"uct:final={final},sims={sims}"
                        row = f"{game}, W = {weight}, move by {final}"
                        players = f"{plain},history={weight}", plain
                        yield Duel(row, str(sims), f"{game}:players=2", *players, levels=(0.5,))


# What the abstract leaves open in Chinese Checkers, each changed alone: for both players, with W = 5 for the first.
CAUSES = {
    "as in Table 2": "",
    "C = 0.5": ",c=0.5,unit=score",
    "C = 0.2": ",c=0.2,unit=score",
    "random moves in rollouts: 0": ",epsilon=0",
    "random moves in rollouts: 0.3": ",epsilon=0.3",
    "rollouts by evaluation": ",policy=evaluation",
    "rollouts of 20 moves, then the heuristic": ",rollout=20",
    "no rollouts, the heuristic": ",rollout=0",
}


def by_cause(size: Size) -> Iterator[Duel]:
    for row, setting in CAUSES.items():
        for weight in ("1", "5", "20"):
            plain = f"{PLAIN},sims={size.sims}{setting}"
            yield Duel(row, weight, "chinese_checkers:players=2", f"{plain},history={weight}", plain, levels=(0.5,))


def by_divisor(size: Size) -> Iterator[Duel]:
    """Division by losses against division by visits, each with the weight that is best in its table."""
    for game, weight in (("focus", "1"), ("chinese_checkers", "5")):
        for players in PLAYERS:
            mine, theirs = (
                f"{PLAIN},sims={size.sims},history={weight},history_divisor={divisor}"
                for divisor in ("losses", "visits")
            )
            yield Duel(game, f"{players} players", f"{game}:players={players}", mine, theirs, levels=(0.5,))


def solver_in_chinese_checkers(size: Size) -> Iterator[Duel]:
    for players in PLAYERS:
        plain = f"{PLAIN},sims={size.sims},history=5"
        game = f"chinese_checkers:players={players}"
        yield Duel("solver", f"{players} players", game, f"{plain},solver=standard", plain, levels=(0.45, 0.55))


TABLE_1 = {
    "0.1": (59.8, 63.0, 58.9),
    "1": (66.0, 65.4, 58.2),
    "5": (57.9, 63.8, 59.6),
    "10": (47.4, 57.8, 56.9),
}
TABLE_2 = {
    "1": (67.8, 63.5, 61.9),
    "5": (83.5, 65.8, 66.8),
    "10": (83.2, 65.3, 69.6),
    "20": (60.8, 60.2, 63.2),
}
TABLE_3 = {"standard": (53.0, 54.9, 53.3), "paranoid": (51.9, 50.4, 44.9), "first-winner": (52.8, 51.5, 43.4)}


def by_w(game: str, reported: Reported) -> Callable[[Size], Iterator[Duel]]:
    return table(game, "history=", "", "W =", reported)


def rule(name: str) -> str:
    return name.replace("-", "_")


SIZES = Sizes(
    quick=Size(games=12, sims=200),
    standard=Size(games=84, sims=1000),
    paper=Size(games=GAMES, sims=5000),
    equivalent=Size(games=GAMES, sims=3000, reach=0.04),
)
IN_CHINESE_CHECKERS = Sizes(
    quick=Size(games=12, sims=50),
    standard=Size(games=28, sims=300),
    paper=Size(games=GAMES, sims=5000),
    equivalent=Size(games=GAMES, sims=3000, reach=0.04),
)

EXPERIMENTS = (
    Experiment(
        "multiplayer-table1",
        "Table 1: Progressive History in Focus",
        "UCT with Progressive History against UCT without it, with 2, 3 and 4 players and four weights W. "
        "Players of both kinds sit in all seatings but those of one kind alone, so equal players have 50%.",
        SIZES,
        (
            Duels(
                "Table 1",
                by_w("focus", TABLE_1),
                "multiplayer-table1",
                "weight",
                "players",
                shape="bars",
                claims=(
                    Above("Progressive History is a considerable improvement in Focus where W is set right", "W = 1"),
                ),
            ),
        ),
    ),
    Experiment(
        "multiplayer-table2",
        "Table 2: Progressive History in Chinese Checkers",
        "The same in Chinese Checkers, with its own weights.",
        IN_CHINESE_CHECKERS,
        (
            Duels(
                "Table 2",
                by_w("chinese_checkers", TABLE_2),
                "multiplayer-table2",
                "weight",
                "players",
                shape="bars",
                claims=(Above("Progressive History works even better in Chinese Checkers", "W = 5"),),
            ),
        ),
    ),
    Experiment(
        "multiplayer-table3",
        "Table 3: MP-MCTS-Solver in Focus",
        "UCT with the solver and one of three update rules against UCT without it, both with Progressive History and "
        "W = 5. Standard: a node is a win for an opponent only if all its children are wins for that one. Paranoid: "
        "the root player is never let win. First-winner: the win goes to the first winner after the player to move.",
        SIZES,
        (
            Duels(
                "Table 3",
                table("focus", "history=5,solver=", ",history=5", "rule", TABLE_3, rule),
                "multiplayer-table3",
                "update rule",
                "players",
                shape="bars",
                claims=(
                    Above("The standard rule performs well", "rule standard"),
                    Above("Paranoid is not successful with four players", "rule paranoid", "4 players", below=True),
                    Above("Nor is first-winner", "rule first-winner", "4 players", below=True),
                ),
            ),
        ),
    ),
    Experiment(
        "multiplayer-simulations",
        "Progressive History over simulations",
        "The abstract tells neither how many simulations its players had, nor by what they chose their move. Both "
        "decide whether Progressive History helps.",
        Sizes(
            quick=Size(games=8, sims=300),
            standard=Size(games=24, sims=1000),
            paper=Size(games=GAMES, sims=10000),
            equivalent=Size(games=600, sims=3000, reach=0.06),
        ),
        (
            Duels(
                "Over simulations",
                by_simulations,
                "multiplayer-simulations",
                "game and weight",
                "simulations",
                log=True,
                claims=tuple(
                    Rises(f"It gains with simulations: {game}, W = 5", f"{game}, W = 5, move by visits")
                    for game in ("focus", "chinese_checkers")
                ),
            ),
        ),
    ),
    Experiment(
        "multiplayer-causes",
        "Progressive History in Chinese Checkers: what its gain depends on",
        "83.5% in the work with two players and W = 5. Each row changes one thing that the abstract leaves open, for "
        "both players.",
        Sizes(
            quick=Size(games=8, sims=50),
            standard=Size(games=20, sims=300),
            paper=Size(games=GAMES, sims=5000),
            equivalent=Size(games=400, sims=1000, reach=0.06),
        ),
        (Duels("By setting", by_cause, "multiplayer-causes", "setting", "W", shape="bars"),),
    ),
    Experiment(
        "multiplayer-divisor",
        "Division by losses or by visits, and the solver in Chinese Checkers",
        "The work's remarks: dividing the history's influence by losses is better than by visits, and the solver is "
        "not expected to work well in Chinese Checkers, which has no sudden death.",
        IN_CHINESE_CHECKERS,
        (
            Duels(
                "Losses against visits",
                by_divisor,
                "multiplayer-divisor",
                "game",
                "players",
                shape="bars",
                claims=tuple(
                    AverageAbove(f"Dividing by losses is better in {game.replace('_', ' ')}", game, 0.5)
                    for game in ("focus", "chinese_checkers")
                ),
            ),
            Duels(
                "The solver in Chinese Checkers",
                solver_in_chinese_checkers,
                "",
                "player",
                "players",
                claims=tuple(
                    Near(f"It hardly helps with {players} players", "solver", f"{players} players", within=0.05)
                    for players in PLAYERS
                ),
            ),
        ),
    ),
)
