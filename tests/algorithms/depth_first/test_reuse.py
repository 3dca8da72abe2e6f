"""`reuse=on`: a table that is kept from move to move changes no value, and saves nodes."""

from __future__ import annotations

import pytest

from astragal import AstragalError, Limits, load_game, load_player, start
from astragal.algorithms.depth_first.session import TableSession
from astragal.base.errors import SpecError
from astragal.rules.dice import Dice

PLAYERS = {
    "star": ("pig:goal=20,dice=1", "star:depth=3"),
    "star2": ("ewn", "star2:table=values,depth=2"),
    "sampled": ("pig", "star2ss:width=3,depth=2"),
    "alphabeta": ("kalah:pits=3,stones=2", "alphabeta:depth=5"),
    "order": ("tic_tac_toe", "alphabeta:depth=4,order=evaluated,killers=on"),
    "paranoid": ("focus:players=3", "paranoid:table=values,depth=1"),
}


def games(name, player, moves):
    """Positions of a game in which players move at random, as a search with the player's settings meets them."""
    game, dice = load_game(name), Dice(5)
    here = start(game, 5)
    for _ in range(200):
        if here.is_terminal or moves == 0:
            return
        if here.is_chance:
            here = here.settled(dice.below(1000))
            continue
        yield here
        moves -= 1
        here = here.play(here.actions()[dice.below(len(here.actions()))])


@pytest.mark.parametrize(("game", "player"), PLAYERS.values(), ids=PLAYERS)
def test_what_is_found_with_the_table_of_the_moves_before_is_what_is_found_without(game, player):
    usual, reusing = (load_player(f"{player},reuse={word}", load_game(game)) for word in ("off", "on"))
    session = reusing.new_session()
    assert usual.new_session() is None
    for here in games(game, player, 4):
        alone, again = usual.search(here, seed=3), reusing.search(here, seed=3, session=session)
        assert again.value == pytest.approx(alone.value, abs=1e-9)
        assert (again.depth, again.bound, again.complete) == (alone.depth, alone.bound, alone.complete)
        known = {each.action: each.value for each in alone.actions if each.bound == "exact"}
        assert all(
            each.value == pytest.approx(known[each.action], abs=1e-9)
            for each in again.actions
            if each.bound == "exact" and each.action in known
        )


@pytest.mark.parametrize("key", ["star", "alphabeta"])
def test_the_same_position_costs_less_the_second_time_and_without_a_session_the_same(key):
    game, text = PLAYERS[key]
    player = load_player(f"{text},reuse=on", load_game(game))
    here, session = next(games(game, text, 1)), player.new_session()
    first, second = (player.search(here, session=session) for _ in range(2))
    assert second.nodes < first.nodes
    assert player.search(here).nodes == player.search(here).nodes == first.nodes


def test_a_table_is_of_one_game_and_settings():
    game, text = PLAYERS["alphabeta"]
    session, here = TableSession(), next(games(game, text, 1))
    player, other = (load_player(f"{text},pvs={word},reuse=on", load_game(game)) for word in ("on", "off"))
    fresh = other.search(here).nodes
    player.search(here, session=session)
    assert other.search(here, session=session).nodes == fresh
    larger = start("kalah:pits=3,stones=3")
    assert player.search(larger, session=session).nodes == player.search(larger).nodes


def test_a_session_is_not_lent_twice_and_a_search_that_failed_gives_it_back():
    game, text = PLAYERS["alphabeta"]
    player, here = load_player(f"{text},reuse=on", load_game(game)), next(games(game, text, 1))
    session = player.new_session()
    session._lent.acquire()
    with pytest.raises(AstragalError, match="being searched by another thread"):
        player.search(here, session=session)
    session._lent.release()
    player.search(here, session=session, limits=Limits(nodes=1))
    player.search(here, session=session)


def test_reuse_needs_a_table():
    with pytest.raises(SpecError, match="table=off leaves nothing for reuse=on to keep"):
        load_player("star2:table=off,reuse=on")
