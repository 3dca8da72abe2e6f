"""Pig: both scores on their way to the goal, the turn's points at stake, the dice, and two buttons.

A state of Pig has the points of a turn, not the dice they came from. The faces shown are a throw with the outcome
that was dealt last; which of those throws is drawn follows from the scores.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

from astragal.drawing.pictures.parts import button, one_die, panel, player_role, write
from astragal.drawing.pictures.vocabulary import Item, Picture, Rect, Text
from astragal.drawing.pictures.words import whose_turn
from astragal.games.pig.rules import BUST, HOLD, RESET, ROLL, WHAT, outcome_of, points_of
from astragal.rules.position import Position

MOVES = 55  # decisions of all players in a game, on average: the page says it (docs/web.md)
WIDTH, HEIGHT = 640.0, 440.0
LANE, BAR = 118.0, 30.0
DIE = 92.0
BUTTONS = {ROLL: "roll", HOLD: "hold"}


def draw(position: Position, last: int | None) -> Picture:
    state: Any = position.state
    items: list[Item] = []
    for player in range(2):
        items += lane(position, player)
    items += dice(position, last)
    deciding = position.turn >= 0
    pot = f"{state.pot} at stake" if state.pot else "nothing at stake"
    items.append(Text(key="pot", x=WIDTH - 160, y=310, text=pot, size=30, weight="bold"))
    items.append(button("roll", WIDTH - 235, 380, "Roll", "roll again", 140, 64, deciding))
    keep = f"hold and keep {state.pot} points"
    items.append(button("hold", WIDTH - 85, 380, "Hold", keep, 140, 64, deciding))
    moves = {action: [BUTTONS[action]] for action in position.actions()}
    return Picture(WIDTH, HEIGHT, items, moves, note(position, last))


def note(position: Position, last: int | None) -> str:
    state: Any = position.state
    who, other = f"Player {state.turn + 1}", f"Player {2 - state.turn}"
    if position.is_terminal:
        return whose_turn(position)
    lost = {BUST: f"{other} rolled a 1 and loses the turn. ", RESET: f"{other} rolled two 1s and loses all points. "}
    if position.is_chance:
        return f"{lost.get(-1 if last is None else last & WHAT, '')}{who} rolls."
    rolled = f"rolled {points_of(last)}, " if last is not None and last & WHAT > RESET else ""
    return f"{who} {rolled}has {state.pot} points at stake, to roll again or hold."


def event(before: Position, number: int) -> str | None:
    """A turn that is lost, or points that are kept."""
    state: Any = before.state
    pot, score = int(state.pot), int(state.score[state.turn])
    if not before.is_chance:
        return f"held and kept {pot} points" if number == HOLD else None
    lost = pot + score if number == RESET else pot
    what = {BUST: "rolled a 1", RESET: "rolled two 1s"}.get(number)
    return what and (f"{what}: {lost} points lost" if lost else f"{what}: the turn is over")


def lane(position: Position, player: int) -> list[Item]:
    """A player's score as a number and as a bar; what is at stake goes on in a paler one."""
    game, state = position.game, position.state
    name, role = f"lane-{player + 1}", player_role(player)
    mine = state.turn == player and not position.is_terminal
    top = 8 + player * (LANE + 12)
    score, pot = int(state.score[player]), int(state.pot) if mine else 0
    long, y = WIDTH - 48, top + 86
    done = long * min(1.0, score / game.goal)
    more = min(long - done, long * pot / game.goal)
    label = f"player {player + 1}: {score} of {game.goal} points{f', {pot} at stake' if pot else ''}"
    said = f"{score}{f' + {pot}' if pot else ''} of {game.goal}"
    items: list[Item] = [
        panel(name, (4, top), WIDTH - 8, LANE, label, mine),
        write(f"{name}-name", 24, top + 36, f"Player {player + 1}", 28, weight="bold"),
        write(f"{name}-score", WIDTH - 24, top + 36, said, 32, anchor="end"),
        Rect(key=f"{name}-track", x=WIDTH / 2, y=y, w=long, h=BAR, r=BAR / 2, fill="page", stroke="grey"),
    ]
    if more:
        items.append(replace(bar(f"{name}-stake", done + more, y, role), opacity=0.45))
    if done:
        items.append(bar(f"{name}-bar", done, y, role))
    return items


def bar(key: str, long: float, y: float, role: str) -> Item:
    """A bar from the left; never shorter than it is high."""
    whole = max(long, BAR)
    return Rect(key=key, x=24 + whole / 2, y=y, w=whole, h=BAR, r=BAR / 2, fill=role, layer=1)


def dice(position: Position, last: int | None) -> list[Item]:
    """Dice with a throw of the outcome that came last; blank before the roll."""
    count = position.game.dice
    faces = thrown(position, last) if last is not None else (0,) * count
    fill = "danger" if last is not None and last & WHAT <= RESET else "die"
    places = [160 + (i - (count - 1) / 2) * (DIE + 24) for i in range(count)]
    return [one_die(f"die-{i + 1}", (places[i], 346), DIE, faces[i], fill) for i in range(count)]


def thrown(position: Position, outcome: int) -> tuple[int, ...]:
    """One of the throws that have an outcome, always the same one for the same state."""
    state: Any = position.state
    every = product(range(1, 7), repeat=int(position.game.dice))
    throws = [faces for faces in every if outcome & WHAT == outcome_of(*faces)]
    return throws[int(7 * state.score[0] + 11 * state.score[1] + 5 * state.pot) % len(throws)]
