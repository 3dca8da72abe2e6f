"""From a rule sheet to a game: grounding, network, layout, and the class of its shape."""

from __future__ import annotations

import re
import sys
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from astragal.base.errors import AstragalError, SheetError
from astragal.base.parameters import build, describe, parameter, record_facts, split_settings
from astragal.gdl.layouts.code_layout import lay_out_code
from astragal.gdl.layouts.gate_layout import lay_out_gates
from astragal.gdl.layouts.layout import LAYOUTS, MAX_MOVES, MAX_ROLES, Layout, holds, power_of_two
from astragal.gdl.layouts.plain_layout import PlainLayout
from astragal.gdl.reading.reader import load_sheet
from astragal.gdl.reading.rules import RANDOM, Sheet, Term, is_variable
from astragal.gdl.reasoning.grounding import ground
from astragal.gdl.reasoning.joins import Budget, GroundingError
from astragal.gdl.reasoning.network import Network, build_network
from astragal.rules.position import Position

MAX_ACTIONS = 65_535  # that a tree search can number, and a state count


@dataclass(frozen=True)
class SheetSettings:
    """What can be set for a game of a rule sheet."""

    seconds: float = parameter(60.0, "most seconds of processor time to instantiate its rules", low=0.1, high=86_400)
    instances: int = parameter(3_000_000, "most instances of its rules", low=1, high=10**9)
    reasoner: str = parameter(
        "auto",
        "how it is run: auto is the network of its rules, or, if that is too large, plain, a slow reasoner",
        choices=("auto", "network", "plain"),
    )
    moves: int = parameter(
        0,
        "most legal moves of a role on the plain reasoner; 0 is four times those at the start, at least 256",
        low=0,
        high=MAX_MOVES,
    )
    zero_sum: str = parameter(
        "auto",
        "whether the goals of two players always add up to 100; auto finds out",
        choices=("auto", "on", "off"),
    )


MADE: OrderedDict[tuple[str, SheetSettings, str], Any] = OrderedDict()  # games by the text of their sheet, latest last
KEPT = 16  # games that are not made again; others live as long as they are used
ALIVE: WeakValueDictionary[tuple[str, SheetSettings, str], Any] = WeakValueDictionary()  # all that are


def load_sheet_game(path: str | Path, settings: SheetSettings | None = None, spec: str = "") -> Any:
    """The game of a rule sheet in a file; `spec` is how its user calls it."""
    return game_of_sheet(load_sheet(path), settings, spec or str(path))


def sheet_of(game: Any) -> Sheet:
    """The rule sheet that a game was made of."""
    return LAYOUTS[game.address].sheet


def game_of_sheet(sheet: Sheet, settings: SheetSettings | None = None, spec: str = "") -> Any:
    """The game of a rule sheet; `spec` is the text that gives it again, such as its path."""
    settings = settings or SheetSettings()
    spec = spec or sheet.name
    wanted = sheet.text, settings, spec
    game = (MADE.pop(wanted, None) or ALIVE.get(wanted)) if sheet.text else None
    MADE[wanted] = game = game or make_game(sheet, settings, spec)
    ALIVE[wanted] = game
    while len(MADE) > KEPT:
        MADE.popitem(last=False)
    return game


def game_again(sheet: Sheet, settings: str, spec: str) -> Any:
    """The game of a sheet that was pickled, with the settings' text of its spec."""
    return game_of_sheet(sheet, build(SheetSettings, split_settings(settings, spec), spec), spec)


