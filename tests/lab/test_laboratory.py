"""The laboratory: specifications, studies that go on where they stopped, states, and reports of planted numbers."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from astragal import AstragalError, Limits, Position, load_game
from astragal.arena.contest import GameRecord, SearchStats
from astragal.arena.run import pairs_for
from astragal.arena.workers import local_workers
from astragal.base.errors import SpecError, Stopped
from astragal.lab import experiment as registry
from astragal.lab.claims import Above
from astragal.lab.exact import exact_for
from astragal.lab.experiment import Experiment, Publication, experiments, find_experiments
from astragal.lab.findings import Paper
from astragal.lab.laboratory import BusyLaboratory, Incomplete, Laboratory
from astragal.lab.notebook import Notebook
from astragal.lab.parts.duels import Duel, Duels
from astragal.lab.parts.estimation import Estimation, against_exact
from astragal.lab.parts.ratios import Ratios
from astragal.lab.parts.tuning import Tuning
from astragal.lab.report.remarks import read_remarks
from astragal.lab.report.report import best_runs, write_report
from astragal.lab.size import SCALES, Size, Sizes
from astragal.lab.states import observed_states, random_states
from astragal.lab.study import Study, run_study, search_positions
from support.helpers import run_here, solutions_in
from support.laboratories import tiny_size

SIZE = Size(games=4, states=3, runs=2, time=0.002)
ALL_SIZES = Sizes(quick=SIZE, standard=replace(SIZE, games=8), paper=replace(SIZE, games=400))


def duels(first: str = "random", second: str = "greedy", game: str = "tic_tac_toe", **more: Any) -> Duels:
    duel = Duel("row", "column", game, first, second, **more)
    return Duels("A part", lambda size: [duel], "figure", "who", "what", shape="bars", claims=(Above("wins", "row"),))


def small(*parts: Any) -> Experiment:
    return Experiment("planted-one", "One", "About it.", ALL_SIZES, parts or (duels(),))


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> Experiment:
    """The only experiment there is."""
    made = small(duels(paper=Paper(0.6, 100)))
    monkeypatch.setattr(
        registry, "experiments", lambda: {made.name: (Publication("planted", "A work", "An author 2020"), made)}
    )
    monkeypatch.setattr("astragal.lab.report.report.experiments", registry.experiments)
    return made


def busy(notebook: Notebook, seed: int = 0) -> BusyLaboratory:
    return BusyLaboratory(notebook, seed, workers=lambda: local_workers(1))


# Specifications


def test_every_experiment_fits_together_at_every_scale():
    pytest.importorskip("pyspiel")
    for name, (_, experiment) in experiments().items():
        assert experiment.name == name
        for scale in SCALES:
            experiment.check(experiment.sizes.at(scale))
        experiment.check(tiny_size(experiment))


def test_names_begin_with_their_work():
    assert all(name.startswith(f"{work.name}-") for name, (work, _) in experiments().items())


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        (duels(first="missing_player"), "there is no player 'missing_player'"),
        (duels(game="nothing"), "there is no game 'nothing'"),
        (duels(second="mm:depth=x"), "mm: depth"),
        (Estimation("E", "pig", {"row": "missing_player"}, ("pig", ("mcts",))), "there is no player 'missing_player'"),
        (Estimation("E", "pig", {"row": "mcts"}, ("nothing", ("mcts",))), "there is no game 'nothing'"),
        (Ratios("R", "nodes", {"row": {"ewn": ("star1:nothing=1", "star1")}}), "star1 has no setting 'nothing'"),
        (Tuning("T", "star1ss", ["ewn"], ["nothing=1..2"]), "star1ss has no setting 'nothing'"),
    ],
    ids=["player", "game", "setting", "estimation", "its game", "ratios", "tuning"],
)
def test_what_there_is_not_is_refused_before_anything_is_played(part, sentence):
    with pytest.raises(SpecError, match=sentence) as raised:
        small(part).check(replace(SIZE, candidates=2))
    assert "planted-one" in str(raised.value)


def test_experiments_by_name_by_work_and_all():
    assert [each.name for each in find_experiments(["multiplayer-table1"])] == ["multiplayer-table1"]
    tables = [f"multiplayer-table{number}" for number in (1, 2, 3)]
    assert [each.name for each in find_experiments(["multiplayer", "multiplayer-table1"])][:3] == tables
    assert len(find_experiments(["all"])) == len(experiments())
    with pytest.raises(SpecError, match=r"there is no experiment 'multiplayr' .*did you mean 'multiplayer'"):
        find_experiments(["multiplayr"])


def test_what_is_smaller_is_said():
    assert SIZE.smaller_than(SIZE) == []
    larger = replace(SIZE, games=100, time=0.2)
    assert SIZE.smaller_than(larger) == [
        "games a pairing: 4 instead of 100",
        "seconds a move: 0.002 instead of 0.2",
    ]


# Studies


def test_a_study_goes_on_where_it_stopped(tmp_path):
    states = random_states("ewn", 3, 0)
    study = Study.of("ewn", "star1ss:depth=1", seed=4)
    with Notebook(tmp_path / "n.db") as notebook:
        run_study(study, states[:2], 1, notebook, 1, lambda: local_workers(1))
        before = notebook.measurements(notebook.enter_study(study))
        assert {(each.position, each.run) for each in before} == {(state, 0) for state in states[:2]}
        heard: list[Any] = []
        run_study(study, states, 2, notebook, 1, lambda: local_workers(1), heard.extend)
        assert {(each.position, each.run) for each in heard} == {(state, run) for state in states for run in (0, 1)} - {
            (state, 0) for state in states[:2]
        }
        after = notebook.measurements(notebook.enter_study(study))
        assert [each for each in after if each in before] == before
        assert len(after) == 6


def test_runs_of_a_study_are_the_same_wherever_they_are_made_and_differ_from_each_other():
    states = random_states("ewn", 2, 0)
    study = Study.of("ewn", "star1ss:depth=3,width=1", seed=4)
    numbers = tuple((state, run) for state in states for run in range(8))
    first, again = (search_positions(study, order) for order in (numbers, numbers[::-1]))
    plain = [each._replace(seconds=0.0, processor=None) for each in first]
    assert plain == [each._replace(seconds=0.0, processor=None) for each in again][::-1]
    assert len({each.value for each in first[:8]}) > 1
    other = search_positions(replace(study, seed=5), numbers)
    assert [each.value for each in other] != [each.value for each in first]


def test_a_stopped_study_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr("astragal.arena.dispatch.Dispatcher.run", lambda self, tasks: False)
    with Notebook(tmp_path / "n.db") as notebook, pytest.raises(Stopped, match="goes on from here"):
        run_study(Study.of("ewn", "random"), ["x"], 1, notebook, 1, lambda: local_workers(1))


# States


def test_observed_states_are_decisions_each_only_once(tmp_path):
    with Notebook(tmp_path / "n.db") as notebook:
        lab = busy(notebook)
        players = ("hold", "random", "greedy")
        states = observed_states(lab, "pig:goal=20", players, Limits(), 4, 10**6)
        rules = load_game("pig:goal=20")
        assert len(states) == len(set(states)) > 20
        assert all(Position.parse(rules, state).actions() for state in states)
        fewer = observed_states(lab, "pig:goal=20", players, Limits(), 4, 7)
        assert len(fewer) == 7
        assert set(fewer) < set(states)
        with pytest.raises(Incomplete, match="are not all there"):
            observed_states(Laboratory(notebook), "pig:goal=20", players, Limits(), 6, 7)


def test_random_states_are_different_decisions():
    states = random_states("kalah:setup=random", 30, 3)
    assert len(set(states)) == 30
    assert states == random_states("kalah:setup=random", 30, 3)
    assert states != random_states("kalah:setup=random", 30, 4)
    rules = load_game("kalah:setup=random")
    assert all(len(Position.parse(rules, state).actions()) > 1 for state in states)


@pytest.mark.compiled
def test_optimal_play_has_no_regret_and_its_values_no_error():
    game = "pig:goal=20"
    exact_for(game)
    states = random_states(game, 20, 0)
    searches = {state: search_positions(Study.of(game, "optimal"), ((state, 0),)) for state in states}
    values, truths, regrets = against_exact(searches, game)
    assert [runs[0] for runs in values] == pytest.approx(truths)
    assert all(runs == [0.0] for runs in regrets)
    wild = {state: search_positions(Study.of(game, "random"), ((state, 0),)) for state in states}
    _, _, of_random = against_exact(wild, game)
    assert min(runs[0] for runs in of_random) >= 0.0
    assert max(runs[0] for runs in of_random) > 0.0


# Laboratories


def test_what_is_there_is_read_and_what_is_missing_is_counted(tmp_path):
    with Notebook(tmp_path / "n.db") as notebook:
        experiment = small()
        reading = Laboratory(notebook)
        (section,) = experiment.carry_out(reading, SIZE)
        assert (section.missing, section.tables[0].entries) == (4, {})
        (played,) = experiment.carry_out(busy(notebook), SIZE)
        assert played.missing == 0
        (read,) = experiment.carry_out(Laboratory(notebook), SIZE)
        assert read.tables[0].entries == played.tables[0].entries
        (more,) = experiment.carry_out(Laboratory(notebook), replace(SIZE, games=10))
        assert more.missing == 6
        assert more.tables[0].entries == played.tables[0].entries


@pytest.mark.slow
def test_a_game_is_solved_for_a_player_that_looks_it_up(tmp_path):
    exact_for.cache_clear()
    with solutions_in(tmp_path), Notebook(tmp_path / "n.db") as notebook:
        (section,) = small(duels("optimal", "random", "pig:goal=12")).carry_out(busy(notebook), SIZE)
    assert section.tables[0].entries["row", "column"].count == 4
    assert not section.notes


def test_another_seed_plays_other_games(tmp_path):
    with Notebook(tmp_path / "n.db") as notebook:
        contests = [Laboratory(notebook, seed).contest("ewn", ["random", "greedy"]) for seed in (0, 1)]
        assert contests[0].seed != contests[1].seed
        assert contests[0] == Laboratory(notebook, 0).contest("ewn", ["random", "greedy"])


# Reports


def plant(notebook: Notebook, wins: int, games: int) -> None:
    """How many games of the planted experiment the first player won."""
    contest = Laboratory(notebook).contest("tic_tac_toe", ["random", "greedy"])
    number = notebook.enter(contest)
    session = notebook.begin_session(number, "planted")
    records = []
    for pair in range(pairs_for(contest, games)):
        for game, seats in enumerate(contest.seatings):
            won = 2 * pair + game < wins
            utilities = tuple(100.0 if (kind == 0) == won else -100.0 for kind in seats)
            stats = SearchStats(0.0, 1, 1, None, 0.0, None)
            records.append(GameRecord(pair, game, seats, contest.pair_seed(pair), (0,), (stats,), utilities))
    notebook.add(number, session, records)


class Cells(HTMLParser):
    """The cells of the tables of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.cells: list[str] = []
        self.open = False

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        if tag in ("td", "th"):
            self.cells.append("")
            self.open = True

    def handle_endtag(self, tag: str) -> None:
        self.open = self.open and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self.open:
            self.cells[-1] += data


