"""The loop of Monte Carlo tree search: select, widen, expand, evaluate, back up, prove.

A simulation goes down from the root until it comes to a node without visits, to the end of the game, or to a
node that is proven; evaluates it for each player; and updates the nodes on its path. One node is added
to the tree each time (its siblings get room beside it, but no visit). When the room is used up, simulations go on and
end at the leaves there are (Genesereth & Thielscher, Section 8.3).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from astragal.algorithms.tree.nodes import NONE, add_actions, add_outcome, fetch_children, find_outcome, node_at
from astragal.algorithms.tree.sharing import MUCH, apportions, bring_all, draw_apportioned, draw_outcome, gathers
from astragal.algorithms.tree.steps.evaluate import end_rewards, score_of
from astragal.algorithms.tree.steps.history import note_action
from astragal.algorithms.tree.steps.select import select_child
from astragal.algorithms.tree.steps.spread import follow_spread
from astragal.algorithms.tree.work import LONGEST_PATH
from astragal.compiler.guard import in_turn
from astragal.compiler.intrinsics.atomic import atomic_add
from astragal.compiler.intrinsics.native import assign, local_copy, scratch
from astragal.compiler.kernel import kernel
from astragal.rules.decorator import CHANCE, TERMINAL


@kernel(entry="tree search")
def run_simulations(game, steps, root, arrays, works):
    """Run simulations until a limit is reached, a thread is stopped, or the root is proven."""
    work, tree = works[0], arrays[0]
    state = local_copy(root[0])
    generator = work.generator
    while work.sims < work.sim_limit and work.stop == 0 and not (work.leave_when_full and tree.full):
        if steps.prove.active and steps.prove.settled(tree, 0, work):
            break
        assign(state, root[0])
        generator = simulate(game, steps, state, tree, generator, work)
        work.sims += 1
    work.generator = generator
    if steps.shared and gathers(steps):
        bring_all(tree, work)


@kernel(inline=True)
def simulate(game, steps, state, tree, generator, work):
    """One simulation from the root; the state ends up wherever it led."""
    # 1. Down the tree
    at, owner = np.uint32(0), np.int64(work.root_player)
    length = 0
    settled = False
    if steps.shared and gathers(steps):
        work.gathering = 0
        work.apportioned = 0
    while True:
        seen = enter(steps, tree, at, length, work)
        turn = np.int64(game.turn(state))
        work.path[length], work.movers[length], work.owners[length] = at, turn, owner
        length += 1
        if turn == TERMINAL:
            work.terminals += seen == 0
            break
        in_turn(game, state, turn)
        if steps.prove.active and steps.prove.settled(tree, at, work):
            settled = True
            break
        if seen == 0:
            break
        if length == LONGEST_PATH:
            work.long_paths += 1
            break
        if turn == CHANCE:
            child, generator = follow_chance(game, steps, state, tree, at, length, seen, generator, work)
        else:
            child, generator = follow_choice(game, steps, state, tree, at, length, seen, turn, generator, work)
            owner = turn
        if child == NONE:  # no room
            break
        at = child
    work.length = length
    work.added += seen == 0
    work.depth = max(work.depth, length - 1)

    # 2. What it is worth
    if settled:
        steps.prove.settled_rewards(game, tree, at, work)
    elif turn == TERMINAL:
        end_rewards(game, state, work)
    else:
        generator = steps.evaluate.leaf(game, steps, state, turn, tree, generator, work)

    # 3. Up again
    if work.spreads > 0.0:
        follow_spread(game, work)
    if steps.select.uses_history:
        note_path(steps, tree, work)
    if steps.prove.active:
        work.news = steps.shared and (settled or turn == TERMINAL)
        steps.prove.update(game, tree, turn, work)
    steps.backup.update(game, steps, tree, work)
    return generator


@kernel(inline=True)
def enter(steps, tree, at, length, work):
    """Count a visit on the way down, and return the visits before it; until its backup it counts as a loss.

    Where threads share the tree, visits of the first nodes of the path are gathered if they have many: counted with
    their rewards.
    """
    node = node_at(tree, at)
    if steps.shared and gathers(steps) and work.gathering == length and node.visits >= MUCH:
        work.gathering += 1
        return np.int64(node.visits)
    if steps.shared:
        return np.int64(atomic_add(node, "visits", np.uint32(1)))
    seen = np.int64(node.visits)
    node.visits = np.uint32(seen + 1)
    return seen


@kernel
def expand(game, steps, state, tree, at):
    """Add all children of a decision; whether it has any then."""
    actions = scratch(np.uint32, game.max_actions)
    count = game.actions(state, actions)
    return add_actions(steps, tree, node_at(tree, at), actions, count)


@kernel(inline=True)
def follow_choice(game, steps, state, tree, at, length, seen, turn, generator, work):
    """Select a child of a decision node, adding the children first if there are none; play its action.

    Where decisions just before are hidden from the mover, these are what a step may select over.
    """
    if node_at(tree, at).first == NONE and not expand(game, steps, state, tree, at):
        return NONE, generator
    hidden = steps.rounds.hidden(game, state)
    if steps.rounds.decoupled and 0 < hidden < length:
        above = work.path[length - 1 - hidden]
        child, generator = steps.rounds.select(game, steps, tree, at, above, hidden, turn, generator, work)
    else:
        count = steps.widen.actions(node_at(tree, at), seen, work)
        child, generator = select_child(steps, tree, at, count, seen, turn, generator, work)
    fetch_children(tree, node_at(tree, child))
    game.play(state, np.int64(node_at(tree, child).action))
    return child, generator


@kernel(inline=True)
def follow_chance(game, steps, state, tree, at, length, seen, generator, work):
    """Draw an outcome of a chance node, add it to the tree or be held to those there, and deal it."""
    if steps.shared and apportions(steps, length, work):
        outcome, generator = draw_apportioned(game, steps, state, tree, at, seen, generator, work)
    else:
        outcome, generator = draw_outcome(game, steps, state, generator)
    node = node_at(tree, at)
    child = find_outcome(game, tree, node, outcome)
    if child == NONE:
        if steps.widen.may_add(node, seen, work):
            child = add_outcome(game, steps, tree, node, state, outcome)
            if child == NONE:
                return NONE, generator
        else:
            child, generator = steps.widen.redraw(game, steps, state, tree, node, generator)
            outcome = np.int64(node_at(tree, child).action)
    fetch_children(tree, node_at(tree, child))
    game.deal(state, outcome)
    return child, generator


@kernel
def note_path(steps, tree, work):
    """Update the history of actions with those played in the tree."""
    for i in range(work.length - 1):
        player = np.int64(work.movers[i])
        if player != CHANCE:
            action = np.int64(node_at(tree, work.path[i + 1]).action)
            note_action(steps, tree, player, action, score_of(work.rewards[player], work))
