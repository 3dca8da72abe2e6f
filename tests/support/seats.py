"""Positions of every game that lists inputs with the players' seats exchanged, by the games' texts and nothing else.

`SEATED` has a function for each game: of the words of a text, the number of players, and the number of seats that
everybody moves on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from astragal.games import game_name
from astragal.games.chinese_checkers.board import CORNERS, star
from astragal.rules.position import Position

Words = list[str]


def moved_on(player: str, players: int, seats: int) -> str:
    """The number of a player, who is counted from 1, this many seats further."""
    return str((int(player) - 1 + seats) % players + 1)


def rotated(items: Sequence[Any], seats: int) -> list[Any]:
    """What each seat has, after everybody has moved on."""
    return [*items[-seats:], *items[:-seats]]


def kalah(words: Words, players: int, seats: int) -> Words:
    return [*rotated(words[:2], seats), moved_on(words[2], players, seats)]


def pig(words: Words, players: int, seats: int) -> Words:
    return [*rotated(words[:2], seats), words[2], moved_on(words[3], players, seats), words[4]]


def cant_stop(words: Words, players: int, seats: int) -> Words:
    return [*rotated(words[:players], seats), words[players], moved_on(words[-2], players, seats), words[-1]]


def backgammon(words: Words, players: int, seats: int) -> Words:
    """The board is written as the player to move sees it."""
    return [words[0], moved_on(words[1], players, seats), *words[2:]]


def ewn(words: Words, players: int, seats: int) -> Words:
    """The board turned by 180 degrees and the colours exchanged."""
    board = words[0][::-1].translate(str.maketrans("123456abcdef", "abcdef123456"))
    return [board, moved_on(words[1], players, seats), *words[2:]]


def ra(words: Words, players: int, seats: int) -> Words:
    numbers = slice(8, 9 if words[7] in ("turn", "gods", "draw") else 10)
    players_then = [moved_on(word, players, seats) for word in words[numbers]]
    return [*words[:4], *rotated(words[4:6], seats), *words[6:8], *players_then, *words[numbers.stop :]]


def focus(words: Words, players: int, seats: int) -> Words:
    """No player has a side of the board: it is enough to exchange the men."""
    names = str.maketrans({str(p + 1): moved_on(str(p + 1), players, seats) for p in range(players)})
    captures = words[2]
    if captures != "-":
        captures = "/".join(",".join(rotated(row.split(","), seats)) for row in rotated(captures.split("/"), seats))
    reserves = ",".join(rotated(words[1].split(","), seats))
    return [words[0].translate(names), reserves, captures, words[3].translate(names), words[4]]


@cache
def turned_cells(side: int, turns: int) -> list[int]:
    """The number of each cell of a star, and of the cell where it comes to lie after `turns` by 60 degrees."""
    cells = star(side)
    found = []
    for x, y in cells:
        a, b, c = x, y, -x - y
        for _ in range(turns):
            a, b, c = -c, -a, -b
        found.append(cells.index((a, b)))
    return found


def chinese_checkers(words: Words, players: int, seats: int) -> Words:
    """The star turned by as much as brings everybody's corner to that of the seat."""
    rows = words[0].split("/")
    names = {str(p + 1): moved_on(str(p + 1), players, seats) for p in range(players)} | {".": "."}
    men, there = "".join(rows), [""] * len("".join(rows))
    for cell, to in enumerate(turned_cells(len(rows) // 4, CORNERS[players][seats])):
        there[to] = names[men[cell]]
    letters = iter(there)
    board = "/".join("".join(next(letters) for _ in row) for row in rows)
    return [board, names[words[1]], *words[2:]]


SEATED: dict[str, Callable[[Words, int, int], Words]] = {
    each.__name__: each for each in (kalah, pig, cant_stop, backgammon, ewn, ra, focus, chinese_checkers)
}


def seats_of_a_turn(game: Any) -> int:
    """The least number of seats after which the board looks the same: two where four play Chinese Checkers."""
    return 2 if game_name(game) == "chinese_checkers" and game.players == 4 else 1


def seated(position: Position) -> Position:
    """The position with everybody moved on by `seats_of_a_turn`."""
    game = position.game
    words = SEATED[game_name(game)](position.text.split(), game.players, seats_of_a_turn(game))
    return Position.parse(game, " ".join(words))
