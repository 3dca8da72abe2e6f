"""What stands under a table: who played each row, in full, the line that plays it again, and what a node took.

Of rows by nodes the line plays the same games, as long as the versions of the searches are the same. Rows by time have
the nodes of every move in the data, by which `astragal lab replay` plays them again.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from astragal.arena.contest import Contest, GameRecord
from astragal.base.errors import AstragalError
from astragal.base.interruptible import WALL
from astragal.base.parameters import describe, spell
from astragal.lab.study import Searches, Study
from astragal.players import load_player

NANO = 1e9


@dataclass(frozen=True)
class Row:
    """A number of a table: its name, who is behind it, in full words, the line that plays it, and what a node took."""

    name: str
    players: tuple[str, ...]
    line: str
    cost: str = ""
    seconds: float = 0.0  # of all its games or searches, as far as they are kept
    done: int = 0  # games or searches
    planned: int = 0  # at most


def match_line(contest: Contest, games: int) -> str:
    """The command that plays a contest."""
    words = ["astragal", "match", contest.game, *contest.kinds]
    for each in fields(contest.limits):
        if (value := getattr(contest.limits, each.name)) is not None:
            words += [f"--{each.name}", spell(value)]
    if contest.matched is not None:
        words += ["--node-matched", str(contest.matched + 1)]
    if contest.finish is not None:
        words += ["--finish", str(contest.finish)]
    for name, value, usual in (("expanded", contest.expanded, "all"), ("clock", contest.clock, WALL)):
        words += [f"--{name}", value] if value != usual else []
    return shlex.join([*words, "--games", str(games), "--seed", str(contest.seed)])


def full_settings(player: str, game: str) -> str:
    """A player with every setting, also those that it has anyway."""
    try:
        made = load_player(player, game)
    except AstragalError:  # of an earlier version, which had other settings
        return player
    settings = describe(made, only_changed=False)
    return f"{made.player_name}:{settings}" if settings else made.player_name


def of_contest(name: str, contest: Contest, records: Sequence[GameRecord], planned: int) -> Row:
    line = match_line(contest, max(len(records), 2))
    costs = [
        f"{kind.partition(':')[0]} {cost}" for kind, cost in zip(contest.kinds, costs_of(contest, records), strict=True)
    ]
    known = "" if all("unknown" in cost for cost in costs) else "; ".join(costs)
    seconds = math.fsum(seconds_of(record) for record in records)
    return Row(name, contest.kinds, line, known, seconds, len(records), planned)


def of_study(name: str, study: Study, searches: Searches, planned: int) -> Row:
    """Searches have no contest; the line searches the first of the positions as the first of its runs did."""
    every = [run for runs in searches.values() for run in runs]
    known = [run for run in every if run.processor]
    seconds = math.fsum(run.processor or 0.0 for run in known)
    cost = cost_in_words(sum(run.nodes for run in known), seconds, len(known)) if known else ""
    words = ["astragal", "search", study.game, "--player", study.player]
    for each in fields(study.limits):
        if (value := getattr(study.limits, each.name)) is not None:
            words += [f"--{each.name}", spell(value)]
    if every:
        first = every[0]
        words += ["--position", first.position, "--seed", str(study.search_seed(first.position, first.run))]
    return Row(name, (study.player,), shlex.join(words), cost, seconds, len(every), planned)


def seconds_of(record: GameRecord) -> float:
    """What a game took the processor; what the clock on the wall said, where nothing else is known."""
    known = [search.processor for search in record.searches if search.processor is not None]
    return math.fsum(known) if known and len(known) == len(record.searches) else record.seconds


def costs_of(contest: Contest, records: Iterable[GameRecord]) -> list[str]:
    """Of each kind of player, how long a node took, and a move."""
    nodes, seconds, moves = ([0.0] * len(contest.kinds) for _ in range(3))
    for record in records:
        own = record.searches if record.finished_from is None else record.searches[: record.finished_from]
        for search in own:
            if search.seat is not None and search.processor is not None:
                kind = record.seats[search.seat]
                nodes[kind] += search.nodes
                seconds[kind] += search.processor
                moves[kind] += 1
    return [cost_in_words(*each) for each in zip(nodes, seconds, moves, strict=True)]


def cost_in_words(nodes: float, seconds: float, moves: float) -> str:
    if not (nodes and seconds and moves):
        return "unknown"
    return f"{NANO * seconds / nodes:.3g} ns a node, {1000 * seconds / moves:.3g} ms a move"
