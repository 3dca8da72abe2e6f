"""How much memory this process uses, and returning memory that it does not need."""

from __future__ import annotations

import ctypes
import gc
import sys
from contextlib import suppress
from pathlib import Path

PAGES = Path("/proc/self/statm")  # where the system has it


def megabytes() -> float | None:
    """The memory that this process uses; if the system does not report it, the most it has used, or nothing."""
    try:
        import resource

        if PAGES.exists():
            return int(PAGES.read_text().split()[1]) * resource.getpagesize() / 2**20
        unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 2**20
    except (ImportError, OSError):
        return None


def give_back() -> None:
    """Collect garbage, and make the C library return the free memory if it can."""
    gc.collect()
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
