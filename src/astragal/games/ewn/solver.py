"""Exact values of EinStein würfelt nicht! with up to three cubes a side, for any such position, on demand.

Cubes only go forwards, so each has a list of the squares it can still stand on, with "removed" after the last. A state
is a number with one digit for each cube, its place in that list, and one bit for the player to roll; every move makes
that number larger. One sweep upwards therefore finds all states that can be reached, and one sweep downwards their
values: the chance that the player to roll wins.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import time
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.base.errors import AstragalError
from astragal.base.interruptible import run_interruptible
from astragal.compiler.intrinsics.native import scratch
from astragal.compiler.kernel import kernel
from astragal.games.ewn.board import CHOICE, GOAL, MOVES, NO_SQUARE, TARGET, squares_of
from astragal.rules.position import Position
from astragal.solvers.adoption import adopt_former
from astragal.solvers.exact import Exact, Report, say_nothing
from astragal.solvers.solution import file_for, load_arrays, save_arrays

MAX_CUBES = 3  # a side
SLOTS = 2 * MAX_CUBES  # player 0's cubes, then player 1's
MAX_STATES = 200_000_000
INSTEAD = "take a position with up to three cubes a side"
CHUNK = 1 << 15  # words of the set of states swept between two reports
GONE = -1  # instead of a square, or where no move leads
BOARD = np.dtype(
    [
        ("cube", "i8", SLOTS),  # the number 0 to 5 of the cube in each slot
        ("size", "i8", SLOTS),  # digits it can have, the last of which means removed; 1: nothing but that
        ("stride", "i8", SLOTS),
        ("square", "i1", (SLOTS, 32)),  # [slot, digit] -> where it stands, or GONE
        ("digit", "i1", (SLOTS, 32)),  # [slot, square] -> its digit there
        ("states", "i8"),  # numbers there are, whether they can be reached or not
        ("stop", "i8"),
    ]
)


def board_of(position: Position) -> npt.NDArray[np.void]:
    """How the states that can follow a position are numbered."""
    board = np.zeros(1, BOARD)
    stride, standing = 1, squares_of(position.state)
    for player in range(2):
        alive = [k for k in range(6) if standing[6 * player + k] != NO_SQUARE]
        for i in range(MAX_CUBES):
            slot = MAX_CUBES * player + i
            cube = alive[i] if i < len(alive) else 0
            squares = squares_ahead(player, standing[6 * player + cube]) if i < len(alive) else []
            board["cube"][0, slot], board["size"][0, slot] = cube, len(squares) + 1
            board["stride"][0, slot] = stride
            board["square"][0, slot] = GONE
            board["digit"][0, slot] = len(squares)
            for digit, square in enumerate(squares):
                board["square"][0, slot, digit], board["digit"][0, slot, square] = square, digit
            stride *= len(squares) + 1
    board["states"] = 2 * stride
    return board


def squares_ahead(player: int, square: int) -> list[int]:
    """The squares a cube can come to, its own first, its goal left out: there the game is over."""
    found = {int(square)}
    for here in range(25) if player == 0 else range(24, -1, -1):
        if here in found:
            found.update(int(to) for to in TARGET[player, here, : MOVES[player, here]])
    return sorted(found - {int(GOAL[player])}, reverse=player == 1)


@kernel
def read_number(board, number, digits, squares):
    """The digits of a state's number and where the cubes stand; return whose roll it is."""
    rest = np.uint32(number >> 1)  # wider division is slower
    for slot in range(SLOTS):
        size = np.uint32(board.size[slot])
        digits[slot] = rest % size
        rest = np.uint32(rest // size)
        squares[slot] = board.square[slot, digits[slot]]
    return number & 1


@kernel
def after_move(board, number, digits, squares, mover, slot, target):
    """The number of the state after a cube went to a square, or GONE if that wins the game."""
    if target == GOAL[mover]:
        return np.int64(GONE)
    after = (number ^ 1) + 2 * (np.int64(board.digit[slot, target]) - digits[slot]) * board.stride[slot]
    enemies = 0
    for other in range(SLOTS):
        if squares[other] == target:
            after += 2 * (board.size[other] - 1 - digits[other]) * board.stride[other]
        elif squares[other] != GONE:
            enemies += other // MAX_CUBES != mover
    return after if enemies > 0 else np.int64(GONE)


@kernel(entry="EWN endgames, states")
def find_states(boards, reached, begin, end):
    """Mark what can follow in one move from the states marked in a stretch of words, which grows as it is swept."""
    board = boards[0]
    digits, squares = scratch(np.int64, SLOTS), scratch(np.int64, SLOTS)
    for place in range(begin, end):
        bit = 0
        while bit < 64 and board.stop == 0:
            if reached[place] >> np.uint64(bit) & np.uint64(1):
                number = np.int64(place) * 64 + bit
                mover = read_number(board, number, digits, squares)
                for slot in range(mover * MAX_CUBES, (mover + 1) * MAX_CUBES):
                    square = squares[slot]
                    if square != GONE:
                        for i in range(MOVES[mover, square]):
                            target = np.int64(TARGET[mover, square, i])
                            after = after_move(board, number, digits, squares, mover, slot, target)
                            if after != GONE:
                                reached[after >> 6] |= np.uint64(1) << np.uint64(after & 63)
            bit += 1


@kernel
def ones(bits):
    """How many bits are set."""
    bits -= bits >> np.uint64(1) & np.uint64(0x5555555555555555)
    bits = (bits & np.uint64(0x3333333333333333)) + (bits >> np.uint64(2) & np.uint64(0x3333333333333333))
    bits = bits + (bits >> np.uint64(4)) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64(bits * np.uint64(0x0101010101010101) >> np.uint64(56))


@kernel
def rank_of(reached, before, number):
    """How many reached states have smaller numbers: where the state's value lies."""
    place = number >> 6
    below = (np.uint64(1) << np.uint64(number & 63)) - np.uint64(1)
    return np.int64(before[place]) + ones(reached[place] & below)


@kernel(entry="EWN endgames, values")
def find_values(boards, reached, before, values, begin, end):
    """The value of every reached state in a stretch of words, the last one first."""
    board = boards[0]
    digits, squares = scratch(np.int64, SLOTS), scratch(np.int64, SLOTS)
    best = scratch(np.float64, SLOTS)
    for place in range(end - 1, begin - 1, -1):
        for bit in range(63, -1, -1):
            if board.stop != 0:
                return
            if reached[place] >> np.uint64(bit) & np.uint64(1):
                number = np.int64(place) * 64 + bit
                mover = read_number(board, number, digits, squares)
                best_of_each_cube(board, reached, before, values, number, digits, squares, mover, best)
                values[rank_of(reached, before, number)] = chance_to_win(board, digits, mover, best)


@kernel
def best_of_each_cube(board, reached, before, values, number, digits, squares, mover, best):
    """The chance to win with the best move of each of the mover's cubes."""
    for slot in range(mover * MAX_CUBES, (mover + 1) * MAX_CUBES):
        best[slot] = 0.0
        square = squares[slot]
        if square != GONE:
            for i in range(MOVES[mover, square]):
                after = after_move(board, number, digits, squares, mover, slot, np.int64(TARGET[mover, square, i]))
                chance = 1.0 if after == GONE else 1.0 - values[rank_of(reached, before, after)]
                best[slot] = max(best[slot], chance)


@kernel
def chance_to_win(board, digits, mover, best):
    """The mean over the six faces of the die, of the better of the one or two cubes it lets move."""
    alive = 0
    for slot in range(mover * MAX_CUBES, (mover + 1) * MAX_CUBES):
        if digits[slot] < board.size[slot] - 1:
            alive |= 1 << board.cube[slot]
    total = 0.0
    for die in range(6):
        chance = 0.0
        for slot in range(mover * MAX_CUBES, (mover + 1) * MAX_CUBES):
            number = board.cube[slot]
            may_move = CHOICE[alive, die, 0] == number or CHOICE[alive, die, 1] == number
            if may_move and digits[slot] < board.size[slot] - 1:
                chance = max(chance, best[slot])
        total += chance
    return total / 6.0


class Endgames(Exact):
    """The value of every state that can follow a position."""

    def __init__(self, root: Position, reached: Any, values: Any, seconds: float) -> None:
        self.game, self.root, self.seconds = root.game, root, seconds
        self.board = board_of(root)
        self.reached, self.values = reached, values
        self.before = states_before(reached)

    def number(self, position: Position) -> int | None:
        """The number of a position's state, before a roll or a move, or None if it has none."""
        number = 0
        state, board = position.state, self.board[0]
        slots = {6 * (slot // MAX_CUBES) + int(board["cube"][slot]): slot for slot in range(SLOTS - 1, -1, -1)}
        for cube, square in enumerate(squares_of(state)):
            if cube not in slots:
                if square != NO_SQUARE:
                    return None
                continue
            slot = slots[cube]
            removed = int(board["size"][slot]) - 1
            digit = removed if square == NO_SQUARE else int(board["digit"][slot, square])
            if square != NO_SQUARE and digit == removed:
                return None
            number += digit * int(board["stride"][slot])
        return 2 * number + int(state.turn)

    def covers(self, position: Position) -> bool:
        if position.is_terminal:
            return True
        number = self.number(position)
        return number is not None and bool(int(self.reached[number >> 6]) >> (number & 63) & 1)

    def value(self, position: Position) -> float:
        if position.is_terminal:
            return float(position.utilities()[0])
        if not self.covers(position):
            raise AstragalError(f"'{position.text}' cannot follow '{self.root.text}', which was solved")
        if not position.is_chance:
            return (-1.0 if position.turn else 1.0) * max(self.action_values(position).values())
        number = self.number(position)
        assert number is not None  # since it is covered
        below = int(self.reached[number >> 6]) & ((1 << (number & 63)) - 1)
        chance = float(self.values[int(self.before[number >> 6]) + below.bit_count()])
        return (200.0 * chance - 100.0) * (-1.0 if position.state.turn else 1.0)

    def facts(self, position: Position) -> dict[str, Any]:
        return {"states": len(self.values), "seconds": self.seconds}


def states_before(reached: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint32]:
    """[word] -> how many states are marked before it."""
    before = np.zeros(len(reached), np.uint32)
    np.cumsum(np.bitwise_count(reached[:-1]), out=before[1:])
    return before


def cubes_alive(position: Position) -> list[int]:
    """How many cubes each player has."""
    return [sum(square != NO_SQUARE for square in squares_of(position.state)[6 * p : 6 * p + 6]) for p in range(2)]


def solves(position: Position) -> bool:
    return max(cubes_alive(position)) <= MAX_CUBES


def kept_file(position: Position) -> Path:
    """Positions that differ only in the die are kept as one."""
    rows, player, _ = position.text.split()
    return file_for(position.game, f"endgame-{rows.replace('/', '').replace('.', '_')}-{player}")


def find_kept(position: Position) -> Endgames | None:
    path = kept_file(position)
    adopt_former(position, path, lambda former: read_endgames(position, former, former.stat().st_mtime_ns))
    return read_endgames(position, path, path.stat().st_mtime_ns) if path.exists() else None


@lru_cache(maxsize=2)
def read_endgames(position: Position, path: Path, written: int) -> Endgames | None:
    arrays = load_arrays(path, "reached", "values", "seconds")
    return None if arrays is None else Endgames(position, arrays[0], arrays[1], float(arrays[2]))


last_solved: list[Endgames] = []  # a game is played on from a position; what follows it is known


def on_demand(position: Position) -> Endgames:
    for endgames in last_solved:
        if endgames.game == position.game and endgames.covers(position):
            return endgames
    found = find_kept(position) or solve_position(position)
    last_solved[:] = [found]
    return found


def solve_position(position: Position, max_states: int = MAX_STATES, report: Report = say_nothing) -> Endgames:
    """Find the value of every state that can follow a position, and keep them."""
    started = time.perf_counter()
    board = board_of(position)
    reached = np.zeros(int(board["states"][0]) // 64 + 1, np.uint64)
    reached[0] = np.uint64(1) << np.uint64(position.state.turn)  # all cubes have the digit 0

    def work() -> npt.NDArray[np.float64]:
        for begin in range(0, len(reached), CHUNK):
            find_states(board, reached, begin, min(begin + CHUNK, len(reached)))
        count = int(np.bitwise_count(reached).sum())
        report("states", count)
        if count > max_states:
            raise AstragalError(f"{count:,} states can follow '{position.text}'; raise --max-states")
        before, values = states_before(reached), np.zeros(count)
        for begin in range((len(reached) - 1) // CHUNK * CHUNK, -1, -CHUNK):
            find_values(board, reached, before, values, begin, min(begin + CHUNK, len(reached)))
        return values

    def stop() -> None:
        board["stop"] = 1

    values = run_interruptible(work, stop)
    endgames = Endgames(position, reached, values, time.perf_counter() - started)
    save_arrays(kept_file(position), reached=reached, values=values, seconds=np.array(endgames.seconds))
    return endgames
