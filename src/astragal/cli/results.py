"""`astragal results`: what a results file holds, and its games move by move."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.base.errors import AstragalError, SpecError
from astragal.cli.boards import board
from astragal.cli.options import DEFAULT_FILE, File, Json, OneGame, OwnGame, print_json

if TYPE_CHECKING:
    from astragal.arena.contest import Contest, GameRecord
    from astragal.arena.store.results_store import ResultsStore, StoredContest

Number = Annotated[int, typer.Argument(help="A contest's number in astragal results list.", show_default=False)]


OnePlayer = Annotated[str | None, typer.Option("--player", help="Only contests in which this player plays.")]


def list_contests(
    db: File = DEFAULT_FILE,
    game: OneGame = None,
    player: OnePlayer = None,
    crosstable: Annotated[bool, typer.Option("--crosstable", help="Print who scored what against whom.")] = False,
    json: Json = False,
) -> None:
    """List the contests of a results file, or who scored what against whom."""
    from astragal.arena.store.overview import contest_row, crosstables, matching, standing
    from astragal.arena.store.results_store import ResultsStore
    from astragal.arena.tables import crosstable_text

    with ResultsStore(db, must_exist=True) as store:
        chosen = matching(store, game, player)
        if json:
            print_json([standing(store, each).as_dict() | {"number": each.id} for each in chosen])
        elif crosstable:
            for each_game, points in crosstables(store, chosen).items():
                print(each_game)
                print(crosstable_text(points, label=named_in(chosen, each_game)))
        else:
            print_rows([contest_row(store, each) for each in chosen])


def show(
    contest: Number,
    db: File = DEFAULT_FILE,
    luck: Annotated[
        str | None,
        typer.Option(
            "--luck",
            metavar="EVALUATOR",
            help="Adjust scores for the dice's luck: by evaluation, learned, learned:depth=2, a model's file or exact.",
        ),
    ] = None,
    game: OwnGame = None,
    json: Json = False,
) -> None:
    """Show a contest in full, with the commands that played it."""
    from astragal.arena.store.overview import find, standing
    from astragal.arena.store.results_store import ResultsStore

    with ResultsStore(db, must_exist=True) as store:
        chosen = find(store, contest)
        adjusted = luck_facts(store, chosen, luck) if luck is not None else {}
        if json:
            print_json([standing(store, chosen).as_dict() | {"number": chosen.id} | adjusted])
        else:
            print_contest(store, chosen)
            print_luck(adjusted)


def export(
    file: Annotated[Path, typer.Argument(help="The file to write; its ending sets the format.", show_default=False)],
    contest: Annotated[
        int | None,
        typer.Argument(help="Write the games of this contest, one row per game and seat.", show_default=False),
    ] = None,
    db: File = DEFAULT_FILE,
    game: OneGame = None,
    player: OnePlayer = None,
) -> None:
    """Write contests, or the games of one, to .csv, .json, .parquet, .md or .tex."""
    from astragal.arena.match_result import seat_rows
    from astragal.arena.store.overview import contest_row, find, matching
    from astragal.arena.store.results_store import ResultsStore
    from astragal.base.frames import export as write

    with ResultsStore(db, must_exist=True) as store:
        if contest is None:
            rows = [contest_row(store, each) for each in matching(store, game, player)]
        else:
            chosen = find(store, contest)
            rows = list(seat_rows(chosen.contest, store.games(chosen.id)))
    write(rows, file)
    print(f"{len(rows)} rows are in {file}")


def merge(
    parts: Annotated[list[Path], typer.Argument(help="The results files of the parts.", show_default=False)],
    db: Annotated[Path, typer.Option("--db", help="The file for all games: new, or with some of them already.")],
) -> None:
    """Merge the parts of a contest that were played with --shard, and report which games are missing.

    Parts of another contest, or by another version of the program, are refused. Games played twice count once.
    """
    from astragal.arena.store.merging import merge as put_together

    print(put_together(parts, db))


def verify(
    contest: Annotated[int | None, typer.Argument(help="Only this contest.", show_default=False)] = None,
    db: File = DEFAULT_FILE,
    game: OneGame = None,
    sample: Annotated[
        float | None,
        typer.Option(
            "--sample",
            min=0.0,
            max=1.0,
            help="Also play this share of the games again, if they were not limited by time.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Check that kept games follow the rules and their pairs' dice.

    Every game is replayed: seats, seeds, dice, legal actions and the result. Whether players would choose the same
    actions again is checked with --sample: at least one game of every session is played again, and must be the same.
    """
    from astragal.arena.referee import replayed
    from astragal.arena.store.overview import find, matching
    from astragal.arena.store.results_store import ResultsStore

    with ResultsStore(db, must_exist=True) as store:
        count = 0
        chosen = matching(store, game, None) if contest is None else [find(store, contest)]
        for stored in chosen:
            for record in store.games(stored.id):
                replayed(stored.contest, record)
                count += 1
        print(f"{count} games follow the rules and the dice")
        if sample is not None:
            verify_sample(store, chosen, sample)


