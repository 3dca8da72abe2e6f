"""Errors in a game's methods, in one sentence: the error, the state, the file, the line and the method.

An interpreted method is called through a `guarded` one, which copies the state before the call. A compiled kernel that
meets an error, or a number that is not allowed, records the state on its way out (`astragal.compiler.guarded`);
the method is then called again with that state, interpreted, so that Python reports the error and its place.

This module does not import Numba.
"""

from __future__ import annotations

import contextlib
import math
import os
import sysconfig
import traceback
from collections.abc import Callable
from pathlib import Path
from types import MethodType
from typing import Any

import numpy as np

from astragal import compiler
from astragal.base.errors import AstragalError, EndlessLoop, GameError
from astragal.compiler.guarded import Note, guards, notes
from astragal.compiler.records import Memory, State, strict
from astragal.rules import defaults
from astragal.rules.protocol import METHODS

LEVELS = 3  # of steps below it that are looked at
NAMES = tuple(member.name for member in METHODS)  # compiled code refers to a method by its place here
COUNTS = {"actions": "max_actions", "outcomes": "max_outcomes"}  # methods that return a count -> its bound
VALUES = frozenset({"heuristic", "utility", "probability"})
FINITE = frozenset({"heuristic", "utility"})  # compiled code looks at these values
NUMBERS = VALUES | COUNTS.keys() | {"turn", "draw", "pick", "prefer", "representative", "hidden"}
CHANGING = frozenset({"play", "deal", "skip", "conceal", "start", "rollout"})  # they leave another state behind
READERS = ValueError, IndexError, OverflowError  # what `from_text` may raise: it is the text that is wrong
ARGUMENTS = {"play": "action", "deal": "outcome", "utility": "player", "heuristic": "player", "probability": "outcome"}
MACHINERY = tuple(
    os.path.join(folder, "")
    for folder in (
        Path(__file__).parent,
        Path(compiler.__file__).parent,
        Path(np.__file__).parent,
        sysconfig.get_path("stdlib"),
    )
)
NOT_COMPILED = "'literal_value'", "recursive call with other types"  # in this package's own errors while compiling


class MethodError(GameError):
    """An error in a method of a game, with the place and the state."""


# Interpreted


