"""The data behind the report, for programs: every game and every search of an experiment as a row.

    >>> from astragal.lab import load
    >>> searches = load("mcms-table1-sums")  # doctest: +SKIP
    >>> games = load("mcms-table1-sums", "games")  # doctest: +SKIP

`docs/results/data/README.md` describes the columns. A file is compared with its checksum before it is read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from astragal.arena.contest import Contest, GameRecord
from astragal.base.errors import AstragalError, SpecError, suggest
from astragal.base.frames import frame
from astragal.lab.exports import SUFFIX, games_of, read_export, searches_of

CHECKSUMS = "SHA256SUMS"
KINDS = ("games", "searches")


def data_folder() -> Path:
    """The data of the repository that the package is in, if it is in one."""
    return Path(__file__).parents[3] / "docs" / "results" / "data"


def load(name: str, kind: str = "", folder: Path | str | None = None) -> Any:
    """The searches of an experiment, or its games: a data frame where pandas or polars is installed, else dictionaries.

    Without a kind it is searches where there are any, and games otherwise.
    """
    if kind not in ("", *KINDS):
        raise SpecError(f"there are {' and '.join(KINDS)}, not '{kind}'{suggest(kind, KINDS)}")
    here = Path(folder) if folder is not None else data_folder()
    path = here / f"{name}{SUFFIX}"
    if not path.is_file():
        known = [each.name.removesuffix(SUFFIX) for each in sorted(here.glob(f"*{SUFFIX}"))]
        raise SpecError(f"{here} has no data of '{name}'{suggest(name, known)}")
    check_sum(path)
    rows = {each: [row for line in read_export(path) for row in rows_of(line, each)] for each in KINDS}
    chosen = rows[kind or ("searches" if rows["searches"] else "games")]
    try:
        return frame(chosen)
    except AstragalError:  # neither library is there
        return chosen


def rows_of(line: dict[str, Any], kind: str) -> Iterator[dict[str, Any]]:
    """The rows of one line of an export that are of a kind."""
    if kind == "games" and "contest" in line:
        contest, records = games_of(line)
        yield from (row_of_game(contest, record) for record in records)
    elif kind == "searches" and "study" in line:
        study, measured = searches_of(line)
        about = {"game": study.game, "player": study.player, "versions": words(study.versions)}
        yield from (about | each._asdict() for each in measured)


def words(versions: Iterable[tuple[str, int]]) -> str:
    return " ".join(f"{family}={version}" for family, version in versions)


def row_of_game(contest: Contest, record: GameRecord) -> dict[str, Any]:
    """A game: who played it, from which seed, its steps and result, and what each kind of player spent."""
    row: dict[str, Any] = {
        "contest": contest.key,
        "game": contest.game,
        "players": " - ".join(contest.kinds),
        "versions": words(contest.versions),
        "pair": record.pair,
        "number": record.game,
        "seats": list(record.seats),
        "seed": record.seed,
        "steps": list(record.steps),
        "utilities": list(record.utilities),
        "score": record.score_of(0),
        "decisions": len(record.searches),
        "finished_from": record.finished_from,
        "seconds": record.seconds,
    }
    for kind in range(len(contest.kinds)):
        own = [each for each in record.searches if each.seat is not None and record.seats[each.seat] == kind]
        row[f"nodes_{kind + 1}"] = sum(each.nodes for each in own)
        row[f"processor_{kind + 1}"] = sum(each.processor or 0.0 for each in own)
    return row


def write_checksums(folder: Path) -> None:
    """A line for each file of data, as ``sha256sum`` writes it."""
    files = sorted(folder.glob(f"*{SUFFIX}"))
    lines = [f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")


def check_sum(path: Path) -> None:
    """Refuse a file that is not the one whose checksum lies beside it."""
    file = path.parent / CHECKSUMS
    if not file.is_file():
        return
    sums = dict(line.split()[::-1] for line in file.read_text(encoding="utf-8").splitlines())
    if sums.get(path.name) != sha256(path.read_bytes()).hexdigest():
        raise AstragalError(f"{path} is not the file whose checksum is in {file.name}")
