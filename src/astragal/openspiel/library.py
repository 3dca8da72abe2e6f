"""OpenSpiel itself, which is optional: loaded when it is needed, and a sentence where it is missing."""

from __future__ import annotations

from typing import Any

from astragal.errors import AstragalError, SpecError, suggest

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
        raise SpecError(f"OpenSpiel has no game '{short}' ({known}){suggest(short, kinds)}")
    if why := why_not(kinds[short]):
        raise SpecError(f"{PREFIX}{short} cannot be searched here: {why}")
    try:
        return pyspiel.load_game(name)
    except Exception as error:  # of whatever kind its version raises
        raise SpecError(f"OpenSpiel cannot make '{name}': {str(error).splitlines()[0]}") from None


def why_not(kind: Any) -> str:
    """Why searches here cannot search a kind of game of OpenSpiel's; nothing if they can."""
    if kind.dynamics.name != "SEQUENTIAL":
        return "its players choose at once"
    if kind.information.name != "PERFECT_INFORMATION":
        return "its players do not know everything"
    if kind.chance_mode.name == "SAMPLED_STOCHASTIC":
        return "it does not say how likely its chance outcomes are"
    return ""


def their_names() -> list[str]:
    """The games of OpenSpiel that can be searched here."""
    pyspiel = load_openspiel()
    return sorted(kind.short_name for kind in pyspiel.registered_games() if not why_not(kind))
