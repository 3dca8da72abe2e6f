"""What goes wrong in a game's methods, said in a sentence: the error, the state, the file, the line and the method.

Interpreted, a method is called through a `guarded` one, which knows the state before the call. Compiled, a kernel that
meets an error, or a number that cannot be, hands the state over to `noted` on its way out (`astragal.game.guard`); the
method is then called again with that state, interpreted, for Python to say what is wrong and where.

This module does not import Numba.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import sysconfig
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import MethodType
from typing import Any, NamedTuple

import numpy as np

from astragal.errors import AstragalError, GameError
from astragal.game import defaults
from astragal.game.protocol import METHODS
from astragal.game.state import Memory, State

BELOW = -1  # in place of a method: something below the state is wrong
LEVELS = 3  # of steps below it that are looked at
NAMES = tuple(member.name for member in METHODS)  # compiled code knows a method by its place here
COUNTS = {"actions": "max_actions", "outcomes": "max_outcomes"}  # methods that say how many -> what bounds it
VALUES = frozenset({"heuristic", "utility", "probability"})
NUMBERS = VALUES | COUNTS.keys() | {"turn", "draw", "pick", "prefer", "representative", "hidden"}
CHANGING = frozenset({"play", "deal", "skip", "conceal", "start", "wander"})  # they leave another state behind
READERS = ValueError, IndexError, OverflowError  # what `from_text` may raise: it is the text that is wrong
ARGUMENTS = {"play": "action", "deal": "outcome", "utility": "player", "heuristic": "player", "probability": "outcome"}
MACHINERY = tuple(
    os.path.join(folder, "")
    for folder in (Path(__file__).parent, Path(np.__file__).parent, sysconfig.get_path("stdlib"))
)
NOT_COMPILED = "'literal_value'", "recursive call with other types"  # in errors of our own while compiling
PRINTED = 10  # calls of `print` in methods that are shown


class MethodError(GameError):
    """An error in a method of a game, with the place and the state."""


class Note(NamedTuple):
    """Which method a kernel had called, with what, when something went wrong."""

    method: str
    memory: bytes
    argument: int


# Interpreted


def guarded(instance: Any, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a game as others call it: what it raises, or returns and must not, is a sentence with its place."""
    changes, checked = name in CHANGING, name in NUMBERS
    usual = float if name in VALUES else int
    least, most = (1, getattr(instance, COUNTS[name])) if name in COUNTS else (-math.inf, math.inf)

    def call(state: Any, *arguments: Any) -> Any:
        memory = state._memory
        before = memory.tobytes() if changes else b""
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
        if not checked or (type(result) is usual and least <= result <= most and result - result == 0):
            return result  # the last is so of any finite number
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
    """What is wrong with a number that a method returned; nothing most often."""
    kind = type(result)
    if result is None:
        return f"{name} returned nothing (is a return missing?)"
    if name in VALUES:
        if kind is not float and not isinstance(result, (int, float, np.number, np.bool_)):
            return f"{name} returned {result!r}, which is no number"
        finite = math.isfinite(result)
        who = f" of player {arguments[0] + 1}" if arguments and name != "probability" else ""
        return "" if finite else f"{name}{who} is {float(result):g}, which is no value a search can use"
    if kind is not int and not isinstance(result, (int, np.integer, np.bool_)):
        return f"{name} returned {result!r}, which is no whole number"
    if name in COUNTS and not 0 <= result <= (most := getattr(instance, COUNTS[name])):
        return f"{name} returned {result}, " + (
            "which is no number of them" if result < 0 else f"more than {COUNTS[name]} = {most}"
        )
    return ""


def nothing_listed(rules: Any, name: str, count: Any, state: Any) -> str:
    """What is wrong with an empty list, which no state has where somebody is to move."""
    if name not in COUNTS or count != 0:
        return ""
    return "chance has no outcome" if name == "outcomes" else f"player {rules.turn(state) + 1} has no action"


