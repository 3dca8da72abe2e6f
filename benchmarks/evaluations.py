"""What each game's evaluation is worth: a tree search that asks it at every leaf against one that plays games out.

    python benchmarks/evaluations.py [--games N] [--sims N | --time S] [GAME ...]

Both sides think equally long. A match is all seatings of the two over the players' seats but those with one of them
alone, with the same dice and starting position; intervals are of the mean over matches.
"""

from __future__ import annotations

import argparse
import itertools
import math
from statistics import fmean, stdev
from typing import Any

from astragal import Limits, Position, load_game, load_player
from astragal.game.dice import Dice
from astragal.players.player import Player

GAMES = (
    *("pig", "ewn", "kalah", "cant_stop", "ra", "connect_four"),
    *("focus", "focus:players=3", "focus:players=4", "chinese_checkers", "chinese_checkers:players=3"),
)
EVALUATING, PLAYING_OUT = "mcts:rollout=0", "uct"


def seatings(seats: int) -> list[tuple[int, ...]]:
    """Every way to seat two kinds of player, both there."""
    return [kinds for kinds in itertools.product((0, 1), repeat=seats) if len(set(kinds)) == 2]


def play(game: Any, players: list[Player], seed: int, limits: Limits) -> tuple[float, ...]:
    """Each seat's utility at the end of a game whose dice come from the seed."""
    dice, position = Dice(seed), Position.start(game, seed)
    sessions = [player.new_session() for player in players]
    ply = 0
    while not position.is_terminal:
        if position.is_chance:
            position = position.sample(dice)
            continue
        seat = position.turn
        found = players[seat].search(position, seed=1_000_003 * seed + ply, limits=limits, session=sessions[seat])
        assert found.action_number is not None
        position = position.play(found.action_number)
        ply += 1
    return position.utilities()


def match_score(game: Any, kinds: list[Player], seed: int, limits: Limits) -> float:
    """The share of wins that went to the first kind, a draw counting half."""
    scores = []
    for seated in seatings(game.players):
        utilities = play(game, [kinds[kind] for kind in seated], seed, limits)
        best = [seat for seat, utility in enumerate(utilities) if utility == max(utilities)]
        scores.append(fmean(seated[seat] == 0 for seat in best) if len(best) < game.players else 0.5)
    return fmean(scores)


def compare(spec: str, games: int, limits: Limits) -> str:
    game = load_game(spec)
    kinds = [load_player(name, game) for name in (EVALUATING, PLAYING_OUT)]
    each = len(seatings(game.players))
    scores = [match_score(game, kinds, seed, limits) for seed in range(max(2, games // each))]
    error = 1.96 * stdev(scores) / math.sqrt(len(scores))
    return f"{spec:28} {len(scores) * each:5d} games   {fmean(scores):6.1%} ± {error:.1%}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games_named", nargs="*", metavar="GAME", default=None)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--sims", type=int, default=None)
    parser.add_argument("--time", type=float, default=None)
    asked = parser.parse_args()
    limits = Limits(sims=asked.sims, time=asked.time)
    if limits == Limits():
        limits = Limits(time=0.02)
    print(f"{EVALUATING} against {PLAYING_OUT}, {limits}")
    for spec in asked.games_named or GAMES:
        print(compare(spec, asked.games, limits), flush=True)


if __name__ == "__main__":
    main()
