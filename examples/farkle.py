"""Farkle for two to four players, a game with all that makes one fast: astragal play examples/farkle.py --player uct

Throw six dice and keep some that score, at least one. Then bank the points of the turn, or throw the dice that are
left; all six again if none is. A throw in which nothing scores loses the points of the turn. First to the goal wins.
"""

from itertools import combinations_with_replacement, product

import numpy as np

from astragal import CHANCE, TERMINAL, Constant, game, parameter
from astragal.compiler.intrinsics.primitives import scratch

DICE = 6
SELECTIONS = 16  # ways to keep dice of one throw, at most: of three 1s and three 5s, or none of them
BANK = 1 << 18  # an action: how many dice of each face are kept, three bits a face, and whether to bank then

# The score of some dice of one face: [face, dice], a face being a number from 0. Each die beyond three doubles it.
VALUE = np.zeros((6, DICE + 1), np.int64)
VALUE[0, 1:3], VALUE[4, 1:3] = (100, 200), (50, 100)
for face, dice in product(range(6), range(3, DICE + 1)):
    VALUE[face, dice] = (1000 if face == 0 else 100 * (face + 1)) << (dice - 3)

# Which numbers of dice of one face can be kept: [face, dice thrown] -> how many such numbers, and each of them
CHOICES = np.ones((6, DICE + 1), np.int64)
KEPT = np.zeros((6, DICE + 1, DICE + 1), np.int64)
for face, thrown in product(range(6), range(DICE + 1)):
    kept = [0, *(dice for dice in range(1, thrown + 1) if VALUE[face, dice])]
    CHOICES[face, thrown], KEPT[face, thrown, : len(kept)] = len(kept), kept

# What a number of dice can show, in any order: [dice, outcome] -> how often each face, and the probability
FALLS = [list(combinations_with_replacement(range(6), dice)) for dice in range(DICE + 1)]
COUNT = np.array([len(falls) for falls in FALLS])
SHOWN = np.zeros((DICE + 1, COUNT[DICE], 6), np.int64)
PROBABILITY = np.zeros((DICE + 1, COUNT[DICE]))
OUTCOME = np.zeros((DICE + 1, 6**DICE), np.uint16)  # [dice, throw] -> outcome, a throw being each die in order
for dice, falls in enumerate(FALLS):
    place = {fall: outcome for outcome, fall in enumerate(falls)}
    for throw, faces in enumerate(product(range(6), repeat=dice)):
        OUTCOME[dice, throw] = place[tuple(sorted(faces))]
        PROBABILITY[dice, OUTCOME[dice, throw]] += 1 / 6**dice
    for outcome, fall in enumerate(falls):
        SHOWN[dice, outcome] = [fall.count(face) for face in range(6)]


@game
class Farkle:
    """Farkle: keep dice that score, throw the others again or bank, first to the goal."""

    players: Constant[int] = parameter(2, "players", low=2, high=4)
    goal: int = parameter(3000, "points that win", low=500, high=20_000)

    state = np.dtype(
        [("score", "i4", 4), ("pot", "i4"), ("dice", "i1", 6), ("left", "i1"), ("turn", "i1"), ("rolling", "i1")]
    )
    max_actions = 2 * (SELECTIONS - 1)
    max_outcomes = 462  # of six dice

    def start(self, state, dice):
        state.left, state.rolling = DICE, 1

    def turn(self, state):
        for player in range(self.players):
            if state.score[player] >= self.goal:
                return TERMINAL
        return CHANCE if state.rolling else state.turn

    # Decisions

    def selections(self, state):
        """How many ways there are to keep dice that score, or none."""
        count = 1
        for face in range(6):
            count *= CHOICES[face, state.dice[face]]
        return count

    def actions(self, state, out):
        """Most dice first. Each face multiplies the ways there are to keep dice of the faces before it."""
        ways = scratch(np.uint32, SELECTIONS)
        ways[0], count = 0, 1
        for face in range(6):
            choices = CHOICES[face, state.dice[face]]
            for choice in range(1, choices):
                for i in range(count):
                    ways[count * choice + i] = ways[i] | KEPT[face, state.dice[face], choice] << 3 * face
            count *= choices
        for i in range(1, count):  # the one before them keeps nothing
            out[2 * (count - 1 - i)] = ways[i]
            out[2 * (count - 1 - i) + 1] = ways[i] | BANK
        return 2 * (count - 1)

    def pick(self, state, word):
        """One of the actions above, without listing the others: the digits of its number say what is kept."""
        count = self.selections(state)
        index = word * (2 * (count - 1)) >> 32
        way, action = count - 1 - index // 2, BANK * (index & 1)
        for face in range(6):
            choices = CHOICES[face, state.dice[face]]
            if choices > 1:
                action |= KEPT[face, state.dice[face], way % choices] << 3 * face
                way //= choices
        return action

    def play(self, state, action):
        for face in range(6):
            kept = action >> 3 * face & 7
            state.pot += VALUE[face, kept]
            state.left -= kept
            state.dice[face] = 0
        if action & BANK:
            state.score[state.turn] += state.pot
            self.pass_on(state)
        elif state.left == 0:
            state.left = DICE
        state.rolling = 1

    def pass_on(self, state):
        state.turn = (state.turn + 1) % self.players
        state.left, state.pot = DICE, 0

    # Chance

    def outcomes(self, state, out):
        for outcome in range(COUNT[state.left]):
            out[outcome] = outcome
        return COUNT[state.left]

    def probability(self, state, outcome):
        return PROBABILITY[state.left, outcome]

    def draw(self, state, word):
        """Throw each die, which is faster than to go through up to 462 probabilities."""
        return np.int64(OUTCOME[state.left, word * 6**state.left >> 32])

    def deal(self, state, outcome):
        for face in range(6):
            state.dice[face] = SHOWN[state.left, outcome, face]
        if self.selections(state) > 1:
            state.rolling = 0
            return
        for face in range(6):  # nothing scores
            state.dice[face] = 0
        self.pass_on(state)

    # Values: they cancel out, whatever the number of players

    def utility(self, state, player):
        return 1.0 if state.score[player] >= self.goal else -1.0 / (self.players - 1)

    def heuristic(self, state, player):
        """How much of the way a player has gone, less what the others have on average."""
        ahead = 0.0
        for other in range(self.players):
            points = state.score[other] + (state.pot if other == state.turn else 0)
            share = min(1.0, points / self.goal)
            ahead += share if other == player else -share / (self.players - 1)
        return ahead

    # For people; these are never compiled, so they can use all of Python

    def action_name(self, state, action):
        kept = "".join(str(face + 1) * (action >> 3 * face & 7) for face in range(6))
        return f"{kept}-bank" if action & BANK else f"{kept}-throw"

    def outcome_name(self, state, outcome):
        return "".join(str(face + 1) * int(SHOWN[state.left, outcome, face]) for face in range(6))

    def show(self, state):
        dice = " ".join(str(face + 1) for face in range(6) for _ in range(state.dice[face]))
        lines = [f"player {player + 1}: {state.score[player]:5d}" for player in range(self.players)]
        lines[state.turn] += f" + {state.pot} this turn; {dice or f'{state.left} dice to throw'}"
        return "\n".join(lines)
