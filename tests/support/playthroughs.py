"""Golden play-throughs: a random game of each kind, written out ply by ply.

Each file in tests/data/playthroughs begins with the game's spec. Every ply has the position, what could be done, each
player's evaluation and what was done; pictures stand at the start, in the middle and at the end. Whatever changes a
rule, a name, an order of moves, an evaluation or a notation changes a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from astragal import Position, load_game
from astragal.rules.dice import Dice
from support.helpers import DATA

FOLDER = DATA / "playthroughs"
SHARE_OF_RANDOM_MOVES = 0.1  # the others are what the game prefers, so that games come to an end
LONGEST = 2000
SPECS = [
    "pig",
    "pig:dice=1,goal=40",
    "ewn",
    "ewn:setup=fixed",
    "kalah",
    "kalah:rules=irving,pits=4,stones=3",
    "kalah:rules=standard,setup=random,score=win",
    "cant_stop",
    "cant_stop:players=4",
    "cant_stop:players=1,sides=3,shortest=2",
    "ra",
    "ra:score=margin,god_takes_disasters=off,empty_auctions=off,floor=off",
    "focus",
    "focus:players=3",
    "focus:players=3,extra=none,colours=diag,rules=long",
    "focus:players=4,no_move=out",
    "chinese_checkers",
    "chinese_checkers:players=3,star=full",
    "chinese_checkers:players=4,resting=transit,stay=on",
    "chinese_checkers:players=6,win=filled_one_own",
    "backgammon",
    "connect_four",
    "tic_tac_toe",
]


def file_of(spec: str) -> Path:
    return FOLDER / f"{spec.replace(':', '-').replace('=', '_').replace(',', '-')}.txt"


def written_out(spec: str, seed: int = 1) -> Iterator[str]:
    """The lines of a game's file."""
    game = load_game(spec)
    positions = list(played(game, seed))
    yield f"{spec}, seed {seed}"
    chances = ""
    for ply, (position, step) in enumerate(positions):
        yield ""
        yield f"{ply}: {position.text}"
        if ply in (0, len(positions) // 2, len(positions) - 1):
            yield from (f"    | {line}".rstrip() for line in str(position).splitlines())
        if position.is_chance:
            before, chances = chances, listed_chances(position)
            yield f"   chance: {'as before' if chances == before else chances}"
        yield from described(position, step)


def played(game: object, seed: int) -> Iterator[tuple[Position, int]]:
    """The positions of a game and what was done in each, -1 at its end."""
    dice = Dice(seed)
    position = Position.start(game, seed)
    for _ in range(LONGEST):
        if position.is_terminal:
            break
        if position.is_chance:
            step = position.draw(dice)
        else:
            actions = position.actions()
            random = dice.below(1000) < 1000 * SHARE_OF_RANDOM_MOVES
            word = dice.word()
            step = actions[word * len(actions) >> 32] if random else int(position._rules.prefer(position._state, word))
        yield position, step
        position = position.follow(step)
    yield position, -1


def described(position: Position, step: int) -> Iterator[str]:
    if position.is_terminal:
        yield f"   over, worth {numbers(position.utilities())}"
        return
    if not position.is_chance:
        yield f"   player {position.turn + 1}: {' '.join(position.action_names())}"
        yield f"   evaluated {numbers(position.evaluations())}"
    yield f"   -> {position.step_name(step)}"


def listed_chances(position: Position) -> str:
    return " ".join(f"{outcome.name} {outcome.probability:.6g}" for outcome in position.outcomes())


def numbers(values: tuple[float, ...]) -> str:
    return " ".join(f"{value:.6g}" for value in values)
