"""Nijssen & Winands 2010: Progressive History and MP-MCTS-Solver in Focus and Chinese Checkers.

The abstract gives neither the thinking time nor C, nor how the move is chosen in the end. Ours are simulations, the
default C of `uct`, and the move with most visits; with the one of the best mean, Progressive History loses in Focus.
Rollouts are by each game's own order: random games hardly ever end in these games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from astragal.lab.claims import Above
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


EXPERIMENTS = (
    Experiment(
        "multiplayer-table1",
        "Table 1: Progressive History in Focus",
        "UCT with Progressive History against UCT without it, with 2, 3 and 4 players and four weights W. "
        "Players of both kinds sit in all seatings but those of one kind alone, so equal players have 50%.",
        Sizes(quick=Size(games=12, sims=200), standard=Size(games=84, sims=1000), paper=Size(games=GAMES, sims=5000)),
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
        Sizes(quick=Size(games=12, sims=50), standard=Size(games=28, sims=300), paper=Size(games=GAMES, sims=5000)),
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
        Sizes(quick=Size(games=12, sims=200), standard=Size(games=84, sims=1000), paper=Size(games=GAMES, sims=5000)),
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
)
