"""Every state that can be reached from a start, and the edges between them, found breadth first by a kernel.

If an action wins at once, no value depends on the others, and these are followed last, unless what follows has no end
(`Graph.pass_up_wins`). States are kept as the player to move sees them.

Where two players choose at once, the one who chooses first in our order is at a **stage**: every action leads to a
state in which the other chooses without seeing it. These states are kept as they are, since both choices decide what
follows, and have no value of their own (`HALFWAY`). The same stage with the other player first is added beside it, so
that values can be looked up for either. Games that hide anything else are refused.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.base.errors import AstragalError
from astragal.compiler.guard import in_turn
from astragal.compiler.intrinsics.native import assign, local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.compiler.records import Memory
from astragal.games import game_spec
from astragal.rules.decorator import CHANCE, TERMINAL
from astragal.rules.random import same_state, state_hash
from astragal.solvers.exact import advice_if_too_large
from astragal.solvers.growth import Growth, growing

STAGES = 2  # states added for the other player's view of a stage
HALFWAY = 4  # one of the two has chosen

COUNTERS = ("known", "expanded", "edges", "halfway", "secrets", "passed", "follow", "stop")
WORK = np.dtype([(name, "i8") for name in COUNTERS])
CHUNK = 200_000  # states expanded between two reports
MORE = 100_000  # states that passed-up wins may add to any game; to a larger one, as many as it has


class Graph:
    """State i has the children child[first[i] : first[i + 1]], with probabilities in chance if chance moves there."""

    def __init__(self, game: Any, start: Memory, max_states: int) -> None:
        self.game, self.max_states = game, max_states
        self.settled = 0  # how many states were found without passing up a certain win: the first ones
        self.work = np.zeros(1, WORK)
        self.states = np.zeros(0, game.state)
        self.hashes = np.zeros(0, np.uint64)
        self.turn = np.zeros(0, np.int8)
        self.utility = np.zeros(0)  # of player 0 at terminal states
        self.first = np.zeros(0, np.int64)
        self.child = np.zeros(0, np.uint32)
        self.chance = np.zeros(0)
        self.make_room(1 << 16, 1 << 18)
        self.states[0] = start[0]
        add_root(self.states, self.hashes, self.index, self.work)

    def __len__(self) -> int:
        return int(self.work["known"][0])

    def ends(self) -> npt.NDArray[np.float64]:
        """The utility of player 0 at every end that was met."""
        found: npt.NDArray[np.float64] = self.utility[: len(self)][self.turn[: len(self)] == TERMINAL]
        return found

    def make_room(self, states: int, edges: int) -> None:
        """Enlarge the arrays; the index of states is made anew, at most a quarter full."""
        for name in ("states", "hashes", "turn", "utility"):
            setattr(self, name, enlarged(getattr(self, name), states))
        self.first = enlarged(self.first, states + 1)
        self.child, self.chance = enlarged(self.child, edges), enlarged(self.chance, edges)
        self.index = np.zeros(4 * states, np.uint32)  # open addressing: one more than a state's number, 0 where empty
        reindex(self.hashes, self.index, len(self))

    def explore(self, report: Callable[[int], None]) -> None:
        """Find every state that a value depends on; `report` is called with their number as it grows."""
        growth = Growth(self.game, self.max_states)

        def look(states: int) -> None:
            report(states)
            growth.look(self.states[:states], int(self.work["expanded"][0]))

        if not self.expand(self.max_states, look):
            _, grown = growing(self.states[: len(self)])
            why = f" ({grown})" if grown else ""
            raise AstragalError(
                f"{game_spec(self.game)} has more than {self.max_states:,} reachable states{why}; "
                f"{advice_if_too_large(self.game)}, or raise --max-states"
            )
        self.settled = len(self)

    def pass_up_wins(self, report: Callable[[int], None]) -> bool:
        """Find what follows where a certain win is passed up, too; return whether that was all found.

        If there are too many such states, none is kept: in Pig one may roll for ever instead of winning.
        """
        work, settled = self.work, self.settled
        if not work["passed"][0]:
            return True
        work["follow"], work["expanded"], work["edges"] = 1, 0, 0  # once more, to the same states and those others
        if self.expand(min(self.max_states, settled + max(settled, MORE)), report):
            return True
        work["known"], work["expanded"], work["edges"] = settled, settled, self.first[settled]
        return False

    def expand(self, most: int, report: Callable[[int], None]) -> bool:
        """Expand states until none is left, or until stopped; False as soon as there are more than the limit."""
        work, needed = self.work, 2 * self.game.max_actions + self.game.max_outcomes
        while work["expanded"][0] < len(self) and not work["stop"][0]:
            known, edges = (self.states, self.hashes, self.index), (self.first, self.child, self.chance)
            expand_states(self.game, known, self.turn, self.utility, edges, CHUNK, work)
            report(len(self))
            if work["secrets"][0]:
                raise AstragalError(
                    f"players of {game_spec(self.game)} cannot see decisions before theirs; "
                    "solve finds values where two players choose at once, one action each, and then see both"
                )
            if len(self) > most:
                return False
            room, edge_room = len(self.states), len(self.child)
            if len(self) + needed > room or work["edges"][0] + needed > edge_room:
                self.make_room(2 * room if len(self) + needed > room else room, 2 * edge_room)
        return True


def enlarged(array, size):
    result = np.zeros(size, array.dtype)
    result[: len(array)] = array
    return result


@kernel(entry="reachable states, indexing")
def reindex(hashes, index, count):
    mask = len(index) - 1
    for i in range(count):
        at = np.int64(hashes[i] & np.uint64(mask))
        while index[at] != 0:
            at = at + 1 & mask
        index[at] = i + 1


@kernel(entry="reachable states, root")
def add_root(states, hashes, index, work):
    hashes[0] = state_hash(states[0])
    index[np.int64(hashes[0] & np.uint64(len(index) - 1))] = 1
    work[0].known = 1


@kernel
def number_of(state, known, work):
    """The number of a state, which is added if it is new: to the states, their hashes, and the index."""
    states, hashes, index = known
    key = state_hash(state)
    mask = len(index) - 1
    at = np.int64(key & np.uint64(mask))
    while index[at] != 0:
        number = np.int64(index[at]) - 1
        if hashes[number] == key and same_state(states[number], state):
            return number
        at = at + 1 & mask
    number = work.known
    work.known += 1
    index[at] = number + 1
    hashes[number] = key
    assign(states[number], state)
    return number


@kernel
def known_number(game, state, mover, known, work):
    """The number of a state as the player to move sees it; of one halfway through a stage, as it is.

    It is counted if it is halfway, and counted as a secret if more is hidden than one choice of another player.
    """
    turn = np.int64(game.turn(state))
    if turn >= 0:
        hidden = game.hidden(state)
        if hidden > 0:
            halfway = number_of(state, known, work)
            work.halfway += 1
            work.secrets += hidden != 1 or turn == mover
            game.conceal(state)
            number_of(state, known, work)
            return halfway
        game.conceal(state)
    return number_of(state, known, work)


@kernel
def tells_of_the_hidden(game, state, actions, count):
    """Whether a player lists other actions, or in another order, than without the other's choice."""
    listed = scratch(np.uint32, game.max_actions)
    concealed = local_copy(state)
    game.conceal(concealed)
    differs = game.actions(concealed, listed) != count
    for i in range(count):
        differs = differs or listed[i] != actions[i]
    return differs


