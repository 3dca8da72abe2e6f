"""A process that runs for long can say how many kinds of searches it has room for."""

from __future__ import annotations

import pytest

import astragal
from astragal.errors import AstragalError
from astragal.search.limits import Limits
from astragal.search.search import READY, kernel_room
from astragal.search.tree.search import TreeSearch

FEW = Limits(nodes=50)


def test_no_new_kernels_where_there_is_no_room(monkeypatch):
    position = astragal.start("ewn:setup=fixed").settled(1)
    known = astragal.search(position, "star2", limits=FEW)
    monkeypatch.setattr(kernel_room, "most", len(READY))
    assert astragal.search(position, "star2", limits=FEW).value == known.value  # what is there already stays usable
    ready = set(READY)
    monkeypatch.setattr(TreeSearch, "kernels", "kernels that nobody has met")
    with pytest.raises(AstragalError, match=f"for {len(ready)} kinds of searches"):
        astragal.search(position, "uct", limits=FEW)
    assert ready == READY


def test_room_is_not_limited_unless_someone_says_so():
    assert kernel_room.most is None
