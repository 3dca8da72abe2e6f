"""A position: a state for Python code. It never changes; playing returns a new one."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from astragal.base.errors import AstragalError, GameError, IllegalAction, PositionError, suggest
from astragal.compiler.records import Memory, State, copy_of, field_names
from astragal.rules.decorator import CHANCE, TERMINAL, keeps_secrets
from astragal.rules.dice import Dice
from astragal.rules.faults import MethodError


@dataclass(frozen=True)
class Outcome:
    """One outcome of a chance event."""

    number: int
    name: str
    probability: float


class Position:
    """A state of a game, with readable names for what can be done in it.

    >>> from astragal import start
    >>> position = start("pig", seed=7).deal("8")
    >>> position.turn, position.action_names()
    (0, ['hold', 'roll'])
    >>> print(position.play("hold"))
      player 1  ##                                8
    > player 2                                    0 + 0 this turn
    """

    __slots__ = ("_actions", "_memory", "_rules", "_state", "_turn", "game")

    def __init__(self, game: Any, memory: Memory) -> None:
        self.game = game
        self._rules = game._twin_
        self._memory = memory
        self._state = State(memory)
        self._turn: int | None = None  # computed on first use
        self._actions: list[int] | None = None

    @classmethod
    def start(cls, game: Any, seed: int = 0) -> Position:
        """The starting position; the seed decides what the set-up leaves to chance."""
        position = cls(game, np.zeros(1, game.state))
        position._rules.start(position._state, Dice(seed))
        return position

    @classmethod
    def parse(cls, game: Any, text: str) -> Position:
        """The position that a one-line text describes (see `text`)."""
        position = cls(game, np.zeros(1, game.state))
        try:
            if hasattr(game, "from_text"):
                position._rules.from_text(position._state, text)
            else:
                read_fields(position._memory, text)
            if position.turn not in (CHANCE, TERMINAL, *range(game.players)):
                raise ValueError(f"there is no player {position.turn + 1}")
        except (ValueError, IndexError, OverflowError, MethodError) as error:
            raise PositionError(f"'{text}' is not a position of {game.own_title()}: {error}") from None
        return position

    # What the position is

    @property
    def state(self) -> State:
        """A copy of the state with its fields by name."""
        return State(copy_of(self._memory))

    @property
    def memory(self) -> Memory:
        """A copy of the state as kernels take it: a structured array of one record."""
        return copy_of(self._memory)

    @property
    def turn(self) -> int:
        """The player to move, from 0; or `CHANCE`, or `TERMINAL`."""
        if self._turn is None:
            self._turn = int(self._rules.turn(self._state))
        return self._turn

    @property
    def is_chance(self) -> bool:
        """Whether chance moves next."""
        return self.turn == CHANCE

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.turn == TERMINAL

    def utilities(self) -> tuple[float, ...]:
        """What each player gets at the end."""
        if not self.is_terminal:
            raise AstragalError("the game is not over: utilities are for finished games, evaluations for the others")
        return tuple(float(self._rules.utility(self._state, player)) for player in range(self.game.players))

    def evaluations(self) -> tuple[float, ...]:
        """The game's heuristic evaluation for each player; the utilities at the end."""
        if self.is_terminal:
            return self.utilities()
        return tuple(float(self._rules.heuristic(self._state, player)) for player in range(self.game.players))

    @property
    def text(self) -> str:
        """A one-line notation that `parse` reads."""
        if hasattr(self.game, "to_text"):
            return str(self._rules.to_text(self._state))
        return write_fields(self._memory)

    def __str__(self) -> str:
        return str(self._rules.show(self._state)) if hasattr(self.game, "show") else self.text

    def __repr__(self) -> str:
        return f"<{type(self.game).__name__} {self.text}>"

    def _repr_svg_(self) -> str | None:
        """What a notebook shows. Drawing is a higher layer, imported by name: without it a position still works."""
        return importlib.import_module("astragal.drawing.pictures.svg").shown(self)  # type: ignore[no-any-return]

    def copy(self) -> Position:
        """An equal position."""
        return Position(self.game, copy_of(self._memory))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.game == other.game and self._memory.tobytes() == other._memory.tobytes()

    def __hash__(self) -> int:
        return hash((self.game, self._memory.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        return position_again, (self.game, self._memory)

    @property
    def rules(self) -> Any:
        """The game run by Python, with all its methods, also those that only its drawings and players use.

        ``position.rules.mover(position.state)`` returns whose turn it is in Can't Stop before a roll.
        """
        return self._rules

    # Decisions

    def actions(self) -> list[int]:
        """The legal actions in the game's static order; none unless a player is to move."""
        if self._actions is None:
            listed = self._rules.actions, self.game.max_actions, "max_actions"
            self._actions = self._listed(*listed) if self.turn >= 0 else []
        return self._actions.copy()

    def action_name(self, action: int) -> str:
        """The name of an action; its number if the game gives none."""
        return str(self._rules.action_name(self._state, action)) if hasattr(self.game, "action_name") else str(action)

    def action_names(self) -> list[str]:
        """The names of the legal actions, in the same order."""
        return [self.action_name(action) for action in self.actions()]

    def decode(self, action: int) -> Any:
        """An action in the game's own terms, such as a cube and a square, by its `decode`; its number if it has none.

        How a game packs its actions into numbers is private to the game.
        """
        return self._rules.decode(self._state, action) if hasattr(self.game, "decode") else action

    def find_action(self, action: int | str) -> int:
        """The number of a legal action given by number or name."""
        if self.turn < 0:
            state = "the game is over" if self.is_terminal else "chance moves next: deal an outcome"
            raise IllegalAction(f"no action can be played: {state}")
        return find("action", action, self.actions(), self.action_names())

    def play(self, action: int | str) -> Position:
        """The position after a legal action, given by number or name."""
        number = self.find_action(action)
        after = self.copy()
        after._rules.play(after._state, number)
        return after

    # Secrets

    @property
    def hidden(self) -> int:
        """How many of the last decisions are hidden from the player to move."""
        return int(self._rules.hidden(self._state)) if self.turn >= 0 else 0

    @property
    def at_once(self) -> bool:
        """Whether another player chooses next without seeing the choice of the player to move."""
        if self.turn < 0 or not keeps_secrets(self.game):
            return False
        here = self.known()
        return here.follow(here.actions()[0]).hidden > 0

    def known(self) -> Position:
        """The position as the player to move sees it: nothing hidden has been chosen yet, and this player is first.

        The legal actions are the same. Searches search this position, and a person to move is shown it.
        """
        if self.turn < 0 or not keeps_secrets(self.game):
            return self
        concealed = self.copy()
        concealed._rules.conceal(concealed._state)
        return concealed

    # Chance

    def outcomes(self) -> list[Outcome]:
        """The possible outcomes of chance; empty unless chance moves next."""
        if not self.is_chance:
            return []
        numbers = self._listed(self._rules.outcomes, self.game.max_outcomes, "max_outcomes")
        return [Outcome(n, self.outcome_name(n), float(self._rules.probability(self._state, n))) for n in numbers]

    def outcome_name(self, outcome: int) -> str:
        """The name of an outcome; its number if the game gives none."""
        named = hasattr(self.game, "outcome_name")
        return str(self._rules.outcome_name(self._state, outcome)) if named else str(outcome)

    def deal(self, outcome: int | str) -> Position:
        """The position after a chance outcome, given by number or name."""
        if not self.is_chance:
            raise IllegalAction(
                "no outcome can be dealt: " + ("the game is over" if self.is_terminal else "a player is to move")
            )
        listed = self.outcomes()
        number = find("outcome", outcome, [o.number for o in listed], [o.name for o in listed])
        after = self.copy()
        after._rules.deal(after._state, number)
        return after

    def draw(self, dice: Dice | int) -> int:
        """An outcome drawn by its probability, from dice or a seed."""
        if not self.is_chance:
            raise IllegalAction("no outcome can be drawn: chance does not move next")
        source = dice if isinstance(dice, Dice) else Dice(dice)
        return int(self._rules.draw(self._state, source.word()))

    def sample(self, dice: Dice | int) -> Position:
        """The position after an outcome drawn by its probability, from dice or a seed."""
        return self.deal(self.draw(dice))

    def settled(self, dice: Dice | int) -> Position:
        """This position, or the first one that is not chance's after drawing what chance decides before it."""
        source = dice if isinstance(dice, Dice) else Dice(dice)
        position = self
        while position.is_chance:
            position = position.sample(source)
        return position

    def follow(self, number: int) -> Position:
        """The position after a legal action or, at a chance node, a possible outcome; not checked."""
        after = self.copy()
        (after._rules.deal if self.is_chance else after._rules.play)(after._state, number)
        return after

    def step_name(self, number: int) -> str:
        """The name of an action, or at a chance node of an outcome."""
        return self.outcome_name(number) if self.is_chance else self.action_name(number)

    def _listed(self, method: Any, bound: int, declared: str) -> list[int]:
        out = Listing(bound, self.game, declared)
        return [int(number) for number in out[: int(method(self._state, out))]]


def position_again(game: Any, memory: Memory) -> Position:
    """A position that was pickled or copied, with the game of this process."""
    if memory.dtype != game.state:
        raise PositionError(f"a position of {game.own_title()} was kept with another state than the game has now")
    return Position(game, copy_of(memory))


class Listing(list[int]):
    """A list of fixed length that names the declared bound that is too small when a game writes past its end."""

    def __init__(self, length: int, game: Any, declared: str) -> None:
        super().__init__([0] * length)
        self._game, self._declared = game, declared

    def __setitem__(self, index: Any, value: Any) -> None:
        try:
            super().__setitem__(index, value)
        except IndexError:
            what = f"{self._declared} = {len(self)}"
            raise GameError(f"game {type(self._game).__name__} lists more than {what}") from None


def find(noun: str, wanted: int | str, numbers: Sequence[int], names: Sequence[str]) -> int:
    """The index among the legal ones of an action or outcome given by number or name."""
    if isinstance(wanted, str):
        for number, name in zip(numbers, names, strict=True):
            if name.lower() == wanted.strip().lower():
                return number
    elif int(wanted) in numbers:
        return int(wanted)
    shown = f"'{wanted}'" if isinstance(wanted, str) else str(wanted)
    legal = ", ".join(names[:40]) + (f" and {len(names) - 40} more" if len(names) > 40 else "")
    hint = suggest(wanted, names) if isinstance(wanted, str) else ""
    raise IllegalAction(f"{shown} is not a legal {noun} here; legal: {legal}{hint}")


def start_states(game: Any, seeds: Iterable[int]) -> Memory:
    """Starting states in one array. NumPy's own joining of records would lay their fields out anew."""
    memories = [Position.start(game, seed).memory for seed in seeds]
    return np.ndarray(len(memories), game.state, bytearray(b"".join(each.tobytes() for each in memories)))


def write_fields(memory: Memory) -> str:
    """The notation of games that have none of their own: ``score=12,30 turn=0``."""
    return " ".join(f"{name}={','.join(map(str, np.ravel(field).tolist()))}" for name, field in plain_fields(memory))


def read_fields(memory: Memory, text: str) -> None:
    fields = dict(plain_fields(memory))
    for item in text.split():
        name, equals, value = item.partition("=")
        if not equals or name not in fields:
            raise ValueError(f"write fields as name=value; the names are {', '.join(fields)}{suggest(name, fields)}")
        field = fields[name]
        number = float if field.dtype.kind == "f" else int
        values = [number(part) for part in value.split(",")]
        if len(values) != field.size:
            raise ValueError(f"{name} has {field.size} values, not {len(values)}")
        field[...] = np.reshape(np.array(values, field.dtype), field.shape)


def plain_fields(memory: Memory, record: str = "") -> Iterator[tuple[str, Any]]:
    """The fields of a state that hold numbers, by name; those of a record in it as ``record.name``."""
    for name in field_names(memory):
        field = memory[name]
        if field.dtype.names is None:
            yield record + name, field
        else:
            yield from plain_fields(field, f"{record}{name}.")


@dataclass(frozen=True)
class History:
    """A first position, and the number of every action and outcome since."""

    start: Position
    steps: tuple[int, ...] = ()
