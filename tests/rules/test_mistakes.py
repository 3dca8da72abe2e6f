"""Every mistake in a game's method is a sentence with its cause, the state, the file, the line and the method."""

from __future__ import annotations

import random
import re
import threading

import numpy as np
import pytest

from astragal import CHANCE, TERMINAL, AstragalError, game, load_player, start
from astragal.algorithms.limits import Limits
from astragal.base.errors import GameError
from astragal.compiler.guarded import PRINTED, Printing
from astragal.rules import defaults
from astragal.rules.checks import check_game, warnings_about
from astragal.rules.checks.warnings import draft
from support.broken_games import GOAL, Sound

RANDOM = random.Random(1)
PLACE = r"\(test_mistakes\.py line \d+"


def varied(**methods):
    """The sound little game with other methods or declarations."""
    return game(type("Varied", (Sound,), {"__module__": __name__, **methods}))()


def late(value, usual):
    """A method that goes wrong once the total is 7 or more, which no search sees at once."""
    return lambda self, state, *rest: value(state) if state.total >= 7 else usual(self, state, *rest)


def raising(error):
    def raise_it(state):
        raise error

    return raise_it


def forgets(self, state, *rest):
    state.total += 0


INTERPRETED = {  # method -> what it does wrong, and what is said of it
    "turn forgets its return": (
        {"turn": lambda self, state: None},
        r"turn returned nothing \(is a return missing\?\) at 'total=0",
    ),
    "turn is a text": ({"turn": lambda self, state: "me"}, r"turn returned 'me', which is not a whole number"),
    "turn raises": ({"turn": lambda self, state: {}["x"]}, r"KeyError: 'x' at '.*in turn\)"),
    "actions forgets its return": ({"actions": forgets}, r"actions returned nothing .*in actions\)"),
    "actions is negative": ({"actions": lambda s, state, out: -5}, r"actions returned -5, which is not a count"),
    "actions is too many": ({"actions": lambda s, state, out: 9}, r"actions returned 9, more than max_actions = 2"),
    "actions is a float": (
        {"actions": lambda s, state, out: 1.5},
        r"actions returned 1.5, which is not a whole number",
    ),
    "actions writes too many": (
        {"actions": lambda s, state, out: len([out.__setitem__(i, i) for i in range(9)])},
        r"lists more than max_actions = 2 at '.*in actions\)",
    ),
    "outcomes forgets its return": ({"outcomes": forgets}, r"outcomes returned nothing"),
    "outcomes is negative": ({"outcomes": lambda s, state, out: -1}, r"outcomes returned -1"),
    "outcomes is too many": ({"outcomes": lambda s, state, out: 3}, r"outcomes returned 3, more than max_outcomes"),
    "outcomes raises": ({"outcomes": late(raising(TypeError("bad")), Sound.outcomes)}, r"TypeError: bad at"),
    "probability forgets its return": ({"probability": forgets}, r"probability returned nothing"),
    "probability is nan": ({"probability": lambda s, state, o: np.nan}, r"probability is nan"),
    "probability is a text": ({"probability": lambda s, state, o: "1/2"}, r"probability returned '1/2'"),
    "probability raises": ({"probability": late(raising(OSError("no")), Sound.probability)}, r"OSError: no at"),
    "utility forgets its return": ({"utility": forgets}, r"utility returned nothing"),
    "utility is nan": ({"utility": lambda s, state, p: np.nan}, r"utility of player 1 is nan"),
    "utility is infinite": ({"utility": lambda s, state, p: -np.inf}, r"utility of player 1 is -inf"),
    "utility is a tuple": (
        {"utility": lambda s, state, p: (1, 2)},
        r"utility returned \(1, 2\), which is not a number",
    ),
    "utility raises": ({"utility": lambda s, state, p: [][p]}, r"IndexError: .* at '.*in utility of player 1\)"),
    "heuristic forgets its return": ({"heuristic": forgets}, r"heuristic returned nothing"),
    "heuristic is nan": ({"heuristic": lambda s, state, p: np.nan}, r"heuristic of player 1 is nan"),
    "heuristic is infinite": ({"heuristic": lambda s, state, p: np.inf}, r"heuristic of player 1 is inf"),
    "heuristic divides by zero": ({"heuristic": lambda s, state, p: 1 / (state.total * 0)}, r"ZeroDivisionError: "),
    "heuristic asks for no field": (
        {"heuristic": lambda s, state, p: state.score},
        r"AttributeError: the state has no field 'score' \(it has: total, turn, tossing\) at",
    ),
    "play raises": (
        {"play": late(raising(ValueError("no way")), Sound.play)},
        r"ValueError: no way at 'total=\d+ turn=\d tossing=0' .*in play of action \d\)",
    ),
    "play divides by zero": ({"play": late(lambda state: 1 // 0, Sound.play)}, r"ZeroDivisionError: .*in play of"),
    "play asks for no name": ({"play": lambda s, state, action: no_such_name}, r"NameError: name 'no_such_name'"),  # noqa: F821
    "play asserts": ({"play": late(raising(AssertionError()), Sound.play)}, r"AssertionError at 'total"),
    "play calls what is not there": ({"play": lambda s, state, action: s.helper(state)}, r"AttributeError: .*helper"),
    "deal raises": (
        {"deal": late(raising(RuntimeError("x")), Sound.deal)},
        r"RuntimeError: x at .*in deal of outcome",
    ),
    "deal calls with too few": ({"deal": lambda s, state, o: s.play(state)}, r"TypeError: .*in deal of outcome \d\)"),
    "draw forgets its return": ({"draw": forgets}, r"draw returned nothing"),
    "draw raises": ({"draw": lambda s, state, word: {}[word]}, r"KeyError: \d+ at .*in draw\)"),
    "pick forgets its return": ({"pick": forgets}, r"pick returned nothing"),
    "pick raises": ({"pick": lambda s, state, word: {}[word]}, r"KeyError: \d+ at .*in pick\)"),
    "prefer forgets its return": ({"prefer": forgets}, r"prefer returned nothing"),
    "representative forgets its return": ({"representative": forgets}, r"representative returned nothing"),
    "skip raises": ({"skip": lambda s, state: [].pop()}, r"IndexError: pop from empty list at .*in skip\)"),
    "start raises": ({"start": lambda s, state, dice: {}["x"]}, r"KeyError: 'x' at 'total=0.*in start\)"),
    "action_name raises": ({"action_name": lambda s, state, a: "ab"[a + 5]}, r"IndexError: .*in action_name\)"),
    "outcome_name raises": ({"outcome_name": lambda s, state, o: "ab"[o + 5]}, r"IndexError: .*in outcome_name\)"),
    "to_text raises": ({"to_text": lambda s, state: 1 / 0}, r"ZeroDivisionError: .* at 'total=0.*in to_text\)"),
    "from_text raises": (
        {"to_text": lambda s, state: "x", "from_text": lambda s, state, text: {}[text]},
        r"KeyError: 'x' at 'x' .*in from_text\)",
    ),
}


@pytest.mark.parametrize(("methods", "sentence"), INTERPRETED.values(), ids=INTERPRETED)
def test_the_check_says_what_a_method_does_wrong_where_and_with_which_state(methods, sentence):
    *before, last = check_game(varied(**methods), games=3)
    assert all(check.passed for check in before)
    assert not last.passed
    assert re.search(sentence, last.detail), last.detail
    assert re.search(PLACE, last.detail), last.detail


@pytest.mark.parametrize(("method", "step"), [("play", "action"), ("deal", "outcome")])
def test_steps_that_are_random_are_said_to_be(method, step):
    def random_step(self, state, number):
        getattr(Sound, method)(self, state, number)
        state.total += RANDOM.randrange(3)

    *_, last = check_game(varied(**{method: random_step, "max_plies": None}), games=3)
    assert not last.passed
    where = rf"{method} of {step} \d at 'total=\d+ turn=\d tossing=\d' led to two different states"
    assert re.match(f"{where}; what is left to chance belongs in outcomes and deal$", last.detail), last.detail


def test_the_state_is_the_one_before_a_method_changed_it():
    def play(self, state, action):
        state.total = 99
        raise ValueError("half-way")

    position = start(varied(play=play))
    with pytest.raises(GameError, match=r"ValueError: half-way at 'total=0 turn=0 tossing=0' .*in play of action 1\)"):
        position.play(1)


@game
class RaisesLate(Sound):
    def play(self, state, action):
        state.total += action
        state.tossing = 1
        if state.total > 8:
            raise ValueError("no way")


@game
class DividesLate(Sound):
    def deal(self, state, outcome):
        state.total += outcome // (9 - state.total)
        state.tossing = 0
        state.turn = 1 - state.turn


@game
class NotANumber(Sound):
    def utility(self, state, player):
        return np.nan if state.total == GOAL else (-1.0 if state.turn == player else 1.0)


@game
class Infinite(Sound):
    def heuristic(self, state, player):
        return np.inf if state.total == 7 else 0.0


@game
class NegativeLate(Sound):
    def actions(self, state, out):
        out[0], out[1] = 1, 2
        return 2 if state.total < 7 else -5


@game
class ManyLate(Sound):
    def actions(self, state, out):
        out[0], out[1] = 1, 2
        return 2 if state.total < 7 else 3


@game
class Wanders(Sound):
    """Without chance, for alpha-beta."""

    max_outcomes = 0

    def turn(self, state):
        return TERMINAL if state.total >= GOAL else state.turn

    def play(self, state, action):
        if state.total > 8:
            raise ValueError("no way")
        state.total += action
        state.turn = 1 - state.turn

    outcomes, probability, deal = defaults.outcomes, defaults.probability, defaults.deal


@game
class NothingLate(Sound):
    def actions(self, state, out):
        out[0], out[1] = 1, 2
        return 2 if state.total < 7 else 0


@game
class NoOutcomeLate(Sound):
    def outcomes(self, state, out):
        out[0], out[1] = 0, 1
        return 2 if state.total < 7 else 0


@game
class NobodyLate(Sound):
    def turn(self, state):
        if state.tossing:
            return CHANCE
        return TERMINAL if state.total >= GOAL else 7 if state.total > 7 else state.turn


COMPILED = [
    (NothingLate, r"player \d has no action at 'total=\d+ turn=\d tossing=0'"),
    (NoOutcomeLate, r"chance has no outcome at 'total=\d+ turn=\d tossing=1'"),
    (NobodyLate, r"turn is 7, which is neither CHANCE, TERMINAL nor a player \(0 to 1\), at 'total=\d+ turn"),
    (RaisesLate, r"ValueError: no way at 'total=\d+ turn=\d tossing=0' .*in play of action \d\)"),
    (DividesLate, r"ZeroDivisionError: .* at 'total=9 turn=\d tossing=1' .*in deal of outcome"),
    (NotANumber, r"utility of player \d is nan"),
    (Infinite, r"heuristic of player \d is inf"),
    (NegativeLate, r"actions returned -5, which is not a count at 'total=\d+ turn=\d tossing=0'"),
    (ManyLate, r"actions returned 3, more than max_actions = 2 at 'total=\d+ turn=\d tossing=0'"),
]
FAMILIES = ("exp", "star1", "star2", "star2ss", "maxn", "paranoid", "uct_h", "uct", "mcs")
ROLLOUTS = ("uct", "mcs")  # these ask for no heuristic


def refuses_to_answer(rules, player, sentence):
    with pytest.raises(AstragalError, match=sentence) as caught:
        load_player(player, rules).search(start(rules), 1, Limits(nodes=50_000))
    assert re.search(PLACE, str(caught.value)), str(caught.value)


@pytest.mark.parametrize(("cls", "player"), [(RaisesLate, "star2"), (NegativeLate, "uct"), (NobodyLate, "maxn")])
def test_a_search_of_a_game_that_fails_has_no_answer(cls, player):
    refuses_to_answer(cls(), player, dict(COMPILED)[cls])


@pytest.mark.slow
@pytest.mark.parametrize("player", FAMILIES)
@pytest.mark.parametrize(("cls", "sentence"), COMPILED, ids=[cls.__name__ for cls, _ in COMPILED])
def test_no_search_answers_where_a_method_fails(cls, sentence, player):
    if (cls is Infinite and player in ROLLOUTS) or (cls is NobodyLate and player == "mcs"):
        pytest.skip("random games ask for no heuristic, and do not look who is to move")
    refuses_to_answer(cls(), player, sentence)


@pytest.mark.slow
def test_alpha_beta_and_several_threads_do_not_answer_either():
    refuses_to_answer(Wanders(), "alphabeta", "ValueError: no way at")
    refuses_to_answer(RaisesLate(), "uct:threads=2", "ValueError: no way at")


WARNINGS = {
    "no game ends": (
        {"turn": lambda s, state: CHANCE if state.tossing else state.turn, "max_plies": None},
        r"none of \d+ random games ended",
    ),
    "play changes nothing": (
        {"play": lambda s, state, a: None if a == 1 else Sound.play(s, state, a), "max_plies": None},
        r"play changed nothing at 'total=\d+ turn=\d tossing=0'",
    ),
    "a method is misspelt": ({"heurstic": lambda s, state, p: 0.0}, r"the method heurstic .* is heuristic meant\?"),
    "a method has another name": (
        {"setup": lambda s, state, word: None},
        r"setup is never called; is start meant\?",
    ),
    "a name has a space": ({"action_name": lambda s, state, a: f"add {a}"}, r"action name 'add 1' has a space"),
    "a bound is no constant": (
        {"__annotations__": {"max_actions": int}, "max_actions": 2},
        r"max_actions must be constant in compiled code: annotate it Constant\[int\]",
    ),
}


@pytest.mark.parametrize(("methods", "sentence"), WARNINGS.values(), ids=WARNINGS)
def test_what_is_legal_and_probably_wrong_is_a_warning(methods, sentence):
    found = list(warnings_about(varied(**methods), games=3))
    assert all(check.passed and check.warning for check in found)
    assert any(re.search(sentence, check.detail) for check in found), found


def test_nothing_is_said_of_a_sound_game():
    assert list(warnings_about(Sound(), games=3)) == []


def test_a_method_that_the_game_calls_is_a_helper_whatever_its_name():
    def heurstic(self, state, action):
        Sound.play(self, state, action)

    assert list(warnings_about(varied(heurstic=heurstic, play=lambda s, state, a: s.heurstic(state, a)), games=3)) == []


def test_values_that_do_not_cancel_out_name_the_declaration():
    *_, last = check_game(varied(utility=lambda s, state, p: 1.0), games=3)
    assert "do not cancel out" in last.detail
    assert last.detail.endswith("; a game in which they need not says zero_sum = False")


def test_print_in_a_method_is_shown_a_few_times(capsys, monkeypatch):
    def turn(self, state):
        print("total", state.total)
        return state.turn

    monkeypatch.setattr(Printing, "calls", 0)
    rules = varied(turn=turn)
    for _ in range(50):
        assert start(rules).turn == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines() == ["total 0"] * PRINTED
    assert len(shown.err.splitlines()) == 1


def test_a_session_is_searched_by_one_thread_at_a_time():
    from astragal.algorithms.tree.store import TreeSession

    session, sentences = TreeSession(), []
    session.begin()

    def other():
        try:
            session.begin()
        except AstragalError as error:
            sentences.append(str(error))

    thread = threading.Thread(target=other)
    thread.start()
    thread.join()
    session.end()
    session.begin()
    assert sentences == ["this session is being searched by another thread; give each thread a session of its own"]


FACES = np.array([3, 1, 2])
SUMS = np.array([0.5, 0.75, 1.0])


@game
class ManyOutcomes(Sound):
    """A roll of a die with very many sides, listed in order."""

    max_outcomes = 400
    max_plies = 3 * GOAL

    def outcomes(self, state, out):
        for i in range(400):
            out[i] = i
        return 400

    def probability(self, state, outcome):
        return 1 / 400

    def deal(self, state, outcome):
        state.total += outcome % 2
        state.tossing = 0
        state.turn = 1 - state.turn


@game
class Drafted(ManyOutcomes):
    """With the draw that was proposed."""

    def draw(self, state, word):
        return word * 400 >> 32


@game
class UnevenDrafted(Sound):
    """With the draw that is proposed where outcomes are not equally likely or not in order."""

    max_outcomes = 3

    def outcomes(self, state, out):
        out[0], out[1], out[2] = 3, 1, 2
        return 3

    def probability(self, state, outcome):
        return 0.5 if outcome == 3 else 0.25

    def draw(self, state, word):
        return FACES[np.searchsorted(SUMS, word / 2**32, "right")]


def test_a_draw_is_proposed_where_listing_takes_most_of_the_time():
    (found,) = [check.detail for check in warnings_about(ManyOutcomes(), games=3)]
    assert re.match(r"a draw method would make random games about \d+ times as fast \(interpreted\); such as: ", found)
    assert found.endswith("def draw(self, state, word): return word * 400 >> 32")
    assert list(warnings_about(Drafted(), games=3)) == []
    uneven = [position for position in [start(Sound()).play(1)] if position.is_chance]
    assert "return OUTCOMES[np.searchsorted(SUMS, word / 2**32, 'right')], with tables of the outcomes" in draft(uneven)


@pytest.mark.parametrize("rules", [Drafted(), UnevenDrafted()], ids=lambda rules: type(rules).__name__)
def test_the_draws_that_are_proposed_keep_the_promises(rules):
    failed = [check for check in check_game(rules, games=1) if not check.passed]
    assert failed == []


def rollout(self, state, generator, decisions):
    if state.total >= 0:
        raise ValueError("lost")
    return generator, 0


@pytest.mark.compiled
def test_an_error_in_a_method_with_two_arguments_is_told_as_it_is():
    """It cannot be called again for more, since only one number is noted of how it was called."""
    position = start(varied(rollout=rollout)).settled(0)
    with pytest.raises(GameError, match=rf"^ValueError: lost at 'total=\d+.*{PLACE}, in rollout\)$"):
        load_player("uct", position.game).search(position, 0, Limits(sims=20))
