"""The command line: what it prints, what it refuses and how, and that Ctrl-C leaves it cleanly."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from astragal import AstragalError, Position, __version__, game_names, load_game, load_player, player_classes, search
from astragal.games import sheet_names
from astragal.players import optimal
from support.helpers import EXAMPLE, Ran, add_up, run_apart, run_here, solutions_in

COMMANDS = ["games", "players", "search", "play", "check", "solve", "match", "tournament", "tune", "lab", "tree"]
COMMANDS += ["picture", "web", "new", "engine", "config", "review", "learn", "best"]
GROUPS = {
    "results": ["list", "show", "replay", "verify", "merge", "export", "plot"],
    "cache": ["show", "build", "trim", "clear"],
    "dev": ["perft", "bench", "probcut"],
    "ggp": ["play", "match"],
}
IN_GROUPS = [f"{group} {name}" for group, names in GROUPS.items() for name in names]


def refused(ran: Ran) -> str:
    """The one sentence on standard error of a command that was refused."""
    assert ran.code == 2
    assert ran.err.startswith("astragal: ")
    assert ran.err.endswith("\n")
    assert ran.err.count("\n") == 1
    assert "Traceback" not in ran.out + ran.err
    return ran.err[len("astragal: ") : -1]


@pytest.fixture
def mine(tmp_path) -> Path:
    file = tmp_path / "mine.py"
    file.write_text(add_up())
    return file


# Help


def test_rule_sheets_are_among_the_games_that_are_compiled_ahead():
    from astragal.cli.compile import sort_names

    assert sort_names(["tic_tac_toe.kif", "pig", "uct"]) == (["tic_tac_toe.kif", "pig"], ["uct"])


@pytest.mark.parametrize("command", [*COMMANDS, *GROUPS, *IN_GROUPS])
def test_every_command_has_help_with_an_example(command, capsys):
    ran = run_here(capsys, *command.split(), "--help")
    assert ran.code == 0
    assert ran.err == ""
    assert f"Example: astragal {command}" in " ".join(ran.out.split())


def test_the_help_lists_every_command(capsys):
    alone, asked = run_here(capsys), run_here(capsys, "--help")
    assert alone.code == asked.code == 0
    assert alone.err == asked.err == ""
    assert alone.out.strip() == asked.out.strip()
    assert sorted(commands_in(asked.out)) == sorted([*COMMANDS, *GROUPS])
    assert "Example: astragal search" in asked.out


def commands_in(told: str) -> list[str]:
    """The commands that a help text lists."""
    return re.findall(r"^  (\S+) ", told.partition("Commands:\n")[2].partition("\n\n")[0], re.MULTILINE)


@pytest.mark.parametrize("group", GROUPS)
def test_the_help_of_a_group_lists_its_commands(group, capsys):
    assert commands_in(run_here(capsys, group, "--help").out) == GROUPS[group]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("perft pig --depth 2", "dev perft pig --depth 2"),
        ("bench --player missing_player", "dev bench --player missing_player"),
        ("probcut pig", "dev probcut pig"),
        ("compile pig uct", "cache build pig uct"),
        ("plot curve --out a.svg", "results plot curve --out a.svg"),
        ("replay 1 1 2 --save a.json", "results replay 1 1 2 --save a.json"),
        ("replay 1 1 --verify --db 2", "results verify 1 --db 2"),
        ("ggp-match pig.kif random", "ggp match pig.kif random"),
        ("results 3 --luck learned", "results show 3 --luck learned"),
        ("results --db a.db 3", "results show --db a.db 3"),
        ("results 3 --export a.csv --db b.db", "results export a.csv 3 --db b.db"),
        ("results --export a.csv", "results export a.csv"),
        ("cache --clear --solutions", "cache clear --solutions"),
        ("cache --trim --json", "cache trim --json"),
    ],
)
def test_old_words_become_the_new_ones_with_a_note(old, new, capsys):
    from astragal.cli.old_words import translated

    assert translated(old.split()) == new.split()
    note = f"astragal: note: 'astragal {old}' is 'astragal {new}' now; the old name works for this release\n"
    assert capsys.readouterr().err == note
    assert translated(new.split()) == new.split()
    assert translated(old.split(), silent=True) == new.split()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("short", "usual"),
    [
        ("results", "results list"),
        ("results --db 7 --game pig", "results list --db 7 --game pig"),
        ("cache --json", "cache show --json"),
        ("ggp --port 0", "ggp play --port 0"),
        ("dev", "dev"),
        ("results shwo", "results shwo"),
    ],
)
def test_a_group_alone_is_its_usual_command(short, usual, capsys):
    from astragal.cli.old_words import translated

    assert translated(short.split()) == usual.split()
    assert capsys.readouterr().err == ""


def test_an_old_word_does_what_the_new_one_does(capsys):
    old, new = (run_here(capsys, *words, "pig", "--depth", 2, "--json") for words in (("perft",), ("dev", "perft")))
    assert (old.code, old.out) == (new.code, new.out) == (0, new.out)
    assert new.err == ""
    assert "did you mean" in refused(run_here(capsys, "results", "shwo")).lower()


def test_the_version(capsys):
    assert run_here(capsys, "--version").out == f"astragal {__version__}\n"


def test_the_commands_are_defined_without_numba():
    script = "import sys, astragal.cli.app; print(sorted({'numba', 'llvmlite', 'rich'} & set(sys.modules)))"
    assert run_apart(script=script).out == "[]\n"


@pytest.mark.parametrize("arguments", [[], ["--help"], ["--version"], ["serach"]])
def test_help_imports_neither_numpy_nor_a_command(arguments):
    script = f"""
