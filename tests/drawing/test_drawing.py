"""Drawings of search trees: what depth-first searches record, where nodes go, and what is in the picture."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal import Limits, Position, load_game
from astragal.algorithms.depth_first import recording
from astragal.algorithms.plain_tree import CUT, FROM_TABLE, HORIZON, PROBE, PlainTree, depths
from astragal.algorithms.result import SearchResult
from astragal.base.errors import SpecError
from astragal.drawing.layout import layered, radial, shares
from astragal.drawing.svg import draw_tree, not_drawn
from astragal.players import load_player
from support.helpers import EXAMPLE, run_apart, run_here

pytestmark = pytest.mark.interpreted  # pictures of kernels' work, and not their speed
SVG = "{http://www.w3.org/2000/svg}"
DEPTH_FIRST = [
    ("pig", "exp:depth=2"),
    ("pig", "star1:depth=2,prune_above=0"),
    ("pig", "star2:depth=2,prune_above=0"),
    ("ewn", "star2:depth=3,prune_above=1,table=values"),
    ("pig", "star2ss:depth=3,prune_above=0,width=5,table=values"),
    ("ewn", "paranoid:depth=3,prune_above=0"),
    ("pig", "star2:depth=2,leaf=afterstate"),
    ("cant_stop", "maxn:depth=2"),
    ("kalah", "mm:depth=4"),
    ("kalah", "alphabeta:depth=6"),
]
SIMULATED = [
    ("kalah", "uct_h:sims=300"),
    ("pig", "mcts:sims=300"),
    ("ra", "dpw:sims=200"),
    ("focus:players=3", "uct:sims=50"),
    ("pig", "mcs:levels=1,sims=800"),
    ("tic_tac_toe", "uctmax_h:solver=standard,sims=500"),
]


def search(spec: str, player: str, keep: bool = True, **options: object) -> SearchResult:
    """What a player finds after the start of a game; a search that deepens searches one depth only."""
    game = load_game(spec)
    made = load_player(player, game)
    if hasattr(made, "deepening"):
        options.setdefault("deepening", False)
    return replace(made, keep=keep, **options).search(Position.start(game, 1).settled(1), seed=1)


def tree_of(spec: str, player: str, **options: object) -> PlainTree:
    return search(spec, player, **options).tree


@cache
def described(spec: str, player: str) -> tuple[SearchResult, list[Any]]:
    """What a player finds, and all nodes of its tree in words."""
    result = search(spec, player)
    return result, result.tree.described(np.arange(len(result.tree)))


def count(tree: PlainTree, mark: int) -> int:
    return int(np.count_nonzero(tree.marks & mark))


# What depth-first searches record


@pytest.mark.few(1)
@pytest.mark.parametrize(("spec", "player"), DEPTH_FIRST)
def test_a_recorded_tree_has_each_node_that_was_counted(spec, player):
    result, rows = described(spec, player)
    tree, counts = result.tree, result.counts
    counted = sum(counts[kind] for kind in ("decisions", "chances", "leaves", "terminals"))
    assert len(tree) == tree.node_count == result.nodes == counted
    kinds = [row.kind for row in rows]
    assert kinds.count("end") == counts["terminals"]
    assert count(tree, HORIZON) == counts["leaves"]
    evaluated = sum(row.evaluated for row in rows if row.kind == "chance")
    assert kinds.count("chance") - evaluated == counts["chances"]
    assert count(tree, CUT) == counts["decision_cuts"] + counts["chance_cuts_high"] + counts["chance_cuts_low"]
    assert count(tree, FROM_TABLE) == counts["table_cuts"]
    assert count(tree, PROBE) == counts["probes"]


@pytest.mark.few(2)
@pytest.mark.parametrize(("spec", "player"), DEPTH_FIRST)
@pytest.mark.parametrize("deepening", [False, True])
def test_recording_changes_nothing(spec, player, deepening):
    options = {} if player.startswith("mm") else {"deepening": deepening}
    silent, recorded = (search(spec, player, keep, **options) for keep in (False, True))
    assert silent.tree is None
    assert (silent.value, silent.action, silent.actions, silent.line) == (
        recorded.value,
        recorded.action,
        recorded.actions,
        recorded.line,
    )
    assert silent.counts == recorded.counts


@pytest.mark.few(1)
@pytest.mark.parametrize(("spec", "player"), DEPTH_FIRST)
def test_a_node_of_a_recorded_tree_is_legal_and_follows_its_parent(spec, player):
    result, rows = described(spec, player)
    tree = result.tree
    assert tree.parent[0] == -1
    assert (tree.parent[1:] < np.arange(1, len(tree))).all()
    for row in rows[1:400]:
        above = rows[int(tree.parent[row.number])].position
        step = int(tree.step[row.number])
        assert step in (above.actions() or [outcome.number for outcome in above.outcomes()])
        assert row.left_out >= 0


@pytest.mark.few(2)
@pytest.mark.parametrize(("spec", "player"), [case for case in DEPTH_FIRST if "maxn" not in case[1]])
def test_values_are_those_of_the_children(spec, player):
    """Exact nodes are worth the best or the expectation of what was searched below them, leaves their evaluation."""
    result, rows = described(spec, player)
    tree = result.tree
    children: dict[int, list[int]] = {}
    for number, parent in enumerate(tree.parent.tolist()):
        children.setdefault(parent, []).append(number)
    decisions = 0
    for row in rows:
        if row.kind == "end":
            assert row.value == row.position.utilities()[tree.viewer]
        elif row.evaluated:
            assert row.value == pytest.approx(row.position.evaluations()[tree.viewer])
        elif row.kind == "decision" and not row.from_table:
            best = min if row.turn != tree.viewer else max
            assert row.value == best(tree.value[children[row.number]])
            decisions += 1
    assert decisions


def test_what_was_pruned_is_what_was_not_searched():
    tree = tree_of("kalah", "mm:depth=4")
    for row in tree.described(np.arange(len(tree))):
        searched = np.count_nonzero(tree.parent == row.number)
        expected = len(row.position.actions()) - searched if row.kind == "decision" else 0
        assert row.left_out == expected
        assert row.cut or not row.left_out


def test_without_pruning_nothing_is_left_out():
    for spec, player in (("pig", "exp:depth=2"), ("cant_stop", "maxn:depth=2")):
        assert not tree_of(spec, player).left_out.any()


@pytest.mark.slow
@pytest.mark.interpreted
def test_a_probe_looks_at_one_action_and_may_come_twice():
    tree = tree_of("ewn", "star2:depth=3,prune_above=0,table=off")
    probes = [row for row in tree.described(np.arange(len(tree))) if row.probe and row.kind == "decision"]
    assert probes
    for row in probes:
        assert np.count_nonzero(tree.parent == row.number) == 1
        assert row.left_out == len(row.position.actions()) - 1
    pairs = np.stack([tree.parent, tree.step])
    assert len(np.unique(pairs, axis=1).T) < len(tree)


def test_the_last_finished_iteration_is_handed_out():
    deep = search("kalah", "alphabeta:depth=5,table=off,history=off", deepening=True)
    whole, before = deep.nodes, search("kalah", "alphabeta:depth=4,table=off,history=off", deepening=True).nodes
    assert len(deep.tree) == whole - before
    game = load_game("kalah")
    player = replace(load_player("alphabeta", game), keep=True)
    stopped = player.search(Position.start(game), limits=Limits(nodes=1500))
    assert stopped.tree.finished
    assert stopped.tree.depth.max() == stopped.depth
    assert stopped.tree.value[0] == stopped.value


def test_a_search_that_is_stopped_hands_out_what_it_has():
    game = load_game("kalah")
    player = replace(load_player("mm:depth=8", game), keep=True)
    tree = player.search(Position.start(game), limits=Limits(nodes=900)).tree
    assert not tree.finished
    assert np.isnan(tree.value[0])
    assert "stopped before" in draw_tree(tree, "").note


def test_where_there_is_no_more_room_the_first_nodes_are_kept(monkeypatch):
    whole = tree_of("kalah", "mm:depth=4")
    monkeypatch.setattr(recording, "ROOM", 100)
    tree = tree_of("kalah", "mm:depth=4")
    assert (len(tree), tree.node_count) == (100, len(whole))
    assert (tree.parent == whole.parent[:100]).all()
    assert (tree.step == whole.step[:100]).all()
    known = ~np.isnan(tree.value)
    assert (tree.value[known] == whole.value[:100][known]).all()
    assert (tree.left_out[known] == whole.left_out[:100][known]).all()
    drawing = draw_tree(tree, "")
    assert (drawing.nodes, drawing.drawn) == (len(whole), 100)
    assert "the first 100 nodes" in drawing.note
    assert "the first 100 nodes" in drawing.text


# Trees of simulations


@pytest.mark.few(1)
@pytest.mark.parametrize(("spec", "player"), SIMULATED)
def test_a_tree_of_simulations_has_the_visited_nodes(spec, player):
    result = search(spec, player)
    tree = result.tree
    if "mcs" in player:
        fringe = np.setdiff1d(np.arange(len(tree)), tree.parent)
        assert len(fringe) == result.nodes
        assert tree.visits[0] == result.simulations + result.counts["terminals"]
        assert tree.value[0] == result.value
    else:
        assert len(tree) == len(result.tree)
        assert tree.visits[0] == result.simulations
        same = {row["id"]: row for row in result.tree.as_dict(10**6)["nodes"]}
        assert len(same) == len(tree)
        told = sorted((row["visits"], row["position"], row["value"]) for row in same.values())
        rows = tree.described(np.arange(len(tree)))
        assert sorted((row.visits, row.position.text, row.value) for row in rows) == told
    assert (tree.parent[1:] < np.arange(1, len(tree))).all()
    assert (tree.visits > 0).all()


# The picture


def shapes_of(text: str) -> list[ET.Element]:
    nodes = ET.fromstring(text).find(f"{SVG}g[@id='nodes']")
    assert nodes is not None
    return [shape for group in nodes for shape in group]


@pytest.mark.few(4)
@pytest.mark.parametrize(("spec", "player"), DEPTH_FIRST + SIMULATED)
@pytest.mark.parametrize("layout", ["radial", "layered"])
def test_a_drawing_has_as_many_nodes_as_the_tree(spec, player, layout):
    tree = tree_of(spec, player)
    drawing = draw_tree(tree, f"{player} on <{spec}>", layout, None)
    shapes = shapes_of(drawing.text)
    assert len(shapes) == drawing.nodes == drawing.drawn == len(tree)
    assert not drawing.note
    assert all(shape.find(f"{SVG}title").text for shape in shapes)
    rows = tree.described(np.arange(len(tree)))
    squares = sum(row.kind == "chance" or row.number == 0 for row in rows)
    assert sum(shape.tag == f"{SVG}rect" for shape in shapes) == squares
    edges = ET.fromstring(drawing.text).find(f"{SVG}path[@id='edges']").get("d")
    assert edges.count("M") == len(tree) - 1


def test_pruned_branches_are_marked():
    tree = tree_of("kalah", "alphabeta:depth=7")
    found = {
        path.get("class").split()[1]: path.get("d").count("M")
        for path in ET.fromstring(draw_tree(tree, "", limit=None).text).iter(f"{SVG}path")
        if path.get("class", "").startswith("stub ")
    }
    assert found["table"] == count(tree, FROM_TABLE) > 0
    assert found["cut"] == np.count_nonzero((tree.left_out > 0) & (tree.marks & FROM_TABLE == 0)) > 0
    assert "more" not in found


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("spec", "player"), [("kalah", "mm:depth=5"), ("pig", "mcts:sims=400"), ("pig", "mcs:sims=400")]
)
@pytest.mark.parametrize("limit", [1, 7, 30])
def test_a_thinned_drawing_keeps_parents_and_says_what_is_left_out(spec, player, limit):
    tree = tree_of(spec, player)
    limit = min(limit, len(tree) - 1)
    chosen = tree.heaviest(limit)
    assert len(chosen) == limit
    assert set(tree.parent[chosen][1:].tolist()) <= set(chosen.tolist())
    left = np.setdiff1d(np.arange(len(tree)), chosen)
    assert tree.weight[chosen].min() >= tree.weight[left].max()
    hidden = not_drawn(tree, chosen)
    assert hidden.sum() == len(left)
    drawing = draw_tree(tree, "", limit=limit)
    assert (drawing.nodes, drawing.drawn, len(shapes_of(drawing.text))) == (len(tree), limit, limit)
    assert f"drawn are {limit:,}, {tree.rule}" in drawing.note
    assert drawing.note in drawing.text
    told = sum(shape.find(f"{SVG}title").text.endswith("more not drawn") for shape in shapes_of(drawing.text))
    assert told == np.count_nonzero(hidden)


def test_colours_tell_who_is_to_move():
    tree = tree_of("focus:players=3", "uct:sims=50,rollout=2")
    nodes = ET.fromstring(draw_tree(tree, "").text).find(f"{SVG}g[@id='nodes']")
    found = {group.get("class"): len(group) for group in nodes}
    rows = tree.described(np.arange(len(tree)))
    for player in range(3):
        assert found.get(f"p{player + 1}", 0) == sum(row.turn == player for row in rows if row.number)


# Where nodes go

parents = st.lists(st.integers(0, 10**6), max_size=60).map(
    lambda numbers: np.array([-1, *(number % (i + 1) for i, number in enumerate(numbers))])
)


@settings(max_examples=40)
@given(parents)
def test_depth_is_the_number_of_steps_to_the_root(parent):
    depth = depths(parent)
    assert depth[0] == 0
    assert (depth[1:] == depth[parent[1:]] + 1).all()


@settings(max_examples=40)
@given(parents)
def test_children_share_what_their_parent_has(parent):
    first, leaves = shares(parent, depths(parent))
    assert (first[0], leaves[0]) == (0, len(set(range(len(parent))) - set(parent.tolist())))
    for node in range(len(parent)):
        spans = sorted((first[child], leaves[child]) for child in np.flatnonzero(parent == node))
        at = first[node]
        for start, size in spans:
            assert start == at
            at += size
        assert not spans or at == first[node] + leaves[node]


@settings(max_examples=40)
@given(parents)
def test_on_circles_the_distance_from_the_middle_is_the_depth(parent):
    depth = depths(parent)
    place = radial(parent, depth)
    assert np.hypot(place.x, place.y) == pytest.approx(depth)


@settings(max_examples=40)
@given(parents, st.sampled_from([radial, layered]))
def test_no_two_nodes_are_at_one_place(parent, layout):
    place = layout(parent, depths(parent))
    assert len({(round(float(x), 6), round(float(y), 6)) for x, y in zip(place.x, place.y, strict=True)}) == len(parent)


@settings(max_examples=40)
@given(parents)
def test_weights_never_grow_on_the_way_down(parent):
    position = Position.start(load_game("kalah"))
    zeros = np.zeros(len(parent))
    tree = PlainTree(position, parent, zeros, zeros, np.arange(len(parent)))
    assert (tree.weight[1:] <= tree.weight[parent[1:]]).all()
    assert tree.size[0] == len(parent)
    assert (tree.heaviest(None) == np.arange(len(parent))).all()


def test_there_are_two_layouts():
    with pytest.raises(SpecError, match="there is no layout 'round'"):
        draw_tree(tree_of("kalah", "mm:depth=1"), "", "round")


# The command


def test_the_command_writes_a_drawing(tmp_path, capsys):
    path = tmp_path / "tree.svg"
    ran = run_here(capsys, "tree", "kalah", "--player", "mm:depth=4", "--limit", 50, "--out", path)
    assert (ran.code, ran.err) == (0, "")
    assert "nodes drawn        50" in ran.out
    assert "the nodes with most nodes below them" in ran.out
    assert len(shapes_of(path.read_text())) == 50


@pytest.mark.slow
def test_hybrid_hands_out_the_tree_of_the_search_that_decided(tmp_path, capsys):
    path = tmp_path / "tree.svg"
    for threshold, size in (("0", "nodes searched below"), ("1e6", "visits")):
        player = f"hybrid:threshold={threshold},nodes=20000"
        position = "0,0,1,3,1,2/17 3,0,0,1,3,2/15 1"
        ran = run_here(capsys, "tree", "kalah", "--player", player, "--position", position, "--out", path)
        assert ran.code == 0, ran.err
        assert f"size: {size}" in path.read_text()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--player", "random"], "random has no search tree to draw"),
        (["--player", "greedy"], "greedy has no search tree to draw"),
        (["--player", "missing_player"], "there is no player 'missing_player'"),
        (["--player", "mm", "--position", "what"], "'what' is not a position of Kalah"),
        (["--player", "mm", "--layout", "round"], "there is no layout 'round' (layouts: radial, layered)"),
        (["--player", "mm", "--out", "tree.png"], "give --out a name that ends in .svg, not 'tree.png'"),
        (["--player", "mm", "--out", "/nowhere/tree.svg"], "cannot write to /nowhere/tree.svg"),
        (["--player", "mm", "--sims", "5"], "mm has no simulations to limit"),
    ],
)
def test_bad_input_gets_a_sentence(options, sentence, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    ran = run_here(capsys, "tree", "kalah", *options)
    assert ran.code == 2
    assert sentence in ran.err
    assert len(ran.err.splitlines()) == 1


def test_search_writes_the_tree_of_a_depth_first_search(tmp_path, capsys):
    path = tmp_path / "tree.json"
    ran = run_here(capsys, "search", "pig", "--player", "star2:depth=2", "--tree", path, "--tree-nodes", 20)
    assert ran.code == 0, ran.err
    written = json.loads(path.read_text())
    assert (len(written["nodes"]), len(written["links"])) == (20, 19)
    assert written["nodes"][0]["name"] == ""


@pytest.mark.slow
@pytest.mark.compiled
def test_a_drawing_made_uncompiled_is_the_same(tmp_path, capsys):
    for player in ("star2:depth=2,prune_above=0", "uct:sims=30", "maxn:depth=2"):
        paths = [tmp_path / "compiled.svg", tmp_path / "alone.svg"]
        line = ["tree", EXAMPLE, "--player", player, "--out"]
        assert run_here(capsys, *line, paths[0]).code == 0
        ran = run_apart(*line, paths[1], NUMBA_DISABLE_JIT="1")
        assert (ran.code, ran.err) == (0, "")
        assert paths[0].read_text() == paths[1].read_text()
