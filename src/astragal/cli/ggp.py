"""`astragal ggp play` and `astragal ggp match`: the protocol of general game playing."""

from __future__ import annotations

import os
import secrets
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.base.errors import AstragalError, Stopped
from astragal.cli.options import MOST, MOST_SECONDS, Json, PlayerText, Seed, a_number, check_writable, print_json

if TYPE_CHECKING:
    from astragal.adapters.ggp.manager import MatchRecord

PORT = 9147
LONGEST_CLOCK = 100_000.0  # seconds


def clock(name: str, about: str) -> Any:
    return typer.Option(name, min=0.0, max=LONGEST_CLOCK, callback=a_number, help=about)


def ggp(
    player: PlayerText = "uct",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Where to listen; 0 for any free port.")] = PORT,
    host: Annotated[str, typer.Option("--host", help="Who can reach the player: 0.0.0.0 for all.")] = "127.0.0.1",
    margin: Annotated[
        float,
        typer.Option(
            "--margin",
            min=0.0,
            max=MOST_SECONDS,
            callback=a_number,
            help="Seconds of every clock to leave unused, for the network.",
        ),
    ] = 1.0,
    seed: Annotated[
        int | None, typer.Option("--seed", help="The seed of everything random; a new one if not given.")
    ] = None,
) -> None:
    """Play any game that a game manager sends: a player for the GGP protocol (INFO, START, PREVIEW, PLAY, STOP, ABORT).

    It plays one match at a time, until Ctrl-C. If the player cannot play the game, or the start clock is too short, it
    makes random legal moves and prints a line about it.
    """
    from astragal.adapters.ggp.gamer import Gamer
    from astragal.adapters.ggp.transport import MessageServer

    gamer = Gamer(player, margin, say, secrets.randbits(64) if seed is None else seed)
    with MessageServer(host, port, gamer.answer, say) as server:
        say(f"{player} listens at http://{host}:{server.port}; Ctrl-C ends it")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            say("stopped")
            leave()


def leave() -> None:
    """End the program at once if a thread still compiles or searches: unloading its libraries would crash it."""
    sys.stdout.flush()
    if threading.active_count() > 1:
        os._exit(0)


def say(sentence: str) -> None:
    print(f"{time.strftime('%H:%M:%S')}  {sentence}\n", end="", flush=True)  # one write: threads write lines, too


def ggp_match(
    sheet: Annotated[
        str, typer.Argument(help="A rule sheet in GDL, a .kif file or a built-in one's name.", show_default=False)
    ],
    players: Annotated[
        list[str],
        typer.Argument(
            help="Where players listen, such as http://localhost:9147, in the order of the sheet's roles; or random.",
            show_default=False,
        ),
    ],
    start_clock: Annotated[float, clock("--start-clock", "Seconds to get ready.")] = 20.0,
    play_clock: Annotated[float, clock("--play-clock", "Seconds for a move.")] = 5.0,
    rounds: Annotated[int, typer.Option("--rounds", min=1, max=MOST, help="Stop after this many rounds.")] = 10_000,
    seed: Seed = 0,
    out: Annotated[
        Path | None,
        typer.Option("--out", help="Where to write the record; by default a file named after the match."),
    ] = None,
    json: Json = False,
) -> None:
    """Manage a match between players that speak the GGP protocol, and write its record.

    Players that are late or answer with an illegal move get a random one, and the record has it.
    The role `random` is played here. Ctrl-C sends the players an ABORT. If a player was never
    reached, the command ends with exit code 2.
    """
    from astragal.adapters.ggp.manager import Manager, seated
    from astragal.games import find_sheet
    from astragal.gdl.reading.reader import load_sheet

    rules = load_sheet(find_sheet(sheet))
    for warning in rules.warnings:
        print(f"astragal: warning: {warning}", file=sys.stderr)
    manager = Manager(rules, seated(rules, players), start_clock, play_clock, seed, rounds)
    record = manager.record
    path = out or Path(f"{record.match}.json")
    check_writable(path)
    if not json:
        manager.listen = show_round
    try:
        manager.run()
    except KeyboardInterrupt:
        raise Stopped(f"the match was broken off; what was played is in {path}") from None
    finally:
        record.write(path)
    if json:
        print_json(record.as_dict())
    else:
        print_result(record)
        print(f"the record is in {path}")
    if unreached := record.unreached():
        who = ", ".join(f"{role} ({record.players[role]})" for role in unreached)
        raise AstragalError(f"never reached: {who}; all their moves were random")


def show_round(record: MatchRecord) -> None:
    moves = "  ".join(f"{role} {move}" for role, move in record.moves[-1].items())
    print(f"{len(record.moves):4}  {moves}", flush=True)


def print_result(record: MatchRecord) -> None:
    why = f": {record.why}" if record.why else ""
    print(f"{record.game}: {record.ending}{why}, {len(record.moves)} rounds")
    rows = [("role", "player", "goal", "faults")]
    for role in record.roles:
        worth = record.goals.get(role)
        faults = ", ".join(f"{count} {kind}" for kind, count in sorted(record.count(role).items()))
        rows.append((role, record.players[role], "-" if worth is None else str(worth), faults or "none"))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    for role, player, goal, faults in rows:
        print(f"  {role:<{widths[0]}}  {player:<{widths[1]}}  {goal:>{widths[2]}}  {faults}")
    for fault in record.faults[:5]:
        print(f"  round {fault.round}, {fault.role}: {fault.sentence}")
