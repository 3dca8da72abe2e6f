"""Searches play the games that they played when the version of their family was last raised, move by move.

The default run has Python play a few games of each line, the slow run plays all of them compiled: both give the same.
"""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from astragal.base.errors import AstragalError
from astragal.players import load_player, player_classes
from astragal.players.player import Player
from support import golden
from support.golden import LINES, Block, Move, Stored, complaint, played, read_family, version_of

FEW = 2  # games of each line in the default run
ALL = [(family, *line) for family, lines in LINES.items() for line in lines]
NO_FAMILY = {"engine", "openspiel", "optimal"}  # other programs, and players that look up what was solved
IDLE = {"multiplayer": ["table", "memory", "ceilings"]}
"""max^n keeps best moves only to show the best line; no ceiling bounds a value where all play against one."""
NEEDLESS = {
    "time": "a limit on time is not repeatable",
    "keep": "what is handed out is tested to change nothing",
    "evaluation": "a game's, not the search's",
}


@pytest.fixture(scope="module", params=LINES)
def family(request):
    """Each family, written anew first if that was asked for."""
    if request.config.getoption("--store-golden"):
        golden.store(request.param)
    return request.param


def test_the_file_is_of_the_version_and_the_lines_of_now(family):
    stored = read_family(family)
    assert complaint(family, stored.version, version_of(family), None) is None
    missing = f"golden games of {family} were added or taken away: write them anew with `{golden.COMMAND}`"
    assert [(block.game, block.player) for block in stored.blocks] == LINES[family], missing
    assert {len(block.games) for block in stored.blocks} == {golden.GAMES}


def check(family: str, game: str, player: str, games: int) -> None:
    stored = read_family(family)
    block = stored.block(game, player)
    assert block is not None, f"{player} has no golden games in {game}: write them with `{golden.COMMAND}`"
    then = replace(block, games=block.games[:games])
    difference = then.difference(played(game, player, games))
    wrong = complaint(family, stored.version, version_of(family), difference)
    assert wrong is None, wrong


@pytest.mark.parametrize(("family_", "game", "player"), ALL)
def test_golden_games(family_, game, player):
    check(family_, game, player, FEW)


@pytest.mark.slow
@pytest.mark.parametrize(("family_", "game", "player"), ALL)
def test_golden_games_compiled(family_, game, player):
    check(family_, game, player, golden.GAMES)


def searching_players() -> dict[str, type[Player]]:
    return {name: cls for name, cls in player_classes().items() if cls.compiles or cls().versions()}


def test_every_player_that_searches_has_golden_games():
    named = {player.partition(":")[0] for _, _, player in ALL}
    assert set(searching_players()) - NO_FAMILY <= named
    for family_, _, player in ALL:
        assert family_ in load_player(player).versions()


@pytest.mark.parametrize("family_", LINES)
def test_every_setting_has_golden_games(family_):
    """Each setting of the players of a family is another one than its default in some line, here or elsewhere."""
    classes = {type(load_player(player)) for _, player in LINES[family_]}
    lines = [load_player(player) for _, _, player in ALL]
    of_all = {field.name for cls in classes for field in fields(cls)}
    varied = {
        field.name
        for line in lines
        for field in fields(line)
        if getattr(line, field.name) != getattr(type(line)(), field.name)
    }
    assert of_all - varied - set(NEEDLESS) == set()


def without(player: str, setting: str) -> str:
    """A player's text with one of its settings as it is by default."""
    name, _, text = player.partition(":")
    kept = [each for each in text.split(",") if each.partition("=")[0] != setting]
    return f"{name}:{','.join(kept)}" if kept else name


def matters(game: str, player: str, setting: str) -> bool:
    """Whether a setting changes some golden game."""
    with_it = played(game, player, 5)
    try:
        return with_it.difference(played(game, without(player, setting), 5)) is not None
    except AstragalError:  # another setting needs it
        return True


