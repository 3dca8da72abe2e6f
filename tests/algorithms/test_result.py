"""The texts of a result are made when they are read, which cannot be seen from the outside."""

from __future__ import annotations

import copy
import gc
import pickle
import types
from dataclasses import replace

import numpy as np
import pytest

import astragal
from astragal.algorithms.limits import Limits
from astragal.algorithms.result import IN_WORDS, SearchResult, in_words
from astragal.games import game_spec
from astragal.players import load_player

PLAYERS = ("star2", "uct", "random")


def found(player: str, seed: int = 0, nodes: int = 100) -> SearchResult:
    position = astragal.start("ewn:setup=fixed").settled(1)
    return load_player(player, position.game).search(position, seed, Limits(nodes=nodes))


def unread_fields(result: SearchResult) -> set[str]:
    return {name for name in IN_WORDS if name not in vars(result)}


@pytest.mark.parametrize("player", PLAYERS)
def test_words_are_what_the_position_says(player):
    position = astragal.start("ewn:setup=fixed").settled(1)
    result = found(player)
    assert {"game", "position", "action"} <= unread_fields(result)
    assert result.game == game_spec(position.game)
    assert result.position == position.text
    assert result.action == position.action_name(result.action_number)
    assert [each.action for each in result.actions] == [position.action_name(each.number) for each in result.actions]
    assert unread_fields(result) <= {"line", "lines"}


@pytest.mark.parametrize("player", PLAYERS)
def test_unread_and_read_results_are_equal(player):
    read, unread = (replace(found(player), seconds=0.0) for _ in range(2))
    read.as_dict()
    assert read == unread
    assert read != replace(unread, action_number=99)


@pytest.mark.parametrize("send", [lambda result: pickle.loads(pickle.dumps(result)), copy.copy, copy.deepcopy])
@pytest.mark.parametrize("player", PLAYERS)
def test_an_unread_result_is_sent_whole(player, send):
    result = found(player)
    arrived = send(result)
    assert arrived == result
    assert not unread_fields(arrived)
    assert arrived.as_dict() == result.as_dict()


@pytest.mark.parametrize("player", ["star2", "uct"])
def test_a_line_is_that_of_its_own_search(player):
    """The table and the tree that it was taken from belong to the next search."""
    nodes = 1500 if player == "star2" else 60
    at_once = found(player, nodes=nodes).line
    result = found(player, nodes=nodes)
    for seed in (1, 2):
        found(player, seed, 150)
    assert "line" in unread_fields(result)
    assert result.line == at_once
    assert len(at_once) > 1


def test_a_line_ends_with_an_action():
    position = astragal.start("pig").deal("8")
    actions = position.actions()
    roll = position.action_name(actions[1])
    for ends_with in ([], [4]):
        assert in_words(position, [actions[1], 4, actions[1], *ends_with]) == [roll, "(3)", roll]


def test_what_is_no_field_is_an_error():
    with pytest.raises(AttributeError, match="no field 'colour'"):
        found("random").colour  # noqa: B018
    assert not hasattr(found("random"), "colour")


def test_what_was_left_out_is_empty():
    result = SearchResult.unread(game="g", player="p", position="x", turn=0, action_number=None, action=None)
    assert (result.actions, result.line, result.counts, result.value) == ([], [], {}, None)
    assert result == SearchResult("g", "p", "x", 0, None, None)
    assert result.actions is not SearchResult("g", "p", "x", 0, None, None).actions


@pytest.mark.parametrize("player", ["star2", "uct"])
def test_an_unread_result_keeps_neither_tree_nor_table(player):
    """Hundreds of megabytes would stay with every result that is kept."""
    reached, left = {}, [found(player)]
    while left:
        each = left.pop()
        if id(each) not in reached and not isinstance(each, type | types.ModuleType | types.FunctionType):
            reached[id(each)] = each
            left += gc.get_referents(each)
    arrays = [each.nbytes for each in reached.values() if isinstance(each, np.ndarray)]
    assert max(arrays, default=0) < 2**20