def test_a_report_renders_planted_numbers(tmp_path, planted):
    pytest.importorskip("matplotlib")
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "planted-one.md").write_text("**Remark.** What we think of it.\nConjecture: ours is another game")
    (notes / "report.md").write_text("What did not fit.")
    with Notebook(tmp_path / "n.db") as notebook:
        plant(notebook, 150, 200)
        size = replace(SIZE, games=200)
        notebook.end_experiment(notebook.begin_experiment("planted-one", "standard", size, 0, 2, "typed"), 90.0)
        written = write_report(notebook, tmp_path / "out", notes)
    assert (written.experiments, written.figures) == (1, 1)
    markdown = (tmp_path / "out/report.md").read_text()
    page = (tmp_path / "out/index.html").read_text()
    # all pairs but one have equal games, so the interval is that of about 100 independent games
    assert "| row | 75.0 [65.5, 82.6] (200) |" in markdown
    assert "|   paper | 60.0 disagrees |" in markdown
    assert "| wins | agrees | column: 75.0 [65.5, 82.6] (200) |" in markdown
    assert "2020) | 2 | 1 | 1 | 0 | 0 |" in markdown
    assert "| [planted-one](#one) | 2 | 1 | 1 | 0 | 0 |  | today |" in markdown
    assert "- **conjecture**: ours is another game" in markdown
    assert "| games a pairing | 400 | 200 |" in markdown
    assert "(rows.md#planted-one-" in markdown
    assert "astragal match tic_tac_toe random greedy --games 200 --seed" in (tmp_path / "out/rows.md").read_text()
    assert "astragal match tic_tac_toe random greedy --games 200 --seed" in page
    assert "`astragal lab run planted-one --scale standard --size games=200 --seed 0 --jobs 2`" in markdown
    assert "Claims or margins were changed, or first written down, after this run was begun." in markdown
    assert "What we think of it." in markdown
    assert markdown.index("## At a glance") < markdown.index("What did not fit.") < markdown.index("## Contents")
    assert "<strong>Remark.</strong> What we think of it." in page
    parser = Cells()
    parser.feed(page)
    assert "75.0 [65.5, 82.6] (200)" in parser.cells
    assert "60.0 disagrees" in parser.cells
    assert (tmp_path / "out/figures/figure.svg").stat().st_size > 1000
    assert "(figures/figure.svg)" in markdown


