"""`astragal match`: players against each other, over as many games as it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.cli.arena import (
    DEFAULT_FILE,
    Cluster,
    File,
    Grace,
    Jobs,
    Live,
    Playing,
    SprtText,
    Strict,
    parse_sprt,
    pessimism_among,
    print_note,
    this_command,
)
from astragal.cli.options import Game, Json, Nodes, Seed, Sims, Time, limits_from, print_json
from astragal.errors import SpecError, Stopped

if TYPE_CHECKING:
    from astragal.arena.contest import Contest, Finish
    from astragal.arena.sprt import Sprt
    from astragal.arena.summary import SprtWatch, Standing

DEFAULT_GAMES = 100
MAX_SPRT_GAMES = 1_000_000


def match(
    game: Game,
    players: Annotated[
        list[str],
        typer.Argument(help="Two players, or one for each seat; any number in a game for one.", show_default=False),
    ],
    games: Annotated[
        int | None, typer.Option("--games", min=1, help="Games to play, rounded up to whole pairs (100).")
    ] = None,
    sprt: SprtText = None,
    time: Time = None,
    nodes: Nodes = None,
    sims: Sims = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    db: File = DEFAULT_FILE,
    matched: Annotated[
        int | None,
        typer.Option(
            "--node-matched", min=1, max=2, help="This player may use the nodes its opponent would need there."
        ),
    ] = None,
    finish: Annotated[
        str | None,
        typer.Option("--finish", metavar="A;B@ply=14", help="Who finishes games, from a ply or terminal_ratio on."),
    ] = None,
    grace: Grace = 1.0,
    strict: Strict = False,
    cluster: Cluster = None,
    json: Json = False,
) -> None:
    """Play pairs of seat-swapped games that share dice and starting position, and say who is stronger.

    In a game for one, each player plays the same seeds and mean scores are compared.

    Every game is kept in the results file. The same command again goes on where it stopped. Ctrl-C stops after the
    games under way.
    """
    from astragal.arena.contest import Contest
    from astragal.arena.solo import NO_TEST

    limits = limits_from(time, nodes, None, sims)
    contest = Contest.of(game, players, limits, seed, matched and matched - 1, parse_finish(finish))
    test = parse_sprt(sprt)
    if test is not None and contest.is_solo:
        raise SpecError(NO_TEST)
    if test is not None and not contest.is_duel:
        raise SpecError("a sequential test compares two players")
    wanted = games or (MAX_SPRT_GAMES if test else DEFAULT_GAMES)
    standing, watch, complete = play_contest(contest, wanted, test, Playing(db, jobs, cluster, strict, grace))
    note = pessimism_among(game, players)
    if json:
        print_json(standing.as_dict() | {"file": str(db), "complete": complete, "note": note} | sprt_facts(watch))
    else:
        print_standing(standing, watch)
        print_note(note)
        print(f"all games are in {db} (astragal results --db {db})")
    if not complete:
        raise Stopped("stopped; the same command goes on from here")


def play_contest(
    contest: Contest, games: int, test: Sprt | None, playing: Playing
) -> tuple[Standing, SprtWatch | None, bool]:
    """Play what is missing of a contest, with a line that tells how it stands; whether all of it is there."""
    from astragal.arena.results_store import ResultsStore
    from astragal.arena.run import Plan, pairs_for, run_contest
    from astragal.arena.summary import SprtWatch, Standing

    workers, count = playing.workers(contest.limits)
    wanted = pairs_for(contest, games) * len(contest.seatings)
    standing = Standing(contest)
    watch = SprtWatch(standing, test) if test else None
    live = Live(standing, watch, wanted)
    with ResultsStore(playing.db) as store:
        plan = Plan(wanted, count, playing.strict, playing.grace)
        try:
            complete = run_contest(contest, plan, store, workers, this_command(), live.hear)
        finally:
            live.end()
    if watch is not None and watch.decision is not None:
        standing.keep_first(watch.pairs)
    return standing, watch, complete


def parse_finish(text: str | None) -> Finish | None:
    """``mm:depth=8;mm:depth=8@ply=14``: who finishes for each player, and when."""
    from astragal.arena.contest import Finish

    if text is None:
        return None
    players, _, condition = text.rpartition("@")
    name, _, number = condition.partition("=")
    try:
        when: dict[str, Any] = {"ply": int(number)} if name == "ply" else {"terminal_ratio": float(number)}
    except ValueError:
        when = {}
    if not players or name not in ("ply", "terminal_ratio") or not when:
        raise SpecError(f"--finish takes players and when, such as 'mm:depth=8;mm:depth=8@ply=14', not '{text}'")
    return Finish(tuple(players.split(";")), **when)


def sprt_facts(watch: SprtWatch | None) -> dict[str, Any]:
    if watch is None:
        return {}
    return {"sprt": {"llr": watch.llr, "decision": watch.decision, "pairs": watch.pairs}}


def print_standing(standing: Standing, watch: SprtWatch | None = None) -> None:
    facts, in_words = standing.as_dict(), standing.contest.pairs_in_words
    print(f"{facts['contest']['game']}: {facts['games']} games, {facts['pairs']} {in_words(facts['pairs'])}")
    widest = max(len(player["player"]) for player in facts["players"])
    for player in facts["players"]:
        faults = f"   {player['forfeits']} lost by forfeit" if player["forfeits"] else ""
        print(f"  {player['player']:<{widest}}  {player_text(player, facts)}{faults}")
        for fault, count in player["faults"].items():
            print(f"    {count} times: {fault}")
    if facts.get("differences"):
        print_differences(facts["differences"], in_words(facts["pairs"]))
    if "elo" in facts:
        print_duel(facts, in_words())
    elif len(facts["players"]) > 2 and facts["expected"] is not None:
        print(f"  equal players would have {facts['expected']:.1%} each")
    if watch is not None:
        bounds = f"[{watch.sprt.lower:.2f}, {watch.sprt.upper:.2f}]"
        after = f"{watch.pairs} {in_words(watch.pairs)}"
        print(f"  SPRT: {watch.decision or 'undecided'} after {after}, LLR {watch.llr:+.2f} in {bounds}")


def player_text(player: dict[str, Any], facts: dict[str, Any]) -> str:
    """How a player did: its share of the wins, with what they were worth where that differs; or its scores."""
    from astragal.arena.means import MeanEstimate, estimate_text
    from astragal.game.ending import score_text

    if player["utility"] is None:
        return "-"
    utility = MeanEstimate(**player["utility"])
    if facts["measure"] == "score":
        extremes = f"worst {score_text(utility.worst)}  best {score_text(utility.best)}"
        return f"mean {estimate_text(utility)}  spread {score_text(utility.spread)}  {extremes}"
    rate = f"{player['rate']:6.1%} [{player['low']:.1%}, {player['high']:.1%}]"
    return f"{rate}   utility {estimate_text(utility, signed=True)}" if facts["margins"] else rate


def print_differences(rows: list[dict[str, Any]], seeds: str) -> None:
    """How much more players of a game for one scored than others."""
    from astragal.game.ending import score_text

    for row in rows:
        interval = f"[{score_text(row['low'], signed=True)}, {score_text(row['high'], signed=True)}]"
        print(
            f"  {' - '.join(row['players'])}: {score_text(row['mean'], signed=True)} {interval} over the same {seeds}",
            end="",
        )
        corrected = f", corrected by Holm {row['p_holm']:.2g}" if len(rows) > 1 else ""
        print(f", p = {row['p']:.2g}{corrected}; better with probability {row['superior']:.1%}")


def print_duel(facts: dict[str, Any], pairs: str) -> None:
    elo = facts["elo"]
    print(f"  first player: Elo {elo['elo']:+.0f} [{elo['low']:+.0f}, {elo['high']:+.0f}]", end="")
    print(f", stronger with probability {facts['superior']:.1%}")
    if "paired" in facts:
        paired = facts["paired"]
        print(f"  over {pairs}: {paired['rate']:.1%} ± {paired['standard_error']:.1%} (standard error)", end="")
        print(f"; pairing made it worth {paired['pairing_helped']:.2f} times as many games")
    if "duplicate" in facts:
        boards = facts["duplicate"]
        print(f"  duplicate: {boards['taken_by_first']} boards to {boards['taken_by_second']}", end="")
        print(f", {boards['share_set_aside']:.0%} set aside")
