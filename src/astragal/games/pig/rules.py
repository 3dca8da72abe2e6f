"""Pig, a race to 100 points: roll again and risk the turn's points, or hold and keep them.

Two dice, as in Lanctot et al. 2013: the turn total grows by the sum of the dice; a single 1 loses it and ends the turn;
a double 1 loses the whole score too. One die, as in Neller and Presser 2004: a 1 loses the turn total. A turn begins
with a compulsory roll. Holding adds the turn total to the score, and wins at the goal.

Two dice have 36 throws, 21 if it is all the same which die shows what, and 11 that differ in what they do. The game is
the same; what samples outcomes, or widens on them, sees other chance nodes (`rolls`).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math
from itertools import combinations_with_replacement, product

import numpy as np

from astragal.base.parameters import parameter
from astragal.rules.decorator import CHANCE, TERMINAL, game
from astragal.rules.inputs import QUARTERS, list_spread

HOLD, ROLL = 0, 1
# An outcome's low bits say what it does, the bits above which throw it is, where throws are distinguished.
BUST, RESET = 0, 1  # what ends the turn; any other is the number of points plus one
WHAT, THROW = 15, 4
GRID = 26  # inputs of a learned evaluation for a score


def outcome_of(*faces):
    """What a throw of one die or two does."""
    if 1 not in faces:
        return sum(faces) + 1
    return RESET if faces == (1, 1) else BUST


def points_of(outcome):
    """What an outcome that does not end the turn adds to its total."""
    return (outcome & WHAT) - 1


@game
class Pig:
    """Pig: roll again or hold, first to the goal."""

    goal: int = parameter(100, "points that win", low=2, high=1000)
    dice: int = parameter(2, "dice thrown together, 1 or 2", low=1, high=2)
    evaluation: str = parameter(
        "difference", "evaluation: own score + turn total - opponent's, or its tanh", choices=("difference", "tanh")
    )

    rolls: str = parameter(
        "11",
        "outcomes of two dice: 11 by their effect, 21 pairs of faces, or 36 throws of two distinct dice",
        choices=("11", "21", "36"),
    )

    state = np.dtype([("score", "i8", 2), ("pot", "i8"), ("turn", "i8"), ("rolling", "i8")])  # whole words are faster
    players = 2
    max_actions = 2
    max_plies = None  # a game can go on for ever
    utility_range = (-100.0, 100.0)
    probcut = (1.02, 4.18)  # by `astragal dev probcut pig`
    zero_sum = True

    @property
    def max_outcomes(self):
        return int(COUNT[self.roll_table])

    @property
    def roll_table(self):
        """The row of the tables below: one die, or two with this many outcomes."""
        return self.dice - 1 + ("11", "21", "36").index(self.rolls) if self.dice == 2 else 0

    @property
    def squash(self):
        """Whether the evaluation is the tanh of the difference."""
        return self.evaluation == "tanh"

    def start(self, state, dice):
        state.rolling = 1

    def turn(self, state):
        if state.score[0] >= self.goal or state.score[1] >= self.goal:
            return TERMINAL
        return CHANCE if state.rolling else state.turn & 1

    def actions(self, state, out):
        out[0] = HOLD
        out[1] = ROLL
        return 2

    def pick(self, state, word):
        return word >> 31

    def play(self, state, action):
        holds = np.int64(action == HOLD)  # by arithmetic: an "if" is mispredicted in every other random decision
        held = state.pot * holds
        state.score[0] += held * (1 - state.turn)
        state.score[1] += held * state.turn
        state.pot -= held
        state.turn ^= holds
        state.rolling = 1

    def skip(self, state):
        """Let the turn go, and the turn total with it, which is never better than to hold."""
        state.pot = 0
        state.turn ^= 1
        state.rolling = 1

    def outcomes(self, state, out):
        for i in range(self.max_outcomes):
            out[i] = LISTED[self.roll_table, i]
        return self.max_outcomes

    def probability(self, state, outcome):
        return CHANCES[self.roll_table, outcome]

    def draw(self, state, word):
        return np.int64(THROWN[self.roll_table, word * FACES[self.roll_table] >> 32])

    def deal(self, state, outcome):
        """A roll that scores is decided next; one that does not is followed by the opponent's forced roll."""
        what = outcome & WHAT if self.roll_table > 1 else outcome  # other tables merge throws
        if what > RESET:
            state.pot += what - 1
            state.rolling = 0
        else:
            if self.roll_table > 0 and what == RESET:  # never with one die
                if state.turn:
                    state.score[1] = 0
                else:
                    state.score[0] = 0
            state.pot = 0
            state.turn ^= 1

    def utility(self, state, player):
        return 100.0 if state.score[player] >= self.goal else -100.0

    def heuristic(self, state, player):
        """Points ahead, the turn total counted as banked, in hundredths of the goal."""
        pot = np.int64(state.pot)
        return self.scaled(
            np.int64(state.score[player]) - state.score[1 - player] + (pot if state.turn == player else -pot)
        )

    def heuristic_dealt(self, state, outcome, player):
        """By arithmetic: which throws score cannot be foreseen. To lose the turn ends no game, nor does it to go on."""
        what = outcome & WHAT if self.roll_table > 1 else outcome
        own, other = np.int64(state.score[0]), np.int64(state.score[1])
        own, other = (other, own) if state.turn else (own, other)
        ahead = own - other + (np.int64(state.pot) + what - 1 if what > RESET else -own if what == RESET else 0)
        return self.scaled(ahead if state.turn == player else -ahead)

    def scaled(self, ahead):
        """What a number of points ahead is worth."""
        if self.squash:
            return 100.0 * math.tanh(2.0 * np.divide(ahead, self.goal))
        # what a point is worth is the same for all leaves, and is found once for many of them
        return min(100.0, max(-100.0, ahead * np.divide(100.0, self.goal)))  # "/" would look whether the goal is 0

    # For learned evaluations: both scores, the turn total, and the score that holding would give

    def mover(self, state):
        return np.int64(state.turn)

    def own_inputs(self):
        return 4 * GRID + 2, 4 * QUARTERS + 1

    def features(self, state, player, out):
        own, other = np.int64(state.score[player]), np.int64(state.score[1 - player])
        pot = np.int64(state.pot) if state.turn == player else -np.int64(state.pot)
        count = list_spread(own, self.goal, GRID, 0, out, 0)
        count = list_spread(other, self.goal, GRID, GRID, out, count)
        count = list_spread(pot, self.goal, GRID, 2 * GRID, out, count)
        count = list_spread(own + pot, self.goal, GRID, 3 * GRID, out, count)
        out[count] = 4 * GRID + (state.rolling != 0)
        return count + 1

    def action_name(self, state, action):
        return "hold" if action == HOLD else "roll"

    def outcome_name(self, state, outcome):
        if self.roll_table > 1:
            return "+".join(map(str, throws_of(self.roll_table)[outcome >> THROW]))
        if outcome > RESET:
            return str(points_of(outcome))
        return "double-1" if outcome == RESET else "1"

    def show(self, state):
        lines = []
        for player in range(2):
            mine = state.turn == player and self.turn(state) != TERMINAL
            ahead = f" + {state.pot} this turn" if mine else ""
            bar = "#" * round(30 * min(state.score[player], self.goal) / self.goal)
            lines.append(f"{'>' if mine else ' '} player {player + 1}  {bar:<30}  {state.score[player]:3d}{ahead}")
        return "\n".join(lines)

    def to_text(self, state):
        """``34 51 12 1 decide``: both scores, turn total, player to move, and whether to roll or to decide."""
        phase = "roll" if state.rolling else "decide"
        return f"{state.score[0]} {state.score[1]} {state.pot} {state.turn + 1} {phase}"

    def from_text(self, state, text):
        words = text.split()
        if len(words) == 4:
            words.append("roll" if words[2] == "0" else "decide")
        numbers = all(word.isdecimal() for word in words[:3])
        if len(words) != 5 or not numbers or words[3] not in ("1", "2") or words[4] not in ("roll", "decide"):
            raise ValueError("write score1 score2 turn-total player(1|2) roll|decide, such as '34 51 12 1 decide'")
        scores = [int(word) for word in words[:3]]
        if max(scores) > 4 * self.goal:
            raise ValueError(f"scores and turn total go from 0 to {self.goal} and little more")
        if min(scores[:2]) >= self.goal:
            raise ValueError("both players cannot have reached the goal")
        if words[4] == "decide" and scores[2] < 2:
            raise ValueError("a turn begins with a roll; to decide, the turn total must be at least 2")
        state.score[0], state.score[1], state.pot = scores
        state.turn = int(words[3]) - 1
        state.rolling = words[4] == "roll"


