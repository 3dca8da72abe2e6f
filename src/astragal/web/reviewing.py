"""A review for the page: a game's decisions and rolls examined one after the other, and sent as they are found."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from astragal.algorithms.limits import Limits
from astragal.algorithms.result import EXACT
from astragal.arena.review import Decision, Review, Reviewer, Roll, seconds_for
from astragal.arena.review_words import loss_text
from astragal.base.cores import taking_spare_cores
from astragal.base.interruptible import Switch, stoppable_by
from astragal.rules.ending import measure
from astragal.rules.position import Position
from astragal.web.caps import Caps
from astragal.web.thinking import Listener, Slots, sending_compile_messages, sentence_of


class Reviewing:
    """The events of a review: `row` for each decision and roll, `end` with what they come to."""

    def __init__(
        self, positions: Sequence[Position], steps: Sequence[int], slots: Slots, caps: Caps, prove: bool = False
    ) -> None:
        slots.refuse_when_full()
        game = positions[0].game
        self.positions, self.steps, self.slots, self.game = positions, steps, slots, game
        self.switch = Switch()
        limits = Limits(time=seconds_for(len(steps)))
        wanted = (Reviewer.proving if prove else Reviewer.usual)(game, limits, lambda: self.switch.is_off)
        ends = wanted.ends and caps.player(wanted.ends)
        self.reviewer = replace(wanted, player=caps.player(wanted.player), ends=ends)

    def start(self, listener: Listener) -> None:
        threading.Thread(target=self.run, args=(listener,), name="review", daemon=True).start()

    def abandon(self) -> None:
        self.switch.stop()

    def run(self, listener: Listener) -> None:
        try:
            with self.slots.one(self.switch, lambda: listener(("wait", {}))) as room:
                if room:
                    self.send(listener)
        except Exception as error:
            listener(("failed", {"error": sentence_of(error)}))
        listener(None)

    def send(self, listener: Listener) -> None:
        found = Review(self.game)
        end = self.positions[-1]
        listener(
            (
                "begin",
                {
                    "steps": len(self.steps),
                    "players": self.game.players,
                    "reviewer": self.reviewer.player.text_for(self.game),
                    "measure": measure(self.game),
                    "range": list(self.game.utility_range),
                    "unit": found.unit,
                    "result": list(end.utilities()) if end.is_terminal else None,
                },
            )
        )
        with (
            sending_compile_messages(lambda what, **far: listener(("compile", {"what": what} | far))),
            stoppable_by(self.switch),
            taking_spare_cores(),
        ):
            for row in self.reviewer.rows(self.positions, self.steps):
                found.rows.append(row)
                listener(("row", row_view(row, found, self.reviewer.gives_chances)))
        listener(("end", found.as_dict()))


def row_view(row: Decision | Roll, found: Review, chances: bool) -> dict[str, Any]:
    """A row; whether its value is a chance to win, where the game is won or lost."""
    facts = {"chances": chances or row.kind == EXACT or (isinstance(row, Decision) and row.proven is not None)}
    if isinstance(row, Decision):
        open_loss = row.between is not None and row.between.upper > 0.0
        loss = loss_text(row.between, found) if row.between is not None and open_loss else None
        return facts | {"what": "decision", "mistake": found.is_mistake(row), "loss": loss} | vars(row)
    return facts | {"what": "roll"} | vars(row)
