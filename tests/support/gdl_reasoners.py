"""What reasoners are asked in tests: to replay games that others derived (INDEX.md of the corpus), to count moves."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, Protocol

from astragal.gdl.reading.clauses import read_terms
from astragal.gdl.reading.rules import Term, kif
from astragal.gdl.reasoning.interpreter import State
from support import gdl_corpus


class Reasoner(Protocol):
    """The questions that every reasoner on rule sheets answers."""

    roles: tuple[str, ...]

    def initial(self) -> State: ...
    def legal(self, state: State, role: str) -> list[Term]: ...
    def next(self, state: State, moves: dict[str, Term]) -> State: ...
    def is_terminal(self, state: State) -> bool: ...
    def goals(self, state: State, role: str) -> list[int]: ...


def trace_names() -> list[str]:
    folder = gdl_corpus.corpus()
    return sorted(path.stem for path in (folder / "oracle").glob("*.jsonl")) if folder else []


def trace(name: str) -> Iterator[dict[str, Any]]:
    folder = gdl_corpus.corpus()
    assert folder is not None
    with (folder / "oracle" / f"{name}.jsonl").open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def replay(reasoner: Reasoner, lines: Iterable[dict[str, Any]]) -> int:
    """Compare all that a trace says with what a reasoner says; how many states were compared."""
    state = reasoner.initial()
    count = 0
    for line in lines:
        count += 1
        if line["step"] == 0:
            state = reasoner.initial()
        where = f"game {line['game']}, step {line['step']}"
        facts = sorted(map(kif, state))
        assert facts == line.get("state", facts), where
        assert (len(facts), digest(facts)) == (line["n"], line["sha"]), where
        for role in reasoner.roles:
            moves = sorted(map(kif, reasoner.legal(state, role)))
            if "legal" in line:
                assert moves == line["legal"][role], where
            else:
                assert (len(moves), digest(moves)) == (line["legal_n"][role], line["legal_sha"][role]), where
        assert reasoner.is_terminal(state) == line["terminal"], where
        for role, goal in line.get("goal", {}).items():
            assert reasoner.goals(state, role) == (goal if isinstance(goal, list) else [goal]), where
        if "moves" in line:
            state = reasoner.next(state, {role: read_terms(move)[0] for role, move in line["moves"].items()})
    return count


def digest(texts: list[str]) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()


def counts(reasoner: Reasoner, depth: int) -> list[int]:
    """How many sequences of joint moves there are of each length."""
    result = []
    states = [reasoner.initial()]
    for _ in range(depth):
        following = []
        for state in states:
            if not reasoner.is_terminal(state):
                for moves in product(*(reasoner.legal(state, role) for role in reasoner.roles)):
                    following.append(reasoner.next(state, dict(zip(reasoner.roles, moves, strict=True))))
        states = following
        result.append(len(states))
    return result
