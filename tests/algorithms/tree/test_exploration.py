"""Exploration by what is seen: the spread by its definition, and that no move depends on the scale of utilities."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from astragal.algorithms.limits import Limits
from astragal.algorithms.tree.settings import TreeSettings
from astragal.algorithms.tree.steps.spread import SPREADS, follow_spread
from astragal.algorithms.tree.work import work_for
from astragal.base.errors import SpecError
from astragal.compiler.interpreted import interpreted
from astragal.compiler.records import State
from astragal.games import game_names, load_game
from astragal.players import load_player
from astragal.rules.decorator import game
from astragal.rules.position import Position
from support.helpers import slow_but

SMALL = "kalah:pits=3,stones=2"
QUICK = ["ewn", SMALL, "pig:goal=20", "tic_tac_toe"]
NAMES = [spec.partition(":")[0] for spec in QUICK]
pytestmark = pytest.mark.interpreted


def variant(spec: str, factor: float = 1.0, width: float = 1.0) -> Position:
    """A first decision of a game with all utilities multiplied, and a range declared wider around its middle."""
    rules = load_game(spec)
    scale = factor
    low, high = (factor * end for end in rules.utility_range)
    middle, half = (low + high) / 2, width * (high - low) / 2

    class Variant(type(rules)):
        factor = scale
        utility_range = (middle - half, middle + half)
        own_utility = type(rules).utility

        def utility(self, state, player):
            return self.factor * self.own_utility(state, player)

    settings = {name: getattr(rules, name) for name in rules.__dataclass_fields__}
    return Position.start(game(Variant)(**settings), 3).settled(3)


def visits(here: Position, player: str, sims: int, seed: int) -> list[int]:
    """The move, and the visits of all actions."""
    found = load_player(player, here.game).search(here, seed, Limits(sims=sims))
    return [found.action_number, *(row.visits for row in sorted(found.actions, key=lambda row: row.action))]


@pytest.mark.parametrize("spec", slow_but(QUICK, [*QUICK, *(name for name in game_names() if name not in NAMES)]))
@pytest.mark.parametrize("player", ["uct", "uct:ends=sign"])
def test_neither_the_scale_of_utilities_nor_a_wide_range_changes_a_search(spec, player):
    wanted = visits(variant(spec), player, 40, 7)
    assert visits(variant(spec, factor=1000.0), player, 40, 7) == wanted
    assert visits(variant(spec, width=10.0), player, 40, 7) == wanted


def test_a_number_for_c_is_measured_by_the_declared_range():
    assert visits(variant(SMALL, width=10.0), "uct:c=28", 40, 7) != visits(variant(SMALL), "uct:c=28", 40, 7)


def test_by_sign_a_game_counts_as_one_of_win_or_loss():
    """Whatever a point is worth: the spread of margins is not that of their signs."""
    by_margin, by_win = (Position.start(load_game(f"{SMALL},score={score}")) for score in ("margin", "win"))
    assert visits(by_margin, "uct:ends=sign", 60, 3) == visits(by_win, "uct", 60, 3)
    assert visits(by_margin, "uct", 60, 3) != visits(by_win, "uct", 60, 3)


@pytest.mark.parametrize(("spec", "players"), [(SMALL, 2), ("focus:players=3", 3), ("cant_stop:players=1,goal=1", 1)])
def test_c_is_so_many_spreads_of_each_players_rewards(spec, players):
    rules = load_game(spec)
    work = work_for(rules, TreeSettings(), 0, 1)
    job, twin = State(work), rules._twin_
    rewards = np.random.default_rng(5).integers(-9, 30, (12, players)).astype(float)
    if players == 2:
        rewards[:, 1] = -rewards[:, 0]
    for number, row in enumerate(rewards, 1):
        work["rewards"][0, :players] = row
        interpreted(follow_spread)(twin, job)
        seen = rewards[:number]
        middle = (seen.min(axis=0) + seen.max(axis=0)) / 2
        expected = SPREADS * np.sqrt(((seen - middle) ** 2).mean(axis=0))
        assert work["c"][0, :players] == pytest.approx(expected)


def test_in_a_game_of_win_or_loss_c_is_what_it_was_whoever_wins():
    """1.4 spreads are 140 of a range from -100 to 100, as soon as either side has won once."""
    work = work_for(load_game("ewn"), TreeSettings(), 0, 1)
    for number in range(20):
        work["rewards"][0, :2] = (-100.0, 100.0) if number == 3 else (100.0, -100.0)
        interpreted(follow_spread)(load_game("ewn")._twin_, State(work))
    assert work["c"][0, :2] == pytest.approx([140.0, 140.0])
    assert work_for(load_game("ewn"), TreeSettings(c=140.0), 0, 1)["c"][0, 0] == 140.0


def test_the_spread_is_a_unit_too():
    here = Position.start(load_game(SMALL))
    assert visits(here, "uct:c=1.4,unit=spread", 60, 3) == visits(here, "uct", 60, 3)
    assert visits(here, "uct:c=5,unit=spread", 60, 3) != visits(here, "uct", 60, 3)
    with pytest.raises(SpecError, match="unit=points needs a c"):
        load_player("uct:unit=points")


@pytest.mark.parametrize("player", ["uct_h", "uctmax_h", "mcts", "dpw", "ggp"])
def test_players_of_the_works_keep_their_constants(player):
    for name in ("kalah", "ewn", "backgammon"):
        settings = load_player(player, load_game(name))
        assert settings.c is not None
        assert settings.unit != "spread"


@pytest.mark.slow
@pytest.mark.compiled
def test_the_benchmark_plays_its_smallest_size(tmp_path):
    """Every row, two games each, and the table in the document between its marks."""
    page = tmp_path / "page.md"
    page.write_text("before\n\n<!-- by benchmarks/exploration.py -->\nold\n<!-- end -->\n\nafter\n", encoding="utf-8")
    script = Path(__file__).parents[3] / "benchmarks" / "exploration.py"
    line = [sys.executable, str(script), "--games", "2", "--sims", "20", "--time", "0.005", "--page", str(page)]
    ran = subprocess.run(line, capture_output=True, text=True, check=True)
    lines = page.read_text(encoding="utf-8").splitlines()
    assert (lines[0], lines[-1]) == ("before", "after")
    assert "old" not in lines
    rows = [line for line in lines if line.startswith("| `uct")]
    assert len(rows) == (15 if "is not installed" in ran.stderr else 22)
    assert all(row in ran.stdout for row in rows)
