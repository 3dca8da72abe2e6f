"""The terminal: lines that fit, colours where they are seen, completion, usage errors, and `astragal config`."""

from __future__ import annotations

import importlib
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from astragal import __version__, game_names, player_classes
from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest
from astragal.arena.summary import Standing
from astragal.arena.tables import Live, live_meeting
from astragal.base import terminal
from astragal.base.terminal import CleanStream
from astragal.cli.app import app
from astragal.cli.completion import BASH, complete_game, complete_player
from astragal.cli.config import VARIABLES
from astragal.players.ladders import NAMES
from support.helpers import Screen, run_apart, run_here

DOCS = Path(__file__).parents[2] / "docs"


def watched(monkeypatch) -> Screen:
    """Standard error as a terminal, for the rest of a test (pytest sets its own before it)."""
    shown = Screen()
    monkeypatch.setattr(sys, "stderr", shown)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return shown


@pytest.mark.parametrize("columns", [1, 20, 40, 60, 80, 200])
def test_a_line_of_progress_never_wraps(columns, monkeypatch):
    screen = watched(monkeypatch)
    monkeypatch.setenv("COLUMNS", str(columns))
    long = "star2ss:width=20-10-5,time=0.25,chances=on"
    contest = Contest.of("pig", [long, "uct:sims=1000"], Limits(nodes=10))
    for live in (Live(Standing(contest), None, 200), live_meeting(Standing(contest), None, 200)):
        assert len(live.line()) <= max(1, columns - 1)
        live.show()
    for line in screen.getvalue().split("\r\x1b[K"):
        assert len(line) <= max(1, columns - 1)
    assert "\n" not in screen.getvalue()
    if columns >= 60:
        assert "0/200 games" in screen.getvalue()


def test_progress_is_there_before_the_first_game_is_over(monkeypatch):
    screen = watched(monkeypatch)
    Live(Standing(Contest.of("pig", ["random", "random"])), None, 10)
    assert "0/10 games" in screen.getvalue()


def test_in_a_notebook_progress_is_one_output_of_the_cell(monkeypatch):
    pytest.importorskip("IPython")
    made, shell = [], SimpleNamespace(execution_count=1)

    def display(content, display_id):
        shown = [content.data]
        made.append(shown)
        return SimpleNamespace(update=lambda content: shown.append(content.data))

    monkeypatch.setitem(sys.modules, "ipykernel", ModuleType("ipykernel"))
    monkeypatch.setattr(terminal, "below_cell", terminal.BelowCell())
    monkeypatch.setattr("IPython.get_ipython", lambda: shell)
    monkeypatch.setattr("IPython.display.display", display)
    for line in ("a < b", "c", ""):
        terminal.overwrite(line)
    shell.execution_count = 2
    terminal.overwrite("d")
    assert made == [["<pre>a &lt; b</pre>", "<pre>c</pre>", ""], ["<pre>d</pre>"]]


def test_a_bar_is_as_full_as_its_share(monkeypatch):
    screen = watched(monkeypatch)
    assert terminal.bar(0, 10) == terminal.EMPTY * terminal.BAR
    assert terminal.bar(10, 10) == terminal.bar(11, 10) == terminal.bar(0, 0) == terminal.FILLED * terminal.BAR
    assert terminal.bar(5, 10, 4) == terminal.FILLED * 2 + terminal.EMPTY * 2
    screen.encoding = "ascii"
    assert terminal.bar(5, 10, 4) == "##.."


def test_what_does_not_fit_is_left_out_from_the_end():
    assert terminal.fitted(["abc", "de", "fgh"], 12) == "abc  de  fgh"
    assert terminal.fitted(["abc", "de", "fgh"], 11) == "abc  de"
    assert terminal.fitted(["abc"], 2) == "ab"
    assert terminal.fitted([], 5) == ""


def test_colours_are_for_terminals_that_want_them(monkeypatch):
    screen = watched(monkeypatch)
    assert terminal.paint("best", "green", screen) == "\x1b[32mbest\x1b[0m"
    assert terminal.paint("best", "green", io.StringIO()) == "best"
    monkeypatch.setenv("TERM", "dumb")
    assert terminal.paint("best", "green", screen) == "best"
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("NO_COLOR", "1")
    assert terminal.paint("best", "green", screen) == "best"
    monkeypatch.setenv("NO_COLOR", "")
    assert terminal.paint("best", "green", screen) != "best"


def test_no_colours_and_no_progress_in_pipes(tmp_path):
    ran = run_apart("match", "tic_tac_toe", "random", "random", "--games", 2, "--jobs", 1, "--db", tmp_path / "r.db")
    assert ran.code == 0
    assert "\x1b" not in ran.out + ran.err
    assert "\r" not in ran.err


# Completion


@pytest.mark.parametrize(
    ("line", "offered"), [("astragal results sh", "show"), ("astragal cache tr", "trim"), ("astragal dev per", "perft")]
)
def test_the_commands_of_a_group_are_offered(line, offered, monkeypatch, capsys):
    monkeypatch.setenv("_ASTRAGAL_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", "2")
    with pytest.raises(SystemExit):
        app(args=[], prog_name="astragal")
    assert capsys.readouterr().out.split() == [offered]