def test_a_report_of_a_broken_off_run_says_what_is_missing(tmp_path, planted):
    pytest.importorskip("matplotlib")
    with Notebook(tmp_path / "n.db") as notebook:
        plant(notebook, 10, 20)
        notebook.begin_experiment("planted-one", "quick", replace(SIZE, games=30), 0, 2, "typed")
        write_report(notebook, tmp_path / "out")
    markdown = (tmp_path / "out/report.md").read_text()
    assert "10 games or searches of this scale are missing." in markdown
    assert "broken off" in markdown


def test_the_largest_run_that_was_ended_is_reported(tmp_path, planted):
    with Notebook(tmp_path / "n.db") as notebook:
        for scale, ended in (("standard", True), ("quick", True), ("paper", False), ("standard", True)):
            number = notebook.begin_experiment("planted-one", scale, SIZE, 0, 1, "typed")
            if ended:
                notebook.end_experiment(number, 1.0)
        ((_, _, run),) = best_runs(notebook)
        assert (run.scale, run.id) == ("standard", 4)


def test_a_report_has_links_contents_a_dark_theme_and_room_for_a_phone(tmp_path, planted):
    pytest.importorskip("matplotlib")
    notes = tmp_path / "notes"
    notes.mkdir()
    (notes / "planted.md").write_text("**A work** says that it wins; it does.")
    with Notebook(tmp_path / "n.db") as notebook:
        plant(notebook, 15, 20)
        number = notebook.begin_experiment("planted-one", "quick", SIZE, 0, 1, "typed", planted.plan)
        notebook.end_experiment(number, 1.0)
        write_report(notebook, tmp_path / "out", notes)
    page, markdown = (tmp_path / "out/index.html").read_text(), (tmp_path / "out/report.md").read_text()
    targets = set(re.findall(r'href="#([^"]+)"', page))
    assert targets == {"one", "a-work-an-author-2020"}
    assert targets <= set(re.findall(r'id="([^"]+)"', page))
    assert "[One](#one)" in markdown
    assert "prefers-color-scheme: dark" in page
    assert "max-width: 40rem" in page
    assert "says that it wins; it does" in markdown.partition("At a glance")[0]
    assert "Claims or margins were changed" not in markdown


