"""Chinese Checkers in words and in one line: names of moves, positions as texts, and what is wrong with a text."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from astragal.games.chinese_checkers.board import cell_names, spot_of, star
from astragal.rules.one_winner import DRAWN

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        decode: Any
        each: Any
        is_home: Any
        max_plies: Any
        one_is_enough: Any
        owner: Any
        players: Any
        side: Any
        standing_in_words: Any
        tip_distance: Any
else:
    Rest = object


class ChineseCheckersNotation(Rest):
    """Names, texts and the picture in text."""

    def action_name(self, state, action):
        move = self.decode(state, action)
        if move is None:
            return "pass"
        names = cell_names(self.side)
        return f"{names[move.source]}-{names[move.to]}"

    def rows(self, state):
        """Each row of the star, from the top, with a digit for a man and a dot for an empty cell."""
        lines: list[list[str]] = [[] for _ in range(4 * self.side + 1)]
        for x, y in star(self.side):
            owner = self.owner(state, spot_of(x, y))
            lines[2 * self.side - x - y].append("." if owner is None else str(owner + 1))
        return lines

    def show(self, state):
        rows = self.rows(state)
        widest = max(map(len, rows))
        lines = [f"{number:2d} {' ' * (widest - len(row))}{' '.join(row)}" for number, row in enumerate(rows)]
        return "\n".join([*lines, self.standing_in_words(state)])

    def to_text(self, state):
        """``1/11/111/........../..... 1 0``: rows from the top, player to move, plies played."""
        return f"{'/'.join(''.join(row) for row in self.rows(state))} {state.turn + 1} {state.plies}"

    def from_text(self, state, text):
        words = text.split()
        if len(words) == 2:
            words.append("0")
        if len(words) != 3 or not words[2].isdecimal():
            raise ValueError("write rows player plies, such as the text of the starting position")
        if words[1] not in [str(player + 1) for player in range(self.players)]:
            raise ValueError(f"the player to move is a number from 1 to {self.players}, not '{words[1]}'")
        if int(words[2]) > self.max_plies:
            raise ValueError(f"the game is drawn after {self.max_plies} plies")
        self.read_rows(state, words[0].split("/"))
        state.turn, state.plies = int(words[1]) - 1, int(words[2])
        self.find_result(state)

    def read_rows(self, state, rows):
        lengths = [len(row) for row in self.rows(state)]
        if [len(row) for row in rows] != lengths:
            raise ValueError(f"the star has rows of {', '.join(map(str, lengths))} cells, with a / between them")
        digits = "123456"[: self.players]
        for (x, y), letter in zip(star(self.side), "".join(rows), strict=True):
            if letter not in digits + ".":
                raise ValueError(f"a cell is . or a player from 1 to {self.players}, not '{letter}'")
            if letter != ".":
                player, spot = int(letter) - 1, spot_of(x, y)
                state.men[player, spot >> 6] |= 1 << (spot & 63)
                state.distance[player] += self.tip_distance[player, spot]
        for player, digit in enumerate(digits):
            if "".join(rows).count(digit) > self.each:
                raise ValueError(f"player {player + 1} has {''.join(rows).count(digit)} men; the game has {self.each}")

    def find_result(self, state):
        """Whether the game is over, and who has won."""
        home = [player for player in range(self.players) if self.is_home(state, player)]
        if len(home) > 1 and not self.one_is_enough:
            raise ValueError("only one player can have filled the goal")
        before = (state.turn - 1) % self.players
        if home:
            state.result = min(home, key=lambda player: (player - before) % self.players) + 1
        elif state.plies >= self.max_plies:
            state.result = DRAWN
