"""Sheets that are searched on the plain reasoner, because their rules are too many to be instantiated."""

from __future__ import annotations

import pickle
import threading
import time

import pytest

from astragal.algorithms.limits import Limits
from astragal.base.errors import AstragalError, Stopped
from astragal.base.interruptible import Switch, helping_thread, is_hurried, run_interruptible, stoppable_by
from astragal.games import game_spec, load_game
from astragal.gdl.layouts.layout import LAYOUTS
from astragal.gdl.layouts.plain_layout import PlainLayout
from astragal.gdl.reading.reader import load_sheet, read_sheet
from astragal.gdl.sheets import SheetSettings, game_of_sheet
from astragal.players import load_player
from astragal.rules.checks import check_game
from astragal.rules.position import Position
from support import gdl_corpus

PLAIN = "tic_tac_toe.kif:reasoner=plain"

# One step, but a rule that is never needed has a thousand billion instances.
HUGE = """
(role x) (init start) (legal x go) (legal x stay)
(<= (next done) (does x go))
(<= (next start) (does x stay))
{numbers}
(<= (next (far ?a ?b ?c ?d ?e ?f)) (true (n ?a)) (true (n ?b)) (true (n ?c)) (true (n ?d)) (true (n ?e)) (true (n ?f)))
(<= terminal (true done))
(<= (goal x 70) (true done))
(<= (goal x 0) (not (true done)))
""".format(
    numbers=" ".join(
        f"(<= (next (n {i})) (true never) (does x go)) (<= (next (n {i})) (true (n {i})))" for i in range(100)
    )
    + " ".join(f"(<= (next never) (true (n {i})))" for i in range(100))
    + "(<= (next never) (true never)) (<= (next (n 1)) (true start) (true never))"
    + " (<= (next never) (true start) (true done))"
)


@pytest.mark.slow
@pytest.mark.interpreted
def test_a_sheet_that_is_too_large_is_searched_all_the_same(capsys):
    sheet = read_sheet(HUGE, "huge.kif")
    game = game_of_sheet(sheet, SheetSettings(instances=10_000))
    assert isinstance(LAYOUTS[game.address], PlainLayout)
    line = capsys.readouterr().err
    assert "huge.kif is too large to be compiled, so it is run by the plain reasoner" in line
    assert "states a second here: it has more than 10,000 instances" in line
    assert game_spec(game) == "huge.kif:instances=10000,reasoner=plain"
    result = load_player("uct:sims=50", game).search(Position.start(game), 1)
    assert result.value == 70  # a player that stays may go later
    again = pickle.loads(pickle.dumps(game))
    assert Position.start(again).text == "start"
    assert capsys.readouterr().err == ""  # the network was not tried again


def test_plain_games_and_networks_agree():
    one, other = Position.start(load_game(PLAIN)), Position.start(load_game("tic_tac_toe.kif"))
    for name in ("mark 2 2", "mark 1 1", "mark 1 2", "mark 3 2", "mark 1 3", "mark 3 1", "mark 2 1", "mark 2 3"):
        assert one.text == other.text
        assert sorted(one.action_names()) == sorted(other.action_names())
        assert one.turn == other.turn
        one, other = one.play(name), other.play(name)
    one, other = one.play("mark 3 3"), other.play("mark 3 3")
    assert one.is_terminal
    assert other.is_terminal
    assert one.utilities() == (50.0, 50.0)  # of goals that are not known to add up
    assert other.utilities() == (0.0, 0.0)
    assert Position.parse(one.game, one.text).text == one.text


def test_the_promises_of_games_are_kept():
    for check in check_game(load_game(PLAIN), games=1):
        assert check.passed, check


def test_chance_and_choices_at_once():
    for name in ("pig.kif:reasoner=plain", "rock_paper_scissors.kif:reasoner=plain"):
        game = load_game(name)
        assert load_player("uct:sims=3", game).search(Position.start(game).settled(1), 1).action_number is not None


