"""Where Astragal keeps what it has computed, outside the installed package."""

from __future__ import annotations

import contextlib
import os
import sys
import weakref
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


class TemporaryFolder:
    """A folder that is deleted when no object refers to this one any more, or when the process ends."""

    def __init__(self) -> None:
        import shutil
        import tempfile

        self.path = Path(tempfile.mkdtemp(prefix="astragal-"))
        weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


UNFINISHED = "tmp"  # prefix of files that are being written


@contextlib.contextmanager
def new_file(path: Path, mode: str = "wb") -> Iterator[IO[Any]]:
    """A file to write to, renamed when it is complete. If writing fails, as on a full disk, nothing is left.

    Only the user may read or change it.
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
