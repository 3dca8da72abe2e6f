"""A game is one folder: removed, it is gone without a trace; a user's has the same shape."""

from __future__ import annotations

import pickle
import shutil

import pytest

from astragal import AstragalError, game_names, load_game, load_player, player_classes, search, solve, start
from astragal.drawing.pictures import drawing_module, picture_of
from astragal.games import find_game_class, game_spec
from astragal.learn.model import rules_text, shipped_models
from astragal.rules.dice import Dice
from astragal.rules.pickling import Place, class_at
from astragal.rules.position import Position
from astragal.solvers.exact import advice_if_too_large
from astragal.web.catalogue import Catalogue, player_facts
from support.helpers import PACKAGE, run_apart, run_here, solutions_in

LOOK = """
import astragal, astragal.cli
from astragal.drawing.pictures import picture_of

for name in astragal.game_names():
    position = astragal.start(name, 1).settled(1)
    picture_of(position)
    assert astragal.search(position, "random").action
    assert astragal.load_player("medium", name)
print(*astragal.game_names(), ",", *astragal.player_classes())
assert astragal.cli.run(["games"]) == 0
"""
IMPORT_ALL = """
import importlib, pkgutil

for module in pkgutil.walk_packages(astragal.__path__, "astragal."):
    if not module.name.startswith(("astragal.cli.skeleton", "astragal.__main__")):
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:  # packages that are not installed
            assert not (error.name or "").startswith("astragal"), (module.name, error)
        except astragal.AstragalError as error:
            assert "pip install" in str(error), (module.name, error)
"""


@pytest.mark.parametrize(
    ("removed", "script"),
    [
        (["cant_stop", "ewn", "kalah", "ra", "chinese_checkers", "focus", "backgammon"], LOOK),
        *(pytest.param([name], LOOK + IMPORT_ALL, marks=pytest.mark.slow) for name in game_names()),
    ],
)
def test_a_folder_that_is_removed_takes_its_game_with_it(removed, script, tmp_path):
    copy = tmp_path / "astragal"
    shutil.copytree(PACKAGE, copy, ignore=shutil.ignore_patterns("__pycache__", "*.js", "*.css"))
    for name in removed:
        shutil.rmtree(copy / "games" / name)
    ran = run_apart(script=script, PYTHONPATH=str(tmp_path))
    assert (ran.code, ran.err) == (0, "")
    names, listed = ran.out.split("\n", 1)
    games, _, players = names.partition(" , ")
    assert games.split() == [name for name in game_names() if name not in removed]
    gone = {name for name, cls in player_classes().items() if cls.only_for and set(cls.only_for) <= set(removed)}
    assert set(players.split()) == set(player_classes()) - gone
    assert [name for name in game_names() if f"\n{name} " in f"\n{listed}"] == games.split()


@pytest.mark.parametrize("name", game_names())
def test_all_of_a_game_lies_in_its_folder(name):
    folder = PACKAGE / "games" / name
    game = load_game(name)
    assert {"__init__.py", "rules.py", "picture.py"} <= {path.name for path in folder.iterdir()}
    assert drawing_module(game).__name__ == f"astragal.games.{name}.picture"
    assert (name in shipped_models()) == (folder / "model.npz").is_file()
    assert type(game) is find_game_class(name)[0]
    assert pickle.loads(pickle.dumps(game)) == game
    assert class_at(Place(f"astragal.games.{name}", type(game).__name__)) is type(game), "as games were pickled before"
    assert [path for path in PACKAGE.rglob(f"{name}.*") if path.suffix in (".py", ".npz", ".json")] == []


# A user's game


