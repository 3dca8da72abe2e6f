"""Kernels of several players compiled side by side, in processes of their own, before they are needed."""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import wait
from typing import Any

from astragal.arena.workers import Processes
from astragal.game.position import Position
from astragal.games import load_game
from astragal.players import load_player
from astragal.search.limits import Limits


def compile_side_by_side(game: str | Any, players: Iterable[str], jobs: int) -> None:
    """Compile what players lack for a game, if more than one of them does and there are cores for it.

    Whatever fails is left to this process, which meets it again and says it.
    """
    jobs = min(jobs, os.cpu_count() or 1)
    names = list(dict.fromkeys(players))
    if jobs < 2 or len(names) < 2:
        return
    lacking = {name: what for name in names if (what := lacks(game, name))}
    if len(set(lacking.values())) < 2:
        return
    for what in dict.fromkeys(lacking.values()):
        announce(what)
    with Processes(min(jobs, len(lacking))) as processes:
        try:
            wait([processes.submit(compile_one, game, name) for name in lacking])
        except BaseException:  # Ctrl-C, which they leave to this process
            processes.kill()
            raise


def lacks(game: str | Any, player: str) -> str:
    """The kernel that a player would have to compile first; nothing where there is none."""
    from astragal.game.kernel import NotKept, only_kept

    try:
        with only_kept():
            think_briefly(game, player)
    except NotKept as what:
        return str(what)
    except Exception:  # it cannot play this game, or the like: said where it is to play
        return ""
    return ""


def announce(what: str) -> None:
    from astragal.game.kernel import announcers

    watcher = announcers[-1](what)
    if callable(watcher):
        watcher(1, 1)


def compile_one(game: str | Any, player: str) -> None:
    """What a process does."""
    from astragal.game.kernel import announcers

    announcers.append(lambda what: None)
    think_briefly(game, player)


def think_briefly(game: str | Any, player: str) -> None:
    rules = load_game(game)
    chosen = load_player(player, rules)
    position = Position.start(rules).settled(0)
    if not chosen.runs_programs and not position.is_terminal:
        chosen.search(position, 0, Limits(nodes=1))
