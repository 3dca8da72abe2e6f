"""OpenSpiel itself, which is optional: loaded when it is needed, and a sentence where it is missing."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from astragal.base.errors import AstragalError, SpecError, suggest

PREFIX = "openspiel:"


def load_openspiel(who: str = "OpenSpiel's games and players") -> Any:
    """OpenSpiel, which takes a while to load, or a sentence where it is missing."""
    try:
        import pyspiel
    except ImportError:
        verb = "needs" if who.startswith("the ") else "need"
        raise AstragalError(f'{who} {verb} OpenSpiel: pip install "astragal[openspiel]"') from None
    return pyspiel


def their_game(name: str) -> Any:
    """OpenSpiel's game of a text such as ``backgammon`` or ``mnk(m=4,n=4,k=3)``; a sentence where it does not fit."""
    pyspiel = load_openspiel(f"the game {PREFIX}{name}")
    short = name.partition("(")[0]
    kinds = {kind.short_name: kind for kind in pyspiel.registered_games()}
    if short not in kinds:
        known = "astragal games openspiel: lists them"
        raise SpecError(f"OpenSpiel has no game '{short}' ({known}){suggest(short.lower(), kinds)}")
    try:
        with unheard():
            made = pyspiel.load_game(name)
            why = why_not(made.get_type())  # of this one: what misere(game=...) is depends on the game in it
            if not why:
                made.new_initial_state()  # some sizes are refused only here
    except Exception as error:  # of whatever kind its version raises
        why = why_not(kinds[short])
        if not why:
            raise SpecError(f"OpenSpiel cannot make '{name}': {first_line(error)}") from None
    if why:
        raise SpecError(f"{PREFIX}{short} cannot be searched here: {why}")
    return made


def first_line(error: Exception) -> str:
    """What a library's error says, without its trailing stops and colons."""
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(" .:")


@contextmanager
def unheard() -> Iterator[None]:
    """Keep what OpenSpiel's C++ writes to standard error beside its errors from the terminal."""
    sys.stderr.flush()
    kept, nothing = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nothing, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nothing)


def why_not(kind: Any) -> str:
    """Why searches here cannot search a kind of game of OpenSpiel's; nothing if they can."""
    if kind.dynamics.name != "SEQUENTIAL":
        return "its players choose at once"
    if kind.information.name != "PERFECT_INFORMATION":
        return "it has hidden information"
    if kind.chance_mode.name == "SAMPLED_STOCHASTIC":
        return "it does not say how likely its chance outcomes are"
    return ""


def their_names() -> list[str]:
    """The games of OpenSpiel that can be searched here."""
    pyspiel = load_openspiel()
    return sorted(kind.short_name for kind in pyspiel.registered_games() if not why_not(kind))
