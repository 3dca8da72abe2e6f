"""A sound little game, and games that each break one promise of it."""

from __future__ import annotations

import numpy as np

from astragal import CHANCE, TERMINAL, game

GOAL = 12


@game
class Sound:
    """Add 1 or 2 to a total, then a coin adds 0 or 1; who passes the goal wins."""

    state = np.dtype([("total", "i2"), ("turn", "i1"), ("tossing", "i1")])
    max_actions = 2
    max_outcomes = 2
    max_plies = 2 * GOAL

    def turn(self, state):
        if state.tossing:
            return CHANCE
        return TERMINAL if state.total >= GOAL else state.turn

    def actions(self, state, out):
        out[0], out[1] = 1, 2
        return 2

    def play(self, state, action):
        state.total += action
        state.tossing = 1

    def outcomes(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def probability(self, state, outcome):
        return 0.75 if outcome else 0.25

    def deal(self, state, outcome):
        state.total += outcome
        state.tossing = 0
        state.turn = 1 - state.turn

    def utility(self, state, player):
        return -1.0 if state.turn == player else 1.0


BROKEN: list[tuple[type, str]] = []  # the games below, each with what is said of it


def said(sentence):
    """Decorator: a game of which the check must say this (a regular expression)."""

    def collect(cls):
        BROKEN.append((game(cls), sentence))
        return BROKEN[-1][0]

    return collect


@said(r"utility_range is from 1.0 to -1.0")
class RangeUpsideDown(Sound):
    utility_range = (1.0, -1.0)


@said(r"the game is over at its start")
class StartsAtTheEnd(Sound):
    def start(self, state, dice):
        state.total = GOAL


@said(r"probabilities sum to 0.99 at 'total=\d+ turn=0 tossing=1'")
class LeakyCoin(Sound):
    def probability(self, state, outcome):
        return 0.74 if outcome else 0.25


@said(r"an outcome has probability 0 or less at")
class CertainCoin(Sound):
    def probability(self, state, outcome):
        return 1.0 if outcome else 0.0


@said(r"an outcome is listed twice at")
class TwiceTheSame(Sound):
    def outcomes(self, state, out):
        out[0], out[1] = 1, 1
        return 2


@said(r"chance has no outcome at")
class NoOutcome(Sound):
    def outcomes(self, state, out):
        return 0


@said(r"lists more than max_outcomes = 2")
class ThreeSidedCoin(Sound):
    def outcomes(self, state, out):
        out[0], out[1], out[2] = 0, 1, 2
        return 3


@said(r"lists more than max_actions = 2")
class ThreeActions(Sound):
    def actions(self, state, out):
        out[0], out[1], out[2] = 1, 2, 3
        return 3


@said(r"an action is listed twice at")
class TwiceTheAction(Sound):
    def actions(self, state, out):
        out[0], out[1] = 1, 1
        return 2


@said(r"an action is not a number from 0 to 2\^32 - 1 at")
class NegativeAction(Sound):
    def actions(self, state, out):
        out[0], out[1] = -1, 2
        return 2


@said(r"player 1 has no action at")
class Stuck(Sound):
    def actions(self, state, out):
        return 0


@said(r"turn is 2 at")
class ThirdPlayer(Sound):
    def deal(self, state, outcome):
        state.total += outcome
        state.tossing = 0
        state.turn += 1


@said(r"utility of player 1 is (-)?3, out of range, at")
class TooHappy(Sound):
    def utility(self, state, player):
        return -3.0 if state.turn == player else 3.0


@said(r"utility values do not cancel out at")
class Generous(Sound):
    def utility(self, state, player):
        return 0.5 if state.turn == player else 1.0


@said(r"heuristic of player 1 is 1.5, out of range, at")
class Confident(Sound):
    def heuristic(self, state, player):
        return 1.5 - 3.0 * player


@said(r"heuristic values do not cancel out at")
class Optimist(Sound):
    def heuristic(self, state, player):
        return 0.5


@said(r"a random game lasted more than max_plies = 5 plies")
class Endless(Sound):
    max_plies = 5


@said(r"draw gave 0 in \d+\.\d% of samples where 25\.0% is listed, at")
class FairCoin(Sound):
    def draw(self, state, word):
        return word >> 31


@said(r"draw gave 2, which is not listed, at")
class CoinOnEdge(Sound):
    def draw(self, state, word):
        return min(word >> 24, 2)


@said(r"pick gave 3, which is not listed, at")
class PicksTheIllegal(Sound):
    def pick(self, state, word):
        return 1 + (word >> 30)


@said(r"pick gave 1 in 100\.0% of samples where 50\.0% is listed")
class PicksTheFirst(Sound):
    def pick(self, state, word):
        return 1


@said(r"ignores_outcomes is declared, but the heuristic of player 1 is 0\.5 before .* and 0 after it, at")
class LooksAtTheCoin(Sound):
    ignores_outcomes = True

    def heuristic(self, state, player):
        return (0.5 if player == 0 else -0.5) * state.tossing


@said(r"rollout gave 1 in 100\.0% of samples where 50\.0% is listed")
class WandersAlongTheFirst(Sound):
    def rollout(self, state, generator, decisions):
        self.play(state, 1)
        return generator, 1


@said(r"rollout led to a position that no action leads to, at")
class WandersOff(Sound):
    def rollout(self, state, generator, decisions):
        self.play(state, 1)
        state.total += 7
        return generator, 1


@said(r"rollout made 2 decisions where 1 was wanted, at")
class WandersTooFar(Sound):
    def rollout(self, state, generator, decisions):
        self.play(state, 1)
        return generator, decisions + 1


@said(r"is read back as another position")
class ForgetsTheTurn(Sound):
    def to_text(self, state):
        return f"{state.total} {state.tossing}"

    def from_text(self, state, text):
        state.total, state.tossing = map(int, text.split())


@said(r"more than one line")
class TwoLines(Sound):
    def to_text(self, state):
        return f"{state.total}\n{state.tossing}"

    def from_text(self, state, text):
        state.total, state.tossing = map(int, text.split())


@said(r"two actions have the same name at")
class SameName(Sound):
    def action_name(self, state, action):
        return "Add" if action == 1 else "add"


@said(r"an outcome has an empty name at")
class Nameless(Sound):
    def outcome_name(self, state, outcome):
        return " " * outcome


@said(r"ZeroDivisionError: .*division")
class Divides(Sound):
    def heuristic(self, state, player):
        return 0.0 * (1 // (state.total % 2))


@said(r"the game cannot be compiled: .*broken_games")
class OnlyPython(Sound):
    def play(self, state, action):
        state.total += int(str(action))
        state.tossing = 1


@said(r"ply \d+ of game \d+: value is 0\.0 compiled and 1\.0 interpreted")
class Wraps(Sound):
    """Compiled, the difference of two unsigned fields wraps around; interpreted, it is negative."""

    state = np.dtype([("total", "u2"), ("turn", "u1"), ("tossing", "u1")])

    def heuristic(self, state, player):
        behind = state.turn - state.total < 0
        return (1.0 if behind else 0.0) * (1 - 2 * player)


@said(r"ceiling of player \d is 0 for \d decisions at '.*', and \d later the value is 1")
class LowCeiling(Sound):
    """What it says that values cannot exceed, they do at the end."""

    def ceiling(self, state, player, decisions):
        return 0.0


@said(r"prefer gave 3, which is not listed, at")
class PrefersTheImpossible(Sound):
    def prefer(self, state, word):
        return 3


@said(r"pick of 0 gave 2, not the first action, at")
class PicksBackwards(Sound):
    def pick(self, state, word):
        return 2 - (word * 2 >> 32)


@said(r"representative of 0 is 7, which is not listed, at")
class RepresentedByNobody(Sound):
    def representative(self, state, outcome):
        return 7


@said(r"1, which stands for 0, has another representative, 0, at")
class RepresentOneAnother(Sound):
    def representative(self, state, outcome):
        return 1 - outcome


@said(r"skip leaves player 1 to move at")
class SkipsNothing(Sound):
    def skip(self, state):
        state.total += 1


@said(r"skip ends the game at")
class SkipsToTheEnd(Sound):
    def skip(self, state):
        state.total = GOAL


class RareStart(Sound):
    """One game in thirty begins below 0, where the games below do what they must not."""

    def start(self, state, dice):
        if dice.below(30) == 0:
            state.total = -60


@said(r"lists more than max_actions = 2 at")
class RarelyThreeActions(RareStart):
    def actions(self, state, out):
        out[0], out[1] = 1, 2
        if state.total < 0:
            out[2] = 3
            return 3
        return 2


@said(r"lists more than max_outcomes = 2 at")
class RarelyThreeOutcomes(RareStart):
    def outcomes(self, state, out):
        out[0], out[1] = 0, 1
        if state.total < 0:
            out[2] = 2
            return 3
        return 2


@said(r"a game lasted more than max_plies = 24 plies")
class RarelyLong(RareStart):
    pass
