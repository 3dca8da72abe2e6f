"""Ladders: the players of each game rated by a tournament, written to the package and to docs/results/ladders.md.

    python benchmarks/ladders.py [GAME ...] [--games N] [--db FILE] [--jobs N]

Players are listed from the weakest to the strongest, as estimated. Weak ones have limits that are the same
on every machine; strong ones think for 10 or 50 ms of the processor a move, so their ratings are of this machine.
Games are kept in FILE: the same command again goes on, and a new player plays only its own games. Games that are not
named keep their ladder.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from pathlib import Path

import astragal
from astragal.base.locks import measuring
from astragal.players.ladders import FILE, Ladder, Rung, levels_of

PAGE = Path(__file__).parent.parent / "docs" / "results" / "ladders.md"
PLAYERS = {
    "backgammon": [
        *("random", "uct:c=140,sims=20", "uct:c=140,sims=100", "greedy", "star:depth=1,evaluation=learned"),
        "star:depth=2,evaluation=learned",
    ],
    "cant_stop": [
        "random",
        "greedy",
        "uct:c=140,sims=100",
        "rule28",
        "glenn",
        "star:evaluation=learned,leaf=afterstate,time=0.05",
    ],
    "chinese_checkers": [
        *("random", "uct:c=140,sims=20", "greedy", "alphabeta:time=0.01", "alphabeta:evaluation=learned,time=0.01"),
    ],
    "connect_four": [
        "random",
        "uct:c=140,sims=10",
        "uct:c=140,sims=50",
        "uct:c=140,sims=500",
        "uct:c=140,sims=5000",
        "uct:c=140,time=0.05",
    ],
    "ewn": [
        "random",
        "greedy",
        "star2:depth=3",
        "uct:c=140,time=0.05",
        "star:time=0.05",
        "star:evaluation=learned,time=0.05",
    ],
    "focus": [
        *("random", "uct:c=140,sims=20", "uct:c=140,sims=200", "greedy", "alphabeta:time=0.01"),
        "alphabeta:evaluation=learned,time=0.01",
    ],
    "kalah:setup=random": [
        *("random", "greedy", "uct:c=140,sims=100", "alphabeta:depth=3", "alphabeta:time=0.05"),
        "alphabeta:evaluation=learned,time=0.05",
    ],
    "pig": ["random", "hold:n=80", "hold:n=50", "hold:n=25", "star:time=0.05", "star:evaluation=learned,time=0.05"],
    "ra": [
        "random",
        "uct:c=140,sims=10",
        "uct:c=140,sims=100",
        "star:time=0.01",
        "star:evaluation=learned,leaf=afterstate,time=0.01",
    ],
    "tic_tac_toe": ["random", "mm:depth=1", "uct:c=140,sims=100", "alphabeta:depth=9"],
}
HEAD = """# Ladders

Each game's players from the weakest to the strongest, rated by a tournament of everyone against everyone: Elo above
the lowest, with 95% intervals. A difference of 191 Elo is a score of three in four. The [levels](../web.md#levels) are
rungs of these ladders. `astragal best GAME` prints one, and every command accepts `best` as a player.

Players with `time=0.05` have 50 ms of the processor a move, so their ratings hold for one machine{busy}.
In games without chance and random starts, two searches by depth or time play few different games, and true intervals
are wider. Can't Stop and EinStein würfelt nicht! were rated with earlier learned evaluations.

`python benchmarks/ladders.py` rates the players again and writes this page; each table's command is below it.
"""


def rate(game: str, games: int, db: Path, jobs: int) -> Ladder:
    """Let the players of a game meet."""
    players = PLAYERS[game]
    command = f"astragal tournament {game} {' '.join(players)} --games {games} --clock processor"
    print(f"{game}: {command}", flush=True)
    played = astragal.tournament(
        game, players, games, jobs=jobs, db=db, clock="processor", grace=10.0, command=command, progress=True
    )
    print(played, flush=True)
    if not played.complete:
        raise KeyboardInterrupt
    found = sorted(zip(players, played.ratings.players, strict=True), key=lambda pair: pair[1].elo)
    lowest = found[0][1].elo
    rungs = [Rung(name, round(one.elo - lowest, 1), round((one.high - one.low) / 2, 1)) for name, one in found]
    return Ladder(game.partition(":")[0], tuple(rungs), games, command)


def kept() -> dict[str, dict[str, object]]:
    return json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}  # type: ignore[no-any-return]


def keep(ladder: Ladder) -> None:
    """Write a ladder into the package, in the place of the game's former one."""
    rungs = [[rung.player, rung.elo, rung.error] for rung in ladder.rungs]
    found = kept() | {ladder.game: {"games": ladder.games, "command": ladder.command, "rungs": rungs}}
    text = json.dumps(dict(sorted(found.items())), indent=1)
    text = re.sub(r"\[\s+(\"[^\"]*\"),\s+([\d.-]+),\s+([\d.]+)\s+\]", r"[\1, \2, \3]", text)  # a rung a line
    FILE.write_text(f"{text}\n", encoding="utf-8")


def page(busy: str) -> str:
    parts = [HEAD.format(busy=busy)]
    for game, facts in kept().items():
        ladder = Ladder(game, tuple(Rung(*rung) for rung in facts["rungs"]), facts["games"], str(facts["command"]))  # type: ignore[misc, attr-defined, arg-type]
        called = {level.player: level.name for level in levels_of(ladder)}
        rows = [
            f"| `{rung.player}` | {rung.elo:.0f} ± {rung.error:.0f} | {called.get(rung.player, '')} |"
            for rung in ladder.rungs[::-1]
        ]
        parts.append(f"## {game}\n\n| player | Elo | level |\n|---|---:|---|\n" + "\n".join(rows))
        parts.append(f"`{ladder.command}`")
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("games_named", nargs="*", metavar="GAME", help="only these games")
    parser.add_argument("--games", type=int, default=100, help="games of each two players (default 100)")
    parser.add_argument("--db", type=Path, default=Path("ladders.db"), help="where games are kept")
    parser.add_argument("--jobs", type=int, default=2, help="games at a time (default 2)")
    parser.add_argument("--busy", default="", help="what to say of the machine, such as ', busy with other work'")
    options = parser.parse_args()
    chosen = [game for game in PLAYERS if not options.games_named or game.partition(":")[0] in options.games_named]
    try:
        for game in chosen:
            keep(rate(game, options.games, options.db, options.jobs))
    except KeyboardInterrupt:
        print("stopped; the same command goes on from here", file=sys.stderr)
        return 130
    finally:
        PAGE.write_text(page(options.busy), encoding="utf-8")
    return 0


if __name__ == "__main__":
    with measuring(wait=True):
        sys.exit(main())
