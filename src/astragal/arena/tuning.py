"""Tuning a player's settings by letting it play against itself.

**Multi-round elimination** (Lanctot et al. 2013): candidates meet head to head in an elimination, 1,000 games of
seat-swapped pairs each, and the winner of the final is the choice. The paper repeated this and found it more
consistent than a round robin of more games. Here each repetition has its own dice and, unless they lie on a grid, its
own candidates; the winners meet in a last elimination.

**Optuna** proposes each setting from the scores of the earlier ones against the default setting. The best score of many
noisy ones is too good to be true, so the best few play again with fresh dice, and the one whose interval of those
games alone reaches least far down is the choice.

Either way the choice meets the default setting once more, with fresh dice and no early stop: that score is unbiased.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from astragal.arena.meeting import AnyMeeting
from astragal.arena.space import Choices, Range, Settings, Space
from astragal.arena.tables import tuned_text
from astragal.arena.tournament import elimination
from astragal.errors import AstragalError, SpecError, suggest
from astragal.frames import Rows, Tabular
from astragal.game.dice import Dice
from astragal.parameters import convert, parameter_fields, spell
from astragal.players import load_player
from astragal.players.player import Player

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
    on_grid: bool = False
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
        found = self.space.grid(self.candidates) if self.on_grid else self.space.drawn(self.candidates, dice)
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
