"""Tuning a player's settings by letting it play against itself, and what a run has tried, in the order met."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from astragal.arena.meeting import AnyMeeting
from astragal.arena.space import Choices, Range, Settings, Space
from astragal.arena.statistics.estimates import Bounded, estimated
from astragal.arena.store.results_store import Tally
from astragal.arena.summary import Standing
from astragal.arena.tables import tuned_text
from astragal.arena.tournament import elimination
from astragal.base.errors import AstragalError, SpecError, suggest
from astragal.base.frames import Rows, Tabular
from astragal.base.parameters import convert, parameter_fields, spell
from astragal.players import load_player
from astragal.players.player import Player
from astragal.rules.dice import Dice

BEST_FEW = 3  # of Optuna's settings that play again


class Meet(Protocol):
    def __call__(self, first: str, second: str, occasion: str, to_the_end: bool = False) -> AnyMeeting: ...


@dataclass(frozen=True)
class Tuner:
    """What is tuned, and how."""

    default: Player
    game: Any
    space: Space
    candidates: int = 16
    rounds: int = 1
    seed: int = 0

    def player(self, settings: Settings) -> str:
        """The default player with other settings, or a sentence about why that is none."""
        name = self.default.player_name
        known = {field.name: field for field in parameter_fields(type(self.default))}
        try:
            made = replace(self.default, **{key: convert(known[key], spell(settings[key]), name) for key in settings})
        except ValueError as error:
            raise SpecError(f"{name}: {error}") from None
        made.refuse_unfit(self.game)
        return str(made)

    def entrants(self, number: int) -> list[str]:
        """The candidates of a repetition, by their seeding. Settings that do not fit together are left out."""
        dice = Dice(Dice(self.seed).bits() + number)
        found = self.space.drawn(self.candidates, dice)
        dice.shuffle(found)
        fitting, reasons = [], []
        for settings in found:
            try:
                fitting.append(self.player(settings))
            except AstragalError as error:
                reasons.append(error)
        if len(fitting) < 2:
            raise reasons[0] if reasons else SpecError("tuning needs at least two candidates")
        if reasons:
            warnings.warn(f"{len(reasons)} of {len(found)} candidates are left out; {reasons[0]}", stacklevel=1)
        return fitting


@dataclass(frozen=True)
class Tuned(Tabular):
    """What came of it; `str` is what `astragal tune` prints."""

    default: str
    choice: str
    winners: tuple[str, ...]  # of each repetition, or Optuna's best few
    meetings: tuple[AnyMeeting, ...]  # all of them
    confirmation: AnyMeeting | None  # the choice against the default; None where they are the same
    game: Any = field(default=None, compare=False, repr=False)  # for short names of players
    tally: Tally = field(default_factory=Tally, compare=False)  # how many games are new

    def as_dict(self) -> dict[str, Any]:
        """For a program to read."""
        confirmed = self.confirmation
        return {
            "player": self.choice,
            "default": self.default,
            "winners": self.winners,
            "meetings": [meeting.as_dict() for meeting in self.meetings],
            "confirmation": confirmed.as_dict() | {"p": confirmed.p_value} if confirmed else None,
        }

    def label(self, player: str) -> str:
        """What a player is called: without the settings that it has in this game anyway."""
        return player if self.game is None else load_player(player).text_for(self.game)

    def rows(self) -> Rows:
        """Two rows for each meeting: how each of the players did against the other."""
        return [{"occasion": meeting.occasion} | row for meeting in self.meetings for row in meeting.rows(self.label)]

    def table(self) -> str:
        """What `astragal tune` prints."""
        return tuned_text(self)

    __str__ = table


def find_settings(method: str, tuner: Tuner, meet: Meet) -> Tuned:
    """Find a good setting by a method, and let it play against the default one."""
    met: list[AnyMeeting] = []

    def noted(first: str, second: str, occasion: str, to_the_end: bool = False) -> AnyMeeting:
        met.append(meet(first, second, occasion, to_the_end))
        return met[-1]

    winners, choice = check_method(method)(tuner, noted)
    default = str(tuner.default)
    confirmation = None if choice == default else noted(choice, default, "confirmation", to_the_end=True)
    return Tuned(default, choice, tuple(winners), tuple(met), confirmation)


def by_elimination(tuner: Tuner, meet: Meet) -> tuple[list[str], str]:
    """The winner of each repetition, and of the last elimination among them."""
    winners = [winner_of(tuner.entrants(number), meet, f"round {number + 1}") for number in range(tuner.rounds)]
    return winners, winner_of(list(dict.fromkeys(winners)), meet, "last round")


def winner_of(players: list[str], meet: Meet, occasion: str) -> str:
    if len(players) == 1:
        return players[0]
    final = elimination(players, lambda first, second: meet(first, second, occasion))[-1][-1]
    return final.players[final.winner]


def by_optuna(tuner: Tuner, meet: Meet) -> tuple[list[str], str]:
    """Optuna's best few, and the one of them that can be relied on most.

    The study is not kept: games are, and with the same seed it asks for the same settings again.
    """
    optuna = load_optuna()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = optuna.create_study(direction="maximize", sampler=optuna.samplers.TPESampler(seed=tuner.seed % 2**32))
    default = str(tuner.default)
    scores = {default: 0.0 if tuner.game.players == 1 else 0.5}
    for _ in range(tuner.candidates):
        trial = study.ask()
        try:
            player = tuner.player({each.name: proposal(trial, each) for each in tuner.space.dimensions})
        except AstragalError:
            study.tell(trial, state=optuna.trial.TrialState.FAIL)
            continue
        if player not in scores:
            scores[player] = meet(player, default, "trial").estimate.mean
        study.tell(trial, scores[player])
    del scores[default]
    if not scores:
        raise AstragalError("none of the settings that were tried fit together; try more candidates")
    best = sorted(scores, key=lambda player: -scores[player])[:BEST_FEW]
    again = {player: meet(player, default, "again", to_the_end=True).estimate.low for player in best}
    return best, max(best, key=lambda player: again[player])


def proposal(trial: Any, dimension: Range | Choices) -> Any:
    if isinstance(dimension, Choices):
        return trial.suggest_categorical(dimension.name, list(map(spell, dimension.values)))
    suggest_number = trial.suggest_int if dimension.whole else trial.suggest_float
    return dimension.fit(suggest_number(dimension.name, dimension.low, dimension.high, log=dimension.log))


def load_optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise AstragalError('this method needs Optuna: pip install "astragal[tune]"') from None
    return optuna


METHODS: dict[str, Callable[[Tuner, Meet], tuple[list[str], str]]] = {
    "elimination": by_elimination,
    "optuna": by_optuna,
}


def check_method(method: str) -> Callable[[Tuner, Meet], tuple[list[str], str]]:
    if method not in METHODS:
        raise SpecError(f"there is no method '{method}' (methods: {', '.join(METHODS)}){suggest(method, METHODS)}")
    if method == "optuna":
        load_optuna()
    return METHODS[method]


AGAINST_DEFAULT = ("trial", "again")  # occasions on which the second player is the default setting


@dataclass(frozen=True)
class Candidate:
    """A setting that was tried."""

    player: str
    order: int  # from 1, as met
    settings: dict[str, Any]
    estimate: Bounded


@dataclass(frozen=True)
class Trace:
    """A tuning run."""

    game: str
    player: str  # its name
    candidates: tuple[Candidate, ...]
    settings: tuple[str, ...]  # in which candidates differ
    choice: str
    label: str  # what a picture calls the choice
    confirmation: Bounded | None  # the choice against the default


def tuning_trace(contests: Sequence[tuple[Standing, str]]) -> Trace:
    """The tuning run in some contests, each with its occasion, in the order in which they began."""
    chosen = [(standing, occasion) for standing, occasion in contests if is_between_settings(standing)]
    runs = {(standing.contest.game, name_of(standing.contest.kinds[0])): None for standing, _ in chosen}
    if not runs:
        raise AstragalError("there are no contests between settings of one player, as tuning plays them")
    if len(runs) > 1:
        listed = " and ".join(f"{player} in {game}" for game, player in runs)
        raise SpecError(f"there are contests between settings of {listed}; choose one with --game and --player")
    ((game, player),) = runs
    scores: dict[str, list[list[float]]] = {}
    confirmation, choice = None, ""
    for standing, occasion in chosen:
        first, second = standing.contest.kinds
        sides = [[[game[kind] for game in pair] for pair in standing.whole_pairs()] for kind in (0, 1)]
        if occasion == "confirmation":
            choice, confirmation = first, estimated(sides[0])
            scores.setdefault(first, [])
            continue
        scores.setdefault(first, []).extend(sides[0])
        if occasion not in AGAINST_DEFAULT:
            scores.setdefault(second, []).extend(sides[1])
        if confirmation is None:
            choice = first if total(sides[0]) >= total(sides[1]) else second
    scores = {candidate: pairs for candidate, pairs in scores.items() if pairs}
    return traced(game, player, scores, choice, chosen[0][0].contest.label(choice), confirmation)


def traced(
    game: str,
    player: str,
    scores: dict[str, list[list[float]]],
    choice: str,
    label: str,
    confirmation: Bounded | None,
) -> Trace:
    settings = {candidate: settings_of(candidate) for candidate in scores}
    names = list(dict.fromkeys(name for each in settings.values() for name in each))
    differ = tuple(name for name in names if len({each[name] for each in settings.values()}) > 1)
    candidates = tuple(
        Candidate(candidate, order, settings[candidate], estimated(pairs))
        for order, (candidate, pairs) in enumerate(scores.items(), 1)
    )
    return Trace(game, player, candidates, differ, choice, label, confirmation)


def is_between_settings(standing: Standing) -> bool:
    """Whether two different settings of one player met, and a pair is over."""
    kinds = standing.contest.kinds
    same = len(kinds) == 2 and kinds[0] != kinds[1] and name_of(kinds[0]) == name_of(kinds[1])
    return same and bool(standing.whole_pairs())


def name_of(player: str) -> str:
    return player.partition(":")[0]


def settings_of(player: str) -> dict[str, Any]:
    made = load_player(player)
    return {field.name: getattr(made, field.name) for field in parameter_fields(type(made))}


def total(pairs: Sequence[Sequence[float]]) -> float:
    return sum(map(sum, pairs))
