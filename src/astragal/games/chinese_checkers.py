"""Chinese Checkers on a star: bring all your men into the opposite corner first. For 2, 3, 4 or 6 players.

The full star has 121 cells and 10 men a player, the small one 73 cells and 6 men. In a turn a player moves one man:

- a step to a neighbouring empty cell, in any of the six directions, or
- a chain of hops, each over one neighbouring man of any colour to the empty cell right behind it, turning at will.

No man is ever removed. A chain may pass the cell where it began but not end there; which way it took does not matter,
so an action is a cell and another. A player who has no move passes. Who first fills the corner opposite his own wins.

Where rule books disagree:

- ``resting``: men may end their move anywhere (``free``), or not in a corner of somebody else's (``transit``);
- ``stay``: men that have reached the goal may leave it, or (``stay=on``) must end every move in it;
- ``win``: all cells of the goal hold one's own men (``all_own``; who stays at home can block that), or the goal is full
  and one man in it is one's own (``filled_one_own``; after a move it is looked at for the mover first, then in turn);
- ``cap``: the rules know no draw, but after so many plies the game is one.

Corners are taken clockwise from the top: by 2 players the 1st and 4th, by 3 the 1st, 3rd and 5th, by 4 two opposite
pairs. A cell is called row.place, both from 0, rows from the top; a move 2.0-3.3.

**Actions are listed by how far they bring the man** towards the tip of the goal.

Cells have cube coordinates x + y + z = 0. A hop changes two of them by two, so a man keeps the parity of x and of y as
long as it hops: the star falls into four **nets**, and cells of a net are a number of 62 bits in which the bit of (x,
y) is x/2 + 8 y/2, rounded down (and one more in the net where both are odd). So in every net a hop along an axis is a
shift by 1, 8 or 7, a step is a shift into another net, and no shift goes round the rim onto another cell of the star.
"""

# mypy: ignore-errors
from __future__ import annotations

from functools import cache

import numpy as np

from astragal.game.bits import bit_count, lowest_bit, nth_bit
from astragal.game.decorator import game
from astragal.game.one_winner import DRAWN, OneWinner
from astragal.game.order import ACTION, ACTION_BITS, Ordered, any_best
from astragal.game.scratch import scratch
from astragal.parameters import Constant, parameter

AXES = ((1, 0), (0, 1), (-1, 1))  # changes of x and y
HOP = (1, 8, 7)  # [axis] -> the shift of a hop
ACROSS = (1, 2, 3)  # [axis] -> net a step leads to, by exclusive or with the net it begins in
CORNERS = {2: (0, 3), 3: (0, 2, 4), 4: (0, 1, 3, 4), 6: (0, 1, 2, 3, 4, 5)}  # [players] -> where each begins
PASS = 1 << 16  # other actions are from << 8 | to
LONGEST = 16  # steps from a tip to the opposite one


def spot_of(x, y):
    """Where a cell is kept: the net from the sixth bit on, and below it the bit in that net."""
    net = (x & 1) | (y & 1) << 1
    return net << 6 | (x >> 1) + 8 * (y >> 1) + 30 + (net == 3)


# [net, axis] -> the shift of a step along an axis, into the net across
STEP = np.array([[spot_of(p + a, q + b) % 64 - spot_of(p, q) % 64 for a, b in AXES] for q in (0, 1) for p in (0, 1)])

# Kinds of steps: of each net, forth and back along each axis.
KINDS, CHOICES = 24, 28  # of steps, and with the hops in each net
FIRST_STEP = np.array(  # [kind] -> the step of a man on the lowest bit, which need not be a cell
    [
        (net << 14 | (net ^ ACROSS[axis]) << 6) + (-STEP[net ^ ACROSS[axis], axis] if back else STEP[net, axis])
        for net in range(4)
        for axis in range(3)
        for back in range(2)
    ]
)
NEXT_STEP = 1 << 8 | 1  # what is added to it for each bit above


@cache
def star(m):
    """The cells (x, y) of the star with points of side m, from the top left, row by row."""
    side = range(-2 * m, 2 * m + 1)
    cells = [(z, x, -x - z) for z in side for x in side]
    cells = [(z, x, y) for z, x, y in cells if min(x, y, z) >= -m or max(x, y, z) <= m]
    return [(x, y) for z, x, y in sorted(cells)]


def corner_of(m, x, y):
    """Which corner a cell lies in, clockwise from the top, or None."""
    z = -x - y
    beyond = (z < -m, x > m, y < -m, z > m, x < -m, y > m)
    return beyond.index(True) if any(beyond) else None


def tip_of(m, corner):
    """The outermost cell of a corner: x, y."""
    return ((m, m), (2 * m, -m), (m, -2 * m), (-m, -m), (-2 * m, m), (-m, 2 * m))[corner]


def nets(cells):
    """A set of cells as four numbers."""
    words = np.zeros(4, np.int64)
    for x, y in cells:
        spot = spot_of(x, y)
        words[spot >> 6] |= 1 << (spot & 63)
    return words


