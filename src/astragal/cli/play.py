"""`astragal play`: a person in the terminal against any player."""

from __future__ import annotations

import contextlib
import secrets
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import typer

from astragal.algorithms.result import SearchResult, value_text
from astragal.base.cores import taking_spare_cores
from astragal.base.errors import AstragalError, IllegalAction, SpecError
from astragal.base.terminal import paint
from astragal.cli.boards import board
from astragal.cli.options import Game, PlayerText, PositionText, check_writable
from astragal.games import game_spec, load_game
from astragal.players import load_player
from astragal.players.player import Player
from astragal.rules.dice import Dice
from astragal.rules.ending import ending
from astragal.rules.position import History, Position

HELP = "Type an action or its number; h hint, u undo, p position's notation, ? help, q quit."


def play(
    game: Game,
    player: PlayerText = "star2",
    seat: Annotated[int, typer.Option("--seat", help="Your seat, from 1; 0 to watch the player against itself.")] = 1,
    position: PositionText = None,
    seed: Annotated[
        int | None,
        typer.Option("--seed", help="The seed of dice and set-up; a new one if not given.", show_default=False),
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", help="Write the game to this file at its end.", show_default=False)
    ] = None,
) -> None:
    """Play against a player in the terminal, with undo, hints and the position's notation."""
    rules = load_game(game)
    opponent = load_player(player, rules)
    if not 0 <= seat <= rules.players:
        raise SpecError(f"seat must be from 1 to {rules.players} (0 to watch), not {seat}")
    seed = secrets.randbelow(2**31) if seed is None else seed
    start = Position.parse(rules, position) if position is not None else Position.start(rules, seed)
    if save is not None:
        check_writable(save)
    name = opponent.text_for(rules)
    who = f"against {name}" if rules.players > 1 or not seat else f"alone, with hints by {name}"
    print(f"{game_spec(rules)} {who}, seed {seed}. {HELP if seat else ''}")
    table = Table(start, opponent, seat - 1, Dice(seed))
    try:
        table.run()
    finally:
        if save is not None:
            write_game(table, seed, save)


def write_game(table: Table, seed: int, path: Path) -> None:
    """Store the game as it is now, for `astragal review` and the page."""
    from astragal.arena.store.game_file import game_file

    history, seats = table.history, range(table.position.game.players)
    names = ["person" if seat == table.seat else str(table.opponent) for seat in seats]
    game_file(history.start, history.steps, names, seed=seed).write(path)
    print(f"   kept in {path}")


@dataclass
class Table:
    """A game under way: the position, who plays where, the dice; and the person's earlier decisions, with the dice as
    they were, so that after undo the same rolls come again."""

    position: Position
    opponent: Player
    seat: int
    dice: Dice
    earlier: list[tuple[Position, History, int, list[str]]] = field(default_factory=list)
    unsaid: list[str] = field(default_factory=list)  # opponents' moves that are not printed yet
    sessions: dict[int, Any] = field(default_factory=dict)  # what the player keeps from move to move, by seat
    history: History = field(init=False)

    def __post_init__(self) -> None:
        self.history = History(self.position)

    def run(self) -> None:
        self.make_opponent_ready()
        while not self.position.is_terminal:
            self.say_what_is_known()
            if self.position.is_chance:
                self.roll()
            elif self.position.turn == self.seat:
                if not self.ask():
                    return
            else:
                self.answer()
        self.say_what_is_known()
        print(f"\n{board(self.position)}\n{ending(self.position.utilities(), () if self.seat < 0 else (self.seat,))}")

    def make_opponent_ready(self) -> None:
        """Compile before the first move rather than during it."""
        from astragal.algorithms.limits import Limits

        decision = self.position.settled(Dice(0))
        if not decision.is_terminal:
            self.opponent.search(decision, 0, Limits(nodes=1))

    def roll(self) -> None:
        outcome = self.position.draw(self.dice)
        print(f"   chance: {self.position.outcome_name(outcome)}")
        self.step(outcome)

    def step(self, number: int) -> None:
        self.history = History(self.history.start, (*self.history.steps, number))
        self.position = self.position.follow(number)

    def answer(self) -> None:
        """The opponent's move."""
        seat = self.position.turn
        if seat not in self.sessions:
            self.sessions[seat] = self.opponent.new_session()
        with taking_spare_cores():
            result = self.opponent.search(
                self.position, self.dice.bits() >> 32, session=self.sessions[seat], history=self.history
            )
        threads = f", {result.threads} threads" if result.threads > 1 else ""
        value = f" ({result.value:+.1f}, depth {result.depth}{threads})" if result.value is not None else ""
        self.unsaid.append(f"   player {self.position.turn + 1} plays {result.action}{value}")
        self.step(self.position.find_action(chosen(result)))

    def say_what_is_known(self) -> None:
        """Print opponents' moves, those made at once with the person's only when that is made too."""
        watching = self.seat < 0
        hidden = 0 if watching else self.position.hidden
        if hidden and self.position.turn != self.seat:
            return
        told = max(0, len(self.unsaid) - hidden)
        for line in self.unsaid[:told]:
            print(paint(line, "cyan"))
        del self.unsaid[:told]

    def ask(self) -> bool:
        """The person's move; False to quit."""
        position = self.position.known()
        print(f"\n{board(position)}")
        names = position.action_names()
        print("   " + "  ".join(f"{i}) {name}" for i, name in enumerate(names, 1)))
        while True:
            try:
                text = input(f"player {position.turn + 1}> ").strip()
            except EOFError:
                print()
                return False
            if text.lower() in ("q", "quit", "exit"):
                return False
            if text.lower() in ("u", "undo"):
                if not self.earlier:
                    print("   nothing to undo")
                    continue
                self.position, self.history, self.dice.state, self.unsaid = self.earlier.pop()
                self.sessions.clear()  # so that the same moves come again
                return True
            if self.did_command(text):
                continue
            try:
                action = position.find_action(pick(text, names))
            except IllegalAction as error:
                print(f"   {error}")
                continue
            self.earlier.append((self.position, self.history, self.dice.state, self.unsaid.copy()))
            self.step(action)
            return True

    def did_command(self, text: str) -> bool:
        """Hint, notation and help; whether the text was one of them."""
        match text.lower():
            case "":
                return True
            case "?" | "help":
                print(f"   {HELP}")
            case "p" | "position":
                print(f"   {self.position.known().text}")
            case "h" | "hint":
                self.hint()
            case _:
                return False
        return True

    def hint(self) -> None:
        try:
            with taking_spare_cores():
                result = self.opponent.search(self.position, 0, history=self.history)
        except AstragalError as error:
            print(f"   no hint: {error}")
            return
        print(f"   {self.opponent.text_for(self.position.game)} would play {result.action}")
        if result.note:
            print(f"   ({result.note})")
        for action in result.actions:
            print(f"      {action.action:<12} {value_text(action.value, 2):>8}  {action.bound}")


def chosen(result: SearchResult) -> int:
    assert result.action_number is not None
    return result.action_number


def pick(text: str, names: list[str]) -> str:
    """What the person means: a name, or a number of the list shown (a name that is a number comes first)."""
    if text.isdecimal() and text not in names and 1 <= int(text) <= len(names):
        return names[int(text) - 1]
    return text


with contextlib.suppress(ImportError):  # line editing and history at the prompt, where there is such a thing
    import readline  # noqa: F401