def test_claims_and_margins_are_a_plan_that_a_run_is_compared_with():
    first = small()
    assert first.plan == small().plan
    part = first.parts[0]
    assert small(replace(part, claims=(Above("wins", "row", level=0.6),))).plan != first.plan
    assert small(replace(part, margin=0.01)).plan != first.plan
    assert replace(first, about="Other words.").plan == first.plan
    assert len({experiment.plan for _, experiment in experiments().values()}) > 20


def test_a_reason_names_the_experiment_that_tested_it_or_is_a_conjecture(tmp_path):
    (tmp_path / "a.md").write_text("Words.\nTested (mcms-noise, n = 400 states): noise.\nConjecture: a guess.")
    found = read_remarks(tmp_path, "a")
    assert (found.text, found.words) == ("Words.", 1)
    assert [reason.words for reason in found.reasons] == [
        "**tested** (mcms-noise, n = 400 states): noise.",
        "**conjecture**: a guess.",
    ]
    for wrong in ("Reason: because", "Tested: by chance", "Tested (mcms-noise): without n"):
        (tmp_path / "a.md").write_text(wrong)
        with pytest.raises(SpecError, match="a reason is"):
            read_remarks(tmp_path, "a")
    assert read_remarks(None, "a") == read_remarks(tmp_path, "b")


