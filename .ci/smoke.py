"""The first commands of a new user, compiled: a search of each family, a user's game, a check and a match.

Run it by the Python that is tried. It prints a line for each command, which `.ci/versions` compares: results are the
same on every Python, with every set of packages and by both pipelines.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
OWN = "examples/my_game.py:MyGame"
FAMILIES = {  # of searches, each with a player and a game
    "depth_first": ("star", "ewn"),  # with values in the table
    "star": ("star2ss", "ewn"),
    "sparse": ("fsss", "ewn"),
    "alphabeta": ("alphabeta", "connect_four"),
    "multiplayer": ("maxn", "chinese_checkers:players=3"),
    "tree": ("uct", "kalah"),
    "prove": ("prove", "connect_four"),
    "monte_carlo": ("mcs", "tic_tac_toe"),
}
NODES = 2000


def first_command() -> list[str]:
    """What the README has a reader run first, after the installing."""
    found = re.search(r"^ +pip install \. && astragal (.*)$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)
    assert found, "the README's first command has another form now"
    return found[1].split()


def run(*words: str) -> str:
    """What a command prints; anything but success ends this script with what was said."""
    done = subprocess.run([sys.executable, "-m", "astragal", *words], capture_output=True, encoding="utf-8", cwd=ROOT)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "no word").splitlines()[-1]
        sys.exit(f"astragal {' '.join(words)}: exit code {done.returncode}: {said}")
    for line in done.stderr.splitlines():
        if "warning" in line:
            print(line, file=sys.stderr)
    return done.stdout


def main() -> None:
    run(*first_command())
    for player, game in [*FAMILIES.values(), ("star2", OWN), ("uct", OWN)]:
        found = json.loads(run("search", game, "--player", player, "--nodes", str(NODES), "--json"))
        value = round(found["value"], 6) + 0.0  # which has no sign where it is 0
        print(f"{player} in {game}: {found['action']}, {value}, {found['nodes']} nodes")
    passed = re.findall(r"^ok ", run("check", OWN), re.MULTILINE)
    print(f"check {OWN}: {len(passed)} checks passed")
    match = json.loads(run("match", OWN, "star2", "uct", "--games", "2", "--nodes", "200", "--db", "none", "--json"))
    print(f"match in {OWN}: {match['players'][0]['rate']} of {match['games']} games")


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:  # nothing was compiled before
        os.environ["ASTRAGAL_CACHE"] = folder
        main()
