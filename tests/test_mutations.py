"""The faults of `mutations.py` can be put into the sources, and the tests beside them are there."""

from __future__ import annotations

import mutations


def test_every_fault_has_its_place():
    for fault in mutations.MUTATIONS:
        text = (mutations.ROOT / mutations.SEARCH / fault.file).read_text(encoding="utf-8")
        assert text.count(fault.old) == 1, fault.name
        assert fault.old != fault.new
        for test in fault.tests.split():
            file, _, name = test.partition("::")
            assert f"def {name}" in (mutations.ROOT / "tests/algorithms" / file).read_text(encoding="utf-8"), fault.name
