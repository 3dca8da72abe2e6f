"""Games of Backgammon as `.mat` files, which GNU Backgammon and other programs read and write.

A file is a match; of one with several games the first is read. Cubes are not: the game is played without one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from astragal.base.errors import SpecError
from astragal.games.backgammon.rules import BAR, OFF, OPENING, PLACES
from astragal.rules.position import Position

COLUMN = 34  # where the second player's column begins
PLAY = re.compile(r"\b([1-6])([1-6]):(.*?)(?=\s\b[1-6][1-6]:|$)")
PART = re.compile(r"(bar|\d+)((?:/(?:off|\d+)\*?)+)(?:\((\d)\))?", re.IGNORECASE)
ROW = re.compile(r"^\s*\d+\)")
CUBE = re.compile(r"\b(doubles|takes|drops)\b", re.IGNORECASE)


def to_mat(positions: Sequence[Position], steps: Sequence[int], seats: Sequence[str]) -> str:
    """The text of a file with one game, played from the start of the game."""
    if positions[0] != Position.start(positions[0].game):
        raise SpecError("a .mat file holds games from their start; this one began at another position")
    cells: list[tuple[int, str]] = []  # the player and the text of each play
    for ply, (before, step) in enumerate(zip(positions, steps, strict=False)):
        if not before.is_chance:
            high, low = sorted(map(int, before.state.dice), reverse=True)
            cells.append((before.turn, f"{high}{low}: {play_text(before.action_name(step))}"))
        elif ply == len(steps) - 1:
            break  # a roll after which nothing was played
    lines = [" 0 point match", "", " Game 1", f" {name_of(seats[0]) + ' : 0':<{COLUMN - 1}}{name_of(seats[1])} : 0"]
    row = ""
    number = 0
    for player, text in cells:
        if player == 0 or not row:
            number += 1
            row = f"{number:>3}) {text if player == 0 else '':<{COLUMN - 5}}"
            lines.append(row.rstrip())
        if player == 1:
            lines[-1] = f"{row}{text}"
            row = ""
    if positions[-1].is_terminal:
        won = positions[-1].utilities()
        points = f"Wins {abs(won[0]):g} point{'' if abs(won[0]) == 1 else 's'}"
        lines.append(f"{'' if won[0] > 0 else ' ' * (COLUMN - 6)}      {points}")
    return "\n".join([*lines, ""])


def name_of(seat: str) -> str:
    """A player's name as such files have it: without spaces and colons, which mean something there."""
    return re.sub(r"[\s:]+", "_", seat)[:24] or "player"


def play_text(name: str) -> str:
    return "Cannot Move" if name == "pass" else name.replace(",", " ")


def from_mat(text: str, start: Position) -> tuple[list[int], list[str]]:
    """The steps of the first game of a file, and the names of the players."""
    games = re.split(r"(?m)^\s*Game\s+\d+\s*$", text)
    if len(games) < 2:
        raise SpecError("the file has no line 'Game 1', as .mat files have")
    lines = [line.expandtabs() for line in games[1].splitlines() if line.strip()]
    names = re.findall(r"(\S[^:]*?)\s*:\s*\d+", lines[0]) if lines else []
    if len(names) != 2:
        raise SpecError("the file does not name two players below 'Game 1'")
    steps: list[int] = []
    position = start
    for line in filter(ROW.match, lines[1:]):
        if CUBE.search(line):
            raise SpecError(f"the game has a doubling cube ('{line.strip()[:60]}'); games without one are read")
        body = ROW.sub(lambda found: " " * len(found[0]), line, count=1)
        for found in PLAY.finditer(body):
            if position.is_terminal:
                raise SpecError(f"the game is over before '{found[0].strip()[:60]}'")
            second = found.start() > COLUMN // 2 if position.state.phase == OPENING else bool(position.state.turn)
            roll = rolled(position, int(found[1]), int(found[2]), second)
            position, steps = position.follow(roll), [*steps, roll]
            played = played_action(position, found[3], found[0].strip())
            position, steps = position.follow(played), [*steps, played]
    return steps, names


def rolled(position: Position, one: int, other: int, second: bool) -> int:
    """The outcome with these dice; at the opening, with this player to begin."""
    for outcome in position.outcomes():
        after = position.follow(outcome.number)
        if sorted(map(int, after.state.dice)) == sorted((one, other)) and bool(after.state.turn) == second:
            return outcome.number
    raise SpecError(f"{one}{other} cannot be rolled there")


def played_action(position: Position, text: str, told: str) -> int:
    """The action that leads where the text says; of several, the one with as many hits."""
    mover = position.turn
    own = [int(men) for men in position.state.men[mover * PLACES : (mover + 1) * PLACES]]
    for source, ways, times in PART.findall(text):
        count = int(times or 1)
        own[place_of(source)] -= count
        own[place_of(ways.rstrip("*").split("/")[-1])] += count
    fitting = []
    for action in position.actions():
        men = position.follow(action).state.men
        if [int(each) for each in men[mover * PLACES : (mover + 1) * PLACES]] == own:
            fitting.append((abs(position.action_name(action).count("*") - text.count("*")), action))
    if not fitting:
        raise SpecError(f"'{told[:60]}' is no legal play at '{position.text}'")
    return min(fitting)[1]


def place_of(word: str) -> int:
    """A point as the mover numbers it, the bar or off, as a place."""
    lower = word.lower().rstrip("*")
    if lower in ("bar", "25"):
        return BAR
    place = OFF if lower in ("off", "0") else OFF - int(lower)
    if not BAR < place <= OFF:
        raise SpecError(f"there is no point {word[:20]}")
    return place
