"""The rules of Ra: counts, scoring and auctions made by hand, what never changes, random play, notation."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from statistics import fmean, stdev
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal import Position, load_game, start
from astragal.base.errors import AstragalError
from astragal.compiler.interpreted import interpreted
from astragal.compiler.intrinsics.native import local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.checks.trace import compiled_trace
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.dice import Dice
from astragal.rules.perft import count_sequences
from astragal.rules.random import next_word, upper
from support.helpers import DATA, countable, fewer, random_position, random_positions, what_follows
from support.seats import seated

RA = load_game("ra")
LETTERS = "gofvwxyzABCDEFGHpnkduqr"
BOX = dict(zip(LETTERS, [8, 5, 12, *[5] * 13, 25, 25, 2, 2, 4, 2, 30], strict=True))
CIVILISATIONS, MONUMENTS, DISASTERS = "vwxyz", "ABCDEFGH", "kduq"
CATEGORY = {"k": "p", "d": "fn", "u": CIVILISATIONS, "q": MONUMENTS}
LETTER_OF = {"god": "g", "gold": "o", "flood": "f", "pharaoh": "p", "nile": "n", "unrest": "u"}
LETTER_OF |= {f"civ{i}": letter for i, letter in enumerate(CIVILISATIONS)}
LETTER_OF |= {f"mon{i}": letter for i, letter in enumerate(MONUMENTS)}
SCORING = json.loads((DATA / "ra_scoring_examples.json").read_text())
AUCTIONS = json.loads((DATA / "ra_auction_situations.json").read_text())
STARTING = ("2569/-/10/-", "3478/-/10/-")
seeds = st.integers(0, 2**32)


# Reading and writing tables


def tiles(text: str) -> Counter[str]:
    return Counter({letter: int(count or 1) for letter, count in re.findall(r"([A-Za-z])(\d*)", text)})


def written(counts: Counter[str]) -> str:
    return "".join(f"{letter}{counts[letter]}" for letter in LETTERS if counts[letter]) or "-"


def table(
    track: str = "-",
    one: str = STARTING[0],
    other: str = STARTING[1],
    phase: str = "turn 1",
    ra: int = 0,
    board: int = 1,
    epoch: int = 1,
    rules: Any = RA,
) -> Position:
    """A position in which all tiles that lie nowhere else are in the bag."""
    bag = Counter(BOX) - tiles(track) - tiles(one.rpartition("/")[2]) - tiles(other.rpartition("/")[2])
    bag["r"] -= ra + 6 * (epoch - 1)
    return Position.parse(rules, f"{written(bag)} {track} {ra} {board} {one} {other} {epoch} {phase}")


class Seen:
    """A position's table, read from its text."""

    def __init__(self, position: Position) -> None:
        bag, track, ra, board, one, other, epoch, *phase = position.text.split()
        self.bag, self.track, self.ra, self.board = tiles(bag), tiles(track), int(ra), int(board)
        sides = [side.split("/") for side in (one, other)]
        self.up, self.down = ([set(map(int, side[i].replace("-", ""))) for side in sides] for i in (0, 1))
        self.fame = [int(side[2]) for side in sides]
        self.tiles = [tiles(side[3]) for side in sides]
        self.epoch, self.phase = int(epoch), phase

    @property
    def everything(self) -> Counter[str]:
        return self.bag + self.track + self.tiles[0] + self.tiles[1] + Counter(r=self.ra)

    @property
    def suns(self) -> list[set[int]]:
        return [self.up[player] | self.down[player] for player in range(2)]


def named(truth: dict[str, int]) -> Counter[str]:
    return Counter({LETTER_OF[name]: count for name, count in truth.items()})


def ours(name: str) -> str:
    """Our name of an action in the examples."""
    verb, _, what = name.partition(" ")
    kind = {"civ0": "astronomy", "civ1": "agriculture"}.get(what, what)
    return {
        "PASS": "pass",
        "BID": f"bid-{what}",
        "GOD": f"take-{kind}",
        "GOD_STOP": "stop",
        "DISCARD": f"discard-{kind}",
    }.get(verb, verb.lower())


def legal(position: Position) -> list[Any]:
    return [position.turn, sorted(position.action_names())]


def expected(truth: list[Any]) -> list[Any]:
    return [truth[0], sorted(map(ours, truth[1]))]


# Counts


def test_perft_from_the_start():
    known = countable([2, 28, 65, 665, 1922, 16684, 54904])
    assert [count_sequences(start("ra"), plies) for plies in range(1, len(known) + 1)] == known


def decisions_below(position: Position, depth: int) -> int:
    """Sequences of this many decisions, chance expanded between and after them."""
    if position.is_chance:
        return sum(decisions_below(position.deal(outcome.number), depth) for outcome in position.outcomes())
    if depth == 0:
        return 1
    return sum(decisions_below(position.play(action), depth - 1) for action in position.actions())


def test_sequences_of_decisions_with_chance_expanded_between_them():
    assert [decisions_below(start("ra"), depth) for depth in (1, 2)] == [24, 538]


