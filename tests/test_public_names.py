"""The package's public names: imported on first use, and never hidden by a package of the same name."""

from __future__ import annotations

import importlib

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


OLD_IMPORTS = [  # which documents, examples or messages have printed
    "from astragal.arena.face import match, tournament, tune",
    "from astragal.errors import AstragalError",
    "from astragal.game.decorator import CHANCE, TERMINAL, compiled, game",
    "from astragal.game.dice import Dice",
    "from astragal.game.interpreted import interpreted",
    "from astragal.game.interruptible import stoppable_by",
    "from astragal.game.position import Outcome, Position",
    "from astragal.game.protocol import DECLARATIONS, METHODS",
    "from astragal.game.scratch import scratch",
    "from astragal.ggp.match import Match",
    "from astragal.parameters import Constant, parameter, record_facts",
    "from astragal.search.limits import Limits",
    "from astragal.search.plain_tree import PlainTree",
    "from astragal.search.progress import Paced",
    "from astragal.search.result import ActionValue, SearchResult",
    "from astragal.solve.exact import exact_values",
    "from astragal.solve.face import SolvedPosition, solve",
    "import astragal.search.progress",
    "import astragal.game.position, astragal.search.limits",
    "from importlib import import_module; import_module('astragal.search'); import_module('astragal.game')",
]


def test_old_paths_give_the_names_of_the_new_ones_and_functions_stay_functions():
    script = """
import inspect, sys, warnings
warnings.simplefilter("ignore", FutureWarning)
import astragal
for line in OLD_IMPORTS:
    exec(line, {})
    for name in ("game", "search", "solve"):
        assert inspect.isfunction(getattr(astragal, name)), (line, name)
from astragal.game.scratch import scratch
from astragal.search.limits import Limits
assert scratch is astragal.scratch and Limits is astragal.Limits
"""
    first = "import astragal.game.position\n"  # an old path before any other import
    heads = [f"OLD_IMPORTS = {OLD_IMPORTS!r}\n", f"{first}OLD_IMPORTS = {OLD_IMPORTS[::-1]!r}\n"]
    for head in heads:
        told(head + script)


def test_an_old_path_warns_and_an_unknown_one_is_no_module():
    with pytest.warns(FutureWarning, match=r"astragal\.game\.dice is astragal\.rules\.dice now"):
        from astragal.game.dice import Dice  # type: ignore[import-not-found]
    assert Dice is astragal.Dice
    with pytest.raises(ModuleNotFoundError, match=r"astragal\.rules\.nothing"):
        importlib.import_module("astragal.game.nothing")


def test_modules_that_come_with_the_package():
    for name, path in astragal.MODULES.items():
        assert told(f"import astragal; print(astragal.{name}.__name__)") == f"astragal.{path}\n"


def test_what_is_set_stays_set(monkeypatch):
    monkeypatch.setattr(astragal, "load_game", "another")
    assert astragal.load_game == "another"
