"""By which pipeline kernels are compiled, and that both give the same results."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from astragal.base.errors import SpecError
from astragal.compiler import switches

SCRIPT = """
import json
from pathlib import Path
from astragal import load_game, load_player, Position
from astragal.compiler.dispatchers import compilers
from astragal.compiler.kernel_files import kernel_folder
from astragal.algorithms.limits import Limits
found = []
for player in ("star2:depth=2", "uct"):
    rules = load_game("pig:goal=20")
    result = load_player(player, rules).search(Position.start(rules), 1, Limits(nodes=2000))
    found.append([result.value, result.nodes, result.action])
files = sorted(path.name for path in kernel_folder().iterdir())
print(json.dumps({"found": found, "compiler": compilers()[0].__name__, "files": files}))
"""


@pytest.fixture
def fresh(monkeypatch):
    """`switches` as in a new process."""
    monkeypatch.delenv(switches.COMPILER, raising=False)
    switches.pipeline.cache_clear()
    yield monkeypatch
    monkeypatch.undo()
    switches.pipeline.cache_clear()


def test_a_tested_version_of_numba_is_changed(fresh):
    fresh.setattr("numba.__version__", ".".join(map(str, switches.NEWEST_TESTED)))
    assert switches.pipeline() == "fast"


@pytest.mark.parametrize("version", ["0.61.2", "0.69.0", "0.69.0rc1", "1.0", "0.68.1000"])
def test_another_version_is_left_as_it_is_with_one_warning(fresh, version):
    fresh.setattr("numba.__version__", version)
    with pytest.warns(UserWarning, match=rf"own pipeline.*{version} is not among the versions tested") as caught:
        assert switches.pipeline() == switches.pipeline() == "plain"
    assert len(caught) == 1
    assert os.environ.pop(switches.COMPILER) == "plain"  # for workers, which say nothing then


def test_one_that_lacks_something_is_left_as_it_is(fresh):
    fresh.setattr("astragal.compiler.numba_names.MISSING", "cannot import name 'x'")
    with pytest.warns(UserWarning, match="lacks something .cannot import name 'x'."):
        assert switches.pipeline() == "plain"
    os.environ.pop(switches.COMPILER)


@pytest.mark.parametrize("asked", ["plain", "fast"])
def test_what_is_asked_for_is_taken_without_a_word(fresh, recwarn, asked):
    fresh.setenv(switches.COMPILER, asked)
    fresh.setattr("numba.__version__", "99.0")
    assert switches.pipeline() == asked
    assert not recwarn.list


def test_there_is_no_third_pipeline(fresh):
    fresh.setenv(switches.COMPILER, "slow")
    with pytest.raises(SpecError, match="ASTRAGAL_COMPILER must be fast or plain, not 'slow'"):
        switches.pipeline()


def run_with(asked, cache):
    environment = os.environ | {switches.COMPILER: asked, "ASTRAGAL_CACHE": str(cache)}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.slow
def test_both_pipelines_find_the_same_and_keep_kernels_of_their_own(tmp_path):
    fast, plain = run_with("fast", tmp_path), run_with("plain", tmp_path)
    assert fast["found"] == plain["found"]
    assert (fast["compiler"], plain["compiler"]) == ("EntryCompiler", "PlainCompiler")
    assert len(plain["files"]) == 2 * len(fast["files"])
