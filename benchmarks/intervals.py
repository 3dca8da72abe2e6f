"""Two ways to a proven interval, by processor time: best first (`prove`), and deepening with a table.

    python benchmarks/intervals.py [SECONDS [GAME ...]]

Deepening searches a derived game whose horizon is worth the lower end of the utility range, then one whose horizon is
worth the upper end, each with `star`, a table of values, and nothing that speaks of an evaluation. Its sums are not
rounded outwards. The time is the least that both searches need together until their values are 1% of the range apart;
each has SECONDS (3 by default), and `prove` has both shares. Nodes are those of that time; what is not narrow in time
has its interval.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from astragal import Limits, Position, load_game, load_player
from astragal.algorithms.result import SearchResult
from astragal.base.interruptible import CountingBy
from astragal.rules import defaults
from astragal.rules.decorator import game
from astragal.rules.pickling import NOT_KEPT

WIDTH = 0.01  # of the utility range
DEEPENING = "star:table=values,chances=on,merge=on,ceilings=off,leaf=decision,prune_above=0,memory=256"
POSITIONS = [
    ("Race", None),
    ("pig:goal=30,dice=1", "0 0 2 1 decide"),
    ("pig:dice=1", "70 75 2 1 decide"),
    ("pig:dice=1", "0 0 8 1 decide"),
    ("pig", "90 93 8 1 decide"),
    ("pig", "70 75 2 1 decide"),
    ("ewn", "..1../...../..2.f/.e.../.a... 1 2"),
    ("ewn", "1.2../.3.../...../...d./.e.f. 1 3"),
    ("ewn", "12.../34.../...../...cd/...ef 1 3"),
    ("backgammon", "2AYAAGYDAAAAAA 1 -"),
    ("tic_tac_toe", None),
    ("kalah:pits=4,stones=3", None),
    ("kalah:pits=6,stones=2", None),
]


class Horizon:
    """A game whose positions are worth one end of the range to the first player, as long as they are not over."""

    probcut, ignores_outcomes = None, False
    heuristic_after, best_after = defaults.heuristic_after, defaults.best_after
    heuristic_dealt, ceiling = defaults.heuristic_dealt, defaults.ceiling

    def heuristic(self, state: Any, player: int) -> float:
        end = self.utility_range[self.end]  # type: ignore[attr-defined]
        return end if player == 0 else -end


@cache
def horizon_class(base: Any, end: int) -> Any:
    members = {"__module__": base.__module__, "__qualname__": f"{base.__qualname__}{end}", "__doc__": base.__doc__}
    return game(
        type(
            f"{base.__name__}{end}", (Horizon, base), members | {"__annotations__": {}, "end": end, "state": base.state}
        )
    )


def with_horizon(rules: Any, end: int) -> Any:
    made = object.__new__(horizon_class(type(rules), end))
    made.__dict__.update({name: value for name, value in vars(rules).items() if name not in NOT_KEPT})
    return made


class Clock:
    """Notes what a search reports, with the processor time since it began."""

    def __init__(self) -> None:
        self.found: list[tuple[float, SearchResult]] = []
        self.began = time.process_time()

    def __call__(self, found: SearchResult) -> None:
        self.found.append((time.process_time() - self.began, found))


def searched(here: Position, player: str, seconds: float) -> list[tuple[float, SearchResult]]:
    """What a search reports, and when."""
    chosen = load_player(player, here.game)
    chosen.search(here, limits=Limits(nodes=1))  # compiles
    clock = Clock()
    clock(chosen.search(here, limits=Limits(time=seconds), progress=clock))
    return clock.found


class Way(NamedTuple):
    """What a way found: its nodes and seconds when the interval was narrow, if it was, and the ends."""

    lower: float
    upper: float
    nodes: int | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        if self.seconds is None:
            return f"- | {self.lower:+.1f} to {self.upper:+.1f}"
        return f"{self.nodes:,} | {self.seconds:.3f} s"


def by_deepening(here: Position, seconds: float) -> Way:
    derived = [Position(with_horizon(here.game, end), here.memory) for end in (0, 1)]
    least, most = (searched(each, DEEPENING, seconds) for each in (derived if here.turn != 1 else derived[::-1]))
    needed = [(a + b, x.nodes + y.nodes) for a, x in least for b, y in most if y.value - x.value <= narrow(here)]
    spent, nodes = min(needed, default=(None, None))
    return Way(max(x.value for _, x in least), min(y.value for _, y in most), nodes, spent)


def best_first(here: Position, seconds: float) -> Way:
    spent, found = searched(here, f"prove:tolerance={WIDTH}", 2 * seconds)[-1]
    assert found.interval is not None
    is_narrow = found.interval.width <= narrow(here)
    return Way(*found.interval, *((found.nodes, spent) if is_narrow else ()))


def narrow(here: Position) -> float:
    low, high = here.game.utility_range
    return WIDTH * (high - low)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", nargs="?", type=float, default=3.0)
    parser.add_argument("games", nargs="*", metavar="GAME", help="only these of the games")
    chosen = parser.parse_args()
    if unknown := set(chosen.games) - {spec for spec, _ in POSITIONS}:
        parser.error(f"there is no position of {', '.join(sorted(unknown))}")
    if not chosen.seconds > 0.0:
        parser.error("seconds must be more than 0")
    print("| game | position | best first, nodes | time | deepening, nodes | time |\n|---|---|---:|---:|---:|---:|")
    for spec, text in POSITIONS:
        if chosen.games and spec not in chosen.games:
            continue
        rules = race() if spec == "Race" else load_game(spec)
        here = Position.start(rules) if text is None else Position.parse(rules, text)
        with CountingBy("processor"):
            first, second = (way(here, chosen.seconds) for way in (best_first, by_deepening))
        print(f"| {spec} | `{here.text}` | {first} | {second} |", flush=True)


def race() -> Any:
    """The game of README.md."""
    block = Path(__file__).parents[1].joinpath("README.md").read_text(encoding="utf-8").split("```python\n")[1]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "race.py")
        file.write_text(block.split("\nprint(")[0] + "\n", encoding="utf-8")
        return load_game(f"{file}:Race")


if __name__ == "__main__":
    main()
