"""What is kept of a match that was managed: everything needed to go through it again."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from astragal.errors import AstragalError

PLAYED, UNFINISHED, ABORTED = "played to its end", "stopped unfinished", "aborted"


@dataclass(frozen=True)
class Fault:
    """A player did not do what the protocol asks; in a PLAY, a random move was made for it."""

    round: int  # from 1; 0 for START
    role: str
    kind: str  # timeout, connection, refusal, answer, illegal
    sentence: str


@dataclass
class MatchRecord:
    """A match. Moves, states and facts are texts in KIF."""

    match: str
    game: str  # the sheet's name
    roles: list[str]
    players: dict[str, str]  # role -> who played it
    start_clock: float
    play_clock: float
    seed: int
    began: str
    moves: list[dict[str, str]] = field(default_factory=list)  # a round's, by role
    seconds: list[dict[str, float]] = field(default_factory=list)  # that players took for them
    states: list[list[str]] = field(default_factory=list)  # before each round, and the last
    faults: list[Fault] = field(default_factory=list)
    goals: dict[str, int | None] = field(default_factory=dict)
    ending: str = UNFINISHED
    why: str = ""  # it ended so, where that needs saying
    rules: str = ""

    def count(self, role: str) -> Counter[str]:
        """A role's faults by kind."""
        return Counter(fault.kind for fault in self.faults if fault.role == role)

    def unreached(self) -> list[str]:
        """Roles whose players no message ever reached: the connection failed in START and in every round."""
        asked = 1 + len(self.moves)
        return [role for role in self.roles if self.count(role)["connection"] == asked]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def write(self, path: Path) -> None:
        try:
            path.write_text(json.dumps(self.as_dict(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        except OSError as error:
            raise AstragalError(f"cannot write to {path}: {error.strerror}") from None