def guarded(instance: Any, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a game as others call it: an exception, or a result that is not allowed, becomes a sentence."""
    changes, checked, reads = name in CHANGING, name in NUMBERS, name not in CHANGING | {"from_text"}
    usual = float if name in VALUES else int
    least, most = (1, getattr(instance, COUNTS[name])) if name in COUNTS else (-math.inf, math.inf)

    def call(state: Any, *arguments: Any) -> Any:
        memory = state._memory
        checking = strict.on
        if checking:
            strict.calls += 1
        before = memory.tobytes() if changes or checking else b""
        try:
            result = method(state, *arguments)
        except MethodError:
            raise
        except Exception as error:
            if passes(name, error):
                raise
            given = record(before or memory.tobytes(), memory.dtype)
            what, place = in_words(error), place_of(error, name)
            raise MethodError(located(instance, name, given, arguments, what, place)) from error
        if reads and before and memory.tobytes() != before:
            given, what = record(before, memory.dtype), f"{name} changed the state, which only play and deal may do,"
            raise MethodError(located(instance, name, given, arguments, what, definition(method)))
        if not checked or (type(result) is usual and least <= result <= most and result - result == 0):
            return result  # True of any other finite number
        if wrong := complaint(instance, name, result, arguments) or nothing_listed(instance, name, result, state):
            raise MethodError(located(instance, name, memory, arguments, wrong, definition(method)))
        return result

    call.__wrapped__ = method  # type: ignore[attr-defined]
    return call


def passes(name: str, error: Exception) -> bool:
    """Whether an error is a sentence already, or what the method is meant to raise."""
    if name == "from_text":
        return isinstance(error, (*READERS, AstragalError))
    return isinstance(error, AstragalError) and not isinstance(error, GameError)


def complaint(instance: Any, name: str, result: Any, arguments: tuple[Any, ...]) -> str:
    """What is wrong with a number that a method returned; usually empty."""
    kind = type(result)
    if result is None:
        return f"{name} returned nothing (is a return missing?)"
    if name in VALUES:
        if kind is not float and not isinstance(result, (int, float, np.number, np.bool_)):
            return f"{name} returned {result!r}, which is not a number"
        finite = math.isfinite(result)
        who = f" of player {arguments[0] + 1}" if arguments and name != "probability" else ""
        return "" if finite else f"{name}{who} is {float(result):g}, which a search cannot use"
    if kind is not int and not isinstance(result, (int, np.integer, np.bool_)):
        return f"{name} returned {result!r}, which is not a whole number"
    if name in COUNTS and not 0 <= result <= (most := getattr(instance, COUNTS[name])):
        return f"{name} returned {result}, " + (
            "which is not a count" if result < 0 else f"more than {COUNTS[name]} = {most}"
        )
    return ""


def nothing_listed(rules: Any, name: str, count: Any, state: Any) -> str:
    """What is wrong with an empty list: only a state that is over may have one."""
    if name not in COUNTS or count != 0:
        return ""
    return "chance has no outcome" if name == "outcomes" else f"player {rules.turn(state) + 1} has no action"


def in_turn_interpreted(rules: Any, state: Any, turn: int) -> int:
    """The player to move; any other value is an error."""
    if -1 <= turn < rules.players:
        return turn
    what = f"turn is {turn}, which is neither CHANCE, TERMINAL nor a player (0 to {rules.players - 1}),"
    method = getattr(rules.turn, "__wrapped__", rules.turn)
    raise MethodError(located(rules, "turn", state._memory, (), what, definition(method)))


def record(memory: bytes, dtype: np.dtype[Any]) -> Memory:
    return np.frombuffer(bytearray(memory), dtype)


def in_words(error: BaseException) -> str:
    """An error in a line: the sentence of an `AstragalError`, or the kind and the text of Python's error."""
    text = next(iter(str(error).splitlines()), "")
    return text if isinstance(error, AstragalError) else f"{type(error).__name__}{f': {text}' if text else ''}"


def located(rules: Any, name: str, memory: Memory, arguments: tuple[Any, ...], what: str, place: str) -> str:
    numbers = [argument for argument in arguments if isinstance(argument, (int, np.integer))]
    given = ""
    if numbers and name in ARGUMENTS:
        number = numbers[0] + 1 if ARGUMENTS[name] == "player" else numbers[0]
        given = f" of {ARGUMENTS[name]} {number}"
    return f"{what} at '{text_of(rules, memory)}' ({place}, in {name}{given})"


def text_of(rules: Any, memory: Memory) -> str:
    """A state in the game's own notation, or by its fields where that cannot be written."""
    from astragal.rules.position import write_fields

    if hasattr(rules, "to_text"):
        with contextlib.suppress(Exception):  # it is the game's own, and something is wrong with the game
            return str(rules.to_text(State(memory)))
    return write_fields(memory)


def place_of(error: BaseException, name: str = "") -> str:
    """``my_game.py line 12``: the line of the game's own code that an error came from."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if not frame.filename.startswith((*MACHINERY, "<"))] or frames
    if not own:
        return "?"
    last = own[-1]
    helper = f" in {last.name}," if name and last.name not in (name, "call") else ""
    return f"{os.path.basename(last.filename)} line {last.lineno}{f',{helper}'.rstrip(',') if helper else ''}"


def definition(method: Any) -> str:
    code = getattr(method, "__func__", method).__code__
    return f"{os.path.basename(code.co_filename)} line {code.co_firstlineno}"


def guarded_twin(rules: Any) -> Any:
    """The twin of a game as others call it; its own methods call each other directly."""
    outside = type(rules)()
    outside.__dict__.update(rules.__dict__)
    for name in NAMES:
        method = rules.__dict__.get(name)
        if isinstance(method, MethodType):
            if method.__func__.__code__.co_filename == defaults.__file__:  # what it calls is the game's own
                method = MethodType(method.__func__, outside)
            outside.__dict__[name] = guarded(rules, name, method)
    return outside


# Compiled


def explained(error: Exception, arguments: tuple[Any, ...]) -> Exception:
    """What to raise for an error that came out of a kernel: the same error if no method of a game caused it."""
    note, notes.last = notes.last, None
    games = [one for one in arguments if hasattr(type(one), "_twin_") and hasattr(one, "max_actions")]
    if type(error).__module__.startswith("numba") or any(words in str(error) for words in NOT_COMPILED):
        return GameError(f"the game cannot be compiled: {why_not_compiled(error, games)}")
    if note is None or not games or isinstance(error, MethodError):
        return error
    if isinstance(error, EndlessLoop):  # which would not come back
        return compiled_only(games[0], note, error)
    return again(games[0], note) or compiled_only(games[0], note, error)


def why_not_compiled(error: Exception, games: list[Any]) -> str:
    """The cause of an error while compiling; Numba does not name the parameter that is not constant."""
    from astragal.compiler.compile_errors import compile_reason
    from astragal.rules.checks.warnings import not_constant

    sentences = [sentence for game in games for sentence in not_constant(game)]
    return sentences[0] if sentences and NOT_COMPILED[0] in str(error) else compile_reason(error)


def again(game: Any, note: Note) -> MethodError | None:
    """Call a method once more, interpreted, and return what is wrong."""
    from astragal.rules.position import Listing

    rules, memory = game._twin_, record(note.memory, game.state)
    if not note.method:
        return look_below(game, memory)
    if needs_more(note):
        return None
    state, arguments = State(memory), own_arguments(note)
    try:
        if note.method in COUNTS:
            bound = COUNTS[note.method]
            getattr(rules, note.method)(state, Listing(getattr(game, bound), game, bound))
            return None
        result = getattr(rules, note.method)(state, *arguments)
        if note.method == "turn":
            in_turn_interpreted(rules, state, int(result))
    except MethodError as found:
        return found
    except Exception:
        return None
    return None


def look_below(game: Any, memory: Memory) -> MethodError | None:
    """Evaluate the states that follow, until a value is not allowed."""
    from astragal.rules.position import Position

    pending = [(Position(game, memory), LEVELS)]
    while pending:
        position, levels = pending.pop()
        try:
            position.evaluations()
            steps = [outcome.number for outcome in position.outcomes()] + position.actions()
            pending += [(position.follow(step), levels - 1) for step in steps if levels]
        except MethodError as found:
            return found
    return None


def parameters_of(name: str) -> int:
    """How many a method takes besides the game and the state."""
    return max(next((member.signature for member in METHODS if member.name == name), "").count(", ") - 1, 0)


def own_arguments(note: Note) -> tuple[int, ...]:
    return (note.argument,) if parameters_of(note.method) and note.method not in COUNTS else ()


def needs_more(note: Note) -> bool:
    """Whether a method took more arguments than the one number that is recorded, so that it cannot be called again."""
    return parameters_of(note.method) > 1


def compiled_only(game: Any, note: Note, error: Exception) -> MethodError:
    """The error that machine code reported, if the same call in Python succeeds or cannot be made."""
    again = not needs_more(note) and not isinstance(error, EndlessLoop)
    what = in_words(error) + (" (compiled; interpreted it goes well)" if again else "")
    place, memory = place_of(error, note.method), record(note.memory, game.state)
    return MethodError(located(game._twin_, note.method, memory, own_arguments(note), what, place))


guards.names, guards.changing, guards.finite, guards.counts = NAMES, CHANGING, FINITE, COUNTS
guards.games, guards.sums = ("astragal.games", "astragal.gdl"), ("astragal.algorithms.star",)
guards.explain, guards.in_turn = explained, in_turn_interpreted
