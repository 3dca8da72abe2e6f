"""Threads that grow one tree together: what each gathers before it writes, and which outcomes each follows.

A line of memory that one processor has written has to travel before another can use it. That is most of what a shared
tree costs. Two measures against it:

**Gathering.** Every simulation goes through the root and the nodes near it. A thread keeps its visits and rewards of
such nodes to itself and adds several at once. Other threads, and its own selection, see them a little later: a few
among thousands. These nodes get no virtual loss; one visit more would make no difference there.

**Apportioning.** Below the first chance node of a path, half of all nodes were last written by another thread. So the
outcomes there are divided into parts, and each part belongs to a thread. Outcomes are drawn by their probabilities. An
outcome of another thread's part becomes a ticket for that thread, which uses it when it comes to this node, and the
next outcome is drawn. A ticket names the part; the outcome is drawn again within the part, which gives the same
distribution. Where a thread has too many tickets, because it is slow or its outcomes are likely, others follow its
outcomes, too. In the end every part was followed as often as it was drawn, except for the tickets that are left: at
most one for every `VISITS_A_TICKET` visits of the node waits for a thread. Tickets are drawn and handed over several at
a time, so that shared memory is written seldom.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np
import numpy.typing as npt

from astragal.algorithms.tree.nodes import node_at
from astragal.algorithms.tree.work import APPORTIONED, GATHERED, MOST_PARTS, Work
from astragal.compiler.intrinsics.atomic import atomic_add, atomic_take, claim
from astragal.compiler.intrinsics.native import record_reader
from astragal.compiler.kernel import kernel
from astragal.rules.random import next_word, upper

MUCH = 2048  # visits of a node from which on they are gathered
TOGETHER = 8  # visits of a node that are added at once

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
VISITS_A_TICKET = 128  # and one for this many visits at the most: while there are few visits, what waits counts more
TRIES = 10_000  # draws for a ticket; a part of which one was drawn comes up sooner, unless a game's `draw` is odd

read_share = record_reader(SHARE)


def apportion(works: list[Work], outcomes: int) -> None:
    """Give each thread a part of the outcomes; if there are not enough, threads share parts."""
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
    """Whether the place is this node's, or becomes it since it was free."""
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


@kernel(inline=True)
def gathers(steps):
    """Whether threads do so: where sums of rewards and visits are all that a backup writes.

    Ask `steps.shared` first, a constant: searches by one thread are then compiled without all of this.
    """
    return steps.backup.sums and not steps.rounds.decoupled


@kernel
def gather(tree, index, reward, work):
    """Keep a visit and its reward; where there are enough, or the place is another node's, bring them to the tree."""
    place = np.int64(index) & (GATHERED - 1)
    if work.gathered_node[place] != index:
        bring(tree, place, work)
        work.gathered_node[place] = index
    work.gathered_visits[place] += np.uint32(1)
    work.gathered_sum[place] += reward
    if work.gathered_visits[place] == TOGETHER:
        bring(tree, place, work)


@kernel
def bring(tree, place, work):
    """Add what was gathered at a place to its node."""
    if work.gathered_visits[place] == 0:
        return
    node = node_at(tree, work.gathered_node[place])
    atomic_add(node, "visits", np.uint32(work.gathered_visits[place]))
    atomic_add(node, "sum", np.float64(work.gathered_sum[place]))
    work.gathered_visits[place], work.gathered_sum[place] = 0, 0.0


@kernel
def bring_all(tree, work):
    """Add all that was gathered to the tree."""
    for place in range(GATHERED):
        bring(tree, place, work)
