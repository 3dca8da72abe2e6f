"""When a search stops: on time, nodes, simulations or depth, whichever comes first; and at once on Ctrl-C."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from astragal.base.errors import AstragalError, SpecError
from astragal.base.interruptible import answers_interrupts, is_stoppable, run_interruptible
from astragal.base.parameters import parameter, spell
from astragal.rules.position import Position

MOST_LINES = 16  # best actions of which a search may be asked for a value and a line each
MAX_DEPTH = 64  # units of a search that goes depth first
DEFAULT_SECONDS = 0.2  # the papers' thinking time
WRITE_UP_SECONDS = 0.0015  # what is done after the kernels have stopped
INLINE_NODES = 200_000  # a budget over in a few milliseconds needs no thread and no timer
MANY = 2**62  # simulations: no limit
MOST = {"time": 10**9, "nodes": 10**18, "depth": MAX_DEPTH, "sims": 10**18}  # what clocks and counters can hold
INLINE_SIMULATIONS = 20_000


@dataclass(frozen=True)
class Limits:
    """Seconds, nodes, depth and simulations; None is no limit."""

    time: float | None = parameter(None, "Seconds to think.")
    nodes: int | None = parameter(None, "Nodes to visit.")
    depth: int | None = parameter(None, "Decisions to look ahead.")
    sims: int | None = parameter(None, "Simulations to run.")

    def __post_init__(self) -> None:
        for name, most in MOST.items():
            value = getattr(self, name)
            if value is not None and value != value:
                raise SpecError(f"{name} must be a number")
            if value is not None and not value > 0:
                raise SpecError(f"{name} must be more than 0, not {spell(value)}")
            if value is not None and value > most:
                raise SpecError(f"{name} must be at most {most}, not {spell(value)}")

    def refuse(self, player: str, **missing: str) -> None:
        """Refuse limits that a search does not have, such as ``sims="simulations"``."""
        for name, things in missing.items():
            if getattr(self, name) is not None:
                raise SpecError(f"{player} has no {things} to limit; leave {name} out")

    @property
    def simulations(self) -> int:
        """The most simulations there may be: a search by simulation adds a node with each."""
        return min(limit for limit in (self.sims, self.nodes, MANY) if limit is not None)

    @property
    def are_counted(self) -> bool:
        """Whether nodes or simulations are limited, so that a result can be repeated."""
        return self.nodes is not None or self.sims is not None

    @property
    def are_short(self) -> bool:
        if self.time is not None:
            return False
        few_nodes = self.nodes is not None and self.nodes <= INLINE_NODES
        return few_nodes or (self.sims is not None and self.sims <= INLINE_SIMULATIONS)


NO_LIMITS, DEFAULT_LIMITS = Limits(), Limits(time=DEFAULT_SECONDS)


def limits_for(position: Position, limits: Limits, player: str, missing: dict[str, str]) -> Limits:
    """The limits of a search, 0.2 seconds if none are set; a sentence where one does not fit or the game is over."""
    limits.refuse(player, **missing)
    if position.is_terminal:
        raise AstragalError(f"the game is over at '{position.text}': there is nothing to search")
    return DEFAULT_LIMITS if limits == NO_LIMITS else limits


def run_within(
    limits: Limits, task: Callable[[], None], stop: Callable[[], None], passed: float, inline: bool = True
) -> bool:
    """Run a search that polls its node and depth limits; it is stopped at the deadline, on Ctrl-C or by a switch.

    `passed` seconds are over already. The deadline leaves time to write up the result; a limit too short for that
    keeps half of it for the search. A short search runs in this thread, if inline. Returns whether Ctrl-C ended it,
    where the search is to answer nonetheless.
    """
    try:
        if inline and limits.are_short and not is_stoppable():
            task()
        elif limits.time is None:
            run_interruptible(task, stop, partial=True)
        else:
            run_interruptible(task, stop, max(limits.time / 2, limits.time - passed - WRITE_UP_SECONDS), partial=True)
    except KeyboardInterrupt:
        if not answers_interrupts.get():
            raise
        return True
    return False
