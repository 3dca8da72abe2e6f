"""Backgammon by points a game, cubeless, gammons and backgammons counted, against other programs.

    python benchmarks/backgammon.py "star:depth=1,evaluation=learned" gnubg --games 2000
    python benchmarks/backgammon.py "star:depth=2,evaluation=learned" pubeval random

Who plays is a player's settings; `gnubg` (GNU Backgammon 0-ply, `gnubg=2` for 2-ply, see benchmarks/gnubg.py), or
`pubeval` (Tesauro's public benchmark, benchmarks/pubeval.py). The first named meets each of the others. Games come in
pairs that share their dice, seats swapped. From each game is taken off how lucky its rolls were: at every roll, what
the best turn is worth by the learned evaluation, less the mean of that over all rolls. The mean of that is 0 whatever
the evaluation, so nothing is distorted, and the interval is a third as wide. Ctrl-C ends it; what was played until then
counts.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import math
import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

from astragal import Dice, Position, start
from astragal.base.errors import AstragalError
from astragal.base.locks import measuring
from astragal.learn.model import evaluated_game
from contestants import GAME, contestant, forced_turn, make_turn, roll_with_luck

Z = 1.96  # of an interval that holds in 95 of 100 cases


def play(sides, seed, judge):
    """One game; the points of the side that sits first, and its luck."""
    dice, luck = Dice(seed), 0.0
    position = Position(GAME, start(GAME).memory)
    while not position.is_terminal:
        memory = position.memory
        if position.is_chance:
            luck += roll_with_luck(judge, memory, dice.word())
        else:
            action = forced_turn(GAME, memory)
            if action < 0:
                action = sides[position.turn].choose(position, dice.state)
            make_turn(GAME, memory, action)
        position = Position(GAME, memory)
    return position.utilities()[0], luck


class Table:
    """Where two meet, in threads of which each has players of its own."""

    def __init__(self, names, judge):
        self.names, self.judge = names, judge
        self.own, self.seated = threading.local(), []

    def pair(self, seed):
        """Two games on the same dice; the mean points of the first named, as they fell and without luck."""
        if not hasattr(self.own, "sides"):
            self.own.sides = [contestant(name) for name in self.names]
            self.seated += self.own.sides
        first = play(self.own.sides, seed, self.judge)
        second = play(self.own.sides[::-1], seed, self.judge)
        return (first[0] - second[0]) / 2, (first[0] - first[1] - second[0] + second[1]) / 2

    def close(self):
        for side in self.seated:
            side.close()


def mean_and_error(values):
    mean = sum(values) / len(values)
    spread = math.sqrt(sum((each - mean) ** 2 for each in values) / (len(values) - 1))
    return f"{mean:+.3f} ± {Z * spread / math.sqrt(len(values)):.3f}"


def meet(names, games, seed, jobs, judge):
    """Let two meet, and print what the first scored."""
    table, begun, pairs = Table(names, judge), time.perf_counter(), []
    pool = ThreadPoolExecutor(jobs)
    waiting = [pool.submit(table.pair, seed + 1000 * number) for number in range(-(-games // 2))]
    try:
        for done in as_completed(waiting):
            pairs.append(done.result())
    except KeyboardInterrupt:
        pass
    finally:
        pool.shutdown(cancel_futures=True)
        table.close()
    if len(pairs) < 2:
        raise SystemExit("too few games")
    rate = 2 * len(pairs) / (time.perf_counter() - begun)
    plain, adjusted = (mean_and_error(each) for each in zip(*pairs, strict=True))
    print(
        f"{names[0]} against {names[1]}: {adjusted} points a game ({plain} as the dice fell), "
        f"{2 * len(pairs)} games, {rate:.1f} a second",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player")
    parser.add_argument("against", nargs="+")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=16, help="games at a time, where gnubg plays (16)")
    parser.add_argument(
        "--luck", default="learned", help="the evaluation by which luck is judged: learned, own or a file"
    )
    given = parser.parse_args()
    try:
        judge = evaluated_game(GAME, given.luck)
        for other in given.against:
            asleep = any(name.startswith("gnubg") for name in (given.player, other))
            meet((given.player, other), given.games, given.seed, given.jobs if asleep else 1, judge)
    except AstragalError as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    with measuring(wait=True):
        main()
