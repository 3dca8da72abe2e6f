"""Orders of work from requests: each field is checked, and its record is written into the command."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest
from astragal.arena.making import place_for
from astragal.arena.meeting import meeting_seed
from astragal.arena.statistics.solo import NO_TEST
from astragal.arena.statistics.sprt import Sprt
from astragal.arena.tournament import entrants
from astragal.base.errors import SpecError
from astragal.base.parameters import build, describe, spell, split_settings
from astragal.games import game_spec
from astragal.learn.beginning import LearnSettings
from astragal.players import load_player
from astragal.web.requests import Conflict, NewContest, NewLearning, NewMatch, NewStrength, NewTournament
from astragal.web.work.queue import Order

if TYPE_CHECKING:
    from astragal.web.state import ServerState


def match_order(state: ServerState, wanted: NewMatch) -> Order:
    """`astragal match` with these words."""
    game, players, limits, words = contest_words(state, wanted)
    contest = Contest.of(game_spec(game), players, limits, wanted.seed)
    sprt = None
    if wanted.sprt is not None:
        if not contest.is_duel:
            raise SpecError(NO_TEST if contest.is_solo else "a sequential test compares two players")
        sprt = Sprt(*wanted.sprt)
        words += ["--sprt", f"{sprt.elo0:g}:{sprt.elo1:g}"]
    test = None if sprt is None else (sprt.elo0, sprt.elo1)
    title = f"{titled(state, wanted)}: {' – '.join(players)}"
    return Order("match", title, ("match", *words), (contest.key,), wanted.games, test)


def tournament_order(state: ServerState, wanted: NewTournament) -> Order:
    """`astragal tournament` with these words."""
    game, players, limits, words = contest_words(state, wanted)
    spec, named = game_spec(game), entrants(game, players)
    met = list(combinations(named, 2)) if wanted.format == "round-robin" else [(named[0], each) for each in named[1:]]
    contests = [meeting(spec, pair, limits, wanted.seed) for pair in met]
    if contests[0].seats == 1:
        contests = [meeting(spec, (each,), limits, wanted.seed) for each in named]
    title = f"{titled(state, wanted)}: {wanted.format} of {len(players)} players"
    command = ("tournament", *words, "--format", wanted.format)
    keys = tuple(contest.key for contest in contests)
    return Order("tournament", title, command, keys, wanted.games * len(met))


def meeting(spec: str, pair: tuple[str, ...], limits: Limits, seed: int) -> Contest:
    """The contest in which a tournament keeps a meeting."""
    contest = Contest.of(spec, pair, limits, seed)
    return replace(contest, seed=meeting_seed(seed, "", *(contest.kinds if contest.seats > 1 else ())))


def contest_words(state: ServerState, wanted: NewContest) -> tuple[Any, list[str], Limits, list[str]]:
    """The game, the players, the limits, and the words of the command for them."""
    if state.results is None:
        raise Conflict("games need a results file; start astragal web with --db results.db")
    if wanted.games > state.caps.work_games:
        raise SpecError(f"a piece of work has at most {state.caps.work_games:,} games here, not {wanted.games:,}")
    game, _ = state.catalogue.load(wanted.game)
    players = [player_text(state, text, game) for text in wanted.players]
    limits = Limits(wanted.time, wanted.nodes, wanted.depth, wanted.sims)
    if limits.time is not None and limits.time > state.caps.seconds:
        raise SpecError(f"a move has at most {state.caps.seconds:g} seconds here, not {limits.time:g}")
    words = [game_spec(game), *players, "--games", str(wanted.games)]
    for name in ("time", "nodes", "depth", "sims"):
        if (value := getattr(limits, name)) is not None:
            words += [f"--{name}", spell(value)]
    words += ["--seed", str(wanted.seed)] if wanted.seed else []
    words += ["--jobs", str(state.caps.work_jobs), "--db", str(state.results)]
    return game, players, limits, words


def player_text(state: ServerState, text: str, game: Any) -> str:
    """A player as the command gets it. What it may not be is refused before it meets the game, which would start it."""
    state.caps.refuse_for_work(load_player(text), state.models)
    player = load_player(text, game)
    state.caps.refuse_for_work(player, state.models)
    return player.text_for(game)


def learn_order(state: ServerState, wanted: NewLearning) -> Order:
    """`astragal learn` with these words."""
    if state.models is None:
        raise Conflict("learning needs a folder for models; start astragal web with --models .")
    game, _ = state.catalogue.load(wanted.game)
    settings = build(LearnSettings, split_settings(wanted.settings, "settings"), "settings")
    if settings.jobs > state.caps.work_jobs:
        raise SpecError(f"settings: jobs is at most {state.caps.work_jobs} here, not {settings.jobs}")
    spec, file = game_spec(game), model_file(state.models, wanted.name)
    words = ["learn", spec, "--out", str(file), "--minutes", spell(wanted.minutes)]
    if changed := describe(settings):
        words += ["--settings", changed]
    return Order("learn", f"{titled(state, wanted)}: {wanted.name}", tuple(words), model=wanted.name)


def strong_order(state: ServerState, wanted: NewStrength) -> Order:
    """`astragal best --make` of a game that the command line of the server gave."""
    game, _ = state.catalogue.load(wanted.game)
    place_for(game)
    spec = game_spec(game)
    words = ["--make", "--minutes", spell(wanted.minutes), "--games", str(wanted.games)]
    return Order("strong", titled(state, wanted), ("best", spec, *words, "--jobs", str(state.caps.work_jobs)))


def titled(state: ServerState, wanted: NewContest | NewLearning | NewStrength) -> str:
    """What the page calls a game, without the path of a file."""
    return state.catalogue.load(wanted.game)[1]


def model_file(folder: Path, name: str) -> Path:
    return folder / f"{name}.npz"
