"""Chinese Checkers: steps, chains of hops, and who has won. The rules in words are at the top of the package."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from astragal.base.parameters import Constant, parameter
from astragal.compiler.intrinsics.primitives import bit_count, lowest_bit, scratch
from astragal.compiler.intrinsics.vector_words import both, each, either, four, is_nothing, one_of
from astragal.games.chinese_checkers.board import (
    ACROSS,
    BITS,
    CORNERS,
    FIRST_STEP,
    KINDS,
    NEXT_STEP,
    STEP,
    chains,
    corner_nets,
    distances,
    nets,
    over,
    spots_of,
    star,
    ways,
)
from astragal.rules.one_winner import DRAWN, OneWinner
from astragal.rules.order import Ordered

PASS = 1 << 16  # other actions are from << 8 | to


class Move(NamedTuple):
    """An action: the spots of the cell that a man leaves and of the one it comes to."""

    source: int
    to: int


@dataclass(frozen=True)
class ChineseCheckersRules(Ordered, OneWinner):
    """Parameters, state and rules."""

    players: Constant[int] = parameter(2, "players: 2, 3, 4 or 6", low=2, high=6)
    star: str = parameter("small", "73 cells and 6 men a player, or 121 cells and 10 men", choices=("small", "full"))
    resting: str = parameter(
        "free", "a move may end anywhere, or not in another player's corner", choices=("free", "transit")
    )
    stay: Constant[bool] = parameter(False, "a man that has reached the goal must end all its moves there")
    win: str = parameter(
        "all_own",
        "a player has won when the goal is full of the player's men, or full with at least one of them",
        choices=("all_own", "filled_one_own"),
    )
    cap: int | None = parameter(
        None, "plies after which the game is drawn (400; 1000 on the full star)", low=1, high=60_000
    )

    state = np.dtype(
        [
            ("men", "i8", (6, 4)),  # [player, net] -> his men, one bit each
            ("distance", "u1", 6),  # [player] -> of all his men from the tip of the goal
            ("plies", "u2"),
            ("turn", "u1"),
            ("result", "u1"),  # ON, the winner from 1, or DRAWN
        ]
    )
    utility_range = (-100.0, 100.0)

    def __post_init__(self):
        if self.players not in CORNERS:
            raise ValueError(f"there are sets of corners for 2, 3, 4 and 6 players, not for {self.players}")

    @property
    def zero_sum(self):
        return self.players == 2

    @property
    def side(self):
        """Of a point of the star."""
        return 3 if self.star == "small" else 4

    @property
    def each(self):
        """Men of each player."""
        return self.side * (self.side + 1) // 2

    @property
    def all_men(self):
        return self.players * self.each

    @property
    def max_actions(self):
        """Six steps for a man, and hops to the other cells of the largest net."""
        largest = max(int(word).bit_count() for word in self.board)
        return self.each * (6 + largest - 1)

    @property
    def max_plies(self):
        return self.cap or (400 if self.star == "small" else 1000)

    @property
    def transits(self):
        """Whether no move may end in another player's corner."""
        return self.resting == "transit"

    @property
    def one_is_enough(self):
        """Whether one own man in a full goal wins."""
        return self.win == "filled_one_own"

    @property
    def board(self):
        """[net] -> its cells."""
        return nets(star(self.side))

    @property
    def cells(self):
        """The same as a tuple."""
        return tuple(self.board.tolist())

    @property
    def home(self):
        """[player, net] -> where his men begin."""
        return np.array([corner_nets(self.side, corner) for corner in CORNERS[self.players]])

    @property
    def goal(self):
        """[player, net] -> where his men have to go."""
        return np.array([corner_nets(self.side, (corner + 3) % 6) for corner in CORNERS[self.players]])

    @property
    def allowed(self):
        """[player, net] -> where his moves may end."""
        if not self.transits:
            return np.array([self.board] * self.players)
        corners = sum(corner_nets(self.side, corner) for corner in range(6))
        return (self.board & ~corners) | self.home | self.goal

    @property
    def ways(self):
        return ways(self.side)

    @property
    def tip_distance(self):
        return distances(self.side, self.players)

    @property
    def farthest(self):
        """Steps of all men together from the start to the tip of the goal."""
        return sum(int(self.tip_distance[0, spot]) for spot in spots_of(self.home[0]))

    @property
    def nearest(self):
        """What is left of them when all men are in the goal."""
        return sum(int(self.tip_distance[0, spot]) for spot in spots_of(self.goal[0]))

    def start(self, state, dice):
        for player in range(self.players):
            for net in range(4):
                state.men[player, net] = self.home[player, net]
            state.distance[player] = self.farthest

    def taken(self, state, net):
        """The cells of a net with a man on them."""
        men = 0
        for player in range(self.players):
            men |= state.men[player, net]
        return men

    def look(self, state, taken, free):
        """Write which cells of each net have a man on them, and which have none."""
        for net in range(4):
            taken[net] = self.taken(state, net)
            free[net] = self.board[net] & ~taken[net]

    def write_hops(self, state, me, taken, free, out):
        """Write the keys of all chains of hops; return how many there are."""
        count = 0
        for net in range(4):
            over0, over1, over2 = over(taken, net, 0), over(taken, net, 1), over(taken, net, 2)
            left = state.men[me, net]
            while left:
                man, here = left & -left, net << 6 | lowest_bit(left)
                left ^= man
                cells = chains(man, over0, over1, over2, free[net]) & self.allowed_ends(me, net, man)
                while cells:
                    out[count] = self.key(me, here, net << 6 | lowest_bit(cells))  # type: ignore[attr-defined]
                    cells &= cells - 1
                    count += 1
        return count

    def allowed_ends(self, me, net, man):
        """The cells of his net where the options let a man end a move."""
        cells = self.allowed[me, net]
        if self.stay and man & self.goal[me, net]:
            cells &= self.goal[me, net]
        return cells

    def find_steps(self, state, me, free, movers, before):
        """Write the men that can take a step, for each net and direction, and how many steps there are before those."""
        count, kind = 0, 0
        for net in range(4):
            for axis in range(3):
                across = net ^ ACROSS[axis]
                for back in range(2):
                    ends, home = free[across] & self.allowed[me, across], self.goal[me, across]
                    if back:
                        ends, home = ends << STEP[across, axis], home << STEP[across, axis]
                    else:
                        ends, home = ends >> STEP[net, axis], home >> STEP[net, axis]
                    men = state.men[me, net] & ends
                    if self.stay:
                        men &= ~self.goal[me, net] | home
                    movers[kind], before[kind] = men, count
                    count += bit_count(men)
                    kind += 1
        return count

    def write_steps(self, state, me, free, out, count):
        """Add the keys of all steps to those that there are; return how many there are then."""
        movers, before = scratch(np.int64, KINDS), scratch(np.int64, KINDS)
        self.find_steps(state, me, free, movers, before)
        for kind in range(KINDS):
            men = movers[kind]
            while men:
                step = FIRST_STEP[kind] + NEXT_STEP * lowest_bit(men)
                men &= men - 1
                out[count] = self.key(me, step >> 8, step & 255)  # type: ignore[attr-defined]
                count += 1
        return count

    def scored(self, state, out):
        """Write the keys of all actions; return how many there are."""
        me, taken, free = np.int64(state.turn), scratch(np.int64, 4), scratch(np.int64, 4)
        self.look(state, taken, free)
        count = self.write_steps(state, me, free, out, self.write_hops(state, me, taken, free, out))
        if count == 0:
            out[0] = PASS
            count = 1
        return count

    def play(self, state, action):
        me = np.int64(state.turn)
        if action != PASS:
            here, to = action >> 8, action & 255
            self.move(state, me, here, to)
            gained = np.int64(self.tip_distance[me, here]) - self.tip_distance[me, to]
            state.distance[me] = state.distance[me] - gained
        self.end_turn(state, me)

    def move(self, state, me, here, to):
        """Put a man from one cell to another: all four words are written, since they are read at once."""
        men = one_of(four(state.men, me), one_of(four(BITS, here), four(BITS, to)))
        state.men[me, 0], state.men[me, 1], state.men[me, 2], state.men[me, 3] = each(men)

    def end_turn(self, state, me):
        """The next player's turn, if no player has won and it is not too late."""
        plies = np.int64(state.plies) + 1
        state.plies = plies
        state.turn = me + 1 if me + 1 < self.players else 0
        winner = self.winner(state, me)
        if winner >= 0:
            state.result = winner + 1
        elif plies >= self.max_plies:
            state.result = DRAWN

    def decode(self, state, action):
        """The cells by their spots, see `astragal.games.chinese_checkers.board`; None for a pass."""
        return None if action == PASS else Move(action >> 8, action & 255)

    def owner(self, state, spot):
        """Whose man is on a cell; None if it is empty."""
        owners = [player for player in range(self.players) if state.men[player, spot >> 6] >> (spot & 63) & 1]
        return owners[0] if owners else None

    def winner(self, state, mover):
        """Who has won, or -1: only the mover can have filled his goal with his own men."""
        if not self.one_is_enough:
            return mover if self.is_home(state, mover) else -1
        for i in range(self.players):
            player = mover + i if mover + i < self.players else mover + i - self.players
            if self.is_home(state, player):
                return player
        return -1

    def is_home(self, state, player):
        """Whether a player's goal is filled as the rules ask for."""
        goal, own = four(self.goal, player), four(state.men, player)
        if not self.one_is_enough:
            return is_nothing(one_of(goal, both(goal, own)))
        return is_nothing(both(goal, self.vacant(state))) and not is_nothing(both(goal, own))

    def vacant(self, state):
        """The cells without a man, as four words."""
        taken = four(state.men, 0)
        for player in range(1, self.players):
            taken = either(taken, four(state.men, player))
        return one_of(self.cells, taken)
