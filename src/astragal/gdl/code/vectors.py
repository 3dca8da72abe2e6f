"""Gates evaluated many at a time: those of one shape by operations on words.

Bits lie at places of *vectors*, of as many words as they need. Gates that are ANDs of bits of the same vectors, at the
same distances from each other, are one AND of these vectors, shifted: four discs in a line, at all places of a board.
An input that many gates have in common is spread over a word. A gate with many inputs in few vectors asks whether a
masked word is empty. What lies in a vector beside its own bits has no meaning; who reads it masks it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from astragal.gdl.code.word_program import Value, WordProgram
from astragal.gdl.reasoning.network import FALSE, TRUE

WIDEST = 8  # inputs of a gate that may be shifted into line


class Vector:
    """Words by their number."""

    def __init__(self, number: int, words: dict[int, Value]) -> None:
        self.number = number
        self.words = words


class Bit(NamedTuple):
    vector: int
    place: int
    inverted: int


Signature = tuple[tuple[str, int, int, int], ...]


class Vectoriser:
    """Adds operations for gates to a program that is given words of bits."""

    def __init__(self, program: WordProgram) -> None:
        self.program = program
        self.vectors: list[Vector] = []
        self.place: dict[int, tuple[int, int]] = {}  # node -> its vector and its place there

    def give(self, nodes: Mapping[int, int], first_word: int = 0) -> None:
        """Nodes lie at these places of the words that the program is given, from a first one on."""
        words = {place >> 6: self.program.load(first_word + (place >> 6)) for place in nodes.values()}
        number = self.vector(words)
        for node, place in nodes.items():
            self.place[node] = number, place

    def vector(self, words: dict[int, Value]) -> int:
        self.vectors.append(Vector(len(self.vectors), words))
        return len(self.vectors) - 1

    def bit(self, literal: int) -> Bit:
        vector, place = self.place[literal >> 1]
        return Bit(vector, place, literal & 1)

    # Gates

    def evaluate(self, gates: Mapping[int, tuple[int, ...]], outputs: Iterable[int]) -> None:
        """Find all that these literals need, level by level."""
        for level in levels(gates, outputs, self.place):
            self.evaluate_level({number: sorted(map(self.bit, gates[number])) for number in level})

    def evaluate_level(self, level: dict[int, list[Bit]]) -> None:
        reduced: list[int] = [number for number, bits in level.items() if len(bits) > WIDEST]
        for signature, numbers in grouped({n: b for n, b in level.items() if len(b) <= WIDEST}).items():
            bases = {number: base_of(level[number], signature) for number in numbers}
            width = len({place >> 6 for place in bases.values()})
            if 2 * len(signature) * width > sum(2 * len(parts_of(level[number])) + 3 for number in numbers):
                reduced += numbers
            else:
                self.evaluate_group(signature, bases)
        reduced.sort()
        words: dict[int, list[Value]] = {}
        for i, number in enumerate(reduced):
            words.setdefault(i >> 6, []).append(self.program.shifted(self.reduction(level[number]), -(i & 63)))
        vector = self.vector({i: self.program.any_of(values) for i, values in words.items()})
        for i, number in enumerate(reduced):
            self.place[number] = vector, i

    def evaluate_group(self, signature: Signature, bases: dict[int, int]) -> None:
        program = self.program
        needed = masks_of(bases.values())
        words: dict[int, Value] = {}
        for number, mask in needed.items():
            result: Value | None = None
            for kind, vector, place, inverted in signature:
                if kind == "common":
                    word = program.spread(self.alone(vector, place))
                else:
                    word = self.aligned(vector, place, number, mask)
                word = program.inverted(word) if inverted else word
                result = word if result is None else program.both(result, word)
            assert result is not None
            words[number] = result
        vector = self.vector(words)
        for number, base in bases.items():
            self.place[number] = vector, base

    def aligned(self, vector: int, distance: int, word: int, mask: int) -> Value:
        """The word of a vector that lies so far ahead of a word; only the bits of the mask are wanted."""
        first, places = divmod(64 * word + distance, 64)
        words = self.vectors[vector].words
        parts = []
        if mask & ((1 << 64 - places) - 1):
            parts.append(self.program.shifted(words[first], places))
        if mask >> (64 - places):
            parts.append(self.program.shifted(words[first + 1], places - 64))
        return self.program.any_of(parts)

    def alone(self, vector: int, place: int) -> Value:
        """One bit of a vector, as 0 or 1."""
        word = self.vectors[vector].words[place >> 6]
        return self.program.masked(self.program.shifted(word, place & 63), 1)

    def reduction(self, bits: list[Bit]) -> Value:
        """1 if all bits hold, else 0: nothing must be left of what does not."""
        wrong = []
        for (vector, word, inverted), mask in parts_of(bits).items():
            value = self.vectors[vector].words[word]
            wrong.append(self.program.masked(value if inverted else self.program.inverted(value), mask))
        return self.program.is_empty(self.program.any_of(wrong))

    # Results

    def words(self, literals: Mapping[int, int], into: Mapping[int, Value] | None = None) -> dict[int, Value]:
        """Words with literals at these places; other bits are 0, or stay as they are in the words given."""
        program = self.program
        groups: dict[tuple[int, int, int], list[int]] = {}
        constants: dict[int, int] = {}
        for place, literal in literals.items():
            if literal == TRUE:
                constants[place >> 6] = constants.get(place >> 6, 0) | 1 << (place & 63)
            elif literal != FALSE:
                vector, source, inverted = self.bit(literal)
                groups.setdefault((vector, source - place, inverted), []).append(place)
        result: dict[int, list[Value]] = {}
        for number, mask in masks_of(literals).items():
            kept = [program.masked(into[number], mask ^ (1 << 64) - 1)] if into is not None else []
            result[number] = kept + ([program.constant(constants[number])] if number in constants else [])
        for (vector, distance, inverted), places in groups.items():
            for number, mask in masks_of(places).items():
                word = self.aligned(vector, distance, number, mask)
                result[number].append(program.masked(program.inverted(word) if inverted else word, mask))
        return {number: program.any_of(parts or [program.constant(0)]) for number, parts in result.items()}


def levels(
    gates: Mapping[int, tuple[int, ...]], outputs: Iterable[int], given: Mapping[int, object]
) -> list[list[int]]:
    """The gates that literals need, by how many gates lie below them."""
    needed: set[int] = set()
    pending = [literal >> 1 for literal in outputs]
    while pending:
        number = pending.pop()
        if number in gates and number not in needed and number not in given:
            needed.add(number)
            pending += [literal >> 1 for literal in gates[number]]
    height: dict[int, int] = {}
    result: list[list[int]] = []
    for number in sorted(needed):  # a gate comes after what it depends on
        height[number] = max((height.get(literal >> 1, -1) + 1 for literal in gates[number]), default=0)
        while len(result) <= height[number]:
            result.append([])
        result[height[number]].append(number)
    return result


def grouped(level: dict[int, list[Bit]]) -> dict[Signature, list[int]]:
    """Gates by what they have in common with most others: all distances, or all but one, and that input."""
    ways = {number: list(signatures(bits)) for number, bits in level.items()}
    count = Counter(way for own in ways.values() for way in own)
    groups: dict[Signature, list[int]] = {}
    for number, own in ways.items():
        groups.setdefault(max(own, key=count.__getitem__), []).append(number)
    return groups


def signatures(bits: list[Bit]) -> Iterable[Signature]:
    """All inputs in line, or one of them common to the group."""
    yield tuple(("line", bit.vector, bit.place - bits[0].place, bit.inverted) for bit in bits)
    for i, common in enumerate(bits):
        others = bits[:i] + bits[i + 1 :]
        lined = (("line", bit.vector, bit.place - others[0].place, bit.inverted) for bit in others)
        yield (*lined, ("common", *common))


def base_of(bits: list[Bit], signature: Signature) -> int:
    """The place of the first input that is in line."""
    kind, *common = signature[-1]
    return next(bit.place for bit in bits if kind != "common" or bit != tuple(common))


def parts_of(bits: list[Bit]) -> dict[tuple[int, int, int], int]:
    """Masks of bits by vector, word and whether they are inverted."""
    parts: dict[tuple[int, int, int], int] = {}
    for vector, place, inverted in bits:
        key = vector, place >> 6, inverted
        parts[key] = parts.get(key, 0) | 1 << (place & 63)
    return parts


def masks_of(places: Iterable[int]) -> dict[int, int]:
    """The words that places lie in, with masks of them."""
    masks: dict[int, int] = {}
    for place in places:
        masks[place >> 6] = masks.get(place >> 6, 0) | 1 << (place & 63)
    return masks
