"""What a notebook holds, as small compressed files that can be kept in a repository, and merged game by game.

A file has what one experiment is reported from: lines of JSON under xz. Of a game it has the steps and the result,
which is all that a report needs and what a replay is made from; what players thought on the way is left out, but for
the seconds where those were the limit. Values of searches are rounded to a thousandth.

A game or search depends on its contest or study and its number alone, so those of several notebooks add up to one
larger run. Where two have the same, the first one's is kept.
"""

from __future__ import annotations

import json
import lzma
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from astragal.arena.contest import Contest
from astragal.arena.record import GameRecord, SearchStats
from astragal.errors import AstragalError
from astragal.lab.experiment import Experiment
from astragal.lab.laboratory import Laboratory, Searches
from astragal.lab.notebook import ExperimentRun, Notebook
from astragal.lab.size import Size
from astragal.lab.study import Measurement, Study

SUFFIX = ".jsonl.xz"
FORMAT = "astragal laboratory, version 1"
DIGITS, CLOCK_DIGITS = 3, 6  # of values, and of seconds where they count


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
        number = notebook.contest_number(contest.key)
        if number is not None:
            lines.append(line_of_games(contest, list(notebook.games(number))))
    for study in noting.studies.values():
        found = notebook.study_number(study)
        if found is not None:
            lines.append(line_of_searches(study, notebook.measurements(found)))
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
        "decisions": [len(record.searches) for record in records],
        "finished_from": [record.finished_from for record in records],
        "faults": {str(place): [r.forfeit, r.fault] for place, r in enumerate(records) if r.forfeit is not None},
        "seconds": [round(record.seconds, DIGITS) for record in records],
    }
    if contest.limits.time is not None:
        line["timed"] = [[timed(search) for search in record.searches] for record in records]
    return line


def timed(search: SearchStats) -> list[float | int | None]:
    processor = None if search.processor is None else round(search.processor, CLOCK_DIGITS)
    return [search.seat, round(search.seconds, CLOCK_DIGITS), processor]


def games_of(line: dict[str, Any]) -> tuple[Contest, list[GameRecord]]:
    contest, records = Contest.from_json(line["contest"]), []
    for place, (pair, game) in enumerate(line["number"]):
        searches = (
            tuple(
                SearchStats(seconds, 0, 0, None, 0.0, None, seat, processor)
                for seat, seconds, processor in line["timed"][place]
            )
            if "timed" in line
            else (SearchStats(0.0, 0, 0, None, 0.0, None),) * line["decisions"][place]
        )
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


COLUMNS = [each.name for each in fields(Measurement) if each.name != "position"]


def line_of_searches(study: Study, measured: list[Measurement]) -> dict[str, Any]:
    places: dict[str, int] = {}
    numbers = [places.setdefault(each.position, len(places)) for each in measured]
    columns = {name: [rounded(name, getattr(each, name)) for each in measured] for name in COLUMNS}
    if study.limits.time is None:  # then nobody asks how long they took
        columns["seconds"] = [0.0] * len(measured)
        columns["processor"] = [None] * len(measured)
    return {"study": study.to_json(), "positions": list(places), "position": numbers, "columns": columns}


def rounded(name: str, value: Any) -> Any:
    return round(value, DIGITS if name == "value" else CLOCK_DIGITS) if isinstance(value, float) else value


def searches_of(line: dict[str, Any]) -> tuple[Study, list[Measurement]]:
    study = Study.from_json(line["study"])
    rows = zip(line["position"], *(line["columns"][name] for name in COLUMNS), strict=True)
    return study, [Measurement(line["positions"][place], *rest) for place, *rest in rows]


def read_export(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of an export, the first of which tells of the run."""
    try:
        with lzma.open(path, "rt", encoding="utf-8") as file:
            lines = map(json.loads, file)
            first = next(lines)
            if first.get("format") != FORMAT:
                raise AstragalError(f"{path} is no export of this version of the laboratory")
            yield first
            yield from lines
    except (lzma.LZMAError, EOFError, UnicodeDecodeError, json.JSONDecodeError, StopIteration, AttributeError) as error:
        raise AstragalError(f"{path} is no export of a laboratory, or damaged: {error}") from None
    except OSError as error:
        raise AstragalError(f"{path} cannot be read: {error.strerror}") from None


def take_export(notebook: Notebook, path: Path) -> None:
    """Add what an export holds to a notebook that lacks it."""
    try:
        for line in read_export(path):
            if "format" in line:
                take_run(notebook, ExperimentRun(**line["run"] | {"size": Size(**line["run"]["size"])}))
            elif "contest" in line:
                take_games(notebook, *games_of(line), f"from {path.name}")
            else:
                study, measured = searches_of(line)
                notebook.add_measurements(notebook.enter_study(study), measured)
    except (KeyError, ValueError, TypeError, IndexError) as error:
        raise AstragalError(f"{path} is damaged: {error}") from None


def take_notebook(notebook: Notebook, other: Notebook) -> None:
    """Add what another notebook holds to one that lacks it, game by game and search by search."""
    for run in other.runs():
        take_run(notebook, run)
    for stored in other.contests():
        take_games(notebook, stored.contest, other.games(stored.id), f"from {other.path.name}")
    for number, study in other.studies():
        notebook.add_measurements(notebook.enter_study(study), other.measurements(number))


def take_run(notebook: Notebook, run: ExperimentRun) -> None:
    if replace(run, id=0) not in [replace(known, id=0) for known in notebook.runs()]:
        notebook.add_run(run)


def take_games(notebook: Notebook, contest: Contest, records: Iterable[GameRecord], command: str) -> None:
    number = notebook.enter(contest)
    there = notebook.played(number)
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