def in_turn_interpreted(rules: Any, state: Any, turn: int) -> int:
    """Whose turn it is; nobody's is an error."""
    if -1 <= turn < rules.players:
        return turn
    what = f"turn is {turn}, which is neither CHANCE, TERMINAL nor a player (0 to {rules.players - 1}),"
    method = getattr(rules.turn, "__wrapped__", rules.turn)
    raise MethodError(located(rules, "turn", state._memory, (), what, definition(method)))


def record(memory: bytes, dtype: np.dtype[Any]) -> Memory:
    return np.frombuffer(bytearray(memory), dtype)


def in_words(error: BaseException) -> str:
    """An error in a line: what a sentence of ours says, or Python's kind of error and its words."""
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
    from astragal.game.position import write_fields

    if hasattr(rules, "to_text"):
        with contextlib.suppress(Exception):  # it is the game's own, and something is wrong with the game
            return str(rules.to_text(State(memory)))
    return write_fields(memory)


def place_of(error: BaseException, name: str = "") -> str:
    """``my_game.py line 12``: where in the code of a game an error came from, not in what that called."""
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
    """The twin of a game as others call it; its methods call one another as they are."""
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


class Notes(threading.local):
    """What kernels of this thread have noted."""

    last: Note | None = None


notes = Notes()


def noted(method: int, memory: bytes, argument: int) -> None:
    notes.last = Note("" if method == BELOW else NAMES[method], memory, argument)


def explained(error: Exception, arguments: tuple[Any, ...]) -> Exception:
    """What to say of an error that came out of a kernel: the same where no method of a game had a part in it."""
    note, notes.last = notes.last, None
    games = [one for one in arguments if hasattr(type(one), "_twin_") and hasattr(one, "max_actions")]
    if type(error).__module__.startswith("numba") or any(words in str(error) for words in NOT_COMPILED):
        return GameError(f"the game cannot be compiled: {why_not_compiled(error, games)}")
    if note is None or not games or isinstance(error, MethodError):
        return error
    return again(games[0], note) or compiled_only(games[0], note, error)


def why_not_compiled(error: Exception, games: list[Any]) -> str:
    """What an error while compiling comes down to; Numba does not say which parameter is not constant."""
    from astragal.game.compile_errors import compile_reason
    from astragal.game.doubts import not_constant

    sentences = [sentence for game in games for sentence in not_constant(game)]
    return sentences[0] if sentences and NOT_COMPILED[0] in str(error) else compile_reason(error)


def again(game: Any, note: Note) -> MethodError | None:
    """Call a method once more, interpreted, and hear what is wrong."""
    from astragal.game.position import Listing

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
    """Ask for the evaluations of what follows a state, until one of them is no value."""
    from astragal.game.position import Position

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
    """Whether a method took more than the one number that is noted, so that it cannot be called again."""
    return parameters_of(note.method) > 1


def compiled_only(game: Any, note: Note, error: Exception) -> MethodError:
    """What machine code says went wrong where the same call in Python goes well, or cannot be made."""
    what = in_words(error) + ("" if needs_more(note) else " (compiled; interpreted it goes well)")
    place, memory = place_of(error, note.method), record(note.memory, game.state)
    return MethodError(located(game._twin_, note.method, memory, own_arguments(note), what, place))


# Printing


class Printing:
    """How often methods have printed; one thread at a time, so that lines stay whole."""

    calls = 0
    lock = threading.Lock()


def limited_print(*arguments: Any, **options: Any) -> None:
    """What methods call as `print`: the first few are shown, and then it is said that no more will be."""
    with Printing.lock:
        Printing.calls += 1
        if Printing.calls <= PRINTED:
            print(*arguments, **options)
        elif Printing.calls == PRINTED + 1:
            sentence = f"astragal: print was called {PRINTED} times in methods of the game; no more is shown"
            print(sentence, file=sys.stderr)
