"""What every player has: a name, settings, a test whether it can play a game, and a search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, dataclass_transform
from weakref import WeakKeyDictionary

from astragal.algorithms.limits import MOST_LINES, NO_LIMITS, Limits
from astragal.algorithms.progress import Progress
from astragal.algorithms.request import SearchRequest
from astragal.algorithms.result import SearchResult
from astragal.base.errors import AstragalError, SpecError
from astragal.base.parameters import build, describe, parameter_fields, spell, split_settings
from astragal.games import game_spec
from astragal.learn.model import OWN, evaluated_game
from astragal.rules.decorator import keeps_secrets
from astragal.rules.position import History, Position
from astragal.rules.protocol import Game

if TYPE_CHECKING:
    from astragal.algorithms.search import Search

P = TypeVar("P", bound="Player")


@dataclass(frozen=True)
class Player:
    """The base of all players."""

    player_name: ClassVar[str] = ""
    rank: ClassVar[int] = 9  # its place in listings
    game_defaults: ClassVar[dict[str, dict[str, str]]] = {}  # game -> settings that its paper used or that win there
    only_for: ClassVar[tuple[str, ...]] = ()  # the games that a scripted player plays; empty: any
    compiles: ClassVar[bool] = False  # whether it runs kernels, which can be compiled ahead
    keeps_time: ClassVar[bool] = False  # whether it counts its time itself, by the clock on the wall
    runs_programs: ClassVar[bool] = False  # whether its settings name a program to run: not for texts of strangers

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        """The text that makes this player for any game: settings that are not default, or differ between games."""
        varied, changed = self.varied_settings(), describe(self).split(",")
        every = describe(self, only_changed=False).split(",")
        settings = ",".join(item for item in every if item in changed or item.partition("=")[0] in varied)
        return f"{self.player_name}:{settings}" if settings else self.player_name

    def text_for(self, game: Game) -> str:
        """The shortest text that makes this player again for a game: without the game's default settings."""
        kind = type(game)
        if kind not in self._texts:
            name = self.player_name
            usual = build(type(self), self.defaults_for(game), name)
            names = [field.name for field in parameter_fields(type(self))]
            changed = [each for each in names if getattr(self, each) != getattr(usual, each)]
            settings = ",".join(f"{each}={spell(getattr(self, each))}" for each in changed)
            self._texts[kind] = f"{name}:{settings}" if settings else name
        return self._texts[kind]

    @cached_property
    def _texts(self) -> WeakKeyDictionary[type, str]:
        """The shortest texts by the games' classes, which decide on what is usual."""
        return WeakKeyDictionary()

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def defaults_for(cls, game: Game) -> dict[str, str]:
        """The settings with other defaults in a game."""
        return dict(cls.game_defaults.get(game_spec(game).partition(":")[0], {}))

    @classmethod
    def varied_settings(cls) -> set[str]:
        """The settings that `defaults_for` may change."""
        return {key for settings in cls.game_defaults.values() for key in settings}

    @classmethod
    def split(cls, text: str) -> dict[str, str]:
        """The settings in the text after a player's name and its colon."""
        return split_settings(text, cls.player_name)

    def refuse_unfit(self, game: Game) -> None:
        """Raise in a sentence if this player cannot play a game."""
        self.sees(game)
        name = game_spec(game).partition(":")[0]
        if self.only_for and name not in self.only_for:
            raise AstragalError(f"{self.player_name} only plays {' and '.join(self.only_for)}, not {name}")

    def sees(self, game: Game) -> Game:
        """The game as this player evaluates it: itself, or with the evaluation that the settings name."""
        evaluation = getattr(self, "evaluation", OWN)
        return game if evaluation == OWN else evaluated_game(game, evaluation)

    @cached_property
    def pessimistic(self) -> bool:
        """Whether it searches as if the other players saw its choice where all choose at once."""
        return self.compiles and getattr(self, "simultaneous", "") != "decoupled"

    @cached_property
    def limits(self) -> Limits:
        """The limits among the settings."""
        return Limits(**{field.name: getattr(self, field.name, None) for field in fields(Limits)})

    @property
    def shares_its_search(self) -> bool:
        """Whether several threads search together, so that what they find depends on who is first."""
        return getattr(self, "threads", None) not in (None, 0, 1) and getattr(self, "parallel", "tree") == "tree"

    def versions(self) -> dict[str, int]:
        """The families of searches that it plays by, each with its version; none if it does not search."""
        return {}

    def new_session(self) -> Any:
        """What the player keeps from move to move of one game, to hand to `search`; None if it keeps nothing."""
        return None

    def make_ready(self, game: Game, session: Any) -> None:
        """Do what is needed before the first move of a game and is not thinking; no clock runs."""

    def search(
        self,
        position: Position,
        seed: int = 0,
        limits: Limits | None = None,
        progress: Progress | None = None,
        session: Any = None,
        history: History | None = None,
        lines: int = 1,
    ) -> SearchResult:
        """Find an action; limits given here take the place of the settings' own.

        Here, for every player, what others have chosen at the same time is taken out of the position, and a learned
        evaluation takes the place of the game's own. With ``lines`` more than 1, as many of the best actions get
        a value and a line.
        """
        if lines != 1:
            self.refuse_lines(lines)
        chosen = self.limits if limits is None or limits == NO_LIMITS else limits
        known = position.known()
        told = history if known is position or known == position else None
        taking_turns = self.pessimistic and keeps_secrets(position.game)
        text = self.text_for(position.game)
        if (seen := self.sees(position.game)) is not position.game:
            known = Position(seen, known.memory)
        return self.answer(SearchRequest(known, text, seed, chosen, progress, session, taking_turns, told, lines))

    def gives_lines(self) -> bool:
        """Whether its search finds several best lines, if asked to."""
        return False

    def refuse_lines(self, lines: int) -> None:
        if not 1 <= lines <= MOST_LINES:
            raise SpecError(f"lines must be from 1 to {MOST_LINES}, not {lines}")
        if not self.gives_lines():
            raise SpecError(f"{self.player_name} finds one line; searches that go depth first, such as star, find more")

    def answer(self, request: SearchRequest) -> SearchResult:
        """What each player does to find an action."""
        raise NotImplementedError


