"""`astragal results` and `astragal replay`: what a results file holds, and its games move by move."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.cli.arena import DEFAULT_FILE, File
from astragal.cli.boards import board
from astragal.cli.options import Json, print_json
from astragal.errors import AstragalError, SpecError

if TYPE_CHECKING:
    from astragal.arena.contest import Contest
    from astragal.arena.record import GameRecord
    from astragal.arena.results_store import ResultsStore, StoredContest

Number = Annotated[int, typer.Argument(help="A contest's number in astragal results.", show_default=False)]


def results(
    contest: Annotated[int | None, typer.Argument(help="Show this contest in full.", show_default=False)] = None,
    db: File = DEFAULT_FILE,
    game: Annotated[str | None, typer.Option("--game", help="Only contests of this game.")] = None,
    player: Annotated[str | None, typer.Option("--player", help="Only contests in which this player plays.")] = None,
    crosstable: Annotated[bool, typer.Option("--crosstable", help="Who scored what against whom.")] = False,
    export: Annotated[
        Path | None,
        typer.Option("--export", help="Write the contests, or one's games, to .csv, .json, .parquet, .md or .tex."),
    ] = None,
    luck: Annotated[
        str | None,
        typer.Option(
            "--luck",
            metavar="EVALUATOR",
            help="Take the dice's luck off: by evaluation, learned, learned:depth=2, a model's file, or exact values.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the contests of a results file, show one, or write tables of them."""
    from astragal.arena.export import export as write
    from astragal.arena.match_result import seat_rows
    from astragal.arena.overview import contest_row, crosstables, find, matching, standing
    from astragal.arena.results_store import ResultsStore
    from astragal.arena.tables import crosstable_text

    with ResultsStore(db, must_exist=True) as store:
        chosen = [find(store, contest)] if contest is not None else matching(store, game, player)
        rows = [contest_row(store, each) for each in chosen] if contest is None else []
        if export is not None and contest is not None:
            rows = list(seat_rows(chosen[0].contest, store.games(chosen[0].id)))
        if export is not None:
            write(rows, export)
        adjusted = luck_facts(store, chosen[0], luck) if luck is not None and contest is not None else {}
        if luck is not None and contest is None:
            raise SpecError("--luck is for one contest; name its number")
        if json:
            print_json([standing(store, each).as_dict() | {"number": each.id} | adjusted for each in chosen])
        elif contest is not None:
            print_contest(store, chosen[0])
            print_luck(adjusted)
        elif crosstable:
            for each_game, points in crosstables(store, chosen).items():
                print(each_game)
                print(crosstable_text(points, label=named_in(chosen, each_game)))
        elif export is None:
            print_rows(rows)


def named_in(chosen: list[StoredContest], game: str) -> Callable[[str], str]:
    """What players of a game are called."""
    return next(stored.contest.label for stored in chosen if stored.contest.game == game)


def print_rows(rows: list[dict[str, Any]]) -> None:
    if not rows:
        print("no contests")
    for row in rows:
        score = "" if row["first"] is None else f"   {score_text(row)}"
        print(f"{row['contest']:4d}  {row['game']}   {row['players']}   limits {row['limits']}, seed {row['seed']}")
        print(f"      {row['games']} games{score}")


def score_text(row: dict[str, Any]) -> str:
    """The first player's share of the wins, or its mean score in a game for one."""
    from astragal.game.ending import score_text as in_words

    if row["measure"] == "score":
        return f"mean {in_words(row['first'])} [{in_words(row['low'])}, {in_words(row['high'])}]"
    return f"{row['first']:.1%} [{row['low']:.1%}, {row['high']:.1%}]"


def print_contest(store: ResultsStore, stored: StoredContest) -> None:
    from astragal.arena.overview import limits_text, standing
    from astragal.arena.tables import standing_text

    print(standing_text(standing(store, stored)))
    contest = stored.contest
    print(f"  limits: {limits_text(contest)}; seed {contest.seed}")
    if contest.finish:
        when = (
            f"ply {contest.finish.ply}"
            if contest.finish.ply is not None
            else f"ratio {contest.finish.terminal_ratio:g}"
        )
        if contest.finish.judge is not None:
            when += f" of {contest.kinds[contest.finish.judge]}"
        print(f"  finished by {' and '.join(contest.finish.players)} from {when} on")
    for session in store.sessions(stored.id):
        commit = f", commit {session['commit_hash'][:12]}" if session["commit_hash"] else ""
        print(f"  {session['started']}  astragal {session['version']}{commit}, Python {session['python']}", end="")
        print(f", Numba {session['numba']}, {session['machine']}")
        print(f"    {session['command']}")


