"""Focus, also called Domination (Sid Sackson 1963): stacks of men that move as far as they are high, for 2 to 4
players.

The board is 8x8 without the three squares of each corner. A stack belongs to the player whose man is on top. In a turn
a player takes the top k men of one of his stacks and moves them exactly k squares along a row or a column, onto an
empty square or any stack; what they pass does not matter. If more than five men then lie there, those at the bottom
leave the stack until five are left: the mover's own men go to his reserve, all others are captured. Instead of such a
move, a player may put one man of his reserve on top of any square.

Winning, by the parameter ``rules``:

- ``long``, as published: the last player who can move wins;
- ``short``, the default, for searches. UNVERIFIED: this is Nijssen and Winands's rule as remembered, not as read. With
  two players who has captured 6 men wins; with three, 3 men of each opponent or 10 in all; with four, 2 of each or 10
  in all. Own men in the reserve do not count. The last player who can move wins here too.

Neither has draws, and games can go round in circles, so after ``cap`` plies the game is drawn.

Where sources are silent or disagree:

- a player who cannot move passes, and is back when a stack becomes his again (``no_move=pass``), or is out for good
  when his turn comes, his men staying where they are (``no_move=out``);
- with three players the colours of the set-up are a guess: pairs, or diagonals (``colours``). The 13th man of each
  player is placed on an empty square in the first turn, or is an ordinary reserve, or there is none (``extra``).

Squares are a to h from the left and 1 to 8 from the bottom. A move is called d4-d6, a man from the reserve @d6.
**Actions are listed by a static score**: ten for a man captured, three for one that goes to the reserve, one for each
man of the new stack, as many again as an enemy stack had that is covered, less the men left behind that become an
enemy's.

A stack is one number: a 1, and then two bits for each man, the top one lowest. So taking k men off the top is a shift
by 2k, putting them on another stack is one too, and what is above the tenth bit has to leave the stack.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal.game.bits import lowest_bit
from astragal.game.decorator import game
from astragal.game.one_winner import DRAWN, ON, OneWinner
from astragal.game.order import ACTION_BITS, Ordered
from astragal.parameters import Constant, parameter

SIDE, HIGHEST = 8, 5
FIRST_COLUMN = (2, 1, 0, 0, 0, 0, 1, 2)  # [row] -> its first column that is on the board; rows are symmetric
SQUARES = [(row, column) for row in range(SIDE) for column in range(FIRST_COLUMN[row], SIDE - FIRST_COLUMN[row])]
NAMES = ["abcdefgh"[column] + str(SIDE - row) for row, column in SQUARES]
EMPTY, FULL = 1, 1 << 2 * HIGHEST  # the stack without men, and the bit above five men
RESERVE, PASS = 52, 53 << 6  # where a man from the reserve comes from; an action is from << 6 | to
SHORT_WINS = {2: (6, 6), 3: (3, 10), 4: (2, 10)}  # [players] -> captures needed: of each opponent, or in all
MEN = {2: 18, 3: 13, 4: 13}

TWO = ["----", "112211", "-221122-", "-112211-", "-221122-", "-112211-", "221122", "----"]
THREE = ["----", "112233", "-223311-", "-331122-", "-112233-", "-223311-", "331122", "----"]
THREE_DIAGONAL = ["----", "123123", "-231231-", "-312312-", "-123123-", "-231231-", "312312", "----"]
FOUR = ["1132", "222323", "11113232", "22223232", "41414444", "41413333", "141444", "4133"]
SETUPS = {(2, "pair"): TWO, (3, "pair"): THREE, (3, "diag"): THREE_DIAGONAL, (4, "pair"): FOUR}

TARGETS = np.zeros((52, 16), np.uint16)  # [square, i] -> distance << 6 | square in line with it, nearest first
MOVES = np.zeros((52, 6), np.uint8)  # [square, height of the stack there] -> how many of these it can move to
DISTANCE = np.ones(64 * 64, np.uint8)  # [action] -> squares moved, and so men moved; a man from the reserve is one
for here, (row, column) in enumerate(SQUARES):
    aligned = []
    for there, (other_row, other_column) in enumerate(SQUARES):
        far = abs(row - other_row) + abs(column - other_column)
        if (row == other_row) != (column == other_column) and far <= HIGHEST:
            aligned.append(far << 6 | there)
            DISTANCE[here << 6 | there] = far
    TARGETS[here, : len(aligned)] = sorted(aligned)
    MOVES[here] = [sum(target >> 6 <= height for target in aligned) for height in range(6)]


def men_of(stack):
    """The owners of a stack's men from the bottom to the top, from 0."""
    height = stack.bit_length() // 2
    return [stack >> 2 * (height - 1 - i) & 3 for i in range(height)]


