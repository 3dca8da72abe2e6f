"""Deriving facts by rules: joins with indexes, written out as Python functions, one for each way to begin.

Facts are taken one by one from a queue. Each time, every rule with a literal that the fact matches is completed with
facts that were taken before it. So each instance of a rule is found exactly once: when the last fact of its body is
taken. (Semi-naive evaluation; Abiteboul, Hull & Vianu 1995, chapter 13, with single facts for differences.)
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Sized
from dataclasses import dataclass
from itertools import count
from typing import Any, NamedTuple, TypeAlias

from astragal.base.errors import AstragalError, Stopped
from astragal.base.interruptible import is_stopped
from astragal.gdl.reading.forms import MAX_NESTING
from astragal.gdl.reading.rules import Atom, Rule, Term, is_variable, variables

Shape: TypeAlias = Any  # a pattern whose known parts are KNOWN and whose variables are OPEN
KNOWN, OPEN = True, False
PAUSE = 10_000  # facts that a join goes through between two looks at the clock
MAX_LOOPS = 15  # within each other in one function; Python allows 20


class GroundingError(AstragalError):
    """A sheet has too many instances of its rules, or takes too long."""


class Instance(NamedTuple):
    """An instance of a rule: what it derives, and the facts it needs to be there and not to be there."""

    head: Atom
    positive: tuple[Atom, ...]
    negative: tuple[Atom, ...]


@dataclass
class Budget:
    """What grounding may cost. Seconds are this thread's on a processor: a busy machine makes no sheet too large."""

    instances: int = 3_000_000
    seconds: float = 60.0

    def __post_init__(self) -> None:
        self.deadline = time.thread_time() + self.seconds
        self.used = 0  # instances, before those that are being found

    def look(self, found: Sized = ()) -> int:
        """Refuse to go on if it has cost too much, or is wanted no more; 0, from which joins count again."""
        if is_stopped():
            raise Stopped("instantiating the rules was stopped")
        if self.used + len(found) > self.instances:
            raise GroundingError(f"it has more than {self.instances:,} instances of its rules")
        if time.thread_time() > self.deadline:
            raise GroundingError(
                f"its rules could not be instantiated within {self.seconds:g} seconds of processor time"
            )
        return 0


class Database:
    """The facts taken so far, with the indexes that joins need."""

    def __init__(self, budget: Budget) -> None:
        self.facts: dict[Atom, None] = {}  # taken: joins see them; in order, so that every process finds the same
        self.known: set[Atom] = set()  # taken or in the queue
        self.queue: deque[Atom] = deque()
        self.indexes: dict[tuple[str, int, Shape], dict[Any, list[Atom]]] = {}
        self.fillers: dict[tuple[Term, int], list[Callable[[Atom], None]]] = {}
        self.triggers: dict[tuple[Term, int], list[Callable[[Atom, list[Instance]], None]]] = {}
        self.budget = budget

    def add(self, fact: Atom) -> None:
        if fact not in self.known:
            self.known.add(fact)
            self.queue.append(fact)

    def index(self, relation: str, arity: int, shape: Shape) -> dict[Any, list[Atom]]:
        """Facts of a relation by what stands at the known places of a shape."""
        wanted = relation, arity, shape
        if wanted not in self.indexes:
            self.budget.look()
            table = self.indexes[wanted] = {}
            fill = write_filler(shape, table)
            self.fillers.setdefault((relation, arity), []).append(fill)
            for fact in self.facts:
                if fact[0] == relation and len(fact) == arity + 1:
                    fill(fact)
        return self.indexes[wanted]

    def run(
        self, rules: Iterable[Rule], fixed: Callable[[Atom], bool], follow: Callable[[Atom], Atom | None]
    ) -> list[Instance]:
        """Derive all that follows; the instances found.

        What is `fixed` is complete: it is not part of instances, and negation of it is decided now. Negation of
        anything else is left to the instance. `follow` may give a fact that comes with another.
        """
        self.triggers = {}
        found: list[Instance] = []
        begin = []
        for rule in rules:
            moving = [i for i, atom in enumerate(rule.positive) if not fixed(atom)]
            for i in moving:
                key = rule.positive[i][0], len(rule.positive[i]) - 1
                self.triggers.setdefault(key, []).append(write_join(self, rule, i, fixed))
            if not moving:
                begin.append(write_join(self, rule, None, fixed))
        for join in begin:
            join((), found)
            self.budget.look(found)
        self.derive(found, 0, follow)
        done = len(found)
        while self.queue:
            fact = self.queue.popleft()
            self.take(fact)
            for join in self.triggers.get((fact[0], len(fact) - 1), ()):
                join(fact, found)
            if len(found) > done:
                self.derive(found, done, follow)
            self.budget.look(found)
            done = len(found)
        self.budget.used += len(found)
        return found

    def take(self, fact: Atom) -> None:
        self.facts[fact] = None
        for fill in self.fillers.get((fact[0], len(fact) - 1), ()):
            fill(fact)

    def derive(self, found: list[Instance], begin: int, follow: Callable[[Atom], Atom | None]) -> None:
        for i in range(begin, len(found)):
            head = found[i].head
            if head not in self.known:
                if is_deep(head):
                    nested = f"more than {MAX_NESTING} terms within each other"
                    raise GroundingError(f"'{head[0]}' would hold of {nested}, as if terms grew without end")
                self.add(head)
                other = follow(head)
                if other is not None:
                    self.add(other)


