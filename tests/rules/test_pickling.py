"""Games, positions, states, players and results are pickled and copied, and made again in other processes."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from astragal import AstragalError, load_game, load_player, start
from astragal.compiler.records import readable
from astragal.rules import pickling as remaking
from astragal.rules.pickling import Place, class_at, place_of
from support.arenas import COIN, coin_file
from support.helpers import EXAMPLE

SPECS = [
    "ewn",
    "pig:dice=1,goal=20",
    "ra",
    "tic_tac_toe.kif",
    "tic_tac_toe.kif:seconds=30",
    f"{EXAMPLE}:MyGame:track=9",
]
every_game = pytest.mark.parametrize("spec", SPECS, ids=lambda spec: spec.rpartition("/")[2])


def again(item: Any) -> Any:
    return pickle.loads(pickle.dumps(item))


def game_of_a_notebook() -> Any:
    """A game of a class whose module says that it is the main one, which does not have it."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    exec(COIN.format(misdeed="pass"), namespace)
    return namespace["Coin"](chance=70)


@every_game
@pytest.mark.parametrize("make", [again, copy.copy, copy.deepcopy])
def test_a_game_and_its_positions_are_the_same_again(spec, make):
    game = load_game(spec)
    position = start(game, 3)
    assert position.actions() or position.outcomes()  # its twin has been made, and a pickle does not need it
    assert make(game) == game
    assert vars(make(game)).keys() - {"_twin_", "_numba_type_"} == vars(game).keys() - {"_twin_", "_numba_type_"}
    other = make(position)
    assert other == position
    assert hash(other) == hash(position)
    assert other.text == position.text
    assert (other.action_names(), other.outcomes()) == (position.action_names(), position.outcomes())


def test_positions_share_their_game_in_one_pickle():
    position = start("ewn", 1).settled(1)
    first, second = again([position, position.play(position.actions()[0])])
    assert first.game is second.game


@pytest.mark.parametrize("make", [again, copy.copy, copy.deepcopy])
def test_a_state_and_its_arrays(make):
    state = start("ra", 1).state
    assert repr(make(state)) == repr(state)
    assert make(state.tiles).array.tolist() == state.tiles.array.tolist()
    nested = np.zeros(2, [("row", [("a", "i1"), ("b", "i2", 3)])])
    rows = readable(nested["row"])
    assert repr(make(rows)) == repr(rows)


def test_a_changed_copy_of_a_state_leaves_the_first_one_alone():
    state = start("pig").state
    other = copy.deepcopy(state)
    other.pot = 7
    assert (state.pot, other.pot) == (0, 7)


def test_a_player_and_its_result_with_a_tree():
    position = start("pig", 1).settled(1)
    player = load_player("uct:sims=30,keep=on", position.game)
    assert again(player) == player
    result = player.search(position)
    other = again(result)
    assert other == result
    assert other.tree.as_dict() == result.tree.as_dict()
    assert copy.deepcopy(result).tree.as_dict() == result.tree.as_dict()


def test_a_sheet_that_was_made_long_ago_is_still_the_same_game():
    from astragal.gdl.sheets import KEPT, MADE

    game = load_game("tic_tac_toe.kif")
    MADE.clear()
    assert KEPT > 0
    assert again(game) is game


def test_an_edited_file_is_said_and_a_changed_state_refused(tmp_path):
    file = coin_file(tmp_path)
    position = start(str(file))
    kept = pickle.dumps(position)
    file.write_text(file.read_text() + "\n# edited\n")
    with pytest.warns(UserWarning, match="has been edited since this Coin was pickled"):
        assert pickle.loads(kept).text == position.text
    file.write_text(file.read_text().replace('("plies", "u1")', '("plies", "u1"), ("more", "i8")'))
    with (
        pytest.warns(UserWarning, match="edited"),
        pytest.raises(AstragalError, match="a position of Coin was kept with another state than the game has now"),
    ):
        pickle.loads(kept)
    file.unlink()
    with pytest.raises(AstragalError, match="there is no file"):
        pickle.loads(kept)


def test_a_game_of_a_file_is_called_again_as_its_user_called_it(tmp_path, monkeypatch):
    from astragal.games import game_spec

    coin_file(tmp_path)
    monkeypatch.chdir(tmp_path)
    game = load_game("coin.py:Coin:chance=60")
    assert game_spec(again(game)) == "coin.py:Coin:chance=60"


def test_a_class_of_a_notebook_goes_along():
    pytest.importorskip("cloudpickle")
    game = game_of_a_notebook()
    other = again(game)
    assert other == game
    assert other.chance == 70


def test_without_cloudpickle_a_sentence_says_why_a_class_is_not_found(monkeypatch):
    monkeypatch.setattr(remaking, "pickled_class", lambda cls: b"")
    with pytest.raises(
        AstragalError, match=r"Coin cannot be sent .* defined in a notebook or in a program's main part"
    ):
        pickle.dumps(game_of_a_notebook())
    with pytest.raises(AstragalError, match="Coin is not known here: it was defined in a notebook"):
        class_at(Place("__main__", "Coin"))
    with pytest.raises(AstragalError, match=r"there is no such class in a module nowhere\.at_all"):
        class_at(Place("nowhere.at_all", "Coin"))

    def inside() -> Any:
        namespace: dict[str, Any] = {"__name__": __name__}
        exec(COIN.format(misdeed="pass"), namespace)
        namespace["Coin"].__qualname__ = "inside.<locals>.Coin"
        return namespace["Coin"]

    with pytest.raises(AstragalError, match="it was defined inside a function; put it into a file"):
        place_of(inside())
    local = inside()()
    assert copy.deepcopy(local) is local  # needs no other process


@pytest.mark.slow
def test_a_script_that_spawns_processes_may_send_positions_of_all_kinds_of_games(tmp_path):
    """A game of the package, of a rule sheet, of a user's file, and one that the script defines itself."""
    script = tmp_path / "script.py"
    ending = f"""
if __name__ == "__main__":
    import multiprocessing
    from operator import methodcaller
    from astragal import start
    games = ["ewn", "tic_tac_toe.kif", {str(coin_file(tmp_path))!r}, Coin(chance=60)]
    positions = [start(game, 1).settled(1) for game in games]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        names = pool.map(methodcaller("action_names"), positions)
        print(names == [position.action_names() for position in positions])
        print(pool.map(methodcaller("copy"), positions) == positions)
        print(pool.map(methodcaller("play", "heads"), positions[2:]))
"""
    script.write_text(COIN.format(misdeed="pass") + ending)
    ran = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120, check=False)
    after = "<Coin named=1,0 thrown=0 plies=1>"
    assert ran.stdout == f"True\nTrue\n[{after}, {after}]\n", ran.stderr
