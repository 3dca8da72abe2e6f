"""Backgammon in words and in one line: turns as players write them, position ids, the board as text."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, Any

from astragal.games.backgammon.dice import ROLLS, SECOND
from astragal.games.backgammon.rules import BAR, DECIDE, MEN, OFF, OPENING, PLACES, ROLL

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        decode: Any
else:
    Rest = object


class BackgammonNotation(Rest):
    """Names, texts and the picture in text."""

    def action_name(self, state, action):
        """``24/18*/13`` for one man by both dice, ``13/7(2)`` for two of a double, with commas between men."""
        chains: list[Any] = []
        for move in self.decode(state, action):
            chain = next((chain for chain in chains if chain[-1].to == move.source and chain[-1].to != OFF), None)
            if chain is None:
                chains.append([move])
            else:
                chain.append(move)
        names = [self.chain_name(chain) for chain in chains]
        texts = [name if names.count(name) == 1 else f"{name}({names.count(name)})" for name in dict.fromkeys(names)]
        return ",".join(texts) or "pass"

    def chain_name(self, chain):
        """One man's way: only stops on which it hits are named."""
        stops = [f"{place_name(move.to)}{'*' if move.hits else ''}" for move in chain]
        kept = [stop for i, stop in enumerate(stops) if "*" in stop or i == len(stops) - 1]
        return "/".join([place_name(chain[0].source), *kept])

    def outcome_name(self, state, outcome):
        dice = f"{ROLLS[outcome & 31, 0]}{ROLLS[outcome & 31, 1]}"
        return f"player-{1 + outcome // SECOND}-begins-{dice}" if state.phase == OPENING else dice

    def to_text(self, state):
        """``4HPwATDgc/ABMA 1 31``: position id, player to move, and the dice, - before a roll, or ``opening``."""
        dice = {DECIDE: f"{state.dice[0]}{state.dice[1]}", ROLL: "-", OPENING: "opening"}[int(state.phase)]
        return f"{self.position_id(state)} {state.turn + 1} {dice}"

    def position_id(self, state):
        """GNU Backgammon's: for each side, that to move last, the men on its points 1 to 24 and the bar.

        Each point is as many ones as men, and a zero; the bits of each byte from the lowest.
        """
        bits = []
        for player in (1 - state.turn, state.turn):
            for place in range(OFF - 1, -1, -1):
                bits += [1] * state.men[player * PLACES + place] + [0]
        number = sum(bit << i for i, bit in enumerate(bits))
        return base64.b64encode(number.to_bytes(10, "little")).decode().rstrip("=")

    def from_text(self, state, text):
        words = text.split()
        if len(words) == 2:
            words.append("-")
        if len(words) != 3 or words[1] not in ("1", "2"):
            raise ValueError("write a position id, the player to move and the dice, such as 4HPwATDgc/ABMA 1 31")
        state.turn = int(words[1]) - 1
        self.read_id(state, words[0])
        if words[2] == "opening":
            state.phase = OPENING
        elif words[2] == "-":
            state.phase = ROLL
        elif len(words[2]) == 2 and set(words[2]) <= set("123456"):
            state.phase = DECIDE
            state.dice[0], state.dice[1] = sorted((int(word) for word in words[2]), reverse=True)
        else:
            raise ValueError(f"the dice are two digits from 1 to 6, - before a roll, or opening, not '{words[2]}'")

    def read_id(self, state, word):
        """Set the men up by a position id."""
        try:
            number = int.from_bytes(base64.b64decode(word + "==", validate=True), "little")
        except (binascii.Error, ValueError):
            number = -1
        if len(word) != 14 or number < 0:
            raise ValueError(f"a position id has 14 letters, such as 4HPwATDgc/ABMA; '{word}' is none")
        for player in (1 - state.turn, state.turn):
            on_board = 0
            for place in range(OFF - 1, -1, -1):
                while number & 1:
                    state.men[player * PLACES + place] += 1
                    on_board += 1
                    number >>= 1
                number >>= 1
            if on_board > MEN:
                raise ValueError(f"'{word}' has {on_board} men of player {player + 1}; there are {MEN}")
            state.men[player * PLACES + OFF] = MEN - on_board
        for place in range(1, OFF):
            if state.men[place] and state.men[PLACES + OFF - place]:
                raise ValueError(f"'{word}' has men of both players on one point")
        if number or state.men[OFF] == MEN == state.men[PLACES + OFF]:
            raise ValueError(f"'{word}' is no position of Backgammon")

    def show(self, state):
        """The board as the first player sees it: his points 13 to 24 above, 12 to 1 below; his men are O."""
        upper, lower = list(range(13, 25)), list(range(12, 0, -1))
        lines = ["".join(f"{point:>4}" for point in upper)]
        columns = [[self.cell(state, point, height) for point in upper] for height in range(5)]
        lines += ["".join(f"{cell:>4}" for cell in row) for row in columns]
        columns = [[self.cell(state, point, height) for point in lower] for height in range(4, -1, -1)]
        lines += ["", *("".join(f"{cell:>4}" for cell in row) for row in columns)]
        lines.append("".join(f"{point:>4}" for point in lower))
        for player in range(2):
            bar, off = state.men[player * PLACES + BAR], state.men[player * PLACES + OFF]
            lines.append(
                f"player {player + 1} ({'OX'[player]}): {bar} on the bar, {off} off, {self.pips(state, player)} to go"
            )
        return "\n".join([*lines, self.to_move(state)])

    def cell(self, state, point, height):
        """What is drawn at a height of a point, counted by the first player."""
        for player, place in ((0, OFF - point), (1, point)):
            men = int(state.men[player * PLACES + place])
            if men > height:
                return str(men) if height == 4 and men > 5 else "OX"[player]
        return "."

    def pips(self, state, player):
        """The points that a player's men still have to go."""
        return sum(int(state.men[player * PLACES + place]) * (OFF - place) for place in range(OFF))

    def to_move(self, state):
        if MEN in (state.men[OFF], state.men[PLACES + OFF]):
            return f"player {1 if state.men[OFF] == MEN else 2} has won"
        if state.phase == OPENING:
            return "the opening roll"
        return (
            f"player {state.turn + 1} {'to roll' if state.phase == ROLL else f'rolled {state.dice[0]}{state.dice[1]}'}"
        )


def place_name(place):
    """A place as players call it."""
    return "bar" if place == BAR else "off" if place == OFF else str(OFF - place)
