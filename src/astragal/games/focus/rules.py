"""Focus: what players can do, what men that leave a stack bring, and who wins. In words: at the top of the package."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from astragal.base.parameters import Constant, parameter
from astragal.compiler.intrinsics.primitives import lowest_bit
from astragal.games.focus.board import EMPTY, FULL, HEIGHT, HIGHEST, MOVES, OWNED, SETUPS, SQUARES, TARGETS
from astragal.games.focus.order import LANDING, LEAVING, LOWEST_SCORE
from astragal.rules.one_winner import DRAWN, ON, OneWinner
from astragal.rules.order import ACTION_BITS, Ordered

RESERVE, PASS = 52, 53 << 6  # where a man from the reserve comes from; an action is from << 6 | to
SHORT_WINS = {2: (6, 6), 3: (3, 10), 4: (2, 10)}  # [players] -> captures needed: of each opponent, or in all
MEN = {2: 18, 3: 13, 4: 13}

DISTANCE = np.ones(64 * 64, np.uint8)  # [action] -> squares moved, and so men moved; a man from the reserve is one
for here in range(52):
    for target in TARGETS[here, : MOVES[here, HIGHEST]].tolist():
        DISTANCE[here << 6 | target & 63] = target >> 6


class Move(NamedTuple):
    """An action: the square that men are taken from, None for the reserve, and the one they go to."""

    source: int | None
    to: int


@dataclass(frozen=True)
class FocusRules(Ordered, OneWinner):
    """Parameters, state and rules."""

    players: Constant[int] = parameter(2, "players", low=2, high=4)
    rules: str = parameter(
        "short", "win by captures (unverified), or as the last player who can move", choices=("short", "long")
    )
    no_move: str = parameter("pass", "a player who cannot move passes, or is out of the game", choices=("pass", "out"))
    colours: str = parameter(
        "pair", "set-up with three players (a guess): pairs or diagonals", choices=("pair", "diag")
    )
    extra: str = parameter(
        "place",
        "the 13th man with three players: placed in the first turn, an ordinary reserve, or left out",
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
        return (state.owned[player] != 0 or state.reserve[player] > 0) and not self.is_out(state, player)

    def is_out(self, state, player):
        return state.out >> player & 1 != 0

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
                target: Any = np.int64(TARGETS[here, i])
                to, k = target & 63, target >> 6
                score: Any = np.int64(LEAVING[me, stack, k]) + LANDING[me, stacks[to], k]
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

    def decode(self, state, action):
        """The squares by their numbers, see `astragal.games.focus.board`; None for a pass."""
        if action == PASS:
            return None
        return Move(None if action >> 6 == RESERVE else action >> 6, action & 63)

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

    def taken(self, state, player, victim):
        """How many men of another a player has captured."""
        return state.captured[player] >> 8 * victim & 255
