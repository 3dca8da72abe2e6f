"""Which names of a class belong to a game or step: all that its user wrote, helpers with an underscore among them."""

from __future__ import annotations

OURS = frozenset({"_numba_type_", "_twin_", "_label_"})  # put there, or read there, by this package


def member_names(cls: type) -> list[str]:
    """The names that methods of a class may use: all but Python's own and those of this package."""
    return [name for name in dir(cls) if name not in OURS and not (name.startswith("__") and name.endswith("__"))]
