"""A game as a file: the one format that the page, the terminal and the arena write and read (docs/game-files.md)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from astragal.algorithms.result import finite
from astragal.arena.contest import Contest, GameRecord
from astragal.arena.referee import replayed
from astragal.arena.store.overview import plies
from astragal.base.errors import LONGEST_SENTENCE, AstragalError, SpecError
from astragal.games import game_spec, load_game, load_kept_game
from astragal.rules.folder_files import part_of
from astragal.rules.position import Position

FORMAT, VERSION = "astragal game", 1
MAT, OF_MAT = ".mat", "backgammon"  # the ending of files of other programs, and the game that they are of
MOST_STEPS, LARGEST = 100_000, 20_000_000  # steps and characters of a file


@dataclass(frozen=True)
class GameFile:
    """A game that was played, or is being played: how it began, every step, and what was thought of some."""

    game: str
    start: str  # the notation of the first position
    steps: tuple[int, ...]  # every action and outcome, in order
    seats: tuple[str, ...]  # who played: a player's text, or `person`
    seed: int | None = None  # of the dice, where they were drawn from one
    thoughts: tuple[dict[str, Any] | None, ...] = ()  # for each step, what its player reported

    def rules(self) -> Any:
        return load_kept_game(self.game)

    def positions(self, game: Any = None) -> list[Position]:
        """All positions from the first to the last; a sentence where a step is against the rules."""
        rules = self.rules() if game is None else game
        found = [Position.parse(rules, self.start)]
        for ply, step in enumerate(self.steps, 1):
            position = found[-1]
            if step not in allowed(position):
                raise SpecError(f"step {ply} of the game, {step}, is not possible there")
            found.append(position.follow(step))
        return found

    def text(self, game: Any = None) -> str:
        """The file's text; every step has its name too, for people."""
        positions = self.positions(game)
        rows = []
        for ply, step in enumerate(self.steps):
            before = positions[ply]
            row: dict[str, Any] = {"number": step, "name": before.step_name(step)}
            if not before.is_chance:
                row["player"] = before.turn + 1
            if ply < len(self.thoughts) and self.thoughts[ply]:
                row["thought"] = finite(self.thoughts[ply])
            rows.append(row)
        last = positions[-1]
        told = {
            "format": FORMAT,
            "version": VERSION,
            "game": self.game,
            "seats": list(self.seats),
            "seed": self.seed,
            "start": self.start,
            "result": list(last.utilities()) if last.is_terminal else None,
        }
        lines = ",\n    ".join(json.dumps(row, ensure_ascii=False) for row in rows)
        head = json.dumps(told, ensure_ascii=False, indent=2)[:-2]
        return f'{head},\n  "steps": [\n    {lines}\n  ]\n}}\n' if rows else f'{head},\n  "steps": []\n}}\n'

    def mat(self, game: Any = None) -> str:
        """The text of a `.mat` file, which other programs for Backgammon read."""
        positions = self.positions(game)
        return mat_of(positions[0].game).to_mat(positions, self.steps, self.seats)  # type: ignore[no-any-return]

    def write(self, path: Path) -> None:
        """Write the file; one that ends in `.mat` for other programs."""
        try:
            path.write_text(self.mat() if path.suffix.lower() == MAT else self.text(), encoding="utf-8")
        except OSError as error:
            raise AstragalError(f"cannot write {path}: {error.strerror or error}") from None


def allowed(position: Position) -> Sequence[int]:
    """The steps that are possible at a position."""
    if position.is_chance:
        return [outcome.number for outcome in position.outcomes()]
    return [] if position.is_terminal else position.actions()


def read_game(path: Path) -> GameFile:
    """The game of a file, or a sentence on what is wrong with it."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SpecError(f"cannot read {path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise SpecError(f"{path} is not a game: it is not text") from None
    return parse_mat(text, str(path)) if path.suffix.lower() == MAT else parse_game(text, str(path))


def parse_mat(text: str, what: str = "the file") -> GameFile:
    """The first game of a `.mat` file's text."""
    if len(text) > LARGEST:
        raise SpecError(f"{what} is too large for a game")
    start = Position.start(load_game(OF_MAT))
    try:
        steps, names = mat_of(start.game).from_mat(text, start)
    except SpecError as error:
        raise SpecError(f"{what}: {error}") from None
    return game_file(start, steps, names)


def mat_of(game: Any) -> Any:
    """What reads and writes `.mat` files."""
    found = part_of(type(game), "mat")
    if found is None:
        raise SpecError(
            f"{MAT} files are for {OF_MAT}, not for {game_spec(game)}; leave the ending out, or write .json"
        )
    return found


def parse_game(text: str, what: str = "the file") -> GameFile:
    """The game of a file's text."""
    if len(text) > LARGEST:
        raise SpecError(f"{what} is too large for a game")
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        raise SpecError(f"{what} is not a game: it is not JSON") from None
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        raise SpecError(f'{what} is not a game: it does not say "format": "{FORMAT}"')
    if told.get("version") != VERSION:
        raise SpecError(f"{what} has version {str(told.get('version'))[:20]}; this Astragal reads {VERSION}")
    try:
        return from_dict(told)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        reason = f"it has no {error}" if isinstance(error, KeyError) else str(error)
        raise SpecError(f"{what} is not a game: {reason[:LONGEST_SENTENCE]}") from None


def from_dict(told: dict[str, Any]) -> GameFile:
    rows = told["steps"]
    if not isinstance(rows, list) or len(rows) > MOST_STEPS:
        raise ValueError("its steps are not a list, or too many")
    seats, seed = told["seats"], told.get("seed")
    if not isinstance(told["game"], str) or not isinstance(told["start"], str):
        raise ValueError("game and start are texts")
    if not isinstance(seats, list) or not all(isinstance(seat, str) for seat in seats):
        raise ValueError("seats are a list of texts")
    if seed is not None and (not isinstance(seed, int) or isinstance(seed, bool)):
        raise ValueError("a seed is a whole number")
    numbers = [row["number"] for row in rows]
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in numbers):
        raise ValueError("the number of a step is a whole number")
    thoughts = tuple(row.get("thought") for row in rows)
    if not all(thought is None or isinstance(thought, dict) for thought in thoughts):
        raise ValueError("a thought is a record")
    return GameFile(told["game"], told["start"], tuple(numbers), tuple(seats), seed, thoughts)


def of_record(contest: Contest, record: GameRecord) -> GameFile:
    """A game of a contest."""
    positions = replayed(contest, record)
    rows = plies(contest, record, positions)
    names = ("value", "depth", "nodes", "seconds")
    thoughts = [
        None if row["player"] is None else {"player": row["kind"]} | {name: row[name] for name in names} for row in rows
    ]
    seats = [contest.kinds[kind] for kind in record.seats]
    steps = record.steps[: len(positions) - 1]
    return game_file(positions[0], steps, seats, seed=record.seed, thoughts=tuple(thoughts))


def game_file(start: Position, steps: Sequence[int], seats: Sequence[str], **more: Any) -> GameFile:
    """A file of a game that began at a position."""
    return GameFile(game_spec(start.game), start.text, tuple(steps), tuple(seats), **more)
