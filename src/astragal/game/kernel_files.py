"""Files that compiled kernels are kept in, and what is made sure of before one is believed.

A file begins with its key, which is a hash of all that its machine code depends on, and a checksum. A damaged file, one
that another's name was given to, and one that somebody else owns or may write to is not loaded.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
import time
from pathlib import Path

from astragal.folders import cache_folder, new_file

FORMAT = b"astragal kernel 2\n"
TOUCHED = 86400.0  # seconds after which a file's time is set anew when it is used


class Unbelievable(Exception):
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
            raise Unbelievable("another user owns it or may write to it")
        held = file.read()
    if not held.startswith(FORMAT):
        raise Unbelievable("it is no kernel")
    content = held[len(heading(key, b"")) :]
    if not held.startswith(FORMAT + key.encode()):
        raise Unbelievable("it is another kernel")
    if not held.startswith(heading(key, content)):
        raise Unbelievable("it is damaged")
    if status.st_mtime < time.time() - TOUCHED:
        with contextlib.suppress(OSError):  # somebody else's cache, which may only be read
            os.utime(path)
    return content


def heading(key: str, content: bytes) -> bytes:
    checksum = hashlib.sha256(key.encode() + content).hexdigest()
    return FORMAT + f"{key}\n{checksum}\n".encode()


def is_own(status: os.stat_result) -> bool:
    """Whether only this user, or the system's, can have written a file: loading it runs what is in it."""
    if not hasattr(os, "geteuid"):  # Windows, where nobody else can write to a user's cache
        return True
    return status.st_uid in (os.geteuid(), 0) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
