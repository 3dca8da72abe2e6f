"""The package's public names: imported on first use, and never hidden by a package of the same name."""

from __future__ import annotations

import pytest

import astragal
from support.helpers import run_apart


def told(script: str) -> str:
    ran = run_apart(script=script)
    assert ran.code == 0, ran.err
    return ran.out


def test_importing_the_package_imports_nothing_heavy():
    assert told("import sys, astragal; print({'numpy', 'numba', 'typer'} & set(sys.modules))") == "set()\n"


def test_every_public_name_is_there_and_listed():
    for name in astragal.__all__:
        assert getattr(astragal, name) is getattr(astragal, name)
        assert name in dir(astragal)
    with pytest.raises(AttributeError, match="module 'astragal' has no attribute 'serach'"):
        _ = astragal.serach  # type: ignore[attr-defined]


def test_the_table_of_places_has_every_name_that_is_not_defined_in_the_package_itself():
    assert sorted([*astragal.PLACE_OF, "search", "start"]) == sorted(astragal.__all__)


def test_a_star_import_brings_every_public_name():
    assert told("from astragal import *; import astragal; print(set(astragal.__all__) - set(dir()))") == "set()\n"


@pytest.mark.parametrize(
    "first",
    [
        "import astragal",
        "import astragal.search.limits, astragal.game.position",
        "import astragal.players",
        "from astragal import game, search",
        "from importlib import import_module; import_module('astragal.search'); import_module('astragal.game')",
    ],
)
def test_packages_do_not_hide_functions_of_their_name(first):
    script = f"""
{first}
import astragal, astragal.game.kernel, astragal.search.progress
from astragal.game.decorator import game
print(astragal.game is game, astragal.search.__module__, astragal.search.__name__)
"""
    assert told(script) == "True astragal search\n"


def test_modules_that_come_with_the_package():
    names = ", ".join(f"astragal.{name}.__name__" for name in sorted(astragal.MODULES))
    assert told(f"import astragal; print({names})").split() == [f"astragal.{n}" for n in sorted(astragal.MODULES)]


def test_what_is_set_stays_set(monkeypatch):
    monkeypatch.setattr(astragal, "load_game", "another")
    assert astragal.load_game == "another"
