"""What a notebook holds, as small compressed files that can be kept in a repository, and merged game by game.

A file has what one experiment is reported from: lines of JSON under xz. Of a game it has the steps and the result, the
nodes of every move, by which games with limits on time are replayed, the processor's seconds, and what is known of the
dice's luck. Values of searches are rounded to a thousandth. `docs/results/data/README.md` describes every column.

Files of the first format are from before searches had versions. Their data counts as version 0: it is reported, with
a mark, and no run goes on from it.

A game or search depends on its contest or study and its number alone, so those of several notebooks add up to one
larger run. Where two have the same, the first one's is kept.
"""

from __future__ import annotations

import json
import lzma
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from astragal.arena.contest import Contest, GameRecord, SearchStats, Versions
from astragal.base.errors import AstragalError
from astragal.lab.experiment import Experiment
from astragal.lab.laboratory import Laboratory
from astragal.lab.notebook import ExperimentRun, Notebook
from astragal.lab.size import Size
from astragal.lab.study import Measurement, Searches, Study
from astragal.players import load_player

SUFFIX = ".jsonl.xz"
FIRST, FORMAT = (f"astragal laboratory, version {number}" for number in (1, 2))
DIGITS, CLOCK_DIGITS = 3, 6  # of values, and of seconds where they count
NANO = 9  # digits of the processor's seconds, which it counts so


@dataclass
class Noting(Laboratory):
    """Reads a notebook and notes what was asked for."""

    contests: dict[str, Contest] = field(default_factory=dict)
    studies: dict[str, Study] = field(default_factory=dict)

    def games(self, contest: Contest, games: int) -> list[GameRecord]:
        self.contests[contest.key] = contest
        return super().games(contest, games)

    def measure(self, study: Study, positions: Any, runs: int) -> Searches:
        self.studies[study.key] = study
        return super().measure(study, positions, runs)


def write_export(notebook: Notebook, experiment: Experiment, run: ExperimentRun, path: Path) -> None:
    """Write what a run of an experiment is reported from."""
    noting = Noting(notebook, run.seed)
    experiment.carry_out(noting, run.size)
    lines = [{"format": FORMAT, "run": asdict(replace(run, command=without_places(run.command)))}]
    for contest in noting.contests.values():
        kept = notebook.kept_contest(contest)
        if kept is not None:
            lines.append(line_of_games(kept[1], list(notebook.games(kept[0]))))
    for study in noting.studies.values():
        found = notebook.kept_study(study)
        if found is not None:
            lines.append(line_of_searches(found[1], notebook.measurements(found[0])))
    for key in sorted(noting.derived):
        if (value := notebook.derived(key)) is not None:
            lines.append({"derived": key, "value": value})
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


def without_places(command: str) -> str:
    """A command without the files of the machine it was typed on."""
    return re.sub(r" --(db|from|cluster)[ =]\S+", "", command)


def line_of_games(contest: Contest, records: list[GameRecord]) -> dict[str, Any]:
    """The games of a contest by columns, which compress better than rows."""
    line: dict[str, Any] = {
        "contest": contest.to_json(),
        "number": [record.number for record in records],
        "steps": [record.steps for record in records],
        "utilities": [record.utilities for record in records],
        "movers": ["".join(mover(search) for search in record.searches) for record in records],
        "nodes": [[search.nodes for search in record.searches] for record in records],
        "processor": [by_seat(record) for record in records],
        "finished_from": [record.finished_from for record in records],
        "faults": {str(place): [r.forfeit, r.fault] for place, r in enumerate(records) if r.forfeit is not None},
        "seconds": [round(record.seconds, DIGITS) for record in records],
    }
    return line


UNKNOWN = "-"  # who moved, where older files do not say


def mover(search: SearchStats) -> str:
    return UNKNOWN if search.seat is None else str(search.seat)


def by_seat(record: GameRecord) -> list[float | None]:
    """The seconds that the processor gave each seat's searches; None where it is not known."""
    found: list[float | None] = []
    for seat in range(len(record.seats)):
        known = [search.processor for search in record.searches if search.seat == seat]
        found.append(None if None in known else round(math.fsum(each or 0.0 for each in known), NANO))
    return found


def searches_in(line: dict[str, Any], place: int) -> tuple[SearchStats, ...]:
    """The searches of a game: its seats, nodes, and seconds, of which each seat's are spread over its moves evenly."""
    if "decisions" in line:  # of the first format
        return (SearchStats(0.0, 0, 0, None, 0.0, None),) * int(line["decisions"][place])
    movers: str = line["movers"][place]
    totals = {str(seat): total for seat, total in enumerate(line["processor"][place])}
    each = {}
    for who in set(movers):
        total = totals.get(who)
        seconds = None if total is None else total / movers.count(who)
        each[who] = (seconds or 0.0, seat_of(who), seconds)
    return tuple(
        SearchStats(each[who][0], nodes, 0, None, 0.0, None, *each[who][1:])
        for who, nodes in zip(movers, line["nodes"][place], strict=True)
    )


def seat_of(mover: str) -> int | None:
    return None if mover == UNKNOWN else int(mover)


