"""Where studies get their positions from: games that were played, or that chance plays."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from astragal.arena.referee import replayed
from astragal.game.dice import Dice
from astragal.game.position import Position
from astragal.games import load_game
from astragal.lab.laboratory import Incomplete, Laboratory
from astragal.search.limits import Limits


def observed_states(
    lab: Laboratory,
    game: str,
    players: Sequence[str],
    limits: Limits,
    games: int,
    most: int,
    occasion: str = "",
) -> dict[str, str]:
    """S_obs: every decision seen in games between all pairs of players, each once; at most so many, by lot. And the
    pair of games, which share their dice, that each was first seen in."""
    seen: dict[str, str] = {}
    for pair in combinations(players, 2):
        contest = lab.contest(game, pair, limits, occasion=occasion)
        before = lab.missing
        for record in lab.games(contest, games):
            where = f"{contest.key} {record.pair}"
            for position in replayed(contest, record):
                if not (position.is_chance or position.is_terminal):
                    seen.setdefault(position.text, where)
        if lab.missing > before:
            raise Incomplete(
                f"the games of {pair[0]} against {pair[1]}, which states are taken from, are not all there"
            )
    return {state: seen[state] for state in drawn(list(seen), most, lab.seed)}


def random_states(game: str, most: int, seed: int) -> list[str]:
    """Decisions of games played at random, one a game, each once."""
    rules = load_game(game)
    found: dict[str, None] = {}
    for number in range(100 * most):
        dice = Dice(Dice(seed).bits() + number)
        position = Position.start(rules, dice.bits()).settled(dice)
        path = []
        while not position.is_terminal:
            actions = position.actions()
            path.append(position)
            position = position.play(actions[dice.below(len(actions))]).settled(dice)
        choices = [position for position in path if len(position.actions()) > 1]
        if choices:
            found[choices[dice.below(len(choices))].text] = None
        if len(found) == most:
            break
    return list(found)


def drawn(states: list[str], most: int, seed: int) -> list[str]:
    """At most so many of them."""
    Dice(seed).shuffle(states)
    return states[:most]