def make_game(sheet: Sheet, settings: SheetSettings, spec: str) -> Any:
    from astragal.gdl.game import shaped

    players = [role for role in sheet.roles if role != RANDOM]
    if not players:
        raise AstragalError(f"{spec} has no player: its only role is {RANDOM}")
    if len(players) >= MAX_ROLES:
        raise AstragalError(f"{spec} has {len(players)} roles; there may be {MAX_ROLES - 1}")
    if settings.zero_sum == "on" and len(players) != 2:
        raise AstragalError(f"{spec} has {len(players)} players; zero_sum=on is for two")
    layout, sums = made_layout(sheet, settings, spec)
    moves = {role: layout.most_moves(role) for role in layout.seats}
    most = max(moves.values())
    if most > MAX_MOVES:
        raise AstragalError(f"{spec} has a role with {most} moves; there may be {MAX_MOVES}")
    refuse_stuck(layout, spec)
    LAYOUTS[layout.address] = layout
    outcomes = min(power_of_two(4, moves[RANDOM]), MAX_ACTIONS) if RANDOM in moves else 0
    zero_sum = settings.zero_sum == "on" or (settings.zero_sum == "auto" and sums)
    actions = min(power_of_two(8, max(moves[role] for role in players)), MAX_ACTIONS)
    kind = shaped(layout.words, len(players), actions, outcomes, zero_sum, layout.is_called)
    game = kind()
    if isinstance(layout, PlainLayout):  # said in the game's text, so that others need not try the network again
        settings = replace(settings, reasoner="plain")
    held = {"address": layout.address, "sheet": spec, "settings": describe(settings), "_layout": layout}
    for name, value in held.items():
        object.__setattr__(game, name, value)
    return game


def made_layout(sheet: Sheet, settings: SheetSettings, spec: str) -> tuple[Layout, bool]:
    """How a sheet is run, and whether its network shows that the goals of two players add up to 100."""
    if settings.reasoner == "plain":
        return PlainLayout(sheet, settings.moves), False
    try:
        budget = Budget(settings.instances, settings.seconds)
        network = build_network(ground(sheet, budget), budget)
        return lay_out_code(network, budget) or lay_out_gates(network), adds_up(network)
    except GroundingError as error:
        if settings.reasoner == "network":
            raise GroundingError(f"{spec} is too large to be compiled: {error}") from None
        layout = PlainLayout(sheet, settings.moves)
        slow = f"it is run by the plain reasoner, {layout.states_a_second():.0f} states a second here"
        print(f"{spec} is too large to be compiled, so {slow}: {error}", file=sys.stderr, flush=True)
        return layout, False


def refuse_stuck(layout: Layout, spec: str) -> None:
    """Say in a sentence which role cannot move at the start of a game that is not over there."""
    words = layout.arrays["initial"]
    if holds(words, int(layout.tables["terminal"][0])):
        return
    for seat, role in enumerate(layout.seats):
        begin, count = (int(layout.tables[name][0, seat]) for name in ("legal_word", "move_words"))
        if not words[begin : begin + count].any():
            rules = [rule for rule in layout.sheet.rules if rule.head[0] == "legal"]
            own = [rule for rule in rules if rule.head[1] == role or is_variable(rule.head[1])]
            place = [(rule.line, rule.column) for rule in (own or rules)[-1:]]
            raise SheetError(f"{role} has no legal move at the start of the game", spec, *chain(*place))


def adds_up(network: Network) -> bool:
    """Whether the goals of two players add up to 100 because the rules say the same of both.

    That is so if each value of one has the literal of what is left to 100 for the other.
    """
    players = [role for role in network.goals if role != RANDOM]
    if len(players) != 2:
        return False
    one, other = (dict(network.goals[role]) for role in players)
    return (
        bool(one)
        and all(other.get(100 - value) == literal for value, literal in one.items())
        and len(one) == len(other)
    )


def move_of(position: Position, seat: int, action: int) -> Term:
    """The move that an action of a seat stands for."""
    return LAYOUTS[position.game.address].move(position.state.bits, seat, action)


def action_of(position: Position, seat: int, move: Term) -> int | None:
    """The action of a seat that stands for a move; None if the role cannot make that move."""
    return LAYOUTS[position.game.address].action(position.state.bits, seat, move)


def sheet_facts(name: str, path: Path) -> dict[str, Any]:
    """What a listing shows of a rule sheet: the comments at its head, its roles and its settings."""
    sheet = load_sheet(path)
    words = " ".join(opening_comment(sheet.text))
    about = re.split(r"(?<=[.!?])\s", words)[0] or "a rule sheet"
    rules = f"{words}\n\nRoles: {', '.join(sheet.roles)}.".strip()
    return record_facts(name, SheetSettings) | {"about": about, "rules": rules}


def opening_comment(text: str) -> Iterator[str]:
    """The lines of comment that a text begins with."""
    for line in text.splitlines():
        if not line.startswith(";"):
            return
        yield line.strip("; ")
