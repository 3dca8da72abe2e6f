"""Files of compiled kernels: what is checked before one is loaded, and how large their folder may become.

A file begins with its key, which is a hash of all that its machine code depends on, and a checksum. A file is not
loaded if it is damaged, was renamed, or if another user owns it or may write to it.

When a kernel is added, which took seconds to compile, files that were not used for long are removed, then the oldest
beyond the limit. A removed kernel is compiled again when it is needed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from astragal.base.errors import SpecError
from astragal.base.folders import UNFINISHED, cache_folder, new_file

FORMAT = b"astragal kernel 3\n"
TOUCHED = 86400.0  # seconds after which a file's time is set anew when it is used
MEGABYTES, DAYS = "ASTRAGAL_CACHE_MEGABYTES", "ASTRAGAL_CACHE_DAYS"
DEFAULTS = {MEGABYTES: 1000.0, DAYS: 90.0}
ABANDONED = 3600.0  # seconds after which a file is no longer being written


class CorruptEntry(Exception):
    """Why a file is not loaded, in a few words."""


def kernel_folder() -> Path:
    return cache_folder() / "kernels"


def write_kernel(path: Path, key: str, content: bytes) -> None:
    with new_file(path) as file:
        file.write(heading(key, content))
        file.write(content)


def read_kernel(path: Path, key: str) -> bytes:
    """What was written under a key."""
    with open(path, "rb") as file:
        status = os.fstat(file.fileno())
        if not is_own(status):
            raise CorruptEntry("another user owns it or may write to it")
        held = file.read()
    if not held.startswith(FORMAT):
        raise CorruptEntry("it is no kernel")
    content = held[len(heading(key, b"")) :]
    if not held.startswith(FORMAT + key.encode()):
        raise CorruptEntry("it is another kernel")
    if not held.startswith(heading(key, content)):
        raise CorruptEntry("it is damaged")
    if status.st_mtime < time.time() - TOUCHED:
        with contextlib.suppress(OSError):  # another user's cache, which is read only
            os.utime(path)
    return content


def heading(key: str, content: bytes) -> bytes:
    checksum = hashlib.sha256(key.encode() + content).hexdigest()
    return FORMAT + f"{key}\n{checksum}\n".encode()


def is_own(status: os.stat_result) -> bool:
    """Whether only this user, or the system's, can have written a file: loading it runs what is in it."""
    if not hasattr(os, "geteuid"):  # Windows, where no other user can write to a user's cache
        return True
    return status.st_uid in (os.geteuid(), 0) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


# How large the folder may become


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
