"""Golden games: every move of small games by every player that searches, with its value, its nodes and its counts.

A file of `tests/data/golden` is one family of searches. Its first line is the version of the family that played. Then
come blocks: a line with the game, the player and the names of the counts, and one line for each of its games. A game is
its moves, and a move is the action's number, its value, the nodes and the counts, in the order of their names.
Comparing is exact but for values, which may differ by rounding.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from astragal.algorithms.limits import Limits
from astragal.algorithms.result import SearchResult
from astragal.arena.contest import Contest
from astragal.arena.referee import Referee
from astragal.players import load_player
from astragal.rules.dice import Dice
from support.helpers import random_positions

FOLDER = Path(__file__).parent.parent / "data" / "golden"
COMMAND = "pytest -n 0 tests/algorithms/test_golden_games.py --store-golden"
GAMES = 20  # of each line
DECISIONS = 3  # of each game, but for the players that keep something from move to move
OPENING = 24  # plies played at random before it, at most
CLOSE = 1e-9  # relative

PIG, PIG30, EWN, FIXED, TURN = "pig", "pig:goal=30,dice=1", "ewn", "ewn:setup=fixed", "cant_stop"
KALAH, SMALL, TOE, FOUR = "kalah", "kalah:pits=3,stones=2", "tic_tac_toe", "connect_four"
FOCUS, STAR3, TURN3 = "focus:players=3", "chinese_checkers:players=3", "cant_stop:players=3,goal=2"
SOLO = "cant_stop:players=1,sides=3,shortest=2"
SHEET, AT_ONCE = "tic_tac_toe.kif", "rock_paper_scissors.kif"

LINES: dict[str, list[tuple[str, str]]] = {
    "depth_first": [  # with values in the table
        (EWN, "star:nodes=120"),
        (PIG, "star:depth=2"),
        ("ra", "star:nodes=60"),
        (EWN, "starss:nodes=120,width=3"),
        (PIG, "starss:depth=2,width=8"),
        (SMALL, "star2:table=values,memory=0.001,nodes=200"),
        (PIG30, "star1:table=values,chances=on,depth=4"),
        (KALAH, "alphabeta:nodes=120"),
        (SMALL, "alphabeta:depth=5"),
        (TOE, "alphabeta:nodes=120"),
        (FOUR, "alphabeta:nodes=60"),
        ("focus", "alphabeta:nodes=60"),
        ("chinese_checkers", "alphabeta:nodes=60"),
        (SHEET, "alphabeta:nodes=30"),
        (TOE, "alphabeta:deepening=off,depth=4"),
        (FOUR, "alphabeta:unfinished=previous,nodes=50"),
        (FOUR, "alphabeta:killers=on,history=off,nodes=90"),
        (TOE, "alphabeta:killers=on,order=reversed,nodes=120"),
        (FOUR, "alphabeta:pvs=off,nodes=60"),
        (SMALL, "hybrid:nodes=60"),
        (TOE, "hybrid:nodes=100,look=0.5,threshold=0.05,depth=3"),
        (KALAH, "hybrid:nodes=60,tree=uct_h,threshold=0"),
        (SMALL, "paranoid:table=values,memory=0.001,nodes=200"),
        (PIG30, "paranoid:table=values,chances=on,depth=4"),
        (EWN, "star1:table=values,merge=on,leaf=afterstate,nodes=120"),
        (EWN, "star2:table=values,prune_above=0,nodes=120"),
        (EWN, "star:nodes=120,reuse=on"),
        (SMALL, "alphabeta:nodes=120,reuse=on"),
    ],
    "star": [
        (PIG30, "exp:depth=3"),
        (EWN, "exp:nodes=90"),
        (PIG30, "star1:depth=3"),
        (EWN, "star1:nodes=90"),
        (TURN, "star1:nodes=90"),
        (PIG, "star2:depth=2"),
        (EWN, "star2:nodes=150"),
        (TURN, "star2:nodes=90"),
        ("ra", "star2:nodes=60"),
        ("backgammon", "star2:nodes=60"),
        (SOLO, "star2:nodes=60"),
        (KALAH, "star2:nodes=90"),
        (PIG, "expss:depth=2,width=5"),
        (EWN, "expss:nodes=90,width=2"),
        (PIG, "star1ss:depth=2,width=8"),
        (EWN, "star1ss:nodes=90"),
        (PIG, "star2ss:depth=2,width=8"),
        (EWN, "star2ss:nodes=90"),
        (TURN, "star2ss:nodes=60,width=4"),
        ("ra", "star2ss:nodes=60"),
        ("backgammon", "star2ss:nodes=60,width=2"),
        (SMALL, "star2:deepening=off,depth=3"),
        (FOUR, "star2:unfinished=previous,nodes=40"),
        (SMALL, "star2:table=off,nodes=150"),
        (EWN, "star2:prune_above=0,nodes=120"),
        (EWN, "star2:leaf=afterstate,nodes=120"),
        (EWN, "star1:merge=on,leaf=afterstate,nodes=120"),
        (EWN, "star2:ceilings=on,prune_above=0,nodes=1000"),
        (PIG30, "star2:check=on,prune_above=0,depth=2"),
        (PIG30, "star2:null=1,prune_above=0,depth=3"),
        (KALAH, "star1:multicut=2,multicut_moves=3,multicut_reduction=1,prune_above=0,nodes=300"),
        (EWN, "star2:probcut=0.5,nodes=1500,depth=3,deepening=off"),
        (PIG30, "star1:probcut=1,probcut_sigma=50,probcut_slope=0.9,prune_above=0,depth=3"),
        (PIG, "star2ss:sampling=stratified,width=6,depth=2"),
        (PIG, "star2ss:sampling=antithetic,width=6,depth=2"),
        (PIG, "star1ss:sampling=distinct,width=6,depth=2"),
        (PIG30, "star2ss:key=path,width=3,depth=3"),
        (PIG30, "star1ss:key=path,common=on,width=3,depth=3"),
        (EWN, "expss:common=on,width=2,nodes=90"),
        (PIG, "star2ss:control=on,width=6,depth=2"),
        (EWN, "star2ss:growth=2,width=1,nodes=150"),
        (EWN, "star1ss:width=4-2-1,nodes=120"),
        (SHEET, "star2:nodes=30"),
        (FIXED, "star2ss:width=2,nodes=90"),
    ],
    "alphabeta": [
        (SMALL, "mm:depth=3"),
        (TOE, "mm:depth=3,order=reversed"),
        (KALAH, "mm:depth=8,order=evaluated,nodes=60"),
        (SMALL, "alphabeta:table=off,nodes=120"),
        (SMALL, "alphabeta:table=moves,memory=0.001,nodes=120"),
    ],
    "multiplayer": [
        (FOCUS, "maxn:nodes=60"),
        (STAR3, "maxn:nodes=60"),
        (TURN3, "maxn:nodes=60"),
        ("three_way.kif", "maxn:nodes=30"),
        (EWN, "maxn:nodes=60"),
        (SOLO, "maxn:nodes=60"),
        (FOCUS, "paranoid:nodes=60"),
        (STAR3, "paranoid:nodes=60"),
        (TURN3, "paranoid:nodes=90"),
        (PIG30, "paranoid:depth=3,prune_above=0"),
        (EWN, "maxn:merge=on,nodes=100"),
        (FOUR, "maxn:table=off,unfinished=previous,nodes=40"),
        (SMALL, "maxn:deepening=off,depth=2,memory=0.001"),
        (SMALL, "paranoid:deepening=off,depth=3"),
        (TURN3, "paranoid:leaf=afterstate,nodes=90"),
        (FOUR, "paranoid:unfinished=previous,nodes=40"),
        (EWN, "paranoid:ceilings=on,merge=on,nodes=120"),
        (PIG30, "paranoid:check=on,prune_above=0,depth=2"),
        (EWN, "greedy"),
        (FOCUS, "greedy"),
        ("ra", "greedy"),
        (TURN3, "greedy"),
        (EWN, "softmax"),
        (SMALL, "softmax:temperature=0.2,depth=2"),
        (FOCUS, "softmax:temperature=0"),
    ],
    "tree": [
        (TOE, "softmax:sims=20"),
        (PIG30, "uct:sims=12"),
        (EWN, "uct:sims=8"),
        (SMALL, "uct:sims=15"),
        (TOE, "uct:sims=20"),
        (SHEET, "uct:sims=4"),
        (AT_ONCE, "uct:sims=10"),
        ("three_way.kif", "uct:sims=3"),
        (SOLO, "uct:sims=10"),
        (KALAH, "uct_h:sims=20"),
        (FOCUS, "uct_h:sims=12"),
        (KALAH, "uctmax_h:sims=20"),
        (PIG, "uctmax_h:sims=20"),
        (FOCUS, "uctmax_h:sims=12"),
        ("ra", "mcts:sims=12"),
        (EWN, "mcts:sims=8,rollout=4"),
        (PIG, "mcts:sims=20"),
        ("chinese_checkers:players=3", "mcts:sims=3,rollout=3"),
        (PIG, "dpw:sims=25"),
        ("ra", "dpw:sims=15"),
        (TURN, "dpw:sims=12,rollout=2"),
        ("backgammon", "dpw:sims=6,rollout=1"),
        (TOE, "ggp:sims=20"),
        ("three_way.kif", "ggp:sims=3"),
        (SMALL, "uct_h:nodes=30"),
        (SMALL, "uct:sims=12,c=1,unit=score"),
        (SMALL, "uct_h:sims=12,c=1,unit=utility"),
        (SMALL, "uct_h:sims=20,c=1,unit=spread"),
        (FOCUS, "uct:sims=3"),
        (PIG, "mcts:sims=10,rollouts=2,rollout=2"),
        (SMALL, "uct:sims=8,policy=order,epsilon=0.3"),
        (SMALL, "uct:sims=5,policy=evaluation,rollout=4"),
        (EWN, "mcts:sims=15,rollout=0,leaf=afterstate"),
        (SMALL, "uct_h:sims=25,ends=sign"),
        (EWN, "uctmax_h:sims=20,unvisited=own"),
        (SMALL, "uctmax_h:sims=20,unvisited=draw"),
        (EWN, "dpw:sims=20,rollout=0,c2=1,alpha=0.5"),
        (SMALL, "uct_h:sims=20,widening=on,c2=1.5,backup=minimum"),
        (EWN, "mcts:sims=15,merge=on,rollout=0"),
        (SMALL, "uct_h:sims=15,history=3"),
        (TOE, "uct:sims=15,history=5,history_divisor=visits,history_first=on"),
        (FOCUS, "uct_h:sims=10,history=3,history_first=on"),
        (TOE, "uct:sims=25,solver=standard"),
        (SMALL, "uctmax_h:sims=25,solver=standard"),
        ("three_way.kif", "uct_h:sims=8,solver=paranoid"),
        ("three_way.kif", "uct_h:sims=8,solver=first_winner"),
        (PIG30, "uct_h:sims=30,solver=standard"),
        (AT_ONCE, "uct:sims=10,simultaneous=decoupled,final=mixed"),
        (EWN, "mcts:sims=12,rollout=0,final=mean"),
        (SMALL, "uct_h:sims=80,final=robust"),
        ("focus", "uct_h:sims=60,memory=0.01,full=recycle"),
        ("backgammon", "uct_h:sims=60,memory=0.01"),
        (SMALL, "uct_h:sims=15,reuse=on"),
        (EWN, "mcts:sims=12,rollout=0,reuse=on"),
        (SMALL, "uct_h:sims=20,threads=2,parallel=root"),
    ],
    "prove": [
        (PIG30, "prove:nodes=100"),
        (EWN, "prove:nodes=60"),
        (SMALL, "prove:nodes=200"),
        (TOE, "prove:nodes=200"),
        (FOUR, "prove:nodes=60"),
        (TURN, "prove:nodes=60"),
        (SOLO, "prove:nodes=100"),
        ("ra", "prove:nodes=40"),
        ("backgammon", "prove:nodes=40"),
        (SHEET, "prove:nodes=30"),
        (PIG30, "prove:nodes=300,tolerance=0.5"),
        (PIG30, "prove:nodes=2000,memory=0.03"),
    ],
    "sparse": [
        (PIG, "fsss:depth=2"),
        (EWN, "fsss:nodes=90"),
        (TURN, "fsss:width=2,nodes=90"),
        ("ra", "fsss:width=1,nodes=60"),
        (SMALL, "fsss:deepening=off,depth=3"),
        (EWN, "fsss:width=3,merge=on,nodes=120"),
        (PIG30, "fsss:width=8,memory=0.01,nodes=2500"),
        (PIG30, "ams:depth=2"),
        (EWN, "ams:nodes=90"),
        (TURN, "ams:samples=4,nodes=90"),
        ("ra", "ams:samples=2,nodes=60"),
        (SMALL, "ams:deepening=off,depth=2"),
        (PIG, "ams:samples=8-4,c=0.05,depth=2"),
    ],
    "monte_carlo": [
        (PIG30, "mcs:sims=8"),
        (EWN, "mcs:sims=10"),
        (TOE, "mcs:sims=30"),
        (SHEET, "mcs:sims=5"),
        (FOCUS, "mcs:sims=2,epsilon=0.5"),
        (SOLO, "mcs:sims=8"),
        (SMALL, "mcs:sims=15,levels=1,probes=2"),
        (TOE, "mcs:nodes=30,levels=2,probes=1"),
        (SMALL, "mcs:sims=8,policy=order,epsilon=0.3"),
        (SMALL, "mcs:sims=6,policy=evaluation,probes=1"),
        (TOE, "mcs:sims=450,levels=3,probes=1,memory=0.01"),
    ],
}


@dataclass(frozen=True)
class Move:
    """One decision of a golden game."""

    action: int
    value: float | None
    nodes: int
    counts: tuple[int, ...]

    def __str__(self) -> str:
        value = "-" if self.value is None else f"{self.value:.12g}"
        return " ".join(map(str, (self.action, value, self.nodes, *self.counts)))

    @classmethod
    def read(cls, text: str) -> Move:
        action, value, nodes, *counts = text.split()
        return cls(int(action), None if value == "-" else float(value), int(nodes), tuple(map(int, counts)))

    def equals(self, other: Move) -> bool:
        exact = (self.action, self.nodes, self.counts) == (other.action, other.nodes, other.counts)
        if self.value is None or other.value is None:
            return exact and self.value is other.value
        return exact and math.isclose(self.value, other.value, rel_tol=CLOSE, abs_tol=CLOSE)


Game = tuple[Move, ...]


@dataclass(frozen=True)
class Block:
    """What one player played in one game."""

    game: str
    player: str
    names: tuple[str, ...]  # of the counts
    games: tuple[Game, ...]

    def __str__(self) -> str:
        head = f"{self.game} | {self.player} | {' '.join(self.names)}"
        return "\n".join([head, *("; ".join(map(str, moves)) for moves in self.games)])

    def difference(self, other: Block) -> str | None:
        """Where another one first plays or counts something else. What only the other one counts is not looked at."""
        other = other.counting(self.names)
        for number, (mine, theirs) in enumerate(zip(self.games, other.games, strict=False), 1):
            for ply, (stored, played) in enumerate(zip_longest(mine, theirs), 1):
                if stored is None or played is None or not stored.equals(played):
                    where = f"{self.player} in {self.game}, game {number}, move {ply}"
                    return f"{where}: {stored or 'no move'} is now {played or 'no move'}"
        return None

    def counting(self, names: tuple[str, ...]) -> Block:
        """The same games with the counts of these names; what was not counted is 0."""
        places = [self.names.index(name) if name in self.names else None for name in names]

        def seen(move: Move) -> Move:
            return replace(move, counts=tuple(0 if at is None else move.counts[at] for at in places))

        return replace(self, names=names, games=tuple(tuple(map(seen, moves)) for moves in self.games))


@dataclass(frozen=True)
class Stored:
    """The golden games of one family."""

    version: int
    blocks: tuple[Block, ...]

    def block(self, game: str, player: str) -> Block | None:
        return next((block for block in self.blocks if (block.game, block.player) == (game, player)), None)

    def __str__(self) -> str:
        return "\n\n".join([f"version {self.version}", *map(str, self.blocks)]) + "\n"

    @classmethod
    def read(cls, text: str) -> Stored:
        version, *blocks = text.rstrip("\n").split("\n\n")
        return cls(int(version.removeprefix("version ")), tuple(map(block_of, blocks)))


def block_of(text: str) -> Block:
    head, *games = text.split("\n")
    game, player, names = head.split(" | ")
    moves = tuple(tuple(map(Move.read, line.split("; "))) for line in games)
    return Block(game, player, tuple(names.split()), moves)


class Noting(Referee):
    """A game of a contest from a position that was reached by random plies, with all that its searches found."""

    def __init__(self, contest: Contest, pair: int) -> None:
        super().__init__(contest, pair, 0)
        path = list(random_positions(contest.rules, self.seed, OPENING))
        open_ = [position for position in path if not position.is_terminal]
        self.start = self.position = open_[Dice(self.seed).below(len(open_))]
        self.found: list[SearchResult] = []

    def ask(self, seat: int, finishing: bool, limits: Limits) -> SearchResult:
        self.found.append(super().ask(seat, finishing, limits))
        return self.found[-1]

    def moves(self) -> list[SearchResult]:
        while len(self.found) < DECISIONS * self.contest.seats and not self.position.is_terminal:
            if len(self.found) >= DECISIONS and not self.keeps:
                break
            self.step()
        return self.found

    @property
    def keeps(self) -> bool:
        """Whether the players go on from what they found at their last move."""
        return any(word in self.contest.kinds[0] for word in ("reuse", "history="))


def played(game: str, player: str, games: int = GAMES) -> Block:
    """The first games of a line, played now."""
    kinds = [player] if game == SOLO else [player, player]
    contest = Contest.of(game, kinds, seed=1)
    found = [Noting(contest, pair).moves() for pair in range(games)]
    names = tuple({name: None for moves in found for result in moves for name in result.counts})  # in order
    return Block(game, player, names, tuple(tuple(move_of(result, names) for result in moves) for moves in found))


def move_of(result: SearchResult, names: tuple[str, ...]) -> Move:
    """A count that a search does not have is 0. So a count that is new, or is gone, changes no golden game."""
    assert result.action_number is not None
    value = None if result.value is None else float(result.value)
    counts = tuple(int(result.counts.get(name, 0)) for name in names)
    return Move(result.action_number, value, result.nodes, counts)


def file_of(family: str) -> Path:
    return FOLDER / f"{family}.txt"


def read_family(family: str) -> Stored:
    return Stored.read(file_of(family).read_text(encoding="utf-8"))


def version_of(family: str) -> int:
    """The version of a family now, as its players say it."""
    for game, player in LINES[family]:
        if family in (found := load_player(player, game).versions()):
            return found[family]
    raise AssertionError(f"no player of {family} has a version of it")


def complaint(family: str, then: int, now: int, difference: str | None) -> str | None:
    """What is wrong where golden games of one version meet those played now; None if nothing is."""
    if then != now:
        return f"{family} has version {now} and its golden games version {then}: write them anew with `{COMMAND}`"
    if difference:
        file = "table.py" if family == "depth_first" else "search.py"
        return (
            f"{family} does not play as its golden games: {difference}. If that is meant, raise VERSION in "
            f"src/astragal/algorithms/{family}/{file} and write them anew with `{COMMAND}`"
        )
    return None


def store(family: str) -> None:
    """Write a family's golden games anew; refused where they differ and the version is the same."""
    now, path = version_of(family), file_of(family)
    blocks = tuple(played(*line) for line in LINES[family])
    if path.exists() and (stored := read_family(family)).version == now:
        for block in blocks:
            then = stored.block(block.game, block.player)
            wrong = complaint(family, now, now, then.difference(block) if then else None)
            assert wrong is None, wrong
    FOLDER.mkdir(exist_ok=True)
    path.write_text(str(Stored(now, blocks)), encoding="utf-8")


if __name__ == "__main__":  # what each line takes, played by Python
    import time

    from astragal.compiler.dispatchers import EntryDispatcher
    from astragal.compiler.interpreted import run_interpreted

    EntryDispatcher.__call__ = run_interpreted  # type: ignore[method-assign]
    for each in sys.argv[1:] or LINES:
        for line in LINES[each]:
            began = time.process_time()
            made: Any = played(*line, games=4)
            print(f"{time.process_time() - began:6.2f} s, {len(str(made)) * 5:6} bytes: {' '.join(line)}")
