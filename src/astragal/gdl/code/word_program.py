"""Straight-line programs on 64-bit words: each operation once, in the order in which they are to be done.

An operation is a kind, up to two earlier operations, by number, and a constant:

    load          the word with this number of what the program is given
    and, or       of two words
    not           of a word
    mask          a word and a constant
    left, right   a word, shifted by a constant
    empty         1 if a word is 0, and 0 if it is not
    spread        all ones if a word is 1, and 0 if it is 0
    constant
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

ALL = (1 << 64) - 1

Value: TypeAlias = int  # the number of an operation


class Operation(NamedTuple):
    kind: str
    first: Value = 0
    second: Value = 0
    constant: int = 0


class WordProgram:
    """Collects operations, and leaves out what changes nothing."""

    def __init__(self) -> None:
        self.operations: list[Operation] = []
        self._known: dict[Operation, Value] = {}

    def _value(self, operation: Operation) -> Value:
        if operation not in self._known:
            self._known[operation] = len(self.operations)
            self.operations.append(operation)
        return self._known[operation]

    def load(self, number: int) -> Value:
        return self._value(Operation("load", constant=number))

    def constant(self, word: int) -> Value:
        return self._value(Operation("constant", constant=word))

    def both(self, one: Value, other: Value) -> Value:
        return one if one == other else self._value(Operation("and", min(one, other), max(one, other)))

    def either(self, one: Value, other: Value) -> Value:
        return one if one == other else self._value(Operation("or", min(one, other), max(one, other)))

    def inverted(self, word: Value) -> Value:
        return self._value(Operation("not", word))

    def masked(self, word: Value, mask: int) -> Value:
        return word if mask == ALL else self._value(Operation("mask", word, constant=mask))

    def shifted(self, word: Value, places: int) -> Value:
        """Towards bit 0 by this many places, or away from it if the number is negative."""
        if places == 0:
            return word
        return self._value(Operation("right" if places > 0 else "left", word, constant=abs(places)))

    def is_empty(self, word: Value) -> Value:
        return self._value(Operation("empty", word))

    def spread(self, bit: Value) -> Value:
        return self._value(Operation("spread", bit))

    def any_of(self, words: list[Value]) -> Value:
        result = words[0]
        for word in words[1:]:
            result = self.either(result, word)
        return result


def run(operations: list[Operation], given: list[int]) -> list[int]:
    """The words that operations come to; machine code does the same."""
    words: list[int] = []
    for kind, first, second, constant in operations:
        one, other = (words[first], words[second]) if words else (0, 0)
        match kind:
            case "load":
                word = given[constant]
            case "constant":
                word = constant
            case "and":
                word = one & other
            case "or":
                word = one | other
            case "not":
                word = one ^ ALL
            case "mask":
                word = one & constant
            case "left":
                word = one << constant & ALL
            case "right":
                word = one >> constant
            case "empty":
                word = int(one == 0)
            case _:
                word = -one & ALL
        words.append(word)
    return words