@kernel
def count_decisions(game, state, depth):
    turn = game.turn(state)
    if turn != CHANCE and depth == 0:
        return 1
    listed = scratch(np.uint32, game.max_outcomes)
    count = game.outcomes(state, listed) if turn == CHANCE else game.actions(state, listed)
    total = 0
    for i in range(count):
        child = local_copy(state)
        if turn == CHANCE:
            game.deal(child, np.int64(listed[i]))
            total += count_decisions(game, child, depth)
        else:
            game.play(child, np.int64(listed[i]))
            total += count_decisions(game, child, depth - 1)
    return total


@kernel(entry="decisions of Ra counted")
def decisions_from(game, root, depth):
    return count_decisions(game, root[0], depth)


def test_sequences_of_more_decisions():
    root = start("ra")
    counts = [24, 538, 11866, 262661][: fewer(4, 2)]
    assert [decisions_from(RA, root.memory, depth) for depth in range(1, len(counts) + 1)] == counts


def counted_by_hand(position: Position, plies: int) -> int:
    after = [position.play(a) for a in position.actions()] + [position.deal(o.number) for o in position.outcomes()]
    return len(after) if plies == 1 else sum(counted_by_hand(each, plies - 1) for each in after)


@pytest.mark.parametrize(
    ("track", "hand"), [("q", "GH2"), ("uq", "yz2GH2"), ("u2", "vz5"), ("q2", "ABCDEFGH"), ("uo", "g2vz2")]
)
def test_compiled_discards_know_the_last_of_eight_kinds(track, hand):
    for phase in ("auction 1 1 0", "turn 1"):
        position = table(track, f"2569/-/10/{hand}", phase=phase)
        assert count_sequences(position, 3) == counted_by_hand(position, 3)


# Scoring


def gained(case: dict[str, Any], player: int, epoch: int, suns: tuple[str, str]) -> int:
    """What a player gains by the end of an epoch. The other's monuments, which may be too many, do not count for it."""
    hands = [named(case["p0"]), named(case["p1"])]
    hands[1 - player] = Counter({letter: n for letter, n in hands[1 - player].items() if letter not in MONUMENTS})
    sides = [f"{suns[i]}/-/50/{written(hands[i])}" for i in range(2)]
    after = table("-", *sides, phase="draw 1", ra=5, epoch=epoch).deal("ra")
    assert after.is_terminal == (epoch == 3)
    return Seen(after).fame[player] - 50


PLAIN = [case for case in SCORING if "p0" in case and "epoch_points" in case]


@pytest.mark.parametrize("case", PLAIN, ids=[case["title"] for case in PLAIN])
def test_points_of_an_epoch(case):
    assert len(PLAIN) == 8
    totals = case.get("sun_totals", [22, 22])
    suns = ("2569", "3478") if totals[0] == totals[1] else ("6789", "2345")
    for player in range(2):
        points = case["epoch_points"][player]
        assert gained(case, player, 1, suns) == points
        if "end_of_game_points" in case:
            assert gained(case, player, 3, suns) == points + case["end_of_game_points"][player]


def test_fame_does_not_fall_below_zero():
    case = SCORING[8]
    before = case["score_before"]
    after = table("-", f"2569/-/{before[0]}/-", f"3478/-/{before[1]}/p", "draw 1", ra=5).deal("ra")
    assert Seen(after).fame == case["score_after"]


def test_without_a_floor_fame_falls_below_zero():
    rules = load_game("ra:floor=off")
    one, other = "2569/-/3/-", "3478/-/10/p"
    after = table("-", one, other, "draw 1", ra=5, rules=rules).deal("ra")
    assert Seen(after).fame == [-4, 10]
    assert Position.parse(rules, after.text) == after


def test_the_floor_applies_to_the_sum_of_the_last_epoch():
    after = table("-", "2345/-/6/A", "6789/-/9/v", "draw 1", ra=5, epoch=3).deal("ra")
    assert Seen(after).fame == [0, 14]
    after = table("-", "2345/-/3/ABCDEFGH", "6789/-/9/v", "draw 1", ra=5, epoch=3).deal("ra")
    assert Seen(after).fame == [8, 14]  # 3 - 5 + 15 - 5; by itself -5 would have cost only 3


def test_disasters_take_tiles_and_leave_a_choice():
    case = SCORING[9]
    won = table("dnou", "2569/-/10/fn2v2w", "37/48/10/-", "auction 1 1 0").play("bid-2")
    assert written(Seen(won).tiles[0]) == "o1v2w1n2"
    assert won.action_names() == ["discard-astronomy", "discard-agriculture"]
    kept = won.play("discard-astronomy").play("discard-astronomy")
    assert written(Seen(kept).tiles[0]) == "o1w1n2"
    assert kept.turn == 1
    left = Seen(kept)
    done = table("-", f"569/1/50/{written(left.tiles[0])}", "37/48/50/-", "draw 2", ra=5, board=2).deal("ra")
    assert [fame - 50 for fame in Seen(done).fame] == case["epoch_points"]


