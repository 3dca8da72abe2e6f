"""Searches as the tests ask for them: positions, any variant with any settings in one call, and the oracle."""

from __future__ import annotations

import csv
from dataclasses import fields, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from astragal.algorithms.depth_first.root import root_values, window_value
from astragal.algorithms.depth_first.table import attach, begin_era, new_table
from astragal.algorithms.depth_first.work import COUNTERS, new_work, nodes
from astragal.algorithms.limits import Limits
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import SearchResult
from astragal.algorithms.star.definition import definition
from astragal.algorithms.star.outcomes import sampled_outcomes
from astragal.algorithms.star.search import StarSearch, configure, configure_forward, set_samples
from astragal.algorithms.star.settings import StarSettings, Widths
from astragal.algorithms.star.variant import variant_for
from astragal.compiler.interpreted import interpreted, run_interpreted
from astragal.compiler.records import State
from astragal.games import load_game
from astragal.players import player_classes
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from support.helpers import DATA
from support.tree_games import random_tree

TOLERANCE = 1e-9
EXACT = ("exp", "star1", "star2")
SAMPLED = ("expss", "star1ss", "star2ss")
KINDS = [  # each a full search, and others that are to find the same
    pytest.param(EXACT, id="exact"),
    pytest.param(("expss", "star2ss"), id="sampled"),
    pytest.param(("expss", "star1ss"), id="star1ss", marks=pytest.mark.slow),
]
GAMES = {"pig": "pig:goal=40", "pig with one die": "pig:goal=25,dice=1", "ewn": "ewn"}
DEPTHS = {"pig": 3, "pig with one die": 4, "ewn": 4, "tree": 6}  # deep enough to prune, small enough to be quick


def position(spec: str, text: str) -> Position:
    return Position.parse(load_game(spec), text)


def positions(name: str, count: int, seed: int = 0) -> list[Position]:
    """Positions met in random games, chance's turn or a player's."""
    return [random_position(name, 1000 * seed + number) for number in range(count)]


@cache
def random_position(name: str, seed: int) -> Position:
    """A position that is not terminal, some way into a random game."""
    dice = Dice(seed)
    if name == "tree":
        here = random_tree(dice.bits(), breadth=3 + dice.below(12), ends=dice.below(30), loops=dice.below(3) == 0)
        plies = dice.below(3)
    else:
        here = Position.start(load_game(GAMES[name]), dice.bits())
        plies = dice.below(30)
    for _ in range(plies):
        after = random_step(here, dice)
        if after.is_terminal:
            break
        here = after
    return here


def random_step(here: Position, dice: Dice) -> Position:
    if here.is_chance:
        return here.sample(dice)
    actions = here.actions()
    return here.play(actions[dice.below(len(actions))])


def settings_of(player: str, **options: Any) -> StarSettings:
    """A player's settings with a small table, and no iterations but the last unless asked for.

    Options that only sampled searches have are left out for the others.
    """
    options = {"memory": 0.25, "deepening": False} | options
    if "width" in options:
        options["width"] = Widths(options["width"])
    cls = player_classes()[player]
    known = {field.name for field in fields(cls)}
    made = cls(**{name: value for name, value in options.items() if name in known})
    assert isinstance(made, StarSettings)
    return made


def search(
    here: Position, player: str, depth: int | None = None, seed: int = 0, nodes: int | None = None, **options: Any
) -> SearchResult:
    """What a search finds at a position."""
    request = SearchRequest(here, player, seed, Limits(depth=depth, nodes=nodes))
    return StarSearch(request, settings_of(player, **options)).answer()


class Job:
    """A kernel's arguments for one position, depth, seed and settings; each call counts on in the same work record."""

    def __init__(
        self,
        here: Position,
        player: str,
        depth: int,
        seed: int = 0,
        settings: StarSettings | None = None,
        **options: Any,
    ) -> None:
        self.position, self.depth, self.seed = here, depth, seed
        self.settings = settings or settings_of(player, **{"table": "off"} | options)
        self.variant = variant_for(self.settings)
        self.work = new_work(*here.game.utility_range)
        self.work["table_values"] = self.settings.table == "values"
        configure(self.work, self.settings)
        configure_forward(self.work, self.settings, here.game)
        self.table = new_table(self.settings.memory or 32.0)
        if self.settings.table != "off":
            attach(self.work, self.table)
        self.set_seed(seed)

    def set_seed(self, seed: int) -> Job:
        begin_era(self.work, self.variant.lasting)
        set_samples(self.work, self.settings, self.depth, self.depth, seed)
        return self

    def window(self, alpha: float, beta: float) -> float:
        """Search the position itself with a window."""
        memory = self.position.memory
        return window_value(self.position.game, self.variant, memory, self.depth, float(alpha), float(beta), self.work)

    def root(self) -> list[float]:
        """Search the root's actions as a search does; player 0's values, exact or bounds."""
        actions, values, bounds = self.lists()
        memory = self.position.memory
        root_values(self.position.game, self.variant, memory, self.depth, actions, values, bounds, self.work)
        return values.tolist()

    def repeated(self, searches: int) -> list[float]:
        """Search the root so often, each time with other samples; the sums of player 0's values."""
        actions, sums, bounds = self.lists()
        self.work["repeats"] = 1  # and one search a call, as no nodes are to be counted before a pause
        for _ in range(searches):
            memory = self.position.memory
            assert root_values(self.position.game, self.variant, memory, self.depth, actions, sums, bounds, self.work)
        return sums.tolist()

    def interpreted_root(self) -> list[float]:
        """The same, run by Python without any compiled code."""
        actions, values, bounds = self.lists()
        root = self.position.game, self.variant, self.position.memory
        run_interpreted(root_values, *root, self.depth, actions, values, bounds, self.work)
        return values.tolist()

    def lists(self) -> tuple[Any, Any, Any]:
        actions = np.array(self.position.actions() or [0], np.uint32)
        return actions, np.zeros(len(actions)), np.zeros(len(actions), np.uint8)

    def true_value(self, here: Position | None = None, depth: int | None = None) -> float:
        """The value of the position, or of another below it, straight from its definition with the same samples."""
        oracle, here = replace(self.variant, prune=False, probe=False, checked=False), here or self.position
        return definition(here.game, oracle, here.memory, depth or self.depth, self.work.copy())

    @property
    def counts(self) -> dict[str, int]:
        return {name: int(self.work[name][0]) for name in COUNTERS}

    @property
    def nodes(self) -> int:
        return nodes(self.work)


def draws(here: Position, width: int, seed: int = 0, **options: Any) -> dict[int, float]:
    """The outcomes drawn at a chance position, each with its share."""
    job = Job(here, "expss", 2, seed, width=width, **options)
    outcomes, chances = [0] * here.game.max_outcomes, [0.0] * here.game.max_outcomes
    with np.errstate(over="ignore"):
        count = interpreted(sampled_outcomes)(
            here.game._twin_, job.variant, State(here.memory), 1, State(job.work), outcomes, chances
        )
    assert len(set(outcomes[:count])) == count
    return {int(outcome): chance for outcome, chance in zip(outcomes[:count], chances[:count], strict=True)}


def read_rows(name: str) -> list[dict[str, str]]:
    """The rows of a table in the tests' data folder."""
    with open(DATA / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
