"""Outcomes that are worth the same are searched once with `merge=on`: same values, fewer nodes."""

from __future__ import annotations

import numpy as np
import pytest

from astragal import Limits, Position, game, load_game, load_player
from astragal.algorithms.tree.nodes import chance_of
from astragal.algorithms.tree.steps.compose import Steps
from astragal.compiler.interpreted import run_interpreted
from astragal.games.pig.rules import BUST, RESET, Pig
from support.helpers import fewer, is_interpreted
from support.star_searches import EXACT, SAMPLED

THROWS = 36
OUTCOME = np.zeros(THROWS, np.uint8)  # [throw] -> the outcome of Pig that it is
for throw in range(THROWS):
    first, second = throw // 6 + 1, throw % 6 + 1
    OUTCOME[throw] = RESET if first + second == 2 else BUST if 1 in (first, second) else first + second + 1
FIRST = np.array([list(OUTCOME).index(outcome) for outcome in OUTCOME], np.uint8)  # the first throw that is the same


@game
class OrderedThrows(Pig):
    """Pig whose 36 ordered throws of two dice are listed, though only eleven of them differ."""

    max_outcomes = THROWS
    settle = Pig.deal  # under another name, since kernels cannot call a method that is overridden

    def outcomes(self, state, out):
        for i in range(THROWS):
            out[i] = i
        return THROWS

    def probability(self, state, outcome):
        return 1 / THROWS

    def draw(self, state, word):
        return word * THROWS >> 32

    def representative(self, state, outcome):
        return np.int64(FIRST[outcome])

    def deal(self, state, outcome):
        self.settle(state, np.int64(OUTCOME[outcome]))

    def outcome_name(self, state, outcome):
        return f"{outcome // 6 + 1}-{outcome % 6 + 1}"


THROWN = OrderedThrows(goal=30)
HERE = Position.parse(THROWN, "12 15 6 1 decide")
SAME = Position.parse(Pig(goal=30), "12 15 6 1 decide")


def value_and_nodes(position: Position, player: str, seed: int = 0) -> tuple[float, int]:
    result = load_player(player).search(position, seed=seed)
    return result.value, result.nodes


@pytest.mark.few(1)
@pytest.mark.parametrize("player", EXACT)
def test_merging_changes_no_value_and_searches_what_is_listed_once(player):
    depth = 2 if is_interpreted() else 3
    plain = value_and_nodes(HERE, f"{player}:depth={depth},table=off")
    merged = value_and_nodes(HERE, f"{player}:depth={depth},table=off,merge=on")
    assert merged[0] == pytest.approx(plain[0], abs=1e-9)
    assert merged[1] < plain[1] / 2  # at the horizon outcomes are evaluated as they are listed
    if player == "exp":
        found, same = (
            load_player(f"exp:depth={depth},table=off{merge}").search(here)
            for here, merge in ((HERE, ",merge=on"), (SAME, ""))
        )
        assert found.value == pytest.approx(same.value, abs=1e-9)
        assert [found.counts[kind] for kind in ("decisions", "chances")] == [
            same.counts[kind] for kind in ("decisions", "chances")
        ]


@pytest.mark.few(2)
@pytest.mark.parametrize("player", SAMPLED)
def test_merged_samples_keep_their_weight(player):
    depth = 2 if is_interpreted() else 3
    plain = value_and_nodes(HERE, f"{player}:depth={depth},width=12,table=off", seed=5)
    merged = value_and_nodes(HERE, f"{player}:depth={depth},width=12,table=off,merge=on", seed=5)
    assert merged[0] == pytest.approx(plain[0], abs=1e-9)
    assert merged[1] < plain[1]


@pytest.mark.few(1)
@pytest.mark.parametrize("player", ["maxn", "paranoid"])
def test_searches_for_many_players_merge_too(player):
    plain = value_and_nodes(HERE, f"{player}:depth=2,table=off")
    merged = value_and_nodes(HERE, f"{player}:depth=2,table=off,merge=on")
    assert merged[0] == pytest.approx(plain[0], abs=1e-9)
    assert merged[1] < plain[1]


def shares_of_outcomes(player: str) -> dict[str, float]:
    """Each outcome's share of the visits at the chance node after rolling that was visited most."""
    result = load_player(player).search(HERE, seed=3, limits=Limits(sims=fewer(20_000, 16)))
    assert result.tree is not None
    tree = result.tree.as_dict()
    rows = {row["id"]: row for row in tree["nodes"]}
    roll = max((row["visits"], row["id"]) for row in tree["nodes"] if row["name"] == "roll")[1]
    drawn = [rows[link["target"]] for link in tree["links"] if link["source"] == roll]
    return {row["name"]: row["visits"] / sum(each["visits"] for each in drawn) for row in drawn}


@pytest.mark.few(1)
@pytest.mark.parametrize("widening", ["", ",widening=on,c2=4,alpha=0"])
def test_a_tree_has_one_child_for_outcomes_worth_the_same(widening):
    shares = shares_of_outcomes(f"mcts:rollout=0,merge=on,keep=on{widening}")
    names = {HERE.play("roll").outcomes()[number].name for number in set(FIRST.tolist())}
    assert set(shares) <= names
    if not widening:
        assert set(shares) == names
        assert shares["1-2"] == pytest.approx(10 / 36, abs=0.03)
    else:
        stored = {name: list(OUTCOME).count(OUTCOME[index_of(name)]) for name in shares}
        assert 1 < len(stored) < len(names)
        for name, count in stored.items():
            assert shares[name] == pytest.approx(count / sum(stored.values()), abs=0.05)


def index_of(name: str) -> int:
    return next(outcome.number for outcome in HERE.play("roll").outcomes() if outcome.name == name)


def test_merged_probabilities_are_those_of_all_an_outcome_stands_for():
    roll = HERE.play("roll")
    merged = {
        number: run_interpreted(chance_of, THROWN, Steps(merge=True), roll.state, number)
        for number in set(FIRST.tolist())
    }
    assert merged == pytest.approx({number: list(FIRST).count(number) / 36 for number in merged})
    assert run_interpreted(chance_of, THROWN, Steps(), roll.state, 1) == pytest.approx(1 / 36)


@pytest.mark.few(3)
@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("cant_stop", "2:1,7:5 6:2,8:3 5:2,6:3 1 decide"),
        ("cant_stop:sides=3,shortest=2", "2:1,4:2 3:2 3:3,4:4,5:1 2 decide"),
        ("ra", ""),
    ],
)
@pytest.mark.parametrize("player", ["exp", "star1ss:width=30"])
def test_games_say_rightly_which_outcomes_are_worth_the_same(spec, text, player):
    """Also where the value is looked at two decisions further on."""
    game = load_game(spec)
    here = Position.parse(game, text) if text else Position.start(game)
    joint = "," if ":" in player else ":"
    plain = value_and_nodes(here, f"{player}{joint}depth=2,table=off", seed=5)
    merged = value_and_nodes(here, f"{player}{joint}depth=2,table=off,merge=on", seed=5)
    assert merged[0] == pytest.approx(plain[0], abs=1e-9)
    assert merged[1] < plain[1]
