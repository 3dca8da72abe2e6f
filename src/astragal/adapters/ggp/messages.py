"""The messages that a game manager sends to players, and their answers, in KIF.

They are those of Genesereth and Thielscher, *General Game Playing* (2014), chapter 3, with PREVIEW as ggp-base has it:

    (INFO)                                                  ((name astragal) (status available))
    (START match role (rules ...) start-clock play-clock)   ready
    (PREVIEW (rules ...) clock)                             ready
    (PLAY match (move ...)), (PLAY match nil) at first      the player's move
    (STOP match (move ...))                                 done
    (ABORT match)                                           done

Moves are in the order of the sheet's roles. A player that plays another match answers ``busy``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from astragal.base.errors import AstragalError, SheetError
from astragal.gdl.reading.clauses import ground_term
from astragal.gdl.reading.forms import Form, read_forms
from astragal.gdl.reading.rules import Term, kif

READY, DONE, BUSY, NIL = "ready", "done", "busy", "nil"
MESSAGE = "message"  # what errors call the text
LONGEST_CLOCK = 1_000_000  # seconds
LONGEST = 100_000  # characters of a message without rules
WITH_RULES = re.compile(r"\s*\(\s*(start|preview)\b", re.IGNORECASE)

Moves = tuple[Term, ...]


class MessageError(AstragalError):
    """A text that is not a message of the protocol."""


@dataclass(frozen=True)
class Info:
    """Whether the player is available."""

    def __str__(self) -> str:
        return "(INFO)"


@dataclass(frozen=True)
class Start:
    """A match begins. `rules` is the sheet's text, a rule a line."""

    match: str
    role: str
    rules: str
    start_clock: float
    play_clock: float

    def __str__(self) -> str:
        clocks = f"{self.start_clock:g} {self.play_clock:g}"
        return f"(START {self.match} {self.role} ({self.rules}) {clocks})"


@dataclass(frozen=True)
class Preview:
    """A sheet that may be played later."""

    rules: str
    clock: float

    def __str__(self) -> str:
        return f"(PREVIEW ({self.rules}) {self.clock:g})"


@dataclass(frozen=True)
class Play:
    """What all have done, None at first; a move is wanted."""

    match: str
    moves: Moves | None

    def __str__(self) -> str:
        return f"(PLAY {self.match} {moves_text(self.moves)})"


@dataclass(frozen=True)
class Stop:
    """What all have done last; the match is over."""

    match: str
    moves: Moves | None

    def __str__(self) -> str:
        return f"(STOP {self.match} {moves_text(self.moves)})"


@dataclass(frozen=True)
class Abort:
    """The match is broken off."""

    match: str

    def __str__(self) -> str:
        return f"(ABORT {self.match})"


Request = Info | Start | Preview | Play | Stop | Abort

ARGUMENTS = {
    "info": "",
    "start": "a match, a role, rules and two clocks",
    "preview": "rules and a clock",
    "play": "a match and moves",
    "stop": "a match and moves",
    "abort": "a match",
}
COUNTS = {"info": 0, "start": 5, "preview": 2, "play": 2, "stop": 2, "abort": 1}


def moves_text(moves: Moves | None) -> str:
    return NIL if moves is None else f"({' '.join(map(kif, moves))})"


def read_request(text: str) -> Request:
    """A text as a message; MessageError or SheetError with the reason if it is none."""
    if len(text) > LONGEST and not WITH_RULES.match(text):
        raise MessageError(f"a message other than START and PREVIEW has at most {LONGEST} characters")
    forms = read_forms(text, MESSAGE)
    if len(forms) != 1:
        raise MessageError(f"a message is one list, and this text has {len(forms)}")
    (form,) = forms
    word = form.word
    if word not in COUNTS:
        known = ", ".join(name.upper() for name in COUNTS)
        raise MessageError(f"a message begins with one of {known}")
    given = form.arguments
    if len(given) != COUNTS[word]:
        wanted = ARGUMENTS[word] or "nothing"
        raise MessageError(f"{word.upper()} is followed by {wanted}, and here by {len(given)} things")
    if word == "start":
        match, role, rules, start_clock, play_clock = given
        clocks = _seconds(start_clock), _seconds(play_clock)
        return Start(_symbol(match, "match"), _symbol(role, "role"), _rules(rules), *clocks)
    if word == "preview":
        return Preview(_rules(given[0]), _seconds(given[1]))
    if word == "play":
        return Play(_symbol(given[0], "match"), _moves(given[1]))
    if word == "stop":
        return Stop(_symbol(given[0], "match"), _moves(given[1]))
    return Abort(_symbol(given[0], "match")) if word == "abort" else Info()


def read_move(text: str) -> Term:
    """The move that a player answers; an error if it is none."""
    forms = read_forms(text, "answer")
    if len(forms) != 1:
        raise MessageError(f"a move is one term, and this answer has {len(forms)}")
    return ground_term(forms[0], "answer")


def info_answer(name: str, is_busy: bool) -> str:
    return f"((name {name}) (status {BUSY if is_busy else 'available'}))"


def _symbol(form: Form, what: str) -> str:
    if form.is_list or form.is_variable:
        raise SheetError(f"the {what} is a word", MESSAGE, form.line, form.column)
    return form.symbol


def _rules(form: Form) -> str:
    if not form.is_list:
        raise SheetError("the rules are a list", MESSAGE, form.line, form.column)
    return "\n".join(map(str, form.parts))


def _seconds(form: Form) -> float:
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", form.symbol) or float(form.symbol) > LONGEST_CLOCK:
        raise SheetError(f"a clock is a number of seconds up to {LONGEST_CLOCK}", MESSAGE, form.line, form.column)
    return float(form.symbol)


def _moves(form: Form) -> Moves | None:
    if form.symbol == NIL or (form.is_list and not form.parts):
        return None
    if not form.is_list:
        raise SheetError("the moves are a list, or nil", MESSAGE, form.line, form.column)
    return tuple(ground_term(part, MESSAGE) for part in form.parts)
