"""What a compiled instance is called in the line that announces a compile: its class, and what is compiled into it."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import Any

import numpy as np

from astragal.game.fingerprint import is_compiled, value_text
from astragal.parameters import spell


def label(instance: Any, constants: dict[str, Any]) -> str:
    """``Pig:squash=on``: the class, and the constants by which this compile differs from that of the defaults.

    Properties follow from fields; they are shown where no constant field differs, as where they follow from a text.
    """
    if hasattr(instance, "_label_"):  # a name of its own
        return str(instance._label_)
    changed = {name: value for name, value in changed_fields(instance).items() if name in constants}
    if not changed:
        simple = {name: value for name, value in constants.items() if isinstance(value, (bool, int, float))}
        with contextlib.suppress(Exception):  # a field without a default, or the user's own code
            default = type(instance)()
            changed = {name: value for name, value in simple.items() if value != getattr(default, name)}
    settings = ",".join(f"{name}={spell_constant(value)}" for name, value in changed.items())
    return f"{type(instance).__name__}{':' if settings else ''}{settings}"


def changed_fields(instance: Any) -> dict[str, Any]:
    values = {field: getattr(instance, field.name) for field in dataclasses.fields(instance)}
    return {field.name: value for field, value in values.items() if value_text(value) != value_text(field.default)}


def spell_constant(value: Any) -> str:
    """A constant in few words: a step by its class and what is changed in it, a table by its shape."""
    if is_compiled(value):
        changed = " ".join(f"{name}={spell_constant(inner)}" for name, inner in changed_fields(value).items())
        return f"{type(value).__name__}({changed})" if changed else type(value).__name__
    if isinstance(value, np.ndarray):
        return f"array{list(value.shape)}"
    return f"({' '.join(map(spell_constant, value))})" if isinstance(value, tuple) else spell(value)
