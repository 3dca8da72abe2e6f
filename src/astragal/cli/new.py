"""`astragal new`: a file with a small game in it that works, to be made another."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path
from typing import Annotated

import typer

from astragal.errors import AstragalError, SpecError

MYPY = "# mypy: ignore-errors\n\n"  # of no use to whoever gets the file
SKELETON = Path(__file__).with_name("skeleton.py")
NAME, PLAYERS = "Skeleton", "players = 2\n"  # what is changed in it


def new(
    file: Annotated[Path, typer.Argument(help="The file to write, such as my_game.py.", show_default=False)],
    players: Annotated[int, typer.Option("--players", min=2, max=8, help="How many players there are.")] = 2,
) -> None:
    """Write a game of your own to begin with: a small one with comments that passes astragal check.

    The class is named after the file: MyGame in my_game.py. A file that is there already is left alone.
    """
    text = SKELETON.read_text(encoding="utf-8").replace(MYPY, "")
    name = class_name(file, text)
    text = (
        re.sub(rf"\b{NAME}\b", name, text).replace(PLAYERS, f"players = {players}\n").replace("FILE:", f"{file.name}:")
    )
    try:
        with file.open("x", encoding="utf-8") as out:
            out.write(text)
    except FileExistsError:
        raise AstragalError(f"{file} is there already; give the new game another name") from None
    except OSError as error:
        raise AstragalError(f"cannot write to {file}: {error.strerror}") from None
    print(next_steps(shlex.quote(str(file)), name, "star2" if players == 2 else "maxn"))


def class_name(file: Path, skeleton: str) -> str:
    """``MyGame`` for ``my_game.py``, unless the file means something else by that name."""
    name = "".join(part[:1].upper() + part[1:] for part in file.stem.split("_"))
    if file.suffix != ".py" or not file.stem.isidentifier() or not name.isidentifier():
        raise SpecError(f"a game's file is named with letters, digits and _, such as my_game.py, not '{file.name}'")
    taken = {node.id for node in ast.walk(ast.parse(skeleton)) if isinstance(node, ast.Name)}
    return f"{name}Game" if name in taken else name


def next_steps(file: str, name: str, player: str) -> str:
    return f"""{file} has a small game in it, {name}. Change it to yours, and meanwhile:

    astragal check {file}                      # does it keep its promises?
    astragal play {file} --player {player}
    astragal search {file} --player uct --time 1
    astragal match {file} {player} uct --games 100 --time 0.05

What each method means: docs/writing-a-game.md"""
