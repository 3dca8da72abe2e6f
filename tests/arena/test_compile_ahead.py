"""What several players lack is compiled side by side; what fails is left to those who need it."""

from __future__ import annotations

import pytest

from astragal.arena import run
from astragal.arena.contest import Contest
from astragal.arena.run import compile_side_by_side, lacks, warm_up
from astragal.arena.workers import InProcessExecutor
from astragal.compiler import kernel as kernels
from astragal.compiler.kernel import NotKept, kernel, only_kept
from support.helpers import add_up

pytestmark = pytest.mark.compiled


@pytest.fixture
def announced(tmp_path, monkeypatch):
    """What was announced as being compiled, in a cache that is empty at first."""
    monkeypatch.setenv("ASTRAGAL_CACHE", str(tmp_path / "cache"))
    heard = []
    kernels.announcers.append(heard.append)
    yield heard
    kernels.announcers.pop()


@pytest.fixture
def handed_out(monkeypatch):
    """Players that were handed to processes, of which there are always enough; none is started."""
    names = []

    class Recorded(InProcessExecutor):
        def __init__(self, jobs):
            super().__init__()

    monkeypatch.setattr(run, "Processes", Recorded)
    monkeypatch.setattr(run, "compile_one", lambda game, player: names.append(player))
    monkeypatch.setattr("os.cpu_count", lambda: 8)
    return names


def test_a_kernel_that_is_not_kept_is_not_compiled_where_only_kept_ones_are_wanted(announced):
    def plus_five(x):
        return x + 5

    for _ in range(2):
        with only_kept(), pytest.raises(NotKept, match="plus five"):
            kernel(plus_five, entry="plus five")(1)
    assert announced == []
    assert kernel(plus_five, entry="plus five")(1) == 6
    with only_kept():
        assert kernel(plus_five, entry="plus five")(1) == 6
    assert announced == ["plus five"]


@pytest.mark.parametrize(
    ("missing", "jobs", "handed"),
    [
        ({"a": "x", "b": "y", "c": ""}, 4, ["a", "b"]),
        ({"a": "x", "b": "y"}, 1, []),
        ({"a": "x", "b": "", "c": ""}, 4, []),
        ({"a": "x", "b": "x"}, 4, []),  # the same kernel for both
        ({"a": "x"}, 4, []),
    ],
)
def test_only_several_kernels_that_are_missing_are_handed_out(
    missing, jobs, handed, handed_out, announced, monkeypatch
):
    monkeypatch.setattr(run, "lacks", lambda game, player: missing[player])
    compile_side_by_side("game", [*missing, *missing], jobs)
    assert handed_out == handed
    assert announced == [missing[name] for name in handed]


def test_a_player_that_cannot_play_lacks_nothing(announced):
    assert lacks("pig", "no such player") == ""
    assert lacks("pig", "random") == ""
    assert lacks("no such game", "star2") == ""


@pytest.mark.slow
def test_what_is_compiled_by_processes_is_not_compiled_here(tmp_path, announced):
    (tmp_path / "game.py").write_text(add_up("3 * action + 1"))
    contest = Contest.of(str(tmp_path / "game.py"), ["alphabeta", "uct"])
    assert all(lacks(contest.game, player) for player in contest.kinds)
    compile_side_by_side(contest.game, contest.kinds, 2)
    assert len(announced) == 2
    warm_up(contest)
    assert len(announced) == 2
