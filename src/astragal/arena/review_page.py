"""A game with its review as one HTML file, to be sent or shown without a server."""

from __future__ import annotations

from collections.abc import Sequence

from astragal.arena.review import Decision, Review, Reviewer, Roll
from astragal.arena.review_words import ACCURACY, decision_text, luck_text, mistake_text, totals
from astragal.arena.store.game_file import GameFile
from astragal.drawing.handout import Pictures, graph_svg, handout
from astragal.rules.ending import measure
from astragal.rules.position import Position


def review_page(found: Review, kept: GameFile, positions: Sequence[Position], reviewer: Reviewer) -> str:
    """The text of the file: every position of the game, what was found of each step, and the mistakes."""
    pictures = Pictures()
    rows = {row.ply: row for row in found.rows}
    frames = []
    for ply, position in enumerate(positions):
        before = positions[ply - 1] if ply else None
        last = kept.steps[ply - 1] if before is not None and before.is_chance else None
        words = "The start." if before is None else step_text(before, kept.steps[ply - 1], ply, len(kept.steps))
        row = rows.get(ply)
        told = "" if row is None else f" {row_sentence(row, found)}"
        frames.append({"picture": pictures.place(position, last), "words": words + told + result_text(position)})
    mistakes = [[row.ply, *mistake_text(row, found)] for row in found.mistakes]
    summary = [f"{line[0].upper()}{line[1:]}." for line in (*totals(found), ACCURACY)]
    title = f"{kept.game}: {' – '.join(kept.seats)}"
    by = reviewer.player.text_for(found.game)
    about = f"{len(kept.steps)} steps, reviewed by {by}; ± is a 95% interval. Arrow keys step through the game."
    parts = {"about": about, "summary": summary, "mistakes": mistakes} | graph_of(
        found, positions, reviewer.gives_chances
    )
    return handout(title, pictures, frames, **parts)


def step_text(before: Position, step: int, ply: int, steps: int) -> str:
    who = "chance gives" if before.is_chance else f"player {before.turn + 1} plays"
    return f"Step {ply} of {steps}: {who} {before.step_name(step)}."


def row_sentence(row: Decision | Roll, found: Review) -> str:
    text = f"Luck: {luck_text(row, found)} ({row.kind})" if isinstance(row, Roll) else decision_text(row, found)
    return f"{text[0].upper()}{text[1:]}."


def result_text(position: Position) -> str:
    if not position.is_terminal:
        return ""
    return f" The end: {', '.join(f'player {seat} {worth:+g}' for seat, worth in enumerate(position.utilities(), 1))}."


def graph_of(found: Review, positions: Sequence[Position], chances: bool) -> dict[str, str]:
    """The value of every judged position for player 1, with rings around the mistakes; nothing for more than two."""
    game = found.game
    if game.players > 2:
        return {}
    low, high = (float(end) for end in game.utility_range)
    points = []
    for row in found.rows:
        if row.value is not None:
            seat = row.player - 1 if isinstance(row, Decision) else 0
            points.append((row.ply - 1, row.value if seat == 0 else low + high - row.value))
    if positions[-1].is_terminal:
        points.append((len(positions) - 1, positions[-1].utilities()[0]))
    if len(points) < 2:
        return {}
    if measure(game) == "win" and chances:
        title, marks = "Chance of player 1 to win", [(low, "0%"), ((low + high) / 2, "50%"), (high, "100%")]
    else:
        most = max(abs(value) for _, value in points) or 1.0
        title, marks = "Points for player 1", [(end, f"{end / found.unit:+.1f}") for end in (-most, 0.0, most)]
    rings = {row.ply - 1 for row in found.mistakes}
    return {"graphTitle": title, "graph": graph_svg(points, rings, len(positions) - 1, marks)}
