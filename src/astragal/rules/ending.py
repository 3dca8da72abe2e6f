"""How a game ended, in a sentence, and what values mean to people: the chance to win, or points."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any


def ending(utilities: Sequence[float], persons: Collection[int] = ()) -> str:
    """The end in words for the players; if one of them is a person, that one is `you`."""
    if len(utilities) == 1:
        score = score_text(utilities[0])
        return f"You scored {score}." if persons else f"The score is {score}."
    best = max(utilities)
    winners = [player for player, utility in enumerate(utilities) if utility == best]
    if len(winners) == len(utilities):
        return "A draw."
    if len(persons) == 1 and len(winners) == 1 and winners[0] in persons:
        return "You win."
    named = " and ".join(str(winner + 1) for winner in winners)
    return f"Player {named} wins." if len(winners) == 1 else f"Players {named} share the win."


def score_text(score: float, signed: bool = False) -> str:
    """A score for people, who read large ones with commas: four digits, and of large ones one after the point."""
    text = f"{score:,.1f}".removesuffix(".0") if abs(score) >= 1000.0 else f"{score:.4g}"
    return f"+{text}" if signed and score > 0.0 else text


RANGES = {
    (-1.0, 1.0),
    (-100.0, 100.0),
    (0.0, 1.0),
    (0.0, 100.0),
}  # of games that are won or lost, as far as one can see


def measure(game: Any) -> str:
    """`win` where a value can be read as a chance to win, `score` where it is points."""
    low, high = (float(end) for end in game.utility_range)
    won_or_lost = game.players > 1 and (low, high) in RANGES and getattr(game, "score", "win") != "margin"
    return "win" if won_or_lost else "score"