@pytest.mark.parametrize(
    ("track", "held", "left"),
    [
        ("k", "p5", "p3"),
        ("k", "p", "-"),
        ("kp2", "p", "p1"),  # tiles won in the same auction count
        ("k2", "p5n", "p1n1"),
        ("d", "f3n3", "f1n3"),
        ("d", "fn3", "n2"),  # floods go first
        ("d2", "fn2", "-"),
        ("u", "v2", "-"),
        ("u2", "v2wx", "-"),
        ("u", "A3", "A3"),
        ("q", "AB", "-"),
        ("q", "v3", "v3"),
        ("q2", "A2B2go", "g1o1"),
    ],
)
def test_disasters_without_a_choice(track, held, left):
    after = table(track, f"2569/-/10/{held}", phase="auction 1 1 0").play("bid-2")
    assert written(Seen(after).tiles[0]) == left
    assert after.turn == 1


def test_what_is_discarded_is_free_and_civilisations_come_before_monuments():
    won = table("uq", "2569/-/10/vwxA2B", phase="auction 1 1 0").play("bid-9")
    assert won.text.endswith("discard 1 1 2,2")
    assert won.action_names() == ["discard-astronomy", "discard-agriculture", "discard-writing"]
    half = won.play("discard-writing").play("discard-astronomy")
    assert half.action_names() == ["discard-fortress", "discard-obelisk"]
    done = half.play("discard-obelisk").play("discard-fortress")
    assert written(Seen(done).tiles[0]) == "w1A1"
    assert done.turn == 1


def test_second_copies_are_listed_first():
    won = table("u", "2569/-/10/vwx2", phase="auction 1 1 0").play("bid-9")
    assert won.action_names() == ["discard-writing", "discard-astronomy", "discard-agriculture"]


@pytest.mark.parametrize(
    ("one", "other", "winner"),
    [
        ("2569/-/50/v", "3478/-/50/v", 0),  # equal fame, and player 1 has sun 9
        ("2568/-/50/v", "3479/-/50/v", 1),
        ("2569/-/50/v", "3478/-/51/v", 1),
        ("2569/-/51/v", "3478/-/50/v", 0),
    ],
)
def test_more_fame_wins_and_if_equal_the_highest_sun(one, other, winner):
    suns_add_up = 5 * (sum(map(int, one[:4])) > 22) - 5 * (sum(map(int, one[:4])) < 22)
    one = one.replace("/50/", f"/{50 - 2 * suns_add_up}/")  # so that points for suns do not decide
    over = table("-", one, other, "draw 1", ra=5, epoch=3).deal("ra")
    assert over.is_terminal
    assert over.utilities() == ((100.0, -100.0) if winner == 0 else (-100.0, 100.0))


def over(one: int, other: int, spec: str) -> tuple[float, ...]:
    return table("-", f"2569/-/{one}/-", f"3478/-/{other}/-", "over", epoch=3, rules=load_game(spec)).utilities()


def test_the_end_is_worth_the_win_or_the_margin():
    assert over(31, 30, "ra") == (100.0, -100.0)
    assert over(30, 30, "ra") == (100.0, -100.0)
    assert over(30, 30, "ra:ties=draw") == (0.0, 0.0)
    assert over(31, 48, "ra:score=margin") == (-17.0, 17.0)
    assert over(300, 48, "ra:score=margin") == (100.0, -100.0)


# Auctions


def test_situation_1_a_ra_player_who_invoked_must_bid():
    case = AUCTIONS[0]
    asked = table("o", phase="turn 1").play("invoke")
    assert legal(asked) == expected(case["first_bidder_legal"])
    passed = asked.play("pass")
    assert legal(passed) == expected(case["after_P1_passes"])
    truth, after = case["after_P0_bids_2"], passed.play("bid-2")
    seen = Seen(after)
    assert [seen.up[0], seen.down[0], seen.board] == [{*truth["P0_up"]}, {*truth["P0_down"]}, truth["board_sun"]]
    assert seen.tiles[0] == named(truth["P0_tiles"])
    assert after.turn == truth["next_turn"]


def test_situation_2_after_a_ra_tile_both_may_pass_and_tiles_stay():
    case = AUCTIONS[1]
    asked = table("on", phase="draw 1").deal("ra")
    assert legal(asked) == expected(case["P1_legal"])
    assert legal(asked.play("pass")) == expected(case["P0_legal"])
    after = asked.play("pass").play("pass")
    assert Seen(after).track == named(case["after"]["track"])
    assert [Seen(after).ra, after.turn] == [case["after"]["ra_tiles"], case["after"]["next_turn"]]


def test_situation_3_a_full_track_that_nobody_wants_is_lost():
    case = AUCTIONS[2]
    full = table("n5p3")
    assert full.action_names() == [ours(name) for name in case["turn_legal"]]
    assert legal(full.play("invoke").play("pass")) == expected(case["P0_legal_after_P1_pass"])
    after = full.play("invoke").play("pass").play("pass")
    assert Seen(after).track == Counter()
    assert [Seen(after).board, after.turn] == [case["after"]["board_sun"], case["after"]["next_turn"]]
    assert sum(Seen(after).everything.values()) == 172


