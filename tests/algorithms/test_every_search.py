"""Every search runs on every game it fits, and refuses the others in a sentence."""

from __future__ import annotations

import re

import pytest

from astragal import load_game
from support.every_search import ONE_OF_A_KIND, SPECS, searches
from support.helpers import run_support, slow_but

STAR = ["prove", "exp", "star1", "star2", "star", "expss", "star1ss", "star2ss", "starss", "fsss", "ams"]
ALPHABETA = ["alphabeta", "mm", "hybrid"]
ANY = ["dpw", "ggp", "maxn", "mcs", "mcts", "paranoid", "uct", "uct_h", "uctmax_h"]


def wanted(spec: str, name: str) -> str:
    """What a search must say on a game: that it plays, or why not."""
    game = load_game(spec)
    if name in ANY:
        return "plays "
    if game.players > 2:
        others = "maxn, paranoid and uct play with any number"
        return re.escape(f"refused: {name} needs one or two players; {spec} has {game.players}; {others}")
    if name in ALPHABETA and game.max_outcomes:
        return re.escape(f"refused: {name} needs a game without chance; {spec} has it, so try star2")
    return "plays "


def test_all_searches_are_known_here():
    assert sorted(STAR + ALPHABETA + ANY) == sorted(searches())


def check_every_search(spec: str, **environment: str) -> None:
    """In a process of its own: what it compiles goes with it."""
    ran = run_support("every_search", spec, **environment)
    assert ran.code == 0, ran.err
    said = dict(line.split(": ", 1) for line in ran.out.splitlines())
    assert list(said) == searches()
    for name, answer in said.items():
        assert re.match(wanted(spec, name), answer), f"{name}: {answer}"


@pytest.mark.slow
@pytest.mark.interpreted
@pytest.mark.parametrize("spec", slow_but(ONE_OF_A_KIND, SPECS))
def test_every_search_that_fits_a_game_plays_it_uncompiled(spec):
    check_every_search(spec, NUMBA_DISABLE_JIT="1")


@pytest.mark.slow
@pytest.mark.parametrize("spec", SPECS)
def test_every_search_that_fits_a_game_plays_it(spec):
    check_every_search(spec)
