"""What evaluations are worth: UCT that asks the game's at every leaf against UCT that plays games out.

    python benchmarks/evaluations.py [--games N] [--sims N | --time S] [GAME ...]

Both think equally long. Pairs are those of the arena (docs/arena.md): all seatings of the two, with the same dice and
starting position; intervals are of the mean over pairs.
"""

from __future__ import annotations

import argparse

from astragal import Limits
from astragal.arena.contest import Contest
from astragal.arena.referee import play_game
from astragal.arena.run import pairs_for, warm_up
from astragal.arena.statistics.estimates import paired

GAMES = (
    *("pig", "ewn", "kalah", "cant_stop", "ra"),
    *("focus", "focus:players=3", "focus:players=4", "chinese_checkers", "chinese_checkers:players=3"),
)
EVALUATING, PLAYING_OUT = "uct_h", "uct:c=140"


def compare(spec: str, games: int, limits: Limits) -> str:
    contest = Contest.of(spec, [EVALUATING, PLAYING_OUT], limits)
    warm_up(contest)
    each = range(len(contest.seatings))
    pairs = range(max(2, pairs_for(contest, games)))
    found = paired([[play_game(contest, pair, game).score_of(0) for game in each] for pair in pairs])
    return f"{spec:28} {found.games:5d} games   {found.mean:6.1%} [{found.low:.1%}, {found.high:.1%}]"


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