def luck_facts(store: ResultsStore, stored: StoredContest, evaluator: str) -> dict[str, Any]:
    """The first player's score with the luck of the dice taken off."""
    from astragal.arena.dice_luck import Evaluator, luck_of_kind
    from astragal.arena.luck import luck_adjusted
    from astragal.game.position import Position
    from astragal.solve.exact import exact_values

    contest = stored.contest
    if not contest.is_duel:
        raise SpecError("luck can be taken off between two players only")
    by = exact_values(Position.start(contest.rules)) if evaluator == "exact" else Evaluator.of(evaluator)
    pairs: dict[int, list[tuple[float, float]]] = {}
    for record in store.games(stored.id):
        score_and_luck = record.score_of(0), luck_of_kind(contest, record, by)
        pairs.setdefault(record.pair, []).append(score_and_luck)
    whole = [pair for pair in pairs.values() if len(pair) == len(contest.seatings)]
    if len(whole) < 3:
        raise AstragalError(
            f"contest {stored.id} has {len(whole)} whole {contest.pairs_in_words(len(whole))}; luck needs 3 or more"
        )
    adjusted = luck_adjusted([[s for s, _ in pair] for pair in whole], [[x for _, x in pair] for pair in whole])
    return {"luck_adjusted": vars(adjusted) | {"evaluator": evaluator}}


def print_luck(facts: dict[str, Any]) -> None:
    if facts:
        found = facts["luck_adjusted"]
        interval = f"[{found['low']:.1%}, {found['high']:.1%}]"
        print(f"  luck of the dice taken off, by {found['evaluator']}: {found['mean']:.1%} {interval}", end="")
        print(f"; {found['variance_saved']:.0%} of the variance saved")


def replay(
    contest: Number,
    pair: Annotated[int, typer.Argument(min=1, help="The pair of games.")] = 1,
    game: Annotated[int, typer.Argument(min=1, help="The game of the pair.")] = 1,
    db: File = DEFAULT_FILE,
    verify: Annotated[bool, typer.Option("--verify", help="Check every game of the contest instead.")] = False,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", help="Write the game to this file, for astragal review and the page.", show_default=False
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show a kept game move by move, checked against the rules and the pair's dice."""
    from astragal.arena.overview import find
    from astragal.arena.referee import replayed
    from astragal.arena.results_store import ResultsStore

    with ResultsStore(db, must_exist=True) as store:
        stored = find(store, contest)
        if verify:
            count = 0
            for record in store.games(stored.id):
                replayed(stored.contest, record)
                count += 1
            print(f"{count} games are as the rules and the dice say")
            return
        chosen = [record for record in store.games(stored.id) if record.number == (pair - 1, game - 1)]
        if not chosen:
            raise SpecError(f"contest {contest} has no game {pair}.{game} in {db}")
        if save is not None:
            save_game(stored.contest, chosen[0], save)
            return
        show_game(stored.contest, chosen[0], json)


def save_game(contest: Contest, record: GameRecord, path: Path) -> None:
    """A game of a contest as a file of its own."""
    from astragal.arena.game_file import of_record

    of_record(contest, record).write(path)
    print(f"game {record.pair + 1}.{record.game + 1} is in {path}")


def show_game(contest: Contest, record: GameRecord, json: bool) -> None:
    from astragal.arena.overview import plies
    from astragal.arena.referee import replayed

    positions = replayed(contest, record)
    rows = plies(contest, record, positions)
    if json:
        print_json({"plies": rows, "utilities": record.utilities, "fault": record.fault})
        return
    print(board(positions[0]))
    for number, (row, after) in enumerate(zip(rows, positions[1:], strict=True), 1):
        if row["player"] is None:
            print(f"\n{number}. chance: {row['step']}")
        else:
            value = "" if row["value"] is None else f", value {row['value']:.2f}"
            print(f"\n{number}. player {row['player']} ({row['kind']}): {row['step']}", end="")
            print(f"   [{row['seconds']:.3f} s, {row['nodes']:,} nodes, depth {row['depth']}{value}]")
            print(board(after))
    if record.forfeit is not None:
        print(f"\nplayer {record.forfeit + 1} loses by forfeit: {record.fault}")
    print(f"\nresult: {' '.join(f'{utility:g}' for utility in record.utilities)}")
