"""How much a request may ask for, and the settings that are held to it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from astragal.algorithms.depth_first.settings import DeepeningSettings
from astragal.algorithms.limits import DEFAULT_SECONDS, Limits
from astragal.algorithms.tree.settings import TreeSettings
from astragal.arena.playing import MOST_JOBS
from astragal.base.cores import cores
from astragal.base.errors import SpecError
from astragal.base.parameters import parameter
from astragal.learn.model import OWN, SHIPPED
from astragal.players.player import Player

MEGABYTES = 512.0  # of one search
KEPT_MEGABYTES = 64.0  # of one that keeps its tree from move to move
MAX_NODES = 5000  # of a tree in one answer
TREE_MEGABYTES = 24.0  # of a search whose tree is kept: about a million nodes


@dataclass(frozen=True)
class Caps:
    """The most of everything."""

    seconds: float = 60.0  # of one search
    default_seconds: float = 5.0  # of an analysis
    players: int = 3  # of an analysis
    searches: int = cores()  # at a time, over all sessions
    waiting: int = 16  # searches that may wait for their turn
    sessions: int = 64
    idle_seconds: float = 3600.0  # after which a session expires
    rest_seconds: float = 900.0  # after which it keeps no trees
    kept: int = 16  # sessions that keep trees from move to move
    trees: int = 8  # kept over all sessions
    memory: float = parameter(400.0, "Megabytes beyond which new kinds of searches are refused.", low=100, high=1e9)
    kernels: int = 200  # kinds of searches whose machine code is in memory
    tree_nodes: int = MAX_NODES
    body_bytes: int = 65536
    steps: int = 5000  # of a session's game
    streams: int = 32  # open at a time
    work_minutes: float = parameter(60.0, "Minutes after which work of the page is stopped.", low=0.01, high=1e6)
    work_jobs: int = parameter(1, "Games that work of the page plays at a time.", low=1, high=MOST_JOBS)
    work_waiting: int = 16  # pieces of work that may wait for their turn
    work_games: int = 1_000_000  # of a piece of work
    work_megabytes: float = 1024.0  # of a player in it

    @property
    def search_memory(self) -> float:
        """Megabytes of one search: a quarter of what the process may have."""
        return min(MEGABYTES, self.memory / 4)

    def refuse_programs(self, player: Player) -> None:
        """Say that a request cannot have a program run here, or a file read."""
        if player.runs_programs:
            raise SpecError(f"{player.player_name} runs other programs, so it is not for the page")
        if getattr(player, "evaluation", OWN) not in (OWN, SHIPPED):
            raise SpecError(f"{player.player_name}: evaluation is own or learned on the page, not a file")

    def player(self, player: Player, with_tree: bool = False) -> Player:
        """The player with settings that a server can bear, or a sentence about what it cannot."""
        if getattr(player, "check", False):
            raise SpecError(f"{player.player_name}: check=on cannot be stopped, so it is not for the page")
        most = {
            "time": self.seconds,
            "memory": TREE_MEGABYTES if with_tree else KEPT_MEGABYTES if keeps_tree(player) else self.search_memory,
            "threads": cores(),
            "rollouts": 1000,
            "probes": 1000,
        }
        changes: dict[str, Any] = {"keep": True} if with_tree and hasattr(player, "keep") else {}
        for field in fields(player):
            value = getattr(player, field.name)
            if value is not None and field.name in most and value > most[field.name]:
                changes[field.name] = type(value)(most[field.name])
        try:
            return replace(player, **changes) if changes else player
        except ValueError as error:
            raise SpecError(f"{player.player_name}: {error}") from None

    def refuse_for_work(self, player: Player, models: Path | None) -> None:
        """Say that a player is not for work in the queue. Its settings are the user's, so none is reduced.

        Its evaluation may be a model in the folder of the server's models.
        """
        evaluation = getattr(player, "evaluation", OWN)
        if player.runs_programs or not (evaluation in (OWN, SHIPPED) or is_model_in(evaluation, models)):
            self.refuse_programs(player)
        if getattr(player, "check", False):
            raise SpecError(f"{player.player_name}: check=on cannot be stopped, so it is not for the page")
        most = {"time": self.seconds, "memory": self.work_megabytes, "threads": cores()}
        for name, value in most.items():
            if (wanted := getattr(player, name, None)) is not None and wanted > value:
                raise SpecError(f"{player.player_name}: {name} is at most {value:g} here, not {wanted:g}")

    def limits(self, player: Player, seconds: float | None = None) -> Limits:
        """The limits of a search: the player's own, or a default in seconds, and never more than the cap."""
        own = player.limits
        if own == Limits() and seconds is None:
            seconds = DEFAULT_SECONDS
        wanted = own.time if seconds is None else seconds
        return replace(own, time=min(wanted or self.seconds, self.seconds))

    def seconds_without_limits(self, player: Player) -> float | None:
        """After how many seconds to stop a player that keeps to no limits, such as one that solves positions."""
        return None if player.compiles else self.seconds


def is_model_in(evaluation: str, folder: Path | None) -> bool:
    """Whether an evaluation is a file in this very folder."""
    path = Path(evaluation)
    return folder is not None and path.suffix == ".npz" and path.resolve().parent == folder.resolve()


def keeps_tree(player: Player) -> bool:
    """Whether a search makes use of what it kept from earlier moves: its tree or table, or its history of actions."""
    reuses = isinstance(player, TreeSettings | DeepeningSettings) and player.reuse
    return reuses or (isinstance(player, TreeSettings) and player.history is not None)
