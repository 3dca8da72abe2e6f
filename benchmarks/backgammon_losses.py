"""What a player's turns of Backgammon lose by a deeper GNU Backgammon, by the phase of the game.

    python benchmarks/backgammon_losses.py "star:depth=1,evaluation=learned" --games 160
    python benchmarks/backgammon_losses.py gnubg

The player (as in benchmarks/backgammon.py) plays against itself. Where GNU Backgammon, 1-ply by default, would make
another turn, the loss is what that is worth beyond the player's, both by GNU Backgammon. It is a judge, not a teacher:
nothing is learned from what it says.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import threading
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from astragal import Dice, Position, start
from contestants import GAME, contestant, forced_turn, make_turn, turn_to
from gnubg import Gnubg, program

OFF, HOME, BACK, LAST_THREE = 25, 19, 7, 22  # places; the other's home ends before BACK


def phase(men, turn):
    """What a decision is called, by the men of both sides."""
    mine, theirs = (men[26 * side : 26 * side + 26] for side in (turn, 1 - turn))
    my_rear, their_rear = (int(np.argmax(side > 0)) for side in (mine, theirs))
    my_back, their_back = (int(side[1:BACK].sum()) for side in (mine, theirs))
    if my_rear + their_rear >= OFF:
        return "bearing off" if min(my_rear, their_rear) >= HOME else "race"
    if mine[0] or theirs[0]:
        return "own man on the bar" if mine[0] else "other's man on the bar"
    if mine[OFF] or theirs[OFF]:
        return "contact while men are borne off"
    if max(my_back, their_back) >= 4:
        return "four men back or more"
    if max(int(side[LAST_THREE:OFF].sum()) for side in (mine, theirs)) >= 6:
        return "six men on the last points"
    if min(my_back, their_back) >= 2:
        return "men back on both sides"
    return "men back on one side" if min(my_back, their_back) == 0 < max(my_back, their_back) else "other contact"


def worth_after(judge, position, action):
    """What a turn is worth to the player who makes it."""
    turn, memory = int(position.state.turn), position.memory.copy()
    make_turn(GAME, memory, action)
    after = Position(GAME, memory)
    return after.utilities()[turn] if after.is_terminal else -judge.equity(after)


class Table:
    """Where a player plays against itself, in threads of which each has a player and a judge."""

    def __init__(self, name, plies):
        self.name, self.plies, self.own, self.seated = name, plies, threading.local(), []

    def losses(self, seed):
        """Phase and loss of each decision of a game."""
        if not hasattr(self.own, "player"):
            self.own.player, self.own.judge = contestant(self.name), Gnubg(program(), plies=self.plies)
            self.seated += [self.own.player, self.own.judge]
        dice, position, found = Dice(seed), Position(GAME, start(GAME).memory), []
        while not position.is_terminal:
            if position.is_chance:
                position = position.settled(dice)
                continue
            memory = position.memory
            action = forced_turn(GAME, memory)
            if action < 0:
                action = self.own.player.choose(position, dice.state)
                best = turn_to(GAME, memory, self.own.judge.men_after_best(position))
                turns = () if best == action else (best, action)
                worth = [worth_after(self.own.judge, position, each) for each in turns]
                loss = worth[0] - worth[1] if worth else 0.0
                found.append((phase(np.array(position.state.men), int(position.state.turn)), loss))
            make_turn(GAME, memory, action)
            position = Position(GAME, memory)
        return found

    def close(self):
        for each in self.seated:
            each.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=7000)
    parser.add_argument("--plies", type=int, default=1, help="how deep GNU Backgammon judges (1)")
    parser.add_argument("--jobs", type=int, default=16, help="games at a time (16)")
    given = parser.parse_args()
    if program() is None:
        raise SystemExit("GNU Backgammon is not installed (Debian's gnubg)")
    table, losses = Table(given.player, given.plies), defaultdict(list)
    with ThreadPoolExecutor(given.jobs) as pool:
        for game in pool.map(table.losses, range(given.seed, given.seed + given.games)):
            for name, loss in game:
                losses[name].append(loss)
    table.close()
    sides = 2 * given.games
    for name, found in sorted(losses.items(), key=lambda pair: -sum(pair[1])):
        print(f"{name:32} {len(found) / sides:5.2f} decisions a game, {sum(found) / sides:.4f} points lost a game")
    print(f"in all {sum(map(sum, losses.values())) / sides:.4f} points a game of a side")


if __name__ == "__main__":
    main()