def test_situation_4_who_cannot_beat_the_bid_is_not_asked():
    case = AUCTIONS[3]
    asked = table("-", "56/12/10/-", "38/47/10/-", board=9).play("invoke")
    assert legal(asked) == expected(case["P1_legal"])
    after, truth = asked.play("bid-8"), case["after"]
    seen = Seen(after)
    assert [seen.up[1], seen.down[1], seen.board] == [{*truth["P1_up"]}, {*truth["P1_down"]}, truth["board_sun"]]
    assert after.turn == truth["next_turn"]


def test_situation_5_a_bid_releases_the_ra_player():
    asked = table("o", "26/19/10/-", "58/47/10/-", board=3).play("invoke").play("bid-5")
    assert legal(asked) == expected(AUCTIONS[4]["P0_legal"])


def test_situation_6_the_last_face_up_sun_ends_the_epoch():
    case = AUCTIONS[5]
    alone = table("o", "5/123/10/v", "-/4678/10/v", board=9)
    assert alone.action_names() == [ours(name) for name in case["turn_legal"]]
    asked = alone.play("invoke")
    assert legal(asked) == expected(case["bid_legal"])
    after, truth = asked.play("bid-5"), case["after"]
    seen = Seen(after)
    assert [seen.epoch, seen.fame, seen.board] == [truth["epoch"], truth["score"], truth["board_sun"]]
    assert seen.up == [{*suns} for suns in truth["suns"]]
    assert after.turn == truth["starts_epoch_2"]


def test_situation_7_the_sixth_ra_tile_ends_the_epoch_at_once():
    truth = AUCTIONS[6]["after"]
    after = table("o3", "29/13/10/v", "4/578/10/v", "draw 2", ra=5, board=6).deal("ra")
    seen = Seen(after)
    assert [seen.epoch, seen.track, seen.board, seen.fame] == [
        truth["epoch"],
        Counter(),
        truth["board_sun"],
        truth["score"],
    ]
    assert [seen.up, seen.down, seen.ra] == [[{*suns} for suns in truth["suns"]], [set(), set()], 0]
    assert after.turn == truth["next_turn"]


def test_situation_8_gods_take_disasters_but_no_gods():
    case = AUCTIONS[7]
    before = table("gou", "2569/-/10/g2v2w")
    assert sorted(before.action_names()) == sorted(map(ours, case["turn_legal"]))
    taken = before.play("take-unrest")
    assert sorted(taken.action_names()) == sorted(map(ours, case["after_taking_unrest"]))
    assert legal(taken.play("stop")) == expected(case["after_stop"])
    both = taken.play("take-gold")  # the last god: the turn is over without a stop
    assert both.text.endswith("discard 1 1 2,0")
    done = both.play("discard-astronomy").play("discard-agriculture")
    assert [written(Seen(done).tiles[0]), written(Seen(done).track), done.turn] == ["o1v1", "g1", 1]


def test_gods_may_be_used_on_a_full_track_and_may_be_forbidden_disasters():
    full = table("guA2n3p", "2569/-/10/g2")
    assert full.action_names() == ["invoke", "take-fortress", "take-pharaoh", "take-nile", "take-unrest"]
    spared = table("guA2n3p", "2569/-/10/g2", rules=load_game("ra:god_takes_disasters=off"))
    assert spared.action_names() == ["invoke", "take-fortress", "take-pharaoh", "take-nile"]
    only = table("u", "2569/-/10/g2", rules=load_game("ra:god_takes_disasters=off"))
    assert only.action_names() == ["draw", "invoke"]


def test_a_turn_with_gods_is_over_when_nothing_is_left_to_take():
    after = table("go", "2569/-/10/g3").play("take-gold")
    assert [after.turn, written(Seen(after).tiles[0])] == [1, "g2o1"]


def test_gods_are_of_no_use_without_a_face_up_sun():
    after = table("o", "-/1259/10/g", "34/78/10/-", "turn 2", board=6).play("draw").deal("nile")
    assert after.turn == 1


def test_ra_may_be_invoked_on_an_empty_track_or_not():
    assert start("ra").action_names() == ["draw", "invoke"]
    assert start("ra:empty_auctions=off").action_names() == ["draw"]
    assert start("ra:empty_auctions=off").play("draw").deal("nile").action_names() == ["draw", "invoke"]


def test_the_next_turn_is_that_of_the_ra_players_opponent_whoever_won():
    asked = table("o").play("invoke")
    assert asked.play("bid-3").play("pass").turn == 1
    assert asked.play("bid-3").play("bid-5").turn == 1
    assert asked.play("pass").play("bid-9").turn == 1


def test_the_owner_of_the_highest_sun_begins_the_next_epoch():
    after = table("-", "2/356/10/-", "48/17/10/-", "draw 1", ra=5, board=9).deal("ra")
    assert after.turn == 1


