"""Wrong command lines of every kind: each gets one sentence and exit code 2, and none of them an internal error."""

from __future__ import annotations

import functools
import itertools
import re
import shlex

import pytest

from astragal.cli.app import COMMANDS, load
from support.helpers import Ran, run_here

HUGE, DIGITS, LONG = "9" * 30, "9" * 5000, "x" * 300
TOO_LONG = "File name too long|there is no (results )?file x"  # up to Python 3.13, and from then on

# A line of each command that is in order up to the option to come, and that nothing long follows if that is, too
LINES = {
    "games": "games pig",
    "players": "players uct",
    "best": "best pgi",
    "learn": "learn pgi",
    "search": "search tic_tac_toe --player random",
    "tree": "tree tic_tac_toe --player random",
    "picture": "picture tic_tac_toe --out nowhere/board.svg",
    "play": "play pgi",
    "dev perft": "dev perft pgi",
    "check": "check pgi",
    "solve": "solve pgi",
    "match": "match pgi random random",
    "tournament": "tournament pgi random greedy",
    "tune": "tune pgi uct",
    "results list": "results list --db nowhere/results.db",
    "results show": "results show 1 --db nowhere/results.db",
    "results verify": "results verify 1 --db nowhere/results.db",
    "results merge": "results merge nowhere/results.db --db all.db",
    "results export": "results export table.csv 1 --db nowhere/results.db",
    "results replay": "results replay 1 --db nowhere/results.db",
    "review": "review nowhere/game.json",
    "dev bench": "dev bench --player missing_player",
    "dev probcut": "dev probcut pgi",
    "ggp play": "ggp play --player missing_player",
    "ggp match": "ggp match pgi.kif random random",
    "web": "web --host 999.9.9.9 --no-browser",
    "cache build": "cache build pgi",
    "new": "new nowhere/mine.py",
    "config": "config nowhere",
    "engine": "engine --player missing_player",
    "cache show": "cache show --josn",
    "cache trim": "cache trim --josn",
    "cache clear": "cache clear --josn",
}
VALUES = (
    "nan",
    "1e999",
    "-1",
    HUGE,
    DIGITS,
    "",
    ":",
    "=",
    "a=b",
    "%s",
    "ü",
    "..",
    "/",
    LONG,
    f"{LONG}.py",
    f"{LONG}.kif",
    f"{LONG}.svg",
)

FEW = ("", "nan", "1e999", "-1", HUGE, LONG)  # of them, for each option

load_once = functools.cache(load)


def is_in_order(ran: Ran) -> bool:
    """One sentence and exit code 2, or none and 0; nothing internal in either case."""
    if "Traceback" in ran.out + ran.err or "ASTRAGAL_DEBUG" in ran.err:
        return False
    is_refused = ran.code == 2 and ran.err.startswith("astragal: ") and ran.err.count("\n") == 1
    return is_refused or (ran.code == 0 and ran.err == "")


def options(command: str) -> list[str]:
    """The options of a command that take a value."""
    return [each.opts[0] for each in load_once(command).params if each.param_type_name == "option" and not each.is_flag]


@pytest.fixture(autouse=True)
def _somewhere_else(tmp_path, monkeypatch):
    """What a line writes is written into a folder of its own, and nothing is served."""
    pytest.importorskip("fastapi")
    monkeypatch.setattr("astragal.web.server.serve", lambda *_: None)
    monkeypatch.setattr("astragal.cli.app.load", load_once)
    monkeypatch.chdir(tmp_path)


def test_there_is_a_line_of_every_command():
    assert {*LINES, "lab", "results plot"} == set(COMMANDS)  # these two have commands of their own


@pytest.mark.few(1)
@pytest.mark.parametrize("command", LINES)
def test_no_value_of_an_option_is_an_internal_error(command, capsys):
    failed = []
    for option, value in itertools.product(options(command), FEW):
        line = [*shlex.split(LINES[command]), option, value]
        if not is_in_order(run_here(capsys, *line)):
            failed.append([word[:50] for word in line])
    assert failed == []


@pytest.mark.few(1)
@pytest.mark.parametrize("command", LINES)
def test_no_name_is_an_internal_error(command, capsys):
    rest = shlex.split(LINES[command].removeprefix(command))
    named = [place for place, word in enumerate(rest) if not word.startswith("-")]
    failed = []
    for place, value in itertools.product(named[:2], VALUES):
        line = [*command.split(), *rest[:place], value, *rest[place + 1 :]]
        if not is_in_order(run_here(capsys, *line)):
            failed.append([word[:50] for word in line])
    assert failed == []


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("search pig --time inf --nodes 100", "time must be at most 1000000000, not inf"),
        ("search pig --player uct --time 1e300", "time must be at most 1000000000, not 1e+300"),
        (f"search pig --nodes {HUGE}", f"nodes must be at most 1000000000000000000, not {HUGE}"),
        (f"search pig --player uct --sims {HUGE}", f"sims must be at most 1000000000000000000, not {HUGE}"),
        (f"search pig --nodes -{'9' * 400}", "nodes must be more than 0, not -999"),
        ("match pig random greedy --jobs 999999999999", "'--jobs'"),
        (f"match pig random greedy --games {HUGE}", "'--games'"),
        (f"match pig random greedy --nodes {HUGE}", "nodes must be at most"),
        ("match pig random greedy --grace nan", "'--grace'"),
        ("cache build pig uct --jobs 999999999999", "'--jobs'"),
        (f"check pig --games {HUGE}", "'--games'"),
        (f"tune tic_tac_toe mm:depth=1 --param order=first|last --candidates {HUGE}", "'--candidates'"),
        (f"results --db {LONG}", TOO_LONG),
        (f"match pig random greedy --games 2 --jobs 1 --db {LONG}", "cannot be used as a results file"),
        (f"search {LONG}.py", TOO_LONG),
        (f"search {LONG}.kif", TOO_LONG),
        ("games pig:goal=nan", "goal=nan is not a whole number"),
        ("games pig:goal=0", "goal=0 is too small"),
        ("games pig:gaol=5", "did you mean 'goal'"),
        ("games tic_tac_toe.kif:x=1", "has no setting 'x'"),
        ("dev perft pig --depth 9999", "depth must be at most 1000, not 9999"),
        (f"web --host {LONG} --no-browser", "is not the name of a host"),
        (f"ggp play --player random --host {LONG}", "cannot listen on"),
        (f"ggp match tic_tac_toe.kif http://{LONG} random", "a player is given as http://host:port"),
    ],
)
def test_what_is_beyond_all_bounds_is_said(line, sentence, capsys):
    ran = run_here(capsys, *shlex.split(line))
    assert is_in_order(ran)
    assert ran.code == 2
    assert re.search(sentence if sentence is TOO_LONG else re.escape(sentence), ran.err)
