"""The engine's side of the engine protocol: it reads a line, writes lines, and stops a search on request.

docs/engine-protocol.md has the commands and a transcript. After an error, the engine writes one line, ``error`` and a
sentence, and goes on.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from typing import Any

from astragal.algorithms.limits import Limits
from astragal.algorithms.result import SearchResult
from astragal.base.errors import AstragalError, SpecError, Stopped, suggest
from astragal.base.interruptible import Switch, stoppable_by
from astragal.games import game_spec, load_game
from astragal.players import load_player
from astragal.players.player import Player
from astragal.players.programs.engine_lines import (
    FOREVER,
    PROTOCOL,
    Go,
    action_lines,
    info_line,
    legal_words,
    number_of,
    read_go,
    word,
)
from astragal.rules.position import Position

COMMANDS = {
    "hello": "hello [VERSION]: who is there, and which version of the protocol it speaks",
    "game": "game SPEC: a new game, such as ewn:setup=fixed; the player gets ready for it",
    "player": "player SPEC: who answers go, such as star2ss:width=18",
    "position": "position TEXT | start [SEED] [steps NAME ...]: where the game is",
    "show": "show: the position for people, in lines that begin with #",
    "legal": "legal: the names of the legal actions, or of what chance can bring",
    "go": "go [time S] [nodes N] [depth N] [sims N] [infinite] [seed N] [actions NAME ...]: search",
    "stop": "stop: end the search, which answers with what it has",
    "ready": "ready: answered as soon as all before it is done, and at once during a search",
    "help": "help: these lines",
    "quit": "quit: end the engine",
}
DURING_SEARCH = ("stop", "ready", "quit", "help", "hello")


class EngineServer:
    """An engine: its game, position and player, and the search under way."""

    def __init__(self, player: str, version: str, write: Callable[[str], None], game: str | None = None) -> None:
        self.player_text, self.version = player, version
        self.write_line, self.writing = write, threading.Lock()
        self.game: Any = None
        self.player: Player | None = None
        self.position: Position | None = None
        self.session: Any = None
        self.thread: threading.Thread | None = None  # that searches, or has searched last
        self.is_searching = False
        self.switch = Switch()
        self.endless = False
        load_player(player)  # an error now rather than at the first game
        if game is not None:
            self.begin(load_game(game))

    def say(self, *lines: str) -> None:
        """Write lines together, from any thread."""
        with self.writing:
            for line in lines:
                self.write_line(" ".join(line.split()) if not line.startswith("#") else line.rstrip())

    def serve(self, lines: Iterable[str]) -> None:
        """Answer lines until ``quit``; if they end, a search with a limit is finished first."""
        for line in lines:
            if not self.answer(line):
                break
        else:
            if not self.endless:
                self.wait()
        self.stop()
        self.wait()

    def answer(self, line: str) -> bool:
        """Do what a line says; False for ``quit``."""
        words = line.split()
        if not words or words[0].startswith("#"):
            return True
        command, rest = words[0], line.strip()[len(words[0]) :].strip()
        if command == "quit":
            return False
        try:
            if command not in COMMANDS:
                raise SpecError(f"there is no command '{command}' (see help){suggest(command, COMMANDS)}")
            if self.is_searching and command not in DURING_SEARCH:
                raise SpecError(f"a search is under way: {command} must wait, or send stop")
            getattr(self, f"do_{command}")(rest)
        except AstragalError as error:
            self.say(f"error {error}")
        except Exception as error:  # a fault of this program: the other program must not wait for ever
            self.say(f"error {type(error).__name__}: {error}")
        return True

    # Commands

    def do_hello(self, rest: str) -> None:
        if rest and rest != str(PROTOCOL):
            raise SpecError(f"version {rest} of the protocol is not known; this is version {PROTOCOL}")
        self.say(f"ok hello {PROTOCOL} astragal {self.version} {self.player_text}")

    def do_help(self, rest: str) -> None:
        self.say(*(f"# {about}" for about in COMMANDS.values()), "ok help")

    def do_ready(self, rest: str) -> None:
        self.say("ok ready")

    def do_game(self, rest: str) -> None:
        if not rest:
            raise SpecError("game needs the text of a game after it, such as ewn:setup=fixed")
        self.begin(load_game(rest))
        self.say(f"ok game {game_spec(self.game)}")

    def do_player(self, rest: str) -> None:
        if not rest:
            raise SpecError("player needs the text of a player after it, such as uct:sims=1000")
        if load_player(rest).runs_programs:
            raise SpecError("an engine cannot start another engine")
        chosen = load_player(rest, self.game)
        self.player_text = rest
        if self.game is not None:
            self.sit(chosen)
        self.say(f"ok player {chosen}")

    def do_position(self, rest: str) -> None:
        game = self.known_game()
        text, _, steps = f"{rest} ".partition(" steps ")
        first, *more = text.split() or [""]
        if first == "start" and len(more) <= 1 and all(number.lstrip("-").isdecimal() for number in more):
            position = Position.start(game, int(more[0]) if more else 0)
        else:
            position = Position.parse(game, text.strip())
        for step in steps.split():
            position = after(position, step)
        self.position = position
        self.say(f"ok position {whose(position)} {position.text}")

    def do_show(self, rest: str) -> None:
        self.say(*(f"# {line}" for line in str(self.known_position()).splitlines()), "ok show")

    def do_legal(self, rest: str) -> None:
        self.say(" ".join(["ok legal", *legal_words(self.known_position())]))

    def do_go(self, rest: str) -> None:
        position, asked = self.known_position().known(), read_go(rest.split())
        if position.turn < 0:
            raise SpecError(
                "the game is over" if position.is_terminal else "chance moves next: position ... steps NAME"
            )
        legal = legal_words(position)
        if asked.actions and {name.lower() for name in asked.actions} != {name.lower() for name in legal}:
            raise SpecError(f"the actions sent are not those that are legal here: {' '.join(legal)}")
        self.switch, self.endless = Switch(), asked.limits == FOREVER
        self.thread = threading.Thread(target=self.think, args=(position, asked), name="engine search", daemon=True)
        self.is_searching = True
        self.thread.start()

    def do_stop(self, rest: str) -> None:
        self.stop()

    # The search

    def think(self, position: Position, asked: Go) -> None:
        """Search, and write the result; in a thread of its own."""
        assert self.player is not None
        last: tuple[str, ...]
        try:
            with stoppable_by(self.switch):
                result = self.player.search(position, asked.seed, asked.limits, self.tell, self.session)
            last = info_line(result), *action_lines(result), f"best {word_of(position, result)}"
        except (AstragalError, Stopped) as error:
            last = (f"error {error}",)
        except BrokenPipeError:  # the other program reads no more
            return
        except Exception as error:
            last = (f"error {type(error).__name__}: {error}",)
        self.is_searching = False  # before the answer, after which the next command may come
        self.say(*last)

    def tell(self, found: SearchResult) -> None:
        self.say(info_line(found))

    def stop(self) -> None:
        self.switch.stop()

    def wait(self) -> None:
        """Until the last search has answered."""
        if self.thread is not None:
            self.thread.join()

    # The game

    def begin(self, game: Any) -> None:
        chosen = load_player(self.player_text, game)
        self.game, self.position = game, None
        self.sit(chosen)

    def sit(self, player: Player) -> None:
        """Let a player answer from now on; its kernels are compiled before any clock runs."""
        self.player, self.session = player, player.new_session()
        decision = Position.start(self.game).settled(0)
        if player.compiles and not decision.is_terminal:
            player.search(decision, 0, Limits(nodes=1))

    def known_game(self) -> Any:
        if self.game is None:
            raise SpecError("say which game it is first: game ewn")
        return self.game

    def known_position(self) -> Position:
        self.known_game()
        if self.position is None:
            raise SpecError("say where the game is first: position start")
        return self.position


def after(position: Position, step: str) -> Position:
    """The position after an action or outcome of this name."""
    if position.is_terminal:
        raise SpecError(f"the game is over before '{step}'")
    legal = legal_words(position)
    number = number_of(step, legal)
    if number is None:
        kind = "an outcome" if position.is_chance else "a legal action"
        raise SpecError(f"'{step}' is not {kind} at '{position.text}' (there are: {' '.join(list(legal)[:40])})")
    return position.follow(number)


def whose(position: Position) -> str:
    """Who moves: a player by number, ``chance``, or ``over``."""
    return "chance" if position.is_chance else "over" if position.is_terminal else str(position.turn + 1)


def word_of(position: Position, result: SearchResult) -> str:
    """The word for the action of a result."""
    named = (name for name, number in legal_words(position).items() if number == result.action_number)
    return next(named, word(result.action or ""))
