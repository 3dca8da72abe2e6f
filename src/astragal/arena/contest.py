"""A contest: who plays what against whom, and from which seeds. Equal contests have equal games, whoever plays them.

The unit is the **pair** of seat-swapped games, with the same dice and the same starting position. Where there are more
seats a pair has more games, one for each seating of the kinds of player. With two kinds all seatings count but those
with one kind alone: 2, 6 and 14 of them for 2, 3 and 4 seats. With as many kinds as seats every order of them is one.
Where there is one seat, any number of kinds take it in turn, each with the same dice.
"""

from __future__ import annotations

import json
import math
import pickle
import re
import threading
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import permutations, product
from typing import Any

from astragal.errors import AstragalError, SpecError
from astragal.game.clock import CLOCKS, WALL
from astragal.game.dice import Dice
from astragal.game.user_files import loaded_files
from astragal.games import built_in_name, game_spec, load_game
from astragal.players import load_player
from astragal.players.player import Player
from astragal.search.limits import Limits

MAX_SEATINGS = 64
EXPANDED = ("all", "interior")


@dataclass(frozen=True)
class Finish:
    """Who finishes a game, and from when on: a ply, or when a search has met enough ends of the game.

    The ratio is that of the searches of one kind of player (Ramanujan & Selman 2011: 0.003 in the tree of Minimax);
    where none is named, of the one which does not move.
    """

    players: tuple[str, ...]  # one for each kind
    ply: int | None = None  # counted in decisions
    terminal_ratio: float | None = None
    judge: int | None = None  # the kind whose searches have the ratio

    def check(self, kinds: int) -> None:
        if self.judge is not None and (self.terminal_ratio is None or not 0 <= self.judge < kinds):
            raise SpecError(f"the terminal ratio is that of one of {kinds} players, not of player {self.judge + 1}")
        if len(self.players) != kinds:
            raise SpecError(f"{kinds} players need as many to finish for them, not {len(self.players)}")
        if (self.ply is None) == (self.terminal_ratio is None):
            raise SpecError("others finish a game from a ply or from a terminal ratio on: name one of them")
        if self.ply is not None and self.ply < 0:
            raise SpecError(f"others finish a game from a ply on, which is not below 0: {self.ply}")
        if self.terminal_ratio is not None and not self.terminal_ratio >= 0.0:
            raise SpecError(f"others finish a game from a terminal ratio on, not {self.terminal_ratio:g}")


