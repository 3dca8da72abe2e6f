"""Two threads in one tree against two trees, by strength: matches at equal time a move.

    python benchmarks/parallel.py [--games N] [--time SECONDS] [--db FILE] [--smallest] [GAME ...]

For an idle machine with two cores: one game at a time, two threads each. A sequential test of 0 against 20 Elo looks
whether `parallel=tree` is stronger than `parallel=root`, for 4,000 games (2,000 pairs) at most. Where it is not shown
to be, root is to be taken, which can be repeated. Games are kept in FILE; the same command again goes on.
"""

from __future__ import annotations

import argparse

import astragal
from astragal.base.locks import measuring

GAMES = ("ewn", "kalah", "connect_four")
MOST = 4000
TEST = (0.0, 20.0)


def row(game: str, games: int, seconds: float, db: str | None, test: tuple[float, float] | None) -> str:
    players = [f"uct:threads=2,parallel={way}" for way in ("tree", "root")]
    found = astragal.match(game, players, games=games, sprt=test, time=seconds, jobs=1, db=db, seed=1)
    elo = found.elo
    difference = "-" if elo is None else f"{elo.elo:+.0f} ({elo.low:+.0f} to {elo.high:+.0f})"
    return f"| {game} | {found.games:,} | {difference} | {found.decision or 'undecided'} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="GAME", help=f"{', '.join(GAMES)} (all)")
    parser.add_argument("--games", type=int, default=MOST)
    parser.add_argument("--time", type=float, default=0.1)
    parser.add_argument("--db", default="parallel.db")
    parser.add_argument("--smallest", action="store_true", help="two games of 2 ms a move, not kept: whether it runs")
    chosen = parser.parse_args()
    games, seconds, db = (2, 0.002, None) if chosen.smallest else (chosen.games, chosen.time, chosen.db)
    print("| game | games | Elo of tree over root, 95% | the test |\n|---|---:|---:|---|")
    for name in chosen.names or GAMES:
        print(row(name, games, seconds, db, None if chosen.smallest else TEST), flush=True)


if __name__ == "__main__":
    with measuring(wait=True):
        main()