@cache
def corner_nets(m, corner):
    return nets([cell for cell in star(m) if corner_of(m, *cell) == corner])


@cache
def distances(m, players):
    """[player, spot] -> steps to the tip of the player's goal."""
    table = np.zeros((players, 256), np.uint8)
    for player, corner in enumerate(CORNERS[players]):
        a, b = tip_of(m, (corner + 3) % 6)
        for x, y in star(m):
            table[player, spot_of(x, y)] = max(abs(x - a), abs(y - b), abs(x + y - a - b))
    return table


def hops(men, over0, over1, over2, free):
    """The free cells that are one hop from men of a net; of each axis: cells with a man right behind them."""
    return free & (
        (men & over0) << 1
        | men >> 1 & over0
        | (men & over1) << 8
        | men >> 8 & over1
        | (men & over2) << 7
        | men >> 7 & over2
    )


def chains(man, over0, over1, over2, free):
    """The free cells that are any number of hops from men of a net."""
    found = 0
    fresh = man
    while fresh:
        fresh = hops(fresh, over0, over1, over2, free) & ~found
        found |= fresh
    return found


@game
class ChineseCheckers(Ordered, OneWinner):
    """Chinese Checkers: hop across the star into the opposite corner."""

    players: Constant[int] = parameter(2, "players: 2, 3, 4 or 6", low=2, high=6)
    star: str = parameter("small", "73 cells and 6 men a player, or 121 cells and 10 men", choices=("small", "full"))
    resting: str = parameter(
        "free", "a move may end anywhere, or not in a corner of somebody else's", choices=("free", "transit")
    )
    stay: Constant[bool] = parameter(False, "men that have reached the goal end all their moves in it")
    win: str = parameter(
        "all_own",
        "the goal holds one's own men only, or is full with one man of one's own",
        choices=("all_own", "filled_one_own"),
    )
    cap: int | None = parameter(
        None, "plies after which the game is drawn (400, or 1000 on the full star)", low=1, high=60_000
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
    def max_actions(self):
        """Six steps for a man, and hops to the other cells of the largest net."""
        largest = max(int(word).bit_count() for word in self.board)
        return self.each * (6 + largest - 1)

    @property
    def max_plies(self):
        return self.cap or (400 if self.star == "small" else 1000)

    @property
    def transits(self):
        """Whether no move may end in somebody else's corner."""
        return self.resting == "transit"

    @property
    def one_is_enough(self):
        """Whether one man of one's own in a full goal wins."""
        return self.win == "filled_one_own"

    @property
    def board(self):
        """[net] -> its cells."""
        return nets(star(self.side))

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

    def key(self, me, here, to):
        """An action below the steps it gains, from the least there can be."""
        gained = LONGEST + np.int64(self.tip_distance[me, here]) - self.tip_distance[me, to]
        return gained << ACTION_BITS | here << 8 | to

    def write_hops(self, state, me, taken, free, out):
        """Write the keys of all chains of hops; return how many there are."""
        count = 0
        for net in range(4):
            over0, over1, over2 = over(taken, net, 0), over(taken, net, 1), over(taken, net, 2)
            left = state.men[me, net]
            while left:
                man, here = left & -left, net << 6 | lowest_bit(left)
                left ^= man
                cells = chains(man, over0, over1, over2, free[net]) & self.allowed[me, net]
                if self.stay and man & self.goal[me, net]:
                    cells &= self.goal[me, net]
                while cells:
                    out[count] = self.key(me, here, net << 6 | lowest_bit(cells))
                    cells &= cells - 1
                    count += 1
        return count

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
                out[count] = self.key(me, step >> 8, step & 255)
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

    def prefer(self, state, word):
        """One of the farthest moves; where hops gain two steps or more, steps need not be looked at."""
        keys = scratch(np.uint32, self.max_actions)
        me, taken, free = np.int64(state.turn), scratch(np.int64, 4), scratch(np.int64, 4)
        self.look(state, taken, free)
        count = self.write_hops(state, me, taken, free, keys)
        best = 0
        for i in range(count):
            best = max(best, np.int64(keys[i]))
        if best < LONGEST + 2 << ACTION_BITS:
            count = self.write_steps(state, me, free, keys, count)
            if count == 0:
                return PASS
        return any_best(keys, count, word)

    def pick(self, state, word):
        """Steps are counted; for hops, a man and a cell that have any are drawn until a chain joins them."""
        me, taken, free = np.int64(state.turn), scratch(np.int64, 4), scratch(np.int64, 4)
        movers, before, ends = scratch(np.int64, CHOICES), scratch(np.int64, CHOICES), scratch(np.int64, 4)
        self.look(state, taken, free)
        total = self.find_steps(state, me, free, movers, before)
        if total == 0:
            return self.pick_listed(state, word)
        for net in range(4):
            men = state.men[me, net]
            either = free[net] | men
            near = (
                beside(either, over(taken, net, 0), 1)
                | beside(either, over(taken, net, 1), 8)
                | beside(either, over(taken, net, 2), 7)
            )
            movers[KINDS + net], ends[net] = near & men, near & free[net] & self.allowed[me, net]
            before[KINDS + net] = total
            total += bit_count(near & men) * bit_count(ends[net])
        while True:
            chosen = word * total >> 32
            kind = -1
            for i in range(CHOICES):
                kind += np.int64(before[i] <= chosen)
            chosen -= before[kind]
            if kind < KINDS:
                return FIRST_STEP[kind] + NEXT_STEP * nth_bit(movers[kind], chosen)
            net = kind - KINDS
            cells = bit_count(ends[net])
            here, to = nth_bit(movers[kind], chosen // cells), nth_bit(ends[net], chosen % cells)
            if self.can_hop(me, net, here, to, taken, free):
                return net << 14 | here << 8 | net << 6 | to
            word = word * 1664525 + 1013904223 & 0xFFFFFFFF

    def pick_listed(self, state, word):
        keys = scratch(np.uint32, self.max_actions)
        count = self.scored(state, keys)
        return np.int64(keys[word * count >> 32]) & ACTION

    def can_hop(self, me, net, here, to, taken, free):
        """Whether a man may hop from one cell of a net to another."""
        man, cell = 1 << here, 1 << to
        if self.stay and man & self.goal[me, net] and not cell & self.goal[me, net]:
            return False
        over0, over1, over2 = over(taken, net, 0), over(taken, net, 1), over(taken, net, 2)
        found, fresh = 0, man
        while fresh and not found & cell:
            fresh = hops(fresh, over0, over1, over2, free[net]) & ~found
            found |= fresh
        return found & cell != 0

    def play(self, state, action):
        me = np.int64(state.turn)
        if action != PASS:
            here, to = action >> 8, action & 255
            state.men[me, here >> 6] ^= 1 << (here & 63)
            state.men[me, to >> 6] ^= 1 << (to & 63)
            gained = np.int64(self.tip_distance[me, here]) - self.tip_distance[me, to]
            state.distance[me] = state.distance[me] - gained
        plies = np.int64(state.plies) + 1
        state.plies = plies
        after = me + 1 if me + 1 < self.players else 0
        state.turn = after
        winner = self.winner(state, me)
        if winner >= 0:
            state.result = winner + 1
        elif plies >= self.max_plies:
            state.result = DRAWN

    def winner(self, state, mover):
        """Who has won, or -1: only the mover can have filled his goal with his own men."""
        if not self.one_is_enough:
            return mover if state.distance[mover] == self.nearest and self.is_home(state, mover) else -1
        for i in range(self.players):
            player = mover + i if mover + i < self.players else mover + i - self.players
            if self.is_home(state, player):
                return player
        return -1

    def is_home(self, state, player):
        """Whether a player's goal is filled as the rules ask for."""
        own, missing = 0, 0
        for net in range(4):
            goal = self.goal[player, net]
            own |= state.men[player, net] & goal
            missing |= goal & ~(self.taken(state, net) if self.one_is_enough else state.men[player, net])
        return missing == 0 and own != 0

    def heuristic(self, state, player):
        """How much farther on the way a player is than the best of the others, the whole way being worth 100."""
        distance = np.int64(state.distance[player])
        least = 1000
        for other in range(self.players):
            if other != player:
                least = min(least, np.int64(state.distance[other]))
        return min(99.0, max(-99.0, 100.0 * (least - distance) / (self.farthest - self.nearest)))

    def action_name(self, state, action):
        if action == PASS:
            return "pass"
        names = cell_names(self.side)
        return f"{names[action >> 8]}-{names[action & 255]}"

    def rows(self, state):
        """Each row of the star, from the top, with a digit for a man and a dot for an empty cell."""
        lines = [[] for _ in range(4 * self.side + 1)]
        for x, y in star(self.side):
            spot = spot_of(x, y)
            owners = [p for p in range(self.players) if state.men[p, spot >> 6] >> (spot & 63) & 1]
            lines[2 * self.side - x - y].append(str(owners[0] + 1) if owners else ".")
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


def beside(cells, over, hop):
    """The cells that are one hop along an axis from any of these."""
    return over & cells >> hop | (over & cells) << hop


def over(taken, net, axis):
    """The cells of a net that have a man right behind them along an axis."""
    return taken[net ^ ACROSS[axis]] >> STEP[net, axis]


def spots_of(words):
    """The cells of four numbers."""
    return [net << 6 | bit for net in range(4) for bit in range(64) if int(words[net]) >> bit & 1]


@cache
def cell_names(m):
    """[spot] -> row.place."""
    names, row, place = {}, None, 0
    for x, y in star(m):
        place = place + 1 if row == x + y else 0
        row = x + y
        names[spot_of(x, y)] = f"{2 * m - row}.{place}"
    return names
