"""The work record: what a running search counts, what limits it, and the settings it reads, in one kernel argument.

With it what every node routine needs: the mover's side of a value, and the recorder that records nothing.

One record because a recursive kernel pays for every argument at every node; the stop flag in it is polled at every
inner node, and set from Python at the deadline, on Ctrl-C and on cancel.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from astragal.algorithms.limits import MAX_DEPTH
from astragal.compiler.kernel import kernel
from astragal.compiler.records import copy_of
from astragal.rules.decorator import compiled

Fields = list[tuple[Any, ...]]

VISITS: Fields = [  # nodes, by kind
    ("decisions", "i8"),
    ("chances", "i8"),
    ("leaves", "i8"),  # states evaluated by the heuristic at the horizon
    ("terminals", "i8"),
    ("controls", "i8"),  # how many of the leaves were states evaluated as control variates
]
CUTS: Fields = [
    ("decision_cuts", "i8"),
    ("chance_cuts_high", "i8"),  # pess >= beta
    ("chance_cuts_low", "i8"),  # opti <= alpha
    ("probes", "i8"),
    ("probe_cuts", "i8"),
    ("table_hits", "i8"),
    ("table_cuts", "i8"),
    ("ceiling_cuts", "i8"),  # chance nodes that the game's `ceiling` decided
    ("killer_cuts", "i8"),  # decision cuts that a killer made
    ("researches", "i8"),  # scouts of a principal variation search that had to be searched again
    ("null_cuts", "i8"),  # forward cuts, by kind
    ("multi_cuts", "i8"),
    ("prob_cuts", "i8"),
]
CHECKING: Fields = [("checks", "i8"), ("disagreements", "i8")]
LIMITS: Fields = [
    ("node_limit", "i8"),
    ("pause_at", "i8"),  # nodes after which repeated searches let themselves be looked at
    ("stop", "i8"),
]
VALUES: Fields = [
    ("viewer", "i8"),  # the player whose values are searched
    ("root_depth", "i8"),
    ("lines", "i8"),  # actions of the root that get a value; others that are no better get a bound
    ("hidden", "i8"),  # whether choices made at once were met: values are those of taking turns
    ("low", "f8"),  # range of the values searched
    ("high", "f8"),
    ("afterstates", "i8"),  # evaluate before the roll at the horizon
    ("ceilings", "i8"),  # chance nodes are bounded by the game's `ceiling`
    ("prune_above", "i8"),  # pruning is off at this remaining depth and below
    ("vector", "u8"),  # address of one utility a player, where max^n leaves its result
    ("record", "u8"),  # address of what a recorder writes (`astragal.algorithms.depth_first.recording`), 0 without one
]
SAMPLING: Fields = [
    ("repeats", "i8"),  # the same depth is searched again and again, each time with other samples
    ("key", "u8"),  # of this iteration's samples
    ("path", "u8"),  # key of the path to the current node
    ("key_by_path", "i8"),  # whether samples are drawn with it, or with the key of the state
    ("sampling", "i8"),  # the number of a way to draw in SAMPLINGS
    ("common", "i8"),  # actions are no part of a path: those of a decision are followed by the same draws
    ("path_of_state", "i8"),  # a path begins anew at each decision, with the key of its state
    ("merge", "i8"),  # one outcome stands for all that are worth the same
    ("widths", "u4", MAX_DEPTH + 2),  # [remaining depth] -> samples drawn at a chance node
]
MEMORY: Fields = [
    ("table", "u8"),  # address of the transposition table, 0 without one
    ("table_mask", "u8"),  # one less than its entries, or than the lines of a table of values
    ("table_deep", "i8"),  # whether it is one of values, with an entry for each depth of a state
    ("table_lines", "i8"),  # lines to which it may grow
    ("table_stored", "i8"),  # entries in it
    ("table_values", "i8"),  # whether values and bounds are used, or only the best move
    ("table_lasting", "i8"),  # whether they hold in later iterations, and without the horizon bit at greater depths
    ("table_chances", "i8"),  # whether chance nodes are in it
    ("table_era", "u8"),  # of this iteration,
    ("value_era", "u8"),  # of the first whose values hold,
    ("first_era", "u8"),  # of the first whose moves do
    ("trusted", "i8"),  # how often a ceiling or an entry with the horizon bit was taken for a value
    ("table_room", "u8"),  # lines that it is given at once when a search of the root begins
    ("thread", "i8"),  # which of the threads that share the table this is, from 0,
    ("threads", "i8"),  # and how many there are
    ("ordering", "u8"),  # address of the killers and the history, 0 without them
]
FORWARD: Fields = [
    ("null", "i8"),  # units that the search after a null move is less deep, 0 without null moves
    ("skipped", "i8"),  # the nodes searched follow a null move
    ("multicut", "i8"),  # actions that must reach the window's end, 0 without multi-cut,
    ("multicut_moves", "i8"),  # of this many tried,
    ("multicut_reduction", "i8"),  # searched this many units less deep
    ("probcut_slope", "f8"),  # a deep value for a shallow one, 0 without ChanceProbCut,
    ("probcut_margin", "f8"),  # and how far it must lie outside the window
]
WORK = np.dtype([*VISITS, *CUTS, *CHECKING, *LIMITS, *VALUES, *SAMPLING, *MEMORY, *FORWARD], align=True)
COUNTERS = tuple(str(field[0]) for field in (*VISITS, *CUTS, *CHECKING))
Work = npt.NDArray[np.void]
NEW = np.zeros(1, WORK)
NEW["node_limit"] = np.iinfo(np.int64).max
NEW["lines"] = 1


def new_work(low: float, high: float) -> Work:
    """A work record without limits or settings, for values between low and high."""
    work = copy_of(NEW)
    work["low"], work["high"] = low, high
    return work


def counts(work: Work) -> dict[str, int]:
    """What was counted, by name."""
    return {name: work[name].item() for name in COUNTERS}


def nodes(work: Work) -> int:
    return sum([work[kind].item() for kind in ("decisions", "chances", "leaves", "terminals")])


def guesses(work: Work) -> int:
    """How often a search trusted something short of the end: an evaluation, a ceiling, a stored value, a forward cut.

    Evaluations for control variates end nothing.
    """
    trusted = sum([work[kind].item() for kind in ("leaves", "trusted", "null_cuts", "multi_cuts", "prob_cuts")])
    return int(trusted - work["controls"].item())


@kernel
def counted(work: Any) -> Any:
    """Nodes so far."""
    return work.decisions + work.chances + work.leaves + work.terminals


@kernel
def exhausted(work: Any) -> Any:
    """Whether to unwind: the search is stopped, or the node limit is reached.

    Asked before each node but the leaves at the horizon below one node, by no more than which the limit is passed.
    """
    if counted(work) >= work.node_limit:
        work.stop = 1
    return work.stop != 0


@kernel(inline=True)
def note_hidden(game, state, count, work):
    """Note whether one of these choices is made without knowing another. A game that hides none pays nothing for it."""
    if count > 1 and game.hidden(state) > 0:
        work.hidden = 1


@kernel(inline=True)
def mirrored(value, minimises):
    """The searched player's value as the mover's, or back.

    Not a product with a sign, which takes three times as long: what comes next waits for it.
    """
    return -value if minimises else value


@compiled
@dataclass(frozen=True)
class Silent:
    """Records nothing, at no cost."""

    def step(self, work, number, marks):
        """An action or outcome is about to be followed."""

    def enter(self, work):
        """A node was met that has children; its row, to be handed to `leave`."""
        return np.int64(-1)

    def leave(self, work, row, value, listed, marks):
        """A node is done with: its value, which is handed back, its actions or outcomes, and what cut it."""
        return value

    def leaf(self, work, value, marks):
        """A node was met that has none: its value, which is handed back."""
        return value


SILENT = Silent()  # made once: a new one costs Numba some time
