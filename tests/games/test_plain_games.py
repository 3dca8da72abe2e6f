"""The fast games are the plain ones, ply by ply: texts, moves, outcomes with their probabilities, and results."""

from __future__ import annotations

import pytest

from astragal import CHANCE, TERMINAL, Position, load_game
from astragal.base.parameters import split_settings
from astragal.rules.dice import Dice
from support import plain_games
from support.helpers import by_python
from support.plain_games.ewn import PlainEwn
from support.plain_games.kalah import PlainKalah
from support.plain_games.ra import PlainRa

PLAIN = {"ewn": PlainEwn, "kalah": PlainKalah, "ra": PlainRa}
SPECS = [
    *("ewn", "ewn:setup=fixed", "ra"),
    *("ra:god_takes_disasters=off,empty_auctions=off,floor=off", "ra:score=margin", "ra:ties=draw"),
    *(f"kalah:rules={rules}" for rules in ("paper", "irving", "standard")),
    *("kalah:pits=8,stones=7,rules=standard,score=win", "kalah:pits=3,stones=2,setup=random,rules=irving"),
    *("kalah:pits=1,stones=3", "kalah:pits=2,stones=5,rules=standard,score=win"),
]
GODS = "o5f10v2w3x5y5z5A3B4C5D5E5F5G5H5p20n22k1d1u2q1r30 n2pkdu2q 0 1 2569/-/10/g4f2v2A2p2 3478/-/10/g4vw2Bp2n 1 turn 1"
OFTEN = 3
KINDS = {CHANCE: plain_games.CHANCE, TERMINAL: plain_games.OVER}


def plain_of(spec, position):
    name, _, text = spec.partition(":")
    settings = {key: {"on": True, "off": False}.get(value, value) for key, value in split_settings(text, name).items()}
    return PLAIN[name](position.text, **settings)


@pytest.mark.parametrize("games", by_python(2, 100))
@pytest.mark.parametrize("spec", SPECS)
def test_a_fast_game_is_the_plain_one(spec, games):
    game = load_game(spec)
    for seed in range(games):
        in_lockstep(spec, Position.start(game, seed), Dice(seed))


@pytest.mark.parametrize("games", by_python(4, 100))
@pytest.mark.parametrize("spec", ["ra", "ra:god_takes_disasters=off,empty_auctions=off,floor=off"])
def test_gods_and_disasters_of_ra_are_the_plain_ones(spec, games):
    """Random games hardly ever have many gods; here all are with the players, and disasters on a full track."""
    met = set()
    for seed in range(games):
        met |= in_lockstep(spec, Position.parse(load_game(spec), GODS), Dice(seed))
    assert {"take", "stop", "discard", "invoke", "bid"} <= met


def in_lockstep(spec, position, dice):
    """Play a random game by both; the kinds of actions that it had."""
    plain, met = plain_of(spec, position), set()
    while True:
        assert plain.text() == position.text
        assert plain.mover() == KINDS.get(position.turn, position.turn)
        if position.is_terminal:
            assert list(position.utilities()) == pytest.approx([plain.utility(0), plain.utility(1)], abs=1e-12)
            return met
        if position.is_chance:
            outcomes = {outcome.name: outcome.probability for outcome in position.outcomes()}
            assert outcomes == pytest.approx({name: float(chance) for name, chance in plain.outcomes().items()})
            step = position.draw(dice)
            plain.deal(position.step_name(step))
        else:
            names = {position.action_name(action): action for action in position.actions()}
            assert sorted(names) == sorted(plain.actions())
            chosen = drawn(list(names), dice)
            step = names[chosen]
            plain.play(chosen)
            met.add(chosen.partition("-")[0])
        position = position.follow(step)


def drawn(names, dice):
    """A random action; in Ra most often to draw or take a tile: uniformly random games are mostly auctions."""
    likely = names + [name for name in names for _ in range(OFTEN) if name == "draw" or name.startswith("take")]
    return likely[dice.below(len(likely))]
