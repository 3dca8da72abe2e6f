"""What notebooks show of positions, trees, results and contests."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from astragal import Position, game_names, match, search, start
from astragal.base.frames import MOST_ROWS, html_table
from astragal.drawing.pictures import picture_of
from astragal.drawing.pictures.svg import picture_svg
from support.broken_games import Sound


@pytest.mark.parametrize("name", [*game_names(), "tic_tac_toe.kif"])
def test_a_position_shows_its_picture(name):
    position = start(name, 1).settled(1)
    shown = position._repr_svg_()
    assert shown == picture_svg(picture_of(position))
    assert ElementTree.fromstring(shown).tag.endswith("svg")


def test_a_position_that_cannot_be_drawn_shows_its_text(monkeypatch):
    from astragal.base.errors import GameError
    from astragal.drawing.pictures import svg

    def fail(position):
        raise GameError("no picture")

    monkeypatch.setattr(svg, "picture_of", fail)
    assert Position.start(Sound())._repr_svg_() is None


def test_a_tree_shows_itself():
    tree = search(start("tic_tac_toe"), "uct:sims=30,keep=on").tree
    assert ElementTree.fromstring(tree._repr_svg_()).tag.endswith("svg")


def test_a_result_has_a_row_an_action_and_shows_them():
    pandas = pytest.importorskip("pandas")
    position = start("pig").deal("8")
    result = search(position, "star2:depth=2")
    assert [row["action"] for row in result.rows()] == [action.action for action in result.actions]
    frame = result.frame("pandas")
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["value"]) == [action.value for action in result.actions]
    shown = ElementTree.fromstring(result._repr_html_())
    assert len(shown.findall(".//tbody/tr")) == 2
    assert result.action in shown.find("p").text


def test_a_result_without_values_shows_itself():
    assert "random" in search(start("tic_tac_toe"), "random")._repr_html_()


def test_a_match_shows_what_its_command_prints(tmp_path):
    played = match("tic_tac_toe", ["random", "random"], 2, db=tmp_path / "r.db", jobs=1)
    shown = ElementTree.fromstring(played._repr_html_())
    assert shown.find("pre").text == str(played)
    assert len(shown.findall(".//tbody/tr")) == 4


def test_what_texts_hold_is_no_markup_and_long_tables_are_cut():
    rows = [{"a_b": "<script>", "n": None, "x": 1.23456789, "i": 12345}] * (MOST_ROWS + 1)
    shown = html_table(rows, "1 < 2")
    table = ElementTree.fromstring(shown)
    assert [each.text for each in table.findall(".//th")] == ["a b", "x", "i"]
    assert [each.text for each in table.find(".//tbody/tr")] == ["<script>", "1.23457", "12,345"]
    assert len(table.findall(".//tbody/tr")) == MOST_ROWS
    assert f"{MOST_ROWS} of {MOST_ROWS + 1} rows" in shown