def games_of(line: dict[str, Any]) -> tuple[Contest, list[GameRecord]]:
    contest, records = Contest.from_json(line["contest"]), []
    for place, (pair, game) in enumerate(line["number"]):
        searches = searches_in(line, place)
        forfeit, fault = line["faults"].get(str(place), (None, ""))
        records.append(
            GameRecord(
                pair,
                game,
                contest.seatings[game],
                contest.pair_seed(pair),
                tuple(line["steps"][place]),
                searches,
                tuple(line["utilities"][place]),
                forfeit,
                fault,
                line["finished_from"][place],
                line["seconds"][place],
            )
        )
    return contest, records


COLUMNS = [name for name in Measurement._fields if name != "position"]


def line_of_searches(study: Study, measured: list[Measurement]) -> dict[str, Any]:
    places: dict[str, int] = {}
    numbers = [places.setdefault(each.position, len(places)) for each in measured]
    columns = {name: [rounded(name, getattr(each, name)) for each in measured] for name in COLUMNS}
    if study.limits.time is None and measured:  # how long all took is enough
        columns["seconds"] = [0.0] * len(measured)
        known = [each.processor for each in measured if each.processor is not None]
        mean = math.fsum(known) / len(known) if known else None
        columns["processor"] = [mean and float(f"{mean:.3g}")] * len(measured)
    return {"study": study.to_json(), "positions": list(places), "position": numbers, "columns": columns}


def rounded(name: str, value: Any) -> Any:
    return round(value, DIGITS if name == "value" else CLOCK_DIGITS) if isinstance(value, float) else value


def searches_of(line: dict[str, Any]) -> tuple[Study, list[Measurement]]:
    study = Study.from_json(line["study"])
    positions = map(line["positions"].__getitem__, line["position"])
    columns = (line["columns"][name] for name in COLUMNS)
    return study, [*map(Measurement._make, zip(positions, *columns, strict=True))]


def read_export(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of an export, the first of which describes the run."""
    try:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            lines = map(json.loads, file)
            first = next(lines)
            if first.get("format") not in (FIRST, FORMAT):
                raise AstragalError(f"{path} is not an export of this version of the laboratory")
            yield first
            yield from lines
    except (lzma.LZMAError, EOFError, UnicodeDecodeError, json.JSONDecodeError, StopIteration, AttributeError) as error:
        raise AstragalError(f"{path} is not an export of a laboratory, or is damaged: {error}") from None
    except OSError as error:
        raise AstragalError(f"{path} cannot be read: {error.strerror}") from None


def take_export(notebook: Notebook, path: Path) -> None:
    """Add what an export holds to a notebook that lacks it."""
    first = False
    try:
        for line in read_export(path):
            if "format" in line:
                first = line["format"] == FIRST
                take_run(notebook, ExperimentRun(**line["run"] | {"size": Size(**line["run"]["size"])}))
            elif "contest" in line:
                contest, records = games_of(line)
                contest = replace(contest, versions=before_versions(contest.kinds)) if first else contest
                take_games(notebook, contest, records, f"from {path.name}")
            elif "derived" in line:
                take_derived(notebook, line["derived"], line["value"])
            else:
                study, measured = searches_of(line)
                study = replace(study, versions=before_versions([study.player])) if first else study
                notebook.add_measurements(notebook.enter_study(study), measured)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise AstragalError(f"{path} is damaged: {error}") from None


@cache
def families_of(player: str) -> tuple[str, ...]:
    """The families of searches that a player plays by, as far as there is such a player today."""
    try:
        return tuple(load_player(player).versions())
    except AstragalError:
        return ("a search",)


def before_versions(players: Iterable[str]) -> Versions:
    """What stands for the time before searches had versions: version 0 of each family."""
    return tuple((family, 0) for family in sorted({family for player in players for family in families_of(player)}))


def take_notebook(notebook: Notebook, other: Notebook) -> None:
    """Add what another notebook holds to one that lacks it, game by game and search by search."""
    for run in other.runs():
        take_run(notebook, run)
    for stored in other.contests():
        take_games(notebook, stored.contest, other.games(stored.id), f"from {other.path.name}")
    for key in other.derived_keys():
        take_derived(notebook, key, other.derived(key))
    for number, study in other.studies():
        notebook.add_measurements(notebook.enter_study(study), other.measurements(number))


def take_derived(notebook: Notebook, key: str, value: Any) -> None:
    """Add what was worked out elsewhere; of what is known here and there the longer, which is of more games."""
    known = notebook.derived(key)
    if known is None or len(str(known)) < len(str(value)):
        notebook.keep_derived(key, value)


def take_run(notebook: Notebook, run: ExperimentRun) -> None:
    if replace(run, id=0) not in [replace(known, id=0) for known in notebook.runs()]:
        notebook.add_run(run)


def take_games(notebook: Notebook, contest: Contest, records: Iterable[GameRecord], command: str) -> None:
    number = notebook.enter(contest)
    there = set(notebook.played(number))
    new = [record for record in records if record.number not in there]
    if new:
        notebook.add(number, notebook.begin_session(number, command), new)


def take(notebook: Notebook, path: Path) -> None:
    """Add what a notebook, an export, or a folder of exports holds."""
    if path.is_dir():
        files = sorted(path.glob(f"*{SUFFIX}"))
        if not files:
            raise AstragalError(f"{path} has no exports of a laboratory (*{SUFFIX})")
        for file in files:
            take_export(notebook, file)
    elif path.name.endswith(SUFFIX):
        take_export(notebook, path)
    else:
        with Notebook(path, must_exist=True) as other:
            take_notebook(notebook, other)
