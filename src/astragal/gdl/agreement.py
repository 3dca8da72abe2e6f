"""Whether the network and the plain reasoner say the same of a sheet, along random games; and what these games show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from astragal.base.errors import AstragalError
from astragal.gdl.layouts.layout import LAYOUTS
from astragal.gdl.layouts.plain_layout import PlainLayout
from astragal.gdl.playability import random_game, scan
from astragal.gdl.reading.rules import Sheet
from astragal.gdl.reasoning.interpreter import Interpreter
from astragal.gdl.reasoning.network_reasoner import NetworkReasoner
from astragal.gdl.sheets import sheet_of
from astragal.rules.checks import Check
from astragal.rules.checks.promise import Broken, require
from astragal.rules.dice import Dice

MAX_MOVES = 200
ENOUGH = 300  # states compared; the plain reasoner is slow


def check_sheet(game: Any, games: int, seed: int) -> Iterator[Check]:
    """What a rule sheet's game promises beyond what every game does."""
    sheet = sheet_of(game)
    found = scan(Interpreter(sheet), min(games, 5), seed, MAX_MOVES)
    warnings = "; ".join((*sheet.warnings, *found.warnings))
    detail = found.error or (f"doubtful: {warnings}" if warnings else f"{found.games} games by the plain reasoner")
    yield Check("the sheet can be played", not found.error, detail)
    if isinstance(LAYOUTS[game.address], PlainLayout):
        return  # there is no network
    try:
        count = compare_on_random_games(sheet, games, seed, MAX_MOVES)
        yield Check("the network and the plain reasoner agree", True, f"{count} states")
    except (Broken, AstragalError) as error:
        yield Check("the network and the plain reasoner agree", False, str(error))


def compare_on_random_games(sheet: Sheet, games: int, seed: int = 1, most_moves: int = MAX_MOVES) -> int:
    """Compare both along games that the plain reasoner plays; how many states that were. `Broken` says what differs."""
    plain, network = Interpreter(sheet), NetworkReasoner(sheet)
    dice = Dice(seed)
    count = 0
    require(network.initial() == plain.initial(), "the initial states differ")
    for number in range(games):
        if count > ENOUGH:
            break
        played = random_game(plain, dice, most_moves)
        for i, state in enumerate(played.states):
            where = f"after {i} moves of game {number + 1}"
            count += 1
            require(network.is_terminal(state) == plain.is_terminal(state), f"only one says that it is over {where}")
            for role in sheet.roles:
                same = network.legal(state, role) == plain.legal(state, role)
                require(same, f"the legal moves of {role} differ {where}")
                require(network.goals(state, role) == plain.goals(state, role), f"the goals of {role} differ {where}")
            if i < len(played.moves):
                same = network.next(state, played.moves[i]) == played.states[i + 1]
                require(same, f"the next states differ {where}")
    return count
