"""A game under way on the server: how it began, its steps, who sits where, its dice, and who thinks."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from astragal.algorithms.tree.settings import TreeSettings
from astragal.base.errors import SpecError
from astragal.players import load_player
from astragal.players.player import Player
from astragal.rules.dice import Dice
from astragal.rules.ending import ending
from astragal.rules.position import History, Position, find
from astragal.web.caps import Caps, keeps_tree
from astragal.web.requests import Conflict
from astragal.web.thinking import Thinking
from astragal.web.trees import KeptTree
from astragal.web.views import event_view, picture_view, position_view, seat, way_of

PERSON = "person"
MOST_OUTCOMES = 60  # looked at to see whose roll it is
ENDING_SECONDS = 5.0  # how long a new search waits for one that is stopping


@dataclass(frozen=True)
class Step:
    """An action or outcome of the game, and the position it was played in."""

    before: Position
    number: int
    keys: tuple[str, ...]  # what was clicked, or could have been, in the picture before, and what lay on the way
    dice: int  # the state of the dice before
    thought: dict[str, Any] | None = None
    event: str | None = None  # what people should not miss
    caller: int = -1  # whose choice it was that chance decides here, where others led to no chance

    @property
    def of(self) -> int:
        """Whose turn the step is a part of: of a roll, who rolls; of one for who begins, who begins by it."""
        if not self.before.is_chance:
            return self.before.turn
        if self.caller >= 0:
            return self.caller
        who = roller(self.before)
        return who if who >= 0 else self.before.follow(self.number).turn

    @property
    def name(self) -> str:
        return self.before.step_name(self.number)

    def view(self, ply: int, secret: bool = False) -> dict[str, Any]:
        """What is sent of the step; of a secret one, who made it."""
        return {
            "ply": ply,
            "player": seat(self.before.turn),
            "number": None if secret else self.number,
            "name": "(hidden)" if secret else self.name,
            "keys": [] if secret else list(self.keys),
            "thought": None if secret else self.thought,
            "event": None if secret else self.event,
            "of": seat(self.of),
        }


@dataclass
class Session:
    """One game. Everything that changes it holds its lock and ends a search that is thinking about it."""

    id: str
    game_text: str
    start: Position
    seats: list[str]
    seed: int
    caps: Caps
    steps: list[Step] = field(default_factory=list)
    kept: dict[int, Any] = field(default_factory=dict)  # what a player keeps from move to move, by seat
    search: Thinking | None = None
    trees: dict[int, KeptTree] = field(default_factory=dict)
    used: float = field(default_factory=time.monotonic)
    lock: threading.RLock = field(default_factory=threading.RLock)

    def __post_init__(self) -> None:
        self.position = self.start
        self.dice = Dice(Dice(self.seed ^ 0xD1CE).bits())
        self.seats = self.checked_seats(self.seats)

    # Who plays

    def checked_seats(self, seats: Sequence[str]) -> list[str]:
        """The seats with players as the server would have them."""
        players = self.start.game.players
        if len(seats) != players:
            raise SpecError(f"{self.game_text} has {players} seats, not {len(seats)}")
        return [seated if seated == PERSON else self.player_text(seated) for seated in seats]

    def player_text(self, text: str) -> str:
        return self.player(text).text_for(self.start.game)

    def player(self, text: str, with_tree: bool = False) -> Player:
        self.caps.refuse_programs(load_player(text))
        return self.caps.player(load_player(text, self.start.game), with_tree)

    def sit(self, seats: Sequence[str]) -> None:
        self.seats = self.checked_seats(seats)
        self.kept.clear()

    def player_to_move(self, text: str | None = None) -> Player:
        """The player in the seat to move, or another one in its place; a sentence where none is to move."""
        turn = self.position.turn
        if turn < 0:
            raise Conflict("the game is over" if self.position.is_terminal else "chance moves next: deal an outcome")
        if text is None and self.seats[turn] == PERSON:
            raise Conflict(f"a person plays in seat {turn + 1}")
        return self.player(text or self.seats[turn])

    def kept_for(self, turn: int, player: Player) -> Any:
        """What a player keeps from move to move; a tree search, which keeps all its memory, only if it will use it."""
        if isinstance(player, TreeSettings) and not keeps_tree(player):
            return None
        if turn not in self.kept:
            self.kept[turn] = player.new_session()
        return self.kept[turn]

    # What happens

    @property
    def ply(self) -> int:
        return len(self.steps)

    @property
    def history(self) -> History:
        return History(self.start, tuple(step.number for step in self.steps))

    @property
    def search_seed(self) -> int:
        """Of what players draw, apart from the dice; the same again after undo."""
        return Dice(Dice(self.seed ^ 0x5EA2C4).bits() + self.ply).bits()

    def play(self, action: int | str, thought: dict[str, Any] | None = None) -> None:
        self.step(self.position.find_action(action), thought)

    def deal(self, outcome: int | str | None = None) -> None:
        """A chance outcome by the session's dice, or the one that was asked for."""
        if not self.position.is_chance:
            raise Conflict("the game is over" if self.position.is_terminal else "a player is to move, not chance")
        if outcome is not None:
            listed = self.position.outcomes()
            self.step(find("outcome", outcome, [each.number for each in listed], [each.name for each in listed]))
            return
        before = self.dice.state
        self.step(self.position.draw(self.dice), dice=before)

    def step(self, number: int, thought: dict[str, Any] | None = None, dice: int | None = None) -> None:
        """Go on by an action or outcome that is known to be possible; `dice` is their state before it was drawn."""
        if self.ply >= self.caps.steps:
            raise Conflict(f"the game has gone on for {self.ply} steps; begin a new one from its position")
        keys = tuple(way_of(self.picture(), number))
        before = self.dice.state if dice is None else dice
        caller = -1
        if self.position.is_chance and self.steps and calls_chance(self.steps[-1].before):
            caller = self.steps[-1].before.turn
        event = event_view(self.position, number)
        self.steps.append(Step(self.position, number, keys, before, thought, event, caller))
        self.position = self.position.follow(number)

    def repeat(self, steps: Sequence[int]) -> None:
        """Go through steps that were made before; the dice go with them, so that what follows is what would have."""
        for number in steps:
            if self.position.is_chance:
                before = self.dice.state
                self.position.draw(self.dice)
                listed = self.position.outcomes()
                found = find("outcome", number, [each.number for each in listed], [each.name for each in listed])
                self.step(found, dice=before)
            else:
                self.step(self.position.find_action(number))

    def undo(self, ply: int | None = None) -> None:
        """Back to a person's last decision, or to a number of steps."""
        target = self.last_decision() if ply is None else ply
        if target is None or not 0 <= target < self.ply:
            raise Conflict("there is nothing to undo" if ply is None else f"the game has not {ply} steps to go back to")
        self.position, self.dice.state = self.steps[target].before, self.steps[target].dice
        del self.steps[target:]
        self.kept.clear()  # so that the same moves come again

    def last_decision(self) -> int | None:
        """Steps before the last decision of a person, or of anyone where no person plays."""
        persons = [number for number, seated in enumerate(self.seats) if seated == PERSON]
        deciders = persons or range(len(self.seats))
        decisions = [ply for ply, step in enumerate(self.steps) if step.before.turn in deciders]
        return decisions[-1] if decisions else None

    def begin_at(self, position: Position) -> None:
        """The same game from another position."""
        self.start = self.position = position
        self.steps.clear()
        self.kept.clear()

    # The search that thinks

    def begin_search(self, search: Thinking) -> None:
        """Let a search think for the session, once the one that is stopping has ended."""
        before = self.search
        if before is not None and before.abandoned:
            before.ended.wait(ENDING_SECONDS)
        with self.lock:
            if self.search is not None and not self.search.ended.is_set():
                raise Conflict("a search of this game is already running; stop it first")
            self.search = search
            self.trees.clear()

    def abandon_search(self) -> None:
        """End a search whose answer is no longer needed."""
        if self.search is not None:
            self.search.abandon()

    def rest(self) -> None:
        """Let go of what takes room; a game that goes on after a while begins its trees anew."""
        self.kept.clear()
        self.trees.clear()
        if not self.is_searching:
            self.search = None  # which has what it was given

    @property
    def keeps_trees(self) -> bool:
        """Whether a player keeps something large from move to move."""
        return any(kept is not None for kept in self.kept.values())

    def close(self) -> None:
        self.abandon_search()
        self.rest()

    @property
    def is_searching(self) -> bool:
        return self.search is not None and not self.search.ended.is_set()

    # What is seen

    @property
    def secrets(self) -> int:
        """How many of the last steps are hidden from persons: choices of a round in which persons choose too."""
        return self.position.hidden if PERSON in self.seats else 0

    @property
    def shown(self) -> Position:
        """The position as the player to move sees it."""
        return self.position.known() if self.secrets else self.position

    def may_show(self, action: int) -> bool:
        """Whether a player's thoughts about an action may be shown while others are still to choose in the round."""
        return PERSON not in self.seats or self.position.follow(action).hidden == 0

    @property
    def last_outcome(self) -> int | None:
        return outcome_of(self.steps[-1]) if self.steps else None

    def picture(self) -> dict[str, Any] | None:
        return picture_view(self.shown, self.last_outcome)

    def at(self, ply: int) -> dict[str, Any]:
        """The position after a number of steps."""
        position, last = self.position_after(ply)
        hidden = self.secrets > 0 and ply >= self.ply - self.secrets
        return position_view(position, self.game_text, last) | {"hidden": hidden}

    def position_after(self, ply: int) -> tuple[Position, int | None]:
        """The position after a number of steps as it may be shown, and the outcome that led to it."""
        if not 0 <= ply <= self.ply:
            raise Conflict(f"the game has {self.ply} steps, not {ply}")
        if ply >= self.ply - self.secrets:
            return self.shown, self.last_outcome
        return self.steps[ply].before, outcome_of(self.steps[ply - 1]) if ply else None

    @property
    def verdict(self) -> str | None:
        """How the game ended. Players have numbers on the page, unless there is only one."""
        if not self.position.is_terminal:
            return None
        return ending(self.position.utilities(), (0,) if self.seats == [PERSON] else ())

    def seen(self) -> dict[str, Any]:
        view = position_view(self.shown, self.game_text, self.last_outcome)
        return view | {"hidden": self.secrets > 0}

    def view(self) -> dict[str, Any]:
        told = self.ply - self.secrets
        steps = [step.view(ply, ply > told) for ply, step in enumerate(self.steps, 1)]
        moves = [step for step in steps if step["player"] is not None]
        turn = self.position.turn
        seated = self.seats[turn] if turn >= 0 else None
        return {
            "id": self.id,
            "game": self.game_text,
            "game_id": self.game_text.partition(":")[0],
            "players": len(self.seats),
            "seats": self.seats,
            "seed": self.seed,
            "start": self.start.text,
            "ply": self.ply,
            "steps": steps,
            "position": self.seen(),
            "last": steps[-1] if steps else None,
            "last_keys": moves[-1]["keys"] if moves else [],
            "verdict": self.verdict,
            "can_undo": self.last_decision() is not None,
            "to_move": {
                "seat": seat(turn),
                "person": None if seated is None else seated == PERSON,
                "player": None if seated == PERSON else seated,
                "roller": seat(roller(self.position)) if self.position.is_chance else None,
            },
            "searching": self.is_searching,
            "link": {"game": self.game_text, "position": self.shown.text, "seats": self.seats},
            "record": {
                "game": self.game_text,
                "seats": self.seats,
                "position": self.start.text,
                "steps": ".".join(str(step.number) for step in self.steps[:told]) or None,
                "seed": self.seed,
            },
        }


@lru_cache(maxsize=4096)
def roller(position: Position) -> int:
    """Who rolls at a chance node: the player likeliest to choose next, since games do not say.

    It is -1 if no player chooses next, or if several are equally likely to: then all roll for who begins.
    """
    chances: dict[int, float] = {}
    for outcome in position.outcomes()[:MOST_OUTCOMES]:
        turn = position.follow(outcome.number).turn
        if turn >= 0:
            chances[turn] = chances.get(turn, 0.0) + outcome.probability
    likeliest = [turn for turn in chances if chances[turn] > max(chances.values()) - 1e-9]
    return likeliest[0] if len(likeliest) == 1 else -1


@lru_cache(maxsize=4096)
def calls_chance(position: Position) -> bool:
    """Whether chance follows only some actions, and so belongs to the player that chose: a tile drawn in Ra."""
    after = [position.follow(action) for action in position.actions()[:MOST_OUTCOMES]]
    return any(not each.is_chance and not each.is_terminal for each in after)


def outcome_of(step: Step) -> int | None:
    """The number of a chance outcome, None for an action."""
    return step.number if step.before.is_chance else None


def new_id() -> str:
    return secrets.token_urlsafe(12)