@kernel
def winning_action(game, state, mover, actions, count):
    """The index of an action that ends the game with the best possible result for the mover, or -1.

    Such a decision has its value, and the values of its other actions are not needed.
    """
    for i in range(count):
        after = local_copy(state)
        game.play(after, np.int64(actions[i]))
        if game.turn(after) == TERMINAL:
            value = game.utility(after, 0)
            if value == (game.utility_range[1] if mover == 0 else game.utility_range[0]):
                return i
    return -1


@kernel(entry="reachable states")
def expand_states(game, known, turn, utility, edges, limit, works):
    """List the children of known states until the limit, or until the next state's children might not fit.

    The known are states, hashes and index; edges are where each state's children begin, the children, and chances.
    """
    states, _, _ = known
    first, child, chance = edges
    work = works[0]
    actions = scratch(np.uint32, game.max_actions)
    outcomes = scratch(np.uint32, game.max_outcomes)
    most = 2 * game.max_actions + game.max_outcomes  # what is hidden adds two states for an action
    for _ in range(limit):
        if (
            work.expanded == work.known
            or work.stop != 0
            or work.known + most > len(states)
            or work.edges + most > len(child)
        ):
            return
        number = work.expanded
        state = local_copy(states[number])
        mover = game.turn(state)
        turn[number] = mover
        first[number] = work.edges
        if mover == TERMINAL:
            utility[number] = game.utility(state, 0)
        elif mover == CHANCE:
            for i in range(game.outcomes(state, outcomes)):
                after = local_copy(state)
                game.deal(after, np.int64(outcomes[i]))
                chance[work.edges] = game.probability(state, np.int64(outcomes[i]))
                child[work.edges] = known_number(game, after, CHANCE, known, work)
                work.edges += 1
        else:
            in_turn(game, state, np.int64(mover))
            count = game.actions(state, actions)
            halfway = game.hidden(state) > 0
            before = work.halfway
            winner = -1 if halfway else winning_action(game, state, mover, actions, count)
            for i in range(count):
                counts = winner < 0 or i == winner
                work.passed += not counts
                if counts or work.follow != 0:
                    after = local_copy(state)
                    game.play(after, np.int64(actions[i]))
                    child[work.edges] = known_number(game, after, mover, known, work)
                    work.edges += counts  # a passed-up win is followed, but is no edge
            added = work.halfway - before
            if halfway:
                turn[number] = HALFWAY
                work.secrets += added > 0 or tells_of_the_hidden(game, state, actions, count)
            elif added > 0:
                turn[number] = mover + STAGES
                work.secrets += added != count
        work.expanded += 1
        first[work.expanded] = work.edges