@pytest.mark.slow
@pytest.mark.interpreted
@pytest.mark.parametrize("family_", LINES)
def test_every_setting_changes_a_golden_game(family_):
    """Otherwise a fault in what it does would change none either."""
    settings = {}
    for game, player in LINES[family_]:
        for each in filter(None, player.partition(":")[2].split(",")):
            settings.setdefault(each.partition("=")[0], []).append((game, player))
    limits = {"sims", "nodes", "depth"}
    idle = [
        name
        for name, lines in settings.items()
        if name not in limits and not any(matters(*line, name) for line in lines)
    ]
    assert idle == IDLE.get(family_, [])


# The comparison itself

MOVE = Move(3, 0.25, 17, (4, 0))
BLOCK = Block("pig", "star2", ("decisions", "probes"), ((MOVE, MOVE), (MOVE,)))


def test_what_is_written_is_read_again():
    again = Stored.read(str(Stored(2, (BLOCK, replace(BLOCK, player="exp")))))
    assert again == Stored(2, (BLOCK, replace(BLOCK, player="exp")))
    assert Move.read(str(replace(MOVE, value=None))) == replace(MOVE, value=None)


@pytest.mark.parametrize(
    "move",
    [
        replace(MOVE, action=4),
        replace(MOVE, value=0.25 + 1e-8),
        replace(MOVE, value=None),
        replace(MOVE, nodes=18),
        replace(MOVE, counts=(4, 1)),
    ],
)
def test_every_difference_is_noticed(move):
    changed = replace(BLOCK, games=((MOVE, move), (MOVE,)))
    difference = BLOCK.difference(changed)
    assert difference is not None
    assert "pig, game 1, move 2" in difference
    words = complaint("star", 1, 1, difference)
    assert words is not None
    assert "raise VERSION in src/astragal/algorithms/star/search.py" in words
    assert golden.COMMAND in words


def test_a_move_more_or_less_is_a_difference():
    longer = replace(BLOCK, games=((MOVE, MOVE, MOVE), (MOVE,)))
    assert BLOCK.difference(longer)
    assert longer.difference(BLOCK)


def test_rounding_is_no_difference():
    near = replace(MOVE, value=0.25 * (1 + 1e-12))
    assert BLOCK.difference(replace(BLOCK, games=((MOVE, near), (MOVE,)))) is None


def test_a_new_count_is_no_difference():
    more = replace(BLOCK, names=("probes", "ends", "decisions"))
    moved = tuple(tuple(replace(move, counts=(0, 9, 4)) for move in moves) for moves in BLOCK.games)
    assert BLOCK.difference(replace(more, games=moved)) is None
    assert BLOCK.difference(replace(BLOCK, names=("probes", "decisions")))


def test_a_version_raised_without_new_games_is_noticed():
    words = complaint("star", 1, 2, None)
    assert words is not None
    assert "write them anew" in words
    assert complaint("star", 2, 2, None) is None


def test_changed_games_are_not_stored_without_a_new_version(monkeypatch, tmp_path):
    monkeypatch.setattr(golden, "FOLDER", tmp_path)
    monkeypatch.setattr(golden, "GAMES", 1)
    monkeypatch.setitem(LINES, "star", [("pig", "star2:depth=1")])
    golden.store("star")
    kept = golden.file_of("star")
    written = kept.read_text()
    golden.store("star")
    assert kept.read_text() == written
    block = read_family("star").blocks[0]
    moves = block.games[0]
    other = replace(block, games=((replace(moves[0], nodes=moves[0].nodes + 1), *moves[1:]),))
    kept.write_text(str(Stored(1, (other,))))
    with pytest.raises(AssertionError, match="raise VERSION"):
        golden.store("star")
    monkeypatch.setattr("astragal.algorithms.star.search.VERSION", 2)
    golden.store("star")
    assert kept.read_text() == written.replace("version 1", "version 2")
