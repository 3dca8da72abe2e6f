"""Documents that are made from the code are what it says today."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from astragal import load_game
from astragal.game import defaults
from astragal.game.protocol import CONTRACT, DECLARATIONS, METHODS
from helpers import run_apart

DOCS = Path(__file__).parents[1] / "docs"


def script(name: str) -> ModuleType:
    """A script of the documentation, not run."""
    specification = importlib.util.spec_from_file_location(f"docs_{name}", DOCS / f"{name}.py")
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


def test_the_tables_say_what_a_game_is():
    tables = script("tables")
    page = tables.PAGE.read_text(encoding="utf-8")
    assert tables.with_tables(page) == page, "the tables are old: run python docs/tables.py"


def test_a_change_of_a_table_is_noticed():
    tables = script("tables")
    page = tables.PAGE.read_text(encoding="utf-8")
    for member in CONTRACT:
        assert tables.with_tables(page.replace(f"| `{member.name}", "| `renamed", 1)) == page


def test_every_member_has_a_sentence():
    assert [member.name for member in CONTRACT if not member.about.endswith(".")] == []


def test_what_is_optional_in_kernels_has_a_default():
    """Compiled code calls it whether a game has it or not."""
    compiled = [member.name for member in METHODS if member.mark.needed != "always" and not member.mark.python_only]
    assert "deal" in compiled
    assert all(hasattr(defaults, name) for name in compiled)


@pytest.mark.parametrize("name", ["tic_tac_toe", "ewn", "tic_tac_toe.kif"])
def test_a_game_has_all_that_is_declared(name):
    game = load_game(name)
    assert [member.name for member in DECLARATIONS if not hasattr(game, member.name)] == []


def test_the_contract_needs_no_numba():
    ran = run_apart(script="import sys, astragal.game.decorator; sys.exit('numba' in sys.modules)")
    assert ran.code == 0, ran.err
