"""Other programs as players: the text that names them, good ones, and every way to fail."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from astragal import AstragalError, Limits, Position, load_game, load_player
from astragal.arena.contest import Contest
from astragal.arena.referee import play_game
from astragal.base.errors import SpecError
from astragal.base.interruptible import Switch, stoppable_by
from astragal.players.engine import Engine
from astragal.players.programs import engine_process
from astragal.players.programs.engine_process import EngineError, EngineProcess, words_of
from support.arenas import start_match, wait_until
from support.helpers import run_here

PIG = load_game("pig")
DECISION = Position.start(PIG).deal("8")
RANDOM = Path(__file__).parents[2] / "examples" / "random_engine.py"
HEAD = """
import sys, time
def say(*words): print(*words, flush=True)
for line in sys.stdin:
    command, *words = line.split()
    if command == "quit": break
    if command not in ("go", "stop"): say("ok"); continue
    if command == "stop": STOP; continue
"""


@pytest.fixture
def bot(tmp_path, monkeypatch):
    """The text of a player whose answer to `go`, and to `stop`, is a line of Python."""

    def make(answer: str, settings: str = "", stop: str = "pass") -> str:
        if "sleep" in answer:  # it will not end by itself: do not wait
            monkeypatch.setattr(engine_process, "ENDING_SECONDS", 0.05)
        path = tmp_path / f"bot{len(list(tmp_path.iterdir()))}.py"
        path.write_text(HEAD.replace("STOP", stop) + f"    {answer}\n")
        return f"engine:{settings}{sys.executable} {path}"

    return make


def test_all_after_the_settings_is_the_program():
    made = load_player("engine:time=2,grace=0.5,./my bot --odds a=1,b=2:3")
    assert isinstance(made, Engine)
    assert (made.time, made.grace, made.command) == (2.0, 0.5, "./my bot --odds a=1,b=2:3")
    assert str(made) == made.text_for(PIG) == "engine:time=2,grace=0.5,./my bot --odds a=1,b=2:3"
    assert load_player(str(made)) == made
    assert load_player("engine:command=./bot").command == "./bot"
    with pytest.raises(SpecError, match="set twice"):
        load_player("engine:time=2,time=3,./bot")
    with pytest.raises(SpecError, match="grace=x is not a number"):
        load_player("engine:grace=x,./bot")


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("engine", "needs a program"),
        ("engine:./no_such_bot", "cannot be run: No such file"),
        ("engine:'", "cannot be read"),
        ("engine:false", "ended with exit code 1"),
        (f"engine:{sys.executable} -c \"raise ValueError('lost')\"", "ended with exit code 1: ValueError: lost"),
        (f"engine:patience=0.2,{sys.executable} -c 'import time; time.sleep(60)'", "did not answer 'hello' in time"),
        (f"engine:{sys.executable} -c \"input(); print('error no')\"", "refuses 'hello': no"),
    ],
)
def test_a_program_that_cannot_play_is_refused_in_a_sentence(spec, sentence, capsys):
    with pytest.raises(AstragalError, match=sentence.replace("(", r"\(")):
        load_player(spec, PIG)
    ran = run_here(capsys, "search", "pig", "--player", spec)
    assert (ran.code, ran.err.count("\n")) == (2, 1)


@pytest.mark.filterwarnings("ignore:the engine")
def test_an_engine_may_repeat_its_input_and_one_that_does_nothing_else_is_warned_of():
    for line in ("hello 1", "game pig"):
        echo = EngineProcess(f"{sys.executable} -c \"line = input(); print(line); print('ok', line)\"")
        with pytest.warns(UserWarning, match="repeats its input; it has 9 seconds"):
            assert echo.ask(line, 9.0) == line
        echo.close()
    with (
        pytest.warns(UserWarning, match="the engine cat repeats its input"),
        pytest.raises(EngineError, match="in time"),
    ):
        load_player("engine:patience=0.2,cat", PIG)


@pytest.mark.few(2)
@pytest.mark.parametrize("spec", ["pig", "ewn", "tic_tac_toe.kif", "focus:players=3"])
def test_an_engine_that_knows_no_rules_plays_any_game(spec):
    contest = Contest.of(spec, [f"engine:{sys.executable} {RANDOM}", "random"], Limits(time=5), seed=3)
    record = play_game(contest, 0, 0, strict=True)
    assert record.forfeit is None
    assert len(record.searches) > 2


def test_what_it_tells_is_what_the_result_says(bot):
    told = "say('info depth 3 value 4.5 nodes 77 sims 9 line roll (8) hold'); "
    told += "say('info action hold value -1 bound at most'); say('info action roll value 4.5 visits 9 bound depth 3'); "
    told += "say('# chatter'); say('what?'); say('info value x nodes -3 depth 1e9'); say('best ROLL')"
    progress = []
    result = load_player(bot(told), PIG).search(DECISION, 5, progress=progress.append)
    assert (result.action, result.value, result.bound, result.depth) == ("roll", 4.5, "depth 3", 3)
    assert (result.nodes, result.simulations, result.line) == (77, 9, ["roll", "(8)", "hold"])
    assert [(row.action, row.value, row.bound, row.visits) for row in result.actions] == [
        ("roll", 4.5, "depth 3", 9),
        ("hold", -1.0, "at most", None),
    ]
    assert [found.action for found in progress] == ["roll"]


def test_it_is_asked_with_limits_seed_and_legal_actions(bot):
    player = load_player(bot("say('info line', *words); say('best', words[-1])"), PIG)
    result = player.search(DECISION, 5, Limits(time=2.5, nodes=100, depth=4, sims=7))
    assert " ".join(result.line) == "time 2.5 nodes 100 depth 4 sims 7 seed 5 actions hold roll"


FAULTS = [
    ("say('best fly')", "", "chose 'fly', which is not legal"),
    ("say('best')", "", "chose '', which is not legal"),
    ("sys.exit('tired')", "", "ended with exit code 1: tired"),
    ("time.sleep(60)", "grace=0.1,", "did not answer 'go' in time"),
    ("say('error not supported')", "", "refuses 'go': not supported"),
    ("__import__('os').close(1); time.sleep(60)", "", "closed its output"),
    ("while True: say('info depth 1 value 0')", "grace=0.1,", "did not answer 'go' in time"),
    ("while True: sys.stdout.write('x' * 10**6)", "grace=0.1,", "did not answer 'go' in time"),
    (r"say('best fly\x1b[2J\x00')", "", "chose 'fly', which"),
]


@pytest.mark.few(2)
@pytest.mark.parametrize(("answer", "settings", "sentence"), FAULTS)
def test_a_fault_loses_the_game_and_the_next_one_is_played(bot, answer, settings, sentence):
    contest = Contest.of("pig", [bot(answer, settings), "random"], Limits(time=0.2), seed=1)
    for game in (0, 1):
        record = play_game(contest, 0, game)
        assert record.forfeit == record.seats.index(0)
        assert sentence in record.fault
        assert record.utilities[record.forfeit] == PIG.utility_range[0]


@pytest.mark.few(1)
@pytest.mark.parametrize("answer", ["sys.exit(3)", "time.sleep(60)"])
def test_a_match_goes_on_when_an_engine_fails_from_the_first_move(bot, answer, tmp_path, capsys):
    """It gets no move before the first game: its faults are forfeits, not the end of the match."""
    spec = bot(answer, "grace=0.1,patience=5,")
    words = ["match", "pig", "random", spec, "--games", "2", "--time", "0.1", "--jobs", "1", "--db", f"{tmp_path}/r.db"]
    ran = run_here(capsys, *words)
    assert ran.code == 0
    assert "2 lost by forfeit" in ran.out


@pytest.mark.slow
@pytest.mark.interpreted
def test_getting_ready_is_not_on_the_clock(tmp_path):
    """A program may take longer to start than a move may take."""
    path = tmp_path / "slow.py"
    path.write_text("import time; time.sleep(0.6)\n" + RANDOM.read_text())
    one = f"engine:grace=0,{sys.executable} {path}"
    contest = Contest.of("pig", [one, one + " again"], Limits(time=0.4), seed=3)
    assert play_game(contest, 0, 0, grace=0.0).forfeit is None


@pytest.mark.slow
@pytest.mark.interpreted
def test_a_program_that_never_stops_talking_is_refused_in_time():
    talk = "while True: print('what?')"
    with pytest.raises(EngineError, match="did not answer 'hello' in time"):
        load_player(f'engine:patience=0.3,{sys.executable} -c "{talk}"', PIG)


STUBBORN = "trap '' TERM\nsleep 60 & echo $! > {pid}\nwhile true; do echo ok; sleep 0.1; done"  # it reads nothing
OBEDIENT = "sleep 60 & echo $! > {pid}\necho ok\nread hello; read quit"
GROUPS = pytest.mark.skipif(not hasattr(os, "killpg"), reason="there are no groups of processes")


@GROUPS
@pytest.mark.parametrize("how", [STUBBORN, OBEDIENT], ids=["stubborn", "obedient"])
def test_programs_that_an_engine_has_started_end_with_it(how, tmp_path):
    script = tmp_path / "bot.sh"
    script.write_text(how.format(pid=tmp_path / "pid"))
    engine = EngineProcess(f"sh {script}")
    assert engine.ask("hello 1", 20) == ""
    child = int((tmp_path / "pid").read_text())
    engine.close()
    wait_for_the_end_of(child)


def wait_for_the_end_of(child: int) -> None:
    for _ in range(400):  # the system may take a moment
        if not is_alive(child):
            return
        time.sleep(0.01)
    os.kill(child, signal.SIGKILL)
    pytest.fail("it has outlived its engine")


@GROUPS
@pytest.mark.slow
@pytest.mark.interpreted
@pytest.mark.parametrize(
    ("jobs", "sent"), [(1, "SIGTERM"), (2, "SIGTERM"), (1, "SIGINT"), (2, "SIGINT"), (1, "SIGHUP")]
)
def test_no_engine_outlives_its_match(jobs, sent, tmp_path):
    """A busy one neither, that looks at nothing: after a signal, or after the second Ctrl-C."""
    script = tmp_path / "bot.py"
    hang = f"open({str(tmp_path)!r} + f'/{{os.getpid()}}.pid', 'w').close(); time.sleep(60)"
    script.write_text("import os\n" + HEAD.replace("STOP", "pass") + f"    {hang}\n")
    match = ["pig", f"engine:patience=60,{sys.executable} {script}", "random", "--games", 4, "--jobs", jobs]
    running = start_match(*match, "--db", tmp_path / "r.db")
    wait_until(lambda: len(list(tmp_path.glob("*.pid"))) >= jobs)
    engines = [int(each.stem) for each in tmp_path.glob("*.pid")]
    for _ in range(2 if sent == "SIGINT" else 1):
        running.send_signal(getattr(signal, sent))
        time.sleep(1.0)
    running.communicate(timeout=60)
    for engine in engines:
        wait_for_the_end_of(engine)


def is_alive(process: int) -> bool:
    """Whether a process is there and not only waiting to be forgotten."""
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except OSError:
        return False


@pytest.mark.slow
@pytest.mark.interpreted
def test_without_a_limit_on_time_it_has_patience(bot):
    with pytest.raises(EngineError, match="in time"):
        load_player(bot("time.sleep(60)", "grace=0.1,patience=5,"), PIG).search(DECISION, 0, Limits(nodes=3, time=0.01))
    with pytest.raises(EngineError, match="in time"):
        Engine(command=load_player(bot("time.sleep(60)")).command, patience=0.3).search(DECISION)


def test_who_stops_the_search_stops_the_engine(bot):
    switch = Switch()
    player = load_player(bot("say('info depth 1')", stop="say('best hold')"), PIG)
    with stoppable_by(switch):
        result = player.search(DECISION, 0, Limits(time=100), progress=lambda found: switch.stop())
    assert result.action == "hold"


def test_a_process_is_kept_from_game_to_game(bot):
    player = load_player(bot("say('info nodes', __import__('os').getpid()); say('best hold')"), PIG)
    first, again = player.search(DECISION).nodes, player.search(DECISION).nodes
    assert first == again != os.getpid()
    sessions = player.new_session(), player.new_session()
    assert len({player.search(DECISION, session=session).nodes for session in sessions}) == 2


def test_our_own_engine_answers_as_the_player_itself():
    own = load_player(f"engine:{sys.executable} -m astragal engine --player random", PIG)
    for seed in range(4):
        assert own.search(DECISION, seed).action == load_player("random").search(DECISION, seed).action
    with pytest.raises(EngineError, match=r"refuses 'game': hold only plays pig"):
        load_player(f"engine:{sys.executable} -m astragal engine --player hold", load_game("ewn"))


def test_the_page_runs_no_programs():
    from astragal.web.caps import Caps
    from astragal.web.session import Session

    caps = Caps()
    with pytest.raises(SpecError, match="not for the page"):
        Session("1", "pig", Position.start(PIG), ["person", "engine:touch /tmp/never"], 0, caps)


@pytest.mark.parametrize(
    ("command", "backslashes", "words"),
    [
        (r"C:\bots\my.exe --level 3", True, [r"C:\bots\my.exe", "--level", "3"]),
        (r'"C:\Program Files\bot.exe" -x "a b"', True, [r"C:\Program Files\bot.exe", "-x", "a b"]),
        (r"./my\ bot 'a b' #1", False, ["./my bot", "a b", "#1"]),
        (r"", True, []),
    ],
)
def test_a_command_is_split_as_its_system_writes_paths(command, backslashes, words):
    assert words_of(command, backslashes) == words


def test_a_path_of_windows_is_kept_in_a_players_text():
    text = r"engine:grace=2,C:\bots\my.exe --level 3"
    assert load_player(text).command == r"C:\bots\my.exe --level 3"
    assert str(load_player(text)) == text
