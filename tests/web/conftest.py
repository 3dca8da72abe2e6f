"""The page in a real browser: one server, one Chromium and the ways to ask them, for all files here."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest
from support.arenas import play
from support.helpers import TESTS
from support.pages import PATIENCE

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
ARGUMENTS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
REPORT = TESTS.parent / "docs" / "results"


@pytest.fixture(scope="session")
def store(tmp_path_factory) -> Path:
    """A tournament's worth of Pig, and games of tic-tac-toe by a player that reports its search."""
    file = tmp_path_factory.mktemp("web") / "results.db"
    for contest, games in (
        (Contest.of("pig:goal=10", ["hold:n=5", "random"], seed=1), 20),
        (Contest.of("pig:goal=10", ["hold:n=7", "random"], seed=2), 20),
        (Contest.of("tic_tac_toe", ["mm:depth=2", "random"], Limits(nodes=300)), 6),
    ):
        play(contest, games, file)
    return file


@pytest.fixture(scope="session")
def models(tmp_path_factory) -> Path:
    """A folder in which nothing has been learned yet."""
    return tmp_path_factory.mktemp("models")


@pytest.fixture(scope="session")
def server(store, models) -> Iterator[str]:
    """The address of a running `astragal web`."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        sys.executable,
        "-m",
        "astragal",
        "web",
        "--port",
        port,
        "--db",
        store,
        "--report",
        REPORT,
        "--models",
        models,
        "--no-browser",
    ]
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for_answer(process, f"{address}/api/about")
        yield address
    finally:
        process.terminate()
        process.wait(20)


def wait_for_answer(process: subprocess.Popen[bytes], address: str) -> None:
    for _ in range(300):
        if process.poll() is not None:
            raise AssertionError(process.stdout.read().decode() if process.stdout else "it ended")
        try:
            with urllib.request.urlopen(address, timeout=2):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise AssertionError("the server does not answer")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    pytest.importorskip("fastapi", reason="the web page is not installed (pip install astragal[web])")
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if CHROMIUM is None:
        pytest.skip("there is no Chromium")
    playwright.expect.set_options(timeout=PATIENCE)
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture
def visit(browser, server) -> Iterator[Callable[..., Any]]:
    """Open the page at a place; what goes wrong in its scripts fails the test."""
    contexts, problems = [], []

    def visit(place: str = "", waiting: bool = False, **settings: Any) -> Any:
        context = browser.new_context(
            **{"reduced_motion": "reduce", "viewport": {"width": 1200, "height": 900}} | settings
        )
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        if not waiting:  # dice roll by themselves, and there is nothing to read
            context.add_init_script(
                "localStorage.setItem('astragal-roll', 'auto'); localStorage.setItem('astragal-speed', 'instant')"
            )
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.append(said.text) if "Content Security Policy" in said.text else None)
        page.goto(f"{server}/{place}")
        return page

    yield visit
    for context in contexts:
        context.close()
    assert not problems
