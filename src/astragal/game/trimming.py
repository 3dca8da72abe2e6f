"""How large the cache of compiled kernels may become: what was not used for long is removed, then what is too much.

This happens whenever a kernel is added, which took seconds to compile. What is removed is compiled again when it is
needed.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from astragal.errors import SpecError
from astragal.folders import UNFINISHED
from astragal.game.kernel_files import kernel_folder

MEGABYTES, DAYS = "ASTRAGAL_CACHE_MEGABYTES", "ASTRAGAL_CACHE_DAYS"
DEFAULTS = {MEGABYTES: 1000.0, DAYS: 90.0}
ABANDONED = 3600.0  # seconds after which nobody is writing a file any more


class KeptFile(NamedTuple):
    """A file of a cache; one that is used is touched, at most once a day."""

    path: str
    bytes: int
    used: float


def limit(variable: str) -> float:
    """The value of an environment variable that sets a limit; ``inf`` is none."""
    text = os.environ.get(variable, "")
    with contextlib.suppress(ValueError):
        value = float(text or DEFAULTS[variable])
        if value >= 0:
            return value
    raise SpecError(f"{variable} must be a number of at least 0, not '{text}'")


def kept_files(folder: Path) -> list[KeptFile]:
    """The files of a folder; none if there is no such folder."""
    return list(_found(folder))


def _found(folder: Path) -> Iterator[KeptFile]:
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(OSError):  # it is gone by now
                if entry.is_file(follow_symlinks=False):
                    status = entry.stat(follow_symlinks=False)
                    yield KeptFile(entry.path, status.st_size, status.st_mtime)


def trim_kernels() -> list[KeptFile]:
    """Remove what is beyond the limits, the longest unused first; return what was removed."""
    bytes_left, now = limit(MEGABYTES) * 1e6, time.time()
    oldest = now - limit(DAYS) * 86400
    unwanted = []
    for file in sorted(kept_files(kernel_folder()), key=lambda file: -file.used):
        unfinished = os.path.basename(file.path).startswith(UNFINISHED)
        bytes_left -= file.bytes
        if file.used < (now - ABANDONED if unfinished else oldest) or (bytes_left < 0 and not unfinished):
            unwanted.append(file)
    return remove(unwanted)


def remove(files: list[KeptFile]) -> list[KeptFile]:
    """Remove files; return those that are gone."""
    removed = []
    for file in files:
        with contextlib.suppress(OSError):  # another process was faster, or it is not ours
            os.unlink(file.path)
            removed.append(file)
    return removed
