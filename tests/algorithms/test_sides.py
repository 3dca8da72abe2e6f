"""Every search finds the same for both sides: in a game with its players exchanged, all from the other side.

To the last bit and node, in every game for two, by every player (`support.sides`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from typing import Any

import pytest

from astragal import AstragalError, Limits, Position, load_game, load_player
from astragal.games import game_names
from astragal.players.player import Player
from astragal.rules.decorator import keeps_secrets
from support.every_search import searches
from support.helpers import random_position, random_positions, slow_but
from support.known_trees import random_known
from support.sides import exchanged, from_one_side
from support.simultaneous_games import Auction
from support.tree_games import random_tree

VARIED = (  # settings that have to do with who searches, beside every player's own
    "paranoid:ceilings=on,table=values,chances=on,prune_above=0",
    "star1ss:width=2,ceilings=on,control=on",
    "star2ss:width=2,key=path,common=on,table=values",
    "alphabeta:order=evaluated,killers=on",
    "uct_h:solver=standard,final=visits",
    "uct:ends=sign,history=5,history_first=on",
    "uctmax_h:unvisited=own,solver=standard",
    "ggp:rollout=0,solver=paranoid,threads=2,parallel=root",
    "uct:simultaneous=decoupled,final=mixed",
)
SESSIONS = ("uct_h:reuse=on,solver=standard", "dpw:reuse=on,history=5", "uctmax_h:reuse=on", "ggp:reuse=on,rollout=0")
QUICK = ("tic_tac_toe", "pig", "known tree")


@cache
def games_for_two() -> dict[str, Any]:
    """The package's, and some of the tests'."""
    named = {name: load_game("pig:goal=20" if name == "pig" else name) for name in game_names()}
    made = {"tree": random_tree(3).game, "known tree": random_known(3).game, "auction": Auction()}
    return {name: game for name, game in (named | made).items() if game.players == 2}


def players_of(game: Any) -> Iterator[Player]:
    """Every player that searches, with its own settings and with others; some refuse the game, on both sides."""
    start = Position.start(game)
    for text in (*searches(), *VARIED):
        if text == "prove" and keeps_secrets(game):  # it finds out at the first choice made at once
            continue
        try:
            player = load_player(text, game)
        except AstragalError:
            with pytest.raises(AstragalError):
                load_player(text, exchanged(start).game)
            continue
        yield player


def small(player: Player) -> Limits:
    return Limits(sims=12) if "sims" in {field.name for field in fields(player)} else Limits(nodes=60)


def assert_same(player: Player, here: Position, seed: int, one: Any = None, other: Any = None) -> None:
    """What a player finds in a game is what it finds in the exchanged one.

    But for a chance node: there one against all others is player 1, in either game.
    """
    if here.is_chance and getattr(player, "backup", "") == "minimum":
        return
    found = from_one_side(player.search(here, seed, small(player), session=one))
    assert from_one_side(player.search(exchanged(here), seed, small(player), session=other), other=True) == found


def every_game(test: Any) -> Any:
    return pytest.mark.parametrize("name", slow_but(QUICK, list(games_for_two())))(test)


@pytest.mark.interpreted
@every_game
def test_every_player_finds_the_same_with_the_players_exchanged(name):
    game = games_for_two()[name]
    for number, player in enumerate(players_of(game)):
        assert_same(player, random_position(game, number, decision=number % 2 == 0), number)


@pytest.mark.interpreted
@every_game
def test_so_does_one_that_goes_on_with_its_tree_from_move_to_move(name):
    game = games_for_two()[name]
    for number, text in enumerate(SESSIONS):
        player = load_player(text, game)
        sessions = player.new_session(), player.new_session()
        decisions = [here for here in random_positions(game, number, 60) if here.turn >= 0]
        for here in decisions[-6:]:
            assert_same(player, here, number, *sessions)


@pytest.mark.parametrize("settings", ["backup=minimum", "solver=paranoid", "backup=minimum,solver=standard"])
def test_a_session_that_was_searched_for_one_player_answers_another_as_a_fresh_one(settings):
    """Where all others play against the searcher, what a tree holds is true of that player alone."""
    player = load_player(f"uct:rollout=0,reuse=on,{settings}")
    for seed in range(3):
        here, session = random_known(seed, draws=20), player.new_session()
        while not here.is_terminal:
            if here.turn >= 0:
                changed = session.root is not None and session.searcher != here.turn
                found = player.search(here, seed, Limits(sims=30), session=session)
                if changed:
                    fresh = player.search(here, seed, Limits(sims=30), session=player.new_session())
                    assert from_one_side(found) == from_one_side(fresh)
            here = here.follow(here.actions()[0] if here.turn >= 0 else here.outcomes()[0].number)


@pytest.mark.parametrize("settings", ["table=off", "table=values,chances=on"])
def test_paranoid_search_finds_the_same_with_what_a_game_knows_of_its_values_and_without(settings):
    """Ceilings are of player 0's values, those of a paranoid search are of the player at the root."""
    bounded, plain = (load_player(f"paranoid:{settings},prune_above=0,ceilings={on}") for on in ("on", "off"))
    for seed in range(10):
        here = random_known(seed)
        expected = plain.search(here, seed, Limits(depth=4)).value
        for each in (here, exchanged(here)):
            found = bounded.search(each, seed, Limits(depth=4)).value
            assert found == pytest.approx(-expected if here.is_chance and each is not here else expected, abs=1e-9)