def test_kinds_that_are_kept_and_kinds_that_leave():
    everything = "gofvwxyzABCDEFGHpn"
    after = table("-", f"2569/-/10/{everything}", phase="draw 1", ra=5).deal("ra")
    assert written(Seen(after).tiles[0]) == "A1B1C1D1E1F1G1H1p1n1"


def test_to_invoke_comes_first_on_a_long_track_and_to_pass_on_a_short_one():
    assert table("n4").action_names() == ["draw", "invoke"]
    assert table("n5").action_names() == ["invoke", "draw"]
    assert table("n2", phase="ra-auction 2 1 0", ra=1).action_names()[0] == "pass"
    assert table("n3", phase="ra-auction 2 1 0", ra=1).action_names() == ["bid-3", "bid-4", "bid-7", "bid-8", "pass"]


# What never changes


def often_drawing_steps(seed: int, share: float = 0.85) -> Iterator[tuple[Position, str, Position]]:
    """A game in which most turns draw a tile: positions, what was done there, positions after it."""
    dice, position = Dice(seed), start("ra")
    while not position.is_terminal:
        if position.is_chance:
            name = position.outcome_name(position.draw(dice))
            after = position.deal(name)
        else:
            names = position.action_names()
            drawn = "draw" in names and dice.word() < share * 2**32
            name = "draw" if drawn else names[dice.below(len(names))]
            after = position.play(name)
        yield position, name, after
        position = after


def often_drawing(seed: int) -> list[Position]:
    return [start("ra"), *(after for _, _, after in often_drawing_steps(seed))]


def check_disasters(held: Counter[str], lost: Counter[str]) -> None:
    """Two tiles of its category go for each disaster; all if there are no more; none yet where there is a choice."""
    for disaster, category in CATEGORY.items():
        there, due = sum(held[letter] for letter in category), 2 * lost.pop(disaster, 0)
        choice = disaster in "uq" and there > due
        assert sum(lost.pop(letter, 0) for letter in category) == (0 if choice else min(there, due))
    assert not lost


@settings(max_examples=2)
@given(seed=seeds)
def test_tiles_leave_the_game_only_as_the_rules_say(seed):
    for before, name, after in often_drawing_steps(seed):
        old, new = Seen(before), Seen(after)
        lost = Counter(old.everything)
        lost.subtract(new.everything)
        assert min(lost.values()) >= 0
        lost = +lost
        if new.epoch != old.epoch or after.is_terminal:
            assert not new.track
            assert all(set(hand) <= {*MONUMENTS, "p", "n"} for hand in new.tiles)
        elif before.is_chance or name in ("draw", "invoke"):
            assert not lost
        elif name.startswith("discard-"):
            assert lost == {LETTERS[before.find_action(name) - 64]: 1}
        elif old.suns == new.suns and not name.startswith(("take-", "stop")):
            full = sum(old.track.values()) == 8 and before.state.phase == 2 and new.phase[0] == "turn"
            assert lost == (old.track if full else Counter())
        else:
            held = new.tiles[int(old.phase[1]) - 1] + lost
            if old.suns != new.suns:
                held = next(old.tiles[i] + old.track for i in range(2) if old.suns[i] != new.suns[i])
            if name.startswith("take-"):
                assert lost.pop("g") == 1
            check_disasters(held, lost)


@settings(max_examples=6)
@given(seed=seeds)
def test_nine_suns_five_places(seed):
    for position in random_positions(RA, seed, plies=1000):
        seen = Seen(position)
        assert sorted([*seen.up[0], *seen.down[0], *seen.up[1], *seen.down[1], seen.board]) == list(range(1, 10))
        assert [len(suns) for suns in seen.suns] == [4, 4]
        assert seen.ra <= 5
        assert sum(seen.track.values()) <= 8
        assert min(seen.fame) >= 0
        if not position.is_terminal and seen.phase[0] != "discard":
            assert seen.up[int(seen.phase[1]) - 1]


@settings(max_examples=3)
@given(seed=seeds)
def test_bounds_and_decisions_between_draws(seed):
    path = often_drawing(seed)
    assert len(path) - 1 <= RA.max_plies == 520
    assert sum(position.is_chance for position in path) <= 168
    for before, after in pairwise(path):
        assert not (before.is_chance and after.is_chance)
        assert len(before.actions()) <= 9
        assert len(before.outcomes()) <= 23


@settings(max_examples=3)
@given(seed=seeds)
def test_both_seats_have_the_same_rules(seed):
    for position in (random_position(RA, seed), often_drawing(seed)[seed % 60]):
        mirror = seated(position)
        assert mirror.evaluations() == pytest.approx(position.evaluations()[::-1])
        assert mirror.action_names() == position.action_names()
        assert count_sequences(mirror, 3) == count_sequences(position, 3)


# Kinds that can be exchanged


def relabelled(position: Position, letters: dict[int, int]) -> Position:
    words = position.text.split()
    for i in (0, 1):
        words[i] = written(tiles(words[i].translate(letters)))
    for i in (4, 5):
        suns, _, hand = words[i].rpartition("/")
        words[i] = f"{suns}/{written(tiles(hand.translate(letters)))}"
    return Position.parse(position.game, " ".join(words))


