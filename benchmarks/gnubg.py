"""GNU Backgammon in a process of its own, asked line by line: what it plays, and what it thinks of a position.

Needs the program `gnubg` (Debian's package of that name). Its Python asks for one evaluation at a time and then sleeps
for 10 ms before it looks for the answer, so a program with many questions runs several processes at once
(`benchmarks/backgammon.py`).
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import numpy.typing as npt

from astragal import Position

SERVER = """
import sys
gnubg.command("set jacoby off")
context = gnubg.evalcontext(0, PLIES, 1, 0, 0.0)
cube = gnubg.cubeinfo(1, -1, 0, 0, (0, 0), 0, 0)
cube["jacoby"] = 0
cube["gammonprice"] = ((1.0, 1.0), (1.0, 1.0))
print("READY", flush=True)
for line in sys.stdin:
    what, board, dice = line.split()
    position = gnubg.positionfromid(board)
    if what == "move":
        move = gnubg.findbestmove(position, cube, context, (int(dice[0]), int(dice[1])))
        print("MOVE", *move, flush=True)
    else:
        print("VALUE", gnubg.evaluate(position, cube, context)[5], flush=True)
"""


def program() -> str | None:
    """Where GNU Backgammon is, if it is installed."""
    return shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")


class Gnubg:
    """A process of GNU Backgammon that evaluates `plies` deep, by its own count, in which a look is 0."""

    def __init__(self, program: str, options: str = "", plies: int = 0) -> None:
        self.folder = tempfile.TemporaryDirectory()
        script = Path(self.folder.name) / "server.py"
        script.write_text(SERVER.replace("PLIES", str(plies)))
        line = [program, "-t", "-q", "-r", *shlex.split(options), "-p", str(script)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(line, text=True, bufsize=1, **pipes)
        self.answer("READY")

    def answer(self, word: str) -> list[str]:
        while line := self.process.stdout.readline():
            first, *rest = line.split() or [""]
            if first == word:
                return rest
        raise RuntimeError("gnubg ended without an answer")

    def ask(self, what: str, position: Position) -> list[str]:
        board, _, dice = position.text.split()
        self.process.stdin.write(f"{what} {board} {dice}\n")
        return self.answer("MOVE" if what == "move" else "VALUE")

    def equity(self, position: Position) -> float:
        """What a position before a roll is worth to the side that rolls."""
        return float(self.ask("value", position)[0])

    def men_after_best(self, position: Position) -> npt.NDArray[np.int8]:
        """The men of both sides after the turn that GNU Backgammon plays."""
        numbers = [int(word) for word in self.ask("move", position)]
        return men_after(position, list(zip(numbers[::2], numbers[1::2], strict=True)))

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def men_after(position: Position, moves: list[tuple[int, int]]) -> npt.NDArray[np.int8]:
    """The men after moves from point to point, 25 being the bar and 0 off; moves from 0 are none."""
    state = position.state
    men, mine, theirs = np.array(state.men), state.turn * 26, (1 - state.turn) * 26
    for source, to in moves:
        if source > 0:
            men[mine + 25 - source] -= 1
            men[mine + 25 - max(to, 0)] += 1
            if to > 0 and men[theirs + to] == 1:
                men[theirs + to] = 0
                men[theirs] += 1
    return men
