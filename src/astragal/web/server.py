"""Serving: a socket that is ours before anything begins, the address to open, and an end on Ctrl-C."""

from __future__ import annotations

import errno
import os
import secrets
import socket
import string
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType

import uvicorn

from astragal.algorithms.search import kernel_room
from astragal.base.errors import LONGEST_SENTENCE, AstragalError, SpecError
from astragal.web.app import guarded
from astragal.web.catalogue import card
from astragal.web.safety import ImpatientConnection, is_loopback, own_names
from astragal.web.state import ServerState

LEAST_TOKEN = 8  # characters
TOKEN_LETTERS = set(string.ascii_letters + string.digits + "-_")


@dataclass(frozen=True)
class Address:
    """Where a server listens, and what it asks for."""

    socket: socket.socket
    host: str
    token: str | None

    @property
    def port(self) -> int:
        return int(self.socket.getsockname()[1])

    @property
    def url(self) -> str:
        """What to open in a browser here."""
        return self.url_for({"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host))

    @property
    def url_for_others(self) -> str:
        return self.url_for(socket.gethostname() if self.host in ("0.0.0.0", "::") else self.host)

    def url_for(self, host: str) -> str:
        named = f"[{host}]" if ":" in host else host
        return f"http://{named}:{self.port}/" + (f"?token={self.token}" if self.token else "")


def listen(host: str, port: int, token: str | None = None) -> Address:
    """A socket on this address, with a token where others can reach it; or a sentence why there is none."""
    if token is not None and (len(token) < LEAST_TOKEN or set(token) - TOKEN_LETTERS):
        raise SpecError(f"a token has {LEAST_TOKEN} or more letters, digits, - or _")
    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(16)
    try:
        family, kind, protocol, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        made = socket.socket(family, kind, protocol)
        if os.name == "posix":  # elsewhere it would share the port with another program
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            made.bind(place)
            made.listen(128)
        except OSError:
            made.close()
            raise
    except OSError as error:
        reason = (
            "the port is in use; choose another with --port"
            if error.errno == errno.EADDRINUSE
            else error.strerror or str(error)
        )
        raise AstragalError(f"cannot listen on {host}, port {port}: {reason}") from None
    except UnicodeError:
        raise SpecError(f"'{host[:LONGEST_SENTENCE]}' is not the name of a host") from None
    return Address(made, host, token)


class Server(uvicorn.Server):
    """Uvicorn's server, which ends searches and streams as soon as it is stopped."""

    def __init__(self, config: uvicorn.Config, state: ServerState) -> None:
        super().__init__(config)
        self.shared = state

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.shared.close()
        super().handle_exit(sig, frame)


def make_server(state: ServerState, address: Address) -> Server:
    app = guarded(state, own_names(address.host, address.port), address.token)
    config = uvicorn.Config(
        app,
        http=ImpatientConnection,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=3,
        timeout_keep_alive=30,
        ws="none",
        proxy_headers=False,
    )
    return Server(config, state)


def serve(state: ServerState, address: Address, when_ready: Callable[[], None]) -> None:
    """Serve until Ctrl-C."""
    kernel_room.most, kernel_room.megabytes = state.caps.kernels, state.caps.memory
    kernel_room.free = state.free_memory
    server = make_server(state, address)
    threading.Thread(target=prepare_cards, args=(state,), daemon=True).start()
    timer = threading.Thread(target=call_when_started, args=(server, when_ready), daemon=True)
    timer.start()
    with suppress(KeyboardInterrupt):  # the usual end
        server.run(sockets=[address.socket])


def prepare_cards(state: ServerState) -> None:
    """Have the first view ready before the first request."""
    with suppress(Exception):  # the request reports it
        for entry in list(state.catalogue.entries.values()):
            card(entry)


def call_when_started(server: Server, when_ready: Callable[[], None]) -> None:
    pause = threading.Event()
    while not server.started and not server.should_exit:
        pause.wait(0.02)
    if server.started:
        when_ready()


def open_browser(url: str) -> None:
    with suppress(webbrowser.Error):
        webbrowser.open(url)
