"""Backgammon against GNU Backgammon at 0-ply: points a game, cubeless, gammons and backgammons counted.

    python benchmarks/gnubg.py "star:depth=1,evaluation=learned" --games 200

Needs the program `gnubg` (Debian's package of that name), or where it is: ``--gnubg /path/to/gnubg``, with options of
its own in ``--options "-D folder -P folder"`` where its data are elsewhere. Games come in pairs that share their dice,
seats swapped.
"""

from __future__ import annotations

import argparse
import contextlib
import math
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from astragal import Dice, Position, load_game, load_player, start

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


class Gnubg:
    """GNU Backgammon in a process of its own, asked line by line."""

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

    def best_turn(self, position: Position) -> int:
        """The action that GNU Backgammon plays, found by where it leads."""
        numbers = [int(word) for word in self.ask("move", position)]
        moves = [pair for pair in zip(numbers[::2], numbers[1::2], strict=True) if pair[0] > 0]
        wanted = men_after(position, moves)
        for action in position.actions():
            if list(position.follow(action).state.men) == wanted:
                return action
        raise ValueError(f"gnubg plays {moves} at {position.text}, which is no legal turn here")

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def men_after(position: Position, moves: list[tuple[int, int]]) -> list[int]:
    """The men after moves from point to point, 25 being the bar and 0 off."""
    state = position.state
    men, mine, theirs = [int(count) for count in state.men], state.turn * 26, (1 - state.turn) * 26
    for source, to in moves:
        men[mine + 25 - source] -= 1
        men[mine + 25 - max(to, 0)] += 1
        if to > 0 and men[theirs + to] == 1:
            men[theirs + to] = 0
            men[theirs] += 1
    return men


def play(gnubg: Gnubg, player: object, seat: int, seed: int) -> float:
    """One game; the points of our player."""
    dice = Dice(seed)
    position = start(load_game("backgammon")).settled(dice)
    number = 0
    while not position.is_terminal:
        number += 1
        legal = position.actions()
        if len(legal) == 1:
            action = legal[0]
        elif position.turn == seat:
            action = player.search(position, seed=seed + number).action_number
        else:
            action = gnubg.best_turn(position)
        position = position.follow(action).settled(dice)
    return position.utilities()[seat]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player", nargs="?", default="star:depth=1,evaluation=learned")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--plies", type=int, default=0)
    parser.add_argument("--gnubg", default=shutil.which("gnubg") or "/usr/games/gnubg")
    parser.add_argument("--options", default="")
    given = parser.parse_args()
    player = load_player(given.player, load_game("backgammon"))
    gnubg = Gnubg(given.gnubg, given.options, given.plies)
    pairs: list[float] = []
    with contextlib.suppress(KeyboardInterrupt):  # what was played until then counts
        for pair in range(-(-given.games // 2)):
            pairs.append(sum(play(gnubg, player, seat, given.seed + 1000 * pair) for seat in range(2)) / 2)
    gnubg.close()
    if len(pairs) < 2:
        raise SystemExit("too few games")
    mean = sum(pairs) / len(pairs)
    spread = math.sqrt(sum((each - mean) ** 2 for each in pairs) / (len(pairs) - 1))
    error = 1.96 * spread / math.sqrt(len(pairs))
    print(f"{given.player} against gnubg {given.plies}-ply: {mean:+.3f} ± {error:.3f} points, {2 * len(pairs)} games")


if __name__ == "__main__":
    main()
