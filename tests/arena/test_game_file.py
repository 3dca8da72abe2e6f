"""Games as files: what is written is read again, and what is wrong is answered with a sentence."""

from __future__ import annotations

import json

import pytest

from astragal.arena.store.game_file import game_file, parse_game, read_game
from astragal.base.errors import SpecError
from astragal.games import load_game
from astragal.rules.dice import Dice
from astragal.rules.position import Position


def played(game: str, plies: int = 30) -> tuple[Position, list[int]]:
    """A game at random from its start, and its steps."""
    start = position = Position.start(load_game(game), 3)
    dice, steps = Dice(7), []
    while len(steps) < plies and not position.is_terminal:
        actions = position.actions()
        steps.append(position.draw(dice) if position.is_chance else actions[dice.below(len(actions))])
        position = position.follow(steps[-1])
    return start, steps


@pytest.mark.parametrize("game", ["ewn", "pig:goal=20", "kalah:stones=2", "tic_tac_toe.kif"])
def test_what_is_written_is_read_again(game, tmp_path):
    start, steps = played(game)
    kept = game_file(start, steps, ["person", "random"], seed=5, thoughts=({"value": 1.5}, None))
    kept.write(tmp_path / "game.json")
    again = read_game(tmp_path / "game.json")
    assert (again.game, again.start, again.steps, again.seats, again.seed) == (
        kept.game,
        kept.start,
        kept.steps,
        kept.seats,
        kept.seed,
    )
    assert again.thoughts[0] == {"value": 1.5}
    positions = again.positions()
    told = json.loads((tmp_path / "game.json").read_text())
    assert [row["name"] for row in told["steps"]] == [
        before.step_name(step) for before, step in zip(positions, steps, strict=False)
    ]
    assert told["result"] == (list(positions[-1].utilities()) if positions[-1].is_terminal else None)


def test_a_step_against_the_rules_is_refused():
    start, steps = played("tic_tac_toe", 3)
    with pytest.raises(SpecError, match="step 4 of the game"):
        game_file(start, [*steps, steps[0]], ["person", "person"]).positions()


@pytest.mark.parametrize(
    "change",
    [
        {"format": "other"},
        {"version": 2},
        {"steps": 5},
        {"steps": [{"number": "x"}]},
        {"steps": [{}]},
        {"seats": "me"},
        {"game": 1},
        {"seed": "x"},
        {"steps": [{"number": 1, "thought": 3}]},
    ],
)
def test_what_is_no_game_is_refused_in_a_sentence(change):
    start, steps = played("tic_tac_toe", 3)
    told = json.loads(game_file(start, steps, ["person", "person"]).text()) | change
    with pytest.raises(SpecError):
        parse_game(json.dumps(told))


def test_what_is_no_json_is_refused(tmp_path):
    with pytest.raises(SpecError, match="not JSON"):
        parse_game("{")
    with pytest.raises(SpecError, match="cannot read"):
        read_game(tmp_path / "nothing.json")
