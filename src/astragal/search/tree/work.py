"""The work record: what a running tree search counts, what limits it and the settings it reads, in one argument."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

LONGEST_PATH = 1024  # nodes from the root to a leaf
MAX_PLAYERS = 8
GATHERED = 256  # nodes that a thread gathers visits of (`astragal.search.tree.gather`); a power of two
APPORTIONED = 64  # chance nodes whose outcomes are shared out (`astragal.search.tree.apportion`); a power of two
MOST_PARTS = 8  # into which they are divided; more threads share parts. To follow one of P parts takes P draws or so

WORK = np.dtype(
    [
        # what was done
        ("sims", "i8"),  # simulations
        ("added", "i8"),  # nodes visited for the first time
        ("terminals", "i8"),  # those of them in which the game is over
        ("depth", "i8"),  # of the deepest node visited, in plies below the root
        ("rollout_moves", "i8"),  # decisions made in rollouts
        ("long_paths", "i8"),  # simulations that reached the longest path the tree may have
        ("long_rollouts", "i8"),  # rollouts that were cut off and evaluated
        ("proofs", "i8"),  # nodes proven
        # limits
        ("sim_limit", "i8"),
        ("pause_at", "i8"),  # simulations after which Monte Carlo Search lets itself be looked at
        ("stop", "i8"),
        # said by one step to the next
        ("generator", "u8"),  # state of the random generator between calls
        ("news", "i8"),  # the leaf was proven by another thread, perhaps just now
        ("certain", "i8"),  # the value just found needed no random game (Monte Carlo Search)
        ("length", "i8"),  # nodes on the path of this simulation
        ("path", "u4", LONGEST_PATH),  # which they are
        ("movers", "i1", LONGEST_PATH),  # who is to move at each of them
        ("owners", "u1", LONGEST_PATH),  # and who owns it: the last player to move above it
        ("rewards", "f8", MAX_PLAYERS),  # what the simulation gave each player
        # not yet added to the tree
        ("gathering", "i8"),  # the first so many nodes of the path are those to gather visits of
        ("gathered_node", "u4", GATHERED),
        ("gathered_visits", "u4", GATHERED),
        ("gathered_sum", "f8", GATHERED),
        # outcomes shared out among threads
        ("part", "i8"),  # which are this thread's,
        ("parts", "i8"),  # of how many
        ("apportioned", "i8"),  # whether the path of this simulation has come through such a node
        ("tickets", "u4", APPORTIONED * MOST_PARTS),  # outcomes of each part still to be followed there
        # settings
        ("root_player", "i8"),  # who is to move at the root, 0 at chance
        ("rule", "i8"),  # update rule of the solver (`astragal.search.tree.prove`)
        ("low", "f8"),  # range of the game's utilities
        ("high", "f8"),
        ("c", "f8"),  # exploration, in utilities
        ("point", "f8"),  # what a point of the game's own score is worth in utilities
        ("ends_by_sign", "i8"),  # an end counts a point won, lost or nothing
        ("afterstates", "i8"),  # evaluate before the roll
        ("rollouts", "i8"),  # for each leaf
        ("levels", "i8"),  # decisions expanded by Monte Carlo Search
        ("rollout_limit", "i8"),  # decisions before the heuristic is asked
        ("epsilon", "f8"),  # share of random moves in a greedy rollout
        ("widen_factor", "f8"),  # C2 and
        ("widen_power", "f8"),  # alpha of Double Progressive Widening
        ("history_weight", "f8"),  # W of Progressive History
        ("history_by_visits", "i8"),
        ("leave_when_full", "i8"),  # to make room
        ("apart", "u8", 16),  # what one thread counts must not share a line of memory with what another reads
    ],
    align=True,
)
COUNTERS = ("sims", "added", "terminals", "rollout_moves", "long_paths", "long_rollouts", "proofs")
Work = npt.NDArray[np.void]


def new_work(low: float, high: float) -> Work:
    """A work record without limits, for utilities between low and high."""
    work = np.zeros(1, WORK)
    work["low"], work["high"], work["point"] = low, high, 1.0
    work["sim_limit"] = np.iinfo(np.int64).max
    work["rollouts"] = work["parts"] = 1
    return work