def test_states_are_named_alike_in_every_process():
    """By their facts, not by when they were met: what is sampled by a state's name must come out the same."""
    names = []
    for moves in (["mark 1 1", "mark 2 2"], ["mark 3 3", "mark 1 2"]):
        game = game_of_sheet(load_game(PLAIN).__reduce__()[1][0], SheetSettings(reasoner="plain"), str(moves))
        position = Position.start(game)
        for move in moves:
            position = position.play(move)
        names.append(Position.parse(game, "(turn x) (cell 1 1 x)").state.bits[0])
    assert names[0] == names[1]


@pytest.mark.slow
def test_a_random_game_is_cut_off_when_time_is_up():
    """The reasoner needs a second or so for a game: it must not be waited for."""
    game = load_game("breakthrough.kif:reasoner=plain")
    player = load_player("uct", game)
    player.search(Position.start(game), 1, Limits(time=0.001))  # compiled now
    began = time.monotonic()
    result = player.search(Position.start(game), 1, Limits(time=0.05))
    assert result.action_number is not None
    assert result.counts["sims"] < 1000
    assert time.monotonic() - began < 60  # not hours: a limit for machines that are busy with something else


def test_too_many_moves_are_said():
    text = """(role x) (init (n 0)) (legal x stay)
    {digits}
    (<= (legal x (go ?a ?b ?c)) (true more) (digit ?a) (digit ?b) (digit ?c))
    (<= (next more) (does x stay)) (<= terminal (true never)) (goal x 1)"""
    sheet = read_sheet(text.format(digits=" ".join(f"(digit {i})" for i in range(10))), "many.kif")
    game = game_of_sheet(sheet, SheetSettings(reasoner="plain"))
    with pytest.raises(AstragalError, match="x has 1001 moves, and there is room for 256; set moves=1001 or more"):
        Position.parse(game, "more")
    game = game_of_sheet(sheet, SheetSettings(reasoner="plain", moves=1001))
    assert len(Position.parse(game, "more").actions()) == 1001
    assert game_spec(game) == "many.kif:reasoner=plain,moves=1001"


def test_many_moves_at_the_start_are_not_taken_for_more():
    """Room for four times as many would be more than there may be."""
    digits = " ".join(f"(digit {i})" for i in range(100))
    text = f"""(role x) (init s) {digits} (<= (legal x (go ?a ?b)) (digit ?a) (digit ?b)) (legal x (go 100 100))
    (<= (legal x (stay ?a ?b)) (digit ?a) (digit ?b)) (<= terminal (true done)) (<= (next done) (true s)) (goal x 1)"""
    game = game_of_sheet(read_sheet(text, "many.kif"), SheetSettings(reasoner="plain"))
    assert len(Position.start(game).actions()) == 20_001


def test_a_random_game_is_cut_off_for_all_who_search():
    """Whatever ends the search, and in every thread of it."""
    hurries = []

    def look():
        while not is_hurried() and time.monotonic() < end:
            time.sleep(0.001)
        hurries.append(is_hurried())

    def task():
        helper = helping_thread(look)
        helper.start()
        look()
        helper.join()

    end = time.monotonic() + 30
    switch = Switch()
    run_interruptible(task, lambda: None, seconds=0.01)
    threading.Timer(0.01, switch.stop).start()
    for _ in range(2):  # the switch is off already then
        with pytest.raises(Stopped), stoppable_by(switch):
            run_interruptible(task, lambda: None)
    assert hurries == [True] * 6


@pytest.mark.slow
@gdl_corpus.needs_corpus
def test_chess_is_played_on_the_plain_reasoner():
    game = game_of_sheet(load_sheet(gdl_corpus.corpus() / "kif" / "chess.kif"), SheetSettings(reasoner="plain"))
    result = load_player("uct", game).search(Position.start(game), 1, Limits(time=2.0))
    assert result.action in Position.start(game).action_names()