@pytest.fixture
def race(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    ran = run_here(capsys, "new", "--folder", "race", "--players", 3)
    assert (ran.code, ran.err) == (0, "")
    assert "astragal check race " in ran.out
    return tmp_path / "race"


def test_a_new_folder_has_rules_and_a_picture(race):
    game = load_game("race")
    assert (type(game).__name__, game.players, game_spec(game)) == ("Race", 3, "race:Race")
    assert "Skeleton" not in "".join(path.read_text() for path in race.glob("*.py"))
    position, dice = start(game, 1), Dice(1)
    while not position.is_terminal:
        picture = picture_of(position)
        assert [item.key for item in picture.items][-2:] == ["run", "walk"]
        assert {action for action, keys in picture.moves.items() if keys} == set(position.actions())
        position = position.follow(position.draw(dice) if position.is_chance else position.actions()[dice.below(2)])
    assert search(start(game), "maxn:depth=2").action in ("run", "walk")


@pytest.mark.parametrize(
    "spec",
    [
        *("race", "race/", "./race", "race:Race", "race/:squares=9", "race:Race:squares=9"),
        *("race/rules.py", "race/rules.py:Race"),
    ],
)
def test_a_folder_is_named_in_several_ways(race, spec):
    game = load_game(spec)
    assert game.squares == (9 if "squares" in spec else 20)
    assert load_game(game_spec(game)) == game
    assert pickle.loads(pickle.dumps(game)) == game
    assert load_game(str(race.resolve())).squares == 20


@pytest.mark.parametrize("command", [["games"], ["search", "--player", "random"], ["picture", "--out", "r.svg"]])
def test_commands_take_a_folder(race, command, capsys):
    ran = run_here(capsys, command[0], "race", *command[1:])
    assert ran.code == 0, ran.err


def test_the_page_takes_a_folder(race):
    catalogue = Catalogue(["race:squares=9"])
    assert catalogue.load("Race")[0].squares == 9
    assert catalogue.id_of("race:Race") == "Race"


def test_files_of_a_folder_that_have_changed_are_run_again(race):
    """Edits of one length within a moment, which Python's own cache of compiled modules would not notice."""
    assert Position.start(load_game("race")).play(0).state.square[0] == 3
    rules = race / "rules.py"
    rules.write_text(rules.read_text().replace("STEPS = 3", "STEPS = 4"))
    assert Position.start(load_game("race")).play(0).state.square[0] == 4
    (race / "picture.py").write_text("def draw(position, last):\n    return 7\n")
    with pytest.raises(AttributeError):
        picture_of(start("race"))


PLAYERS = '''
from astragal.players.player import Player, player
from .rules import RUN

@player("runner")
class Runner(Player):
    """Always runs."""

    def answer(self, request):
        return request.answer(RUN)
'''
SOLVER = """
from astragal.solvers.exact import Exact

MAX_STATES = 7
INSTEAD = "solve it by hand"

class Known(Exact):
    def __init__(self, game):
        self.game = game

    def value(self, position):
        return 0.25

    def facts(self, position):
        return {"seconds": 0.0}

def solves(position):
    return position.game.squares == 20

def kept_file(position):
    from astragal.solvers.solution import file_for
    return file_for(position.game)

def find_kept(position):
    return None

def solve_position(position, max_states, report):
    return Known(position.game)

def on_demand(position):
    return Known(position.game)
"""


def test_players_and_a_solver_of_a_folder_are_found_by_their_names(race, tmp_path, capsys):
    (race / "players.py").write_text(PLAYERS)
    (race / "solver.py").write_text(SOLVER)
    assert search(start("race"), "runner").action == "run"
    assert "runner" in player_classes(load_game("race"))
    assert "runner" not in player_classes()
    assert "runner" in [row["name"] for row in player_facts(load_game("race"))]
    with pytest.raises(AstragalError, match="there is no player 'runner'"):
        load_player("runner", "pig")
    with solutions_in(tmp_path):
        assert solve("race").value == 0.25
        assert advice_if_too_large(load_game("race")) == "solve it by hand"
    played = run_here(capsys, "match", "race", "runner", "random", "random", "--games", 6, "--jobs", 1, "--db", "r.db")
    assert (played.code, "runner" in played.out) == (0, True), played.err


def test_a_model_of_a_folder_is_its_learned_evaluation(race):
    with pytest.raises(AstragalError, match="evaluation=learned: no learned evaluation of Race"):
        load_player("maxn:evaluation=learned", "race")
    (race / "model.npz").write_bytes(shipped_models()["pig"].read_bytes())
    with pytest.raises(AstragalError, match="evaluation=learned was learned for pig, not for Race"):
        load_player("maxn:evaluation=learned", "race")
    assert rules_text(load_game("race")) == "Race:squares=20"


@pytest.mark.parametrize(
    ("file", "text", "sentence"),
    [
        ("__init__.py", "x = 1\n", "race defines no @game class"),
        ("rules.py", "def f(:\n", r"race/rules\.py line 1: "),
        ("rules.py", "x = 1 / 0\n", "race cannot be loaded: ZeroDivisionError"),
        ("picture.py", "x = 1 / 0\n", r"picture\.py of race cannot be loaded: ZeroDivisionError"),
        ("players.py", "import no_such_thing\n", r"players\.py of race cannot be loaded: ModuleNotFoundError"),
    ],
)
def test_what_is_wrong_with_a_folder_is_said_in_a_sentence(race, file, text, sentence):
    (race / file).write_text(text)
    with pytest.raises(AstragalError, match=sentence):
        drawn_and_played("race")


def drawn_and_played(spec):
    picture_of(start(spec))
    load_player("nobody", spec)


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("nowhere/", "there is no folder nowhere"),
        ("./nowhere:Race", "there is no game './nowhere'"),
        ("empty", r"there is no file .*empty/__init__\.py, so empty is not a game's folder"),
        ("race:Chase", "race has no game 'Chase'"),
    ],
)
def test_a_text_that_is_no_games_folder(race, spec, sentence):
    race.with_name("empty").mkdir()
    with pytest.raises(AstragalError, match=sentence):
        load_game(spec)


def test_a_folder_does_not_hide_a_built_in_game(race):
    race.rename(race.with_name("pig"))
    assert type(load_game("pig")).__module__ == "astragal.games.pig.rules"
    assert type(load_game("./pig")).__name__ == "Race"
