"""What a search that goes depth first keeps from move to move of one game, where asked: its table (``reuse=on``).

What an entry says does not depend on the root, so the next move's search finds actions to try first in it and, if it is
exact and keeps values, their values: the same values as without. Which nodes a search visits, and so how deep it
comes, then depends on the game so far.
"""

from __future__ import annotations

import threading
from typing import Any

from astragal.algorithms.depth_first.table import KeptTable, attach, new_table
from astragal.algorithms.depth_first.work import Work
from astragal.base.errors import AstragalError

STATE = ("first_era", "table_mask", "table_stored")  # of a table, in the work record


class TableSession:
    """A table that belongs to one player of one game."""

    def __init__(self) -> None:
        self.table: KeptTable | None = None
        self.searched: Any = None  # what the entries are about: the game and all that values depend on
        self.state: dict[str, int] = {}
        self._lent = threading.Lock()

    def lend(self, work: Work, searched: Any, megabytes: float) -> KeptTable:
        """Give a search the table, with what is in it if that is about the same."""
        if not self._lent.acquire(blocking=False):
            raise AstragalError(
                "this session is being searched by another thread; give each thread a session of its own"
            )
        goes_on = self.table is not None and self.searched == searched and self.table.megabytes == megabytes
        if self.table is None or self.table.megabytes != megabytes:
            self.table = new_table(megabytes)
        attach(work, self.table)
        if goes_on:
            for name, value in self.state.items():
                work[name] = value
        self.searched = searched
        return self.table

    def take_back(self, work: Work) -> None:
        """Keep what the table has; nothing where choices made at once were met, which a search has to meet itself."""
        self.state = {name: int(work[name][0]) for name in STATE}
        if work["hidden"][0]:
            self.searched = None
        work["table"] = 0
        self._lent.release()
