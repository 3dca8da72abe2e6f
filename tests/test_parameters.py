"""Settings as text: conversion, ranges, choices, suggestions; and games found by name or in a file."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal import Constant, Position, load_game, parameter
from astragal.base.errors import AstragalError, GameError, SpecError, suggest
from astragal.base.parameters import build, convert, describe, is_constant_field, make, parameter_fields, split_settings
from astragal.games import find_game_class, game_name, game_names, game_spec
from astragal.rules.perft import count_sequences
from support.helpers import EXAMPLE, add_up, add_up_count, define


@dataclass(frozen=True)
class Settings:
    """A record with a setting of each kind."""

    count: int = parameter(3, "a whole number", low=1, high=100)
    share: float = parameter(0.5, "a number", low=0.0, high=1.0)
    fast: bool = parameter(False, "on or off")
    kind: str = parameter("red", "one of three", choices=("red", "green", "blue"))
    limit: int | None = parameter(None, "a whole number or nothing", low=1)
    label: str = parameter("1.5", "any text")
    derived: int = field(init=False, default=0)

    def __post_init__(self):
        if self.count == 13:
            raise ValueError("13 brings bad luck")


def built(text: str) -> Settings:
    return build(Settings, split_settings(text, "thing"), "thing")


@pytest.mark.parametrize(
    ("text", "name", "value"),
    [
        ("count=7", "count", 7),
        (" count = 7 ", "count", 7),
        ("share=0.25", "share", 0.25),
        ("share=1e-3", "share", 0.001),
        ("share=1", "share", 1.0),
        ("fast=on", "fast", True),
        ("fast=Yes", "fast", True),
        ("fast=1", "fast", True),
        ("fast=off", "fast", False),
        ("fast=false", "fast", False),
        ("kind=blue", "kind", "blue"),
        ("limit=4", "limit", 4),
        ("", "limit", None),
        ("label=2.0", "label", "2.0"),
        ("label=a=b", "label", "a=b"),
    ],
)
def test_a_text_becomes_a_value_of_the_right_type(text, name, value):
    found = getattr(built(text), name)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("count", "thing: 'count' is not a setting; write key=value,key=value"),
        ("count=", "thing: 'count=' is not a setting"),
        ("=3", "thing: '=3' is not a setting"),
        ("count=3,,share=1", "thing: '' is not a setting"),
        ("count=3,count=4", "thing: 'count' is set twice"),
        ("count=three", "thing: count=three is not a whole number"),
        ("count=3.5", "thing: count=3.5 is not a whole number"),
        ("share=half", "thing: share=half is not a number"),
        ("share=nan", "thing: share=nan is not a number"),
        ("share=inf", "thing: share=inf is too large; the most is 1"),
        ("fast=maybe", "thing: fast=maybe is not on or off"),
        ("count=0", "thing: count=0 is too small; the least is 1"),
        ("count=101", "thing: count=101 is too large; the most is 100"),
        ("limit=0", "thing: limit=0 is too small; the least is 1"),
        ("kind=gren", "thing: kind=gren is not one of red, green, blue; did you mean 'green'?"),
        (
            "cuont=3",
            "thing has no setting 'cuont' (it has: count, share, fast, kind, limit, label); did you mean 'count'?",
        ),
        ("derived=3", "thing has no setting 'derived'"),
        ("count=13", "thing: 13 brings bad luck"),
    ],
)
def test_a_bad_setting_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(SpecError) as caught:
        built(text)
    assert str(caught.value).startswith(sentence)


def test_typed_values_are_checked_too():
    assert make(Settings, {"count": 5}, "thing").count == 5
    with pytest.raises(SpecError, match="too large"):
        make(Settings, {"count": 500}, "thing")


def test_settings_at_their_default_are_left_out_of_the_text():
    assert describe(Settings()) == ""
    assert describe(Settings(count=5, fast=True)) == "count=5,fast=on"
    assert describe(Settings(), only_changed=False) == "count=3,share=0.5,fast=off,kind=red,label=1.5"


records = st.builds(
    Settings,
    count=st.integers(1, 100).filter(lambda count: count != 13),
    share=st.floats(0, 1) | st.integers(0, 1000).map(lambda n: n / 1000),
    fast=st.booleans(),
    kind=st.sampled_from(["red", "green", "blue"]),
    limit=st.none() | st.integers(1, 10**15),
    label=st.text(min_size=1).filter(lambda text: text == text.strip() and "," not in text)
    | st.from_regex(r"\d+\.0", fullmatch=True),
)


@pytest.mark.parametrize("only_changed", [True, False])
@given(record=records)
def test_a_record_is_read_back_from_its_text(only_changed, record):
    assert built(describe(record, only_changed)) == record


@given(value=st.floats(allow_nan=False))
def test_a_number_is_read_back_exactly(value):
    @dataclass(frozen=True)
    class Real:
        value: float = parameter(0.5, "any number")

    read = build(Real, split_settings(describe(Real(value), only_changed=False), "real"), "real")
    assert repr(read) == repr(Real(value))


def test_only_numbers_are_written_without_a_point_and_nothing_behind_it():
    assert describe(Settings(share=1.0, label="2.0")) == "share=1,label=2.0"


def test_fields_known_at_compile_time_are_told_by_their_annotation():
    @dataclass(frozen=True)
    class Sized:
        size: Constant[int] = 5
        goal: int = 5

    constant, plain = parameter_fields(Sized)
    assert is_constant_field(constant)
    assert not is_constant_field(plain)
    assert convert(constant, "7", "sized") == 7


def test_the_nearest_word_is_suggested_if_one_is_near():
    assert suggest("stra2", ["star1", "star2", "pig"]) in ("; did you mean 'star2'?", "; did you mean 'star1'?")
    assert suggest("xylophone", ["star1", "star2"]) == ""


# Games by name and by file


@pytest.mark.parametrize("spec", ["pig", "pig:goal=50", "pig:goal=50,dice=1", "pig:evaluation=tanh", "ewn:setup=fixed"])
def test_a_game_is_read_back_from_its_text(spec):
    assert game_spec(load_game(spec)) == spec
    assert load_game(game_spec(load_game(spec))) == load_game(spec)


def test_defaults_are_left_out_of_a_games_text():
    assert game_spec(load_game("pig:goal=100,dice=1")) == "pig:dice=1"
    assert load_game("pig:") == load_game("pig")


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("", "there is no game ''"),
        ("pgi", "there is no game 'pgi' .*; did you mean 'pig'"),
        ("pig:gaol=9", "pig has no setting 'gaol' .*; did you mean 'goal'"),
        ("pig:goal", "pig: 'goal' is not a setting"),
        ("pig:dice=3", "pig: dice=3 is too large; the most is 2"),
        ("ewn:setup=fixd", "ewn: setup=fixd is not one of random, fixed; did you mean 'fixed'"),
        ("nowhere.py:Game", r"there is no file nowhere\.py"),
        ("a/folder.py/game", "there is no game"),
        (f"{EXAMPLE}:MyGaem", "has no game 'MyGaem' .*; did you mean 'MyGame'"),
        (f"{EXAMPLE}:MyGame:trak=9", "MyGame has no setting 'trak' .*; did you mean 'track'"),
    ],
)
def test_a_spec_that_names_nothing_is_refused_in_a_sentence(spec, sentence):
    with pytest.raises(SpecError, match=sentence):
        load_game(spec)


def test_the_built_in_games_are_found_by_themselves():
    assert {"ewn", "pig"} <= set(game_names())
    for name in game_names():
        assert find_game_class(name)[0].__doc__


def test_a_file_names_a_game_with_or_without_class_and_settings():
    cls = type(load_game(f"{EXAMPLE}:MyGame"))
    assert (cls.__name__, load_game(str(EXAMPLE)).track) == ("MyGame", 25)
    assert load_game(f"{EXAMPLE}:MyGame:track=30") == load_game(f"{EXAMPLE}:track=30") == cls(30)


def test_a_game_from_a_file_is_read_back_from_its_text(tmp_path, monkeypatch):
    """The path is as the user wrote it, whether or not the class was named."""
    written(tmp_path, add_up(), "folder/mine.py")
    monkeypatch.chdir(tmp_path)
    for path in ("folder/mine.py", "./folder/../folder/mine.py", str(tmp_path / "folder" / "mine.py")):
        shown = str(Path(path))
        for settings in ("", ":goal=5"):
            game = load_game(f"{path}{settings}")
            assert game_spec(game) == f"{shown}:AddUp{settings}"
            assert load_game(game_spec(game)) == game
            assert game_name(game) == "AddUp"


def test_a_class_that_no_file_was_loaded_for_keeps_its_name():
    assert game_spec(define(add_up())["AddUp"](goal=5)) == "AddUp:goal=5"


def written(tmp_path, source: str, name: str = "mine.py") -> str:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(source)
    return str(path)


@pytest.mark.parametrize(
    "name", ["a.python.folder/mine.py", "my.pyproject/mine.py", "mine.game.py", "with space/a b.py"]
)
def test_any_path_that_ends_in_py_is_a_file(tmp_path, name):
    file = written(tmp_path, add_up(), name)
    assert load_game(f"{file}:AddUp:goal=5").goal == 5
    assert load_game(f"{file}").goal == 9


def test_a_file_with_two_games_needs_a_class_name(tmp_path):
    file = written(
        tmp_path, add_up() + "\n@game\nclass Other(AddUp):\n    goal: int = 4\n\nclass Plain(AddUp):\n    pass\n"
    )
    with pytest.raises(SpecError, match=r"has no game '' \(it has: AddUp, Other\)"):
        load_game(file)
    assert load_game(f"{file}:Other").goal == 4


def test_what_a_file_imports_or_merely_compiles_is_not_its_game(tmp_path):
    helper = "from dataclasses import dataclass\nfrom astragal import compiled\nfrom astragal.games.pig import Pig\n"
    helper += "@compiled\n@dataclass(frozen=True)\nclass Helper:\n    def f(self, x):\n        return x\n"
    assert type(load_game(written(tmp_path, add_up(imports=helper)))).__name__ == "AddUp"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("x = 1\n", r"mine\.py defines no @game class"),
        ("", r"mine\.py defines no @game class"),
        ("x = 1\ndef f(:\n", r"mine\.py line 2: "),
        ("x = 1 / 0\n", r"mine\.py cannot be loaded: ZeroDivisionError: division by zero"),
        ("import no_such_module_at_all\n", r"mine\.py cannot be loaded: ModuleNotFoundError: No module named"),
        ("raise SystemExit(3)\n", r"mine\.py cannot be loaded: SystemExit"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_in_a_sentence(tmp_path, source, sentence):
    with pytest.raises(SpecError, match=sentence):
        load_game(written(tmp_path, source))


def test_a_file_can_be_mended_and_loaded_again(tmp_path):
    for source in ("def f(:\n", "x = 1 / 0\n", add_up().replace("max_actions = 3", "")):
        with pytest.raises(AstragalError):
            load_game(written(tmp_path, source))
    assert load_game(written(tmp_path, add_up())).goal == 9


def test_an_edited_file_is_loaded_again_and_an_unchanged_one_is_not(tmp_path):
    """Edits of one length within a moment, which Python's own cache of compiled modules would not notice."""
    spec = written(tmp_path, add_up("action + 1"))
    first = load_game(spec)
    assert type(load_game(spec)) is type(first)
    written(tmp_path, add_up("action + 2"))
    second = load_game(spec)
    assert Position.start(first).play(0).state.total == 1
    assert Position.start(second).play(0).state.total == 2
    assert type(first).__identity__ != type(second).__identity__
    assert count_sequences(Position.start(first), 5) == add_up_count(5, (1, 2, 3))
    assert count_sequences(Position.start(second), 5) == add_up_count(5, (2, 3, 4))
    written(tmp_path, "def f(:\n")
    with pytest.raises(SpecError, match="line 1"):
        load_game(spec)
    written(tmp_path, add_up("action + 1"))
    assert type(load_game(spec)).__identity__ == type(first).__identity__
    assert game_spec(first) == game_spec(second) == f"{spec}:AddUp"


def test_a_game_that_lacks_something_is_refused_with_its_file(tmp_path):
    with pytest.raises(GameError, match=r"mine\.py: game AddUp must declare max_actions"):
        load_game(written(tmp_path, add_up().replace("max_actions = 3", "")))


def test_a_folder_is_not_a_file(tmp_path):
    (tmp_path / "mine.py").mkdir()
    with pytest.raises(AstragalError, match="there is no file"):
        load_game(str(tmp_path / "mine.py"))


def test_a_file_may_import_what_lies_beside_it(tmp_path):
    written(tmp_path, "STEP = 2\n", "step_of_mine.py")
    game = load_game(written(tmp_path, add_up("action + STEP", "from step_of_mine import STEP")))
    assert game.goal == 9
