"""Apportioning: which thread follows which outcomes, so that threads that grow one tree work in different parts of it.

Below the first chance node of a path, half of all nodes were last written by another thread, and lie in its cache. So
the outcomes there are divided into parts, and each part belongs to a thread. Draws are as they always are. An outcome
of another thread's part becomes a ticket, for that thread to use up when it comes to this node, and the next is drawn.
A ticket says the part and not the outcome, which is drawn again, within the part: that comes to the same. Where
a thread has too many tickets already, since it is slow or its outcomes are likely, others follow its outcomes, too. So
in the end every part was followed as often as it was drawn, but for the tickets that are left: no more than one for
every `VISITS_A_TICKET` visits of the node wait for a thread.

Tickets are drawn and handed over several at a time: what all threads write should be written seldom.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from astragal.game.kernel import kernel
from astragal.game.native import record_reader
from astragal.game.random import next_word, upper
from astragal.search.tree.atomic import atomic_add, atomic_take, claim
from astragal.search.tree.gather import gathers
from astragal.search.tree.work import APPORTIONED, MOST_PARTS, Work

SHARE = np.dtype(
    [
        ("node", "u4"),  # in the first row of a place: the chance node that has it, from 1; 0: none
        ("tickets", "u4"),  # in the others: those that wait for the threads of a part
        ("apart", "u4", 30),  # two lines of memory for each: a processor asks for them in pairs
    ]
)
ROWS = MOST_PARTS + 1  # of a place
BLOCK = 32  # outcomes drawn at a time
MOST_TICKETS = 64  # that wait for the threads of a part at a node,
VISITS_A_TICKET = 128  # and one for so many visits at the most: while there are few visits, what waits counts more
TRIES = 10_000  # draws for a ticket; a part of which one was drawn comes up sooner, unless a game's `draw` is odd

read_share = record_reader(SHARE)


def apportion(works: list[Work], outcomes: int) -> None:
    """Give each thread a part of so many outcomes; where there are not enough, threads share parts."""
    parts = max(1, min(len(works), outcomes, MOST_PARTS))
    for thread, work in enumerate(works):
        work["part"], work["parts"] = thread % parts, parts


def forget_tickets(shares: npt.NDArray[np.void], works: list[Work]) -> None:
    """Begin anew, in a tree whose nodes have other numbers."""
    shares[:] = 0
    for work in works:
        work["tickets"] = 0


@kernel(inline=True)
def apportions(steps, length, work):
    """Whether outcomes of the last node of the path belong to threads: the first chance node, and much visited."""
    return gathers(steps) and work.parts > 1 and work.gathering == length and not work.apportioned


@kernel(inline=True)
def draw_outcome(game, steps, state, generator):
    """An outcome by its chance, or the one that stands for it; and the generator."""
    generator, word = next_word(generator)
    outcome = np.int64(game.draw(state, upper(word)))
    if steps.merge:
        outcome = np.int64(game.representative(state, outcome))
    return outcome, generator


@kernel(inline=True)
def part_of(outcome, work):
    """The part of an outcome. Games number outcomes one after the other, so that parts are alike."""
    return outcome % work.parts


@kernel
def draw_apportioned(game, steps, state, tree, at, seen, generator, work):
    """An outcome for this thread to follow, of a chance node that was visited so often; and the generator."""
    work.apportioned = 1
    place, name = np.int64(at & np.uint32(APPORTIONED - 1)), np.uint32(at + np.uint32(1))
    if not has_place(read_share(tree.shares, place * ROWS), name):
        return draw_outcome(game, steps, state, generator)
    first = place * MOST_PARTS
    if work.tickets[first + work.part] == 0:
        work.tickets[first + work.part] = waiting_tickets(tree, place, work.part)
    part = part_to_follow(first, work)
    while part < 0:
        generator = draw_tickets(game, steps, state, tree, place, seen, generator, work)
        part = part_to_follow(first, work)
    work.tickets[first + part] -= np.uint32(1)
    outcome, generator = draw_outcome(game, steps, state, generator)
    for _ in range(TRIES):
        if part_of(outcome, work) == part:
            break
        outcome, generator = draw_outcome(game, steps, state, generator)
    return outcome, generator


@kernel
def has_place(row, name):
    """Whether the place is this node's, or becomes it since it was nobody's."""
    before = row.node if row.node != 0 else claim(row, "node", name)
    return before == 0 or before == name


@kernel(inline=True)
def share_at(tree, place, part):
    """What waits for the threads of a part."""
    return read_share(tree.shares, place * ROWS + 1 + part)


@kernel
def waiting_tickets(tree, place, part):
    """Tickets that others have drawn for a thread; from now on it has them."""
    share = share_at(tree, place, part)
    return atomic_take(share, "tickets") if share.tickets > 0 else np.uint32(0)


@kernel
def part_to_follow(first, work):
    """A part that the thread has tickets of, its own before others; -1 if there is none."""
    if work.tickets[first + work.part] > 0:
        return work.part
    for part in range(work.parts):
        if work.tickets[first + part] > 0:
            return np.int64(part)
    return np.int64(-1)


@kernel
def draw_tickets(game, steps, state, tree, place, seen, generator, work):
    """Draw a block of outcomes: keep tickets for one's own, and hand the others over where not too many wait."""
    first, most = place * MOST_PARTS, min(MOST_TICKETS, seen // VISITS_A_TICKET)
    for _ in range(BLOCK):
        outcome, generator = draw_outcome(game, steps, state, generator)
        work.tickets[first + part_of(outcome, work)] += np.uint32(1)
    for part in range(work.parts):
        share, count = share_at(tree, place, part), work.tickets[first + part]
        if part != work.part and 0 < count <= most - np.int64(share.tickets):
            atomic_add(share, "tickets", count)
            work.tickets[first + part] = 0
    return generator
