"""The tables of the reference of games, from `astragal.rules.protocol`; `python docs/game_reference.py` prints them.

The site puts them into `game-reference.md`. The first tier is what everybody needs; the second makes a game faster or
richer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from astragal.rules.protocol import ALWAYS, DECLARATIONS, METHODS, OPTIONAL, OWN, Member

FIRST = {"state", "players", "max_actions", "max_outcomes", "utility_range", "zero_sum"}
FIRST |= {"turn", "actions", "play", "utility", "outcomes", "probability", "deal", "heuristic", "start", "show"}


def declarations(members: Iterable[Member]) -> Iterator[str]:
    yield "| declaration | default | |"
    yield "|---|---|---|"
    for member in members:
        default = "required" if member.mark.needed == ALWAYS else f"`{member.mark.default}`"
        yield f"| `{member.name}` | {default} | {member.about} |"


def methods(members: Iterable[Member]) -> Iterator[str]:
    yield "| method | needed | |"
    yield "|---|---|---|"
    for member in members:
        mark = member.mark
        needed = mark.needed if mark.needed in (ALWAYS, OPTIONAL) else f"with `{mark.needed}`"
        python = ", Python only" if mark.python_only else ""
        yield f"| `{member.name}({member.signature})` | {needed}{python} | {member.about} |"


def own() -> Iterator[str]:
    yield "| method | what it returns | default |"
    yield "|---|---|---|"
    for member in OWN:
        yield f"| `{member.name}({member.signature})` | {member.about} | {member.mark.otherwise} |"


def chosen(members: Iterable[Member], first: bool) -> list[Member]:
    return [member for member in members if (member.name in FIRST) == first]


def tables() -> dict[str, str]:
    """Each table by the name that the page has for it."""
    made = {
        "first declarations": declarations(chosen(DECLARATIONS, True)),
        "first methods": methods(chosen(METHODS, True)),
        "declarations": declarations(chosen(DECLARATIONS, False)),
        "methods": methods(chosen(METHODS, False)),
        "own": own(),
    }
    return {name: "\n".join(rows) for name, rows in made.items()}


if __name__ == "__main__":
    for name, table in tables().items():
        print(f"{name}\n\n{table}\n")
