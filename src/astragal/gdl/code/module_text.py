"""The machine code of a sheet: what moves do, what is legal then, whether it is over, and what the end is worth."""

from __future__ import annotations

from math import prod

from astragal.gdl.code.compact import CompactState, Part
from astragal.gdl.code.joint_cases import Cases, Family
from astragal.gdl.code.machine_code import Writer

CONSTANTS = ("mask", "left", "right", "constant")  # operations with one that can differ between cases


def module_text(state: CompactState, cases: Cases, otherwise: Part | None) -> str:
    """Three functions: `advance` plays moves, `derive` completes a state of which the facts are known, and `goals`."""
    writer = Writer()
    write_part(writer, "derive", state.parts["derive"])
    write_part(writer, "goals", state.parts["goals"])
    write_advance(writer, state, cases, otherwise)
    return writer.text


def write_part(writer: Writer, name: str, part: Part) -> None:
    writer.define(name)
    write_results(writer, part, given_words(writer, part))
    writer.line("  ret void")
    writer.line("}")


def given_words(writer: Writer, part: Part) -> list[str]:
    """The names of the words that a part loads, with nothing for those in between."""
    loaded = {each.constant for each in part.operations if each.kind == "load"}
    return [writer.item("%bits", i) if i in loaded else "" for i in range(max(loaded, default=-1) + 1)]


def write_results(writer: Writer, part: Part, given: list[str]) -> None:
    names = writer.program(part.operations, given)
    for word, value in part.results.items():
        writer.store(names[value], word)


def write_advance(writer: Writer, state: CompactState, cases: Cases, otherwise: Part | None) -> None:
    """Go to the block of the case's family, and from all blocks on to what is derived from the facts."""
    writer.define("advance")
    facts = [writer.item("%bits", i) for i in range(state.fact_words)]
    moves = [writer.item("%moves", seat) for seat in range(len(cases.sizes))]
    words: dict[str, list[str]] = {}  # the facts that each block comes to
    if cases.families:
        write_dispatch(writer, cases, moves)
        for number, family in enumerate(cases.families):
            writer.line(f"family{number}:")
            words[f"family{number}"] = write_family(writer, family, facts)
            writer.line("  br label %derive")
    else:
        writer.line("  br label %otherwise")
    writer.line("otherwise:")
    if otherwise is None:
        writer.line("  unreachable")
    else:
        given = facts + [word for seat, size in enumerate(cases.sizes) for word in chosen(writer, moves[seat], size)]
        names = writer.program(otherwise.operations, given)
        words["otherwise"] = replaced(facts, otherwise.results, names)
        writer.line("  br label %derive")
    writer.line("derive:")
    for i in range(state.fact_words):
        ways = ", ".join(f"[{own[i]}, %{block}]" for block, own in words.items())
        writer.line(f"  %new{i} = phi i64 {ways}")
    for i in range(state.fact_words):
        writer.store(f"%new{i}", i)
    write_results(writer, state.parts["derive"], [f"%new{i}" for i in range(state.fact_words)])
    writer.line("  ret void")
    writer.line("}")


def replaced(facts: list[str], results: dict[int, int], names: list[str]) -> list[str]:
    return [names[results[i]] if i in results else fact for i, fact in enumerate(facts)]


def chosen(writer: Writer, move: str, size: int) -> list[str]:
    """The words of a seat's moves, with one bit set."""
    one = writer.value(f"shl i64 1, {writer.value(f'and i64 {move}, 63')}")
    number = writer.value(f"lshr i64 {move}, 6")
    words = []
    for i in range(-(-size // 64)):
        here = writer.value(f"icmp eq i64 {number}, {i}")
        words.append(writer.value(f"select i1 {here}, i64 {one}, i64 0"))
    return words


def write_dispatch(writer: Writer, cases: Cases, moves: list[str]) -> None:
    """Find the number of the case, then its family and its row there."""
    count = len(cases.place)
    if cases.waiting is None:
        number = moves[-1]
        for seat in range(len(moves) - 2, -1, -1):
            number = writer.value(f"add i64 {writer.value(f'mul i64 {number}, {cases.sizes[seat]}')}, {moves[seat]}")
        assert count == prod(cases.sizes)
    else:
        number = str(count)
        waits = [writer.value(f"icmp eq i64 {move}, {idle}") for move, idle in zip(moves, cases.waiting, strict=True)]
        for seat, move in enumerate(moves):
            alone = "true"
            for other, wait in enumerate(waits):
                alone = alone if other == seat else writer.value(f"and i1 {alone}, {wait}")
            own = writer.value(f"add i64 {move}, {sum(cases.sizes[:seat])}")
            number = writer.value(f"select i1 {alone}, i64 {own}, i64 {number}")
    families = writer.table("i64", [family for family, _ in cases.place] + [len(cases.families)])
    rows = writer.table("i64", [row for _, row in cases.place] + [0])
    family = writer.item(families, number)
    writer.line(f"  %row = add i64 {writer.item(rows, number)}, 0")
    targets = " ".join(f"i64 {i}, label %family{i}" for i in range(len(cases.families)))
    writer.line(f"  switch i64 {family}, label %otherwise [{targets}]")


def write_family(writer: Writer, family: Family, facts: list[str]) -> list[str]:
    """Constants that differ between the cases come from a table."""
    differing = [
        i
        for i, operation in enumerate(family.operations)
        if operation.kind in CONSTANTS and len({row[i] for row in family.rows}) > 1
    ]
    constants: dict[int, str] = {}
    if differing:
        table = writer.table("i64", [row[i] for row in family.rows for i in differing])
        begin = writer.value(f"mul i64 %row, {len(differing)}")
        for number, i in enumerate(differing):
            constants[i] = writer.item(table, writer.value(f"add i64 {begin}, {number}"))
    return replaced(facts, family.results, writer.program(family.operations, facts, constants))
