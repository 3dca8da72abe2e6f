"""Forward pruning: each kind cuts and saves nodes, changes nothing where it cannot, and is right if evaluations are."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest

from astragal import CHANCE, TERMINAL, AstragalError, Limits, Position, game, load_game, load_player
from astragal.algorithms.star.probcut_fit import fit, fitted
from astragal.algorithms.star.settings import ForwardSettings
from astragal.base.errors import SpecError
from support.helpers import EXAMPLE, fewer, random_position, run_here, slow_but
from support.star_searches import Job

EWN, PIG = load_game("ewn"), load_game("pig")
KINDS = {"null=2": "null_cuts", "multicut=2": "multi_cuts", "probcut=0.5": "prob_cuts"}
NEVER = ("null=64", "multicut=7,multicut_moves=7", "probcut=1000000")
BOUNDED = ("star1", "star2", "star1ss:width=3", "star2ss:width=3")
kinds = pytest.mark.parametrize("setting", KINDS)


@game
class Even:
    """Take 1 or 2 points, in turn, and a coin gives one to either side: what a state is worth is known at once."""

    length: int = 12
    state = np.dtype([("ahead", "i4"), ("moves", "i4"), ("tossing", "i4")])
    max_actions = 2
    max_outcomes = 2
    max_plies = 24
    utility_range = (-100.0, 100.0)

    def turn(self, state):
        if state.tossing:
            return CHANCE
        return TERMINAL if state.moves >= self.length else np.int64(state.moves & 1)

    def actions(self, state, out):
        out[0], out[1] = 1, 2
        return 2

    def play(self, state, action):
        state.ahead += action if state.moves & 1 == 0 else -action
        state.moves += 1
        state.tossing = 1

    def skip(self, state):
        state.moves += 1
        state.tossing = 1

    def outcomes(self, state, out):
        out[0], out[1] = 0, 1
        return 2

    def probability(self, state, outcome):
        return 0.5

    def deal(self, state, outcome):
        state.ahead += 2 * outcome - 1
        state.tossing = 0

    def utility(self, state, player):
        return np.float64(state.ahead) if player == 0 else -np.float64(state.ahead)

    def heuristic(self, state, player):
        """Everybody takes two with each move left."""
        worth = np.float64(state.ahead + 2 * (((self.length - state.moves) & 1) * (1 - 2 * (state.moves & 1))))
        return worth if player == 0 else -worth


EVEN = Even()


def with_setting(player: str, setting: str) -> str:
    return f"{player}{',' if ':' in player else ':'}{setting}"


@cache
def totals(game, player: str, depth: int, positions: int = 12):
    """The results of a player at positions of random games; nodes and counters added up."""
    found = load_player(player, game)
    results = [
        found.search(random_position(game, number, decision=True), limits=Limits(depth=depth))
        for number in range(positions)
    ]
    counts = {name: sum(result.counts[name] for result in results) for name in results[0].counts}
    return results, sum(result.nodes for result in results), counts


@pytest.mark.slow
@kinds
@pytest.mark.parametrize("player", BOUNDED)
def test_each_kind_cuts_and_mostly_finds_the_same_action(player, setting):
    full, nodes, counts = totals(EWN, player, 5)
    pruned, left, cuts = totals(EWN, with_setting(player, setting), 5)
    assert counts[KINDS[setting]] == 0 < cuts[KINDS[setting]]
    assert [cuts[name] for name in KINDS.values() if name != KINDS[setting]] == [0, 0]
    if player.startswith("star1") or setting.startswith("probcut"):
        assert left < nodes  # Star2 cuts most in probes, where null move and multi-cut are not tried
    assert sum(one.action == other.action for one, other in zip(full, pruned, strict=True)) >= 10
    assert all(-100 <= result.value <= 100 for result in pruned)


@pytest.mark.slow
@pytest.mark.parametrize("player", BOUNDED)
def test_chance_probcut_saves_much_in_pig_too(player):
    full, nodes, _ = totals(PIG, player, 5)
    pruned, left, cuts = totals(PIG, with_setting(player, "probcut=0.5"), 5)
    assert cuts["prob_cuts"] > 0
    assert left < 0.9 * nodes
    assert sum(one.action == other.action for one, other in zip(full, pruned, strict=True)) >= 10


@pytest.mark.slow
@pytest.mark.parametrize("setting", NEVER)
@pytest.mark.parametrize("player", BOUNDED)
def test_what_can_never_cut_changes_nothing(player, setting):
    full, _, counts = totals(EWN, player, 4, 6)
    same, _, others = totals(EWN, with_setting(player, setting), 4, 6)
    assert counts == others
    assert [result.value for result in full] == [result.value for result in same]


@pytest.mark.slow
@pytest.mark.parametrize("player", ["star1", "star2"])
def test_a_wider_margin_saves_less(player):
    sizes = [totals(EWN, with_setting(player, f"probcut={margin}"), 5, 6)[1] for margin in (0.5, 2, 1000000)]
    assert sizes == sorted(set(sizes))


CERTAIN = "probcut=1,probcut_sigma=0"


@pytest.mark.parametrize("table", slow_but(["off"], ["off", "moves", "values"]))
@pytest.mark.parametrize(
    "setting", slow_but(["null=1", "multicut=1", CERTAIN], ["null=1", "multicut=2", "multicut=1", CERTAIN])
)
@pytest.mark.parametrize("player", slow_but(["star1"], ["star1", "star2"]))
def test_where_evaluations_are_exact_nothing_is_lost(player, setting, table):
    """A shallow value is then the deep one, and a turn let go is worse than any action."""
    cuts = 0
    for number in range(fewer(8, 4)):
        here = random_position(EVEN, number, decision=True)
        for depth in (3, 5, 7)[: fewer(3, 2) + 1]:
            result = load_player(f"{player}:{setting},prune_above=0,table={table}", EVEN).search(
                here, limits=Limits(depth=depth)
            )
            sign = 1 if here.turn == 0 else -1
            assert result.value == pytest.approx(sign * here.evaluations()[0], abs=1e-9)
            assert here.action_name(result.action_number) == "2"
            cuts += sum(result.counts[name] for name in KINDS.values())
    assert cuts > 0 or (player == "star2" and "probcut" not in setting)  # see above


@pytest.mark.slow
@pytest.mark.compiled
def test_a_search_with_forward_cuts_does_not_claim_to_be_complete():
    here = Position.parse(EVEN, "ahead=0 moves=4 tossing=0")
    full = load_player("star1:prune_above=0", EVEN).search(here, limits=Limits(depth=20))
    cut = load_player("star1:prune_above=0,multicut=1", EVEN).search(here, limits=Limits(depth=20))
    assert (full.complete, full.depth) == (True, 8)
    assert cut.counts["multi_cuts"] > 0
    assert not cut.complete
    assert cut.value == pytest.approx(full.value)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("player", slow_but(["star2ss"], ["star1", "star2", "star1ss", "star2ss"]))
@pytest.mark.parametrize("key", slow_but(["state"], ["state", "path"]))
def test_compiled_and_interpreted_searches_prune_alike(player, key):
    sampling = f",width=2,key={key}" if player.endswith("ss") else ""
    settings = load_player(
        f"{player}:null=1,multicut=2,multicut_reduction=1,probcut=0.5,prune_above=0,table=off{sampling}", EWN
    )
    assert isinstance(settings, ForwardSettings)
    cuts = np.zeros(3)
    for number in range(6):
        here = random_position(EWN, number, decision=True)
        found = []
        for interpreted in (False, True):
            job = Job(here, player, 3, number, settings)
            found.append((job.interpreted_root() if interpreted else job.root(), job.counts))
        assert found[0][0] == pytest.approx(found[1][0], abs=1e-12)
        assert found[0][1] == found[1][1]
        cuts += [found[0][1][name] for name in KINDS.values()]
    assert cuts.sum() > 0


@pytest.mark.few(1)
@pytest.mark.parametrize("player", BOUNDED)
def test_no_search_passes_its_node_limit(player):
    spec = with_setting(player, "null=1,multicut=2,multicut_reduction=1,probcut=0.25,prune_above=0")
    found = load_player(spec, EWN)
    for number in range(fewer(10, 2)):
        here = random_position(EWN, number, decision=True)
        for limit in (300, 1_000, 5_000, 20_000)[: fewer(4) + 1]:
            assert found.search(here, limits=Limits(nodes=limit)).nodes <= limit + EWN.max_actions


@pytest.mark.parametrize(
    ("game", "spec", "sentence"),
    [
        ("kalah", "star1:null=1", r"star1: null=1 needs a game with a null move \(skip\), which kalah lacks"),
        ("kalah", "star2:probcut=1", "star2: probcut=1 needs a game with chance, which kalah has not"),
        (
            "ra",
            "star2ss:probcut=1",
            "star2ss: probcut needs probcut_sigma for ra; 'astragal dev probcut ra' measures it",
        ),
        ("ewn", "exp:null=1", "exp has no setting 'null'"),
        ("ewn", "star1:probcut=-1", "star1: probcut=-1.0 is too small; the least is 0"),
        ("ewn", "star1:probcut=1,check=on", "star1: check=on compares with the full search, which null, multicut"),
        ("ewn", "star1:multicut=7", "star1: multicut=7 is more than multicut_moves=6"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(game, spec, sentence):
    with pytest.raises(AstragalError, match=sentence):
        load_player(spec, load_game(game))


def test_a_game_whose_prediction_is_given_can_be_pruned():
    example = load_game(str(EXAMPLE))
    assert load_player("star1:probcut=1,probcut_sigma=0.2", example).probcut_slope is None
    with pytest.raises(SpecError):
        load_player("star1:probcut_slope=0", example)


@pytest.mark.parametrize(
    ("game", "before", "after"),
    [
        ("pig", "34 51 12 1 decide", "34 51 0 2 roll"),
        ("pig", "34 51 12 2 decide", "34 51 0 1 roll"),
        ("ewn", "123../45.../6...f/...ed/..cba 1 3", "123../45.../6...f/...ed/..cba 2 -"),
    ],
)
def test_a_null_move_hands_the_turn_over(game, before, after):
    here = Position.parse(load_game(game), before)
    here._rules.skip(here._state)
    assert here.text == after


# The model of ChanceProbCut


def test_the_line_through_the_origin():
    found = fit((1.0, -2.0, 3.0), (2.0, -4.0, 6.0))
    assert (found.slope, found.sigma, found.correlation, found.positions) == pytest.approx((2, 0, 1, 3))
    found = fit((1.0, 1.0, -1.0, -1.0), (3.0, 1.0, -1.0, -3.0))
    assert (found.slope, found.sigma) == pytest.approx((2, 1))


def test_exact_evaluations_are_predicted_exactly():
    found = fitted(EVEN, 3, fewer(60, 3))
    assert (found.slope, found.sigma) == pytest.approx((1, 0), abs=1e-9)
    assert fewer(10, 3) < found.positions < fewer(60, 3)  # some were solved by the shallow search


@pytest.mark.slow
def test_the_command_prints_what_a_player_takes(capsys):
    ran = run_here(capsys, "dev", "probcut", "pig", "--depth", 2, "--positions", 50, "--json")
    assert ran.code == 0
    facts = json.loads(ran.out)
    assert facts["positions"] == 50
    assert 0.5 < facts["slope"] < 1.5
    assert facts["correlation"] > 0.8
    ran = run_here(capsys, "dev", "probcut", "pig", "--depth", 2, "--positions", 50)
    settings = ran.out.split()[-1]
    assert load_player(f"star1:probcut=1,{settings}", PIG).probcut_sigma == pytest.approx(facts["sigma"], rel=0.01)


def test_a_game_without_chance_has_nothing_to_predict(capsys):
    ran = run_here(capsys, "dev", "probcut", "kalah")
    assert ran.code == 2
    assert ran.err == "astragal: kalah has no chance nodes to predict\n"


@game
class OnePass(Even):
    """The same game, whose turn may be let go once only."""

    state = np.dtype([*Even.state.descr, ("let_go", "i4")])

    def skip(self, state):
        if state.let_go != 0:
            raise ValueError("two null moves on one way")
        state.let_go = 1
        state.moves += 1
        state.tossing = 1


@pytest.mark.interpreted
def test_no_null_move_is_tried_below_another_one():
    cuts = 0
    for number in range(6):
        here = random_position(OnePass(), number, decision=True)
        found = load_player("star1:null=1,prune_above=0,table=off").search(here, limits=Limits(depth=5, nodes=1500))
        cuts += found.counts["null_cuts"]
    assert cuts > 0
