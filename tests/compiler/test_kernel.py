"""Compiled kernels are kept, never stale, and a cache that is broken costs a compile and a warning, never a failure."""

from __future__ import annotations

import io
import json
import pickle
import re
import sys
import warnings
from types import SimpleNamespace

import pytest

from astragal import game, load_game, start
from astragal.algorithms.star.variant import StarVariant
from astragal.base.errors import GameError
from astragal.base.folders import cache_folder
from astragal.compiler import announce
from astragal.compiler import kernel as kernels
from astragal.compiler.compile_errors import compile_reason
from astragal.compiler.kernel import kernel
from astragal.rules.perft import count_sequences
from support.helpers import add_up, add_up_count, define, run_apart

pytestmark = pytest.mark.compiled


@pytest.fixture
def announced():
    """What was announced as being compiled during the test."""
    heard = []
    kernels.announcers.append(heard.append)
    yield heard
    kernels.announcers.pop()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("ASTRAGAL_CACHE", str(folder))
    return folder


def plus_one(x):
    return x + 1


def compiled_plus_one():
    """A new kernel of the same function, as another process would have it."""
    return kernel(plus_one, entry="plus one")


@pytest.mark.parametrize(
    ("platform", "variable", "rest"),
    [
        ("linux", "ASTRAGAL_CACHE", ()),
        ("win32", "ASTRAGAL_CACHE", ()),
        ("linux", "XDG_CACHE_HOME", ("astragal",)),
        ("linux", "HOME", (".cache", "astragal")),
        ("darwin", "HOME", ("Library", "Caches", "astragal")),
        ("win32", "LOCALAPPDATA", ("astragal",)),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="HOME means something else")
def test_the_cache_is_where_the_system_keeps_caches_unless_moved(platform, variable, rest, tmp_path, monkeypatch):
    for name in ("ASTRAGAL_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setattr("astragal.base.folders.sys", SimpleNamespace(platform=platform))
    assert cache_folder() == tmp_path.joinpath(*rest)


# Between processes


def perft_apart(file, cache):
    ran = run_apart("dev", "perft", file, "--depth", 5, "--json", cache=cache)
    assert ran.code == 0, ran.err
    return json.loads(ran.out)["count"], ran.err


@pytest.mark.slow
def test_an_edit_between_two_processes_changes_the_result(tmp_path):
    """An edit of the game, of a function or a table it imports, or of what its helper imports in turn."""
    imports = "import tables\nfrom helper import step\nBONUS = 0"
    (tmp_path / "game.py").write_text(add_up("step(action) + tables.TABLE[action] + BONUS", imports))
    (tmp_path / "helper.py").write_text("from deeper import one\ndef step(action):\n    return one(action)\n")
    (tmp_path / "deeper.py").write_text("def one(action):\n    return 1 + action\n")
    (tmp_path / "tables.py").write_text("from numbers_of import TABLE\n")
    (tmp_path / "numbers_of.py").write_text("import numpy as np\nTABLE = np.array([0, 0, 0])\n")
    file, cache = tmp_path / "game.py", tmp_path / "cache"

    count, said = perft_apart(file, cache)
    assert count == add_up_count(5, (1, 2, 3))
    assert said == "compiling perft: AddUp (once; kept for next time)\n"
    assert perft_apart(file, cache) == (count, "")  # the second time nothing is compiled

    for name, old, new, added in [
        ("game.py", "BONUS = 0", "BONUS = 1", (2, 3, 4)),
        ("deeper.py", "1 + action", "2 + action", (3, 4, 5)),
        ("numbers_of.py", "[0, 0, 0]", "[5, 0, 0]", (8, 4, 5)),
    ]:
        path = tmp_path / name
        path.write_text(path.read_text().replace(old, new))
        count, said = perft_apart(file, cache)
        assert count == add_up_count(5, added), f"stale after an edit of {name}"
        assert said.startswith("compiling perft: AddUp")
    assert len(list((cache / "kernels").glob("*.kernel"))) == 4


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_two_processes_may_compile_the_same_at_once(tmp_path):
    script = f"""
import multiprocessing, sys
from astragal.cli import run
def work(_):
    return run(["dev", "perft", {str(tmp_path / "game.py")!r}, "--depth", "4"])
if __name__ == "__main__":
    with multiprocessing.get_context("fork").Pool(2) as pool:
        sys.exit(max(pool.map(work, range(2), 1)))
"""
    (tmp_path / "game.py").write_text(add_up())
    ran = run_apart(script=script, cache=tmp_path / "cache")
    assert ran.code == 0, ran.err
    assert len(list((tmp_path / "cache" / "kernels").iterdir())) == 1


# Within a process


def test_two_games_in_one_process_do_not_mix(tmp_path, cache):
    """Two classes of the same name in two files, and a built-in game beside them."""
    counts = {}
    for number in (1, 2):
        (tmp_path / str(number)).mkdir()
        file = tmp_path / str(number) / "game.py"
        file.write_text(add_up(f"action + {number}"))
        counts[number] = count_sequences(start(f"{file}:AddUp"), 5)
    assert counts == {1: add_up_count(5, (1, 2, 3)), 2: add_up_count(5, (2, 3, 4))}
    assert count_sequences(start("pig"), 2) == 40


def test_a_class_without_a_file_can_be_redefined(cache):
    """As in a notebook: the same name, other constants."""
    for added in ((1, 2, 3), (3, 4, 5)):
        cls = define(add_up("action + STEP", f"STEP = {added[0]}"))["AddUp"]
        assert count_sequences(start(cls()), 5) == add_up_count(5, added)


def test_classes_made_by_a_function_do_not_mix(cache):
    """They have the same source, and differ in what their methods close over."""
    source = "def make(step):\n" + "".join(f"    {line}\n" for line in add_up("action + step").splitlines())
    make = define(f"{source}\n    return AddUp")["make"]
    assert count_sequences(start(make(1)()), 5) == add_up_count(5, (1, 2, 3))
    assert count_sequences(start(make(3)()), 5) == add_up_count(5, (3, 4, 5))


def test_a_class_may_be_defined_where_nothing_has_a_name(cache):
    """As by `exec` with an empty namespace, in which a class says that it is one of Python's own."""
    identities = set()
    for step in (1, 2):
        scope = {}
        exec(compile(add_up("step(action)", f"def step(action):\n    return action + {step}"), "<cell>", "exec"), scope)
        game = scope["AddUp"]()
        identities.add(type(game).__identity__)
        assert start(game).play(0).state.total == step
        assert count_sequences(start(game), 5) == add_up_count(5, tuple(range(step, step + 3)))
    assert len(identities) == 2


def test_a_subclass_is_a_game_of_its_own_or_refused(cache):
    class Faster(define(add_up())["AddUp"]):
        def play(self, state, action):
            state.total += action + 3
            state.turn = 1 - state.turn

    with pytest.raises(GameError, match="Faster inherits from AddUp and needs its own @game"):
        count_sequences(start(Faster()), 5)
    assert count_sequences(start(game(Faster)()), 5) == add_up_count(5, (3, 4, 5))


def test_parameters_are_not_compiled_in(tmp_path, cache, announced):
    (tmp_path / "game.py").write_text(add_up("2 * action + 1"))  # of no other test: it would be compiled already
    for goal in (9, 12):
        counted = count_sequences(start(load_game(f"{tmp_path / 'game.py'}:goal={goal}")), 6)
        assert counted == add_up_count(6, (1, 3, 5), goal=goal)
    assert announced == ["perft: AddUp"]


def test_the_first_compile_is_announced_once_and_kept(cache, announced):
    assert compiled_plus_one()(1) == 2
    assert announced == ["plus one"]
    assert compiled_plus_one()(1) == 2
    assert announced == ["plus one"]
    assert compiled_plus_one()(1.5) == 2.5  # other types are another compile
    assert announced == ["plus one", "plus one"]


CONSTANT_GOAL = add_up(imports="from astragal import Constant").replace("goal: int", "goal: Constant[int]")


@pytest.mark.parametrize(
    ("instance", "name"),
    [
        (lambda: StarVariant(prune=True, probe=True), "star2"),
        (lambda: StarVariant(prune=True, sampled=True, checked=True), "star1ss checked"),
        (lambda: load_game("pig:goal=50"), "Pig"),
        (lambda: load_game("pig:dice=1"), "Pig:max_outcomes=6,roll_table=0"),
        (lambda: load_game("pig:evaluation=tanh"), "Pig:squash=on"),
        (lambda: define(CONSTANT_GOAL)["AddUp"](5), "AddUp:goal=5"),
    ],
)
def test_the_announcement_says_which_constants_are_compiled_in(instance, name, cache, announced):
    first = kernel(lambda instance, x: x, entry="first")
    first(instance(), 1)
    assert announced == [f"first: {name}"]


def test_the_announcement_is_one_line_on_standard_error(capsys):
    kernels.announce_on_stderr("perft: Pig")
    assert capsys.readouterr() == ("", "compiling perft: Pig (once; kept for next time)\n")


@pytest.mark.parametrize(
    "spoil",
    [
        lambda good: b"",
        lambda good: b"not a kernel",
        lambda good: good[: len(good) // 2],
        lambda good: good[:-1],
        lambda good: pickle.dumps(None),
        lambda good: pickle.dumps((1, 2, 3)),
        lambda good: bytes(reversed(good)),
    ],
    ids=["empty", "text", "half", "cut short", "none", "another pickle", "reversed"],
)
def test_a_broken_file_means_a_warning_and_a_compile(spoil, cache, announced):
    compiled_plus_one()(1)
    (file,) = (cache / "kernels").glob("*.kernel")
    good = file.read_bytes()
    file.write_bytes(spoil(good))
    with pytest.warns(UserWarning, match="ignoring a broken file in the cache of compiled kernels"):
        assert compiled_plus_one()(1) == 2
    assert announced == ["plus one"] * 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compiled_plus_one()(1) == 2  # mended
    assert announced == ["plus one"] * 2


@pytest.mark.parametrize("inside", ["", "deep/er"])
def test_a_cache_that_cannot_be_written_means_a_warning(inside, tmp_path, monkeypatch, announced):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("ASTRAGAL_CACHE", str(tmp_path / "file" / inside))
    with pytest.warns(UserWarning, match=r"compiled kernels cannot be kept in .*; they are compiled anew each time"):
        assert compiled_plus_one()(1) == 2
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compiled_plus_one()(1) == 2  # said once
    assert announced == ["plus one"] * 2


@pytest.mark.slow
def test_an_unwritable_cache_does_not_stop_a_command(tmp_path):
    (tmp_path / "file").write_text("not a folder")
    (tmp_path / "game.py").write_text(add_up())
    ran = run_apart("dev", "perft", tmp_path / "game.py", "--depth", 3, "--json", cache=tmp_path / "file")
    assert ran.code == 0
    assert json.loads(ran.out)["count"] == 27
    compiling, warning = ran.err.splitlines()
    assert compiling == "compiling perft: AddUp (once; kept for next time)"
    assert warning.startswith("astragal: warning: compiled kernels cannot be kept in ")


def test_nothing_is_left_behind_but_the_kernel(cache):
    compiled_plus_one()(1)
    assert [path.suffix for path in (cache / "kernels").iterdir()] == [".kernel"]


# How code is put together


def test_a_function_that_one_caller_does_not_need_in_the_end_is_there_for_another(cache):
    """LLVM finds out that the one caller never calls it; the linker must not leave it out for that."""
    shared = kernel(lambda x: x * 3 + 1)

    def seldom(x):
        never = 1
        if never - 1:
            return shared(x)
        return x

    def often(x):
        total = x
        for i in range(x):
            total += shared(i)
        return total

    first, second = kernel(often), kernel(seldom)
    one_order = kernel(lambda x: first(x) + second(x), entry="one order")
    other_order = kernel(lambda x: second(x) + first(x), entry="other order")
    assert one_order(4) == other_order(4) == 4 + 4 + sum(3 * i + 1 for i in range(4))


# How far a compile is


class Terminal(io.StringIO):
    def isatty(self):
        return True


def last_shown(text):
    return re.split(r"\r\x1b\[K", text)[-1]


def test_a_long_compile_is_one_line_written_anew(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(announce, "LONG", 0.0)
    monkeypatch.setattr(announce, "PACE", 0.0)
    watch = announce.announce_on_stderr("perft: Pig")
    watch(3, 12)
    assert last_shown(terminal.getvalue()) == "compiling perft: Pig: 3 of about 12 functions"
    watch(12, 13)
    assert last_shown(terminal.getvalue()) == "compiling perft: Pig: 12 functions, then their machine code"
    watch(5, 5)
    assert last_shown(terminal.getvalue()) == "compiling perft: Pig (once; kept for next time)\n"
    assert terminal.getvalue().count("\n") == 1


def test_a_watcher_hears_of_every_function_and_of_the_end(cache):
    """And as many are expected the next time, also of the same entry for another game."""
    heard = []
    kernels.announcers.append(lambda what: lambda done, expected: heard.append((done, expected)))
    try:
        helper = kernel(lambda x: x + 1)
        outer = kernel(lambda x: helper(x) * 2, entry="outer")
        assert outer(3) == 8
    finally:
        kernels.announcers.pop()
    assert heard == [(1, announce.USUAL), (2, announce.USUAL), (2, 2)]
    assert announce.expected_functions("outer") == announce.expected_functions("outer: Pig") == 2


def test_a_compile_that_fails_ends_its_line(cache):
    heard = []
    kernels.announcers.append(lambda what: lambda done, expected: heard.append((done, expected)))
    try:
        with pytest.raises(GameError, match="cannot be compiled: Unknown attribute 'nothing'"):
            kernel(lambda x: x.nothing, entry="wrong")(1)
    finally:
        kernels.announcers.pop()
    assert heard == [(0, 0)]


def test_an_error_of_numbas_is_told_without_its_colours():
    error = ValueError("\x1b[1m\x1b[1mUnknown attribute 'nothing' of type int64\x1b[0m\n\x1b[0m")
    assert compile_reason(error) == "Unknown attribute 'nothing' of type int64"


def test_a_spoilt_file_of_counts_is_ignored(cache):
    cache.mkdir()
    for text in ("", "[1]", '{"outer": "many"}', "{"):
        (cache / "functions.json").write_text(text)
        assert announce.expected_functions("outer") == announce.USUAL