def is_deep(atom: Atom) -> bool:
    """Whether terms lie in terms as no text could say it (and deeper still, where Python's stack ends)."""
    level: list[Any] = [atom]
    for _ in range(MAX_NESTING):
        level = [part for term in level for part in term if type(part) is tuple]
        if not level:
            return False
    return True


class Writer:
    """Lines of a Python function, with the objects that they refer to."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.depth = 1
        self.scope: dict[str, Any] = {}
        self.numbers = count()

    def line(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)

    def name(self, value: Any = None, prefix: str = "x") -> str:
        name = f"{prefix}{next(self.numbers)}"
        if value is not None:
            self.scope[name] = value
        return name

    def go_on_elsewhere(self, arguments: str) -> None:
        """Call another function, and write that from here on."""
        name = self.name(prefix="rest")
        self.line(f"{name}({arguments})")
        self.lines.append(f"def {name}({arguments}):")
        self.depth = 1

    def function(self, arguments: str) -> Any:
        source = f"def function({arguments}):\n" + "\n".join(self.lines or ["    pass"])
        exec(source, self.scope)
        return self.scope["function"]


def spelled(term: Term, names: dict[str, str]) -> str:
    """Python's text of a term whose variables have names."""
    if isinstance(term, str):
        return names[term] if is_variable(term) else repr(term)
    return f"({', '.join(spelled(part, names) for part in term)},)"


def write_match(writer: Writer, pattern: Term, place: str, names: dict[str, str], fail: str) -> None:
    """Compare what stands at a place with a pattern; variables met for the first time get their names."""
    if isinstance(pattern, str):
        if not is_variable(pattern):
            writer.line(f"if {place} != {pattern!r}: {fail}")
        elif pattern in names:
            writer.line(f"if {place} != {names[pattern]}: {fail}")
        else:
            names[pattern] = writer.name(prefix="v")
            writer.line(f"{names[pattern]} = {place}")
        return
    if all(name in names for name in variables(pattern)):
        writer.line(f"if {place} != {spelled(pattern, names)}: {fail}")
        return
    inner = writer.name(prefix="t")
    writer.line(f"{inner} = {place}")
    writer.line(f"if type({inner}) is not tuple or len({inner}) != {len(pattern)}: {fail}")
    for i, part in enumerate(pattern):
        write_match(writer, part, f"{inner}[{i}]", names, fail)


def shape_of(pattern: Term, names: dict[str, str], keys: list[str]) -> Shape:
    """The shape of a pattern, and the texts of what is known in it."""
    if all(name in names for name in variables(pattern)):
        keys.append(spelled(pattern, names))
        return KNOWN
    if isinstance(pattern, str):
        return OPEN
    function, *parts = pattern
    return (function, *(shape_of(part, names, keys) for part in parts))


def write_filler(shape: Shape, table: dict[Any, list[Atom]]) -> Callable[[Atom], None]:
    """A function that puts a fact into an index, if it has that shape."""
    writer = Writer()
    keys: list[str] = []

    def visit(shape: Shape, place: str) -> None:
        if shape is KNOWN:
            keys.append(place)
        elif shape is not OPEN:
            inner = writer.name(prefix="t")
            writer.line(f"{inner} = {place}")
            test = f"type({inner}) is not tuple or len({inner}) != {len(shape)} or {inner}[0] != {shape[0]!r}"
            writer.line(f"if {test}: return")
            for i, part in enumerate(shape[1:], 1):
                visit(part, f"{inner}[{i}]")

    for i, part in enumerate(shape, 1):
        visit(part, f"fact[{i}]")
    writer.scope["table"] = table
    writer.line(f"table.setdefault({key_text(keys)}, []).append(fact)")
    return writer.function("fact")  # type: ignore[no-any-return]


def key_text(keys: list[str]) -> str:
    return keys[0] if len(keys) == 1 else f"({', '.join(keys)}{',' if keys else ''})"


