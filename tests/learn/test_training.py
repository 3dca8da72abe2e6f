"""Learning: seeds, checkpoints, and values that come near exact ones."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import numpy as np
import pytest

from astragal import load_game, start
from astragal.base.errors import SpecError
from astragal.compiler.interpreted import run_interpreted
from astragal.learn import from_fields, training
from astragal.learn.beginning import LearnSettings
from astragal.learn.derived import with_model
from astragal.learn.matches import Score, match_of
from astragal.learn.self_play import note_state
from astragal.learn.training import Training
from astragal.rules.decorator import game
from astragal.rules.position import Position
from support.helpers import add_up, define, fewer
from support.solos import Press

SMALL = LearnSettings(hidden=8, games=4, matches=10, rounds=3)


@pytest.fixture(autouse=True)
def _few_samples(monkeypatch):
    monkeypatch.setattr(from_fields, "SAMPLES", 200)
    monkeypatch.setattr(training, "STARTS", 4)


def learned(name="pig:goal=12", settings=SMALL, rounds=None):
    found = Training(load_game(name), settings)
    for _ in range(rounds or settings.rounds):
        found.play_round()
    return found


def test_a_seed_gives_the_same_weights_and_another_does_not():
    one, same = learned(), learned()
    other = learned(settings=LearnSettings(hidden=8, games=4, matches=10, rounds=3, seed=1))
    assert (one.model.weights == same.model.weights).all()
    assert (one.best == same.best).all()
    assert not (one.model.weights == other.model.weights).all()


SLOW = replace(SMALL, rate=1e-5, patience=1, halvings=9)  # no gain shows, so that steps are halved
STAGES = (
    replace(SLOW, rounds=2),
    replace(SLOW, rounds=3, decay=0.5),
    replace(SLOW, rounds=6, decay=0.2, rate=2e-5, games=2, matches=12),
)


def run(*stages, going_on=None, checkpoint=None, rounds=100):
    """All stages one after the other, broken off after this round."""

    def told(latest):
        if latest.number > rounds:
            raise KeyboardInterrupt

    found = Training(load_game("pig:goal=12"), *stages)
    if going_on is not None:
        found.resume(going_on)
    with contextlib.suppress(KeyboardInterrupt):
        found.run(told, checkpoint)
    return found


def assert_equal(one, other):
    assert (one.model.weights == other.model.weights).all()
    assert (one.best == other.best).all()
    assert [(each.gain, each.rate) for each in one.history] == [(each.gain, each.rate) for each in other.history]


@pytest.mark.parametrize(("stages", "rounds"), [((SMALL,), 1), (STAGES, 2), (STAGES, 5)])
def test_learning_that_goes_on_from_a_checkpoint_equals_one_that_was_not_interrupted(tmp_path, stages, rounds):
    file = tmp_path / "half.npz"
    run(*stages, checkpoint=file, rounds=rounds)
    assert_equal(run(*stages, going_on=file), run(*stages))


def test_stages_are_what_one_command_after_the_other_learns(tmp_path):
    file, together = tmp_path / "kept.npz", run(*STAGES)
    assert [each.rate for each in together.history] == [1e-5, 1e-5, 5e-6, 2e-5, 1e-5, 5e-6]
    run(STAGES[0], checkpoint=file)
    run(STAGES[1], going_on=file, checkpoint=file)
    assert_equal(run(STAGES[2], going_on=file), together)
    notes = together.found.notes
    assert [notes["settings"]["rounds"], *(each["rounds"] for each in notes["before"])] == [6, 2, 3]
    assert notes["games"] == 3 * 4 + 3 * 2


def test_a_stage_changes_what_may_change_and_nothing_else():
    assert SMALL.then("decay=0.2,rate=0.004") == replace(SMALL, decay=0.2, rate=0.004)
    for text, sentence in {"seed=9": "seed cannot change", "decay=2": "too large", "x=1": "no setting 'x'"}.items():
        with pytest.raises(SpecError, match=sentence):
            SMALL.then(text)


@pytest.mark.slow
@pytest.mark.interpreted
def test_threads_share_a_round_and_the_mean_of_their_weights_is_what_is_learned():
    shared = replace(SMALL, games=5, jobs=2)
    one, same = learned(settings=shared), learned(settings=shared)
    assert (one.model.weights == same.model.weights).all()
    assert one.work["played"].tolist() == [3, 2]
    before = learned(settings=shared, rounds=2)
    alone = []
    for job, games in enumerate((3, 2)):
        single = Training(load_game("pig:goal=12"), replace(SMALL, games=games))
        single.model.weights[:] = before.model.weights
        single.work["generator"], single.rate = before.work["generator"][job], before.rate
        single.play_round()
        alone.append(single.model.weights)
    assert (one.model.weights == np.mean(alone, axis=0)).all()


BATCHES = replace(SMALL, games=7, batch=3, random=0.2)


@pytest.mark.parametrize("settings", [BATCHES, replace(SMALL, jobs=3, games=5, rounds=2)])
def test_any_number_of_threads_gives_the_same_weights(settings):
    one = learned(settings=replace(settings, threads=1))
    for threads in (2, 3):
        several = learned(settings=replace(settings, threads=threads))
        assert_equal(one, several)
        assert one.work.tobytes() == several.work.tobytes()


def test_a_batch_is_played_by_the_weights_before_it_and_learned_in_order():
    first = learned(settings=replace(BATCHES, games=3), rounds=1)
    begun = Training(load_game("pig:goal=12"), BATCHES)
    before, places = begun.model.weights.copy(), []
    for number in range(3):  # each game alone, from the same weights: it takes the same course
        alone = Training(load_game("pig:goal=12"), replace(BATCHES, games=1, batch=2))
        alone.work["generator"][0] = begun.work["generator"][number]
        assert (alone.model.weights == before).all()
        alone.play_round()
        assert alone.work["generator"][0] == first.work["generator"][number]
        places.append(alone.model.weights)
    assert not any((first.model.weights == weights).all() for weights in places)  # all three are learned
    assert first.work["played"].tolist() == [1, 1, 1]
    after = learned(settings=BATCHES, rounds=1)  # 3 + 3 + 1 games
    assert after.work["played"].tolist() == [3, 2, 2]


def test_batches_go_on_from_a_checkpoint_with_other_threads(tmp_path):
    file = tmp_path / "half.npz"
    run(BATCHES, checkpoint=file, rounds=1)
    assert_equal(run(replace(BATCHES, threads=2), going_on=file), run(BATCHES))


def test_batches_and_jobs_are_not_set_together():
    with pytest.raises(ValueError, match="batch=2 and jobs=2 are two ways"):
        replace(SMALL, batch=2, jobs=2)


def test_checkpoints_of_other_games_and_settings_are_refused(tmp_path):
    file = tmp_path / "kept.npz"
    learned(rounds=1).save(file)
    with pytest.raises(SpecError, match="is a checkpoint of pig:goal=12"):
        Training(load_game("pig:goal=14"), SMALL).resume(file)
    with pytest.raises(SpecError, match=r"other settings \(random\)"):
        Training(load_game("pig:goal=12"), LearnSettings(hidden=8, games=4, matches=10, random=0.1)).resume(file)
    file.write_text("nothing")
    with pytest.raises(SpecError, match="is not a checkpoint"):
        Training(load_game("pig:goal=12"), SMALL).resume(file)


def test_learning_goes_on_with_another_step_which_is_halved_anew(tmp_path):
    file, before = tmp_path / "kept.npz", learned(rounds=1)
    before.rate, before.halved, before.idle = 0.001, 3, 1
    before.save(file)
    same, other = (Training(before.game, replace(SMALL, decay=0.2, **changed)) for changed in ({}, {"rate": 0.004}))
    for each in (same, other):
        each.resume(file)
        assert (each.model.weights == before.model.weights).all()
    assert (same.rate, same.halved, same.idle) == (0.001, 3, 1)
    assert (other.rate, other.halved, other.idle) == (0.004, 0, 0)


def test_steps_are_halved_without_a_gain_and_in_the_end_it_is_over():
    settings = LearnSettings(hidden=8, games=1, matches=10, rounds=100, rate=1e-6, patience=1, halvings=1)
    found = Training(load_game("pig:goal=12"), settings)
    while not found.is_over:
        found.play_round()
    assert found.round < 10
    assert found.rate == 1e-6 / 4


@pytest.mark.few(1)
@pytest.mark.parametrize(("decay", "results"), [(0.0, ()), (0.7, ()), (1.0, ()), (0.7, (-1.0, 0.0, 1.0))])
def test_values_of_a_small_game_come_near_the_exact_ones(decay, results):
    """Who adds the last of nine wins; with a multiple of four left, the mover has lost."""
    game = define(f"{add_up()}\n    def own_results(self):\n        return {results}\n")["AddUp"]()
    found = Training(
        game, LearnSettings(hidden=16, games=fewer(500, 2), matches=10, random=0.3, decay=decay, rate=0.05, opening=2)
    )
    for _ in range(2):
        found.play_round()
    learned_game = with_model(game, found.model)
    for total, turn in [*((total, 0) for total in range(2, 9)), *((total, 1) for total in range(1, 9))]:
        value = Position.parse(learned_game, f"total={total} turn={turn}").evaluations()[turn]
        assert (value > 0) == ((9 - total) % 4 != 0), (total, turn)


def test_what_follows_a_random_move_is_not_believed():
    """With random moves only, nothing is learned but from the last moves of games."""
    game = define(add_up())["AddUp"]()
    found = Training(game, LearnSettings(hidden=8, games=20, matches=10, random=1.0, opening=0))
    before = found.model.weights.copy()
    found.play_round()
    assert (before == found.model.weights).all()


@pytest.mark.slow
@pytest.mark.interpreted
def test_several_players_learn_a_value_each():
    found = learned("cant_stop:players=3", LearnSettings(hidden=8, games=1, matches=10, longest=60), rounds=1)
    values = start(with_model(found.game, found.model)).evaluations()
    assert len(set(values)) == 3
    assert np.isfinite(values).all()


def test_an_interrupt_in_the_matches_of_a_round_leaves_the_rounds_before_it(monkeypatch):
    found = learned(rounds=1)
    monkeypatch.setattr(training, "match_of", interrupt)
    with pytest.raises(KeyboardInterrupt):
        found.play_round()
    assert found.round == len(found.history) == found.found.notes["rounds"] == 1


def interrupt(*_):
    raise KeyboardInterrupt


def test_players_alone_are_compared_by_their_points_on_the_same_dice():
    """By its own evaluation of Press one stops at once, with nothing. Who always draws has more in 27 games of 64."""
    starts = Position.start(Press()).memory

    def score(one, other):
        return match_of(one, other, starts, games=400, opening=0, longest=100, depth=1, seed=1)

    nobody, lost = score(Press(), Press()), score(Press(), Draws())
    assert (nobody.share, nobody.points) == (0.5, 0.0)
    assert lost.share == pytest.approx(0.5 - 27 / 128, abs=3 * lost.share_error)
    assert lost.points == pytest.approx(-900 * 27 / 64, abs=3 * lost.points_error)
    won = score(Draws(), Press())
    assert (won.share, won.points) == (1.0 - lost.share, -lost.points)
    assert 0.0 < score(Draws(), None).points < won.points  # random moves have something


@game
class Draws(Press):
    def heuristic(self, state, player):
        return 2000.0 * (state.phase == 1)


@pytest.mark.slow
@pytest.mark.interpreted
def test_a_player_alone_learns_too():
    found = learned("cant_stop:players=1", LearnSettings(hidden=8, games=1, matches=10, longest=60), rounds=1)
    assert found.history[0].kept


def test_the_latest_weights_can_be_kept_and_a_checkpoint_goes_on_so(tmp_path):
    made = learned()
    made.best[:] = 0.0
    made.save(tmp_path / "kept.npz")
    again = Training(load_game("pig:goal=12"), replace(SMALL, keep="latest", patience=1))
    again.resume(tmp_path / "kept.npz")
    assert (again.found.weights == made.model.weights.astype(np.float16)).all()
    assert not made.found.weights.any()


def test_what_is_a_chance_for_one_is_the_mirror_image_for_the_other():
    """At least a gammon for one is no better than a loss by one gammon for the other."""
    found = Training(load_game("backgammon"), SMALL)
    notes = found.room()
    run_interpreted(note_state, found.learner, start(found.game, 1).settled(1).state, 0, notes)
    mine, theirs = notes.values[0]
    assert len(mine) == 5
    assert mine == pytest.approx(-theirs[::-1])
    assert mine[0] != mine[-1]


@pytest.mark.parametrize(
    ("name", "fair"),
    [("pig", 0.5), ("cant_stop:players=3", 1 / 3), ("focus:players=4", 0.25), ("cant_stop:players=1", 0)],
)
def test_only_a_gain_whose_interval_leaves_out_a_fair_share_keeps_the_step(name, fair):
    """Weights are kept where there was a gain, shown or not. Players alone are judged by their points."""
    made = Training(load_game("pig:goal=12"), SMALL)
    made.game = load_game(name)
    for gain in (-0.2, -0.05, 0.0, 0.05, 0.2):
        for error in (0.01, 0.1, 0.3):
            other = -gain, 9.0
            found = Score(*other, gain, error, 50) if fair == 0 else Score(fair + gain, error, *other, 50)
            made.idle, made.best[:] = 3, 0.0
            assert made.judge(found, 2) == (gain > 0.0)
            assert made.idle == (4 if gain <= error else 0)
            assert (made.best == (made.model.weights if gain > 0.0 else 0.0)).all()