@dataclass(frozen=True)
class Contest:
    """Everything on which the games depend."""

    game: str
    kinds: tuple[str, ...]
    limits: Limits = field(default_factory=Limits)  # for all kinds; where none is set, each player's own
    seed: int = 0
    matched: int | None = None  # the kind that may use as many nodes as its opponent would at the same position
    finish: Finish | None = None
    seats: int = 2
    source: str = ""  # a hash of the file of a user's game: when that is edited, it is another contest
    clock: str = WALL  # that limits on time are by
    expanded: str = "all"  # the nodes that matched budgets and terminal ratios count: all, or those inside the tree
    given: Any = field(
        default=None, compare=False, repr=False
    )  # the game, where it was not given by text; or its pickle

    @classmethod
    def of(
        cls,
        game: str | Any,
        kinds: Sequence[str | Player],
        limits: Limits | None = None,
        seed: int = 0,
        matched: int | None = None,
        finish: Finish | None = None,
        expanded: str = "all",
        clock: str = WALL,
    ) -> Contest:
        """A contest in full words: with every setting that is not every game's default, and checked.

        Game and players are given by their texts, or as they are.
        """
        rules = load_game(game)
        contest = cls(
            game_spec(rules),
            tuple(str(load_player(kind, rules)) for kind in kinds),
            limits or Limits(),
            seed,
            matched,
            finish and replace(finish, players=tuple(str(load_player(kind, rules)) for kind in finish.players)),
            rules.players,
            game_source(rules),
            clock,
            expanded,
            None if isinstance(game, str) else rules,
        )
        contest.check()
        return contest

    def check(self) -> None:
        """Say in a sentence what does not fit together."""
        if not self.is_solo and len(self.kinds) not in (2, self.seats):
            either = "2" if self.seats == 2 else f"2 or {self.seats}"
            raise SpecError(f"{self.game} has {self.seats} seats: name {either} players, not {len(self.kinds)}")
        if self.matched is not None and not self.is_duel:
            raise SpecError("budgets can be matched between two players only")
        if self.matched not in (None, 0, 1):
            raise SpecError(f"budgets are matched for player 1 or 2, not {self.matched + 1}")
        if self.expanded not in EXPANDED:
            raise SpecError(f"nodes expanded are {' or '.join(EXPANDED)}, not {self.expanded}")
        if self.clock not in CLOCKS:
            raise SpecError(f"the clock is {' or '.join(CLOCKS)}, not '{self.clock}'")
        if self.clock != WALL:
            self.check_clock()
        if self.finish is not None:
            self.finish.check(len(self.kinds))

    def check_clock(self) -> None:
        """Refuse the processor's clock to players who count seconds of their own."""
        for kind in (*self.kinds, *(self.finish.players if self.finish else ())):
            player = load_player(kind)
            limits = player.limits if self.limits == Limits() else self.limits
            if player.keeps_time and (limits == Limits() or limits.time is not None):
                raise SpecError(f"{player.player_name} counts its seconds by the clock on the wall")

    @property
    def is_solo(self) -> bool:
        """Whether the game is for one: then players have scores of their own and win against nobody."""
        return self.seats == 1

    @property
    def is_duel(self) -> bool:
        """Whether two kinds of player play against each other."""
        return len(self.kinds) == 2 and not self.is_solo

    @cached_property
    def rules(self) -> Any:
        with loading:
            rules = self.load_rules()
        if game_source(rules) != self.source:
            raise AstragalError(f"the game {self.game} has been edited since this contest began")
        return rules

    def load_rules(self) -> Any:
        if self.given is not None:
            return pickle.loads(self.given) if isinstance(self.given, bytes) else self.given
        try:
            return load_game(self.game)
        except SpecError as error:
            if self.source and not re.search(r"\.(py|kif)\b", self.game):
                why = "was played as an object of a Python program, which is not here"
                raise AstragalError(f"the game {self.game} {why}: {error}") from None
            raise

    def label(self, player: str) -> str:
        """What tables and pictures call a player: without the settings that it has in this game anyway."""
        try:
            return load_player(player).text_for(self.rules)
        except AstragalError:  # a user's game that is not there any more
            return player

    @cached_property
    def seatings(self) -> list[tuple[int, ...]]:
        """Each game of a pair: seat -> kind."""
        seats = range(self.seats)
        if self.is_solo:
            return [(kind,) for kind in range(len(self.kinds))]
        if len(self.kinds) == 2:
            return [seated for seated in product((0, 1), repeat=self.seats) if len(set(seated)) == 2]
        if math.factorial(self.seats) <= MAX_SEATINGS:
            return list(permutations(seats))
        return [tuple((first + seat) % self.seats for seat in seats) for first in seats]

    def pairs_in_words(self, count: int = 2) -> str:
        """What people are told of so many: pairs, or, with more than two seatings, what that means."""
        games, several = len(self.seatings), "" if count == 1 else "s"
        if self.is_solo:
            return f"seed{several}"
        return f"pair{several}" if games == 2 else f"set{several} of {games} games"

    def pair_seed(self, pair: int) -> int:
        """Of the starting position and the dice of a pair's games."""
        return Dice(Dice(self.seed).bits() + pair).bits()

    def dice(self, pair: int) -> Dice:
        """For the chance events of a pair's games: another stream than the one that sets up the position."""
        return Dice(Dice(self.pair_seed(pair) ^ 0xD1CE).bits())

    def search_seed(self, pair: int, game: int, ply: int) -> int:
        """Of what a player draws; no two searches of a contest share it."""
        return Dice(Dice(self.pair_seed(pair) ^ 0x5EA2C4).bits() + (game << 32) + ply).bits()

    def to_json(self) -> str:
        plain = asdict(replace(self, given=None))
        del plain["given"]
        for name, usual in (("expanded", "all"), ("clock", WALL)):
            if plain[name] == usual:  # contests keep the words, and so the key, that they had before there was more
                del plain[name]
        if plain["finish"] and plain["finish"]["judge"] is None:
            del plain["finish"]["judge"]
        return json.dumps(plain, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Contest:
        plain = json.loads(text)
        finish = plain.pop("finish")
        if finish:
            finish["players"] = tuple(finish["players"])
        plain["kinds"] = tuple(plain["kinds"])
        plain["limits"] = Limits(**plain["limits"])
        return cls(**plain, finish=Finish(**finish) if finish else None)

    def __reduce__(self) -> tuple[Any, ...]:
        """Workers are sent the words of a contest and load its game themselves, or the game if there are no words."""
        given = self.given if self.given is None or isinstance(self.given, bytes) else pickle.dumps(self.given)
        return sent_contest, (self.to_json(), given)

    @property
    def key(self) -> str:
        """A name for the contest that another one does not have."""
        return sha256(self.to_json().encode()).hexdigest()[:16]


def game_source(rules: Any) -> str:
    """A hash of the source of a user's game; nothing for a game of the package, which has a version."""
    if file := loaded_files.get(type(rules).__module__):
        return file.source[:16]
    return str(rules.own_source()) or ("" if built_in_name(type(rules)) else str(rules.own_identity()))


loading = threading.RLock()  # a worker may have several threads


@lru_cache(maxsize=16)
def sent_contest(text: str, given: bytes | None) -> Contest:
    """The contest of these words. A worker gets them with each task and loads the game once, when it plays."""
    return replace(Contest.from_json(text), given=given)
