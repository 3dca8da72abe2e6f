"""Pubeval, the public linear benchmark of Backgammon (Tesauro 1993): its published weights, and what it plays."""

# mypy: ignore-errors
from __future__ import annotations

from pathlib import Path

import numpy as np

from astragal.compiler.intrinsics.native import local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.games.backgammon.rules import MEN, OFF, PLACES
from astragal.rules.decorator import TERMINAL

FILE = Path(__file__).with_name("pubeval.txt")
NUMBERS = 5  # weights of a place
OTHERS_BAR, BORNE_OFF = 120, 121  # the last two weights


def published_weights():
    """The weights of races, and of positions in which men may still meet."""
    lines = [line for line in FILE.read_text().splitlines() if not line.startswith("#")]
    middle = lines.index("contact")
    return np.array(
        [[float(word) for line in part for word in line.split()] for part in (lines[1:middle], lines[middle + 1 :])]
    )


@kernel
def score(state, player, weights):
    """The sum of the weights of what a player has after a turn."""
    mine, theirs = player * PLACES, (1 - player) * PLACES
    total = weights[OTHERS_BAR] * state.men[theirs] / 2 + weights[BORNE_OFF] * state.men[mine + OFF] / MEN
    for place in range(1, OFF):
        first, men = NUMBERS * (place - 1), state.men[mine + place]
        if state.men[theirs + OFF - place] == 1:
            total += weights[first]
        elif men == 1:
            total += weights[first + 1]
        elif men >= 2:
            total += weights[first + 2]
            if men == 3:
                total += weights[first + 3]
            elif men > 3:
                total += weights[first + 4] * (men - 3) / 2
    return total


@kernel
def is_race(state):
    """Whether no man can meet another any more."""
    rears = 0
    for player in range(2):
        place = 0
        while place < OFF and state.men[player * PLACES + place] == 0:
            place += 1
        rears += place
    return rears >= OFF


@kernel(entry="pubeval's turn")
def pubeval_turn(game, states, weights):
    """The action that pubeval plays. Which weights it asks is said by the position before the turn."""
    state = states[0]
    turn = np.int64(game.turn(state))
    asked = weights[0] if is_race(state) else weights[1]
    actions = scratch(np.uint32, game.max_actions)
    best, chosen = -np.inf, np.int64(-1)
    for i in range(game.actions(state, actions)):
        child = local_copy(state)
        game.play(child, np.int64(actions[i]))
        value = np.inf if game.turn(child) == TERMINAL else score(child, turn, asked)
        if value > best:
            best, chosen = value, np.int64(actions[i])
    return chosen
