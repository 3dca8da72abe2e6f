"""A review for the page: a game's decisions and rolls looked at one after the other, and told as they are found."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from astragal.arena.review import Decision, Review, Reviewer, Roll
from astragal.errors import AstragalError
from astragal.game.interruptible import Switch, stoppable_by
from astragal.game.position import Position
from astragal.players import load_player
from astragal.players.analyst import analyst
from astragal.search.limits import Limits
from astragal.web.caps import Caps
from astragal.web.compiling import told_what_is_compiled
from astragal.web.thinking import Listener, Slots, sentence_of

SECONDS = 0.3  # for each position


class Reviewing:
    """The events of a review: `row` for each decision and roll, `end` with what they come to."""

    def __init__(self, positions: Sequence[Position], steps: Sequence[int], slots: Slots, caps: Caps) -> None:
        slots.refuse_when_full()
        game = positions[0].game
        name = analyst(game)
        if name is None:
            raise AstragalError("there is no player that could review this game")
        self.positions, self.steps, self.slots, self.game = positions, steps, slots, game
        self.switch = Switch()
        player = caps.player(load_player(name, game))
        self.reviewer = Reviewer(player, Limits(time=SECONDS), is_over=lambda: self.switch.is_off)

    def start(self, listener: Listener) -> None:
        threading.Thread(target=self.run, args=(listener,), name="review", daemon=True).start()

    def abandon(self) -> None:
        self.switch.stop()

    def run(self, listener: Listener) -> None:
        try:
            with self.slots.one(self.switch, lambda: listener(("wait", {}))) as room:
                if room:
                    self.tell(listener)
        except Exception as error:
            listener(("failed", {"error": sentence_of(error)}))
        listener(None)

    def tell(self, listener: Listener) -> None:
        found = Review(self.game)
        listener(("begin", {"steps": len(self.steps), "reviewer": str(self.reviewer.player)}))
        with (
            told_what_is_compiled(lambda what, **far: listener(("compile", {"what": what} | far))),
            stoppable_by(self.switch),
        ):
            for row in self.reviewer.rows(self.positions, self.steps):
                found.rows.append(row)
                listener(("row", row_view(row, found)))
        listener(("end", found.as_dict()))


def row_view(row: Decision | Roll, found: Review) -> dict[str, Any]:
    if isinstance(row, Decision):
        return {"what": "decision", "mistake": found.is_mistake(row)} | vars(row)
    return {"what": "roll"} | vars(row)
