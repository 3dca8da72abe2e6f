"""Apportioning: which thread follows which outcomes, so that threads that grow one tree work in different parts of it.

Below the first chance node of a path, half of all nodes were last written by another thread, and lie in its cache. So
the outcomes there are shared out: each belongs to one thread. Draws are as they always are. One of another thread's
outcomes becomes a ticket, for that thread to use up when it comes to this node, and the next is drawn. A ticket does
not say which of the thread's outcomes it was: that is drawn again, among these alone, which comes to the same. Where
a thread has too many tickets already, since it is slow or its outcomes are likely, others follow its outcomes, too. So
in the end every outcome was followed as often as it was drawn, but for the few tickets that are left.

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
        ("node", "u4"),  # the chance node that it is of, from 1; 0 while it is of none
        ("tickets", "u4"),  # for its thread
        ("apart", "u8", 15),  # two lines of memory for each: a processor asks for them in pairs
    ]
)
BLOCK = 32  # outcomes drawn at a time
MOST_TICKETS = 64  # that wait for a thread at a node
TRIES = 10_000  # draws of an outcome of a part of which one was drawn before

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
        work["apportioned_node"] = work["tickets"] = 0


@kernel(inline=True)
def apportions(game, steps, length, work):
    """Whether outcomes of the last node of the path belong to threads: the first chance node, and much visited."""
    return gathers(steps) and game.max_outcomes > 1 and work.parts > 1 and work.gathering == length and work.parted == 0


@kernel(inline=True)
def draw_outcome(game, steps, state, generator):
    """An outcome by its chance, or the one that stands for it; and the generator."""
    generator, word = next_word(generator)
    outcome = np.int64(game.draw(state, upper(word)))
    if steps.merge:
        outcome = np.int64(game.representative(state, outcome))
    return outcome, generator


@kernel
def draw_apportioned(game, steps, state, tree, at, generator, work):
    """The same for this thread to follow."""
    work.parted = 1
    place, name = np.int64(at & np.uint32(APPORTIONED - 1)), np.uint32(at + np.uint32(1))
    if work.apportioned_node[place] == 0:
        work.apportioned_node[place] = name
    if work.apportioned_node[place] != name:  # the place is another node's
        return draw_outcome(game, steps, state, generator)
    tickets = place * MOST_PARTS
    if work.tickets[tickets + work.part] == 0:
        work.tickets[tickets + work.part] = waiting_tickets(share_at(tree, work, place, work.part), name)
    part = part_to_follow(tickets, work)
    while part < 0:
        generator = draw_tickets(game, steps, state, tree, place, name, generator, work)
        part = part_to_follow(tickets, work)
    work.tickets[tickets + part] -= np.uint32(1)
    outcome, generator = draw_outcome(game, steps, state, generator)
    for _ in range(TRIES):
        if outcome % work.parts == part:
            break
        outcome, generator = draw_outcome(game, steps, state, generator)
    return outcome, generator


@kernel(inline=True)
def share_at(tree, work, place, part):
    """What is apportioned to the threads of a part."""
    return read_share(tree.shares, place * work.parts + part)


@kernel
def waiting_tickets(share, name):
    """Tickets that others have drawn for this thread; from now on it has them."""
    if share.node != name or share.tickets == 0:
        return np.uint32(0)
    return atomic_take(share, "tickets")


@kernel
def part_to_follow(tickets, work):
    """A part that the thread has tickets of, its own first; -1 if there is none."""
    if work.tickets[tickets + work.part] > 0:
        return work.part
    for part in range(work.parts):
        if work.tickets[tickets + part] > 0:
            return np.int64(part)
    return np.int64(-1)


@kernel
def draw_tickets(game, steps, state, tree, place, name, generator, work):
    """Draw a block of outcomes: keep tickets for one's own, and hand the others over where they are not too many."""
    tickets = place * MOST_PARTS
    for _ in range(BLOCK):
        outcome, generator = draw_outcome(game, steps, state, generator)
        work.tickets[tickets + outcome % work.parts] += np.uint32(1)
    for part in range(work.parts):
        count = work.tickets[tickets + part]
        if part != work.part and hand_over(share_at(tree, work, place, part), name, count):
            work.tickets[tickets + part] = 0
    return generator


@kernel
def hand_over(share, name, count):
    """Give tickets to the threads of a part; whether they take them."""
    before = share.node if share.node != 0 else claim(share, "node", name)
    if (before != 0 and before != name) or share.tickets + count > MOST_TICKETS:
        return False
    atomic_add(share, "tickets", count)
    return True
