"""The work record: what a running tree search counts, what limits it and the settings it reads, in one argument."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from astragal.algorithms.tree.settings import TreeSettings
from astragal.algorithms.tree.steps.evaluate import LONGEST_ROLLOUT
from astragal.algorithms.tree.steps.prove import FIRST_WINNER, PARANOID, STANDARD
from astragal.algorithms.tree.steps.spread import SPREADS
from astragal.compiler.records import copy_of
from astragal.rules.protocol import Game

LONGEST_PATH = 1024  # nodes from the root to a leaf
MAX_PLAYERS = 8
GATHERED = 256  # nodes that a thread gathers visits of (`astragal.algorithms.tree.sharing`); a power of two
APPORTIONED = 64  # chance nodes whose outcomes are shared out (`astragal.algorithms.tree.sharing`); a power of two
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
        ("gathering", "i8"),  # the nodes at the beginning of the path whose visits are gathered
        ("gathered_node", "u4", GATHERED),
        ("gathered_visits", "u4", GATHERED),
        ("gathered_sum", "f8", GATHERED),
        # outcomes shared out among threads
        ("part", "i8"),  # which are this thread's,
        ("parts", "i8"),  # of how many
        ("apportioned", "i8"),  # whether the path of this simulation has come through such a node
        ("tickets", "u4", APPORTIONED * MOST_PARTS),  # outcomes of each part still to be followed there
        # what rewards were like so far, each player's, where C follows their spread
        ("counted", "i8"),
        ("means", "f8", MAX_PLAYERS),
        ("squares", "f8", MAX_PLAYERS),  # of distances from the mean, added up
        ("least", "f8", MAX_PLAYERS),
        ("greatest", "f8", MAX_PLAYERS),
        # settings
        ("root_player", "i8"),  # who is to move at the root, 0 at chance
        ("rule", "i8"),  # update rule of the solver (`astragal.algorithms.tree.steps.prove`)
        ("low", "f8"),  # range of the game's utilities
        ("high", "f8"),
        ("c", "f8", MAX_PLAYERS),  # exploration of each player, in utilities
        (
            "spreads",
            "f8",
        ),  # how many spreads of the rewards seen it is (`tree.steps.spread`); 0: fixed
        ("point", "f8"),  # what a point of the game's own score is worth in utilities
        ("ends_by_sign", "i8"),  # an end counts a point won, lost or nothing
        ("afterstates", "i8"),  # evaluate before the roll
        ("rollouts", "i8"),  # for each leaf
        ("levels", "i8"),  # decisions expanded by Monte Carlo Search
        ("rollout_limit", "i8"),  # decisions before the heuristic
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
RULES = {"off": STANDARD, "standard": STANDARD, "paranoid": PARANOID, "first_winner": FIRST_WINNER}
COUNTERS = ("sims", "added", "terminals", "rollout_moves", "long_paths", "long_rollouts", "proofs")
Work = npt.NDArray[np.void]


def new_work(low: float, high: float) -> Work:
    """A work record without limits, for utilities between low and high."""
    work = np.zeros(1, WORK)
    work["low"], work["high"], work["point"] = low, high, 1.0
    work["sim_limit"] = np.iinfo(np.int64).max
    work["rollouts"] = work["parts"] = 1
    return work


def work_for(game: Game, settings: TreeSettings, root_player: int, seed_bits: int) -> Work:
    """A work record with what the settings say, before limits are set."""
    low, high = game.utility_range
    work = copy_of(work_of_settings(settings))
    work["low"], work["high"], work["point"] = low, high, game.point
    if settings.c is None or settings.unit == "spread":
        work["spreads"] = SPREADS if settings.c is None else settings.c
    else:
        work["c"] = settings.c * unit_in_utilities(game, settings.unit)
    work["generator"] = seed_bits
    work["root_player"] = max(root_player, 0)
    return work


@lru_cache(maxsize=256)
def work_of_settings(settings: TreeSettings) -> Work:
    """What a work record has from the settings alone, whatever the game. To be copied."""
    work = new_work(0.0, 0.0)
    work["rule"] = RULES[settings.solver]
    work["ends_by_sign"] = settings.ends == "sign"
    work["afterstates"] = settings.leaf == "afterstate"
    work["rollouts"] = settings.rollouts
    work["rollout_limit"] = LONGEST_ROLLOUT if settings.rollout is None else settings.rollout
    work["epsilon"] = settings.epsilon
    work["widen_factor"], work["widen_power"] = settings.c2, settings.alpha
    work["history_weight"] = settings.history or 0.0
    work["history_by_visits"] = settings.history_divisor == "visits"
    work["leave_when_full"] = settings.full == "recycle"
    return work


def unit_in_utilities(game: Game, unit: str) -> float:
    """How much utility a unit of C is."""
    low, high = game.utility_range
    width = float(high - low)
    if unit == "hundred":
        return width / 200.0
    return {"score": width, "points": float(game.point), "utility": 1.0}[unit]
