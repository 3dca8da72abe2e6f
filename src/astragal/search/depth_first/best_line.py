"""The line of best play that a search goes by, as far as its table knows."""

from __future__ import annotations

from astragal.game.decorator import CHANCE
from astragal.game.position import Position
from astragal.search.depth_first.iteration import Iteration
from astragal.search.depth_first.root import table_move
from astragal.search.depth_first.work import Work

LINE_LENGTH = 12


def best_line(position: Position, found: Iteration, work: Work) -> list[str]:
    """The best action, then the likeliest outcome and the table's best reply; outcomes in brackets, none at the end."""
    steps: list[str] = []
    if not found.depth:
        return steps
    if position.turn != CHANCE:
        best = found.actions[found.best]
        steps.append(position.action_name(best))
        position = position.play(best)
    while work["table"][0] and len(steps) < LINE_LENGTH and not position.is_terminal:
        if position.is_chance:
            likeliest = max(position.outcomes(), key=lambda outcome: outcome.probability)
            steps.append(f"({likeliest.name})")
            position = position.deal(likeliest.number)
            continue
        move, known = table_move(position.memory, work)
        if not known or move not in position.actions():
            break
        steps.append(position.action_name(move))
        position = position.play(move)
    while steps and steps[-1].startswith("("):
        steps.pop()
    return steps