# The command


def test_list_run_again_and_report(tmp_path, planted, capsys, monkeypatch):
    pytest.importorskip("matplotlib")
    db, out = tmp_path / "lab.db", tmp_path / "report"
    listed = run_here(capsys, "lab", "list")
    assert "A work (An author 2020): astragal lab run planted" in listed.out
    ran = run_here(capsys, "lab", "run", "planted-one", "--db", db, "--jobs", 1)
    assert (ran.code, "games a pairing: 4 instead of 400" in ran.out) == (0, True)
    assert "paper" in ran.out
    assert "tic_tac_toe: random - greedy" in ran.err
    before = count_games(db)
    again = run_here(capsys, "lab", "run", "planted", "--db", db, "--jobs", 1)
    assert again.code == 0
    assert count_games(db) == before == 4
    larger = run_here(capsys, "lab", "run", "all", "--scale", "standard", "--db", db, "--jobs", 1)
    assert (larger.code, count_games(db)) == (0, 8)
    reported = run_here(capsys, "lab", "report", "--db", db, "--out", out)
    assert reported.code == 0
    assert "experiments: 1, figures: 1" in reported.out
    results = run_here(capsys, "results", "list", "--db", db, "--json")
    assert json.loads(results.out)


def count_games(db: Path) -> int:
    with Notebook(db, must_exist=True) as notebook:
        return sum(stored.games for stored in notebook.contests())


def test_an_experiment_that_needs_a_package_is_left_out_of_all_but_refused_alone(
    tmp_path, planted, capsys, monkeypatch
):
    def refuse(self: Experiment, size: Size) -> None:
        raise AstragalError("it needs a package")

    monkeypatch.setattr(Experiment, "check", refuse)
    left_out = run_here(capsys, "lab", "run", "all", "--db", tmp_path / "lab.db")
    assert (left_out.code, "planted-one is left out: it needs a package" in left_out.err) == (0, True)
    alone = run_here(capsys, "lab", "run", "planted-one", "--db", tmp_path / "lab.db")
    assert (alone.code, alone.err) == (2, "astragal: it needs a package\n")


