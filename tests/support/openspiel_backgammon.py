"""Backgammon's turns beside OpenSpiel's, in random games of OpenSpiel's: where they lead, and what the end is worth.

    python tests/support/openspiel_backgammon.py --games 10000 --jobs 2

OpenSpiel's actions move two men, and a double is two of them; it does not ask that a double's second half makes up for
the first, so of its turns those count that move as many men as any. Where its actions lead is worked out here, which is
fast, and compared with where it goes itself for each action that is played.
"""

# mypy: ignore-errors
from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import count
from pathlib import Path

import numpy as np

from astragal import Position, load_game
from astragal.compiler.intrinsics.native import local_copy, scratch
from astragal.compiler.kernel import kernel

GAME = load_game("backgammon")
POINTS, PLACES, MEN, OFF = 24, 26, 15, 25
NOBODY = 25  # in an action of OpenSpiel's, in the place of a man
PART = 100  # games that a process plays before it reports
BARS = {0: 192, 1: 195}  # in an observation; before that, four numbers for each point of each player


@kernel(entry="boards after each turn")
def boards_after(game, states, boards):
    """Write the men after each action; how many there are."""
    actions = scratch(np.uint32, game.max_actions)
    count = game.actions(states[0], actions)
    for i in range(count):
        child = local_copy(states[0])
        game.play(child, np.int64(actions[i]))
        for place in range(boards.shape[1]):
            boards[i, place] = child.men[place]
    return count


@kernel(entry="where OpenSpiel's actions lead")
def boards_of_their_actions(men, player, dice, actions, boards, moved):
    """Write the men after each action of OpenSpiel's, and how many an action moves.

    Below 676 the higher die is played first; the two digits of base 26 say from where, 24 being the bar.
    """
    mine, theirs = player * PLACES, (1 - player) * PLACES
    for i in range(len(actions)):
        moved[i] = 0
        for place in range(2 * PLACES):
            boards[i, place] = men[place]
        digits, swapped = actions[i] % 676, actions[i] // 676
        for k in range(2):
            digit, die = (digits // 26 if k else digits % 26), dice[(k + swapped) % 2]
            if digit == NOBODY:
                continue
            source = 0 if digit == 24 else digit + 1 if player == 0 else 24 - digit  # its X goes up, its O down
            to = min(source + die, OFF)
            moved[i] += 1
            boards[i, mine + source] -= 1
            boards[i, mine + to] += 1
            if to < OFF and boards[i, theirs + OFF - to] == 1:
                boards[i, theirs + OFF - to] = 0
                boards[i, theirs] += 1


def their_board(state):
    """The men of a state of OpenSpiel's, as ours are counted."""
    seen = np.array(state.observation_tensor(0), np.int8)
    found = np.zeros((2, PLACES), np.int8)
    for player in range(2):
        one_to_three_and_more = seen[96 * player : 96 * (player + 1)].reshape(POINTS, 4)
        men = one_to_three_and_more @ np.array([1, 2, 3, 1], np.int8) + 3 * (one_to_three_and_more[:, 3] > 0)
        found[player, 1:OFF] = men if player == 0 else men[::-1]
        found[player, 0] = seen[BARS[player]]
        found[player, OFF] = MEN - found[player].sum()
    return found.reshape(2 * PLACES)


class Comparison:
    """Random games of OpenSpiel's, compared decision by decision."""

    def __init__(self, seed):
        self.chooser = random.Random(seed)
        self.memory = np.zeros(1, GAME.state)
        self.room = np.zeros((GAME.max_actions, 2 * PLACES), np.int8)
        self.decisions = 0

    def leads(self, men, state, dice):
        """Each action's board after it, as bytes, and how many men it moves."""
        actions = np.array(state.legal_actions(), np.int64)
        boards, moved = np.zeros((len(actions), 2 * PLACES), np.int8), np.zeros(len(actions), np.int64)
        boards_of_their_actions(men, state.current_player(), dice, actions, boards, moved)
        return list(zip(actions.tolist(), (board.tobytes() for board in boards), moved.tolist(), strict=True))

    def their_turns(self, men, state, dice):
        """Where the turns of OpenSpiel's lead that move as many men as any."""
        found = {}
        seen = set()
        for action, board, moved in self.leads(men, state, dice):
            after = state.child(action) if dice[0] == dice[1] else None
            if after is None or after.is_terminal() or after.current_player() != state.current_player():
                found.setdefault(moved, set()).add(board)
            elif (board, moved) not in seen:  # a double's second half
                seen.add((board, moved))
                for _, last, more in self.leads(np.frombuffer(board, np.int8), after, dice):
                    found.setdefault(moved + more, set()).add(last)
        return found[max(found)]

    def compare(self, state, men):
        """Let both have the same turns where a player has just rolled."""
        memory, seen = self.memory, state.observation_tensor(0)
        dice = np.array(sorted((int(seen[-2]), int(seen[-1])), reverse=True), np.int64)
        memory["men"], memory["dice"], memory["turn"] = men, dice, state.current_player()
        count = boards_after(GAME, memory, self.room)
        mine = {board.tobytes() for board in self.room[:count]}
        assert len(mine) == count, f"a turn is listed twice at {Position(GAME, memory).text}"
        assert mine == self.their_turns(men, state, dice), f"other turns at {Position(GAME, memory).text}"
        self.decisions += 1
        return dice

    def play(self, state):
        """A whole game, and what its end is worth."""
        has_rolled = False
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(self.chooser.choice(state.chance_outcomes())[0])
                has_rolled = True
                continue
            men = their_board(state)
            if has_rolled:
                dice = self.compare(state, men)
            has_rolled = False
            action, board, _ = self.chooser.choice(self.leads(men, state, dice))
            state.apply_action(action)
            assert their_board(state).tobytes() == board
        self.memory["men"] = their_board(state)
        assert list(Position(GAME, self.memory).utilities()) == state.returns()


def compare_games(games, seed):
    """Compare random games; how many decisions those were."""
    import pyspiel

    theirs, comparison = pyspiel.load_game("backgammon(scoring_type=full_scoring)"), Comparison(seed)
    for _ in range(games):
        comparison.play(theirs.new_initial_state())
    return comparison.decisions


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1, help="processes that share the games (1)")
    given = parser.parse_args()
    games, decisions = 0, 0
    parts = [min(PART, given.games - first) for first in range(0, given.games, PART)]
    with ProcessPoolExecutor(given.jobs, multiprocessing.get_context("spawn")) as pool:
        for part, found in zip(parts, pool.map(compare_games, parts, count(given.seed)), strict=True):
            games, decisions = games + part, decisions + found
            print(f"\r{games:,} random games, {decisions:,} decisions: the same turns and ends", end="", flush=True)
    print()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from support import openspiel_backgammon  # kernels are kept under the name of the module that the tests import

    openspiel_backgammon.main()
