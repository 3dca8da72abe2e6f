"""Evaluation: what a leaf is worth to each player.

The end of the game is worth its utilities. Any other leaf is played on at random, for a number of decisions (d_r of
Lanctot et al. 2013; all to the end for plain UCT, none for UCT_H), and where that has not ended the game its heuristic
is used. The heuristic is for decisions only: before it, chance events that come first are drawn (but with
`work.afterstates`, which evaluates the state before the roll).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from astragal.algorithms.tree.steps.contracts import RolloutPolicy
from astragal.algorithms.tree.steps.history import note_action
from astragal.base.parameters import Constant
from astragal.compiler.guard import in_turn
from astragal.compiler.intrinsics.native import assign, local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL, compiled
from astragal.rules.random import next_word, upper

LONGEST_ROLLOUT = 100_000  # decisions, in games that declare no bound on their length
MAX_NOTES = 2048  # decisions of a rollout that are remembered for the history of actions


@kernel
def end_rewards(game, state, work):
    """Each player's utility at the end; by sign, a point won or lost."""
    for player in range(game.players):
        if game.zero_sum and game.players == 2 and player == 1:
            work.rewards[1] = -work.rewards[0]
        else:
            utility = game.utility(state, player)
            work.rewards[player] = np.sign(utility) * work.point if work.ends_by_sign else utility


@kernel
def heuristic_rewards(game, state, work):
    """Each player's heuristic evaluation of a state in which the game is not over."""
    for player in range(game.players):
        if game.zero_sum and game.players == 2 and player == 1:
            work.rewards[1] = -work.rewards[0]
        else:
            work.rewards[player] = game.heuristic(state, player)


@kernel
def settle(game, state, turn, generator):
    """Draw chance events until a player is to move or the game is over."""
    while turn == CHANCE:
        generator, word = next_word(generator)
        game.deal(state, game.draw(state, upper(word)))
        turn = game.turn(state)
    return turn, generator


@kernel
def state_rewards(game, state, turn, generator, work):
    """What a state is worth as it stands: by the rules if the game is over, by the heuristic if not."""
    if turn == CHANCE and not work.afterstates:
        turn, generator = settle(game, state, turn, generator)
    if turn == TERMINAL:
        end_rewards(game, state, work)
    else:
        heuristic_rewards(game, state, work)
    return generator


@compiled
@dataclass(frozen=True)
class AtOnce:
    """The heuristic, without a rollout."""

    def leaf(self, game, steps, state, turn, tree, generator, work):
        return state_rewards(game, state, turn, generator, work)


@compiled
@dataclass(frozen=True)
class Uniform:
    """A rollout policy: any legal action, all equally likely."""

    is_uniform = True

    def choose(self, game, state, turn, word, work):
        return np.int64(game.pick(state, upper(word)))


@compiled
@dataclass(frozen=True)
class Preferred:
    """A rollout policy: the action that the game's own order puts first, but any with probability epsilon."""

    is_uniform = False

    def choose(self, game, state, turn, word, work):
        if np.float64(word & np.uint64(0xFFFFFFFF)) < work.epsilon * 4294967296.0:
            return np.int64(game.pick(state, upper(word)))
        return np.int64(game.prefer(state, upper(word)))


@compiled
@dataclass(frozen=True)
class BestEvaluated:
    """A rollout policy: the action with the best evaluation for the mover, but any with probability epsilon.

    Where chance follows an action, one outcome is drawn, with the same random word for every action.
    """

    is_uniform = False

    def choose(self, game, state, turn, word, work):
        if np.float64(word & np.uint64(0xFFFFFFFF)) < work.epsilon * 4294967296.0:
            return np.int64(game.pick(state, upper(word)))
        actions = scratch(np.uint32, game.max_actions)
        count = game.actions(state, actions)
        best, chosen = -np.inf, np.int64(0)
        for i in range(count):
            child = local_copy(state)
            game.play(child, np.int64(actions[i]))
            after, _ = settle(game, child, np.int64(game.turn(child)), word)
            value = game.utility(child, turn) if after == TERMINAL else game.heuristic(child, turn)
            if value > best:
                best, chosen = value, np.int64(actions[i])
        return chosen


@compiled
@dataclass(frozen=True)
class Rollouts:
    """Random games from the leaf, averaged where there are several."""

    policy: Constant[RolloutPolicy] = Uniform()

    def leaf(self, game, steps, state, turn, tree, generator, work):
        sums = scratch(np.float64, game.players)
        start = local_copy(state)
        count = work.rollouts
        for number in range(count):
            if number > 0:
                assign(state, start)
            generator = self.rollout(game, steps, state, tree, generator, work)
            for player in range(game.players):
                sums[player] = work.rewards[player] if number == 0 else sums[player] + work.rewards[player]
        if count > 1:
            for player in range(game.players):
                work.rewards[player] = sums[player] / count
        return generator

    def rollout(self, game, steps, state, tree, generator, work):
        """Play on for this many decisions and return the value of the state; with a history, every action is noted."""
        players = scratch(np.uint8, MAX_NOTES)
        actions = scratch(np.uint32, MAX_NOTES)
        limit = work.rollout_limit  # not read again at every move
        roll_limit = limit if work.afterstates else np.int64(-1)
        decisions = 0
        moving = local_copy(state)  # nothing that is called takes its address, so that it can be kept in registers
        if game.has_rollout and self.policy.is_uniform and not steps.select.uses_history:
            generator, decisions = game.rollout(moving, generator, limit)
        turn = np.int64(game.turn(moving))
        while turn != TERMINAL:
            if turn == CHANCE:
                if decisions == roll_limit:
                    break
                generator, word = next_word(generator)
                game.deal(moving, game.draw(moving, upper(word)))
            else:
                if decisions == limit or turn < 0 or turn >= game.players:
                    break
                generator, word = next_word(generator)
                action = self.policy.choose(game, moving, turn, word, work)
                if steps.select.uses_history and decisions < MAX_NOTES:
                    players[decisions], actions[decisions] = turn, action
                game.play(moving, action)
                decisions += 1
            turn = np.int64(game.turn(moving))
        assign(state, moving)
        if turn != TERMINAL:
            in_turn(game, state, turn)
        work.rollout_moves += decisions
        work.long_rollouts += decisions == LONGEST_ROLLOUT
        generator = state_rewards(game, state, turn, generator, work)
        if steps.select.uses_history:
            for i in range(min(decisions, MAX_NOTES)):
                player = np.int64(players[i])
                note_action(steps, tree, player, np.int64(actions[i]), score_of(work.rewards[player], work))
        return generator


@kernel
def score_of(reward, work):
    """A reward as a score in [0, 1]."""
    return (reward - work.low) / (work.high - work.low)
