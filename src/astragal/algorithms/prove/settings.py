"""The settings of proven intervals. This module does not import Numba."""

from __future__ import annotations

from dataclasses import dataclass

from astragal.base.parameters import parameter


@dataclass(frozen=True)
class ProveSettings:
    """When a search for proven intervals ends, and its memory."""

    time: float | None = parameter(None, "seconds per move (0.2 if no limit is set)", low=0.001, high=1e6)
    nodes: int | None = parameter(None, "nodes per move (repeatable, unlike seconds)", low=1, high=10**15)
    tolerance: float = parameter(
        1e-9, "stop when the interval is this narrow, as a share of the utility range", low=0.0, high=1.0
    )
    memory: float = parameter(256.0, "megabytes for the graph of positions", low=0.001, high=65536)
