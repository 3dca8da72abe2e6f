"""The games that OpenSpiel has with our rules, and how its states follow ours, step by step.

OpenSpiel's states can be built only by playing. A mirror therefore begins where a game begins, and repeats every action
and outcome in OpenSpiel's numbers. In EinStein würfelt nicht! its second player begins, from the bottom right: the
board is turned round and the players change places. In its Pig a turn begins with a decision, which is always to roll,
and who can win by holding may not roll again.
"""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from functools import lru_cache
from itertools import permutations
from typing import Any

from astragal.base.errors import AstragalError, PositionError
from astragal.games import game_name, game_spec
from astragal.games.openspiel.library import load_openspiel
from astragal.rules.position import History, Position

WHO = "the player openspiel"


class Rules:
    """A game in OpenSpiel's numbers. This base has the same numbers, and no chance."""

    same = ""  # the settings under which the rules are the same, if any

    def __init__(self, name: str) -> None:
        self.name = name

    def fits(self, game: Any) -> bool:
        return True

    def their_name(self, game: Any) -> str:
        return self.name

    def opening(self, position: Position) -> list[int]:
        """The actions that lead from OpenSpiel's first state to where a game begins; ValueError elsewhere."""
        if position != Position.start(position.game):
            raise ValueError
        return []

    def action(self, position: Position, action: int) -> int:
        return action

    def outcome(self, position: Position, outcome: int) -> list[int]:
        """The outcome of a chance event, and whatever OpenSpiel has before it."""
        raise NotImplementedError


class KalahRules(Rules):
    """Player 1's pits are 1 to 6, player 2's are 8 to 13."""

    same = "kalah:rules=standard, with 6 pits of 4 stones a side"

    def fits(self, game: Any) -> bool:
        return (game.pits, game.stones, game.rules, game.setup) == (6, 4, "standard", "even")

    def action(self, position: Position, action: int) -> int:
        return action + 1 + 7 * position.turn


class PigRules(Rules):
    """Rolling is 0 and holding 1."""

    same = "pig:dice=1"

    def fits(self, game: Any) -> bool:
        return bool(game.dice == 1)

    def their_name(self, game: Any) -> str:
        return f"{self.name}(winscore={game.goal})"

    def opening(self, position: Position) -> list[int]:
        """Any position can be reached: the first player's points in one turn, the second's in another, and the rest."""
        state = position.state
        first, second, pot = int(state.score[0]), int(state.score[1]), int(state.pot)
        lost = [0, 0]  # a turn that ends with a 1
        turns = [[*rolls(points), 1] if points else lost for points in (first, second)]
        return [*turns[0], *turns[1], *(lost if state.turn else []), *rolls(pot)]

    def action(self, position: Position, action: int) -> int:
        from astragal.games.pig.rules import HOLD

        return 1 if action == HOLD else 0

    def outcome(self, position: Position, outcome: int) -> list[int]:
        from astragal.games.pig.rules import BUST, points_of

        face = 1 if outcome == BUST else points_of(outcome)
        compulsory = [0] if position.state.pot == 0 else []
        return [*compulsory, face - 1]


def rolls(points: int) -> list[int]:
    """Rolls that add up to a turn total, each with the decision before it."""
    if points == 1:
        raise ValueError
    faces = []
    while points > 0:
        faces.append(points if points <= 6 else 6 if points != 7 else 5)
        points -= faces[-1]
    return [number for face in faces for number in (0, face - 1)]


class EwnRules(Rules):
    """Turned round, with the players changed; an action is a square, a direction and whether something is captured."""

    directions = ((1, 1), (1, 0), (0, 1), (-1, 0), (-1, -1), (0, -1))  # down and right, OpenSpiel's player 0 first

    def opening(self, position: Position) -> list[int]:
        """How the cubes of both sides lie, OpenSpiel's first player's first, and a first roll."""
        from astragal.games.ewn.board import CAMP, OVER, TO_ROLL, board_of

        state, board = position.state, board_of(position.state)
        camps = [sorted(24 - square for square in CAMP[player]) for player in (1, 0)]
        cubes = [[board[24 - square] - 6 * player for square in camps[1 - player]] for player in (1, 0)]
        if state.turn != 0 or state.die == OVER or any(sorted(side) != list(range(6)) for side in cubes):
            raise ValueError
        roll = [] if state.die == TO_ROLL else [int(state.die)]
        return [arrangements()[tuple(side)] for side in cubes] + roll

    def action(self, position: Position, action: int) -> int:
        from astragal.games.ewn.board import NO_CUBE, board_of

        move = position.decode(action)
        here, to = 24 - int(move.source), 24 - int(move.to)
        way = self.directions.index((to // 5 - here // 5, to % 5 - here % 5))
        captures = int(board_of(position.state)[move.to] != NO_CUBE)
        return (here * 6 + way) * 2 + captures

    def outcome(self, position: Position, outcome: int) -> list[int]:
        return [outcome]


@lru_cache(maxsize=1)
def arrangements() -> dict[tuple[int, ...], int]:
    """OpenSpiel's number of each order of six cubes, read like a text from the top left."""
    return {order: number for number, order in enumerate(permutations(range(6)))}


RULES: dict[str, Rules] = {
    "ewn": EwnRules("einstein_wurfelt_nicht"),
    "kalah": KalahRules("mancala"),
    "pig": PigRules("pig"),
    "connect_four": Rules("connect_four"),
    "tic_tac_toe": Rules("tic_tac_toe"),
}


def refuse_unlike(game: Any) -> None:
    """Raise in a sentence if OpenSpiel has no such game, or is not installed."""
    rules = RULES[game_name(game)]
    if not rules.fits(game):
        raise AstragalError(f"OpenSpiel's rules are those of {rules.same}, not of {game_spec(game)}")
    load_openspiel(WHO)


class Mirror:
    """A game under way, and OpenSpiel's state of it."""

    def __init__(self, start: Position) -> None:
        self.rules = RULES[game_name(start.game)]
        self.start, self.position = start, start
        self.steps: list[int] = []
        self.game = load_openspiel(WHO).load_game(self.rules.their_name(start.game))
        self.state = self.game.new_initial_state()
        try:
            opening = self.rules.opening(start)
        except ValueError:
            name = game_name(start.game)
            raise PositionError(
                f"OpenSpiel follows a game from its beginning, and {name} cannot begin at '{start.text}'"
            ) from None
        for action in opening:
            self.state.apply_action(action)

    def follows(self, history: History) -> bool:
        """Whether what it has followed is how this history begins."""
        return self.start == history.start and tuple(self.steps) == history.steps[: len(self.steps)]

    def follow(self, step: int) -> None:
        """Repeat an action or outcome."""
        position, rules = self.position, self.rules
        theirs = rules.outcome(position, step) if position.is_chance else [rules.action(position, step)]
        for action in theirs:
            self.state.apply_action(action)
        self.steps.append(step)
        self.position = position.follow(step)

    def actions(self) -> dict[int, int]:
        """Our number of each of OpenSpiel's legal actions."""
        return {self.rules.action(self.position, action): action for action in self.position.actions()}


def mirror_of(history: History, kept: Mirror | None = None) -> Mirror:
    """A mirror of a position: the one kept from earlier in the game if it belongs to this game, or a new one."""
    mirror = kept if kept is not None and kept.follows(history) else Mirror(history.start)
    for step in history.steps[len(mirror.steps) :]:
        mirror.follow(step)
    return mirror
