"""What a sheet's machine code is made of: programs on words as texts in LLVM's language.

A sheet's game calls it by address (`astragal.compiler.intrinsics.native.call_address`), so that the kernels of searches
are compiled once for many sheets and the code of one sheet takes a fraction of a second.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from astragal.compiler.intrinsics.llvm_module import Module
from astragal.gdl.code.word_program import Operation

Words: TypeAlias = npt.NDArray[np.uint64] | npt.NDArray[np.int64]

PROTOTYPE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)  # of a state's words, and of the moves


class MachineCode(Module):
    """The code of a sheet."""

    def advance(self, words: Words, moves: Words) -> None:
        """Play moves, one of each seat."""
        PROTOTYPE(self.address("advance"))(words.ctypes.data, moves.ctypes.data)

    def derive(self, words: Words) -> None:
        """Complete a state of which the facts are known."""
        PROTOTYPE(self.address("derive"))(words.ctypes.data, None)

    def goals(self, words: Words) -> None:
        PROTOTYPE(self.address("goals"))(words.ctypes.data, None)


class Writer:
    """The text of a module, in LLVM's language."""

    def __init__(self) -> None:
        self.tables: list[str] = []
        self.lines: list[str] = []
        self._count = 0

    @property
    def text(self) -> str:
        return "\n".join([*self.tables, *self.lines])

    def fresh(self) -> str:
        self._count += 1
        return f"%v{self._count}"

    def line(self, text: str) -> None:
        self.lines.append(text)

    def define(self, name: str) -> None:
        self.line(f"define void @{name}(ptr %bits, ptr %moves) nounwind {{")
        self.line("entry:")

    def value(self, expression: str) -> str:
        name = self.fresh()
        self.line(f"  {name} = {expression}")
        return name

    def item(self, pointer: str, number: int | str, kind: str = "i64") -> str:
        """A word of an array."""
        place = self.value(f"getelementptr {kind}, ptr {pointer}, i64 {number}")
        return self.value(f"load {kind}, ptr {place}")

    def store(self, value: str, number: int) -> None:
        place = self.value(f"getelementptr i64, ptr %bits, i64 {number}")
        self.line(f"  store i64 {value}, ptr {place}")

    def table(self, kind: str, items: Sequence[int]) -> str:
        """A constant array; its name."""
        name = f"@t{len(self.tables)}"
        values = ", ".join(f"{kind} {signed(item)}" for item in items)
        self.tables.append(f"{name} = private unnamed_addr constant [{len(items)} x {kind}] [{values}]")
        return name

    def program(
        self, operations: Sequence[Operation], given: Sequence[str], constants: dict[int, str] | None = None
    ) -> list[str]:
        """The names of the values of a program's operations; some of its constants may be values, by operation."""
        names: list[str] = []
        for i, (kind, first, second, constant) in enumerate(operations):
            one, other = (names[first], names[second]) if names else ("", "")
            fixed = str(signed(constant)) if constants is None or i not in constants else constants[i]
            match kind:
                case "load":
                    names.append(given[constant])
                case "constant":
                    names.append(fixed)
                case "and" | "or":
                    names.append(self.value(f"{kind} i64 {one}, {other}"))
                case "not":
                    names.append(self.value(f"xor i64 {one}, -1"))
                case "mask":
                    names.append(self.value(f"and i64 {one}, {fixed}"))
                case "left":
                    names.append(self.value(f"shl i64 {one}, {fixed}"))
                case "right":
                    names.append(self.value(f"lshr i64 {one}, {fixed}"))
                case "empty":
                    names.append(self.value(f"zext i1 {self.value(f'icmp eq i64 {one}, 0')} to i64"))
                case _:
                    names.append(self.value(f"sub i64 0, {one}"))
        return names


def signed(word: int) -> int:
    """A word as LLVM writes it."""
    return word - (1 << 64) if word >= 1 << 63 else word