@settings(max_examples=3)
@given(
    seed=seeds,
    civilisations=st.permutations(CIVILISATIONS),
    monuments=st.permutations(MONUMENTS),
)
def test_exchanging_kinds_exchanges_actions_and_outcomes(seed, civilisations, monuments):
    letters = str.maketrans(CIVILISATIONS + MONUMENTS, "".join([*civilisations, *monuments]))
    for position in (random_position(RA, seed), often_drawing(seed)[seed % 60]):
        other = relabelled(position, letters)

        def renamed(number: int, first: int) -> int:
            return first + LETTERS.index(LETTERS[number - first].translate(letters))

        actions = [a if a < 32 else renamed(a, 32 if a < 64 else 64) for a in position.actions()]
        assert sorted(actions) == sorted(other.actions())
        chances = {renamed(o.number, 0): o.probability for o in position.outcomes()}
        assert chances == {o.number: o.probability for o in other.outcomes()}
        assert other.evaluations() == pytest.approx(position.evaluations())
        assert count_sequences(other, 3) == count_sequences(position, 3)


def classes(position: Position) -> dict[int, list[int]]:
    groups: dict[int, list[int]] = {}
    for outcome in position.outcomes():
        chosen = int(position._rules.representative(position._state, outcome.number))
        groups.setdefault(chosen, []).append(outcome.number)
    return groups


def test_the_first_tile_is_one_of_twelve_classes():
    groups = classes(start("ra").play("draw"))
    assert len(groups) == 12
    assert sorted(map(len, groups.values())) == [1] * 10 + [5, 8]
    shares = {LETTERS[o.number]: o.probability for o in start("ra").play("draw").outcomes()}
    assert shares == pytest.approx({letter: count / 180 for letter, count in BOX.items()})


@pytest.mark.parametrize("place", ["bag", "track", "one", "other", None])
@pytest.mark.parametrize("epoch", [1, 2, 3])
@pytest.mark.parametrize(("first", "second"), ["vx", "AH"])
def test_kinds_of_which_one_place_has_another_number_are_told_apart(first, second, epoch, place):
    """With tiles gone that are as many as it takes, so that all other places have the same number of both."""
    words = table(phase="draw 1", epoch=epoch).text.split()
    places = ("bag", "track", "one", "other")
    counts = {
        where: Counter({first: int(where == "bag"), second: int(where == "bag") + (where == place)}) for where in places
    }
    words[0] = written((tiles(words[0]) - Counter({first: 9, second: 9})) + counts["bag"])
    words[1] = written(counts["track"])
    words[4:6] = [f"{STARTING[i][:-1]}{written(counts[name])}" for i, name in enumerate(("one", "other"))]
    here = Position.parse(RA, " ".join(words))
    numbers = [LETTERS.index(kind) for kind in (first, second)]
    assert (numbers[1] in classes(here)[numbers[0]]) == (place is None)
    one, other = (what_follows(here.deal(number)) for number in numbers)
    assert (one == other) == (place in ("bag", None))  # what another bag is worth shows later


@settings(max_examples=5)
@given(seed=seeds)
def test_an_outcome_stands_for_those_that_differ_only_in_name(seed):
    position = next(p for p in often_drawing(seed)[seed % 80 :] if p.is_chance)
    seen = Seen(position)
    for chosen, members in classes(position).items():
        assert chosen == min(members)
        for member in members:
            exchange = str.maketrans(LETTERS[chosen] + LETTERS[member], LETTERS[member] + LETTERS[chosen])
            assert relabelled(position.deal(member), exchange) == position.deal(chosen)
    places = (seen.bag, seen.track, *seen.tiles)
    different = {(kind, *(place[letter] for place in places)) for kind in (CIVILISATIONS, MONUMENTS) for letter in kind}
    present = {group for group in different if group[1] > 0}
    assert len(classes(position)) == len(present) + sum(seen.bag[letter] > 0 for letter in "gofpnkduqr")


# Chance and random play


def test_tiles_are_drawn_as_often_as_they_are_in_the_bag():
    bag = "g3o2f5vw2y4z5A5C3DE2F5GHp7n11k2du2r24"
    position = Position.parse(RA, f"{bag} - 1 1 2569/-/10/- 3478/-/10/- 2 draw 1")
    dice, counts = Dice(5), tiles(bag)
    draws, total = 10_000, sum(counts.values())
    drawn = Counter(LETTERS[position.draw(dice)] for _ in range(draws))
    assert set(drawn) == set(counts)
    for letter, count in counts.items():
        share = count / total
        assert abs(drawn[letter] / draws - share) < 5 * (share * (1 - share) / draws) ** 0.5


