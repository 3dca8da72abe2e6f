"""What every player has: a name, settings, a reason to refuse a game, and an answer to a position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, dataclass_transform
from weakref import WeakKeyDictionary

from astragal.errors import AstragalError
from astragal.game.decorator import keeps_secrets
from astragal.game.history import History
from astragal.game.position import Position
from astragal.game.protocol import Game
from astragal.games import game_spec
from astragal.learn.model import OWN, evaluated_game
from astragal.parameters import build, describe, parameter_fields, spell, split_settings
from astragal.search.limits import NO_LIMITS, Limits
from astragal.search.progress import Progress
from astragal.search.request import SearchRequest
from astragal.search.result import SearchResult

if TYPE_CHECKING:
    from astragal.search.search import Search

P = TypeVar("P", bound="Player")


@dataclass(frozen=True)
class Player:
    """The base of all players."""

    player_name: ClassVar[str] = ""
    rank: ClassVar[int] = 9  # where it stands in listings
    game_defaults: ClassVar[dict[str, dict[str, str]]] = {}  # game -> settings that its paper used or that win there
    only_for: ClassVar[tuple[str, ...]] = ()  # the games a scripted player knows; empty: any
    compiles: ClassVar[bool] = False  # whether it runs kernels, which can be compiled ahead
    keeps_time: ClassVar[bool] = False  # whether it counts its time itself, by the clock on the wall
    runs_programs: ClassVar[bool] = False  # whether its settings name a program to run: not for texts of strangers

    def __str__(self) -> str:
        return self._text

    @cached_property
    def _text(self) -> str:
        """The text that gives this player again for any game: what is not default, or is another default for a game."""
        varied, changed = self.varied_settings(), describe(self).split(",")
        every = describe(self, only_changed=False).split(",")
        settings = ",".join(item for item in every if item in changed or item.partition("=")[0] in varied)
        return f"{self.player_name}:{settings}" if settings else self.player_name

    def text_for(self, game: Game) -> str:
        """The shortest text that gives this player again for a game: without the settings it has there anyway."""
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
        """The settings that are others in a game if nothing is said."""
        return dict(cls.game_defaults.get(game_spec(game).partition(":")[0], {}))

    @classmethod
    def varied_settings(cls) -> set[str]:
        """The settings of which `defaults_for` may speak."""
        return {key for settings in cls.game_defaults.values() for key in settings}

    @classmethod
    def split(cls, text: str) -> dict[str, str]:
        """The settings in the text after a player's name and its colon."""
        return split_settings(text, cls.player_name)

    def refuse_unfit(self, game: Game) -> None:
        """Say in a sentence why this player cannot play a game, if so."""
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
        """Whether it searches as if those who choose at once with it knew its choice."""
        return self.compiles and getattr(self, "simultaneous", "") != "decoupled"

    @cached_property
    def limits(self) -> Limits:
        """The limits among the settings."""
        return Limits(**{field.name: getattr(self, field.name, None) for field in fields(Limits)})

    def new_session(self) -> Any:
        """What the player keeps from move to move of one game, to hand to `search`; None if it keeps nothing."""
        return None

    def make_ready(self, game: Game, session: Any) -> None:
        """Do what has to be done before the first move of a game and is not thinking; no clock runs."""

    def search(
        self,
        position: Position,
        seed: int = 0,
        limits: Limits | None = None,
        progress: Progress | None = None,
        session: Any = None,
        history: History | None = None,
    ) -> SearchResult:
        """Find an action; limits given here take the place of the settings' own.

        Here, for every player, what others have chosen at the same time is taken out of the position, and a learned
        evaluation takes the place of the game's own.
        """
        chosen = self.limits if limits is None or limits == NO_LIMITS else limits
        known = position.known()
        told = history if known is position or known == position else None
        taking_turns = self.pessimistic and keeps_secrets(position.game)
        text = self.text_for(position.game)
        if (seen := self.sees(position.game)) is not position.game:
            known = Position(seen, known.memory)
        return self.answer(SearchRequest(known, text, seed, chosen, progress, session, taking_turns, told))

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
    """The legal actions, or a sentence where there is nothing to decide."""
    actions = position.actions()
    if not actions:
        why = "the game is over" if position.is_terminal else "chance moves next"
        raise AstragalError(f"{who} has nothing to decide at '{position.text}': {why}")
    return actions
