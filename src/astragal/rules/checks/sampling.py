"""Methods that draw: only what is listed, all of it, and as often as it should be."""

from __future__ import annotations

import math
from itertools import islice

import numpy as np

from astragal.compiler.records import State
from astragal.rules.checks.promise import ENOUGH_POSITIONS, Broken, random_game, require
from astragal.rules.decorator import CHANCE, defines
from astragal.rules.dice import Dice
from astragal.rules.position import Position
from astragal.rules.protocol import Game

SAMPLES = 2_000
FEW_SAMPLES = 20  # of the methods that games are given, which choose from the list
SPOTS = 4  # chance nodes, and decisions, that are sampled at
SIGMAS, CHANCE_HITS = 5.0, 3  # how far a frequency may be off: standard errors, and samples


def check_sampling(game: Game, games: int, seed: int) -> str:
    """`draw` at chance nodes by frequency, `pick` and `rollout` at decisions: only what is listed, and all of it."""
    checked = {CHANCE: 0, 0: 0}
    dice = Dice(seed)
    positions = (position for number in range(games) for position in random_game(game, seed + number))
    for position in islice(positions, ENOUGH_POSITIONS):
        kind = CHANCE if position.is_chance else 0
        if min(checked.values()) >= SPOTS:
            break
        if position.is_terminal or checked[kind] >= SPOTS or dice.below(4):
            continue
        checked[kind] += 1
        if kind == CHANCE:
            check_representatives(position)
            expected = {o.number: o.probability for o in position.outcomes()}
            method, noun = position._rules.draw, "draw"
        else:
            actions = position.actions()
            expected = dict.fromkeys(actions, 1 / len(actions))
            method, noun = position._rules.pick, "pick"
            check_preferred(position, dice)
            check_rollout(position, dice)
        own = defines(type(game), noun)
        samples = [int(method(position._state, dice.word())) for _ in range(SAMPLES if own else FEW_SAMPLES)]
        compare_frequencies(position, noun, samples, expected)
    where = f"{checked[CHANCE]} chance nodes and {checked[0]} decisions"
    return f"{SAMPLES} samples of methods of its own, {FEW_SAMPLES} of others, at {where}"


def check_representatives(position: Position) -> None:
    """An outcome's representative is listed and represents itself."""
    listed = [outcome.number for outcome in position.outcomes()]
    for outcome in listed:
        chosen = int(position._rules.representative(position._state, outcome))
        where = f"at '{position.text}'"
        require(chosen in listed, f"representative of {outcome} is {chosen}, which is not listed, {where}")
        again = int(position._rules.representative(position._state, chosen))
        require(again == chosen, f"{chosen}, which stands for {outcome}, has another representative, {again}, {where}")


def check_preferred(position: Position, dice: Dice) -> None:
    if not defines(type(position.game), "prefer"):
        first = int(position._rules.pick(position._state, 0))
        sentence = f"pick of 0 gave {first}, not the first action, at '{position.text}'; give the game a prefer method"
        require(first == position.actions()[0], sentence)
    for _ in range(10):
        action = int(position._rules.prefer(position._state, dice.word()))
        require(action in position.actions(), f"prefer gave {action}, which is not listed, at '{position.text}'")


def check_rollout(position: Position, dice: Dice) -> None:
    """One decision of `rollout`, if the game has it: it leads where actions lead, equally often to each."""
    if not defines(type(position.game), "rollout"):
        return
    actions, where = position.actions(), f"at '{position.text}'"
    leading: dict[Position, list[int]] = {}
    for action in actions:
        leading.setdefault(position.play(action), []).append(action)
    samples = []
    for number in range(SAMPLES):
        memory = position.memory
        made = int(position._rules.rollout(State(memory), np.uint64(dice.word()), 1)[1])
        require(made == 1, f"rollout made {made} decisions where 1 was wanted, {where}")
        found = leading.get(Position(position.game, memory), [])
        require(bool(found), f"rollout led to a position that no action leads to, {where}")
        samples.append(found[number % len(found)])
    compare_frequencies(position, "rollout", samples, dict.fromkeys(actions, 1 / len(actions)))


def compare_frequencies(position: Position, noun: str, samples: list[int], expected: dict[int, float]) -> None:
    where = f"at '{position.text}'"
    for number in set(samples) - set(expected):
        raise Broken(f"{noun} gave {number}, which is not listed, {where}")
    for number, probability in expected.items():
        share = samples.count(number) / len(samples)
        error = math.sqrt(probability * (1 - probability) / len(samples))
        if abs(share - probability) > SIGMAS * error + CHANCE_HITS / len(samples):
            raise Broken(f"{noun} gave {number} in {share:.1%} of samples where {probability:.1%} is listed, {where}")
