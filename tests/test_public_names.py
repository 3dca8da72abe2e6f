"""The package's public names: imported on first use, and never hidden by a package of the same name."""

from __future__ import annotations

import inspect
import pickle

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


def test_every_public_name_has_a_place():
    assert sorted(astragal.PLACE_OF) == sorted(astragal.__all__)


def test_a_star_import_brings_every_public_name():
    assert told("from astragal import *; import astragal; print(set(astragal.__all__) - set(dir()))") == "set()\n"


@pytest.mark.slow
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
def test_a_name_is_the_package_and_can_be_called_whatever_was_imported_first(first):
    script = f"""
{first}
import sys
import astragal.search.progress as progress, astragal.game.position as position, astragal.solve.exact as exact
import astragal
for name in ("game", "search", "solve"):
    assert getattr(astragal, name) is sys.modules["astragal." + name], name
    assert callable(getattr(astragal, name)), name
from astragal import game, search, solve
assert search is astragal.search and search.progress is progress
assert game.position is position and solve.exact is exact
print(progress.__name__, position.Position.__name__)
"""
    assert told(script) == "astragal.search.progress Position\n"


def test_a_package_that_is_called_looks_like_its_function():
    assert list(inspect.signature(astragal.search).parameters) == ["position", "player", "seed", "limits"]
    assert list(inspect.signature(astragal.game).parameters) == ["cls"]
    assert inspect.getdoc(astragal.search).startswith("Ask a player")
    assert astragal.search(astragal.start("pig", 1).settled(1), "random").action in ("hold", "roll")


def test_the_module_and_its_packages_are_pickled_by_name():
    """As modules are by cloudpickle, which sends functions that refer to them to other processes."""
    for module in (astragal, astragal.game, astragal.search, astragal.solve):
        assert pickle.loads(pickle.dumps(module)) is module


def test_modules_that_come_with_the_package():
    names = ", ".join(f"astragal.{name}.__name__" for name in sorted(astragal.MODULES))
    assert told(f"import astragal; print({names})").split() == [f"astragal.{n}" for n in sorted(astragal.MODULES)]


def test_what_is_set_stays_set(monkeypatch):
    monkeypatch.setattr(astragal, "load_game", "another")
    assert astragal.load_game == "another"
