"""`astragal new`: a file or a folder with a small game that works, to be changed."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path
from typing import Annotated

import typer

from astragal.base.errors import AstragalError, SpecError

MYPY = "# mypy: allow-untyped-defs, allow-untyped-calls\n\n"  # of no use in a user's file
SKELETON = Path(__file__).with_name("skeleton")  # a game's folder
NAME, PLAYERS = "Skeleton", "players = 2\n"  # what is replaced in it


def new(
    file: Annotated[
        Path, typer.Argument(help="The file to write, such as my_game.py, or the folder.", show_default=False)
    ],
    players: Annotated[int, typer.Option("--players", min=2, max=8, help="The number of players.")] = 2,
    folder: Annotated[
        bool, typer.Option("--folder", help="Write a folder: rules, picture, and room for players and a solver.")
    ] = False,
) -> None:
    """Write a small game with comments that passes astragal check, to change into yours.

    The class is named after the file or folder: MyGame in my_game.py or my_game. Existing files are not changed.
    """
    sources = [SKELETON / "rules.py", *([SKELETON / "__init__.py", SKELETON / "picture.py"] if folder else [])]
    texts = {source.name: source.read_text(encoding="utf-8") for source in sources}
    name = class_name(file, texts["rules.py"], folder)
    written = {each: changed(text, name, file.name, players) for each, text in texts.items()}
    try:
        if folder:
            file.mkdir()
        for each, text in written.items():
            with (file / each if folder else file).open("x", encoding="utf-8") as out:
                out.write(text)
    except FileExistsError:
        raise AstragalError(f"{file} is there already; give the new game another name") from None
    except OSError as error:
        raise AstragalError(f"cannot write to {file}: {error.strerror}") from None
    shown = shlex.quote(str(file))
    print(next_steps(shown, f"{shown}/rules.py" if folder else shown, name, "star2" if players == 2 else "maxn"))


def changed(text: str, name: str, file: str, players: int) -> str:
    """A file of the skeleton for a game of this name."""
    text = re.sub(rf"\b{NAME}\b", name, text.replace(MYPY, "")).replace(PLAYERS, f"players = {players}\n")
    return re.sub(r"\bFILE\b", file, text)


def class_name(file: Path, skeleton: str, folder: bool) -> str:
    """``MyGame`` for ``my_game.py`` or the folder ``my_game``, unless the file means something else by that name."""
    suffix, what, example = ("", "folder", "my_game") if folder else (".py", "file", "my_game.py")
    name = "".join(part[:1].upper() + part[1:] for part in file.stem.split("_"))
    if file.suffix != suffix or not file.stem.isidentifier() or not name.isidentifier():
        raise SpecError(f"a game's {what} is named with letters, digits and _, such as {example}, not '{file.name}'")
    taken = {node.id for node in ast.walk(ast.parse(skeleton)) if isinstance(node, ast.Name)}
    return f"{name}Game" if name in taken else name


def next_steps(file: str, rules: str, name: str, player: str) -> str:
    return f"""{rules} has a small game in it, {name}. Change it into yours, and use:

    astragal check {file}                      # is it correct?
    astragal play {file} --player {player}
    astragal search {file} --player uct --time 1
    astragal match {file} {player} uct --games 100 --time 0.05

What each method means: docs/writing-a-game.md"""
