"""`astragal engine`: what each line is answered, the transcript of the documentation, stopping, and how it ends."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from astragal import __version__
from astragal.adapters.engine import COMMANDS, EngineServer
from support.helpers import run_apart

PAGE = Path(__file__).parents[2] / "docs" / "engine-protocol.md"


class Engine:
    """An engine in this process, and what it said."""

    def __init__(self, player: str = "random", game: str | None = None) -> None:
        self.said: list[str] = []
        self.server = EngineServer(player, "0", self.said.append, game)

    def ask(self, line: str) -> list[str]:
        del self.said[:]
        self.server.answer(line)
        self.server.wait()
        return self.said.copy()


def timeless(text: str) -> str:
    return re.sub(r"time [\d.]+", "time T", text)


def test_the_transcript_of_the_documentation_is_what_it_says():
    found = re.search(r"<!-- transcript -->\n```text\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert found
    written = found[1].replace("astragal 0.1.0", f"astragal {__version__}")
    said: list[str] = []
    server = EngineServer("star2", __version__, said.append)
    sent = [line[2:] for line in written.splitlines() if line.startswith("> ")]
    assert len(sent) > 10
    for line in sent:
        said.append(f"> {line}")
        assert server.answer(line) == (line != "quit")
        server.wait()
    assert timeless("\n".join(said) + "\n") == timeless(written)


def test_the_page_tells_of_every_command():
    page = PAGE.read_text(encoding="utf-8")
    assert [command for command in COMMANDS if f"`{command}" not in page and command != "help"] == []


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("hello 2", "version 2 of the protocol"),
        ("gme", "there is no command 'gme' (see help); did you mean 'game'?"),
        ("game nothing", "there is no game 'nothing'"),
        ("game", "game needs the text"),
        ("player missing_player", "there is no player 'missing_player'"),
        ("player engine:true", "an engine cannot start another engine"),
        ("position 1 2", "is not a position of Pig"),
        ("position start steps 13", "'13' is not an outcome"),
        ("go time", "go time needs a number"),
        ("go time nan", "go time needs a number"),
        ("go time -1", "time must be more than 0"),
        ("go dept 3", "did you mean 'depth'"),
        ("go actions hold", "the actions sent are not those"),
        ("go nodes 99999999999999999999999", "at most"),
    ],
)
def test_what_cannot_be_done_is_one_error_and_the_engine_goes_on(line, sentence):
    engine = Engine(game="pig")
    assert engine.ask("position start steps 8")[0].startswith("ok position 1 ")
    [error] = engine.ask(line)
    assert error.startswith("error ")
    assert sentence in error
    assert engine.ask("ready") == ["ok ready"]


def test_what_must_be_said_first_is_asked_for():
    engine = Engine()
    assert "which game" in engine.ask("position start")[0]
    engine.ask("game pig")
    assert "where the game is" in engine.ask("go")[0]
    engine.ask("position start")
    assert engine.ask("go") == ["error chance moves next: position ... steps NAME"]
    assert engine.ask("# a comment") == engine.ask("") == []


def test_names_with_spaces_are_one_word_both_ways():
    engine = Engine(game="tic_tac_toe.kif")
    engine.ask("position start")
    [legal] = engine.ask("legal")
    assert "mark_1_1" in legal.split()
    assert engine.ask("position start steps mark_1_1")[0].startswith("ok position 2 (cell 1 1 x)")
    assert engine.ask("go seed 3")[-1].split()[1] in engine.ask("legal")[0].split()


def test_a_search_is_stopped_and_answers():
    engine = Engine("uct", game="pig")
    engine.ask("position start steps 8")
    engine.server.answer("go infinite")
    engine.server.answer("ready")
    assert engine.said[-1] == "ok ready" or "ok ready" in engine.said
    engine.server.answer("position start")
    assert any("a search is under way" in line for line in engine.said)
    time.sleep(0.05)
    engine.server.answer("stop")
    engine.server.wait()
    assert engine.said[-1] in ("best roll", "best hold")
    assert not engine.server.is_searching


def test_the_command_answers_a_pipe_to_its_end():
    ran = run_apart(
        "engine", "--player", "random", typed="game pig\nposition start steps 8\ngo seed 1\nquit\nnever read\n"
    )
    assert ran.code == 0
    assert ran.err == ""
    lines = ran.out.splitlines()
    assert lines[0] == "ok game pig"
    assert [line for line in lines if line.startswith("best ")] == lines[-1:]
    assert len(lines) == 4


def test_an_endless_search_ends_with_standard_input():
    ran = run_apart("engine", "--player", "missing_player", typed="")
    assert ran.code == 2
    engine = Engine("uct", game="pig")
    engine.server.serve(["position start steps 8", "go infinite"])
    assert engine.said[-1].startswith("best ")
