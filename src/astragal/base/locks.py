"""Locks between commands: a file that one at a time writes to, and one for programs that measure time."""

from __future__ import annotations

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from astragal.base.errors import AstragalError


@contextmanager
def locked(path: Path, sentence: str) -> Iterator[None]:
    """Keep other commands from writing to a file; raise `sentence` if another command already writes to it.

    The lock is one of SQLite's, on an empty file beside the other, and ends with the process, however that ends.
    """
    lock = sqlite3.connect(f"{path}.lock", timeout=0.0, isolation_level=None)
    try:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if "locked" not in str(error):
                raise
            raise AstragalError(sentence) from None
        yield
    finally:
        lock.close()


PATIENCE = 24 * 3600.0  # seconds to wait for the lock


def lock_file() -> Path:
    """The lock of this machine, unless ``ASTRAGAL_LOCK`` names another file."""
    return Path(os.environ.get("ASTRAGAL_LOCK") or Path(tempfile.gettempdir(), "astragal-measuring.lock"))


@contextmanager
def measuring(wait: bool = False) -> Iterator[None]:
    """Within this block no other program holds the lock. Without `wait`, raise while another program holds it.

    The lock is SQLite's: it works on every system, and a process that is killed leaves none behind.
    """
    with closing(sqlite3.connect(lock_file(), timeout=PATIENCE if wait else 0.0, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            raise AstragalError(f"a benchmark or a job of the laboratory is running ({lock_file()}: {error})") from None
        yield
