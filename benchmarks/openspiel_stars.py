"""Chinese Checkers against OpenSpiel's C++ MCTSBot, whose actions are single hops and so need a referee of their own.

    python benchmarks/openspiel_stars.py [PLAYER] [--games N] [--sims N] [--seed N]

OpenSpiel's bot thinks anew for every hop of a chain, ``sims`` simulations each, with random games to the end as its
evaluation. Our rules decide who has won. Our moves are given to OpenSpiel as the hops that lead there. Seats change.
"""

from __future__ import annotations

import argparse
import re
from collections import deque
from typing import Any

import pyspiel

from astragal.arena.statistics.estimates import win_rate
from astragal.base.locks import measuring
from astragal.games import load_game
from astragal.players import load_player
from astragal.players.player import Player
from astragal.rules.position import Position

ROWS = (1, 2, 3, 4, 13, 12, 11, 10, 9, 10, 11, 12, 13, 4, 3, 2, 1)  # cells of the star, counted from the top
GAME = "chinese_checkers:star=full,win=filled_one_own"  # as OpenSpiel has it
LONGEST = 300  # plies, after which a game is drawn


def cell_of(name: str) -> int:
    """OpenSpiel's number of a cell that we call row.place."""
    row, place = map(int, name.split("."))
    return sum(ROWS[:row]) + place


def cells_of(state: Any, action: int) -> tuple[int, int] | None:
    """The cells of a step or hop; None for the end of a chain."""
    found = re.fullmatch(r"(\d+)[-=]>(\d+)", state.action_to_string(state.current_player(), action))
    return (int(found[1]), int(found[2])) if found else None


def after_move(state: Any, here: int, to: int) -> Any:
    """OpenSpiel's state after a man went from one cell to another, by the fewest hops."""
    mover = state.current_player()
    waiting, seen = deque([(state, here)]), {here}
    while waiting:
        before, at = waiting.popleft()
        for action in before.legal_actions():
            cells = cells_of(before, action)
            if cells is None and at != to:
                continue
            after = before.child(action)
            ended = after.is_terminal() or after.current_player() != mover
            if cells is None or (cells == (at, to) and ended):
                return after
            if cells[0] == at and not ended and (cells[1] not in seen):
                seen.add(cells[1])
                waiting.append((after, cells[1]))
    raise ValueError(f"OpenSpiel has no way from {here} to {to}:\n{state}")


def their_move(state: Any, sims: int, seed: int) -> tuple[Any, int | None, int | None]:
    """What OpenSpiel does in its turn, and the cells where its man began and ended."""
    mover, here, to = state.current_player(), None, None
    while not state.is_terminal() and state.current_player() == mover:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(state.get_game(), evaluator, 2.0, sims, 1000, True, seed, False)
        action = bot.step(state)
        cells = cells_of(state, action)
        if cells is not None:
            here, to = cells[0] if here is None else here, cells[1]
        state = state.child(action)
    return state, here, to


def play(player: Player, seat: int, sims: int, seed: int) -> float:
    """What a game brings our player in a seat."""
    position = Position.start(load_game(GAME), 0)
    state = pyspiel.load_game("chinese_checkers(players=2)").new_initial_state()
    for ply in range(LONGEST):
        if position.is_terminal:
            return float(position.utilities()[seat] > 0)
        if position.turn == seat:
            name = player.search(position, seed=seed + ply).action or ""
            position = position.play(name)
            here, to = map(cell_of, name.split("-"))
            state = after_move(state, here, to)
        else:
            state, here, to = their_move(state, sims, seed + ply)
            ours = {tuple(map(cell_of, name.split("-"))): name for name in position.action_names()}
            if (here, to) not in ours:  # a chain back to where it began, which is no move in our rules
                return 0.5
            position = position.play(ours[here, to])
    return 0.5


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("player", nargs="?", default="alphabeta:nodes=250000")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--sims", type=int, default=70, help="what OpenSpiel does in 50 ms, about (default 70)")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    player = load_player(asked.player, load_game(GAME))
    scores = []
    for number in range(asked.games):
        scores.append(play(player, number % 2, asked.sims, asked.seed + 1000 * number))
        found = win_rate(scores)
        print(
            f"{asked.player}: {found.mean:.1%} [{found.low:.1%}, {found.high:.1%}] of {len(scores)} games", flush=True
        )


if __name__ == "__main__":
    with measuring(wait=True):
        main()