def test_games_players_and_settings_are_offered():
    names = [offer for offer, _ in complete_game("")]
    assert set(game_names()) < set(names)
    assert [offer for offer, _ in complete_game("ew")] == ["ewn"]
    assert [offer for offer, _ in complete_game("ewn:se")] == ["ewn:setup="]
    assert ("ewn:setup=fixed", "") in complete_game("ewn:setup=")
    assert [offer for offer, _ in complete_player("star2s")] == ["star2ss"]
    assert {offer for offer, _ in complete_player("")} == {*player_classes(), *NAMES}
    assert [offer for offer, _ in complete_player("star2ss:time=1,wi")] == ["star2ss:time=1,width="]
    assert "star2ss:width=" not in [offer for offer, _ in complete_player("star2ss:width=3,")]
    assert complete_player("nobody:") == complete_game("nothing:") == []


def test_a_shell_is_answered():
    asked = {"_ASTRAGAL_COMPLETE": "complete_bash", "COMP_WORDS": "astragal search pi", "COMP_CWORD": "2"}
    ran = run_apart(script="from astragal.cli import main; main()", **asked)
    assert ran.out.split()[0] == "pig"
    asked |= {"COMP_WORDS": "astragal tourn", "COMP_CWORD": "1"}
    assert run_apart(script="from astragal.cli import main; main()", **asked).out.split() == ["tournament"]


@pytest.mark.few(1)
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    ("line", "offers"),
    [
        ("astragal search ewn:set", "setup="),  # bash ends a word at the colon, and replaces what is after it
        ("astragal search ewn --player=star2ss:time=1,wi", "1,width="),
    ],
)
def test_bash_completes_after_colons_and_equals_signs(line, offers, tmp_path):
    """With the script of `--show-completion`, and a program of this name that is this one."""
    program = tmp_path / "astragal"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m astragal "$@"\n')
    program.chmod(0o755)
    told = BASH % {"complete_func": "_complete", "autocomplete_var": "_ASTRAGAL_COMPLETE", "prog_name": "astragal"}
    ask = "compopt() { printf open; }; _complete astragal; printf ' %s' \"${COMPREPLY[@]}\""
    where = {"COMP_LINE": line, "COMP_POINT": str(len(line)), "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    ran = subprocess.run(
        ["bash", "-c", f"{told}\n{ask}"], env=os.environ | where, capture_output=True, text=True, check=False
    )
    assert ran.stdout == f"open {offers}"


def test_the_parser_tells_bash_our_words():
    importlib.import_module("astragal.cli.app")
    shared = pytest.importorskip("typer._completion_shared")
    script = shared.get_completion_script(prog_name="astragal", complete_var="_ASTRAGAL_COMPLETE", shell="bash")
    assert "COMP_LINE" in script


# Words


@pytest.mark.parametrize(
    ("words", "help"),
    [
        (["search", "ewn", "--time"], "astragal search --help"),
        (["search", "ewn", "--tme", "3"], "astragal search --help"),
        (["search"], "astragal search --help"),
        (["lab", "run", "--siz", "3"], "astragal lab run --help"),
        (["serch"], "astragal --help"),
    ],
)
def test_a_mistake_names_the_help_of_its_own_command(words, help, capsys):
    ran = run_here(capsys, *words)
    assert ran.code == 2
    assert ran.err.endswith(f"(see {help})\n")


def test_the_environment_is_told(capsys, monkeypatch):
    monkeypatch.setenv("ASTRAGAL_CACHE", "/somewhere")
    told = run_here(capsys, "config").out
    assert f"astragal {__version__}" in told
    assert "/somewhere" in told
    facts = json.loads(run_here(capsys, "config", "--json").out)
    assert facts["environment"]["ASTRAGAL_CACHE"] == "/somewhere"
    assert set(facts["environment"]) == set(VARIABLES)
    assert facts["cores"] == os.cpu_count()


def test_the_page_has_every_variable():
    page = (DOCS / "terminal.md").read_text(encoding="utf-8")
    for name, about in VARIABLES.items():
        assert f"| `{name}` | {about} |" in page


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [("utf-8", "±2 · würfelt ● ♞ ?"), ("latin-1", "±2 · würfelt * ? ?"), ("ascii", "+-2 . wurfelt * ? ?")],
)
def test_signs_that_the_output_lacks_become_plain_ones(encoding, shown):
    written = io.BytesIO()
    stream = CleanStream(io.TextIOWrapper(written, encoding=encoding, newline="\n"))
    print("±2 · würfelt ● ♞ \ud800", file=stream, end="")
    stream.flush()
    assert written.getvalue().decode(encoding) == shown


def test_no_result_is_lost_where_output_is_ascii(capsys):
    words = ("match", "pig:goal=10", "random", "random", "--games", 4, "--db", "none")
    usual = run_here(capsys, *words).out
    script = f"from astragal.cli import run; run({[*map(str, words)]}); run(['games', 'ewn', '--json'])"
    printed, json_list, rest = run_apart(script=script, PYTHONIOENCODING="ascii").out.partition("[\n")
    assert "±" in usual
    assert printed == usual.replace("±", "+-")
    assert json.loads(json_list + rest)[0]["about"].startswith("EinStein würfelt nicht!")


@pytest.mark.parametrize("columns", [40, 60, 200])
def test_listings_fit_into_narrow_terminals(capsys, monkeypatch, columns):
    wide = run_here(capsys, "games").out
    monkeypatch.setenv("COLUMNS", str(columns))
    narrow = run_here(capsys, "games").out
    assert max(map(len, narrow.splitlines())) < columns
    assert narrow.split() == wide.split()  # nothing is cut off
