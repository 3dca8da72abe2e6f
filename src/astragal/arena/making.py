"""A game of the user's made strong: it is checked, learned for a while, and gets a ladder of five measured rungs."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from astragal.arena.api import tournament
from astragal.arena.meeting import AnyMeeting
from astragal.base.errors import AstragalError, SpecError, Stopped
from astragal.base.folders import new_file
from astragal.games import built_in_name, game_spec
from astragal.learn.beginning import LearnSettings
from astragal.learn.curves import checkpoint_of, last_change
from astragal.learn.matches import Score
from astragal.learn.model import FILE as MODEL
from astragal.learn.model import Model, write_model
from astragal.learn.training import Training
from astragal.players.ladders import OWN_FILE, Ladder, Rung, fits
from astragal.rules.checks import check_game
from astragal.rules.folder_files import place_beside
from astragal.rules.user_files import LoadedFile, place_of_module, user_file

RUNGS = 5
SEARCHERS = ("alphabeta", "star", "maxn")  # the first that fits searches with what was learned
NODES, SIMS = 20_000, 1000  # of the strongest, so that it is as strong on every machine
TEMPERATURES = (0.3, 0.1, 0.03, 0.01)  # of players that err
CHECKED_GAMES = 10
FINAL_GAMES = 2000  # that show what was learned
DATA = "ladder.db"

Say = Callable[[str], None]


def make_strong(
    game: Any,
    minutes: float,
    games: int,
    jobs: int | None,
    say: Say,
    tell: Callable[[AnyMeeting], None] | None = None,
    lesson: LearnSettings | None = None,
) -> Ladder:
    """Check a game, learn it, and rate players of all strengths; levels, hints and `best` use the result from then on.

    What was learned and played is kept beside the game's file, so that the same call goes on after Ctrl-C."""
    file = place_for(game)
    check(game, say)
    model = learn(game, minutes, lesson or LearnSettings(), say)
    players = candidates(game)
    say(f"{len(players)} players meet, {games} games each two")
    found = rate(game, players, games, jobs, zlib.crc32(model.weights.tobytes()), tell)
    ladder = Ladder(game_spec(game), rungs_among(found), games, command_for(game, players, games))
    keep(ladder, file, place_of(game, OWN_FILE))
    for name in (DATA, f"{DATA}.lock"):
        place_of(game, name).unlink(missing_ok=True)
    return ladder


def place_for(game: Any) -> LoadedFile:
    """The file or folder of the user that a game is from, or a sentence why it can have no ladder."""
    file = user_file(type(game))
    if file is None:
        name = built_in_name(type(game))
        why = f"{name} comes with Astragal" if name else f"{game_spec(game)} is no Python file"
        raise SpecError(f"--make is for your own game, file.py:Class or its folder; {why}")
    if game.players == 1:
        raise SpecError("a game for one player has no opponents, so there is no ladder to make")
    return file


def place_of(game: Any, name: str) -> Path:
    path = place_beside(type(game), name)
    assert path is not None
    return path


def check(game: Any, say: Say) -> None:
    for result in check_game(game, CHECKED_GAMES, 0):
        if not result.passed:
            raise AstragalError(f"{game_spec(game)} fails: {result.name}: {result.detail}")
    say("the game passes its checks (astragal check has more)")


def learn(game: Any, minutes: float, lesson: LearnSettings, say: Say) -> Model:
    """Learn for this much processor time in all; a checkpoint from before the last change of the rules is not used."""
    path = place_of(game, MODEL)
    checkpoint = checkpoint_of(path)
    training = Training(game, lesson)
    if checkpoint.exists() and last_change(checkpoint) > changed_at(game):
        training.resume(checkpoint)
    say(f"learning for {minutes:g} minute{'' if minutes == 1 else 's'} of the processor")
    try:
        model = training.run(lambda latest: None, checkpoint, 60 * minutes)
    except KeyboardInterrupt:
        raise Stopped("stopped while learning; the same command goes on from there") from None
    if training.round == 0:
        raise SpecError(f"nothing was learned: --minutes {minutes:g} leaves no time for a round")
    strength: dict[str, Score] = training.strength(model, FINAL_GAMES)
    model = model.with_notes(strength={name: asdict(score) for name, score in strength.items()})
    write_model(model, path)
    for name, score in strength.items():
        say(f"what was learned, one move deep, scores {score} of {score.games:,} games against {name}")
    return model


def changed_at(game: Any) -> float:
    place = place_of_module(type(game).__module__)
    return max(map(last_change, sorted(place.parent.glob("*.py")) if place.name == "__init__.py" else [place]))


def candidates(game: Any) -> list[str]:
    """Players of all strengths, the same on every machine."""
    erring = [f"softmax:temperature={each:g},evaluation=learned" for each in TEMPERATURES]
    searching = [f"{name}:nodes={NODES},evaluation=learned" for name in SEARCHERS]
    learned = [text for text in searching if fits(text, game)][:1]
    return [text for text in ("random", *erring, f"uct:sims={SIMS}", *learned) if fits(text, game)]


def rate(
    game: Any, players: list[str], games: int, jobs: int | None, seed: int, tell: Callable[[AnyMeeting], None] | None
) -> list[Rung]:
    """The players with their ratings above the first one, from the weakest up."""
    db = place_of(game, DATA)
    played = tournament(game_spec(game), players, games, seed=seed, jobs=jobs, db=db, tell=tell)
    if not played.complete:
        raise Stopped("stopped while players met; the same command goes on from there")
    rated = list(zip(players, played.ratings.players, strict=True))
    zero = rated[0][1].elo
    rungs = [Rung(player, round(one.elo - zero, 1), round((one.high - one.low) / 2, 1)) for player, one in rated]
    return sorted(rungs, key=lambda rung: rung.elo)


def rungs_among(rated: list[Rung]) -> tuple[Rung, ...]:
    """Random moves, the strongest, and between them those that are nearest to even steps."""
    low = next(rung for rung in rated if rung.player == "random")
    above = [rung for rung in rated if rung.elo > low.elo]
    if not above:
        return (low,)
    top, chosen = above[-1], [low]
    for step in range(1, RUNGS - 1):
        left = [rung for rung in above[:-1] if rung not in chosen]
        wanted = low.elo + (top.elo - low.elo) * step / (RUNGS - 1)
        chosen += sorted(left, key=lambda rung: abs(rung.elo - wanted))[:1]
    return (*sorted(chosen, key=lambda rung: rung.elo), top)


def command_for(game: Any, players: list[str], games: int) -> str:
    return f"astragal tournament {game_spec(game)} {' '.join(players)} --games {games}"


def keep(ladder: Ladder, file: LoadedFile, path: Path) -> None:
    """Write a ladder beside its game, with the hash of the rules that it is for."""
    rungs = [[rung.player, rung.elo, rung.error] for rung in ladder.rungs]
    facts = {"game": ladder.game, "source": file.source, "games": ladder.games, "command": ladder.command}
    with new_file(path, "w") as out:
        json.dump(facts | {"rungs": rungs}, out, indent=1)
