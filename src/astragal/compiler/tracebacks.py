"""Where machine code raised an error, as lines of the current files.

Comments, docstrings and file names are edited without a compile. So machine code stores no file and no line: an
exception in it names the byte code that raises it, by a hash, and an offset in that. What these mean is looked up among
the loaded functions when the error comes out of a kernel.
"""

# mypy: allow-untyped-defs, allow-untyped-calls, allow-subclassing-any
from __future__ import annotations

import dataclasses
import hashlib
import inspect
from types import TracebackType
from typing import Any

from astragal.compiler.fingerprint import behind, code_text, is_compiled, is_ours, plain_function, referred_values
from astragal.compiler.numba_names import CPUCallConv, CPUContext

PREFIX = "<byte code "


class ByteCodeContext(CPUContext):
    """Numba's context of a function's compile, with the name of its byte code."""

    code = None

    @property
    def call_conv(self):
        return ByteCodeCallConv(self)


class ByteCodeCallConv(CPUCallConv):
    """How exceptions get into machine code: with a place that edits elsewhere do not move."""

    def build_excinfo_struct(self, exc, exc_args, loc, func_name):
        kind, arguments, place = super().build_excinfo_struct(exc, exc_args, loc, func_name)
        code = self.context.code
        if place is not None and code is not None and loc.filename == code.co_filename:
            offsets = [start for start, _, line in code.co_lines() if line == loc.line]
            if offsets:
                place = code.co_name, f"{PREFIX}{code_hash(code)}>", offsets[0]
        return kind, arguments, place


def name_byte_code(context, function):
    """Let the code that is compiled in this context raise with such places."""
    context.__class__ = ByteCodeContext
    context.code = function.__code__ if is_ours(function) else None


def code_hash(code):
    return hashlib.sha256(f"{code.co_qualname} {code_text(code)}".encode()).hexdigest()[:16]


def in_files(entry, *roots):
    """The traceback of an error that a kernel raised, with files and lines.

    ``roots`` are the kernel and what it was called with; what raised is among what these refer to.
    """
    entries = []
    while entry is not None:
        entries.append(entry)
        entry = entry.tb_next
    below = None
    for entry in reversed(entries):
        place = real_place(entry, roots)
        frame = entry.tb_frame if place is None else frame_at(*place)
        line, last = (entry.tb_lineno, entry.tb_lasti) if place is None else (place[1], -1)
        below = TracebackType(below, frame, last, line)
    return below


def real_place(entry, roots):
    """File, line and function of an entry of a traceback that names byte code; None of any other."""
    name = entry.tb_frame.f_code.co_filename
    if not name.startswith(PREFIX):
        return None
    for function in functions_behind(roots):
        code = function.__code__
        if f"{PREFIX}{code_hash(code)}>" == name:
            lines = [line for start, end, line in code.co_lines() if start <= entry.tb_lineno < end]
            return code.co_filename, lines[0], code.co_name
    return None


def functions_behind(roots):
    """All of our and the user's functions that some values lead to."""
    pending: list[Any] = list(roots)
    seen: list[Any] = []
    while pending:
        item = behind(pending.pop())
        if isinstance(item, tuple):
            pending += item
        elif is_compiled(item):
            pending += [type(item), *(getattr(item, field.name) for field in dataclasses.fields(item))]
        elif is_ours(item) and not inspect.ismodule(item) and not any(item is one for one in seen):
            seen.append(item)
            if inspect.isfunction(item):
                yield item
                pending += referred_values(item).values()
            else:
                held = (plain_function(value) for parent in item.__mro__ for value in vars(parent).values())
                pending += [value for value in held if inspect.isfunction(value) or is_compiled(value)]


def frame_at(file, line, name):
    """A frame that says to be at a line of a file."""
    code = compile("raise LookupError", file, "exec").replace(co_name=name, co_firstlineno=line)
    try:
        exec(code, {})
    except LookupError as error:
        return error.__traceback__.tb_next.tb_frame  # type: ignore[union-attr]
