"""Playing a contest: which games are missing, handing them to workers, and keeping them as soon as they are over.

Only this process writes. A game depends on the contest and its number alone, so the same contest again plays what is
missing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain

from astragal.arena.compile_ahead import compile_side_by_side
from astragal.arena.contest import Contest
from astragal.arena.dispatch import Dispatcher, Interrupt
from astragal.arena.record import GameRecord
from astragal.arena.referee import GRACE_SECONDS, play_game, player_of
from astragal.arena.results_store import ResultsStore
from astragal.errors import AstragalError
from astragal.game.position import Position
from astragal.search.limits import Limits

WARM_UP_NODES = 1000

Number = tuple[int, int]  # a pair, and which of its games


@dataclass(frozen=True)
class Plan:
    """How a contest is played, which changes nothing about its games."""

    games: int
    jobs: int = 1
    strict: bool = False
    grace: float = GRACE_SECONDS


def pairs_for(contest: Contest, games: int) -> int:
    """Whole pairs that have at least so many games."""
    return math.ceil(games / len(contest.seatings))


def missing_games(contest: Contest, pairs: int, played: set[Number]) -> Iterator[Number]:
    numbers = ((pair, game) for pair in range(pairs) for game in range(len(contest.seatings)))
    return (number for number in numbers if number not in played)


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
            if player.runs_programs:  # it has been told of the game; what it does wrong now loses games
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
    report: Callable[[list[GameRecord]], bool] = lambda records: False,
) -> bool:
    """Play the games of a contest that the store lacks. The report hears first of the games that are there already,
    then of others as they are kept, and says each time whether that is enough.

    Whether everything asked for is there, rather than stopped by Ctrl-C."""
    with store.alone():
        number = store.enter(contest)
        enough = report(list(store.games(number)))
        games = missing_games(contest, pairs_for(contest, plan.games), store.played(number))
        first = next(games, None)
        if first is None or enough:
            return True
        finishing = contest.finish.players if contest.finish else ()
        compile_side_by_side(contest.rules, (*contest.kinds, *finishing), plan.jobs)
        warm_up(contest)
        session = store.begin_session(number, command)

        def keep(records: list[GameRecord]) -> bool:
            store.add(number, session, records)
            return report(records)

        with Interrupt().heard() as interrupt:
            perform = partial(play_games, contest, strict=plan.strict, grace=plan.grace)
            dispatcher = Dispatcher(perform, plan.jobs, make_workers, keep, interrupt, game_name)
            return dispatcher.run(chain([first], games))


def game_name(number: Number) -> str:
    pair, game = number
    return f"game {pair + 1}.{game + 1}"