import sys
from astragal.cli import run
run({arguments})
print(sorted(name for name in sys.modules if name in ("numpy", "numba") or name.startswith("astragal.")))
"""
    loaded = eval(run_apart(script=script).out.splitlines()[-1])
    light = {
        "base",
        "base.errors",
        "base.terminal",
        "cli",
        "cli.app",
        "cli.completion",
        "old_paths",
        "game",
        "search",
        "solve",
    }
    assert set(loaded) <= {f"astragal.{name}" for name in light}


@pytest.mark.parametrize("command", [*COMMANDS, *IN_GROUPS])
def test_the_list_of_commands_says_what_a_command_says_of_itself(command):
    from astragal.cli.app import COMMANDS as listed
    from astragal.cli.app import load

    paragraph, *_ = load(command).help.split("\n\n")
    assert listed[command].summary == paragraph


def test_listings_do_not_import_numba():
    script = """
import sys
from astragal.cli import run
assert run(["games"]) == run(["players"]) == run(["players", "star2ss"]) == run(["--help"]) == 0
print('numba' in sys.modules)
"""
    assert run_apart(script=script).out.endswith("False\n")


def test_the_module_runs_as_the_command_does():
    ran = run_apart("games", "pig", "--json")
    assert ran.code == 0
    assert [row["name"] for row in json.loads(ran.out)] == ["pig"]


# What programs read


def as_json(capsys: pytest.CaptureFixture[str], *arguments: object) -> dict:
    ran = run_here(capsys, *arguments, "--json")
    assert ran.code == 0, ran.err
    return json.loads(ran.out)


def test_games_and_players_are_listed(capsys):
    for command, names in (("games", game_names() + sheet_names()), ("players", list(player_classes()))):
        rows = as_json(capsys, command)
        assert [row["name"] for row in rows] == names
        assert all(row["about"] for row in rows)
        shown = run_here(capsys, command).out
        assert all(name in shown for name in names)
    goal = as_json(capsys, "games", "pig")[0]["parameters"][0]
    assert (goal["name"], goal["default"], goal["low"], goal["high"]) == ("goal", "100", 2, 1000)
    assert "goal=100" in run_here(capsys, "games", "pig").out
    (row,) = as_json(capsys, "players", "star2ss")
    assert {"time", "nodes", "depth", "width"} <= {setting["name"] for setting in row["parameters"]}
    assert "width=10" in run_here(capsys, "players", "star2ss").out


def test_rarely_used_settings_are_counted_and_listed_when_all_are_asked_for(capsys):
    for name in player_classes():
        (row,) = as_json(capsys, "players", name)
        usual, rare = ([each["name"] for each in row["parameters"] if each["rare"] == mark] for mark in (False, True))
        short, full = (run_here(capsys, "players", name, *more).out for more in ((), ("--all",)))
        assert re.findall(r"^    (\w+)=", short, re.MULTILINE) == usual
        assert re.findall(r"^    (\w+)=", full, re.MULTILINE) == usual + rare
        assert re.findall(r"and (\d+) more", short) == ([str(len(rare))] if rare else [])
    assert "multicut=0" in run_here(capsys, "players", "star2", "--all").out


def test_search_prints_json(capsys):
    facts = as_json(
        capsys, "search", "pig", "--player", "star2", "--position", "34 51 12 1 decide", "--depth", 2, "--seed", 7
    )
    assert facts["game"] == "pig"
    assert facts["player"] == "star2"
    assert facts["position"] == "34 51 12 1 decide"
    assert facts["action"] in ("hold", "roll")
    assert facts["action"] == facts["actions"][0]["action"] == facts["line"][0]
    assert facts["value"] == facts["actions"][0]["value"]
    assert (facts["depth"], facts["seed"], facts["player_to_move"]) == (2, 7, 1)
    assert facts["nodes"] == sum(facts["counts"][kind] for kind in ("decisions", "chances", "leaves", "terminals"))
    assert facts["seconds"] > 0
    assert facts["complete"] is False


def test_search_is_the_same_for_a_seed_and_nodes(capsys):
    runs = [as_json(capsys, "search", EXAMPLE, "--player", "star2ss", "--nodes", 500, "--seed", 3) for _ in range(2)]
    for run in runs:
        del run["seconds"]
    assert runs[0] == runs[1]


def test_search_prints_for_people(capsys):
    ran = run_here(capsys, "search", "pig", "--position", "34 51 12 2 decide", "--depth", 2)
    assert ran.code == 0
    for part in ("position: 34 51 12 2 decide", "player 2, who is to move", "best action", "hold", "roll", "nodes"):
        assert part in ran.out
    assert [line.split()[0] for line in ran.out.splitlines() if re.match(r" +\d ", line)] == ["1", "2"]
    position = Position.parse(load_game("pig"), "34 51 12 2 decide")
    same = str(search(position, "star2:depth=2")).splitlines()  # as from Python, but for seconds and whose value it is
    printed = ran.out.splitlines()[-len(same) :]
    assert printed[1].removesuffix(" for player 2, who is to move (from -100 to 100)") == same[1]
    assert printed[2:] == same[2:]


def test_search_at_a_chance_node_has_a_value_but_no_action(capsys):
    facts = as_json(capsys, "search", "pig", "--position", "34 51 0 1 roll", "--depth", 2)
    assert facts["action"] is None
    assert facts["actions"] == []
    assert facts["player_to_move"] is None
    assert -100 <= facts["value"] <= 100
    assert "chance moves next" in run_here(capsys, "search", "pig", "--position", "34 51 0 1 roll", "--depth", 1).out


def test_search_starts_from_the_seeds_setup(capsys):
    texts = {as_json(capsys, "search", "ewn", "--player", "random", "--seed", seed)["position"] for seed in (1, 2)}
    assert len(texts) == 2
    again = as_json(capsys, "search", "ewn", "--player", "random", "--seed", 1)["position"]
    assert again in texts


def test_perft_counts(capsys):
    facts = as_json(capsys, "dev", "perft", "ewn:setup=fixed", "--depth", 5)
    assert facts["counts"] == [6, 18, 108, 324, 1944]
    assert (facts["game"], facts["depth"], facts["count"]) == ("ewn:setup=fixed", 5, 1944)
    facts = as_json(capsys, "dev", "perft", "pig:dice=1", "--position", "99 0 5 1 decide", "--depth", 3)
    assert facts["counts"] == [2, 6, 16]  # holding ends the game; after a roll, five decisions and a bust
    assert facts["position"] == "99 0 5 1 decide"
    assert re.search(r"perft +2 +40 ", run_here(capsys, "dev", "perft", "pig", "--depth", 2).out)


@pytest.mark.slow
def test_check_prints_each_promise(capsys):
    ran = run_here(capsys, "check", EXAMPLE, "--games", 1)
    assert ran.code == 0
    assert [line[:6] for line in ran.out.splitlines() if not line.startswith("warn")] == ["ok    "] * 10
    facts = as_json(capsys, "check", EXAMPLE, "--games", 1)
    assert facts["passed"] is True
    assert len([check for check in facts["checks"] if not check["warning"]]) == 10


def test_the_rules_of_a_game_are_told(capsys):
    told = run_here(capsys, "games", "ra").out
    assert told.startswith("ra Ra: draw tiles")
    assert "    floor=on " in told
    assert "The end of an epoch" in told
    assert as_json(capsys, "games", "ra")[0]["rules"].startswith("Ra for two players")
    assert "squares to run" in run_here(capsys, "games", EXAMPLE).out
    refused = run_here(capsys, "games", "rah")
    assert refused.code == 2
    assert "there is no game 'rah'" in refused.err


def test_search_by_simulation_says_what_it_did(capsys):
    line = ["search", "tic_tac_toe", "--player", "uct:solver=standard"]
    ran = run_here(capsys, *line, "--position", "xox/.o./.x.", "--sims", 1000)
    assert ran.code == 0
    assert re.search(
        r"^uct:.*solver=standard.* after .* simulations \([\d,]+ a second\), [\d,]+ nodes, depth 4", ran.out, re.M
    )
    assert "proven      a draw" in ran.out
    assert len(re.findall(r"visits$", ran.out, re.M)) == 4
    facts = as_json(capsys, *line, "--sims", 50)
    assert facts["simulations"] == 50
    assert sum(action["visits"] for action in facts["actions"]) == 49


def test_search_writes_its_tree(capsys, tmp_path):
    path = tmp_path / "tree.json"
    ran = run_here(capsys, "search", "ewn", "--player", "uct", "--sims", 50, "--tree", path, "--tree-nodes", 20)
    assert ran.code == 0
    graph = json.loads(path.read_text(encoding="utf-8"))
    assert len(graph["nodes"]) == 20
    assert len(graph["links"]) == 19
    assert graph["nodes"][0]["visits"] == 50
    for player, where, why in (
        ("greedy", path, "greedy has no search tree to write"),
        ("uct", tmp_path / "none" / "tree.json", "cannot write to"),
    ):
        refused = run_here(capsys, "search", "ewn", "--player", player, "--tree", where)
        assert refused.code != 0
        assert why in refused.err
        assert refused.err.count("\n") == 1


@pytest.mark.slow
def test_bench_measures_every_search(capsys):
    facts = as_json(capsys, "dev", "bench", EXAMPLE, "--moves", 2)
    assert facts["games_per_second"] > 0
    searches = {name for name, cls in player_classes().items() if cls.compiles}
    measured = facts["nodes_per_second"] | facts["simulations_per_second"]
    assert set(measured) == searches - {"alphabeta", "mm", "hybrid"}  # which cannot play games with chance
    assert {"uct", "mcs", "dpw"} <= set(facts["simulations_per_second"])
    assert min(measured.values()) > 0
    assert [row["limit_ms"] for row in facts["late"]] == [50, 200]
    assert all(row["moves"] == 2 for row in facts["late"])


@pytest.mark.slow
def test_what_is_compiled_ahead_is_not_compiled_again(mine, tmp_path):
    cache = tmp_path / "cache"
    ran = run_apart("cache", "build", mine, "exp", "random", "--jobs", 1, cache=cache)
    assert ran.code == 0, ran.err
    assert "1 searches are ready" in ran.out
    assert "1/1" in ran.err
    ran = run_apart("search", mine, "--player", "exp", "--depth", 2, "--json", cache=cache)
    assert (ran.code, ran.err) == (0, "")
    assert json.loads(ran.out)["depth"] == 2


# What is refused


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("search pgi", "there is no game 'pgi'.*did you mean 'pig'"),
        ("search pig --player star3", "there is no player 'star3'.*did you mean 'star"),
        ("search pig:goal", "'goal' is not a setting"),
        ("search pig:goal=ten", "goal=ten is not a whole number"),
        ("search pig:goal=0", "goal=0 is too small"),
        ("search pig:gaol=9", "no setting 'gaol'.*did you mean 'goal'"),
        ("search pig:goal=9,goal=8", "set twice"),
        ("search pig --player star2:depth=99", "depth=99 is too large; the most is 64"),
        ("search pig --player star2:depth", "'depth' is not a setting"),
        ("search ewn --player hold", "hold only plays pig, not ewn"),
        ("search pig --position nonsense", "'nonsense' is not a position of Pig: write score1"),
        ("search ewn --position 1/2", "is not a position of EWN"),
        ("search pig --depth 0", "depth must be more than 0, not 0"),
        ("search pig --depth -2", "depth must be more than 0, not -2"),
        ("search pig --depth 65 --nodes 1000", "depth must be at most 64, not 65"),
        ("search pig --time 0", "time must be more than 0, not 0"),
        ("search pig --time -1", "time must be more than 0, not -1"),
        ("search pig --time nan", "time must be a number"),
        ("search pig --time soon", "'--time'"),
        ("search pig --nodes 0", "nodes must be more than 0, not 0"),
        ("search pig --nodes 1.5", "'--nodes'"),
        ("search nowhere.py:Game", "there is no file nowhere.py"),
        ("search pig --bogus", "--bogus"),
        ("search pig extra", "extra"),
        ("search pig --player", "--player"),
        ("search", "Missing argument"),
        ("serach pig", "serach"),
        ("search pig --player random --position '0 0 0 1 roll'", "nothing to decide"),
        ("search chinese_checkers:players=3 --regret --player maxn", "needs one or two players"),
        ("play pig --player random --save /no/such/folder/game.json", "cannot write to /no/such/folder/game.json"),
        ("search pig --position '100 0 0 2 roll'", "the game is over"),
        ("dev perft pig --depth 0", "depth must be at least 1, not 0"),
        ("dev perft pig --depth deep", "'--depth'"),
        ("dev perft pig --position 1", "not a position"),
        ("dev perft pgi", "did you mean 'pig'"),
        ("check pgi", "did you mean 'pig'"),
        ("check pig --games 0", "'--games'"),
        ("solve pgi", "did you mean 'pig'"),
        ("solve pig --max-states 0", "'--max-states'"),
        ("play pig --seat 3", "seat must be from 1 to 2"),
        ("play pig --seat -1", "seat must be from 1 to 2"),
        ("play pgi", "did you mean 'pig'"),
        ("play pig --player star3", "did you mean 'star"),
        ("play pig --position 1", "not a position"),
        ("players star3", "did you mean 'star"),
        ("cache build pgi", "'pgi' is neither a game nor a player; did you mean 'pig'"),
        ("cache build pig hold", "none of these players can play these games"),
        ("cache build pig --jobs 0", "'--jobs'"),
        ("dev bench pig --moves 1", "'--moves'"),
        ("dev bench pgi", "did you mean 'pig'"),
        ("dev bench pig --player star3", "did you mean 'star"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(line, sentence, capsys):
    assert re.search(sentence, refused(run_here(capsys, *shlex.split(line))))


def test_what_a_move_loses_where_nothing_is_solved_lies_between_two_proven_bounds(capsys, tmp_path):
    line = ["search", "pig:goal=14,dice=1", "--position", "8 9 2 1 decide", "--player", "random", "--regret"]
    with solutions_in(tmp_path):
        ran = run_here(capsys, *line, "--time", "0.05")
        told = json.loads(run_here(capsys, *line, "--time", "0.05", "--json").out)
    assert re.search(r"\nregret +(between )?[\d.]+.*, proven \(the position is not solved\)\n", ran.out)
    assert 0.0 <= told["regret"][0] <= told["regret"][1]


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ("def f(:\n", r"mine\.py line 1: "),
        ("import no_such_module_at_all\n", "ModuleNotFoundError"),
        ("raise SystemExit(3)\n", "SystemExit"),
        ("x = 1\n", "defines no @game class"),
        (add_up().replace("def utility", "def utilities"), r"game AddUp lacks utility\(self, state, player\)"),
        (add_up("1 / 0"), "ZeroDivisionError"),
        (add_up().replace("-1.0 if", "-9.0 if"), "fails: random games keep the rules' promises: utility of player"),
    ],
)
def test_a_bad_game_file_is_one_sentence_and_exit_code_2(source, sentence, mine, capsys):
    mine.write_text(source)
    assert re.search(sentence, refused(run_here(capsys, "check", mine, "--games", 2)))


def test_a_game_that_fails_the_check_says_so_to_programs_too(mine, capsys):
    mine.write_text(add_up().replace("-1.0 if", "-9.0 if"))
    ran = run_here(capsys, "check", mine, "--json")
    refused(ran)
    facts = json.loads(ran.out)
    assert facts["passed"] is False
    assert [check["passed"] for check in facts["checks"]] == [True, False]


@pytest.mark.compiled
def test_a_game_that_cannot_be_compiled_says_why_and_where(mine, capsys):
    mine.write_text(add_up("int(str(action))"))
    said = refused(run_here(capsys, "dev", "perft", mine))
    assert said.startswith("the game cannot be compiled: ")
    assert "mine.py" in said


@pytest.mark.few(1)
@pytest.mark.compiled
@pytest.mark.parametrize("command", ["search", "dev perft"])
@pytest.mark.parametrize("line", ["state.totl += action", "state.totl = action", "state.total = state.totl"])
def test_a_field_that_the_state_does_not_have_is_named_with_those_it_has(command, line, mine, capsys):
    mine.write_text(add_up().replace("state.total += action + 1", line))
    said = refused(run_here(capsys, *command.split(), mine))
    assert said.startswith("the game cannot be compiled: the state has no field 'totl' (it has: total, turn) (")
    assert re.search(r"mine\.py\W+line \d", said)


def test_a_game_from_a_file_is_named_so_that_the_name_can_be_used(mine, capsys, monkeypatch):
    monkeypatch.setattr(optimal, "NODES", 1)
    said = refused(run_here(capsys, "search", f"{mine}:goal=5", "--player", "optimal"))
    unproven = "(1 nodes of prove do not show a best move here)"
    assert said == f"{mine}:AddUp:goal=5 is not solved yet: run astragal solve {mine}:AddUp:goal=5 {unproven}"
    assert as_json(capsys, "search", f"{mine}:goal=5", "--player", "random")["game"] == f"{mine}:AddUp:goal=5"


def test_a_game_that_is_always_searched_to_its_end_cannot_be_timed(monkeypatch):
    from astragal.cli import dev

    def search_all(position, seed, limits):
        return replace(load_player("random").search(position, seed), complete=True)

    monkeypatch.setattr(dev, "load_player", lambda *_: SimpleNamespace(search=search_all))
    with pytest.raises(AstragalError, match=r"MyGame is searched to its end within 0\.05 s, so no move comes late"):
        dev.lateness(load_game(str(EXAMPLE)), "star2", 0.05, 3, 0)


@pytest.mark.few(1)
@pytest.mark.parametrize("line", ["search pgi", "search pig --bogus", "search nowhere.py"])
def test_a_refusal_is_the_same_in_a_process_of_its_own(line):
    assert refused(run_apart(*line.split()))


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs bash")
def test_a_reader_that_goes_away_is_no_error():
    command = f"{sys.executable} -m astragal players --json | {sys.executable} -c 'import sys; sys.stdin.read(1)'"
    ran = subprocess.run(["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")


# Ctrl-C


def interrupted(*arguments: object, after: bytes, cache: Path | None = None) -> Ran:
    """Start a command, wait until it has printed something, and press Ctrl-C, which reaches the whole process group."""
    environment = os.environ | {"PYTHONUNBUFFERED": "1"} | ({"ASTRAGAL_CACHE": str(cache)} if cache else {})
    process = subprocess.Popen(
        [sys.executable, "-m", "astragal", *map(str, arguments)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    seen = b""
    try:
        while after not in seen:
            more = os.read(process.stdout.fileno(), 1)
            assert more, f"ended too early: {seen.decode()}"
            seen += more
        os.killpg(process.pid, signal.SIGINT)
        rest, _ = process.communicate(timeout=60)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    return Ran(process.returncode, (seen + rest).decode(), "")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs process groups")
@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("dev perft pig --depth 30", b"perft  7"),
        ("search pig --time 100", b"\n    3 "),
        ("solve pig --again", b" states"),
        ("play pig --seed 1", b"player 1> "),
        ("play pig --seed 1 --seat 0 --player star2:time=100", b"chance: "),
    ],
)
def test_ctrl_c_ends_a_command(line, after):
    ran = interrupted(*line.split(), after=after)
    assert ran.code == 130
    assert "Traceback" not in ran.out
    assert ran.out.endswith("\ninterrupted\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs process groups")
def test_ctrl_c_in_a_search_prints_the_best_so_far():
    ran = interrupted("search", "pig", "--player", "exp", "--time", 100, after=b"\n    3 ")
    assert ran.code == 130
    assert re.search(r"^exp stopped by Ctrl-C after .* nodes, depth \d+$", ran.out, re.M)
    assert re.search(r"^best action (hold|roll)$", ran.out, re.M)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs process groups")
@pytest.mark.parametrize("command", ["search", "dev perft", "check", "cache build"])
def test_ctrl_c_ends_a_compile(command, mine, tmp_path):
    players = ["exp", "star1"] if command == "cache build" else []
    ran = interrupted(*command.split(), mine, *players, after=b"compiling ", cache=tmp_path / "cache")
    assert ran.code == 130
    assert "Traceback" not in ran.out
    assert ran.out.endswith("\ninterrupted\n")


@pytest.mark.skipif(sys.platform == "win32", reason="needs signal masks")
def test_ctrl_c_while_processes_are_started_is_heard_afterwards():
    from astragal.cli.compile import ctrl_c_held_back

    steps = []

    def press() -> None:
        with ctrl_c_held_back():
            signal.raise_signal(signal.SIGINT)
            steps.append("held back")
        steps.append("lost")

    with pytest.raises(KeyboardInterrupt):
        press()
    assert steps == ["held back"]


# Play


@pytest.fixture
def played(capsys, monkeypatch):
    """A function that gives the lines which a person sees who types lines at the prompt."""

    def play(typed: str, *options: object, game: object = "pig", seed: int = 3) -> list[str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        ran = run_here(capsys, "play", game, "--seed", seed, *options)
        assert ran.code == 0, ran.err
        assert ran.err == ""
        return ran.out.splitlines()

    return play


def test_a_game_is_played_through_a_pipe(played):
    options = ("--player", "hold:n=10", "--seed", 3)
    ran = run_apart("play", "pig", *options, typed="roll\n1\nq\n")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.splitlines() == played("roll\n1\nq\n", *options[:2])


def test_a_person_plays_by_name_and_number(played):
    lines = played("roll\n1\nq\n", "--player", "hold:n=10")
    assert lines[0].startswith("pig against hold:n=10, seed 3. Type an action or its number; h hint, u undo")
    assert "   1) hold  2) roll" in lines
    banked = played("roll\nhold\nq\n", "--player", "hold:n=10")
    assert lines[1:] == banked[1:]  # 1 is hold


def test_what_a_person_may_type_besides_moves(played):
    lines = played("frob\n77\n?\np\nh\n\nundo\nquit\n", "--player", "hold:n=10", "--position", "5 6 7 1 decide")
    text = "\n".join(lines)
    assert "'frob' is not a legal action here; legal: hold, roll" in text
    assert "'77' is not a legal action here; legal: hold, roll" in text
    assert text.count("Type an action or its number") == 2
    assert "player 1>    5 6 7 1 decide" in lines
    assert "hold:n=10 would play roll" in text
    assert "nothing to undo" in text


def test_a_hint_of_a_search_shows_the_value_of_every_action(played):
    text = "\n".join(played("h\nq\n", "--player", "star2:depth=2", "--position", "5 6 7 1 decide"))
    assert re.search(r"star2:depth=2 would play (roll|hold)", text)
    assert re.search(r"roll +[+-]\d+\.\d\d  ", text)
    assert re.search(r"hold +[+-]\d+\.\d\d  ", text)


def test_undo_goes_back_to_ones_own_last_decision(played):
    lines = played("hold\nu\np\nq\n", "--player", "hold:n=4", "--position", "5 6 7 1 decide")
    assert "player 1>    5 6 7 1 decide" in lines


@pytest.mark.parametrize(("typed", "back"), [("hold\n", "u\n"), ("roll\nhold\n", "undo\nu\n")])
@pytest.mark.parametrize("player", ["hold:n=10", "star2ss:nodes=60", "random"])
def test_after_undo_the_same_rolls_come_again(typed, back, player, played):
    options = ("--player", player, "--position", "5 6 7 1 decide")
    once, again = played(f"{typed}q\n", *options), played(f"{typed}{back}{typed}q\n", *options)
    course = once[once.index("   1) hold  2) roll") :]
    assert sum("chance: " in line for line in course) >= 2
    assert again[-len(course) :] == course
    assert len(again) > len(once)


@pytest.mark.parametrize("typed", ["ROLL", "Roll", " roll ", "2", " 2"])
def test_an_action_may_be_typed_in_any_case_or_by_its_number(typed, played):
    options = ("--player", "hold:n=10", "--position", "5 6 7 1 decide")
    assert played(f"{typed}\nHOLD\nq\n", *options) == played("roll\nhold\nq\n", *options)
    assert played(f"{typed}\nhold\nq\n", *options) != played("hold\nhold\nq\n", *options)


def test_the_end_of_input_ends_the_game(played):
    assert played("", "--player", "hold")[-1] == "player 1> "
    assert "player 1> " in played("roll", "--player", "hold", "--position", "5 6 7 1 decide")[-1]


def test_a_person_may_take_the_second_seat(played):
    lines = played("p\nq\n", "--player", "hold:n=5", "--seat", 2, "--position", "0 0 8 1 decide")
    assert "   player 1 plays hold" in lines
    (position,) = [line for line in lines if line.startswith("player 2>    ")]
    assert position.endswith(" 2 decide")


def test_a_whole_game_ends_with_a_verdict(played):
    lines = played("hold\n" * 200, "--player", "random", game="pig:goal=20")
    assert lines[-1] in ("You win.", "Player 2 wins.")
    scores = [int(re.search(r"(\d+)$", line)[1]) for line in lines[-3:-1]]
    assert (lines[-1] == "You win.") == (scores[0] >= 20)
    assert max(scores) >= 20


def test_both_sides_may_win(played):
    verdicts = {played("hold\n" * 200, "--player", "random", game="pig:goal=12", seed=seed)[-1] for seed in range(6)}
    assert verdicts == {"You win.", "Player 2 wins."}


def test_a_person_may_watch(played):
    lines = played("", "--player", "hold:n=8", "--seat", 0, game="pig:goal=20")
    assert not any("> " in line and line.startswith("player") for line in lines)
    assert lines[-1] in ("Player 1 wins.", "Player 2 wins.")


def test_the_same_seed_gives_the_same_game(played):
    games = [played("hold\n" * 200, "--player", "star2:depth=1", game="pig:goal=20") for _ in range(2)]
    assert games[0] == games[1]


def test_a_finished_position_has_its_verdict(played):
    assert played("", "--player", "hold", "--position", "100 0 0 2 roll")[-1] == "You win."


def test_listings_and_help_are_the_same_without_docstrings(capsys):
    """Python leaves them out with ``-OO``."""
    commands = [["games"], ["players", "star2"], ["games", "pig"], ["match", "--help"], ["lab"]]
    usual = "".join(run_here(capsys, *words).out for words in commands)
    script = f"from astragal.cli import run\nfor words in {commands}: run(words)"
    assert run_apart(script=script, PYTHONOPTIMIZE="2").out == usual
