"""The conformance suite: whether a game keeps the promises that searches rely on.

It runs over every game, built-in or a user's (`astragal check my_game.py:MyGame`), and says in a sentence what is
wrong.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, product
from typing import Any

import numpy as np

from astragal.errors import AstragalError
from astragal.game.compile_errors import compile_reason
from astragal.game.decorator import CHANCE, TERMINAL, defines, keeps_secrets
from astragal.game.dice import Dice
from astragal.game.doubts import doubts_of_class, doubts_of_play, doubts_of_speed
from astragal.game.inputs import MOST_RESULTS, are_results
from astragal.game.position import Position
from astragal.game.protocol import Game
from astragal.game.state import State

LONGEST = 2_000  # plies played where a game declares no bound on its length
SAMPLES = 2_000
FEW_SAMPLES = 20  # of the methods that games are given, which choose from the list
SPOTS = 4  # chance nodes, and decisions, that are sampled at
ENOUGH_POSITIONS, ENOUGH_TEXTS, ENOUGH_PLIES = 1_000, 300, 300  # of long games; Python is slow
CEILING_DECISIONS = 4  # looked ahead where a game bounds its values
SIGMAS, CHANCE_HITS = 5.0, 3  # how far a frequency may be off; so many samples more or less say nothing
BOUND_GAMES = 100  # compiled games played for each interpreted one


class Broken(Exception):
    """A promise that the game does not keep, with the sentence that says so."""


@dataclass(frozen=True)
class Check:
    """One promise, and what was found."""

    name: str
    passed: bool
    detail: str
    warning: bool = False  # legal, and probably wrong


def check_game(game: Any, games: int = 30, seed: int = 0) -> Iterator[Check]:
    """Run every check; each is reported as it is done. A check that needs one that failed is left out."""
    suite: list[tuple[str, Callable[[Any, int, int], str]]] = [
        ("declarations are sensible", check_declarations),
        ("random games keep the rules' promises", check_random_games),
        ("sampled outcomes and actions agree with the lists", check_sampling),
        ("names and positions can be written and read back", check_texts),
        ("the declared bounds hold in many games", check_bounds),
        ("compiled and interpreted games agree ply by ply", check_compiled),
    ]
    for name, check in suite:
        try:
            yield Check(name, True, check(game, games, seed))
        except (Broken, AstragalError) as error:
            yield Check(name, False, str(error))
            return
        except Exception as error:  # a game's own methods may raise anything
            yield Check(name, False, describe_error(error))
            return


def doubts(game: Any, games: int = 30, seed: int = 0) -> Iterator[Check]:
    """What is legal and probably wrong with a game that passes: warnings."""
    paths: list[list[Position]] = []
    while len(paths) < min(games, 5) and sum(map(len, paths)) < ENOUGH_PLIES:
        paths.append(list(random_game(game, seed + len(paths))))
    for sentence in chain(doubts_of_class(game), doubts_of_play(paths), doubts_of_speed(game, paths)):
        yield Check("worth a look", True, sentence, warning=True)


def describe_error(error: Exception) -> str:
    if type(error).__module__.startswith("numba"):
        return f"the game cannot be compiled: {compile_reason(error)}"
    return f"{type(error).__name__}: {next(iter(str(error).splitlines()), '')}"


def require(condition: bool, sentence: str) -> None:
    if not condition:
        raise Broken(sentence)


def check_declarations(game: Game, games: int, seed: int) -> str:
    low, high = game.utility_range
    require(game.players >= 1, f"players is {game.players}")
    require(game.max_actions >= 1, f"max_actions is {game.max_actions}")
    require(game.max_plies is None or game.max_plies >= 1, f"max_plies is {game.max_plies}")
    require(low < high, f"utility_range is from {low} to {high}")
    opposite = low == -high or game.players != 2 or not game.zero_sum
    sentence = "but what one of two players of a zero-sum game gets, the other loses"
    require(opposite, f"utility_range is from {low} to {high}, {sentence}")
    named_results(game)
    turn = Position.start(game, seed).turn
    require(turn != TERMINAL, "the game is over at its start")
    require(turn in (CHANCE, *range(game.players)), f"the start has turn {turn}")
    return f"{game.players} players, at most {game.max_actions} actions and {game.max_outcomes} outcomes"


def random_game(game: Game, seed: int) -> Iterator[Position]:
    """The positions of a random game, interpreted, until it ends or is cut off."""
    dice = Dice(seed)
    position = Position.start(game, seed)
    limit = game.max_plies or LONGEST
    for _ in range(limit + 1):
        yield position
        if position.is_terminal:
            return
        if position.is_chance:
            outcome = position.draw(dice)
            if defines(type(game), "draw"):
                listed = outcome in [o.number for o in position.outcomes()]
                require(listed, f"draw gave {outcome}, which is not listed, at '{position.text}'")
            position = position.follow(outcome)
        else:
            actions = position.actions()
            require(len(actions) > 0, f"player {position.turn + 1} has no action at '{position.text}'")
            position = position.follow(actions[dice.below(len(actions))])
    if game.max_plies is not None:
        raise Broken(f"a random game lasted more than max_plies = {limit} plies")


def check_random_games(game: Game, games: int, seed: int) -> str:
    plies = finished = played = 0
    while played < games and plies < ENOUGH_POSITIONS:
        path: list[Position] = []
        for position in random_game(game, seed + played):
            path.append(position)
            plies += 1
            finished += position.is_terminal
            check_position(game, position)
            check_secrets(game, path)
        check_ceilings(game, path)
        played += 1
    return f"{played} games, {finished} of them finished, {plies} positions"


def check_position(game: Game, position: Position) -> None:
    low, high = game.utility_range
    turn, where = position.turn, f"at '{position.text}'"
    require(turn in (CHANCE, TERMINAL, *range(game.players)), f"turn is {turn} {where}")
    check_repeated(position)
    check_features(game, position)
    check_result(game, position)
    if turn == CHANCE:
        outcomes = position.outcomes()
        require(len(outcomes) > 0, f"chance has no outcome {where}")
        require(len({o.number for o in outcomes}) == len(outcomes), f"an outcome is listed twice {where}")
        require(all(o.probability > 0 for o in outcomes), f"an outcome has probability 0 or less {where}")
        total = math.fsum(o.probability for o in outcomes)
        require(abs(total - 1) < 1e-9, f"probabilities sum to {total:.12g} {where}")
        check_told_ahead(game, position, "heuristic_dealt", [o.number for o in outcomes])
        check_ignored(game, position)
        return
    if turn != TERMINAL:
        actions = position.actions()
        require(len(actions) > 0, f"player {turn + 1} has no action {where}")
        require(len(set(actions)) == len(actions), f"an action is listed twice {where}")
        require(all(0 <= action < 2**32 for action in actions), f"an action is not a number from 0 to 2^32 - 1 {where}")
        check_skip(game, position)
        check_told_ahead(game, position, "heuristic_after", actions)
        check_best_after(game, position, actions)
    values = position.evaluations()
    kind = "utility" if turn == TERMINAL else "heuristic"
    for player, value in enumerate(values):
        require(
            low - 1e-9 <= value <= high + 1e-9, f"{kind} of player {player + 1} is {value:g}, out of range, {where}"
        )
    if game.zero_sum:
        hint = "; a game in which they need not says zero_sum = False"
        require(
            abs(sum(values) - game.players * (low + high) / 2) < 1e-6, f"{kind} values do not cancel out {where}{hint}"
        )


def check_repeated(position: Position) -> None:
    """The same step twice leads to the same state."""
    steps = [outcome.number for outcome in position.outcomes()] or position.actions()
    if steps and position.follow(steps[-1]) != position.follow(steps[-1]):
        method, noun = ("deal", "outcome") if position.is_chance else ("play", "action")
        same = f"{method} of {noun} {position.step_name(steps[-1])} at '{position.text}'"
        raise Broken(f"{same} led to two different states; what is left to chance belongs in outcomes and deal")


def check_skip(game: Game, position: Position) -> None:
    """A null move hands the turn over and ends nothing."""
    if not defines(type(game), "skip"):
        return
    after = position.copy()
    after._rules.skip(after._state)
    where = f"at '{position.text}'"
    require(not after.is_terminal, f"skip ends the game {where}")
    require(after.turn != position.turn, f"skip leaves player {position.turn + 1} to move {where}")
    require(after.turn in (CHANCE, *range(game.players)), f"turn is {after.turn} after skip {where}")


def named_results(game: Game) -> tuple[float, ...]:
    """The results that a game names, once they are seen to fit what else it says of its utilities."""
    said = game.own_results()
    try:
        results = tuple(float(each) for each in said)
    except (TypeError, ValueError):
        raise Broken(f"own_results is {said!r}, which is not a tuple of numbers") from None
    low, high = game.utility_range
    require(
        not results or are_results(results),
        f"own_results is {results}, which is not 2 to {MOST_RESULTS} utilities from the lowest to the highest",
    )
    require(
        not results or (results[0], results[-1]) == (low, high),
        f"own_results is {results}, and utility_range from {low} to {high}",
    )
    mirrored = tuple(-each for each in reversed(results)) == results or game.players != 2 or not game.zero_sum
    require(mirrored, f"own_results is {results}, but what one player wins the other loses")
    return results


def check_result(game: Game, position: Position) -> None:
    """A game that names its results ends with one of them."""
    results = named_results(game)
    if results and position.is_terminal:
        for player, value in enumerate(position.utilities()):
            known = any(abs(value - each) < 1e-9 for each in results)
            sentence = f"utility of player {player + 1} is {value:g}, and own_results is {results}"
            require(known, f"{sentence}, at '{position.text}'")


def check_features(game: Game, position: Position) -> None:
    """Inputs of a learned evaluation are those that were declared, and `mover` is the player to move."""
    inputs, most = game.own_inputs()
    if inputs == 0 or position.is_terminal:
        return
    where = f"at '{position.text}'"
    for player in range(game.players):
        out = [0] * (2 * most + 64)
        count = int(position._rules.features(position._state, player, out))
        require(0 <= count <= most, f"features lists {count} inputs, and own_inputs says at most {most}, {where}")
        wrong = next((int(each) for each in out[:count] if not 0 <= each < inputs), None)
        require(wrong is None, f"features lists input {wrong}, and own_inputs says that there are {inputs}, {where}")
    mover = int(position._rules.mover(position._state)) if defines(type(game), "mover") else position.turn
    named = mover == position.turn if position.turn >= 0 else mover in range(-1, game.players)
    require(named, f"mover says {mover} and turn says {position.turn} {where}")


def check_told_ahead(game: Game, position: Position, method: str, steps: list[int]) -> None:
    """What a game tells of a step without taking it is what the state after it is worth, unless that is the end."""
    if not defines(type(game), method):
        return
    for step in steps:
        after = position.deal(step) if position.turn == CHANCE else position.play(step)
        for player in range(game.players):
            told = float(getattr(position._rules, method)(position._state, step, player))
            found = math.nan if after.is_terminal else float(after._rules.heuristic(after._state, player))
            require(
                math.isnan(told) or abs(told - found) < 1e-9,
                f"{method} of player {player + 1} is {told:g} and not {found:g} "
                f"for {position.step_name(step)} at '{position.text}'",
            )


def check_ignored(game: Game, position: Position) -> None:
    """Before a roll the evaluation of a game that ignores outcomes is what it is after each that does not end it."""
    if not game.ignores_outcomes:
        return
    for player in range(game.players):
        before = float(position._rules.heuristic(position._state, player))
        for outcome in position.outcomes():
            after = position.deal(outcome.number)
            value = before if after.is_terminal else after.evaluations()[player]
            require(
                abs(value - before) < 1e-9,
                f"ignores_outcomes is declared, but the heuristic of player {player + 1} is {before:g} before "
                f"{outcome.name} and {value:g} after it, at '{position.text}'",
            )


def check_best_after(game: Game, position: Position, actions: list[int]) -> None:
    """What a game tells of its best action is what the state after that is worth, unless an action is the end."""
    if not defines(type(game), "best_after"):
        return
    after = [position.play(action) for action in actions]
    for player in range(game.players):
        told, count = position._rules.best_after(position._state, player)
        if math.isnan(told):
            continue
        ends = any(reached.is_terminal for reached in after)
        require(not ends, f"best_after is {told:g}, though an action ends the game, at '{position.text}'")
        best = max(after, key=lambda reached: reached._rules.heuristic(reached._state, position.turn))
        found = float(best._rules.heuristic(best._state, player))
        require(
            count == len(actions) and abs(told - found) < 1e-9,
            f"best_after of player {player + 1} is {told:g} of {count} actions and not {found:g} of {len(actions)} "
            f"at '{position.text}'",
        )


def check_ceilings(game: Game, path: list[Position]) -> None:
    """No value in a game lies above what `ceiling` said of it up to `CEILING_DECISIONS` decisions before."""
    if not defines(type(game), "ceiling"):
        return
    made = [sum(position.turn >= 0 for position in path[:i]) for i in range(len(path))]
    values = [position.evaluations() for position in path]
    for i, position in enumerate(path[:-1]):
        for player, left in product(range(game.players), range(CEILING_DECISIONS + 1)):
            ceiling = position._rules.ceiling(position._state, player, left)
            for j in range(i, len(path)):
                if made[j] - made[i] > left:
                    break
                require(
                    values[j][player] <= ceiling + 1e-9,
                    f"ceiling of player {player + 1} is {ceiling:g} for {left} decisions at '{position.text}', and "
                    f"{made[j] - made[i]} later the value is {values[j][player]:g}",
                )


def check_secrets(game: Game, path: list[Position]) -> None:
    """What the player to move does not know of is taken back by `conceal`, whatever it was, and nothing else is."""
    position, where = path[-1], f"at '{path[-1].text}'"
    if position.turn < 0 or not keeps_secrets(game):
        return
    hidden, known = position.hidden, position.known()
    before = path[-1 - hidden : -1] if 0 <= hidden < len(path) else []
    require(len(before) == hidden, f"hidden is {hidden}, which is not a number of decisions made before, {where}")
    others = all(earlier.turn not in (CHANCE, position.turn) for earlier in before)
    require(others, f"hidden is {hidden}, but not all the last {hidden} plies are other players' decisions, {where}")
    require(known.turn == position.turn, f"conceal leaves player {known.turn + 1} to move {where}")
    require(known.actions() == position.actions(), f"conceal changes what is legal {where}")
    require(known.hidden == 0, f"after conceal, hidden is still {known.hidden} {where}")
    require(known.known() == known, f"conceal called twice is not the same as once {where}")
    if hidden:
        check_other_choices(position, before[0], hidden)


def check_other_choices(position: Position, before: Position, hidden: int) -> None:
    """Had the others chosen otherwise, the player to move would know and could do the same.

    And it does not matter who is asked first.
    """
    where = f"at '{position.text}'"
    for place in (0, -1):
        other, choices = before, dict[int, int]()
        for _ in range(hidden):
            choices[other.turn] = other.actions()[place]
            other = other.play(choices[other.turn])
        same = other.turn == position.turn and other.hidden == hidden and other.actions() == position.actions()
        require(same, f"hidden decisions change who is to move, or what is legal, {where}")
        require(other.known() == position.known(), f"what is left after conceal depends on what was hidden, {where}")
        action = other.actions()[place]
        end, again = other.play(action), other.known().play(action)
        while again.turn in choices:
            again = again.play(choices.pop(again.turn))
        if not choices:
            require(ends_alike(end, again), f"it matters who of those that choose at once is asked first, {where}")


def ends_alike(one: Position, other: Position) -> bool:
    """Whether the same choices, made in another order, led to the same, as far as that can be seen."""
    if one.is_terminal or other.is_terminal:
        return one.turn == other.turn and bool(np.allclose(one.utilities(), other.utilities()))
    return one.turn != other.turn or one.is_chance or one.known() == other.known()


def check_sampling(game: Game, games: int, seed: int) -> str:
    """`draw` at chance nodes by frequency, `pick` and `wander` at decisions: only what is listed, and all of it."""
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
            check_wandering(position, dice)
        own = defines(type(game), noun)
        samples = [int(method(position._state, dice.word())) for _ in range(SAMPLES if own else FEW_SAMPLES)]
        compare_frequencies(position, noun, samples, expected)
    where = f"{checked[CHANCE]} chance nodes and {checked[0]} decisions"
    return f"{SAMPLES} samples of methods of its own, {FEW_SAMPLES} of others, at {where}"


def check_representatives(position: Position) -> None:
    """An outcome that stands for others is listed and stands for itself."""
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


def check_wandering(position: Position, dice: Dice) -> None:
    """One decision of `wander`, where a game has it: it leads where actions do, as often as each of them."""
    if not defines(type(position.game), "wander"):
        return
    actions, where = position.actions(), f"at '{position.text}'"
    leading: dict[Position, list[int]] = {}
    for action in actions:
        leading.setdefault(position.play(action), []).append(action)
    samples = []
    for number in range(SAMPLES):
        memory = position.memory
        made = int(position._rules.wander(State(memory), np.uint64(dice.word()), 1)[1])
        require(made == 1, f"wander made {made} decisions where 1 was wanted, {where}")
        found = leading.get(Position(position.game, memory), [])
        require(bool(found), f"wander led to a position that no action leads to, {where}")
        samples.append(found[number % len(found)])
    compare_frequencies(position, "wander", samples, dict.fromkeys(actions, 1 / len(actions)))


def compare_frequencies(position: Position, noun: str, samples: list[int], expected: dict[int, float]) -> None:
    where = f"at '{position.text}'"
    for number in set(samples) - set(expected):
        raise Broken(f"{noun} gave {number}, which is not listed, {where}")
    for number, probability in expected.items():
        share = samples.count(number) / len(samples)
        error = math.sqrt(probability * (1 - probability) / len(samples))
        if abs(share - probability) > SIGMAS * error + CHANCE_HITS / len(samples):
            raise Broken(f"{noun} gave {number} in {share:.1%} of samples where {probability:.1%} is listed, {where}")


def check_texts(game: Game, games: int, seed: int) -> str:
    count = 0
    for number in range(min(games, 5)):
        for position in random_game(game, seed + number):
            if count == ENOUGH_TEXTS:
                break
            count += 1
            text = position.text
            require("\n" not in text, f"the text of a position has more than one line: {text!r}")
            again = Position.parse(game, text)
            require(again == position, f"'{text}' is read back as another position, '{again.text}'")
            require(isinstance(str(position), str), "show gives no text")
            for noun, numbers, names in (
                ("action", position.actions(), position.action_names()),
                ("outcome", [o.number for o in position.outcomes()], [o.name for o in position.outcomes()]),
            ):
                require(
                    len({name.lower() for name in names}) == len(names), f"two {noun}s have the same name at '{text}'"
                )
                require(all(name.strip() for name in names), f"an {noun} has an empty name at '{text}'")
                require(len(numbers) == len(names), f"some {noun}s have no name at '{text}'")
    return f"{count} positions"


def check_compiled(game: Game, games: int, seed: int) -> str:
    from numba import config

    from astragal.game.agreement import compare_runs

    length = min((game.max_plies or LONGEST) + 1, LONGEST)
    plies = 0
    for number in range(min(games, 10)):
        if plies >= ENOUGH_PLIES:
            break
        lasted, difference = compare_runs(
            Position.start(game, seed + number), Dice(seed + number).word(), length, number
        )
        require(not difference, difference)
        plies += lasted
    return f"{plies} plies{' (NUMBA_DISABLE_JIT is set: both were interpreted)' if config.DISABLE_JIT else ''}"


def check_bounds(game: Game, games: int, seed: int) -> str:
    """Actions, outcomes and plies of random games, and of games of which the game prefers half the moves."""
    from numba import config

    from astragal.game.bounds import measured

    count = games if config.DISABLE_JIT else BOUND_GAMES * games
    cap = LONGEST if game.max_plies is None else min(game.max_plies, LONGEST) + 1
    played = []
    for preferred in (False, True):
        most = measured(game, count, seed, cap, preferred)
        for noun in ("actions", "outcomes"):
            declared = getattr(game, f"max_{noun}")
            require(most[noun] <= declared, f"there were {most[noun]} {noun} at once where max_{noun} is {declared}")
        lasted = game.max_plies is None or most["plies"] <= game.max_plies
        require(lasted, f"a game lasted more than max_plies = {game.max_plies} plies")
        played.append(most["games"])
    return f"{played[0]} random games and {played[1]} of which the game prefers half the moves"