def test_every_tile_of_the_bag_can_be_drawn_by_a_word():
    """Words spread evenly over their range draw each kind exactly in its share."""
    position = start("ra").play("draw")
    drawn = Counter(LETTERS[position._rules.draw(position._state, (2 * i + 1) * 2**32 // 360)] for i in range(180))
    assert drawn == BOX


def near(values: list[float], known: float, error: float) -> bool:
    """Whether a mean is a known one, within five standard errors of both together."""
    ours_error = stdev(values) / len(values) ** 0.5
    return abs(fmean(values) - known) < 5 * (ours_error**2 + error**2) ** 0.5


@pytest.mark.slow
def test_uniform_random_games_have_the_known_statistics():
    rules = load_game("ra:score=margin")
    root = Position.start(rules).memory
    games = [compiled_trace(rules, root, Dice(seed).word(), 521) for seed in range(2500)]
    decisions = [game[game["turn"] >= 0] for game in games]
    draws = [game[game["turn"] == CHANCE] for game in games]
    assert all(game["turn"][-1] == TERMINAL for game in games)
    assert near([len(d) for d in decisions], 82.38, 0.09)
    assert near([len(d) for d in draws], 20.95, 0.08)
    assert near([d["count"].mean() for d in decisions], 2.526, 0.003)
    assert near([d["count"].mean() for d in draws], 22.99, 0.005)
    assert near([int((d["count"] == 1).sum()) for d in decisions], 3.97, 0.03)
    assert near([game["value"][-1] for game in games], -0.37, 0.23)
    assert max(len(d) for d in decisions) <= 120


@pytest.mark.slow
def test_uniform_random_games_are_won_about_equally_often():
    from astragal.algorithms.monte_carlo.rollouts import random_games

    batches = [random_games(RA, start("ra").memory, 500, seed, 1000) for seed in range(1, 41)]
    assert all(unfinished == 0 for _, _, unfinished in batches)
    assert near([total / 500 for _, total, _ in batches], -2.7, 1.4)


@kernel(entry="games of Ra that draw often")
def drawing_games(game, root, seed, share, results):
    """Games in which a turn draws with this share, and any other decision is random: decisions, draws, fame."""
    generator = np.uint64(seed)
    for result in results:
        state = local_copy(root[0])
        turn = game.turn(state)
        while turn != TERMINAL:
            generator, word = next_word(generator)
            if turn == CHANCE:
                result[1] += 1
                game.deal(state, game.draw(state, upper(word)))
            else:
                result[0] += 1
                action = game.pick(state, upper(word))
                generator, word = next_word(generator)
                if state.phase == 0 and game.on_track(state) < 8 and action <= 1:
                    action = 0 if upper(word) < share * 4294967296.0 else 1
                game.play(state, action)
            turn = game.turn(state)
        result[2] = (state.fame[0] + state.fame[1]) / 2
        result[3] = state.fame[0] - state.fame[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("share", "decisions", "draws", "fame", "spread"), [(0.75, 110.7, 51.2, 21.3, 24), (0.9, 139.0, 84.2, 33.7, 30)]
)
def test_games_with_many_draws_have_the_known_statistics(share, decisions, draws, fame, spread):
    results = np.zeros((4000, 4))
    drawing_games(RA, start("ra").memory, 11, share, results)
    assert near(results[:, 0].tolist(), decisions, 0.4)
    assert near(results[:, 1].tolist(), draws, 0.4)
    assert near(results[:, 2].tolist(), fame, 0.4)
    assert abs(results[:, 3].std() - spread) < 2


def test_rollouts_by_order_draw_while_the_track_is_short():
    dice = Dice(3)
    names = Counter(interpreted(RA).prefer(table("n2")._state, dice.word()) for _ in range(300))
    assert names[0] > 240
    assert interpreted(RA).prefer(table("n8")._state, 0) == 1


# Evaluation


@settings(max_examples=1)
@given(seed=seeds)
def test_the_evaluation_by_margin_and_by_win_agree_on_who_is_ahead(seed):
    for position in random_positions(RA, seed, plies=1000):
        if position.is_terminal:
            continue
        win = position.evaluations()
        margin = Position.parse(load_game("ra:score=margin"), position.text).evaluations()
        assert -100 <= win[0] == -win[1] <= 100
        assert (win[0] > 0) == (margin[0] > 0)


def test_the_evaluation_rises_with_what_is_worth_points():
    plain = table("-", "2569/-/10/v", "3478/-/10/v").evaluations()[0]
    for hand in ("vg", "vo", "vfn", "vwx", "vp", "vA"):
        assert table("-", f"2569/-/10/{hand}", "3478/-/10/v").evaluations()[0] > plain
    assert table("-", "569/1/10/v", "3478/-/10/v", board=2).evaluations()[0] < plain


# Notation


@settings(max_examples=2)
@given(seed=seeds)
def test_positions_can_be_written_and_read(seed):
    for position in often_drawing(seed)[::2]:
        assert Position.parse(RA, position.text) == position


START = start("ra").text
BAG, REST = START.split(" ", 1)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "write bag, track"),
        (f"{BAG} - 0 1 2569/-/10 3478/-/10/- 1 turn 1", "write bag, track"),
        (f"{BAG} - 0 1 2569/-/-3/- 3478/-/10/- 1 turn 1", "write bag, track"),
        (START.replace("turn 1", "turn 3"), "write bag, track"),
        (START.replace("turn 1", "auction 2 1"), "write bag, track"),
        (START.replace("1 turn", "4 turn"), "write bag, track"),
        (f"8{BAG} {REST}", "tiles are letters with numbers"),
        (f"s{BAG} {REST}", "no kind of tile 's'"),
        (START.replace("n25", "n24n"), "'n' is written twice"),
        (START.replace("n25", "n99"), "does not have 99 tiles of the kind nile"),
        (START.replace("n25", "n0"), "does not have 0 tiles of the kind nile"),
        (START.replace("g8", "g9"), "9 tiles of the kind god; the game has 8"),
        (START.replace(" - ", " n "), "26 tiles of the kind nile"),
        (START.replace("2569", "256"), "each player has four of the suns 1 to 9"),
        (START.replace("2569", "2568"), "each player has four of the suns 1 to 9"),
        (START.replace("2569", "25691"), "each player has four of the suns 1 to 9"),
        (START.replace("2569", "25x9"), "suns are written as digits"),
        (START.replace("r30 -", "r29 r"), "Ra tiles lie only in the bag"),
        (START.replace("n25", "n16").replace(" - ", " n9 "), "9 tiles lie on the auction track"),
        (START.replace("r30 - 0", "r24 - 6"), "at most 5 lie on the Ra track"),
        (START.replace("r30", "r29"), "at least 30 Ra tiles must be in the bag"),
        (START.replace("k2", "k").replace("/10/- 1", "/10/k 1"), "can have a disaster to resolve"),
        (START.replace("2569/-", "-/2569"), "player 1 has no face-up sun"),
        (START.replace("n25", "n17").replace(" - ", " n8 ").replace("turn", "draw"), "while the auction track is full"),
        (START.replace("turn 1", "ra-auction 2 1 0"), "needs a tile on the Ra track"),
        (START.replace("turn 1", "gods 1"), "no god, or there is nothing to take"),
        (START.replace("3478/-", "-/3478").replace("turn 1", "auction 2 1 0"), "one that is high enough"),
        (START.replace("turn 1", "auction 1 1 9"), "one that is high enough"),
        (START.replace("turn 1", "auction 1 1 5"), "must be a face-up sun of the Ra player's opponent"),
        (START.replace("turn 1", "auction 2 1 2"), "must be a face-up sun of the Ra player's opponent"),
        (START.replace("turn 1", "discard 1 1 2,0"), "who must discard has a choice"),
        (START.replace("turn 1", "over"), "after epoch 3, the tracks are empty"),
    ],
)
def test_what_is_no_position_is_refused_in_a_sentence(text, sentence):
    with pytest.raises(AstragalError, match=sentence):
        Position.parse(RA, text)


