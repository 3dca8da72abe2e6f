"""The options that commands for contests share, and how they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.base.errors import SpecError

if TYPE_CHECKING:
    from astragal.arena.meeting import AnyMeeting
    from astragal.arena.playing import Playing
    from astragal.arena.store.results_store import Tally

SprtText = Annotated[
    str | None,
    typer.Option("--sprt", metavar="ELO0:ELO1", help="Stop when a sequential test has decided, such as 0:20."),
]


def parse_sprt(text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        low, high = map(float, text.split(":"))
    except ValueError:
        raise SpecError(f"--sprt takes two Elo differences, such as 0:20, not '{text}'") from None
    return low, high


def pessimism_among(game: str, players: Sequence[str]) -> str | None:
    """A note about players who search as if they moved in turn in a game where all choose at once."""
    from astragal.games import load_game
    from astragal.players import load_player
    from astragal.rules.position import Position

    rules = load_game(game)
    named = [player for player in players if load_player(player, rules).pessimistic]
    if not named or not Position.start(rules).settled(0).at_once:
        return None
    search = "searches" if len(named) == 1 else "search"
    return (
        f"players choose at once in {game}, and {', '.join(named)} {search} as if the others saw their choice; "
        "simultaneous=decoupled (uct, mcts, dpw) looks for mixed strategies, final=mixed plays them"
    )


def saying_where(play: Playing) -> Playing:
    """The same, but it says where games are kept before the first is played."""
    kept = "games are not kept" if play.file is None else f"games are kept in {play.file} (--db none keeps nothing)"
    return replace(play, before=partial(print, kept, flush=True))


def print_tally(tally: Tally) -> None:
    """The last line: how many games were played, and how many the results file had."""
    more = "" if tally.file is None else f" (astragal results list --db {tally.file})"
    print(f"{tally}{more}")


def print_part(play: Playing) -> None:
    """What to do next with one part of a contest."""
    if play.shard is not None:
        print(
            f"these games are part {play.shard}; astragal results merge PART.db ... --db all.db puts parts together, "
            "and the same command with --db all.db and without --shard prints the result"
        )


def tally_facts(tally: Tally) -> dict[str, Any]:
    """The result as JSON."""
    return {"file": tally.file and str(tally.file), "new_games": tally.new, "found_games": tally.found}


def print_note(note: str | None) -> None:
    if note:
        print(f"note: {note}")


def meeting_printer(game: str) -> Callable[[AnyMeeting], None]:
    """A function that prints a line about each meeting of players of a game."""
    from astragal.arena.tables import meeting_text
    from astragal.games import load_game
    from astragal.players import load_player

    def print_meeting(meeting: AnyMeeting) -> None:
        print(meeting_text(meeting, lambda player: load_player(player).text_for(load_game(game))), flush=True)

    return print_meeting
