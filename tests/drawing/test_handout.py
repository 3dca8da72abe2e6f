"""Files that are stepped through: a reviewed game and a search, whole and without anything from elsewhere."""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any

import pytest

from astragal.algorithms.limits import Limits
from astragal.algorithms.walkthrough.page import walk_of, walk_page
from astragal.algorithms.walkthrough.searches import walked
from astragal.arena.review import Review, Reviewer
from astragal.arena.review_page import review_page
from astragal.arena.store.game_file import game_file
from astragal.base.errors import SpecError
from astragal.games import load_game
from astragal.players import load_player
from astragal.rules.dice import Dice
from astragal.rules.position import Position


def data_of(text: str) -> dict[str, Any]:
    packed = re.search(r'id="data">([^<]*)<', text)
    assert packed is not None
    data: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    return data


def reviewed(
    spec: str, moves: list[str], player: str, seats: list[str], **limits: int
) -> tuple[str, Review, list[Position]]:
    """The file of a game that is played by names from its start, chance by dice."""
    rules, dice = load_game(spec), Dice(3)
    positions, steps = [Position.start(rules, 1)], []
    for name in moves:
        while positions[-1].is_chance:
            steps.append(positions[-1].draw(dice))
            positions.append(positions[-1].follow(steps[-1]))
        steps.append(positions[-1].find_action(name))
        positions.append(positions[-1].follow(steps[-1]))
    reviewer = Reviewer(load_player(player, rules), Limits(**limits))
    found = Review(rules, list(reviewer.rows(positions, steps)))
    return review_page(found, game_file(positions[0], steps, seats), positions, reviewer), found, positions


def test_a_reviewed_game_has_a_frame_for_each_position_and_its_mistakes():
    moves = ["a1", "a3", "b1", "b3", "a2", "c3"]
    text, found, positions = reviewed("tic_tac_toe", moves, "alphabeta", ["person", "a <b> & co"], depth=3)
    data = data_of(text)
    assert len(data["frames"]) == len(positions) == 7
    assert [place for place, *_ in data["mistakes"]] == [row.ply for row in found.mistakes]
    assert "a2 instead of c1" in data["mistakes"][0][2]
    assert "player 1 plays a2" in data["frames"][5]["words"]
    assert "The end: player 1" in data["frames"][6]["words"]
    assert "<title>tic_tac_toe: person – a &lt;b&gt; &amp; co</title>" in text
    assert all(svg.startswith("<svg") for svg, _ in data["pictures"])
    assert data["graph"].count("<circle") == len(found.mistakes)


def test_rolls_are_in_the_file_with_their_luck_and_positions_that_look_alike_once():
    text, _, positions = reviewed("pig:goal=20", ["roll", "roll"], "star", ["person", "person"], depth=3)
    data = data_of(text)
    assert len(data["frames"]) == len(positions)
    assert any("chance gives" in frame["words"] and "Luck: player 1" in frame["words"] for frame in data["frames"])
    assert len({svg for svg, _ in data["pictures"]}) == len(data["pictures"])


@pytest.mark.parametrize(("name", "size"), [("star2", 2), ("alphabeta", 2), ("uct", 4)])
def test_a_search_has_a_frame_for_each_event(name, size):
    spec = "tic_tac_toe" if name == "alphabeta" else "pig:goal=10"
    position = Position.start(load_game(spec), 1).settled(1)
    data, told = data_of(walk_page(name, position, size)), walked(name, position, size)
    assert [frame["words"] for frame in data["frames"]] == [event["text"] for event in told["events"]]
    assert [frame["line"] for frame in data["frames"]] == [event["line"] for event in told["events"]]
    assert len(data["nodes"]) == len(told["nodes"])
    assert {line["key"] for line in data["code"] if line["key"]} >= {frame["line"] for frame in data["frames"]}
    assert told["player"] in data["about"]


def test_the_size_of_a_search_is_what_the_limits_say():
    assert walk_of("star2", Limits(depth=3))[2] == 3
    assert walk_of("mm", Limits())[0] == "alphabeta"
    assert walk_of("uct", Limits(sims=7))[2] == 7
    assert walk_of("uct", Limits())[2] == 30
    with pytest.raises(SpecError, match="set --depth"):
        walk_of("star1", Limits(time=1.0))
    with pytest.raises(SpecError, match="cannot be walked through"):
        walk_of("random", Limits())


def test_nothing_is_loaded_from_elsewhere():
    text, *_ = reviewed("tic_tac_toe", ["a1"], "alphabeta", ["person", "person"], depth=2)
    assert "default-src 'none'" in text
    assert not re.search(r"""(src|href)\s*=|@import|url\(|fetch\(|XMLHttp""", text)
    outside = set(re.findall(r"https?://[^\s\"']+", text))
    assert not outside
