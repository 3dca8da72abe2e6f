"""A contest: who plays what against whom, and from which seeds; and the record of each game that was played.

Equal contests have equal games on every machine.
"""

from __future__ import annotations

import json
import math
import pickle
import re
import threading
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import permutations, product
from typing import Any, NamedTuple

from astragal.algorithms.limits import Limits
from astragal.arena.time_control import TimeControl
from astragal.base.errors import AstragalError, SpecError
from astragal.base.interruptible import CLOCKS, WALL
from astragal.games import built_in_name, game_spec, load_game, load_kept_game, name_game
from astragal.players import load_player
from astragal.players.player import Player
from astragal.rules.dice import Dice
from astragal.rules.user_files import user_file


class SearchStats(NamedTuple):  # of which a report reads millions
    """What is noted of the search behind a decision."""

    seconds: float
    nodes: int
    depth: int
    value: float | None  # for the mover
    over: float  # seconds beyond the limit
    budget: int | None  # nodes the player was allowed by its opponent, where budgets are matched
    seat: int | None = None  # who decided; older files do not say
    processor: float | None = None  # seconds that the processor gave it; nor this


@dataclass(frozen=True)
class GameRecord:
    """A game. Seats, players and plies are numbered from 0."""

    pair: int
    game: int  # which of the pair's seatings
    seats: tuple[int, ...]  # seat -> kind of player
    seed: int  # of the starting position and the dice
    steps: tuple[int, ...]  # every action and outcome, in order
    searches: tuple[SearchStats, ...]  # one for each action
    utilities: tuple[float, ...]  # seat -> what the end was worth
    forfeit: int | None = None  # the seat that lost by a fault
    fault: str = ""
    finished_from: int | None = None  # the ply from which other players finished the game
    seconds: float = 0.0

    @property
    def number(self) -> tuple[int, int]:
        return self.pair, self.game

    @property
    def scores(self) -> tuple[float, ...]:
        """Seat -> its share of the win: those with the highest utility share it."""
        best = max(self.utilities)
        winners = [utility == best for utility in self.utilities]
        return tuple(won / sum(winners) for won in winners)

    def utility_of(self, kind: int) -> float:
        """What the end was worth to the seats of a kind, on average; not a number where it has none."""
        found = [utility for utility, seated in zip(self.utilities, self.seats, strict=True) if seated == kind]
        return sum(found) / len(found) if found else math.nan

    def score_of(self, kind: int) -> float:
        """The share of the win that went to seats of a kind; where all seats share it, a kind's share of the kinds."""
        scores = self.scores
        if len(set(scores)) == 1:
            return 1 / len(set(self.seats))
        return sum(score for score, seated in zip(scores, self.seats, strict=True) if seated == kind)