@pytest.mark.slow
@pytest.mark.interpreted
def test_ratios_of_a_broken_off_run_use_what_is_there(tmp_path):
    fixed = "star1ss:depth=2,deepening=off"
    part = Ratios("R", "variance", {"row": {"ewn": (f"{fixed},width=1", f"{fixed},width=2")}})
    states = random_states("ewn", 12, 0)
    with Notebook(tmp_path / "n.db") as notebook:
        for width, runs in ((1, 5), (2, 3)):
            run_study(Study.of("ewn", f"{fixed},width={width}"), states, runs, notebook, 1, lambda: local_workers(1))
        section = part.carry_out(Laboratory(notebook), replace(SIZE, states=12, runs=5))
    assert [table.entries["row", "ewn"].count for table in section.tables] == [12, 12]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("run", "nothing"), "there is no experiment 'nothing'"),
        (("run", "planted-one", "--scale", "huge"), "there is no scale 'huge'"),
        (("run", "planted-one", "--db", "no/such/folder/lab.db"), "cannot be used as a results file"),
        (("report", "--db", "no.db"), "there is no results file no.db"),
        (("run",), "Missing argument"),
        (("report", "--db", "no.db", "--notes", "nowhere"), "there is no results file no.db"),
    ],
)
def test_wrong_arguments(arguments, sentence, planted, capsys):
    ran = run_here(capsys, "lab", *arguments)
    assert ran.code == 2
    assert sentence in ran.err
    assert "Traceback" not in ran.err


def test_a_report_of_nothing_and_one_that_cannot_be_written(tmp_path, planted, capsys):
    with Notebook(tmp_path / "empty.db"):
        pass
    ran = run_here(capsys, "lab", "report", "--db", tmp_path / "empty.db")
    assert (ran.code, "has no experiments yet" in ran.err) == (2, True)
    with Notebook(tmp_path / "n.db") as notebook:
        notebook.begin_experiment("planted-one", "quick", SIZE, 0, 1, "typed")
    (tmp_path / "file").write_text("in the way")
    ran = run_here(capsys, "lab", "report", "--db", tmp_path / "n.db", "--out", tmp_path / "file")
    assert (ran.code, "the report cannot be written" in ran.err) == (2, True)


def test_another_notebook_that_is_no_results_file(tmp_path, planted, capsys):
    (tmp_path / "text.db").write_text("not a database at all, but long enough to look at")
    ran = run_here(capsys, "lab", "run", "planted-one", "--db", tmp_path / "text.db")
    assert ran.code == 2
    assert "cannot be used as a results file" in ran.err


def test_an_interrupted_experiment_keeps_its_games_and_goes_on(tmp_path, planted, capsys, monkeypatch):
    from astragal.arena.dispatch import Interrupt

    db = tmp_path / "lab.db"
    heard = Interrupt.heard

    def wish(self: Interrupt) -> Any:
        self.wished = True
        return heard(self)

    with monkeypatch.context() as patched:
        patched.setattr(Interrupt, "heard", wish)
        stopped = run_here(capsys, "lab", "run", "planted-one", "--db", db, "--jobs", 1)
    assert stopped.code == 130
    assert "the same command goes on from here" in stopped.err
    with Notebook(db, must_exist=True) as notebook:
        assert [run.ended for run in notebook.runs()] == [None]
    assert run_here(capsys, "lab", "run", "planted-one", "--db", db, "--jobs", 1).code == 0


def test_the_notebook_is_read_as_a_results_file_and_the_other_way_round(tmp_path):
    from astragal.arena.store.results_store import ResultsStore

    with ResultsStore(tmp_path / "r.db"):
        pass
    with Notebook(tmp_path / "r.db", must_exist=True) as notebook:
        assert notebook.runs() == []
        (section,) = small().carry_out(Laboratory(notebook), SIZE)
        assert section.missing == 4
    with Notebook(tmp_path / "n.db"):
        pass
    with ResultsStore(tmp_path / "n.db", must_exist=True) as store:
        assert store.contests() == []
    with pytest.raises(AstragalError, match="there is no results file"):
        Notebook(tmp_path / "nowhere.db", must_exist=True)
