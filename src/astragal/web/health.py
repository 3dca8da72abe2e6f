"""What a server takes up while it runs, for its operator: as JSON, and as a line in the log."""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import Any

from astragal.game.interpreted import remembered_twins
from astragal.search.search import READY
from astragal.web.state import ServerState

PAGES = Path("/proc/self/statm")  # where the system has it


def megabytes() -> float | None:
    """What this process has in memory now; where the system does not say, the most it ever had, or nothing."""
    try:
        import resource

        if PAGES.exists():
            return int(PAGES.read_text().split()[1]) * resource.getpagesize() / 2**20
        unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20
    except (ImportError, OSError):
        return None


def health(state: ServerState) -> dict[str, Any]:
    """All that a server keeps, beside the most it may keep of it."""
    sessions, caps = state.sessions.all(), state.caps
    room = megabytes()
    return {
        "seconds": round(time.monotonic() - state.started, 1),
        "megabytes": None if room is None else round(room, 1),
        "threads": threading.active_count(),
        "sessions": {"now": len(sessions), "most": caps.sessions},
        "searching": {"now": sum(session.is_searching for session in sessions), "most": caps.searches},
        "waiting": {"now": state.slots.waiting, "most": caps.waiting},
        "sessions_with_kept_trees": {"now": sum(session.keeps_trees for session in sessions), "most": caps.kept},
        "trees_shown": {"now": sum(len(session.trees) for session in sessions), "most": caps.trees},
        "streams": {"now": len(state.streams.open), "most": caps.streams},
        "kernels": {"now": len(READY), "most": caps.kernels},
        "twins": {"now": remembered_twins(), "most": None},
    }


def health_line(state: ServerState) -> str:
    """The same in a line: ``astragal web: 231 MB, up 600 s, 3 sessions, 12 kernels``."""
    facts = health(state)
    room = "memory unknown" if facts["megabytes"] is None else f"{facts['megabytes']:.0f} MB"
    counts = [f"{value['now']} {name.replace('_', ' ')}" for name, value in facts.items() if isinstance(value, dict)]
    return f"astragal web: {room}, up {facts['seconds']:.0f} s, {', '.join(counts)}"
