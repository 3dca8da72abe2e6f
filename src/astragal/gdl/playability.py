"""What random games of a sheet show: whether it can be played.

The language asks that every role has a move in every state that can come up and is not terminal, that a game ends, and
that every role has one goal value then. None of this can be read off the rules of a sheet.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from astragal.gdl.reading.rules import RANDOM, Term, kif
from astragal.gdl.reasoning.interpreter import Interpreter, State
from astragal.rules.dice import Dice

MAX_CHARACTERS = 200  # of a state in a sentence


@dataclass
class RandomGame:
    """A game of random moves: one state more than there are moves."""

    states: list[State]
    moves: list[dict[str, Term]] = field(default_factory=list)
    is_over: bool = False
    stuck: str = ""  # the role that had to move and could not

    @property
    def last(self) -> State:
        return self.states[-1]


@dataclass(frozen=True)
class Scan:
    """What random games came to: an error, if a role could not move, and warnings."""

    games: int
    error: str = ""
    warnings: tuple[str, ...] = ()


def random_game(interpreter: Interpreter, dice: Dice, most_moves: int = 1000) -> RandomGame:
    """Play at random until the game is over, a role cannot move, or the limit of moves is reached."""
    game = RandomGame([interpreter.initial()])
    while True:
        state = game.last
        if interpreter.is_terminal(state):
            game.is_over = True
            return game
        if len(game.moves) == most_moves:
            return game
        chosen: dict[str, Term] = {}
        for role in interpreter.roles:
            legal = interpreter.legal(state, role)
            if not legal:
                game.stuck = role
                return game
            chosen[role] = legal[dice.below(len(legal))]
        game.moves.append(chosen)
        game.states.append(interpreter.next(state, chosen))


def scan(interpreter: Interpreter, games: int = 20, seed: int = 1, most_moves: int = 1000) -> Scan:
    """Play games at random and say what is wrong with them."""
    dice = Dice(seed)
    warnings: dict[str, str] = {}  # the first of each kind
    unended = 0
    for number in range(1, games + 1):
        game = random_game(interpreter, dice, most_moves)
        if game.stuck:
            sentence = f"{game.stuck} has no legal move {_where(game)}, which is not terminal: {_told(game.last)}"
            return Scan(number, sentence, tuple(warnings.values()))
        if game.is_over:
            for role in interpreter.roles:
                _check_goals(role, interpreter.goals(game.last, role), game, warnings)
        unended += not game.is_over
    if unended:
        warnings["end"] = f"{unended} of {games} random games did not end within {most_moves} moves"
    return Scan(games, "", tuple(warnings.values()))


def _check_goals(role: str, goals: list[int], game: RandomGame, warnings: dict[str, str]) -> None:
    if len(goals) > 1:
        several = " and ".join(map(str, goals))
        sentence = f"{role} has the goal values {several} {_where(game)}, which is terminal: {_told(game.last)}"
        warnings.setdefault(f"{role} has several", sentence)
    elif not goals and role != RANDOM:
        sentence = f"{role} has no goal value {_where(game)}, which is terminal: {_told(game.last)}"
        warnings.setdefault(f"{role} has none", sentence)


def _where(game: RandomGame) -> str:
    played = len(game.moves)
    return f"in the state after {played} move{'' if played == 1 else 's'}"


def _told(state: State) -> str:
    text = " ".join(sorted(map(kif, state))) or "nothing is true"
    return text if len(text) <= MAX_CHARACTERS else f"{text[:MAX_CHARACTERS]} ..."
