"""Can't Stop in words and in one line: names of actions and rolls, positions as texts, what is wrong with a text."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from astragal.games.cant_stop.rules import OVER, RUNNERS, TO_DECIDE, TO_ROLL
from astragal.games.cant_stop.tables import FIELDS, dice_tables, packed_spaces, spaces

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        column_winner: Any
        columns: Any
        decode: Any
        faces: Any
        goal: Any
        mover: Any
        playable: Any
        players: Any
        runner_at: Any
        sides: Any
        sums: Any
        top: Any
        won: Any
else:
    Rest = object

LETTERS = "ABCD"


class CantStopNotation(Rest):
    """Names, texts and the picture in text."""

    def action_name(self, state, action):
        what, columns = self.decode(state, action)
        return "+".join(map(str, columns)) or what

    def outcome_name(self, state, outcome):
        return "".join(map(str, self.faces(outcome)))

    def show(self, state):
        """Each column from its bottom to its top; A to D are the players' markers, * is a runner."""
        lines = []
        for column in range(self.columns):
            here = [spaces(state.markers[player], column) for player in range(self.players)]
            runner = self.runner_at(state, column)
            cells = []
            for space in range(1, self.top[column] + 1):
                standing = "".join(LETTERS[player] for player in range(self.players) if here[player] == space)
                cells.append(standing + ("*" if runner == space else "") or ".")
            winner = self.column_winner(state, column)
            won = f"won by {LETTERS[winner]}" if winner is not None else ""
            lines.append(f"{column + 2:2d}  {''.join(f'{cell:<3}' for cell in cells)}{won}".rstrip())
        if state.roll != OVER:
            who = f"turn {state.turn + 1}" if self.players == 1 else f"player {state.turn + 1} ({LETTERS[state.turn]})"
            phase = {TO_ROLL: "to roll", TO_DECIDE: "to roll again or stop"}
            dice = phase[state.roll] if state.roll in phase else "rolled " + self.outcome_name(state, state.roll)
            lines.append(f"{who} {dice}")
        return "\n".join(lines)

    def to_text(self, state):
        """``6:3,7:2 8:1 7:4 1 decide``: the spaces of each player's markers, those of the runners, the player to move,
        and what is next: roll, decide, the four dice, or over. None is written ``-``.

        Alone, the number of turns taken stands for the player.
        """
        me = self.mover(state)
        climbed = state.climbed + (state.markers[me] & FIELDS[state.placed])
        words = [self.spaces_text(state.markers[player]) for player in range(self.players)]
        phase = {TO_ROLL: "roll", TO_DECIDE: "decide", OVER: "over"}
        now = phase[state.roll] if state.roll in phase else self.outcome_name(state, state.roll)
        number = state.turn if self.players == 1 else state.turn + 1
        return " ".join([*words, self.spaces_text(climbed), str(number), now])

    def spaces_text(self, packed):
        spots = [f"{c + 2}:{spaces(packed, c)}" for c in range(self.columns) if spaces(packed, c)]
        return ",".join(spots) or "-"

    def from_text(self, state, text):
        words = text.split()
        players = self.players
        numbers = range(201) if players == 1 else range(1, players + 1)
        if len(words) != players + 3 or words[players + 1] not in map(str, numbers):
            example = " ".join([*["6:3,7:2", "8:1", "-", "-"][:players], "7:4", "1", "decide"])
            number = "turns taken" if players == 1 else f"player(1-{players})"
            raise ValueError(f"write the markers of each player, runners, {number}, what is next, such as '{example}'")
        markers = [self.parse_spaces(word) for word in words[:players]]
        runners = self.parse_spaces(words[players])
        self.place_markers(state, markers)
        state.turn = int(words[players + 1]) - (players > 1)
        self.place_runners(state, markers[self.mover(state)], runners)
        self.set_phase(state, words[-1])

    def parse_spaces(self, word):
        """``6:3,7:2`` as a dictionary of columns, from 0, and spaces."""
        spots = {}
        for spot in word.split(",") if word != "-" else []:
            column, _, space = spot.partition(":")
            if not column.isdecimal() or not space.isdecimal():
                raise ValueError(f"'{spot}' is not column:space; write them as in 6:3,7:2, or - for none")
            c = int(column) - 2
            if not 0 <= c < self.columns:
                raise ValueError(f"there is no column {column}; columns are 2 to {self.columns + 1}")
            if not 1 <= int(space) <= self.top[c]:
                raise ValueError(f"column {column} has spaces 1 to {self.top[c]}, not {space}")
            if c in spots:
                raise ValueError(f"column {column} is written twice in {word}")
            spots[c] = int(space)
        return spots

    def place_markers(self, state, markers):
        for player, spots in enumerate(markers):
            state.markers[player] = sum(packed_spaces(space, c) for c, space in spots.items())
            for c, space in spots.items():
                if space == self.top[c]:
                    state.closed |= 1 << c
                    if sum(c in other for other in markers) > 1:
                        raise ValueError(f"column {c + 2} is won, so no other player can have a marker there")

    def place_runners(self, state, mine, runners):
        if len(runners) > RUNNERS:
            raise ValueError(f"there are {RUNNERS} runners, not {len(runners)}")
        for c, space in runners.items():
            if state.closed >> c & 1:
                raise ValueError(f"column {c + 2} is won, so no runner can be there")
            if space <= mine.get(c, 0):
                raise ValueError(f"the runner in column {c + 2} must be above the player's marker")
            state.climbed += packed_spaces(space - mine.get(c, 0), c)
            state.placed |= 1 << c
            state.topped |= (space == self.top[c]) << c

    def set_phase(self, state, word):
        """What is next, if it fits the markers and runners."""
        winners = [player for player in range(self.players) if self.won(state, player) >= self.goal]
        if (word == "over") != (winners == [self.mover(state)]) or (winners and word != "over"):
            raise ValueError(f"the game is over if and only if the player named has won {self.goal} columns")
        if word == "over" and state.placed:
            raise ValueError("the game is over and no runner is left on the board")
        if word == "decide" and not state.placed:
            raise ValueError("a turn begins with a roll; to decide, a runner must be on the board")
        if word in ("roll", "decide", "over"):
            state.roll = {"roll": TO_ROLL, "decide": TO_DECIDE, "over": OVER}[word]
            return
        rolls = dice_tables(self.sides)[0]
        faces = tuple(sorted(int(face) for face in word)) if word.isdecimal() else ()
        if faces not in rolls:
            raise ValueError(f"what is next is roll, decide, over or four dice from 1 to {self.sides}, such as 1122")
        state.roll = rolls.index(faces)
        if self.sums[state.roll] & self.playable(state) == 0:
            raise ValueError(f"the roll {word} is a bust, so the turn is over")
