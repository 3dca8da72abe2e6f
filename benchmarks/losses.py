"""What the moves of players lose by a stronger judge: an estimate of what there is to gain on them.

    python benchmarks/losses.py ewn star:nodes=1290000 --judge star:evaluation=learned,nodes=5350000 [--games N]

A player plays against itself, in a game of two who play for what the other loses. Where the judge would make another
move, it searches what both lead to, and the difference is lost. The sum over a side's moves is what an opponent without
fault would score beyond one half, by this judge and in the positions of these games. What the judge overrates adds to
it; what both overlook does not count. Intervals are of the mean over games.
"""

from __future__ import annotations

import argparse
import math
from statistics import fmean, stdev

from astragal.base.errors import AstragalError
from astragal.games import load_game
from astragal.players import load_player
from astragal.players.player import Player
from astragal.rules.dice import Dice
from astragal.rules.position import History, Position


def worth_after(judge: Player, position: Position, action: int, seed: int) -> float:
    """What a move is worth to who makes it, on the scale of scores from 0 to 1."""
    low, high = position.game.utility_range
    after = position.follow(action)
    if after.is_terminal:
        value, told_for = float(after.utilities()[position.turn]), position.turn
    else:
        found = judge.search(after, seed)
        assert found.value is not None
        value, told_for = found.value, max(after.turn, 0)  # at a chance node values are for the first player
    share = float((value - low) / (high - low))
    return share if told_for == position.turn else 1.0 - share


def lost_by_move(
    player: Player, judge: Player, position: Position, history: History, seed: int
) -> tuple[int, float, bool]:
    """The move that a player makes, what it loses, and whether the judge would make another one."""
    action = player.search(position, seed, history=history).action_number
    best = judge.search(position, seed).action_number
    assert action is not None
    assert best is not None
    if action == best:
        return action, 0.0, False
    lost = worth_after(judge, position, best, seed) - worth_after(judge, position, action, seed)
    return action, lost, True


def lost_in_game(player: Player, judge: Player, start: Position, dice: Dice) -> tuple[float, int, int]:
    """What a side has lost by the end of a game, by the mean of both; the choices it had, and how many were other."""
    position, steps, lost, choices, other = start, list[int](), 0.0, 0, 0
    while not position.is_terminal:
        if position.is_chance:
            steps.append(position.draw(dice))
        elif len(position.actions()) == 1:
            steps.append(position.actions()[0])
        else:
            history = History(start, tuple(steps))
            action, loss, differs = lost_by_move(player, judge, position, history, dice.below(2**31))
            lost, choices, other = lost + loss, choices + 1, other + differs
            steps.append(action)
        position = position.follow(steps[-1])
    return lost / 2, choices, other


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("players", nargs="+", metavar="PLAYER")
    parser.add_argument("--judge", required=True, metavar="PLAYER")
    parser.add_argument("--games", type=int, default=50, help="two or more")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    rules = load_game(asked.game)
    if rules.players != 2 or not rules.zero_sum:
        raise AstragalError(f"{asked.game} is no game of two who play for what the other loses")
    judge = load_player(asked.judge, rules)
    for text in asked.players:
        player, dice = load_player(text, rules), Dice(asked.seed)
        rows = [lost_in_game(player, judge, Position.start(rules, dice.below(2**31)), dice) for _ in range(asked.games)]
        lost = [row[0] for row in rows]
        error = 1.96 * stdev(lost) / math.sqrt(len(lost))
        differ = sum(row[2] for row in rows) / max(1, sum(row[1] for row in rows))
        print(
            f"{text:45} loses {fmean(lost):.1%} ± {error:.1%} a game a side in {len(rows)} games; "
            f"another move in {differ:.1%} of choices",
            flush=True,
        )


if __name__ == "__main__":
    main()