MAX_SEATINGS = 64
Versions = tuple[tuple[str, int], ...]  # of families of searches
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

    def __str__(self) -> str:
        """As ``--finish`` takes it."""
        when = f"ply={self.ply}" if self.ply is not None else f"terminal_ratio={self.terminal_ratio!r}"
        judge = "" if self.judge is None else f",judge={self.judge + 1}"
        return f"{';'.join(self.players)}@{when}{judge}"

    def check(self, kinds: int) -> None:
        if self.judge is not None and (self.terminal_ratio is None or not 0 <= self.judge < kinds):
            raise SpecError(f"the terminal ratio is that of one of {kinds} players, not of player {self.judge + 1}")
        if len(self.players) != kinds:
            raise SpecError(f"{kinds} players need as many to finish for them, not {len(self.players)}")
        if (self.ply is None) == (self.terminal_ratio is None):
            raise SpecError("say when others finish a game: from a ply on, or from a terminal ratio on")
        if self.ply is not None and self.ply < 0:
            raise SpecError(f"others finish a game from a ply on, which must be 0 or more, not {self.ply}")
        if self.terminal_ratio is not None and not self.terminal_ratio >= 0.0:
            raise SpecError(
                f"the terminal ratio from which others finish a game must be 0 or more, not {self.terminal_ratio:g}"
            )


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
    control: str | None = None  # a clock for the whole game, in place of a time for each move
    versions: Versions = ()  # of the families of searches that the players play by, where they are not 1
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
        control: str | None = None,
    ) -> Contest:
        """A contest in full words: with every setting that is not every game's default, and checked.

        Game and players are given by their texts, or as they are.
        """
        rules = load_game(game)
        players = [load_player(kind, rules) for kind in kinds]
        finishers = [load_player(kind, rules) for kind in finish.players] if finish else []
        contest = cls(
            game_spec(rules),
            tuple(map(str, players)),
            limits or Limits(),
            seed,
            matched,
            finish and replace(finish, players=tuple(map(str, finishers))),
            rules.players,
            game_source(rules),
            clock,
            expanded,
            control,
            raised_versions([*players, *finishers]),
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
        if self.control is not None:
            self.check_control()
        self.check_threads()
        if self.finish is not None:
            self.finish.check(len(self.kinds))

    def check_clock(self) -> None:
        """Refuse the processor's clock to players who count seconds of their own."""
        for kind in (*self.kinds, *(self.finish.players if self.finish else ())):
            player = load_player(kind, self.rules)
            limits = player.limits if self.limits == Limits() else self.limits
            if player.keeps_time and (limits == Limits() or limits.time is not None or self.control is not None):
                raise SpecError(f"{player.player_name} counts its seconds by the clock on the wall")

    def check_control(self) -> None:
        """Refuse what does not go with a clock for the whole game."""
        TimeControl.parse(self.control or "")
        if self.limits.time is not None:
            raise SpecError("a time for each move and a clock for the whole game exclude each other: --time, --control")
        if self.matched is not None or self.finish is not None:
            raise SpecError("with a clock for the whole game, budgets are not matched and no others finish the game")

    def check_threads(self) -> None:
        """Refuse searches whose games could not be played again, where limits count nodes or simulations."""
        for kind in (*self.kinds, *(self.finish.players if self.finish else ())):
            player = load_player(kind, self.rules)
            limits = player.limits if self.limits == Limits() else self.limits
            if limits.are_counted and player.shares_its_search:
                raise SpecError(
                    f"{kind} is not repeatable: several threads, and a limit on nodes or simulations; "
                    "leave threads out, or limit time or depth"
                )

    @property
    def is_solo(self) -> bool:
        """Whether the game is for one: then each player has a score, and wins against no other."""
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
            return load_kept_game(self.game)
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
        """What this many are called: pairs, or, with more than two seatings, sets of games."""
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
        plain["versions"] = dict(self.versions)
        for name, usual in (("expanded", "all"), ("clock", WALL), ("control", None), ("versions", {})):
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
        plain["versions"] = tuple(plain.get("versions", {}).items())
        return cls(**plain, finish=Finish(**finish) if finish else None)

    def is_other_version_of(self, other: Contest) -> bool:
        """Whether it differs in the versions of the searches alone."""
        return self.versions != other.versions and replace(self, versions=other.versions) == other

    def __reduce__(self) -> tuple[Any, ...]:
        """Workers are sent the words of a contest and load its game themselves, or the game if there are no words."""
        given = self.given if self.given is None or isinstance(self.given, bytes) else pickle.dumps(self.given)
        return sent_contest, (self.to_json(), given)

    @property
    def key(self) -> str:
        """A name for the contest that another one does not have."""
        return sha256(self.to_json().encode()).hexdigest()[:16]


def raised_versions(players: Iterable[Player]) -> Versions:
    """The versions of the families of searches that players play by, but for those of version 1.

    Version 1 is what a family played when versions began to be kept, and what was kept before then has no word of any.
    So that goes on as it would have done, under the same key. Whether a still older program had played other games
    cannot be seen from the key; the sessions of a results file name the program.
    """
    found = {family: version for player in players for family, version in player.versions().items()}
    return tuple(sorted((family, version) for family, version in found.items() if version != 1))


def versions_text(versions: Versions, families: Iterable[str] = ()) -> str:
    """Versions in words, and that of these families even if it is 1."""
    found = dict.fromkeys(families, 1) | dict(versions)
    return " and ".join(f"{family} version {version}" for family, version in sorted(found.items()))


def game_source(rules: Any) -> str:
    """A hash of the source of a user's game; nothing for a game of the package, which has a version."""
    if file := user_file(type(rules)):
        return file.source[:16]
    return str(rules.own_source()) or ("" if built_in_name(type(rules)) else str(rules.own_identity()))


loading = threading.RLock()  # a worker may have several threads


@lru_cache(maxsize=16)
def sent_contest(text: str, given: bytes | None) -> Contest:
    """The contest of these words. A worker gets them with each task and loads the game once, when it plays.

    The coordinator has loaded that game, so its file may be run here too.
    """
    name_game(json.loads(text)["game"])
    return replace(Contest.from_json(text), given=given)
