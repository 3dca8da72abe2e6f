"""EinStein würfelt nicht! in words and in one line: names of moves, positions as texts, what is wrong with a text."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from astragal.games.ewn.board import LETTERS, NO_CUBE, OVER, SIDE, TO_ROLL, board_of, square_name

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        clear: Any
        decode: Any
        has_won: Any
        place: Any
else:
    Rest = object


class EWNNotation(Rest):
    """Names, texts and the picture in text."""

    def action_name(self, state, action):
        cube, _, to = self.decode(state, action)
        return f"{cube % 6 + 1}{'-' if board_of(state)[to] == NO_CUBE else 'x'}{square_name(to)}"

    def outcome_name(self, state, outcome):
        return str(outcome + 1)

    def show(self, state):
        rows, board = [], board_of(state)
        for row in range(SIDE):
            cells = [LETTERS[board[SIDE * row + column]] for column in range(SIDE)]
            rows.append(f"{SIDE - row}  {' '.join(cells)}")
        rows.append("   a b c d e")
        if state.die != OVER:
            die = "to roll" if state.die == TO_ROLL else f"rolled {state.die + 1}"
            rows.append(f"player {state.turn + 1} ({'123456' if state.turn == 0 else 'a-f for 1-6'}) {die}")
        return "\n".join(rows)

    def to_text(self, state):
        """``123../45.../6...f/...ed/..cba 1 3``: rows from the top, player to move, die (- if still to be rolled).

        Cubes of player 1 are 1 to 6; a to f are those of player 2.
        """
        letters = "".join(LETTERS[cube] for cube in board_of(state))
        rows = [letters[SIDE * row : SIDE * row + SIDE] for row in range(SIDE)]
        die = "-" if state.die >= TO_ROLL else str(state.die + 1)
        return f"{'/'.join(rows)} {state.turn + 1} {die}"

    def from_text(self, state, text):
        words = text.split()
        if len(words) == 2:
            words.append("-")
        if len(words) != 3 or words[1] not in ("1", "2") or words[2] not in tuple("-123456"):
            raise ValueError("write rows player(1|2) die(1-6 or -), such as '123../45.../6...f/...ed/..cba 1 3'")
        rows = words[0].split("/")
        if len(rows) != SIDE or any(len(row) != SIDE for row in rows):
            raise ValueError("the board has five rows of five squares, from the top, with a / between them")
        squares = "".join(rows)
        if any(letter not in LETTERS for letter in squares):
            raise ValueError("squares are 1 to 6 for the first player's cubes, a to f for the second's, . for empty")
        if any(squares.count(letter) > 1 for letter in LETTERS[:12]):
            raise ValueError("each cube can be on the board only once")
        self.clear(state)
        state.turn = int(words[1]) - 1
        for square, letter in enumerate(squares):
            if letter != ".":
                self.place(state, LETTERS.index(letter), square)
        winners = [player for player in range(2) if self.has_won(state, player)]
        if winners not in ([], [1 - state.turn]):
            raise ValueError("a player who has won cannot be the one to move")
        if winners and words[2] != "-":
            raise ValueError("the game is over and no die can be rolled")
        state.die = OVER if winners else TO_ROLL if words[2] == "-" else int(words[2]) - 1
