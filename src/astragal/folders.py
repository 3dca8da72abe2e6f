"""Where Astragal keeps what it has computed, outside the installed package."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def cache_folder() -> Path:
    """The user's cache folder for Astragal: ``ASTRAGAL_CACHE`` if set, else where the operating system keeps caches."""
    if moved := os.environ.get("ASTRAGAL_CACHE"):
        return Path(moved).expanduser()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "astragal"