def test_the_notation():
    position = table("n2u", "569/1/10/gA2", "48/37/0/p", "auction 1 1 4", ra=2, board=2, epoch=2)
    assert position.text == (
        "g7o5f12v5w5x5y5z5A3B5C5D5E5F5G5H5p24n23k2d2u3q2r22 n2u 2 2 569/1/10/gA2 48/37/0/p 2 auction 1 1 4"
    )


@pytest.mark.parametrize("setting", ["score=points", "ties=sum", "floor=maybe", "players=3"])
def test_bad_parameters_are_refused(setting):
    with pytest.raises(AstragalError):
        load_game(f"ra:{setting}")


def test_the_picture():
    position = table("n2u", "569/1/10/gA2", "48/37/0/p", "auction 1 1 4", ra=2, board=2, epoch=2)
    assert str(position).splitlines() == [
        "epoch 2 of 3   Ra track RR....   sun 2 on the board",
        "bag of 165: god x7, gold x5, flood x12, astronomy x5, agriculture x5, writing x5, religion x5, art x5",
        "    fortress x3, obelisk x5, palace x5, pyramid x5, temple x5, statue x5, steps x5, sphinx x5",
        "    pharaoh x24, nile x23, funeral x2, drought x2, unrest x3, earthquake x2, ra x22",
        "auction track: nile x2, unrest",
        "> player 1: 10 fame, suns 5 6 9, face down 1",
        "    god, fortress x2",
        "  player 2: 0 fame, suns 4 8, face down 3 7",
        "    pharaoh",
        "player 1 invoked Ra: player 1 to bid, 4 was bid",
    ]
    assert str(start("ra").play("draw")).endswith("player 1 draws a tile")
    assert str(start("ra").play("draw").deal("ra")).endswith("a Ra tile was drawn: player 2 to bid, no bid yet")
    assert str(table("uo", "2569/-/10/vwx", phase="auction 1 1 0").play("bid-2")).endswith(
        "player 1 must discard 2 civilisations"
    )
    assert str(table("on", "2569/-/10/g2").play("take-gold")).endswith("player 1 may take more tiles")
    assert str(table("-", phase="over", epoch=3)).endswith("the game is over")
