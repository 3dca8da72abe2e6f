"""Pictures of results: planted scores are found in what is drawn, equal data give equal files, and sentences."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from astragal import AstragalError, game_names, load_game, load_player, player_classes
from astragal.algorithms.limits import Limits
from astragal.arena.contest import Contest, Finish
from astragal.arena.curves import curves
from astragal.arena.meeting import occasion_of, with_occasion
from astragal.arena.plots import lie_by_factors, plot_bars, plot_crosstable, plot_curves, plot_tuning
from astragal.arena.statistics.estimates import duplicate_score, estimated
from astragal.arena.statistics.ratings import rated
from astragal.arena.store.results_store import ResultsStore
from astragal.arena.summary import Standing
from astragal.arena.tuning import tuning_trace
from support.arenas import contest, records, standing
from support.helpers import Ran, run_here

pytest.importorskip("matplotlib", reason="Matplotlib is not installed (pip install astragal[plots])")

WON, LOST, DRAWN = (1.0, 1.0), (0.0, 0.0), (0.5, 0.5)
SPLIT = (1.0, 0.0)
GOOD = [WON, WON, SPLIT, WON, DRAWN]
EVEN = [WON, LOST, SPLIT, DRAWN]
BAD = [LOST, LOST, SPLIT, LOST]


def plant(file: Path, planted: dict[Contest, list[tuple[float, float]]], command: str = "") -> Path:
    with ResultsStore(file) as store:
        for each, pairs in planted.items():
            number = store.enter(each)
            store.add(number, store.begin_session(number, command), records(each, pairs))
    return file


def value_of(pairs: list[tuple[float, float]]) -> tuple[float, float, float]:
    found = estimated(pairs)
    return found.mean, found.low, found.high


def refused(ran: Ran) -> str:
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("astragal: ")
    assert ran.err.count("\n") == 1
    return ran.err[len("astragal: ") : -1]


# What curves are made of


def test_the_setting_that_differs_is_found_with_the_scores_against_each_opponent():
    found = curves(
        [
            standing(contest("uct:sims=400", "mm:depth=2"), GOOD),
            standing(contest("uct:sims=100", "mm:depth=2"), BAD),
            standing(contest("uct:sims=100", "mm:depth=1"), EVEN),
        ]
    )
    assert found.setting == "sims"
    assert found.series == {
        "uct - mm:depth=2": [(100, *value_of(BAD)), (400, *value_of(GOOD))],
        "uct - mm:depth=1": [(100, *value_of(EVEN))],
    }


def test_contests_that_differ_in_their_seeds_alone_are_one_point():
    parts = [standing(contest("uct:sims=9", "random", seed=seed), played) for seed, played in ((1, GOOD), (2, BAD))]
    found = curves([*parts, standing(contest("uct:sims=99", "random"), EVEN)])
    assert found.series["uct - random"][0] == (9, *value_of(GOOD + BAD))


def test_a_limit_of_the_contest_is_a_setting():
    some = [standing(contest("uct", "mm", nodes=n), played) for n, played in ((10, BAD), (1000, GOOD))]
    found = curves(some)
    assert found.setting == "nodes"
    assert found.series == {"uct - mm": [(10, *value_of(BAD)), (1000, *value_of(GOOD))]}


def test_the_player_named_can_be_the_second():
    some = [standing(contest("mm:depth=2", f"uct:sims={n}"), played) for n, played in ((10, GOOD), (20, BAD))]
    found = curves(some, player="uct")
    turned = [[(1 - a, 1 - b) for a, b in played] for played in (GOOD, BAD)]
    assert found.series == {"uct - mm:depth=2": [(10, *value_of(turned[0])), (20, *value_of(turned[1]))]}


def test_duplicate_scores_leave_out_boards_that_nobody_takes():
    some = [
        standing(contest(f"uct:sims={n}", "random"), played) for n, played in ((1, [SPLIT] * 3), (2, GOOD), (3, BAD))
    ]
    points = curves(some, score="duplicate").series["uct - random"]
    rates = [duplicate_score(played).rate for played in (GOOD, BAD)]
    assert points == [(x, rate.mean, rate.low, rate.high) for x, rate in zip((2, 3), rates, strict=True)]


def test_where_two_settings_differ_one_is_named_and_the_other_makes_series():
    some = [standing(contest(f"uct:c={c},sims={n}", "random"), EVEN) for c in (3, 4) for n in (5, 6)]
    with pytest.raises(AstragalError, match="sims and c vary; name one of them as the setting \\(--over\\)"):
        curves(some)
    assert list(curves(some, over="sims").series) == ["uct:c=3 - random", "uct:c=4 - random"]
    assert list(curves(some, over="c").series) == ["uct:sims=5 - random", "uct:sims=6 - random"]


def test_what_else_differs_is_told_in_the_names():
    some = [standing(contest(f"hold:n={n}", "random", game), EVEN) for n in (5, 6) for game in ("pig", "pig:goal=9")]
    assert list(curves(some).series) == ["pig: hold - random", "pig:goal=9: hold - random"]
    some = [standing(contest(f"uct:c={c}", "mm", nodes=n), EVEN) for c in (3, 4) for n in (5, 6)]
    assert list(curves(some, over="c").series) == ["uct - mm (nodes=5)", "uct - mm (nodes=6)"]
    finish = Finish(("random", "random"), ply=3)
    some += [standing(Contest.of("tic_tac_toe", ["uct:c=3", "mm"], Limits(nodes=5), finish=finish), EVEN)]
    assert "uct - mm (nodes=5, finished by random and random)" in curves(some, over="c").series


@pytest.mark.parametrize(
    ("planted", "asked", "sentence"),
    [
        ([], {}, "there are no contests of two players to draw a curve of"),
        ([("uct", "random")], {}, "nothing varies: a curve needs contests against the same opponent"),
        ([("uct:sims=5", "random"), ("uct:sims=6", "mm")], {}, "nothing varies"),
        ([("uct", "random")], {"over": "simz"}, r"no player here has a number for 'simz' .*did you mean 'sims'"),
        ([("uct", "random")], {"over": "policy"}, "no player here has a number for 'policy'"),
        ([("uct", "random")], {"player": "mm"}, "there are no contests of two players"),
        ([("uct", "random")], {"score": "median"}, "a curve shows mean or duplicate scores, not 'median'"),
    ],
)
def test_what_no_curve_comes_of_is_said_in_a_sentence(planted, asked, sentence):
    if "over" in asked:
        planted = [(f"{first}:sims=7", second) for first, second in planted]
    with pytest.raises(AstragalError, match=sentence):
        curves([standing(contest(*players), EVEN) for players in planted], **asked)


def test_contests_without_a_whole_match_have_no_score():
    with pytest.raises(AstragalError, match="no pair of games is finished"):
        curves([standing(contest(f"uct:sims={n}", "random"), []) for n in (1, 2)])


def test_numbers_a_factor_apart_are_drawn_so():
    assert lie_by_factors([10, 30, 100, 300])
    assert lie_by_factors([1, 2, 4, 8])
    assert not lie_by_factors(range(2, 40))
    assert not lie_by_factors([10, 1000])
    assert not lie_by_factors([0, 10, 100])


# What is drawn


def lines(axes):
    """Of each series with intervals: places, means, and both ends of the intervals."""
    found = {}
    for container in axes.containers:
        line, _, (bars,) = container.lines
        ends = [tuple(segment[:, 1]) for segment in bars.get_segments()]
        found[container.get_label()] = (list(line.get_xdata()), list(line.get_ydata()), ends)
    return found


def test_a_curve_shows_the_numbers(tmp_path):
    series = {"a": [(100, 0.6, 0.5, 0.7), (10, 0.2, 0.1, 0.4)], "b": [(10, 0.5, 0.5, 0.5)]}
    (axes,) = plot_curves(series, tmp_path / "c.svg", "sims", "score", "title", log=True, reference=0.5).axes
    drawn = lines(axes)
    assert drawn["a"][:2] == ([10, 100], [0.2, 0.6])
    assert drawn["a"][2] == [pytest.approx((0.1, 0.4)), pytest.approx((0.5, 0.7))]
    assert drawn["b"] == ([10], [0.5], [(0.5, 0.5)])
    assert (axes.get_xscale(), axes.get_xlabel(), axes.get_title()) == ("log", "sims", "title")
    assert [text.get_text() for text in axes.get_xticklabels()] == ["10", "100"]
    with pytest.raises(AstragalError, match="a logarithmic axis cannot show 0"):
        plot_curves({"a": [(0, 0.5, 0.4, 0.6)]}, tmp_path / "c.svg", "x", "y", "", log=True)


def test_bars_show_the_numbers_and_what_was_published(tmp_path):
    groups = {"pig": {"star1": (0.5, 0.4, 0.6), "star2": (0.7, 0.6, 0.8)}, "ewn": {"star2": (0.3, 0.1, 0.4)}}
    (axes,) = plot_bars(groups, tmp_path / "b.png", "rate", "t", {"ewn": {"star2": 0.35}}, percent=True).axes
    bars = [each for each in axes.containers if each.get_label() in ("star1", "star2")]
    assert {each.get_label(): [bar.get_height() for bar in each] for each in bars} == {
        "star1": [0.5],
        "star2": [0.7, 0.3],
    }
    (published,) = [line for line in axes.lines if line.get_label() == "published"]
    of_star2 = bars[1][1]
    assert list(published.get_ydata()) == [0.35]
    assert list(published.get_xdata()) == pytest.approx([of_star2.get_x() + of_star2.get_width() / 2])
    assert [text.get_text() for text in axes.get_xticklabels()] == ["pig", "ewn"]


def test_a_crosstable_shows_scores_and_games_in_the_order_of_ratings(tmp_path):
    points = {("weak", "strong"): [0.0, 0.0, 0.5, 0.5], ("strong", "weak"): [1.0, 1.0, 0.5, 0.5]}
    points |= {("strong", "other"): [1.0], ("other", "strong"): [0.0], ("weak", "weak"): [1.0]}
    (axes,) = plot_crosstable(points, tmp_path / "t.pdf", "").axes
    shown = {(round(text.get_position()[1]), round(text.get_position()[0])): text.get_text() for text in axes.texts}
    best_first = sorted(rated(points).players, key=lambda rating: -rating.elo)
    names = [rating.player for rating in best_first]
    assert names[0] == "strong"
    weak, other = names.index("weak"), names.index("other")
    assert shown == {(0, weak): "75%\n4", (0, other): "100%\n1", (weak, 0): "25%\n4", (other, 0): "0%\n1"}
    labels = [text.get_text().split() for text in axes.get_yticklabels()]
    assert labels == [[r.player, f"{r.elo:+.0f}", str(i)] for i, r in enumerate(best_first, 1)]


def tuned(*occasions: str) -> list[tuple[Standing, str]]:
    """An elimination of four settings, and the confirmation of its winner."""
    met = [("hold:n=9", "hold:n=2", GOOD), ("hold:n=5", "hold:n=7", BAD), ("hold:n=9", "hold:n=7", BAD)]
    met += [("hold:n=7", "hold", EVEN)]
    return [
        (standing(contest(first, second, "pig"), played), occasion)
        for (first, second, played), occasion in zip(met, occasions, strict=False)
    ]


def against(pairs: list[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(1 - a, 1 - b) for a, b in pairs]


def test_a_tuning_run_is_traced_and_drawn(tmp_path):
    trace = tuning_trace(tuned("round 1", "round 1", "round 1", "confirmation"))
    assert [(c.player, c.order) for c in trace.candidates] == [
        ("hold:n=9", 1),
        ("hold:n=2", 2),
        ("hold:n=5", 3),
        ("hold:n=7", 4),
    ]
    scores = [GOOD + BAD, against(GOOD), BAD, against(BAD) + against(BAD)]
    means = [estimated(played).mean for played in scores]
    assert [c.estimate.mean for c in trace.candidates] == means
    assert (trace.choice, trace.settings) == ("hold:n=7", ("n",))
    assert trace.confirmation == estimated(EVEN)
    order, by_n = plot_tuning(trace, tmp_path / "t.svg", "").axes
    assert order.collections[1].get_offsets().tolist() == [list(each) for each in zip((1, 2, 3, 4), means, strict=True)]
    assert by_n.collections[1].get_offsets().tolist() == [list(each) for each in zip((9, 2, 5, 7), means, strict=True)]
    (best,) = [line for line in order.lines if line.get_label() == "best so far"]
    assert list(best.get_ydata()) == [max(means[: i + 1]) for i in range(4)]
    ring, diamond = by_n.collections[2:]
    assert (ring.get_label(), ring.get_offsets().tolist()) == ("choice: hold:n=7", [[7.0, means[3]]])
    assert diamond.get_offsets().tolist() == [[7.0, 0.5]]


def test_the_choice_of_a_run_without_confirmation_won_its_last_meeting():
    assert tuning_trace(tuned("round 1", "round 1", "round 1")).choice == "hold:n=7"
    assert tuning_trace(tuned("", "", "", "")).choice == "hold:n=7"


def test_settings_that_are_no_numbers_have_places_too(tmp_path):
    pairs = [("uct:policy=order", "uct:policy=evaluation"), ("uct:policy=order", "uct:c=5")]
    trace = tuning_trace([(standing(contest(*pair), GOOD), "") for pair in pairs])
    panels = {axes.get_xlabel(): axes for axes in plot_tuning(trace, tmp_path / "t.svg", "").axes[1:]}
    assert [text.get_text() for text in panels["policy"].get_xticklabels()] == ["evaluation", "order", "uniform"]


def test_tuning_runs_of_two_players_are_not_mixed():
    some = [
        (standing(contest("hold:n=5", "hold", "pig"), EVEN), ""),
        (standing(contest("uct:c=2", "uct", "pig"), EVEN), ""),
    ]
    with pytest.raises(AstragalError, match="between settings of hold in pig and uct in pig; choose one"):
        tuning_trace(some)
    with pytest.raises(AstragalError, match="there are no contests between settings of one player"):
        tuning_trace([(standing(contest("hold", "random", "pig"), EVEN), "")])


# Files


@pytest.mark.few(1)
@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_the_same_numbers_give_the_same_file(tmp_path, suffix):
    series = {"a": [(1, 0.5, 0.4, 0.6), (2, 0.6, 0.5, 0.7)], "b": [(1, 0.2, 0.1, 0.3)]}
    first, second = tmp_path / f"1.{suffix}", tmp_path / f"2.{suffix}"
    for file in (first, second):
        plot_curves(series, file, "x", "y", "t")
    assert first.stat().st_size > 1000
    assert first.read_bytes() == second.read_bytes()


def test_a_file_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "folder.svg").mkdir()
    with pytest.raises(AstragalError, match="cannot be written"):
        plot_curves({"a": [(1, 0.5, 0.4, 0.6)]}, tmp_path / "folder.svg", "x", "y", "t")


# The commands


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    planted = {contest(f"uct:sims={n}", "mm"): played for n, played in ((10, BAD), (40, EVEN), (160, GOOD))}
    planted[contest("hold:n=5", "hold:n=9", "pig:goal=20")] = GOOD
    planted[contest("hold:n=5", "random", "pig:goal=20")] = GOOD
    return plant(tmp_path_factory.mktemp("plots") / "results.db", planted)


@pytest.mark.parametrize(
    "arguments",
    [
        ("curve", "--game", "tic_tac_toe"),
        ("curve", "--over", "sims", "--score", "duplicate", "--linear", "--title", "A title"),
        ("crosstable", "--game", "pig"),
        ("ratings", "--game", "pig:goal=20"),
        ("tuning",),
    ],
)
def test_the_commands_draw(arguments, capsys, file, tmp_path):
    out = tmp_path / "a.svg"
    ran = run_here(capsys, "results", "plot", *arguments, "--db", file, "--out", out)
    assert (ran.code, ran.out, ran.err) == (0, f"drawn to {out}\n", "")
    drawn = out.read_text()
    assert "<svg" in drawn
    assert "A title" in drawn or "--title" not in arguments
    assert "<!-- hold:n=5" in drawn or arguments[0] in ("curve", "tuning")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("crosstable",), "there are contests of tic_tac_toe and pig:goal=20; choose one with --game"),
        (("crosstable", "--game", "ewn"), "there are no contests of two players to make a table of"),
        (("ratings", "--game", "ewn"), "there are no contests of two players to make a table of"),
        (("curve", "--game", "pig"), "nothing varies"),
        (("tuning", "--player", "uct"), "there are no contests between settings of one player"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_a_sentence(arguments, sentence, capsys, file, tmp_path):
    out = tmp_path / "a.svg"
    assert refused(run_here(capsys, "results", "plot", *arguments, "--db", file, "--out", out)).startswith(sentence)
    assert not out.exists()


def test_sentences_about_files_come_first(capsys, file, monkeypatch, tmp_path):
    for kind in ("curve", "crosstable", "ratings", "tuning"):
        asked = ["results", "plot", kind, "--db", file, "--out"]
        assert "a picture is written to .svg, .png, .pdf" in refused(run_here(capsys, *asked, "a.gif"))
        assert "there is no folder" in refused(run_here(capsys, *asked, tmp_path / "no" / "a.svg"))
        asked[4] = tmp_path / "none.db"
        assert refused(run_here(capsys, *asked, tmp_path / "a.svg")) == f"there is no results file {asked[4]}"
        asked[4] = tmp_path / "empty.db"
        ResultsStore(asked[4]).connection.close()
        assert refused(run_here(capsys, *asked, tmp_path / "a.svg")).startswith("there are no contests")
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert 'pip install "astragal[plots]"' in refused(run_here(capsys, *asked, tmp_path / "a.svg"))


def test_a_tuning_run_is_drawn_from_the_file_it_played_into(capsys, tmp_path):
    file, out = tmp_path / "t.db", tmp_path / "t.svg"
    asked = ["tune", "pig:goal=20", "hold", "--param", "n=2..15", "--candidates", 4, "--games", 8, "--jobs", 1]
    ran = run_here(capsys, *asked, "--db", file)
    choice = ran.out.splitlines()[-1].removeprefix("tuned: ")
    assert run_here(capsys, "results", "plot", "tuning", "--db", file, "--out", out).code == 0
    assert f"<!-- choice: {choice} -->" in out.read_text()
    assert "# confirmation" in run_here(capsys, "results", "show", 4, "--db", file).out


def test_an_occasion_is_a_comment_of_the_command():
    assert occasion_of(with_occasion("astragal tune ewn 'a # b'", "round 1")) == "round 1"
    assert occasion_of(with_occasion("astragal tune ewn", "")) == ""


@pytest.mark.parametrize("game", game_names())
def test_the_shortest_text_gives_a_player_again(game):
    rules = load_game(game)
    for name in player_classes():
        specs = [name, f"{name}:time=0.5", f"{name}:c=3"] if "uct" in name else [name]
        try:
            players = [load_player(spec, rules) for spec in specs]
        except AstragalError:
            continue
        for player in players:
            text = player.text_for(rules)
            assert load_player(text, rules) == player
            assert len(text) <= len(str(player))
        assert players[0].text_for(rules) == name
