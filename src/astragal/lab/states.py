"""Where studies get their positions from: games that were played, or that chance plays."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from itertools import combinations

from astragal.algorithms.limits import Limits
from astragal.arena.referee import replayed
from astragal.games import load_game
from astragal.lab.laboratory import Incomplete, Laboratory
from astragal.rules.dice import Dice
from astragal.rules.position import Position


def observed_states(
    lab: Laboratory,
    game: str,
    players: Sequence[str],
    limits: Limits,
    games: int,
    most: int,
    occasion: str = "",
    whole: bool = False,
) -> dict[str, str]:
    """S_obs: every decision seen in games between all pairs of players, each once, and the pair of games, which share
    their dice, that each was first seen in. A limited number: at random or, where games count whole, all those of the
    first pair of games of each meeting, then of the second, until they are enough."""
    by_pair: dict[int, list[tuple[str, str]]] = {}
    contests = [lab.contest(game, pair, limits, occasion=occasion) for pair in combinations(players, 2)]
    for contest in contests:
        before = lab.missing
        lab.games(contest, games)
        if lab.missing > before:
            met = " against ".join(contest.kinds)
            raise Incomplete(f"the games of {met}, which states are taken from, are not all there")
    keys = [lab.key_of(contest) for contest in contests]
    named = sha256(" ".join(keys).encode()).hexdigest()[:16]
    memo = f"states of {games} games of each of {named}, {most} {'whole' if whole else 'by lot'}, seed {lab.seed}"
    if (known := lab.recall(memo)) is not None:
        return dict(known)
    for contest, key in zip(contests, keys, strict=True):
        for record in lab.games(contest, games):
            where, found = f"{key} {record.pair}", by_pair.setdefault(record.pair if whole else 0, [])
            for position in replayed(contest, record):
                if not (position.is_chance or position.is_terminal):
                    found.append((position.text, where))
    seen: dict[str, str] = {}
    for number in sorted(by_pair):
        for state, where in by_pair[number]:
            seen.setdefault(state, where)
    states = list(seen)[:most] if whole else drawn(list(seen), most, lab.seed)
    lab.keep(memo, [[state, seen[state]] for state in states])
    return {state: seen[state] for state in states}


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
    """At most this many of them."""
    Dice(seed).shuffle(states)
    return states[:most]
