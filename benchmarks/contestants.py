"""Who plays Backgammon in `benchmarks/backgammon.py`: our players, pubeval, GNU Backgammon; kernels that make turns."""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np

from astragal import load_game, load_player
from astragal.compiler.intrinsics.native import local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import TERMINAL
from gnubg import Gnubg, program
from pubeval import pubeval_turn, published_weights

GAME = load_game("backgammon")


@kernel
def worth_of_roll(game, state):
    """What a state after a roll is worth to the first player if the best turn is played, by the evaluation."""
    turn = np.int64(game.turn(state))
    actions = scratch(np.uint32, game.max_actions)
    best = -np.inf
    for i in range(game.actions(state, actions)):
        child = local_copy(state)
        game.play(child, np.int64(actions[i]))
        value = game.utility(child, turn) if game.turn(child) == TERMINAL else game.heuristic(child, turn)
        best = max(best, value)
    return best if turn == 0 else -best


@kernel(entry="rolls and their luck")
def roll_with_luck(game, states, word):
    """Roll, by 32 random bits; what that is worth to the first player beyond the mean of all rolls."""
    state = states[0]
    rolled = np.int64(game.draw(state, word))
    outcomes = scratch(np.uint32, game.max_outcomes)
    luck = 0.0
    for i in range(game.outcomes(state, outcomes)):
        after = local_copy(state)
        chance = game.probability(state, np.int64(outcomes[i]))
        game.deal(after, np.int64(outcomes[i]))
        luck += (1.0 - chance if np.int64(outcomes[i]) == rolled else -chance) * worth_of_roll(game, after)
    game.deal(state, rolled)
    return luck


@kernel(entry="forced turns")
def forced_turn(game, states):
    """The only action there is; -1 if there is a choice."""
    actions = scratch(np.uint32, game.max_actions)
    return np.int64(actions[0]) if game.actions(states[0], actions) == 1 else np.int64(-1)


@kernel(entry="turns")
def make_turn(game, states, action):
    game.play(states[0], action)


@kernel(entry="the turn to these men")
def turn_to(game, states, men):
    """The action after which the men stand like this; -1 if there is none."""
    actions = scratch(np.uint32, game.max_actions)
    for i in range(game.actions(states[0], actions)):
        child = local_copy(states[0])
        game.play(child, np.int64(actions[i]))
        same = True
        for place in range(len(men)):
            same = same and child.men[place] == men[place]
        if same:
            return np.int64(actions[i])
    return np.int64(-1)


class Settings:
    """A player of Astragal."""

    def __init__(self, spec):
        self.player = load_player(spec, GAME)

    def choose(self, position, seed):
        return self.player.search(position, seed=seed).action_number

    def close(self):
        pass


class Pubeval:
    def __init__(self):
        self.weights = published_weights()

    def choose(self, position, seed):
        return pubeval_turn(GAME, position.memory, self.weights)

    def close(self):
        pass


class GnuBackgammon:
    def __init__(self, plies):
        self.process = Gnubg(program(), plies=plies)

    def choose(self, position, seed):
        """Its turn is found by where it leads."""
        action = turn_to(GAME, position.memory, self.process.men_after_best(position))
        if action < 0:
            raise ValueError(f"gnubg plays at {position.text} what is no legal turn here")
        return action

    def close(self):
        self.process.close()


def contestant(name):
    if name == "pubeval":
        return Pubeval()
    if name.partition("=")[0] == "gnubg":
        if program() is None:
            raise SystemExit("GNU Backgammon is not installed (Debian's gnubg)")
        return GnuBackgammon(int(name.partition("=")[2] or 0))
    return Settings(name)
