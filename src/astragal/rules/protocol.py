"""The contract of a game: its declarations and methods, each with a sentence.

The decorator's checks and the tables of the documentation (`docs/game_reference.py`) are made from it.

`Game` is the type of an instance once `@game` has added to its class what that left out. A type checker cannot see what
a decorator adds, so functions that users hand their own games to take any object.

This module does not import Numba.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np

from astragal.rules.dice import Dice

F = TypeVar("F", bound=Callable[..., Any])

ALWAYS, OPTIONAL = "always", "optional"


@dataclass(frozen=True)
class Mark:
    """What the contract holds of a member besides its signature and its sentence."""

    needed: str = ALWAYS  # or OPTIONAL, or the name of the method that it is needed with
    python_only: bool = False  # never called by compiled code
    default: Any = None  # of a declaration that is left out
    otherwise: str = ""  # what holds for a game that does not define it
    declared: bool = False  # an attribute, not a method
    own: bool = False  # metadata


def marked(mark: Mark) -> Callable[[F], F]:
    """A decorator that writes a mark on a function."""

    def write(function: F) -> F:
        function.__mark__ = mark  # type: ignore[attr-defined]
        return function

    return write


def declared(default: Any) -> Callable[[F], F]:
    """A declaration that a game may leave out."""
    return marked(Mark(OPTIONAL, default=default, declared=True))


def needed_with(method: str) -> Callable[[F], F]:
    """A method of games that have another one."""
    return marked(Mark(method))


def own(otherwise: str) -> Callable[[F], F]:
    """Metadata of a game, in Python, for programs that work with any game."""
    return marked(Mark(OPTIONAL, python_only=True, otherwise=otherwise, own=True))


must_declare = marked(Mark(declared=True))
always = marked(Mark())
optional = marked(Mark(OPTIONAL))
python_only = marked(Mark(OPTIONAL, python_only=True))


class Game(Protocol):
    """A game. States are records of its dtype, changed in place; actions and outcomes are numbers below 2^32."""

    # Declarations: class attributes, parameters or properties

    @property
    @must_declare
    def state(self) -> np.dtype[np.void]:
        """The fields of a state, all of them 0 before `start`."""

    @property
    @declared(2)
    def players(self) -> int:
        """The number of players."""

    @property
    @must_declare
    def max_actions(self) -> int:
        """An upper bound on the number of legal actions."""

    @property
    @declared(0)
    def max_outcomes(self) -> int:
        """An upper bound on the number of chance outcomes, to be declared where there are any."""

    @property
    @declared(None)
    def max_plies(self) -> int | None:
        """An upper bound on decisions and outcomes in a game, if there is one."""

    @property
    @declared((-1.0, 1.0))
    def utility_range(self) -> tuple[float, float]:
        """The lowest and the highest utility."""

    @property
    @declared(True)
    def zero_sum(self) -> bool:
        """Whether the players' utilities always add up to 0."""

    @property
    @declared(1.0)
    def point(self) -> float:
        """What one point of the game's own score is worth in utility."""

    @property
    @declared(False)
    def ignores_outcomes(self) -> bool:
        """Whether `heuristic` is the same before a roll and after each of its outcomes; `star` and `starss` then call
        it before the roll."""

    @property
    @declared(None)
    def probcut(self) -> tuple[float, float] | None:
        """The slope and standard deviation of ChanceProbCut's prediction, as `astragal dev probcut` prints them."""

    # Needed by every game

    @always
    def turn(self, state: Any) -> int:
        """The player to move, from 0, or `CHANCE`, or `TERMINAL`."""

    @always
    def actions(self, state: Any, out: Any) -> int:
        """Write the legal actions into `out`, likely good ones first, and return how many."""

    @always
    def play(self, state: Any, action: int) -> None:
        """Play an action of the player to move."""

    @always
    def utility(self, state: Any, player: int) -> float:
        """What a player gets at the end, in the range."""

    # Needed by games with chance

    @optional
    def outcomes(self, state: Any, out: Any) -> int:
        """Write the possible outcomes of chance into `out`, and return how many."""

    @needed_with("outcomes")
    def probability(self, state: Any, outcome: int) -> float:
        """The probability of an outcome, more than 0; those of all add up to 1."""

    @needed_with("outcomes")
    def deal(self, state: Any, outcome: int) -> None:
        """Let an outcome happen."""

    # Optional, for searches

    @optional
    def heuristic(self, state: Any, player: int) -> float:
        """An estimate of the utility, in the range, for states that are not over; the middle if left out."""

    @optional
    def heuristic_after(self, state: Any, action: int, player: int) -> float:
        """The heuristic of the state that an action leads to, computed faster than by playing it, for alpha-beta and
        `leaf=afterstate`; not a number (`np.nan`) where the game ends there."""

    @optional
    def best_after(self, state: Any, player: int) -> tuple[float, int]:
        """At a decision, the best value of `heuristic_after` for the player to move, as a given player's value,
        computed faster than one by one, and the number of actions; not a number if one of them ends the game."""

    @optional
    def heuristic_dealt(self, state: Any, outcome: int, player: int) -> float:
        """The heuristic of the state that an outcome leads to, computed faster than by dealing it; not a number where
        the game ends there."""

    @optional
    def draw(self, state: Any, word: int) -> int:
        """An outcome by its probability from 32 random bits, faster than from the list."""

    @optional
    def pick(self, state: Any, word: int) -> int:
        """A uniformly random legal action from 32 random bits, faster than from the list (the first listed from 0,
        unless there is `prefer`)."""

    @optional
    def rollout(self, state: Any, generator: int, decisions: int) -> tuple[int, int]:
        """Play on at random, as by `pick` and `draw`, until the game is over or `decisions` are made, faster than
        one by one; returns the generator's new state (`two_words` in `astragal.compiler.intrinsics.primitives`) and
        the decisions made."""

    @optional
    def prefer(self, state: Any, word: int) -> int:
        """The action that rollouts by the game's order take, ties broken by 32 random bits; by default the first
        listed."""

    @optional
    def representative(self, state: Any, outcome: int) -> int:
        """The representative of all outcomes worth the same, for searches with `merge=on`."""

    @optional
    def ceiling(self, state: Any, player: int, decisions: int) -> float:
        """The most that a player's value can be, now or up to `decisions` later, also before a roll, by the
        evaluation or at an end."""

    @optional
    def skip(self, state: Any) -> None:
        """At a decision, pass: a null move, for searches with `null=R`; chance or another player must be
        next, the game must not end, and it should hardly ever be better than the best action."""

    @optional
    def hidden(self, state: Any) -> int:
        """How many of the last decisions are hidden from the player to move (see below)."""

    @needed_with("hidden")
    def conceal(self, state: Any) -> None:
        """Change a state into what the player to move can see of it."""

    # Optional, for people

    @python_only
    def start(self, state: Any, dice: Dice) -> None:
        """Set up the start (all fields are 0 before); `dice.below(n)` draws from the seed."""

    @python_only
    def action_name(self, state: Any, action: int) -> str:
        """A short name without spaces; the number if left out."""

    @python_only
    def outcome_name(self, state: Any, outcome: int) -> str:
        """A short name without spaces; the number if left out."""

    @python_only
    def decode(self, state: Any, action: int) -> Any:
        """An action in the game's own terms, such as a cube and two squares, for drawings and other programs:
        `position.decode(action)`."""

    @python_only
    def show(self, state: Any) -> str:
        """A picture in text."""

    @python_only
    def picture(self, state: Any) -> Any:
        """A picture to see and to click on, see [pictures](pictures.md)."""

    @python_only
    def to_text(self, state: Any) -> str:
        """A one-line notation; the fields by name if left out."""

    @python_only
    def from_text(self, state: Any, text: str) -> None:
        """Read what `to_text` writes into a state; raise `ValueError` with a sentence."""

    # Optional, for learned evaluations (`astragal learn`)

    @optional
    def features(self, state: Any, player: int, out: Any) -> int:
        """Write the numbers of the inputs that are on, from a player's side, into `out`, and return how many; one
        that is written twice counts twice."""

    @optional
    def mover(self, state: Any) -> int:
        """The player to move or, where chance is next, the one who rolls; the evaluation is then learned from the
        mover's side."""

    # Metadata

    @own("made of the state's fields")
    def own_inputs(self) -> tuple[int, int]:
        """How many inputs `features` chooses from, and the most that it writes."""

    @own("nothing: anything in `utility_range`")
    def own_results(self) -> tuple[float, ...]:
        """The utilities a game can end with if they are few, from the lowest to the highest: a learned evaluation then
        estimates a chance of each."""

    @own("its class's name (its module's, in the package)")
    def own_title(self) -> str:
        """The name of the game."""

    @own("file, class and parameters")
    def own_spec(self) -> str:
        """The text that makes the game again."""

    @own("that of its class's source")
    def own_identity(self) -> str:
        """A hash of its states and rules, for solutions."""

    @own("that of its file")
    def own_source(self) -> str:
        """A hash of the text that its rules were read from, for results files."""

    @own("nothing: they have numbers")
    def own_roles(self) -> tuple[str, ...]:
        """The names of its players."""

    @own("`picture.py` in its folder, else its text is shown")
    def own_drawing(self) -> str:
        """The module that draws it, or the name of a game with the same drawing."""

    @own("nothing")
    def own_checks(self, games: int, seed: int) -> Iterable[Any]:
        """What `astragal check` tests besides, in `games` random games."""

    @own('"is not"')
    def why_not_zero_sum(self) -> str:
        """The words after "which this game" where a search needs a zero-sum game and it is none."""

    # Made by `@game`

    @property
    def _numba_type_(self) -> Any:
        """The type that kernels are compiled for."""

    @property
    def _twin_(self) -> Any:
        """The same game, run by Python."""


@dataclass(frozen=True)
class Member:
    """A member of the contract, as checks and documents need it."""

    name: str
    signature: str  # "self, state, action"; nothing for a declaration
    about: str
    mark: Mark


def members() -> Iterable[Member]:
    """All members that a game may define, in the order of `Game`."""
    for name, item in vars(Game).items():
        function: Any = item.fget if isinstance(item, property) else item
        mark = getattr(function, "__mark__", None)
        if mark is not None:
            signature = "" if mark.declared else ", ".join(inspect.signature(function).parameters)
            yield Member(name, signature, inspect.cleandoc(function.__doc__ or "").replace("\n", " "), mark)


CONTRACT = tuple(members())
DECLARATIONS = tuple(member for member in CONTRACT if member.mark.declared)
METHODS = tuple(member for member in CONTRACT if not member.mark.declared and not member.mark.own)
OWN = tuple(member for member in CONTRACT if member.mark.own)
