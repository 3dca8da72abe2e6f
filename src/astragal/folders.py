"""Where Astragal keeps what it has computed, outside the installed package."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any


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


UNFINISHED = "tmp"  # what names of files begin with that are being written


@contextlib.contextmanager
def new_file(path: Path, mode: str = "wb") -> Iterator[IO[Any]]:
    """A file to write to, which takes its name when it is whole; where that fails, as on a full disk, nothing is left.

    Nobody but the user may read or change it.
    """
    import tempfile

    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=UNFINISHED)
    try:
        with os.fdopen(handle, mode) as file:
            yield file
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