def throws_of(table):
    """The throws that a row of the tables distinguishes, each as its faces."""
    if table == 2:
        return list(combinations_with_replacement(range(1, 7), 2))
    return list(product(range(1, 7), repeat=min(table + 1, 2)))


def outcomes_of(table):
    """The outcome of each of the equally likely throws."""
    faces = product(range(1, 7), repeat=min(table + 1, 2))
    if table < 2:
        return sorted(outcome_of(*thrown) for thrown in faces)
    known = throws_of(table)
    places = [known.index(tuple(sorted(thrown)) if table == 2 else thrown) for thrown in faces]
    return sorted(outcome_of(*known[place]) | place << THROW for place in places)


TABLES = 4  # one die; two dice with 11, 21 and 36 outcomes
LISTED = np.zeros((TABLES, 36), np.uint16)  # [table, i] -> outcome
COUNT = np.zeros(TABLES, np.uint8)  # [table] -> how many differ
CHANCES = np.zeros((TABLES, 36 << THROW))  # [table, outcome] -> probability
FACES = np.zeros(TABLES, np.uint8)  # [table] -> equally likely throws
THROWN = np.zeros((TABLES, 36), np.uint16)  # [table, throw] -> outcome
for i in range(TABLES):
    thrown = outcomes_of(i)
    outcomes = sorted(set(thrown))
    COUNT[i], FACES[i] = len(outcomes), len(thrown)
    LISTED[i, : COUNT[i]], THROWN[i, : FACES[i]] = outcomes, thrown
    CHANCES[i, outcomes] = [thrown.count(outcome) / len(thrown) for outcome in outcomes]