def verify_sample(store: ResultsStore, chosen: list[StoredContest], share: float) -> None:
    """Play a share of the games again; the error names the parts whose games differ."""
    from astragal.arena.store.verification import play_again

    found = play_again(store, chosen, share)
    print(f"{found.games} games were played again")
    for why, count in found.left_out.items():
        print(f"{count} contest{'s were' if count > 1 else ' was'} left out: {why}")
    if found.wrong:
        named = [
            f"{who}: {', '.join(games[:5])}{', ...' if len(games) > 5 else ''}" for who, games in found.wrong.items()
        ]
        raise AstragalError(f"games differ when played again: {'; '.join(named)}")


def named_in(chosen: list[StoredContest], game: str) -> Callable[[str], str]:
    """The names of a game's players."""
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
    from astragal.rules.ending import score_text as in_words

    if row["measure"] == "score":
        return f"mean {in_words(row['first'])} [{in_words(row['low'])}, {in_words(row['high'])}]"
    return f"{row['first']:.1%} [{row['low']:.1%}, {row['high']:.1%}]"


def print_contest(store: ResultsStore, stored: StoredContest) -> None:
    from astragal.arena.store.overview import limits_text, standing
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
    """The first player's luck-adjusted score."""
    from astragal.arena.luck import Evaluator, luck_adjusted, luck_of_kind
    from astragal.rules.position import Position
    from astragal.solvers.exact import exact_values

    contest = stored.contest
    if not contest.is_duel:
        raise SpecError("scores can be adjusted for luck between two players only")
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
        print(f"  luck-adjusted, by {found['evaluator']}: {found['mean']:.1%} {interval}", end="")
        print(f"; {found['variance_saved']:.0%} of the variance saved")


def replay(
    contest: Number,
    pair: Annotated[int, typer.Argument(min=1, help="The pair of games.")] = 1,
    number: Annotated[int, typer.Argument(metavar="GAME", min=1, help="The game of the pair.")] = 1,
    db: File = DEFAULT_FILE,
    game: OwnGame = None,
    save: Annotated[
        Path | None,
        typer.Option(
            "--save", help="Write the game to this file, for astragal review and the page.", show_default=False
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Show a kept game move by move, checked against the rules and the pair's dice."""
    from astragal.arena.store.overview import find
    from astragal.arena.store.results_store import ResultsStore

    with ResultsStore(db, must_exist=True) as store:
        stored = find(store, contest)
        chosen = store.game(stored.id, pair - 1, number - 1)
        if chosen is None:
            raise SpecError(f"contest {contest} has no game {pair}.{number} in {db}")
        if save is not None:
            save_game(stored.contest, chosen, save)
            return
        show_game(stored.contest, chosen, json)


def save_game(contest: Contest, record: GameRecord, path: Path) -> None:
    """A game of a contest as a file of its own."""
    from astragal.arena.store.game_file import of_record

    of_record(contest, record).write(path)
    print(f"game {record.pair + 1}.{record.game + 1} is in {path}")


def show_game(contest: Contest, record: GameRecord, json: bool) -> None:
    from astragal.arena.referee import replayed
    from astragal.arena.store.overview import plies

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
