"""What is legal in a game but probably wrong, one sentence each: the warnings of `astragal check`."""

from __future__ import annotations

import contextlib
import dataclasses
import difflib
import inspect
import os
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from astragal.base.parameters import is_constant_field
from astragal.rules.decorator import defines
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from astragal.rules.protocol import METHODS, OWN

NEAR = 0.8  # how similar two names are that may be meant as one
WORTH_WRITING = 4.0  # how much faster `draw` must make random games to be worth a warning
ELSEWHERE = {  # names that users give to optional methods by mistake -> the right name
    **dict.fromkeys(("setup", "set_up", "init", "initial", "initial_state", "reset", "new_game"), "start"),
    **dict.fromkeys(("evaluate", "evaluation", "eval", "estimate"), "heuristic"),
    **dict.fromkeys(("display", "render", "to_string"), "show"),
    **dict.fromkeys(("action_to_string", "move_name"), "action_name"),
}
COMPILED_IN = ("players", "max_actions", "max_outcomes")


def warnings_of_class(game: Any) -> Iterator[str]:
    """What can be seen without playing."""
    known = {member.name for member in (*METHODS, *OWN)}
    methods = {name: value for name, value in vars(type(game)).items() if inspect.isfunction(value)}
    for name, method in methods.items():
        near = [ELSEWHERE[name]] if name in ELSEWHERE else difflib.get_close_matches(name, known, n=1, cutoff=NEAR)
        is_helper = any(name in other.__code__.co_names for other in methods.values() if other is not method)
        unknown = name not in known and not name.startswith("__") and not is_helper
        if unknown and near and not defines(type(game), near[0]):
            yield f"the method {name} is never called; is {near[0]} meant?"
    yield from not_constant(game)


def not_constant(game: Any) -> Iterator[str]:
    """Parameters by which arrays on the stack are as long as they are, and which are not compiled in."""
    for field in dataclasses.fields(game):
        if field.name in COMPILED_IN and not is_constant_field(field):
            place = place_of_field(type(game), field.name)
            yield f"{field.name} must be constant in compiled code: annotate it Constant[int]{place}"


def place_of_field(cls: type, name: str) -> str:
    """`` (my_game.py line 12)``: where a class annotates a field; empty if its source is not available."""
    with contextlib.suppress(OSError, TypeError):
        lines, first = inspect.getsourcelines(cls)
        for i, line in enumerate(lines):
            if line.strip().startswith(f"{name}:"):
                return f" ({os.path.basename(inspect.getsourcefile(cls) or '')} line {first + i})"
    return ""


def warnings_of_play(games: list[list[Position]]) -> Iterator[str]:
    """What random games show."""
    if games and not any(path[-1].is_terminal for path in games):
        longest = max(map(len, games))
        yield f"none of {len(games)} random games ended, though the longest had {longest} positions"
    steps = ((before, after) for path in games for before, after in pairwise(path))
    idle = next((before for before, after in steps if before == after), None)
    if idle is not None:
        yield f"{'deal' if idle.is_chance else 'play'} changed nothing at '{idle.text}'"
    decisions = [position for path in games for position in path if position.turn >= 0][:50]
    for position in decisions:
        spaced = [name for name in position.action_names() if " " in name.strip()]
        if spaced:
            yield f"the action name '{spaced[0]}' has a space in it, so best lines and records are hard to read"
            return


def warnings_of_speed(game: Any, games: list[list[Position]]) -> Iterator[str]:
    """Whether drawing outcomes from the list takes most of the time of random games."""
    chances = [position for path in games for position in path if position.is_chance][:200]
    if not chances or defines(type(game), "draw"):
        return
    dice, started = Dice(0), time.process_time()
    drawn = [position.draw(dice) for position in chances]
    drawing, started = time.process_time() - started, time.process_time()
    for position, outcome in zip(chances, drawn, strict=True):
        after = position.follow(outcome)
        if after.turn >= 0:
            after.follow(int(after.rules.pick(after.state, dice.word())))
    faster = (drawing + (rest := time.process_time() - started)) / max(rest, 1e-9)
    if faster >= WORTH_WRITING:
        yield f"a draw method would make random games about {faster:.0f} times as fast (interpreted); {draft(chances)}"


def draft(chances: list[Position]) -> str:
    """The first lines of a `draw` for the chance nodes seen."""
    lists = [position.outcomes() for position in chances[:20]]
    even = all(abs(o.probability * len(listed) - 1) < 1e-9 for listed in lists for o in listed)
    in_order = all(o.number == i for listed in lists for i, o in enumerate(listed))
    if even and in_order and len({len(listed) for listed in lists}) == 1:
        return f"such as: def draw(self, state, word): return word * {len(lists[0])} >> 32"
    sentence = "such as: def draw(self, state, word): return OUTCOMES[np.searchsorted(SUMS, word / 2**32, 'right')]"
    return f"{sentence}, with tables of the outcomes and the sums of their probabilities"
