"""`astragal cache build`: compile kernels ahead of use, on all cores."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import resource_tracker
from typing import Annotated

import typer

from astragal.arena.playing import MOST_JOBS
from astragal.arena.run import compile_one
from astragal.base.errors import AstragalError, SpecError, suggest
from astragal.games import game_names, load_game, split_own, split_sheet
from astragal.players import load_player, player_classes


def compile_ahead(
    names: Annotated[
        list[str] | None,
        typer.Argument(help="Games and players; all built-in games and all players without any.", show_default=False),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option("--jobs", min=1, max=MOST_JOBS, help="Processes; all cores if not given.", show_default=False),
    ] = None,
) -> None:
    """Compile the kernels of games and players ahead of use.

    Kernels are kept in the user's cache folder (ASTRAGAL_CACHE moves it). Each game is compiled with each player named
    that can play it.
    """
    games, players = sort_names(names or [])
    from numba import config

    if config.DISABLE_JIT:
        raise AstragalError("NUMBA_DISABLE_JIT is set, so nothing is compiled")
    tasks = [(game, player) for game in games for player in players if fits(game, player)]
    if not tasks:
        raise SpecError("none of these players can play these games")
    report(0, len(tasks), "")
    context = multiprocessing.get_context("spawn")
    workers = min(jobs or os.cpu_count() or 1, len(tasks))
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        try:
            with ctrl_c_held_back():  # the processes started here ignore it: this one stops them
                futures = {pool.submit(compile_one, *task): task for task in tasks}
            for done, future in enumerate(as_completed(futures), 1):
                future.result()
                report(done, len(tasks), " ".join(futures[future]))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for process in multiprocessing.active_children():
                process.terminate()
            raise
    print(f"\n{len(tasks)} searches are ready.")


@contextlib.contextmanager
def ctrl_c_held_back() -> Iterator[None]:
    """Let Ctrl-C wait until the block is left; processes started in it ignore Ctrl-C.

    Blocking the signal is not enough: another thread, such as one of a numerical library's, may receive it.
    """
    masks = hasattr(signal, "pthread_sigmask")  # not on Windows
    pressed: list[int] = []
    previous = signal.signal(signal.SIGINT, lambda number, frame: pressed.append(number))
    if masks:
        resource_tracker.ensure_running()  # started by the first process otherwise, it would not ignore Ctrl-C
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        if masks:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        signal.signal(signal.SIGINT, previous)
        if pressed:
            raise KeyboardInterrupt


def sort_names(names: list[str]) -> tuple[list[str], list[str]]:
    """Names split into games and players; all of a kind if none is named."""
    games, players = [], []
    for name in names:
        plain = name.partition(":")[0]
        if plain in player_classes():
            load_player(name)
            players.append(name)
        elif plain in game_names() or split_sheet(name) or split_own(name):
            load_game(name)
            games.append(name)
        else:
            known = [*game_names(), *player_classes()]
            raise SpecError(f"'{name}' is neither a game nor a player{suggest(plain, known)}")
    return games or game_names(), players or list(player_classes())


def fits(game: str, player: str) -> bool:
    try:
        return load_player(player, load_game(game)).compiles
    except AstragalError:
        return False


def report(done: int, total: int, what: str) -> None:
    filled = round(30 * done / total)
    line = f"compiling [{'#' * filled}{'.' * (30 - filled)}] {done}/{total} {what}"
    if sys.stderr.isatty():
        print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)
    else:
        print(line, file=sys.stderr, flush=True)
