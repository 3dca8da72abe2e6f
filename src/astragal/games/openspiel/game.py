"""A game of OpenSpiel's under the interface of every other game: ``openspiel:backgammon``.

A state is the history of the game, since OpenSpiel's own states are objects that only it can copy; those met lately are
kept by their histories. Searches run their interpreted twins, thousands of times slower than machine code
(docs/openspiel.md).
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import dataclasses
import hashlib
import threading
from collections import OrderedDict
from functools import cache, lru_cache
from typing import Any

import numpy as np

from astragal.base.errors import SpecError
from astragal.compiler.interpreted import interpreted, twin_of
from astragal.games.openspiel.library import PREFIX, their_game
from astragal.rules.decorator import CHANCE, TERMINAL, game
from astragal.rules.random import state_hash

KEPT = 20_000  # states of OpenSpiel's, those met last
LONGEST = 200_000  # steps of a game: a state holds them all

kept: OrderedDict[tuple[str, bytes], Any] = OrderedDict()
chances_kept: dict[tuple[str, bytes], dict[int, float]] = {}  # of one state: the last that was asked for
keeping = threading.Lock()


def keep(key: tuple[str, bytes], state: Any) -> None:
    with keeping:
        kept[key] = state
        while len(kept) > KEPT:
            kept.popitem(last=False)


def key_of(name: str, state: Any) -> tuple[str, bytes]:
    memory = state._memory
    return name, memory["steps"][0, : memory["count"].item()].tobytes()


class SpielGame:
    """What all games of OpenSpiel's do; `load_spiel_game` makes a class of it for each."""

    name = ""
    players = 1
    _interpreted_only_ = True

    def theirs(self, state: Any) -> Any:
        """OpenSpiel's state, kept or played again from the last one kept before it; not to be changed."""
        key = key_of(self.name, state)
        found = kept.get(key)
        if found is None:
            steps = np.frombuffer(key[1], state._memory["steps"].dtype)
            width = steps.itemsize
            back = next((n for n in range(len(steps), -1, -1) if (self.name, key[1][: n * width]) in kept), 0)
            found = kept.get((self.name, key[1][: back * width]))
            found, back = (spiel(self.name).new_initial_state(), 0) if found is None else (found.clone(), back)
            for step in steps[back:].tolist():
                found.apply_action(step)
            keep(key, found)
        return found

    def push(self, state: Any, step: int) -> None:
        after = self.theirs(state).child(int(step))
        memory = state._memory
        memory["steps"][0, memory["count"].item()] = step
        memory["count"] += 1
        keep(key_of(self.name, state), after)

    # What every game does

    def turn(self, state: Any) -> int:
        here = self.theirs(state)
        player = here.current_player()
        return int(player) if player >= 0 else CHANCE if here.is_chance_node() else TERMINAL

    def actions(self, state: Any, out: Any) -> int:
        return written(self.theirs(state).legal_actions(), out)

    def play(self, state: Any, action: int) -> None:
        self.push(state, action)

    def utility(self, state: Any, player: int) -> float:
        return float(self.theirs(state).returns()[player])

    def pick(self, state: Any, word: int) -> int:
        legal = self.theirs(state).legal_actions()
        return int(legal[int(word) * len(legal) >> 32])

    # What people see

    def action_name(self, state: Any, action: int) -> str:
        here = self.theirs(state)
        return step_names(here, here.current_player(), here.legal_actions()).get(int(action), str(action))

    def show(self, state: Any) -> str:
        return str(self.theirs(state)).rstrip("\n")

    def to_text(self, state: Any) -> str:
        steps = state._memory["steps"][0, : state._memory["count"].item()].tolist()
        return ",".join(map(str, steps)) or "start"

    def from_text(self, state: Any, text: str) -> None:
        """The numbers of all actions and outcomes since the start, in OpenSpiel's numbers."""
        steps = (
            [] if text.strip() == "start" else [int(number) for number in text.replace(" ", ",").split(",") if number]
        )
        for step in steps:
            here = self.theirs(state)
            if here.is_terminal() or step not in here.legal_actions():
                raise ValueError(f"{step} is not possible after {self.to_text(state)}")
            self.push(state, step)

    # What it says of itself

    def own_title(self) -> str:
        return self.name

    def own_spec(self) -> str:
        return PREFIX + self.name

    def own_identity(self) -> str:
        return hashlib.sha256(self.name.encode()).hexdigest()[:16]

    def why_not_zero_sum(self) -> str:
        return "is not, as OpenSpiel says"

    def __reduce__(self) -> tuple[Any, ...]:
        return load_spiel_game, (self.name,)


