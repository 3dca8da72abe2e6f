"""Typed settings: the fields of a frozen dataclass with a sentence, a range or a choice each.

Games and players are both described this way, so that the text form ``name:key=value,key=value``, the help, the
documentation and the tuner's search space all come from the same record.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

from astragal.base.docstrings import docstring
from astragal.base.errors import SpecError, suggest

T = TypeVar("T")

Constant = Annotated[T, "known when kernels are compiled"]
"""Annotation of a field whose value is compiled in (`astragal.compiler.class_types`): ``size: Constant[int] = 5``."""


def is_constant_field(field: dataclasses.Field[Any]) -> bool:
    text = str(field.type)
    return "Constant[" in text or "known when kernels are compiled" in text


def parameter(
    default: Any,
    help: str,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] | None = None,
    rare: bool = False,
    kind: type | None = None,
) -> Any:
    """A field of a settings record: default, explanation, and what values are allowed.

    A ``rare`` field is for experiments; it is listed only with `--all`.
    """
    metadata = {"help": help, "low": low, "high": high, "choices": choices, "rare": rare, "kind": kind}
    return dataclasses.field(default=default, metadata=metadata)


def parameter_fields(cls: type) -> list[dataclasses.Field[Any]]:
    """The fields of a settings record that a user may set, in order."""
    return [f for f in dataclasses.fields(cls) if f.init]


def split_settings(text: str, what: str) -> dict[str, str]:
    """``"width=18,time=0.2"`` as a dictionary; ``what`` names the whole in an error."""
    settings: dict[str, str] = {}
    for item in text.split(",") if text else []:
        key, equals, value = item.partition("=")
        key = key.strip()
        if not equals or not key or not value.strip():
            raise SpecError(f"{what}: '{item}' is not a setting; write key=value,key=value")
        if key in settings:
            raise SpecError(f"{what}: '{key}' is set twice")
        settings[key] = value.strip()
    return settings


def build(cls: type[T], settings: Mapping[str, str], what: str) -> T:
    """An instance of the settings record ``cls`` from texts, each converted and checked."""
    fields = {f.name: f for f in parameter_fields(cls)}
    values = {}
    for key, text in settings.items():
        if key not in fields:
            known = ", ".join(fields) or "none"
            raise SpecError(f"{what} has no setting '{key}' (it has: {known}){suggest(key, fields)}")
        values[key] = convert(fields[key], text, what)
    return make(cls, values, what)


def make(cls: type[T], values: Mapping[str, Any], what: str) -> T:
    """An instance of ``cls`` from typed values, checked against each field's range."""
    for field in parameter_fields(cls):
        if field.name in values:
            check_range(field, values[field.name], what)
    try:
        return cls(**values)
    except ValueError as error:  # a record's own __post_init__, for what ranges cannot say
        raise SpecError(f"{what}: {error}") from None


def convert(field: dataclasses.Field[Any], text: str, what: str) -> Any:
    """``text`` as a value of the field's type, which is the type of its default unless a converter is given."""
    kind = field_kind(field)
    if text.lower() == "none" and "None" in str(field.type):
        return None
    try:
        if kind is bool:
            return {
                "true": True,
                "yes": True,
                "on": True,
                "1": True,
                "false": False,
                "no": False,
                "off": False,
                "0": False,
            }[text.lower()]
        return kind(text)
    except (ValueError, KeyError) as error:
        noun = {int: "a whole number", float: "a number", bool: "on or off"}.get(kind, str(error))
        raise SpecError(f"{what}: {field.name}={text} is not {noun}") from None


def field_kind(field: dataclasses.Field[Any]) -> type:
    """int, float, bool, str, or a type with a ``parse``-like constructor, as the field's annotation says."""
    given: type | None = field.metadata.get("kind")
    if given is not None:
        return given
    for kind in (bool, int, float, str):
        if kind.__name__ in re.findall(r"\w+", str(field.type)) or field.type is kind:
            return kind
    return type(field.default)


def check_range(field: dataclasses.Field[Any], value: Any, what: str) -> None:
    low, high, choices = (field.metadata.get(k) for k in ("low", "high", "choices"))
    if choices is not None and value not in choices:
        raise SpecError(
            f"{what}: {field.name}={value} is not one of {', '.join(choices)}{suggest(str(value), choices)}"
        )
    if isinstance(value, float) and math.isnan(value):
        raise SpecError(f"{what}: {field.name}={value} is not a number")
    if low is not None and value is not None and value < low:
        raise SpecError(f"{what}: {field.name}={value} is too small; the least is {low:g}")
    if high is not None and value is not None and value > high:
        raise SpecError(f"{what}: {field.name}={value} is too large; the most is {high:g}")


def describe(record: Any, only_changed: bool = True) -> str:
    """The text form of a record's settings, ``key=value,key=value``; those at their default left out unless asked."""
    parts = []
    for field in parameter_fields(type(record)):
        value = getattr(record, field.name)
        unset = value is None and field.default is None
        if not unset and not (only_changed and value == field.default):
            parts.append(f"{field.name}={spell(value)}")
    return ",".join(parts)


def spell(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value).removesuffix(".0") if isinstance(value, float) else str(value)


def with_default(cls: type, name: str, default: Any) -> Any:
    """A field of another settings record with a default of its own: ``c: float = with_default(Base, "c", 50.0)``."""
    metadata = next(field.metadata for field in dataclasses.fields(cls) if field.name == name)
    return dataclasses.field(default=default, metadata=metadata)


def record_facts(name: str, cls: type) -> dict[str, Any]:
    """What a listing shows of a settings record: its name, the first line of its docstring, and its settings."""
    about = docstring(cls).splitlines()
    settings = [field_facts(field) for field in parameter_fields(cls)]
    return {"name": name, "about": about[0] if about else "", "parameters": settings}


def field_facts(field: dataclasses.Field[Any]) -> dict[str, Any]:
    choices, low, high = (field.metadata.get(key) for key in ("choices", "low", "high"))
    kind = field_kind(field)
    return {
        "name": field.name,
        "default": None if field.default is None else spell(field.default),
        "help": field.metadata.get("help", ""),
        "kind": kind.__name__ if kind in (bool, int, float) else "str",
        "optional": "None" in str(field.type),
        "choices": list(choices) if choices else None,
        "low": low,
        "high": high,
        "rare": field.metadata.get("rare", False),
    }