HEIGHT = np.zeros(2 * FULL, np.uint8)  # [stack] -> its men
OWNED = np.zeros(2 * FULL, np.int32)  # [stack] -> its men by owner, eight bits for each of four players
LANDING = np.zeros((4, 2 * FULL, 8), np.int8)  # [player, stack, k] -> score of putting k men on it
LEAVING = np.zeros((4, 2 * FULL, 8), np.int8)  # [player, stack, k] -> score of taking k men off it
LOWEST_SCORE = -4
for height in range(HIGHEST + 1):
    for stack in range(1 << 2 * height, 2 << 2 * height):
        if stack.bit_length() % 2 == 0:
            continue
        men = men_of(stack)
        HEIGHT[stack] = len(men)
        OWNED[stack] = sum(1 << 8 * man for man in men)
        for me in range(4):
            for k in range(1, HIGHEST + 1):
                leaving = men[: max(0, len(men) + k - HIGHEST)]
                score = 10 * len(leaving) - 7 * leaving.count(me) + len(men)
                LANDING[me, stack, k] = score + (len(men) if men and men[-1] != me else 0)
                rest = men[: max(0, len(men) - k)]
                LEAVING[me, stack, k] = k - (len(rest) if rest and rest[-1] != me else 0)


@game
class Focus(Ordered, OneWinner):
    """Focus: move stacks as far as they are high, capture from the bottom (short rules unverified)."""

    players: Constant[int] = parameter(2, "players", low=2, high=4)
    rules: str = parameter(
        "short", "win by captures (unverified), or as the last player who can move", choices=("short", "long")
    )
    no_move: str = parameter("pass", "who cannot move passes, or is out for good", choices=("pass", "out"))
    colours: str = parameter("pair", "set-up with three players, a guess: pairs or diagonals", choices=("pair", "diag"))
    extra: str = parameter(
        "place",
        "13th man of each of three players: placed in the first turn, an ordinary reserve, or none",
        choices=("place", "reserve", "none"),
    )
    cap: int | None = parameter(
        None, "plies after which the game is drawn (500, or 2000 with long rules)", low=1, high=60_000
    )

    state = np.dtype(
        [
            ("owned", "i8", 4),  # [player] -> the squares of his stacks, one bit each
            ("captured", "i4", 4),  # [player] -> men he has captured by owner, eight bits each; 0 with the long rules
            ("held", "i4"),  # men in each player's stacks, eight bits each
            ("stack", "u2", 52),
            ("plies", "u2"),
            ("reserve", "u1", 4),
            ("placing", "u1"),  # players who still have to place their 13th man on an empty square
            ("out", "u1"),  # players who are out for good, one bit each
            ("turn", "u1"),
            ("result", "u1"),  # ON, the winner from 1, or DRAWN
        ]
    )
    utility_range = (-100.0, 100.0)

    def __post_init__(self):
        if self.players != 3:
            for name, default in (("colours", "pair"), ("extra", "place")):
                if getattr(self, name) != default:
                    raise ValueError(f"{name}={getattr(self, name)} is for three players; this game has {self.players}")

    @property
    def zero_sum(self):
        return self.players == 2

    @property
    def men(self):
        """Each player's men."""
        return MEN[self.players] - (self.players == 3 and self.extra == "none")

    @property
    def max_actions(self):
        """A stack has four moves for each of its men, at most; with a man in reserve, one less is on the board."""
        return 4 * (self.players * self.men - 1) + len(SQUARES)

    @property
    def max_plies(self):
        return self.cap or (500 if self.by_captures else 2000)

    @property
    def by_captures(self):
        """Whether captures win."""
        return self.rules == "short"

    @property
    def eliminates(self):
        """Whether a player who cannot move is out."""
        return self.no_move == "out"

    @property
    def of_each(self):
        """Captures of each opponent that win."""
        return SHORT_WINS[self.players][0]

    @property
    def in_all(self):
        """Captures that win whosever they were."""
        return SHORT_WINS[self.players][1]

    def start(self, state, dice):
        men = "".join(SETUPS[self.players, self.colours])
        self.set_up(state, ["" if man == "-" else man for man in men])
        if self.players == 3 and self.extra != "none":
            for player in range(3):
                state.reserve[player] = 1
            state.placing = 3 if self.extra == "place" else 0

    def set_up(self, state, stacks):
        """Put up stacks given as the players' digits from the bottom to the top."""
        for square, men in enumerate(stacks):
            stack = EMPTY
            for man in men:
                stack = stack << 2 | int(man) - 1
            state.stack[square] = stack
            if men:
                state.owned[stack & 3] |= 1 << square
                state.held += len(men) << 8 * (stack & 3)

    def can_act(self, state, player):
        return (state.owned[player] != 0 or state.reserve[player] > 0) and state.out >> player & 1 == 0

    def scored(self, state, out):
        """Write each action below its score, counted from the lowest there is; return how many there are."""
        me, stacks, placing = np.int64(state.turn), state.stack, np.int64(state.placing)
        count = 0
        left = 0 if placing else state.owned[me]
        while left:
            here = lowest_bit(left)
            left &= left - 1
            stack = stacks[here]
            for i in range(MOVES[here, HEIGHT[stack]]):
                target = np.int64(TARGETS[here, i])
                to, k = target & 63, target >> 6
                score = np.int64(LEAVING[me, stack, k]) + LANDING[me, stacks[to], k]
                out[count] = score - LOWEST_SCORE << ACTION_BITS | here << 6 | to
                count += 1
        if state.reserve[me]:
            for to in range(52):
                if placing == 0 or stacks[to] == EMPTY:
                    score = 1 + np.int64(LANDING[me, stacks[to], 1])
                    out[count] = score - LOWEST_SCORE << ACTION_BITS | RESERVE << 6 | to
                    count += 1
        if count == 0:
            out[0] = PASS
            count = 1
        return count

    def pick(self, state, word):
        me, stacks = np.int64(state.turn), state.stack
        if state.placing:
            return RESERVE << 6 | self.empty_square(stacks, word)
        mine = state.owned[me]
        drops = 52 if state.reserve[me] else 0
        count, left = drops, mine
        while left:
            here = lowest_bit(left)
            left &= left - 1
            count += MOVES[here, HEIGHT[stacks[here]]]
        chosen = (word * count >> 32) - drops
        if chosen < 0:
            return RESERVE << 6 | chosen + drops
        while mine:
            here = lowest_bit(mine)
            mine &= mine - 1
            moves = np.int64(MOVES[here, HEIGHT[stacks[here]]])
            if chosen < moves:
                return here << 6 | np.int64(TARGETS[here, chosen]) & 63
            chosen -= moves
        return PASS

    def empty_square(self, stacks, word):
        """Any empty square."""
        count = 0
        for square in range(52):
            count += stacks[square] == EMPTY
        chosen = word * count >> 32
        for square in range(52):
            chosen -= stacks[square] == EMPTY
            if chosen < 0:
                return square
        return 0

    def play(self, state, action):
        me = np.int64(state.turn)
        won = False
        if action != PASS:
            won = self.move(state, me, action)
        plies = np.int64(state.plies) + 1
        state.plies = plies
        if state.placing:
            state.placing -= 1
        rivals = 0
        for player in range(self.players):
            rivals += player != me and self.can_act(state, player)
        if won or rivals == 0:
            state.result = me + 1
        elif plies >= self.max_plies:
            state.result = DRAWN
        self.hand_over(state, me)

    def hand_over(self, state, me):
        """The next player's turn; if they do not pass, players who cannot move are out and left out."""
        after = self.next_player(me)
        if self.eliminates and state.result == ON:
            while not self.can_act(state, after):
                state.out |= 1 << after
                after = self.next_player(after)
        state.turn = after

    def next_player(self, player):
        return player + 1 if player + 1 < self.players else 0

    def move(self, state, me, action):
        """Move men, or put one from the reserve on the board; whether the captures win."""
        source, to = action >> 6, action & 63
        count = np.int64(DISTANCE[action])
        held = np.int64(state.held)
        if source == RESERVE:
            moved = me
            state.reserve[me] -= 1
        else:
            before = np.int64(state.stack[source])
            moved, rest = before & (1 << 2 * count) - 1, before >> 2 * count
            state.stack[source] = rest
            state.owned[me] ^= 1 << source
            if rest != EMPTY:
                state.owned[rest & 3] ^= 1 << source
            held += (np.int64(HEIGHT[rest]) << 8 * (rest & 3)) - (np.int64(HEIGHT[before]) << 8 * me)
        below = np.int64(state.stack[to])
        if below != EMPTY:
            state.owned[below & 3] ^= 1 << to
        state.owned[me] |= 1 << to
        stack = below << 2 * count | moved
        leaving = EMPTY
        if stack >= 2 * FULL:
            leaving = stack >> 2 * HIGHEST
            stack = stack & FULL - 1 | FULL
        state.stack[to] = stack
        state.held = held + (np.int64(HEIGHT[stack]) << 8 * me) - (np.int64(HEIGHT[below]) << 8 * (below & 3))
        return leaving != EMPTY and self.collect(state, me, leaving)

    def collect(self, state, me, leaving):
        """Take men that leave a stack, which are written as one too; whether the captures win."""
        men = np.int64(OWNED[leaving])
        own = men >> 8 * me & 255
        state.reserve[me] += own
        if not self.by_captures:
            return False
        captured = state.captured[me] + men - (own << 8 * me)
        state.captured[me] = captured
        return self.captures_needed(captured, me) <= 0

    def captures_needed(self, captured, me):
        """How many captures a player still needs, at least."""
        of_each, in_all = 0, self.in_all
        for player in range(self.players):
            taken = np.int64(captured) >> 8 * player & 255
            in_all -= taken
            if player != me:
                of_each += max(0, self.of_each - taken)
        return min(of_each, in_all)

    def heuristic(self, state, player):
        """By how much a player stands better than the best of the others."""
        best = -1e9
        for other in range(self.players):
            if other != player:
                best = max(best, self.standing(state, other))
        return min(99.0, max(-99.0, self.standing(state, player) - best))

    def standing(self, state, player):
        """Up to 85 for captures and up to 15 for the share of all men that one's own stacks and reserve have.

        With the long rules the share is all; a player who is out has nothing.
        """
        if state.out >> player & 1:
            return 0.0
        men = 0
        for other in range(self.players):
            men += self.men_held(state, other)
        share = self.men_held(state, player) / men
        if not self.by_captures:
            return 100.0 * share
        return 85.0 * (6 - self.captures_needed(state.captured[player], player)) / 6 + 15.0 * share

    def men_held(self, state, player):
        return (np.int64(state.held) >> 8 * player & 255) + state.reserve[player]

    def action_name(self, state, action):
        if action == PASS:
            return "pass"
        source, to = action >> 6, NAMES[action & 63]
        return f"@{to}" if source == RESERVE else f"{NAMES[source]}-{to}"

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
        if state.out >> player & 1:
            return "out"
        words = f"{state.reserve[player]} in reserve"
        if self.by_captures:
            victims = [other for other in range(self.players) if other != player]
            taken = [f"{self.taken(state, player, other)} of player {other + 1}" for other in victims]
            words += f", captured {', '.join(taken)}"
        return words

    def taken(self, state, player, victim):
        return state.captured[player] >> 8 * victim & 255

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
            if state.out >> player & 1:
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
                    raise ValueError(f"a player has {self.men} men, so nobody can capture {men} of them")
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
