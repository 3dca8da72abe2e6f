"""A quick look at a user's game before it is searched for the first time.

Random games are run by Python for a moment, and every promise is checked. So a search does not answer where the game
breaks one. A game in which nothing was found is remembered in the cache, until its code is edited.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from pathlib import Path
from typing import Any

from astragal.base.errors import AstragalError, EndlessLoop, GameError
from astragal.base.folders import new_file
from astragal.base.overdue import ended_when_overdue
from astragal.compiler.kernel_files import kernel_folder
from astragal.compiler.records import strictly
from astragal.compiler.switches import is_users
from astragal.rules.checks.positions import check_position
from astragal.rules.checks.promise import Broken, random_game
from astragal.rules.checks.secrets import check_secrets
from astragal.rules.position import Position

VARIABLE = "ASTRAGAL_QUICK_CHECK"
SECONDS, GAMES = 0.2, 30  # the most that is looked at
MORE = f"astragal check tests the whole game, and {VARIABLE}=off leaves this look out"

looked_at: set[str] = set()  # games in which nothing was found


def quick_check(game: Any) -> None:
    """Raise a sentence if a user's game breaks a promise in a few random games; once for each game."""
    if os.environ.get(VARIABLE) == "off" or not is_users(type(game)):
        return
    key = hashlib.sha256(f"{type(game).__identity__} {game}".encode()).hexdigest()
    if key in looked_at:
        return
    file = kernel_folder() / f"{type(game).__name__}-{key[:24]}.checked"
    if not file.exists():
        look_at(game)
        remember(file)
    looked_at.add(key)


def look_at(game: Any) -> None:
    started = time.perf_counter()
    try:
        with strictly(), ended_when_overdue(2 * SECONDS):
            for seed in range(GAMES):
                path: list[Position] = []
                for position in random_game(game, seed):
                    path.append(position)
                    check_position(game, position)
                    check_secrets(game, path)
                    if time.perf_counter() - started > SECONDS:
                        return
    except (Broken, AstragalError) as error:
        if not isinstance(error.__cause__ or error, EndlessLoop):  # which compiled code counts, and Python is slow
            raise GameError(f"{error}; {MORE}") from error


def remember(file: Path) -> None:
    """Keep an empty file, whose name says that nothing was found."""
    with contextlib.suppress(OSError), new_file(file, "w"):
        pass
