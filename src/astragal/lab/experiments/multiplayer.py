"""Nijssen & Winands 2010: Progressive History and MP-MCTS-Solver in Focus and Chinese Checkers.

The abstract gives neither the thinking time nor C, nor how the move is chosen in the end. Ours are simulations, the
move with most visits, and two values of C. One of them, 0.1, is that with which one number of Table 2 comes out as
printed (`multiplayer-causes`): all printed numbers are judged by it but that one, and what the text says of that one is
judged by the other, 0.2. Rollouts are by each game's own order: random games hardly ever end in these games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from astragal.lab.claims import Above, AverageAbove, Beyond, Claim, Every, More, Near, Ours, Rises
from astragal.lab.experiment import Departure, Experiment, Publication
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
C, OTHER_C = "0.1", "0.2"  # in scores from 0 to 1; see `multiplayer-causes`
FITTED = 83.5  # the number on which the first was fitted, which it cannot explain
TWO_PLAYERS = "chinese_checkers:players=2"


def uct(sims: int, c: str = C, **settings: str) -> str:
    """UCT with this many simulations, plain but for some settings."""
    chosen = {"final": "visits", "unit": "score", "c": c, "sims": str(sims)} | settings
    return "uct:" + ",".join(f"{name}={value}" for name, value in chosen.items())


def printed(rate: float, judged: bool = True) -> Paper:
    return Paper(rate / 100, GAMES, judged=judged and rate != FITTED)


def by_w(game: str, reported: Reported, c: str = C) -> Callable[[Size], Iterator[Duel]]:
    """Rows by weight, columns by number of players: with Progressive History against without, in all seatings."""

    def duels(size: Size) -> Iterator[Duel]:
        for weight, rates in reported.items():
            for players, rate in zip(PLAYERS, rates, strict=True):
                pair = uct(size.sims, c, history=weight), uct(size.sims, c)
                at = f"W = {weight}", f"{players} players", f"{game}:players={players}"
                yield Duel(*at, *pair, paper=printed(rate, c == C), levels=(0.5,))

    return duels


def by_rule(size: Size) -> Iterator[Duel]:
    """Rows by update rule of the solver, both players with Progressive History."""
    for rule, rates in TABLE_3.items():
        for players, rate in zip(PLAYERS, rates, strict=True):
            pair = uct(size.sims, history="5", solver=rule.replace("-", "_")), uct(size.sims, history="5")
            at = f"rule {rule}", f"{players} players", f"focus:players={players}"
            yield Duel(*at, *pair, paper=printed(rate))


def by_simulations(size: Size) -> Iterator[Duel]:
    """Progressive History with two players, over simulations, by its weight and by what the move is chosen by."""
    for game in ("focus", "chinese_checkers"):
        for weight in ("1", "5"):
            for final in ("visits", "mean"):
                for sims in sorted({min(each, size.sims) for each in (300, 1000, 3000, 10000)}):
                    pair = uct(sims, final=final, history=weight), uct(sims, final=final)
                    row = f"{game}, W = {weight}, move by {final}"
                    yield Duel(row, str(sims), f"{game}:players=2", *pair, levels=(0.5,))


CONSTANTS = ("0.05", "0.1", "0.2", "0.7")  # values of C, in scores; the last is the default of `uct`
WEIGHTS = {"5": 83.5, "1": 67.8, "10": 83.2, "20": 60.8}  # and what Table 2 prints with two players


def by_constant(size: Size) -> Iterator[Duel]:
    """Two players in Chinese Checkers: over C with W = 5, and at the C of the tables over W."""
    for weight, rate in WEIGHTS.items():
        for c in CONSTANTS:
            if weight == "5" or c == C:
                pair = uct(size.sims, c, history=weight), uct(size.sims, c)
                yield Duel(f"W = {weight}", c, TWO_PLAYERS, *pair, paper=printed(rate, False), levels=(0.5,))


def against_the_default(size: Size) -> Iterator[Duel]:
    """With a small C, with and without Progressive History, against UCT with the default C and without it."""
    other = uct(size.sims, CONSTANTS[-1])
    for c in CONSTANTS[:-1]:
        yield Duel("without history", c, TWO_PLAYERS, uct(size.sims, c), other, levels=(0.5,))
        yield Duel("W = 5", c, TWO_PLAYERS, uct(size.sims, c, history="5"), other, levels=(0.5,))


# What else the abstract leaves open in Chinese Checkers, each changed alone: for both players; the first has W = 5.
CAUSES: Mapping[str, dict[str, str]] = {
    "as in Table 2": {},
    "random moves in rollouts: 0.3": {"epsilon": "0.3"},
    "rollouts of 20 moves, then the heuristic": {"rollout": "20"},
    "no rollouts, the heuristic": {"rollout": "0"},
    "the move of the best mean": {"final": "mean"},
}


def by_cause(size: Size) -> Iterator[Duel]:
    """Each with the C of the tables and with the default one. That the history sorts untried moves is for the first."""
    for c in (C, CONSTANTS[-1]):
        for row, settings in CAUSES.items():
            pair = uct(size.sims, c, history="5", **settings), uct(size.sims, c, **settings)
            yield Duel(row, c, TWO_PLAYERS, *pair, levels=(0.5,))
        pair = uct(size.sims, c, history="5", history_first="on"), uct(size.sims, c)
        yield Duel("its history also sorts untried moves", c, TWO_PLAYERS, *pair, levels=(0.5,))


def by_divisor(size: Size) -> Iterator[Duel]:
    """Division by losses against division by visits, each with the weight that is best in its table."""
    for game, weight in (("focus", "1"), ("chinese_checkers", "5")):
        for players in PLAYERS:
            losses, visits = (uct(size.sims, history=weight, history_divisor=by) for by in ("losses", "visits"))
            yield Duel(game, f"{players} players", f"{game}:players={players}", losses, visits, levels=(0.5,))


def solver_in_chinese_checkers(size: Size) -> Iterator[Duel]:
    for players in PLAYERS:
        pair = uct(size.sims, history="5", solver="standard"), uct(size.sims, history="5")
        at = "solver", f"{players} players", f"chinese_checkers:players={players}"
        yield Duel(*at, *pair, levels=(0.45, 0.55))


def gains(sentence: str, row: str, of: Sequence[int] = PLAYERS) -> Every:
    """One sentence, which holds if it does for each number of players."""
    columns = [f"{players} players" for players in of]
    return Every(sentence, tuple(Above(column, row, column) for column in columns))


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


def table(number: int, duels: Callable[[Size], Iterator[Duel]], rows_are: str, *claims: Claim) -> Duels:
    """A table of the work, by number of players."""
    name = f"multiplayer-table{number}"
    return Duels(f"Table {number}", duels, name, rows_are, "players", shape="bars", claims=claims, margin=MARGIN)


def with_other_c(number: int, duels: Callable[[Size], Iterator[Duel]], *claims: Claim) -> Duels:
    """The same table with the other C; printed numbers are judged only once."""
    title, name = f"Table {number} with C = {OTHER_C}", f"multiplayer-table{number}-c"
    return Duels(title, duels, name, "weight", "players", shape="bars", claims=claims, margin=MARGIN)


MARGIN = 0.0169  # what the work's own 3,360 games could not have shown either: half their 95% interval
DEPARTURES = (
    Departure("simulations a move", "not stated", "3,000 at the scale equivalent"),
    Departure("C", "not stated", f"{C}, fitted on one number of Table 2, which is not judged; {OTHER_C}"),
    Departure("final move", "not stated", "most visits"),
    Departure("rollouts", "not stated", "by each game's order of moves"),
    Departure("Focus's winning rule", "not stated in the abstract", "as remembered from the game's rules, unverified"),
)


SIZES = Sizes(
    quick=Size(games=12, sims=200),
    standard=Size(games=84, sims=1000),
    paper=Size(games=GAMES, sims=5000),
    equivalent=Size(games=GAMES, sims=3000, reach=0.04),
)
IN_CHINESE_CHECKERS = replace(SIZES, quick=Size(games=12, sims=50), standard=Size(games=28, sims=300))

EXPERIMENTS = (
    Experiment(
        "multiplayer-table1",
        "Table 1: Progressive History in Focus",
        "UCT with Progressive History against UCT without it, with 2, 3 and 4 players and four weights W. "
        "Players of both kinds sit in all seatings but those of one kind alone, so equal players have 50%.",
        SIZES,
        (
            table(
                1,
                by_w("focus", TABLE_1),
                "weight",
                gains("Progressive History is an improvement in Focus where W is set right", "W = 1"),
                More("A W of 10 is too large with two players", "W = 1", "W = 10", "2 players"),
            ),
            with_other_c(1, by_w("focus", TABLE_1, OTHER_C)),
        ),
        DEPARTURES,
    ),
    Experiment(
        "multiplayer-table2",
        "Table 2: Progressive History in Chinese Checkers",
        "The same in Chinese Checkers, with its own weights.",
        IN_CHINESE_CHECKERS,
        (
            table(
                2,
                by_w("chinese_checkers", TABLE_2),
                "weight",
                gains("Progressive History is an improvement in Chinese Checkers: 3, 4 players", "W = 5", PLAYERS[1:]),
                More("A W of 20 is too large with two players", "W = 5", "W = 20", "2 players"),
            ),
            with_other_c(
                2,
                by_w("chinese_checkers", TABLE_2, OTHER_C),
                gains("Progressive History is an improvement in Chinese Checkers: 2 players", "W = 5", PLAYERS[:1]),
                Above("A larger one than the 66.0% of Focus with two players", "W = 5", "2 players", level=0.66),
            ),
        ),
        DEPARTURES[:-1],
    ),
    Experiment(
        "multiplayer-table3",
        "Table 3: MP-MCTS-Solver in Focus",
        "UCT with the solver and one of three update rules against UCT without it, both with Progressive History and "
        "W = 5. Standard: a node is a win for an opponent only if all its children are wins for that one. Paranoid: "
        "the root player is never let win. First-winner: the win goes to the first winner after the player to move.",
        SIZES,
        (
            table(
                3,
                by_rule,
                "update rule",
                gains("The standard rule performs well", "rule standard"),
                Above("Paranoid is not successful with four players", "rule paranoid", "4 players", below=True),
                Above("Nor is first-winner", "rule first-winner", "4 players", below=True),
            ),
        ),
        DEPARTURES,
    ),
    Experiment(
        "multiplayer-simulations",
        "Progressive History over simulations",
        "The abstract gives neither the simulations of its players, nor how they chose their move. Both "
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
                    Ours(Rises(f"It gains with simulations: {game}, W = 5", f"{game}, W = 5, move by visits"))
                    for game in ("focus", "chinese_checkers")
                ),
            ),
        ),
    ),
    Experiment(
        "multiplayer-causes",
        "Progressive History in Chinese Checkers: what its gain depends on",
        "83.5% in the work with two players and W = 5. The abstract does not give C, which decides it: the C of the "
        "tables comes from here. The last part changes other things that it leaves open, each alone.",
        Sizes(
            quick=Size(games=8, sims=50),
            standard=Size(games=20, sims=300),
            paper=Size(games=GAMES, sims=5000),
            equivalent=Size(games=400, sims=3000, reach=0.06),
        ),
        (
            Duels(
                "By C",
                by_constant,
                "multiplayer-constants",
                "weight",
                "C",
                log=True,
                claims=(
                    Ours(Rises("Progressive History gains less with a larger C", "W = 5", falls=True)),
                    Ours(Beyond("With W = 5 it gains at C = 0.1 what it does not at 0.7", "W = 5", "0.1", "0.7")),
                ),
            ),
            Duels(
                "A small C against UCT with C = 0.7 and no history",
                against_the_default,
                "multiplayer-small-c",
                "player",
                "C",
                log=True,
                claims=(
                    Ours(Above("Plain UCT is weaker with C = 0.1 than with 0.7", "without history", "0.1", below=True)),
                    Ours(Rises("The smaller C, the weaker plain UCT", "without history")),
                ),
            ),
            Duels("By other settings", by_cause, "multiplayer-causes", "setting", "C", shape="bars"),
        ),
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
                claims=(
                    Every(
                        "It hardly helps",
                        tuple(Near(at, "solver", at, within=0.05) for each in PLAYERS for at in [f"{each} players"]),
                    ),
                ),
            ),
        ),
    ),
)
