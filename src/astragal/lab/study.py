"""A study: one player searches positions again and again, each time with another seed.

Where a contest says who wins, a study says how good the values and moves are. Equal studies have equal runs, as far as
their limits are nodes or depths.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache, partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Versions, game_source, raised_versions
from astragal.arena.dispatch import Dispatcher, Interrupt
from astragal.arena.run import WARM_UP_NODES
from astragal.base.errors import Stopped
from astragal.base.interruptible import PROCESSOR, WALL, CountingBy
from astragal.games import game_spec, load_game
from astragal.players import load_player
from astragal.players.player import Player
from astragal.rules.position import Position

if TYPE_CHECKING:
    from astragal.lab.notebook import Notebook

Number = tuple[str, int]  # a position, and which run


class Measurement(NamedTuple):  # of which a report reads millions
    """What came of one search."""

    position: str
    run: int
    value: float | None  # for the player to move
    action: int | None
    nodes: int
    depth: int
    seconds: float
    processor: float | None = None  # seconds of the processor; older notebooks do not say


Searches = dict[str, list[Measurement]]  # position -> its runs


@dataclass(frozen=True)
class Study:
    """Who searches, and how; which positions and how often is said when it is made."""

    game: str
    player: str
    limits: Limits = field(default_factory=Limits)  # the player's own where none is set
    seed: int = 0
    source: str = ""  # a hash of the file of a user's game
    versions: Versions = ()  # of the families of searches that the player plays by, where they are not 1
    clock: str = WALL  # that limits on time are by

    @classmethod
    def of(cls, game: str, player: str, limits: Limits | None = None, seed: int = 0) -> Study:
        """A study in full words, checked."""
        rules = load_game(game)
        asked = load_player(player, rules)
        source, versions = game_source(rules), raised_versions([asked])
        clock = PROCESSOR if limits is not None and limits.time else WALL
        return cls(game_spec(rules), str(asked), limits or Limits(), seed, source, versions, clock)

    def search_seed(self, position: str, run: int) -> int:
        """No two searches of studies with different seeds, positions or runs share it; players do."""
        return int.from_bytes(sha256(f"{self.seed}\n{position}\n{run}".encode()).digest()[:8], "big")

    def to_json(self) -> str:
        plain = asdict(self) | {"versions": dict(self.versions)}
        for name, usual in (("versions", {}), ("clock", WALL)):
            if plain[name] == usual:  # it keeps the words, and so the key, that it had before there was more
                del plain[name]
        return json.dumps(plain, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Study:
        plain = json.loads(text)
        versions = tuple(plain.get("versions", {}).items())
        return cls(**plain | {"limits": Limits(**plain["limits"]), "versions": versions})

    def is_other_version_of(self, other: Study) -> bool:
        """Whether it differs in the versions of the searches alone."""
        return self.versions != other.versions and replace(self, versions=other.versions) == other

    @property
    def key(self) -> str:
        return sha256(self.to_json().encode()).hexdigest()[:16]


@lru_cache(maxsize=64)
def rules_and_player(study: Study) -> tuple[Any, Player]:
    """Loaded once by each worker, which has thought once before it is timed."""
    rules = load_game(study.game)
    player = load_player(study.player, rules)
    position = Position.start(rules).settled(0)
    limits = player.limits if study.limits == Limits() else study.limits
    player.search(position, limits=replace(limits, nodes=min(limits.nodes or WARM_UP_NODES, WARM_UP_NODES)))
    return rules, player


def search_positions(study: Study, numbers: tuple[Number, ...]) -> list[Measurement]:
    """What a worker does."""
    rules, player = rules_and_player(study)
    measured = []
    for text, run in numbers:
        position, seed = Position.parse(rules, text), study.search_seed(text, run)
        started, busy = time.perf_counter(), time.process_time()
        with CountingBy(study.clock):
            result = player.search(position, seed, study.limits)
        seconds, processor = time.perf_counter() - started, time.process_time() - busy
        found = result.value, result.action_number, result.nodes, result.depth
        measured.append(Measurement(text, run, *found, seconds, processor))
    return measured


def run_study(
    study: Study,
    positions: Sequence[str],
    runs: int,
    notebook: Notebook,
    jobs: int,
    make_workers: Callable[[], Executor],
    hear: Callable[[list[Measurement]], None] = lambda measured: None,
) -> None:
    """Make the searches that the notebook lacks, and keep each as soon as it is made."""
    with notebook.alone():
        number = notebook.enter_study(study)
        known = notebook.measured(number)
        missing: Iterator[Number] = (
            (position, run) for run in range(runs) for position in positions if (position, run) not in known
        )

        def keep(measured: list[Measurement]) -> bool:
            notebook.add_measurements(number, measured)
            hear(measured)
            return False

        rules_and_player(study)
        with Interrupt().heard() as interrupt:
            perform = partial(search_positions, study)
            if not Dispatcher(perform, jobs, make_workers, keep, interrupt, search_name).run(missing):
                raise Stopped("stopped; the same command goes on from here")


def search_name(number: Number) -> str:
    position, run = number
    return f"search {run + 1} of '{position}'"
