"""`astragal web`: the page to play, to follow searches, and to read results."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from astragal.base.errors import AstragalError
from astragal.cli.options import with_records
from astragal.web.caps import Caps

DEFAULT_CAPS = Caps()


@with_records
def web(
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 for any that is free.")] = 8320,
    host: Annotated[
        str,
        typer.Option(
            "--host", help="The address to listen on. At any but loopback others can reach it, and need a token."
        ),
    ] = "127.0.0.1",
    caps: Annotated[Caps, "memory", "work_minutes", "work_jobs"] = DEFAULT_CAPS,
    db: Annotated[
        Path | None,
        typer.Option("--db", help="A results file to show (see astragal match).", show_default=False, dir_okay=False),
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option(
            "--report",
            help="A folder with a report to show (see astragal lab report).",
            show_default=False,
            file_okay=False,
        ),
    ] = None,
    models: Annotated[
        Path | None,
        typer.Option(
            "--models",
            help="A folder with models of astragal learn, to show their learning curves.",
            show_default=False,
            file_okay=False,
        ),
    ] = None,
    game: Annotated[
        list[str] | None,
        typer.Option("--game", help="A game of your own to list, file.py:Class; may be repeated.", show_default=False),
    ] = None,
    work: Annotated[
        bool | None,
        typer.Option(
            "--work/--no-work",
            help="The page may start matches and learning (by default on where only this machine is answered).",
            show_default=False,
        ),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
    token: Annotated[
        str | None,
        typer.Option("--token", help="The token that visitors need; by default a new one.", show_default=False),
    ] = None,
) -> None:
    """Serve the web page on this machine: play, look inside searches, see their trees, read results.

    Ctrl-C ends it, and all searches with it.
    """
    try:
        from astragal.web.server import listen, open_browser, serve
    except ModuleNotFoundError as error:
        raise AstragalError(f"the web page needs more packages ({error.name}): pip install 'astragal[web]'") from None
    from astragal.web.safety import is_loopback
    from astragal.web.state import make_state

    state = make_state(game or (), db, report, caps, models, is_loopback(host) if work is None else work)
    address = listen(host, port, token)

    def ready() -> None:
        print(f"Astragal's page is at {address.url} (Ctrl-C ends it)", flush=True)
        if address.token is not None:
            what = "search and start work" if state.work is not None else "search"
            print(f"Others open {address.url_for_others}: with this address, anyone can {what} on this machine.")
        if db is not None and not db.exists():
            print(f"There is no results file {db} yet; its results are shown as soon as it is there.", flush=True)
        if browser:
            open_browser(address.url)

    serve(state, address, ready)
