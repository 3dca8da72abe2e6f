"""Pictures of positions: all that is legal can be clicked, keys are unique and stay, and all fits the frame."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from functools import cache
from itertools import chain, pairwise
from typing import Any

import numpy as np
import pytest

from astragal import TERMINAL, game
from astragal.base.errors import GameError, SpecError
from astragal.drawing.pictures import (
    Circle,
    Picture,
    Rect,
    Text,
    drawing_of,
    event_of,
    picture_of,
)
from astragal.drawing.pictures.palette import ROLES, THEMES, colours, contrast, stylesheet
from astragal.drawing.pictures.svg import picture_svg
from astragal.drawing.pictures.validation import faults
from astragal.drawing.pictures.words import broken
from astragal.games import game_names, load_game, sheet_names
from astragal.games.chinese_checkers.picture import STEP
from astragal.games.ra.notation import LETTERS
from astragal.games.ra.picture import due_points
from astragal.games.ra.tiles import NAMES
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from support.helpers import EXAMPLE, run_here

SPECS = [
    *("tic_tac_toe", "connect_four", "ewn", "ewn:setup=fixed", "pig", "pig:dice=1,goal=30"),
    *("kalah", "kalah:pits=1,stones=63", "kalah:pits=8,stones=7", "kalah:pits=3,stones=4,setup=random"),
    *("cant_stop", "cant_stop:players=1,sides=3,shortest=1", "cant_stop:players=4", "cant_stop:shortest=21,goal=1"),
    *("focus", "focus:players=3", "focus:players=3,extra=reserve,no_move=out", "focus:players=4,rules=long"),
    *("chinese_checkers", "chinese_checkers:players=3", "chinese_checkers:players=6,star=full"),
    *("ra", "ra:floor=off,empty_auctions=off", "backgammon"),
]
SMALLEST = 60  # of this part of a picture's width letters are at least, so that they can be read on a phone


def positions(spec: str, seeds: int = 3) -> Iterator[tuple[Position, int | None]]:
    """Some positions of random games, their start and end among them, each with the outcome that led to it, if any."""
    return chain.from_iterable(positions_of_a_game(spec, seed) for seed in range(seeds))


@cache
def positions_of_a_game(spec: str, seed: int, plies: int = 250) -> list[tuple[Position, int | None]]:
    found = []
    dice, position, last = Dice(seed), Position.start(load_game(spec), seed), None
    for ply in range(plies):
        if ply < 4 or position.is_terminal or dice.below(8) == 0:
            found.append((position, last))
        if position.is_terminal:
            break
        last = position.draw(dice) if position.is_chance else None
        position = position.follow(last if last is not None else any_action(position, dice))
    return found


def any_action(position: Position, dice: Dice) -> int:
    actions = position.actions()
    return actions[dice.below(len(actions))]


@pytest.mark.few(1)
@pytest.mark.parametrize("spec", SPECS)
def test_every_legal_action_can_be_clicked_and_in_one_way(spec):
    for position, last in positions(spec):
        picture = picture_of(position, last)
        assert not list(faults(picture))
        assert list(picture.moves) == position.actions()
        clicks = [tuple(keys) for keys in picture.moves.values()]
        assert all(clicks)
        assert len(set(clicks)) == len(clicks)
        begun = {keys[:i] for keys in clicks for i in range(1, len(keys))}
        assert not begun & set(clicks)


@pytest.mark.few(1)
@pytest.mark.parametrize("spec", SPECS)
def test_a_picture_is_the_same_for_the_same_position_and_speaks_json(spec):
    for position, last in positions(spec, seeds=1):
        picture = picture_of(position, last)
        written = json.loads(json.dumps(picture.as_dict(), allow_nan=False))
        assert written == picture_of(Position.parse(position.game, position.text), last).as_dict()
        assert written == picture.as_dict()
        assert picture.note.endswith(".")
        for item in written["items"]:
            assert {"kind", "key", "x", "y"} <= set(item)


@pytest.mark.few(2)
@pytest.mark.parametrize("spec", SPECS)
def test_items_lie_in_a_frame_that_stays_and_text_can_be_read(spec):
    frames = set()
    for position, last in positions(spec):
        picture = picture_of(position, last)
        frames.add((picture.width, picture.height))
        assert len(frames) == 1
        for item in picture.items:
            left, top, right, bottom = item.reach()
            room = item.line if item.stroke else 0.5
            assert left >= -room, item
            assert top >= -room, item
            assert right <= picture.width + room, item
            assert bottom <= picture.height + room, item
            if item.text:
                assert item.size * SMALLEST >= picture.width, item


def keyed(position: Position, last: int | None = None) -> dict[str, Any]:
    return {item.key: item for item in picture_of(position, last).items}


def place(item: Any) -> tuple[float, float]:
    return item.x, item.y


def starting(items: dict[str, Any], prefix: str) -> list[Any]:
    return [item for key, item in items.items() if key.startswith(prefix)]


def test_every_built_in_game_is_drawn():
    for name in game_names():
        assert drawing_of(load_game(name)) is not None, name


def test_a_cube_keeps_its_key_and_goes_to_the_square_that_was_clicked():
    for position, _ in positions("ewn"):
        for action in position.actions():
            before, after = keyed(position), keyed(position.play(action))
            cube = f"cube-{position.turn + 1}-{(action >> 5) % 6 + 1}"
            source, target = picture_of(position).moves[action]
            assert place(before[cube]) == place(before[source])
            assert place(after[cube]) == place(before[target])
            for key in set(before) & set(after) - {cube}:
                if key.startswith("cube"):
                    assert place(before[key]) == place(after[key])


def test_kalah_shows_as_many_stones_as_there_are():
    for position, _ in positions("kalah:pits=4,stones=5"):
        items = keyed(position)
        assert len(starting(items, "")) == len(items)
        sides = position.text.split()[:2]
        for player, side in enumerate(sides):
            pits, store = side.split("/")
            counts = {f"{'AB'[player]}{i + 1}": int(n) for i, n in enumerate(pits.split(","))}
            for name, count in (counts | {f"store-{player + 1}": int(store)}).items():
                assert len(starting(items, f"{name}-stone-")) == count
                assert items[f"count-{name}"].text == str(count)
                hole = items[name]
                for stone in starting(items, f"{name}-stone-"):
                    across, down = hole.half()
                    assert abs(stone.x - hole.x) <= across
                    assert abs(stone.y - hole.y) <= down


@pytest.mark.slow
@pytest.mark.interpreted
def test_men_of_focus_stand_as_the_notation_says():
    for position, _ in positions("focus:players=4", seeds=2):
        items = keyed(position)
        squares = position.text.split()[0].replace("/", ",").split(",")
        names = [key for key in items if len(key) == 2]
        for name, men in zip(names, squares, strict=True):
            stack = starting(items, f"man-{name}-")
            assert "".join(man.fill[-1] for man in stack) == men.replace("-", "")


def test_men_of_chinese_checkers_stand_as_the_notation_says():
    for position, _ in positions("chinese_checkers:players=3", seeds=2):
        items = keyed(position)
        for row, cells in enumerate(position.text.split()[0].split("/")):
            for i, cell in enumerate(cells):
                man = items.get(f"man-{row}.{i}")
                assert (man.fill[-1] if man else ".") == cell


@pytest.mark.few(1)
@pytest.mark.parametrize("spec", ["cant_stop:players=3", "cant_stop:sides=4"])
def test_markers_and_runners_stand_as_the_notation_says(spec):
    for position, _ in positions(spec):
        items, words = keyed(position), position.text.split()
        for player, spots in enumerate(words[: position.game.players]):
            for column, space in spots_of(spots):
                marker = items.get(f"marker-{player + 1}-{column}")
                if marker is None:  # the column is won
                    assert items[f"space-{column}-1"].fill == f"player{player + 1}"
                else:
                    assert marker.y == items[f"space-{column}-{space}"].y
        runners = {f"runner-{column}": space for column, space in spots_of(words[position.game.players])}
        assert {item.key for item in starting(items, "runner-")} == set(runners)
        for key, space in runners.items():
            assert place(items[key]) == place(items[f"space{key[6:]}-{space}"])


def spots_of(text: str) -> list[tuple[str, str]]:
    return [tuple(spot.split(":")) for spot in text.split(",")] if text != "-" else []  # type: ignore[misc]


def test_tiles_of_ra_lie_as_the_notation_says():
    for position, _ in positions("ra", seeds=2):
        items, track = keyed(position), position.text.split()[1]
        tiles = [item.text for item in starting(items, "track-")]
        written = {letter: int(count or 1) for letter, count in re.findall(r"([A-Za-z])(\d*)", track)}
        assert {LETTERS[NAMES.index(name)]: tiles.count(name) for name in tiles} == written
        assert len(starting(items, "sun-")) == 9


def test_chains_of_chinese_checkers_go_hop_by_hop():
    """From cell to cell of a way it is a hop over a man, and there is a way to every cell that no step leads to."""
    chains = 0
    for position, _ in positions("chinese_checkers", seeds=2):
        picture = picture_of(position)
        items = {item.key: item for item in picture.items}
        men = {(round(item.x), round(item.y)) for item in picture.items if item.key.startswith("man-")}
        for action, keys in picture.moves.items():
            way = [items[key] for key in picture.way(action)]
            assert [item.key for item in (way[0], way[-1])] == [keys[0], keys[-1]]
            apart = [np.hypot(b.x - a.x, b.y - a.y) / STEP for a, b in pairwise(way)]
            assert apart == pytest.approx([1] if len(way) == 2 and apart[0] < 1.5 else [2] * len(apart))
            for a, b in pairwise(way):
                middle = round((a.x + b.x) / 2), round((a.y + b.y) / 2)
                assert apart[0] < 1.5 or any(abs(middle[0] - x) + abs(middle[1] - y) <= 2 for x, y in men)
            chains += len(way) > 2
    assert chains


def test_the_scores_of_ra_are_broken_down():
    """What stands in a panel adds up to the result of the rules; the end of an epoch is described with it."""
    dice, position, epochs = Dice(2), Position.start(load_game("ra"), 2), 0
    while not position.is_terminal:
        for player in range(2):
            fame = int(position.rules.fame_after(position.state, player))
            assert max(0, int(position.state.fame[player]) + sum(due_points(position, player).values())) == fame
        step = position.draw(dice) if position.is_chance else any_action(position, dice)
        after, event = position.follow(step), event_of(position, step)
        ended = after.is_terminal or after.state.epoch != position.state.epoch
        assert (event is not None) == ended
        epochs += ended
        position = after
    assert epochs == 3


def test_the_dice_of_pig_show_what_was_dealt():
    for spec in ("pig", "pig:dice=1"):
        for position, last in positions(spec):
            faces = [item.value for item in starting(keyed(position, last), "die-")]
            if last is None:
                assert not any(faces)
            elif last > 1:
                assert sum(faces) == last - 1
                assert 1 not in faces
            else:
                assert faces.count(1) == last + 1


def test_a_bust_shows_its_dice():
    rules = load_game("cant_stop")
    position = Position.parse(rules, "- - 2:1,3:1,12:1 1 roll")
    bust = next(outcome for outcome in position.outcomes() if outcome.name == "5555")
    after = position.deal(bust.number)
    assert [item.value for item in starting(keyed(after, bust.number), "die-")] == [5, 5, 5, 5]
    assert "bust" in picture_of(after, bust.number).note


def test_four_in_a_line_are_ringed_when_the_game_is_won():
    for position, _ in positions("connect_four", seeds=8):
        rings = starting(keyed(position), "four-")
        assert (len(rings) >= 4) == (position.is_terminal and any(position.utilities()))


# Games of others


def drawn(picture: Any) -> Position:
    """The start of a small game that draws itself so."""

    @game
    class Drawn:
        state = np.dtype([("total", "u1"), ("turn", "u1")])
        max_actions = 2

        def turn(self, state):
            return TERMINAL if state.total >= 5 else state.turn

        def actions(self, state, out):
            out[0], out[1] = 1, 2
            return 2

        def play(self, state, action):
            state.total += action
            state.turn = 1 - state.turn

        def utility(self, state, player):
            return 1.0 if state.turn == player else -1.0

        def picture(self, state):
            return picture(state)

    return Position.start(Drawn())


def one(**more: Any) -> Rect:
    return Rect(key="one", x=20, y=20, w=30, h=30, **({"label": "one"} | more))


def test_a_game_may_draw_itself():
    position = drawn(lambda state: Picture(100, 50, [one(text=str(state.total))], {1: ["one"], 7: ["one"]}, "Add."))
    picture = picture_of(position.play(2))
    assert picture.moves == {1: ["one"], 2: []}
    assert picture.items[0].text == "2"


@pytest.mark.parametrize(
    ("picture", "sentence"),
    [
        (Picture(9, 9, [one(), one()]), "two items with the key 'one'"),
        (Picture(9, 9, [one(fill="mauve")]), "in 'mauve', which is not a role"),
        (Picture(9, 9, [one(label=None)], {1: ["one"]}), "has no label"),
        (Picture(9, 9, [one()], {1: ["two"]}), "no item 'two' to click for action 1"),
        (Picture(9, 9, [one()], {1: ["one"], 2: ["one", "one"]}), "same clicks at the beginning of actions 1 and 2"),
        (Picture(9, 9, [one(acts="two")]), "acts as 'two', which is not there"),
        ("a board", "picture returns a str, not a Picture"),
    ],
)
def test_a_picture_that_cannot_be_used_gets_a_sentence(picture, sentence):
    with pytest.raises(GameError, match=sentence):
        picture_of(drawn(lambda state: picture))


def test_a_game_without_a_picture_shows_its_text(tmp_path):
    shown = "\n    def show(self, state):\n        return 'bones ' + str(state.bones)\n"
    (tmp_path / "shown.py").write_text(EXAMPLE.read_text() + shown)
    position = Position.start(load_game(f"{tmp_path / 'shown.py'}:MyGame")).play("one")
    picture = picture_of(position)
    lines = [item.text for item in picture.items if isinstance(item, Text)]
    assert lines == ["bones 1"] == str(position).splitlines()
    assert picture.note == "Chance decides what comes next."
    assert picture_of(position.sample(1)).moves == {1: [], 2: []}


def test_the_example_of_the_documentation_is_a_picture(tmp_path):
    page = (EXAMPLE.parents[1] / "docs" / "pictures.md").read_text()
    code = next(block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "def picture" in block)
    imports, method = code.split("\n\n", 1)
    file = tmp_path / "drawn.py"
    file.write_text(f"{imports}\n{EXAMPLE.read_text()}\n{method}")
    position = Position.start(load_game(f"{file}:MyGame"))
    assert picture_of(position).moves == {1: ["one"], 2: ["two"]}
    after = position.play("one").deal(3)
    assert keyed(after)["man-0"].x > keyed(position)["man-0"].x


@pytest.mark.parametrize("line", ["", "short", "word " * 30, "x" * 200, "  two   spaces " * 9])
def test_long_lines_are_broken_and_nothing_is_lost(line):
    pieces = broken(line, 60)
    assert all(len(piece) <= 60 for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(line.split())


# Games of rule sheets

SHEET = """
(role white) (role black)
(square a 1) (square a 2) (square b 1) (square b 2)
(<= (init (cell ?x ?y b)) (square ?x ?y))
(init (control white)) (init (step 0))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
(other white black) (other black white)
(sign white wm) (sign black bm)
(<= (legal ?r (mark ?x ?y)) (true (control ?r)) (true (cell ?x ?y b)))
(<= (legal ?r resign) (true (control ?r)))
(<= (legal ?r noop) (role ?r) (not (true (control ?r))))
(<= (next (cell ?x ?y ?s)) (does ?r (mark ?x ?y)) (sign ?r ?s))
(<= (next (cell ?x ?y ?v)) (true (cell ?x ?y ?v)) (distinct ?v b))
(<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (does ?r (mark ?u ?w)) (or (distinct ?x ?u) (distinct ?y ?w)))
(<= (next (control ?o)) (true (control ?r)) (other ?r ?o))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next lost) (does ?r resign))
(<= terminal (true (step 4))) (<= terminal (true lost))
(<= (goal white 100) (true (step ?n))) (<= (goal black 0) (true (step ?n)))
"""


@pytest.fixture
def sheet(tmp_path) -> Position:
    (tmp_path / "squares.kif").write_text(SHEET)
    return Position.start(load_game(str(tmp_path / "squares.kif")))


def test_a_rule_sheet_shows_its_facts_and_squares_can_be_clicked(sheet):
    position = sheet.play("mark b 2")
    items, picture = keyed(position), picture_of(position)
    assert picture.note == "black to move."
    squares = {f"cell-{x}-{y}" for x in "ab" for y in "12"}
    assert squares <= set(items)
    assert items["cell-a-1"].x < items["cell-b-1"].x  # letters go across
    assert items["cell-a-2"].y < items["cell-a-1"].y  # and numbers up
    pieces = {key: item for key, item in items.items() if item.group}
    assert {key: (item.text, item.fill) for key, item in pieces.items()} == {"cell-b-2-wm": ("wm", "white")}
    assert {"control: black", "step: 1"} <= {item.text for item in picture.items}
    clicks = {position.action_name(action): keys for action, keys in picture.moves.items()}
    assert clicks == {f"mark {x} {y}": [f"cell-{x}-{y}"] for x, y in ("a1", "a2", "b1")} | {"resign": []}


@pytest.mark.few(1)
@pytest.mark.parametrize("spec", sheet_names())
def test_facts_lie_in_the_frame_and_moves_are_told_apart(spec):
    for position, last in positions(spec, seeds=2):
        picture = picture_of(position, last)
        assert not list(faults(picture))
        assert list(picture.moves) == position.actions()
        assert picture.as_dict() == picture_of(Position.parse(position.game, position.text), last).as_dict()
        for item in picture.items:
            left, top, right, bottom = item.reach()
            assert min(left, top) >= 0, item
            assert right <= picture.width, item
            assert bottom <= picture.height, item


@pytest.mark.few(2)
@pytest.mark.parametrize("spec", ["tic_tac_toe.kif", "connect_four.kif", "breakthrough.kif", "knights_tour.kif"])
def test_boards_of_rule_sheets_can_be_clicked(spec):
    for position, _ in positions(spec):
        moves = picture_of(position).moves
        assert all(moves.values())
        assert len({tuple(keys) for keys in moves.values()}) == len(moves)


def test_facts_of_the_same_places_are_drawn_on_one_board():
    dropped = keyed(Position.start(load_game("connect_four.kif")).play("drop 4"))
    pieces = {key: item.fill for key, item in dropped.items() if item.group}
    lowest = {f"disc-{column}-1-free" for column in "123567"}
    assert pieces == {"disc-4-1-red": "red", **dict.fromkeys({*lowest, "disc-4-2-free"}, "cell")}
    gone = keyed(Position.start(load_game("knights_tour.kif")).play("go 2 3"))
    assert {key for key, item in gone.items() if item.group} == {"at-1-1-visited", "at-2-3-at", "at-2-3-visited"}
    assert gone["at-2-3"].label == "at 2 3: at, visited"


def test_the_end_of_a_rule_sheets_game_says_what_each_has_got(sheet):
    over = sheet.play("resign")
    assert picture_of(over).note == "The game is over: white 100, black 0."
    assert "lost" in {item.text for item in picture_of(over).items}


# Colours and files


@pytest.mark.parametrize("theme", THEMES)
def test_text_can_be_told_from_what_it_is_on(theme):
    for role in ROLES:
        found = colours(role, theme)
        assert contrast(found.fill, found.on) >= 4.5, role
    ink = colours("ink", theme).fill
    for role in ("page", "panel", "board"):
        assert contrast(ink, colours(role, theme).fill) >= 4.5, role
    for role in ("page", "panel"):
        assert contrast(colours("faint", theme).fill, colours(role, theme).fill) >= 4.5, role
    for role in ("page", "panel", "cell", "hole", "button"):
        assert contrast(colours("accent", theme).fill, colours(role, theme).fill) >= 1.6, role


def test_contrast_is_that_of_wcag():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_the_stylesheet_has_every_role_in_both_themes():
    sheet = stylesheet()
    for role, (light, dark) in ROLES.items():
        assert sheet.count(f"--{role}: {light};") >= 1
        assert sheet.count(f"--{role}: {dark};") >= 2


@pytest.mark.few(3)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("spec", SPECS)
def test_a_picture_becomes_an_svg_with_all_its_items(spec, theme):
    for number, (position, last) in enumerate(positions(spec, seeds=1)):
        if number % 6 == 0:
            picture = picture_of(position, last)
            root = ET.fromstring(picture_svg(picture, theme, legal=True))
            places = [part for part in root if part.tag.endswith("}g")]
            assert len(places) == len(picture.items)
            titles = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
            assert titles == [picture.note, *(item.label for item in by_layer(picture) if item.label)]


def by_layer(picture: Picture) -> list[Any]:
    return sorted(picture.items, key=lambda item: item.layer)


def test_unknown_themes_are_refused():
    with pytest.raises(SpecError, match="there is no theme 'sepia'"):
        picture_svg(Picture(9, 9, [Circle(key="a", x=1, y=1, r=1)]), "sepia")


def test_the_command_writes_a_picture(capsys, tmp_path):
    out = tmp_path / "board.svg"
    text = "123../45.../6...f/...ed/..cba 1 3"
    ran = run_here(capsys, "picture", "ewn", "--position", text, "--theme", "dark", "--legal", "--out", out)
    assert ran.code == 0
    assert ran.out == f"Player 1 rolled 3 and is to move.\nwritten to {out}\n"
    assert out.read_text() == picture_svg(picture_of(Position.parse(load_game("ewn"), text)), "dark", legal=True)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["ewn", "--out", "board.png"], "ends in .svg"),
        (["ewn", "--theme", "sepia"], "there is no theme 'sepia'"),
        (["ewn", "--position", "nonsense"], "is not a position of EWN"),
    ],
)
def test_the_command_refuses_in_a_sentence(capsys, arguments, sentence):
    ran = run_here(capsys, "picture", *arguments)
    assert ran.code != 0
    assert sentence in ran.err


MARKS = """
import numpy as np
from astragal import TERMINAL, game

