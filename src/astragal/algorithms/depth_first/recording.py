"""A searched tree written down node by node, for searches that go depth first and keep none.

A variant of a search holds a `Silent` recorder as a constant, whose methods are nothing, so that nothing is compiled
into the kernels; or a `Recorder`, which writes a row for each node that the work record counts. A row has its parent,
the action or outcome that led to it, its value and what cut it. What was left out follows from how many actions or
outcomes there were.

Rows have a fixed room. When it is full, further nodes are only counted, and nodes that are then not finished stay
without a value, as they do in a search that is stopped.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from astragal.algorithms.depth_first.work import Silent
from astragal.algorithms.plain_tree import PlainTree
from astragal.compiler.intrinsics.native import record_reader
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, compiled
from astragal.rules.position import Position

ROOM = 2_000_000  # rows; what is not written to costs no memory
ROW = np.dtype(
    [
        ("value", "f8"),  # the viewer's; not a number where it is not known
        ("parent", "i4"),  # -1 at the root
        ("step", "u4"),  # the action or outcome that led here
        ("listed", "u4"),  # how many actions or outcomes there are
        ("marks", "u4"),
    ],
    align=True,
)
RECORD = np.dtype(
    [
        ("rows", "u8"),  # address
        ("room", "i8"),
        ("count", "i8"),  # nodes met, with or without a row
        ("at", "i8"),  # the row of the node being searched
        ("step", "i8"),  # what leads to the next node,
        ("marks", "i8"),  # and what is known of it already
    ],
    align=True,
)
row_at, record_at = record_reader(ROW), record_reader(RECORD)


@compiled
@dataclass(frozen=True)
class Recorder(Silent):
    """Writes a row for each node."""

    def step(self, work, number, marks):
        record = record_at(work.record, 0)
        record.step, record.marks = number, marks

    def enter(self, work):
        row = add_row(work, np.nan, 0)
        record = record_at(work.record, 0)
        if row < record.room:
            record.at = row
        return row

    def leave(self, work, row, value, listed, marks):
        finish_row(work, row, value, listed, marks)
        return value

    def leaf(self, work, value, marks):
        add_row(work, value, marks)
        return value


RECORDER = Recorder()  # made once: a new one costs Numba some time


@kernel
def add_row(work, value, marks):
    """The number of a new child of the node being searched, which has a row if there is room."""
    record = record_at(work.record, 0)
    number = np.int64(record.count)
    if number < record.room:
        row = row_at(record.rows, number)
        row.value = value
        row.parent = record.at
        row.step = record.step
        row.listed = 0
        row.marks = record.marks | marks
    record.count = number + 1
    record.marks = 0
    return number


@kernel
def finish_row(work, number, value, listed, marks):
    """Go back to the parent of a row. What was found is noted, unless the search is being stopped or rows ran out."""
    record = record_at(work.record, 0)
    if number < 0 or number >= record.room:
        return
    row = row_at(record.rows, number)
    record.at, record.step = row.parent, row.step  # it may be searched again, with another window
    if work.stop == 0 and record.count <= record.room:
        row.value = value
        row.listed = listed
        row.marks |= marks


class Recording:
    """The memory of a recorder."""

    def __init__(self, work: npt.NDArray[np.void]) -> None:
        self.memory = np.empty(ROOM, ROW)
        self.record = np.zeros(1, RECORD)
        self.record["rows"], self.record["room"] = self.memory.ctypes.data, len(self.memory)
        work["record"] = self.record.ctypes.data
        self.clear()

    def clear(self) -> None:
        """Forget what was recorded, for the next iteration."""
        self.record["count"], self.record["at"], self.record["marks"] = 0, -1, 0

    @property
    def count(self) -> int:
        """Nodes met since, with or without a row."""
        return int(self.record["count"][0])

    @property
    def rows(self) -> npt.NDArray[np.void]:
        """A copy of the rows."""
        return self.memory[: self.count].copy()


def tree_of_rows(
    position: Position, recording: Recording, actions: int, value: float | None, viewer: int, finished: bool
) -> PlainTree:
    """The tree of an iteration. The root, which no node routine searches, has `count` actions and this value."""
    rows = recording.rows
    if position.turn != CHANCE and len(rows):
        whole = finished and recording.count == len(rows)
        rows[0]["value"], rows[0]["listed"] = np.nan if value is None else value, actions if whole else 0
    children = np.unique(rows["parent"][1:].astype(np.int64) << 32 | rows["step"][1:])  # once, however often searched
    searched = np.bincount(children >> 32, minlength=len(rows))
    left_out = np.where(rows["listed"] > 0, rows["listed"].astype(np.int64) - searched, 0)
    return PlainTree(
        position,
        rows["parent"].astype(np.int64),
        rows["step"].astype(np.int64),
        rows["value"].copy(),
        None,
        rows["marks"].copy(),
        left_out,
        viewer,
        recording.count,
        finished,
    )