class SearchingPlayer(Player):
    """A player that hands its settings, which are its own fields, to a search."""

    compiles: ClassVar[bool] = True

    @classmethod
    def search_class(cls) -> type[Search]:
        """The search of its family. Imported when asked for: kernels need Numba, which takes a while to import."""
        raise NotImplementedError

    def versions(self) -> dict[str, int]:
        return self.search_class().versions(self)

    def new_session(self) -> Any:
        return self.search_class().new_session(self)

    def gives_lines(self) -> bool:
        return self.search_class().gives_lines

    def refuse_unfit(self, game: Game) -> None:
        super().refuse_unfit(game)
        self.search_class().refuse(self.sees(game), self, self.player_name)

    def answer(self, request: SearchRequest) -> SearchResult:
        return self.search_class()(request, self).answer()


@dataclass_transform(frozen_default=True)
def player(name: str, rank: int = 9) -> Callable[[type[P]], type[P]]:
    """Class decorator: make a settings record a player of this name."""

    def name_it(cls: type[P]) -> type[P]:
        cls.player_name, cls.rank = name, rank
        return dataclass(frozen=True)(cls)

    return name_it


def require_decision(position: Position, who: str) -> list[int]:
    """The legal actions; raise in a sentence if there is nothing to decide."""
    actions = position.actions()
    if not actions:
        why = "the game is over" if position.is_terminal else "chance moves next"
        raise AstragalError(f"{who} has nothing to decide at '{position.text}': {why}")
    return actions