@game
class Marks:
    state = np.dtype([("board", "i1", (3, 3)), ("score", "i2", 2), ("made", "i1"), ("turn", "i1")])
    max_actions = 9
    utility_range = (-1.0, 1.0)

    def turn(self, state):
        return TERMINAL if state.made == 9 else state.turn

    def actions(self, state, out):
        count = 0
        for i in range(9):
            if state.board[i // 3, i % 3] == 0:
                out[count] = i
                count += 1
        return count

    def play(self, state, action):
        state.board[action // 3, action % 3] = state.turn + 1
        state.score[state.turn] += action
        state.made += 1
        state.turn = 1 - state.turn

    def utility(self, state, player):
        return 0.0
"""


def test_a_game_that_nobody_has_drawn_shows_its_fields(tmp_path):
    """Boards with pieces, a track for each player, numbers; a square is the action of its number."""
    (tmp_path / "marks.py").write_text(MARKS)
    position = Position.start(load_game(f"{tmp_path / 'marks.py'}:Marks")).follow(4).follow(7)
    items, picture = keyed(position), picture_of(position)
    assert {key: item.fill for key, item in items.items() if key.endswith("-piece")} == {
        "board-4-piece": "player1",
        "board-7-piece": "player2",
    }
    assert [items[f"score-{player}"].text for player in (1, 2)] == ["4", "7"]
    assert items["score-1-bar"].w < items["score-2-bar"].w
    assert items["alone-0"].text == "made 2"
    assert picture.moves == {action: [f"board-{action}"] for action in (0, 1, 2, 3, 5, 6, 8)}