class SpielGameWithChance(SpielGame):
    """Chance's outcomes are OpenSpiel's actions of its chance player."""

    def outcomes(self, state: Any, out: Any) -> int:
        return written(list(self.chances(state)), out)

    def probability(self, state: Any, outcome: int) -> float:
        return self.chances(state)[int(outcome)]

    def draw(self, state: Any, word: int) -> int:
        """As the walk down the list of any game, but with one look at a list that may have thousands."""
        left, listed = (int(word) + 0.5) / 2**32, self.chances(state)
        for outcome, chance in listed.items():
            left -= chance
            if left < 0.0:
                return outcome
        return next(reversed(listed))

    def chances(self, state: Any) -> dict[int, float]:
        """Outcomes and their probabilities; the last ones are kept, since each is read on its own."""
        key = key_of(self.name, state)
        found = chances_kept.get(key)
        if found is None:
            found = {
                int(outcome): float(chance) for outcome, chance in self.theirs(state).chance_outcomes() if chance > 0.0
            }
            chances_kept.clear()
            chances_kept[key] = found
        return found

    def deal(self, state: Any, outcome: int) -> None:
        self.push(state, outcome)

    def outcome_name(self, state: Any, outcome: int) -> str:
        here = self.theirs(state)
        return step_names(here, here.current_player(), here.legal_actions()).get(int(outcome), str(outcome))


def written(numbers: list[int], out: Any) -> int:
    for place, number in enumerate(numbers):
        out[place] = number
    return len(numbers)


def step_names(state: Any, player: int, steps: list[int]) -> dict[int, str]:
    """OpenSpiel's names of actions or outcomes as words; with their numbers where two are alike."""
    names = {step: "_".join(state.action_to_string(player, step).split()) for step in steps}
    alike = len({name.lower() for name in names.values()}) < len(names)
    return {step: f"{name}#{step}" for step, name in names.items()} if alike else names


@lru_cache(maxsize=64)
def spiel(name: str) -> Any:
    return their_game(name)


@cache
def spiel_class(name: str) -> type:
    """The class of one game: its sizes are part of it."""
    theirs = spiel(name)
    kind = theirs.get_type()
    longest = theirs.max_history_length()
    if longest > LONGEST:
        raise SpecError(f"{PREFIX}{name} may last {longest} steps; there may be {LONGEST}")
    has_chance = kind.chance_mode.name != "DETERMINISTIC"
    most = max(theirs.num_distinct_actions(), theirs.max_chance_outcomes())
    width = "u2" if most < 2**16 else "u4"
    low, high = float(theirs.min_utility()), float(theirs.max_utility())
    declared = {
        "__module__": __name__,
        "__qualname__": "Spiel",
        "__doc__": f"OpenSpiel's {kind.long_name}.",
        "name": name,
        "state": np.dtype([("count", "u4"), ("steps", width, (longest,))]),
        "players": theirs.num_players(),
        "max_actions": theirs.num_distinct_actions(),
        "max_outcomes": theirs.max_chance_outcomes() if has_chance else 0,
        "max_plies": longest,
        "utility_range": (low, high if high > low else low + 1.0),
        "zero_sum": kind.utility.name == "ZERO_SUM",
    }
    base = SpielGameWithChance if has_chance else SpielGame
    made: Any = game(dataclasses.dataclass(frozen=True)(type("Spiel", (base,), declared)))
    made._numba_type_ = (PREFIX, name)  # what distinguishes its searches from others; there is nothing to compile
    made._twin_ = property(lambda self: self)
    WHOLE.add(made.state)
    return made  # type: ignore[no-any-return]


def load_spiel_game(name: str) -> Any:
    """The game of OpenSpiel that a text names, with its parameters in OpenSpiel's words."""
    return spiel_class(str(spiel(name.strip())).strip() if "(" in name else name.strip())()


WHOLE: set[Any] = set()  # kinds of states that are histories: many words, most of them 0
word_by_word = interpreted(state_hash)


def history_hash(state: Any) -> Any:
    """A hash of a state: of a history's bytes together, where word by word would take longer than the search."""
    memory = state._memory
    if memory.dtype not in WHOLE:
        return word_by_word(state)
    digest = hashlib.blake2b(memory["steps"][0, : memory["count"].item()].tobytes(), digest_size=8)
    return np.uint64(int.from_bytes(digest.digest(), "little"))


twin_of(state_hash, history_hash)