def write_join(
    database: Database, rule: Rule, trigger: int | None, fixed: Callable[[Atom], bool]
) -> Callable[[Atom, list[Instance]], None]:
    """A function that completes a rule from a fact that matches the literal `trigger`, or from nothing."""
    writer = Writer()
    names: dict[str, str] = {}
    atoms: dict[int, str] = {}  # literal -> the name of the fact that matched it
    tests = Tests(database, rule, fixed)
    fail = "return"
    writer.scope["look"] = database.budget.look
    writer.line("steps = 0")
    if trigger is not None:
        atoms[trigger] = "fact"
        for i, part in enumerate(rule.positive[trigger][1:], 1):
            write_match(writer, part, f"fact[{i}]", names, fail)
    tests.write(writer, names, fail)
    left = [i for i in range(len(rule.positive)) if i != trigger]
    while left:
        database.budget.look()
        if writer.depth > MAX_LOOPS:
            writer.go_on_elsewhere(", ".join(dict.fromkeys(["fact", "found", *names.values(), *atoms.values()])))
            writer.line("steps = look(found)")
            fail = "return"
        ready = [i for i in left if all(name in names for name in variables(rule.positive[i]))]
        for i in ready or [min(left, key=lambda i: cost(rule.positive[i], names, fixed))]:
            left.remove(i)
            fail = write_literal(writer, database, rule, i, trigger, names, atoms, fail)
        tests.write(writer, names, fail)
    body = [atoms[i] for i, atom in enumerate(rule.positive) if not fixed(atom)]
    without = [spelled(atom, names) for atom in rule.negative if not fixed(atom)]
    writer.scope["Instance"] = Instance
    parts = f"({', '.join(body)}{',' if body else ''}), ({', '.join(without)}{',' if without else ''})"
    writer.line(f"found.append(Instance({spelled(rule.head, names)}, {parts}))")
    return writer.function("fact, found")  # type: ignore[no-any-return]


def cost(atom: Atom, names: dict[str, str], fixed: Callable[[Atom], bool]) -> tuple[Any, ...]:
    """How much a literal with variables not known yet is expected to widen a join: least first."""
    unknown = len({name for name in variables(atom) if name not in names})
    known = sum(all(name in names for name in variables(part)) for part in atom[1:])
    return known == 0, unknown, not fixed(atom), -known


def write_literal(
    writer: Writer,
    database: Database,
    rule: Rule,
    i: int,
    trigger: int | None,
    names: dict[str, str],
    atoms: dict[int, str],
    fail: str,
) -> str:
    """Go through the facts that match one more literal; how to give one up from there on."""
    atom = rule.positive[i]
    earlier = trigger is not None and i < trigger and atom[0] == rule.positive[trigger][0]
    name = atoms[i] = writer.name(prefix="a")
    keys: list[str] = []
    shape = tuple(shape_of(part, names, keys) for part in atom[1:])
    if all(part is KNOWN for part in shape):
        facts = writer.name(database.facts, "facts")
        writer.line(f"{name} = {spelled(atom, names)}")
        writer.line(f"if {name} not in {facts}: {fail}")
    else:
        assert isinstance(atom[0], str)
        table = writer.name(database.index(atom[0], len(atom) - 1, shape), "index")
        rows = f"{table}.get({key_text(keys)}, ())"
        if writer.depth > 1:  # loops within loops can take long and find nothing, or too much
            writer.line(f"rows = {rows}")
            writer.line("steps += len(rows)")
            writer.line(f"if steps > {PAUSE}: steps = look(found)")
            rows = "rows"
        writer.line(f"for {name} in {rows}:")
        writer.depth += 1
        fail = "continue"
        for j, part in enumerate(atom[1:], 1):
            if shape[j - 1] is not KNOWN:
                write_match(writer, part, f"{name}[{j}]", names, fail)
    if earlier:  # the same fact at two places: it is found from the first of them
        writer.line(f"if {name} == fact: {fail}")
    return fail


class Tests:
    """What a rule wants beside its facts: each is tested as soon as its variables are known."""

    def __init__(self, database: Database, rule: Rule, fixed: Callable[[Atom], bool]) -> None:
        self.facts = database.facts
        self.distinct = list(rule.distinct)
        self.negative = [atom for atom in rule.negative if fixed(atom)]

    def write(self, writer: Writer, names: dict[str, str], fail: str) -> None:
        for pair in list(self.distinct):
            if all(name in names for name in variables(pair)):
                self.distinct.remove(pair)
                writer.line(f"if {spelled(pair[0], names)} == {spelled(pair[1], names)}: {fail}")
        for atom in list(self.negative):
            if all(name in names for name in variables(atom)):
                self.negative.remove(atom)
                facts = writer.name(self.facts, "facts")
                writer.line(f"if {spelled(atom, names)} in {facts}: {fail}")
