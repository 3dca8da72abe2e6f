"""A process that runs for long can say how many kinds of searches it has room for."""

from __future__ import annotations

import pytest

import astragal
from astragal.algorithms import search
from astragal.algorithms.limits import Limits
from astragal.algorithms.search import READY, kernel_room
from astragal.algorithms.tree.search import TreeSearch
from astragal.base.errors import AstragalError

FEW = Limits(nodes=50)


def test_no_new_kernels_where_there_is_no_room(monkeypatch):
    position = astragal.start("ewn:setup=fixed").settled(1)
    known = astragal.search(position, "star2", limits=FEW)
    monkeypatch.setattr(kernel_room, "most", len(READY))
    assert astragal.search(position, "star2", limits=FEW).value == known.value  # what is there already stays usable
    ready = set(READY)
    monkeypatch.setattr(TreeSearch, "kernels", "kernels that are not in memory")
    with pytest.raises(AstragalError, match=f"for {len(ready)} kinds of searches"):
        astragal.search(position, "uct", limits=FEW)
    assert ready == READY


def test_no_new_kernels_beyond_a_limit_on_memory(monkeypatch):
    position = astragal.start("ewn:setup=fixed").settled(1)
    known = astragal.search(position, "star2", limits=FEW)
    freed, used = [], [500.0]

    def free() -> None:
        freed.append(used[0])
        used[0] = least

    monkeypatch.setattr(search, "megabytes", lambda: used[0])
    monkeypatch.setattr(kernel_room, "megabytes", 400.0)
    monkeypatch.setattr(kernel_room, "free", free)
    least = 450.0
    assert astragal.search(position, "star2", limits=FEW).value == known.value  # what is there already stays usable
    assert freed == [500.0]
    monkeypatch.setattr(TreeSearch, "kernels", "kernels that are new")
    with pytest.raises(AstragalError, match="this program has more than 400 MB in memory, no room"):
        astragal.search(position, "uct", limits=FEW)
    assert freed == [500.0, 450.0]
    assert "kernels that are new" not in READY
    used[0], least = 500.0, 350.0
    assert astragal.search(position, "uct", limits=FEW).action
    READY.discard("kernels that are new")


def test_room_is_not_limited_unless_someone_says_so():
    assert kernel_room.most is None
    assert kernel_room.megabytes is None
