"""Focus in words and in one line: names of moves, positions as texts, and what is wrong with a text."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from astragal.games.focus.board import FIRST_COLUMN, HIGHEST, NAMES, SIDE, SQUARES, men_of
from astragal.rules.one_winner import DRAWN

if TYPE_CHECKING:

    class Rest:
        """What the other parts of the game's class have."""

        by_captures: Any
        can_act: Any
        captures_needed: Any
        decode: Any
        eliminates: Any
        extra: Any
        is_out: Any
        max_plies: Any
        men: Any
        players: Any
        set_up: Any
        standing_in_words: Any
        taken: Any
else:
    Rest = object


class FocusNotation(Rest):
    """Names, texts and the picture in text."""

    def action_name(self, state, action):
        move = self.decode(state, action)
        if move is None:
            return "pass"
        return f"{'@' if move.source is None else NAMES[move.source] + '-'}{NAMES[move.to]}"

    def show(self, state):
        squares = self.squares(state)
        lines = []
        for row in range(SIDE):
            cells = "".join(f"{squares[i]:>6}" for i, (at, _) in enumerate(SQUARES) if at == row)
            lines.append(f"{SIDE - row} {' ' * 6 * FIRST_COLUMN[row]}{cells}")
        lines.append("  " + "".join(f"{letter:>6}" for letter in "abcdefgh"))
        for player in range(self.players):
            lines.append(f"player {player + 1}: {self.about(state, player)}")
        return "\n".join([*lines, self.standing_in_words(state)])

    def about(self, state, player):
        """A player's reserve and captures in words."""
        if self.is_out(state, player):
            return "out"
        words = f"{state.reserve[player]} in reserve"
        if self.by_captures:
            victims = [other for other in range(self.players) if other != player]
            taken = [f"{self.taken(state, player, other)} of player {other + 1}" for other in victims]
            words += f", captured {', '.join(taken)}"
        return words

    def squares(self, state):
        """Each square's stack as text."""
        return ["".join(str(man + 1) for man in men_of(stack)) or "-" for stack in state.stack]

    def to_text(self, state):
        """``-,-,-,-/1,1,2,2,1,1/... 0,0 0,0/0,0 1 0``: stacks, reserves, captures, player to move, plies played.

        Rows are from the top, stacks from the bottom. A reserve of + is a man to be placed first, x is a player who is
        out. Captures are a row for each player with the men of each that he took; - with the long rules.
        """
        squares = iter(self.squares(state))
        rows = [",".join(next(squares) for _ in range(SIDE - 2 * FIRST_COLUMN[row])) for row in range(SIDE)]
        reserves = [str(state.reserve[player]) for player in range(self.players)]
        for player in range(self.players):
            if self.is_out(state, player):
                reserves[player] = "x"
            elif player >= self.players - state.placing:
                reserves[player] = "+"
        everybody = range(self.players)
        captures = "/".join(",".join(str(self.taken(state, p, q)) for q in everybody) for p in everybody)
        words = ["/".join(rows), ",".join(reserves), captures if self.by_captures else "-"]
        return " ".join([*words, str(state.turn + 1), str(state.plies)])

    def from_text(self, state, text):
        words = text.split()
        if len(words) == 4:
            words.append("0")
        if len(words) != 5 or not words[4].isdecimal():
            raise ValueError("write stacks reserves captures player plies, such as the text of the starting position")
        if words[3] not in [str(player + 1) for player in range(self.players)]:
            raise ValueError(f"the player to move is a number from 1 to {self.players}, not '{words[3]}'")
        if int(words[4]) > self.max_plies:
            raise ValueError(f"the game is drawn after {self.max_plies} plies")
        stacks = self.read_stacks(words[0])
        state.turn, state.plies = int(words[3]) - 1, int(words[4])
        self.read_reserves(state, words[1])
        self.read_captures(state, words[2])
        self.set_up(state, stacks)
        self.refuse_too_many(state, stacks)
        self.find_result(state)

    def read_stacks(self, word):
        rows = [row.split(",") for row in word.split("/")]
        if [len(row) for row in rows] != [SIDE - 2 * first for first in FIRST_COLUMN]:
            raise ValueError("the board has rows of 4, 6, 8, 8, 8, 8, 6 and 4 squares, with commas, and / between rows")
        stacks = ["" if men == "-" else men or "?" for row in rows for men in row]
        digits = "1234"[: self.players]
        for men in stacks:
            if len(men) > HIGHEST or any(man not in digits for man in men):
                raise ValueError(
                    f"a square is - or up to five men from the bottom, 1 to {self.players} each, not '{men}'"
                )
        return stacks

    def read_reserves(self, state, word):
        reserves = word.split(",")
        if len(reserves) != self.players or not all(men.isdecimal() or men in ("+", "x") for men in reserves):
            raise ValueError(f"write the reserves of {self.players} players with commas, each a number, + or x")
        placing = [player for player, men in enumerate(reserves) if men == "+"]
        if placing and (self.players != 3 or self.extra != "place" or placing != list(range(state.turn, 3))):
            raise ValueError("a reserve of + is a man still to be placed in the first turn, in the players' order")
        for player, men in enumerate(reserves):
            if men == "x" and (not self.eliminates or player == state.turn):
                raise ValueError("a reserve of x is a player who is out, which needs no_move=out and another's turn")
            if men.isdecimal() and int(men) > self.men:
                raise ValueError(f"a player has {self.men} men, so no reserve can have {men}")
            state.reserve[player] = 1 if men == "+" else 0 if men == "x" else int(men)
            state.out |= (men == "x") << player
        state.placing = len(placing)

    def read_captures(self, state, word):
        if not self.by_captures:
            if word != "-":
                raise ValueError("with the long rules captures do not count; write - for them")
            return
        rows = [row.split(",") for row in word.split("/")]
        if [len(row) for row in rows] != [self.players] * self.players or not all(
            men.isdecimal() for row in rows for men in row
        ):
            raise ValueError(
                f"captures are {self.players} rows of {self.players} numbers, with commas and / between rows"
            )
        for player, row in enumerate(rows):
            for victim, men in enumerate(row):
                if player == victim and int(men):
                    raise ValueError("a player's own men are not captured but go to the reserve")
                if int(men) > self.men:
                    raise ValueError(f"a player has {self.men} men, so no player can capture {men} of them")
                state.captured[player] += int(men) << 8 * victim

    def refuse_too_many(self, state, stacks):
        for player in range(self.players):
            men = sum(men.count(str(player + 1)) for men in stacks) + state.reserve[player]
            if men > self.men:
                raise ValueError(f"player {player + 1} has {men} men in play; the game has {self.men} for each")

    def find_result(self, state):
        """Whether the game is over, and who has won."""
        everybody = range(self.players)
        winners = []
        if self.by_captures:
            winners = [p for p in everybody if self.captures_needed(state.captured[p], p) <= 0]
        able = [player for player in everybody if self.can_act(state, player)]
        if len(winners) > 1 or not able:
            raise ValueError("two players have captured enough to win" if winners else "no player can move")
        if not winners and len(able) == 1:
            winners = able
        if winners:
            state.result = winners[0] + 1
        elif state.plies >= self.max_plies:
            state.result = DRAWN
        elif self.eliminates and state.turn not in able:
            raise ValueError(f"player {state.turn + 1} cannot move and so is out; it is another's turn")
