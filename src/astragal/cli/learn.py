"""`astragal learn`: an evaluation of a game, learned by self-play."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from astragal.base.errors import AstragalError, Stopped
from astragal.base.locks import locked
from astragal.base.parameters import build, make, split_settings
from astragal.base.terminal import bar, overwrite, paint, width
from astragal.cli.options import Game, Json, check_writable, print_json
from astragal.games import game_name, game_spec, load_game

if TYPE_CHECKING:
    from astragal.learn.model import Model
    from astragal.learn.training import Round, Training

SPARKS = "▁▂▃▄▅▆▇█"
SHOWN = 16  # rounds of the curve that is printed at the end
FINAL_GAMES = 2000
SEARCHERS = ("alphabeta", "star", "maxn")  # the first that fits the game is named as an example


def learn(
    game: Game,
    out: Annotated[Path | None, typer.Option("--out", help="The model's file (GAME.npz).", show_default=False)] = None,
    settings: Annotated[
        str,
        typer.Option(
            "--settings", metavar="KEY=VALUE,...", help="Settings of learning: rate, games, ... (docs/learning.md)."
        ),
    ] = "",
    then: Annotated[
        list[str] | None,
        typer.Option(
            "--then", metavar="KEY=VALUE,...", help="A further stage with these settings changed; may be repeated."
        ),
    ] = None,
    hidden: Annotated[int | None, typer.Option("--hidden", help="Hidden units, a multiple of 8; 0: none (32).")] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="The seed of everything random (0).")] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            "--minutes", min=0.0, max=1e6, help="Stop after this much processor time; the same command continues."
        ),
    ] = None,
    again: Annotated[bool, typer.Option("--again", help="Start over and discard what was learned before.")] = False,
    json: Json = False,
) -> None:
    """Learn an evaluation of a game by self-play, for any player that searches.

    After each round of games the evaluation plays against the best one so far. When it gains no more, the step size is
    halved, and in the end learning stops. The same command, run again, continues where it stopped.
    """
    from astragal.learn.beginning import LearnSettings
    from astragal.learn.curves import checkpoint_of
    from astragal.learn.training import Training

    rules = load_game(game)
    chosen = build(LearnSettings, split_settings(settings, "--settings"), "--settings")
    given = {"hidden": hidden, "seed": seed}
    chosen = make(LearnSettings, asdict(chosen) | {k: v for k, v in given.items() if v is not None}, "learn")
    file = out or Path(f"{game_name(rules)}.npz")
    check_writable_model(file, game_name(rules))
    stages = [chosen]
    for changes in then or []:
        stages.append(stages[-1].then(changes))
    training = Training(rules, *stages)
    checkpoint = checkpoint_of(file)
    with locked(file, f"another command is learning {file}; wait or name another file with --out"):
        if checkpoint.exists() and not again:
            training.resume(checkpoint)
        model, stopped = learned(training, checkpoint, minutes)
        if training.round == 0:
            raise AstragalError(f"nothing was learned: --minutes {minutes} leaves no time for a round")
        strength = training.strength(model, FINAL_GAMES)
        model = model.with_notes(strength={name: asdict(score) for name, score in strength.items()})
        write(model, file)
    facts = {"game": game_spec(rules), "file": str(file), "over": training.is_over, **model.notes}
    if json:
        print_json(facts | {"curve": [asdict(each) for each in training.history]})
    else:
        print_found(training, model, file)
    if stopped:
        raise Stopped(f"stopped in round {training.round + 1}; the same command goes on from there")


def check_writable_model(file: Path, game: str) -> None:
    """Raise before learning if the model cannot be written, or would replace another file."""
    from astragal.learn.curves import read_facts

    if file.suffix != ".npz":
        raise AstragalError(f"a model's file ends with .npz, not as {file.name or file}")
    exists = file.exists()
    check_writable(file)
    if not exists:
        file.unlink()
    elif file.stat().st_size:
        facts = read_facts(file)
        what = "no model" if facts is None else f"a model of {facts['game'].partition(':')[0]}"
        if what != f"a model of {game.partition(':')[0]}":
            raise AstragalError(f"{file} is there already and is {what}; name another file with --out")


def write(model: Model, file: Path) -> None:
    from astragal.learn.model import write_model

    write_model(model, file)


def learned(training: Training, checkpoint: Path, minutes: float | None) -> tuple[Model, bool]:
    """The progress of learning, and whether Ctrl-C ended it. The curve is one line that is overwritten."""

    def told(latest: Round) -> None:
        overwrite(live_line(training, latest))

    try:
        return training.run(told, checkpoint, None if minutes is None else 60 * minutes), False
    except KeyboardInterrupt:
        overwrite("")
        if training.round == 0:
            raise
        return training.found, True
    finally:
        overwrite("")


def live_line(training: Training, latest: Round) -> str:
    shares = [each.rival.share for each in training.history]
    line = f"round {latest.number}  {latest.games:,} games  {latest.rival} against {training.against}  "
    return line + sparks(shares, max(8, width() - len(line)))


def sparks(values: list[float], columns: int) -> str:
    """A curve in one line of text, the latest values."""
    shown = values[-columns:]
    low, high = min(values), max(values)
    scale = (len(SPARKS) - 1) / (high - low) if high > low else 0.0
    return "".join(SPARKS[round((value - low) * scale)] for value in shown)


def print_found(training: Training, model: Model, file: Path) -> None:
    """The learning curve, how strong the model is, and how to use it."""
    from astragal.learn.matches import Score

    spec, history = game_spec(training.game), training.history
    print(f"{spec}: {model.inputs} inputs, {model.hidden} hidden units; share of games {deep(training.settings.depth)}")
    print(f"{'round':>7} {'games':>11} {'step':>8}  against {training.against}")
    step = max(1, -(-len(history) // SHOWN))
    for each in [*history[:-1:step], history[-1]]:
        print(f"{each.number:>7} {each.games:>11,} {each.rate:>8.4f}  {bar(each.rival.share, 1.0)} {each.rival}")
    for name, facts in model.notes["strength"].items():
        score = Score(**facts)
        print(
            f"  against {name:<20} {paint(str(score), 'bold')} of {score.games} games, {score.points:+.3f} points each"
        )
    ended = "there was no gain any more" if training.is_exhausted else "with more rounds or time it goes on"
    print(f"{training.seconds / 60:.1f} minutes of the processor; {ended}. The model is in {file}:")
    print(f'  astragal match {spec} "{example(training.game, file)}" {example(training.game)} --time 0.05')


def deep(depth: int) -> str:
    return "one move deep" if depth == 1 else f"{depth} moves deep"


def example(game: Any, file: Path | None = None) -> str:
    """A player of the game, with the evaluation in a file if there is one."""
    from astragal.players import load_player

    for name in SEARCHERS:
        try:
            load_player(name, game)
        except AstragalError:
            continue
        return name if file is None else f"{name}:evaluation={file}"
    return "uct_h" if file is None else f"uct_h:evaluation={file}"
