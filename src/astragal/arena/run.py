"""Playing a contest: which games are missing, handing them to workers, and keeping them as soon as they are over.

Only this process writes. A game depends on the contest and its number alone, so the same contest again plays what is
missing.
"""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, wait
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain
from typing import Any

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, GameRecord, versions_text
from astragal.arena.dispatch import Dispatcher, Interrupt
from astragal.arena.playing import GRACE_SECONDS
from astragal.arena.referee import play_game, player_of
from astragal.arena.store.results_store import ResultsStore
from astragal.arena.store.shard import Shard
from astragal.arena.workers import Processes
from astragal.base.errors import AstragalError
from astragal.games import load_game
from astragal.players import load_player
from astragal.rules.position import Position

WARM_UP_NODES = 1000

Number = tuple[int, int]  # a pair, and which of its games


@dataclass(frozen=True)
class Plan:
    """How a contest is played, which changes nothing about its games."""

    games: int
    jobs: int = 1
    strict: bool = False
    grace: float = GRACE_SECONDS
    shard: Shard | None = None  # the part of the games that is played


def pairs_for(contest: Contest, games: int) -> int:
    """Whole pairs with at least this many games."""
    return math.ceil(games / len(contest.seatings))


def missing_games(contest: Contest, pairs: int, played: Iterable[Number]) -> Iterator[Number]:
    """The games of this many pairs that are not among those played, which are given in their order."""
    size = len(contest.seatings)
    gaps, begin = [], 0  # there are few of them, however many games were played
    for pair, game in played:
        at = pair * size + game
        if at > begin:
            gaps.append(range(begin, min(at, pairs * size)))
        begin = max(begin, at + 1)
    gaps.append(range(begin, pairs * size))
    return ((at // size, at % size) for gap in gaps for at in gap)


def play_games(contest: Contest, numbers: tuple[Number, ...], strict: bool, grace: float) -> list[GameRecord]:
    """What a worker does."""
    warm_up(contest)
    return [play_game(contest, pair, game, strict, grace) for pair, game in numbers]


@lru_cache(maxsize=64)
def warm_up(contest: Contest) -> None:
    """Let every player think briefly, so that no game waits for machine code; what does not fit is said in a sentence.

    The coordinating process does so first and compiles what is new. Workers then find it on disk.
    """
    position = Position.start(contest.rules, contest.pair_seed(0)).settled(contest.pair_seed(0))
    if position.is_terminal:
        return
    for finishing in (False, True) if contest.finish else (False,):
        for kind in range(len(contest.kinds)):
            player = player_of(contest, kind, finishing)
            if player.runs_programs:  # it has received the game; its faults from now on lose games
                continue
            limits = player.limits if finishing or contest.limits == Limits() else contest.limits
            few = min(limits.nodes or WARM_UP_NODES, WARM_UP_NODES)
            try:
                player.search(position, limits=replace(limits, nodes=few), session=player.new_session())
            except AstragalError:
                raise
            except Exception as error:
                if type(error).__module__.startswith("numba"):  # the game cannot be compiled
                    raise
                # Any other failure is the player's, which loses its games by forfeit.


def run_contest(
    contest: Contest,
    plan: Plan,
    store: ResultsStore,
    make_workers: Callable[[], Executor],
    command: str = "",
    report: Callable[[Iterable[GameRecord]], bool] = lambda records: False,
) -> bool:
    """Play the games of a contest that the store lacks. The report is called with the games that are there already,
    which are read one by one, then with others as they are kept, and says each time whether that is enough.

    Whether everything asked for is there, rather than stopped by Ctrl-C."""
    with store.alone():
        number = store.enter(contest)
        store.found.setdefault(number, store.count(number))
        with closing(store.games(number)) as there:
            enough = report(there)
        games = missing_games(contest, pairs_for(contest, plan.games), store.played(number))
        if plan.shard is not None:
            shard = plan.shard
            games = (missing for missing in games if shard.has(missing[0]))
        first = next(games, None)
        if first is None or enough:
            return True
        warn_of_other_versions(contest, store, number)
        finishing = contest.finish.players if contest.finish else ()
        compile_side_by_side(contest.rules, (*contest.kinds, *finishing), plan.jobs)
        warm_up(contest)
        store.begins()
        part = f"  # part {plan.shard} of {plan.games} games" if plan.shard else ""
        session = store.begin_session(number, command + part)

        def keep(records: list[GameRecord]) -> bool:
            store.add(number, session, records)
            return report(records)

        with Interrupt().heard() as interrupt:
            perform = partial(play_games, contest, strict=plan.strict, grace=plan.grace)
            dispatcher = Dispatcher(perform, plan.jobs, make_workers, keep, interrupt, game_name)
            return dispatcher.run(chain([first], games))


def warn_of_other_versions(contest: Contest, store: ResultsStore, number: int) -> None:
    """Say why a contest begins anew of which games were kept that other versions of the searches played."""
    if store.count(number):
        return
    for stored in store.of_other_versions(contest)[:1]:
        families = dict(contest.versions + stored.contest.versions)
        then, now = versions_text(stored.contest.versions, families), versions_text(contest.versions, families)
        warnings.warn(
            f"{store.path} has {stored.games} games of this contest by {then}, as contest {stored.id}; "
            f"{now} plays other games, so it begins anew",
            stacklevel=3,
        )


def game_name(number: Number) -> str:
    pair, game = number
    return f"game {pair + 1}.{game + 1}"


def compile_side_by_side(game: str | Any, players: Iterable[str], jobs: int) -> None:
    """Compile what players lack for a game, if more than one of them does and there are cores for it.

    Whatever fails is left to this process, which meets it again and says it.
    """
    jobs = min(jobs, os.cpu_count() or 1)
    names = list(dict.fromkeys(players))
    if jobs < 2 or len(names) < 2:
        return
    lacking = {name: what for name in names if (what := lacks(game, name))}
    if len(set(lacking.values())) < 2:
        return
    for what in dict.fromkeys(lacking.values()):
        announce(what)
    with Processes(min(jobs, len(lacking))) as processes:
        try:
            wait([processes.submit(compile_one, game, name) for name in lacking])
        except BaseException:  # Ctrl-C, which they leave to this process
            processes.kill()
            raise


def lacks(game: str | Any, player: str) -> str:
    """The kernel that a player would have to compile first; nothing where there is none."""
    from astragal.compiler.kernel import NotKept, only_kept

    try:
        with only_kept():
            think_briefly(game, player)
    except NotKept as what:
        return str(what)
    except Exception:  # it cannot play this game, or the like: said where it is to play
        return ""
    return ""


def announce(what: str) -> None:
    from astragal.compiler.kernel import announcers

    watcher = announcers[-1](what)
    if callable(watcher):
        watcher(1, 1)


def compile_one(game: str | Any, player: str) -> None:
    """What a process does."""
    from astragal.compiler.kernel import announcers

    announcers.append(lambda what: None)
    think_briefly(game, player)


def think_briefly(game: str | Any, player: str) -> None:
    rules = load_game(game)
    chosen = load_player(player, rules)
    position = Position.start(rules).settled(0)
    if not chosen.runs_programs and not position.is_terminal:
        chosen.search(position, 0, Limits(nodes=1))
