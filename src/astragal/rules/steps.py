"""Fixed action numbers: the same move has the same number at every position, as policies need it.

A game whose actions have the numbers from 0 to `max_actions` needs nothing. Others have a file `steps.py` in their
folder with `STEPS`, an instance of the class here or of one derived from it. A step may be a part of an action, such as
half a move in Backgammon.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from astragal.base.errors import AstragalError
from astragal.base.parameters import Constant
from astragal.compiler.intrinsics.primitives import scratch
from astragal.rules.decorator import compiled
from astragal.rules.folder_files import part_of
from astragal.rules.position import Position


@compiled
@dataclass(frozen=True)
class OwnNumbers:
    """A step is an action, and its number the game's own unless `number` says otherwise."""

    size: Constant[int] = 0  # numbers from 0 to one less
    parts = False  # whether an action may take several steps

    def number(self, game, state, action):
        """The fixed number of a legal action."""
        return action

    def write_legal(self, game, state, made, mask):
        """Write 1 for each legal step after `made` steps of this turn; how many, or -1 if a number is out of range."""
        actions = scratch(np.uint32, game.max_actions)
        count = game.actions(state, actions)
        for i in range(count):
            number = self.number(game, state, np.int64(actions[i]))
            if not 0 <= number < self.size:
                return -1
            mask[number] = 1
        return count

    def take(self, game, state, made, step):
        """Play a legal step; how many steps of this turn were made, or 0 where the turn is over.

        A turn in which no further step is legal is ended by `end_turn`.
        """
        actions = scratch(np.uint32, game.max_actions)
        for i in range(game.actions(state, actions)):
            action = np.int64(actions[i])
            if self.number(game, state, action) == step:
                game.play(state, action)
                return 0
        return 0

    def end_turn(self, game, state):
        """End a turn in which no step, or no further one, is legal."""


def steps_of(game: Any, size: int | None = None) -> Any:
    """The steps of a game: those of its folder, or its own numbers, of which there are `size` or `max_actions`."""
    module = part_of(type(game), "steps")
    if module is not None and size is None:
        return module.STEPS
    return OwnNumbers(game.max_actions if size is None else size)


def numbered_actions(position: Position) -> dict[int, int]:
    """The legal actions of a position by their fixed numbers; a sentence where a step is a part of an action."""
    game, steps = position.game, steps_of(position.game)
    if steps.parts:
        raise AstragalError(f"a step of {game.own_title()} is a part of an action, so actions have no numbers")
    with np.errstate(over="ignore"):
        return {int(steps._twin_.number(game._twin_, position._state, each)): each for each in position.actions()}
