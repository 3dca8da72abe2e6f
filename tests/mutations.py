"""Faults put into the package one by one, each of which the default run of the tests must notice.

    python tests/mutations.py                 all of them
    python tests/mutations.py widening star   those whose kind or file says so
    python tests/mutations.py new SURVIVED    those not tried yet, and those that nothing noticed

Each is put into a copy of the tree in a temporary folder, where the tests named beside it are run until one fails:
first the one that did so the last time. It must pass without the fault. Which one it was is written into
tests/mutations.txt, in the place of what was there of the same fault. If a fault survives, the exit code is 1.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
SEARCH = Path("src/astragal/algorithms")
RECORD = ROOT / "tests/mutations.txt"
GONE = 4, 5  # pytest's exit codes if there is no such test any more, or if it was left to the slow run


@dataclass(frozen=True)
class Mutation:
    """A text in a file, what is put in its place, and the tests that are to fail then."""

    kind: str
    file: str
    old: str
    new: str
    tests: str

    @property
    def name(self) -> str:
        old, new = (" ".join(text.split()) or "nothing" for text in (self.old, self.new))
        return f"{self.kind}, {self.file}: {old}  ->  {new}"


STAR = "star/test_star_bounds.py star/test_star.py"
SPARSE = "sparse/test_fsss.py sparse/test_ams.py"
INFORMED = "star/test_informed.py"
AB = "alphabeta/test_alphabeta.py"
TABLE = "depth_first/test_table.py"
THREADS = "depth_first/test_threads.py"
TREE = "tree/test_tree_search.py"
EXPLORATION = "tree/test_exploration.py"
APPORTION = "tree/test_sharing.py"
INTERVALS = "prove/test_intervals.py"
PROOF = "tree/test_prove_bounds.py tree/test_prove.py"
MARGINS = "../solvers/test_exact.py"
NETWORK = "../learn/test_learned_network.py"
LEARNED = "../learn/test_training.py"
CHECKERS = "../games/test_chinese_checkers.py"
LUCK = "../arena/test_dice_luck.py"
REVIEW = "../arena/test_review.py"
MEETING = "../arena/test_meeting.py"
GOALS = "../gdl/test_goals.py"
MATCHES = "../learn/test_matches.py"
SIDES = "test_sides.py"
PAIRS = "depth_first/test_pairs_of_settings.py"
TREE_PAIRS = "tree/test_pairs_of_tree_settings.py"
MUTATIONS = [
    Mutation("sparse", "sparse/fsss.py", "upper += nodes[i].chance * nodes[i].upper", "upper += nodes[i].upper", SPARSE),
    Mutation("sparse", "sparse/fsss.py", "if nodes[at].turn == 0 else -nodes[i].lower", "if True else 0.0", SPARSE),
    Mutation("sparse", "sparse/fsss.py", "if work.repeats:\n                return", "if False:\n                return", SPARSE),
    Mutation("sparse", "sparse/ams.py", "2.0 * math.log(n)", "math.log(n)", SPARSE),
    Mutation("sparse", "sparse/ams.py", "(-mean if turn == 1 else mean)", "mean", SPARSE),
    Mutation("luck", "../arena/luck.py", "else 0.0) - chances[k]", "else 0.0)", LUCK),
    Mutation("luck", "../arena/luck.py", "game.representative(state, steps[i])", "steps[i]", LUCK),
    Mutation("luck", "../arena/luck.py", "else [float(each) for each in luck]", "else [-float(each) for each in luck]", LUCK),
    Mutation("learned", "../learn/network.py", "out[j] += move * sums[j]", "out[j] += move", NETWORK),
    Mutation("learned", "../learn/network.py", "if sums[j] > ZERO:", "if True:", NETWORK),
    Mutation("learned", "../learn/network.py", "value += halves[step] *", "value += 1.0 / steps *", NETWORK),
    Mutation("learned", "../learn/self_play.py", "game.chances - 1 - chance] = -value", "chance] = -value", LEARNED),
    Mutation("learned", "../learn/derived.py", "return value if mover == player else -value", "return value", NETWORK),
    Mutation("learned", "../learn/self_play.py", "(1.0 - work.decay) * after + work.decay *", "work.decay * after - work.decay *", LEARNED),
    Mutation("learned", "../learn/training.py", "before = steps\n        self.take_rate(before)", "before = steps\n        self.rate = self.settings.rate", LEARNED),
    Mutation("learned", "../learn/training.py", "int(facts.get(\"stage\", 0))", "0", LEARNED),
    Mutation("learned", "../learn/self_play.py", "        broken_off = notes.breaks[step + 1]", "        broken_off = notes.breaks[step + 1] and step < 0", LEARNED),
    Mutation("rollouts", "../games/chinese_checkers/longer.py", "    return hoppers, either(second, beyond), first\n", "    return hoppers, second, first\n", CHECKERS),
    Mutation("rollouts", "../games/chinese_checkers/longer.py", "either(both(any0, any1), both(either(any0, any1), any2))", "both(any0, any1)", CHECKERS),
    Mutation("rollouts", "../games/chinese_checkers/longer.py", "    found &= ~first & game.allowed_ends(", "    found &= game.allowed_ends(", CHECKERS),
    Mutation("rollouts", "../games/chinese_checkers/longer.py", "    while fresh:\n", "    while fresh and not found:\n", CHECKERS),
    Mutation("rollouts", "../games/chinese_checkers/sampling.py", "places[here], places[to], spots[place] = FREE, place, to", "places[to], spots[place] = place, to", CHECKERS),
    Mutation("rollouts", "../games/chinese_checkers/sampling.py", "ticket = other * (single + longer) >> 32", "ticket = other * (single + 9 * longer) >> 32", CHECKERS),
    Mutation("rollouts", "../games/chinese_checkers/sampling.py", "        self.measure(state, spots)\n", "", CHECKERS),
    Mutation("rollouts", "../games/chinese_checkers/sampling.py", "decisions and state.result == ON:", "decisions:", CHECKERS),
    Mutation("rollouts", "tree/steps/evaluate.py", "if game.has_rollout and self.policy.is_uniform and not", "if game.has_rollout and not", TREE),
    Mutation("rollouts", "tree/steps/evaluate.py", "self.policy.is_uniform and not steps.select.uses_history:", "self.policy.is_uniform:", TREE),
    Mutation("bounds", "star/chance.py", "(alpha - opti + chance * upper) / chance", "(alpha - opti + upper) / chance", STAR),
    Mutation("bounds", "star/chance.py", "(beta - pess + chance * lower) / chance", "(beta - pess - chance * lower) / chance", STAR),
    Mutation("bounds", "star/chance.py", "return min(max(bound, low), high)", "return max(bound, low)", STAR),
    Mutation("bounds", "star/chance.py", "* v\n    node.pess += o.chance[i] * (v - lower)\n", "* v\n    node.pess += o.chance[i] * (v - node.low)\n", STAR),
    Mutation("bounds", "star/chance.py", "    node.opti += o.chance[i] * (v - upper)\n", "    node.opti += o.chance[i] * (v - node.high)\n", STAR),
    Mutation("leaves", "star/nodes.py", "        best = max(best, value)\n        total += value\n", "        best = value\n        total += value\n", "star/test_leaves.py"),
    Mutation("leaves", "star/nodes.py", "        total += chance * v  #", "        total = chance * v  #", "star/test_leaves.py"),
    Mutation("leaves", "star/nodes.py", "        work.leaves += 1\n        return variant.recorder.leaf(work, value, HORIZON)\n    child", "        return variant.recorder.leaf(work, value, HORIZON)\n    child", "star/test_leaves.py"),
    Mutation("samples", "star/outcomes.py", "            at, others = np.uint64(places[place]), others + 1\n", "            at, others = np.uint64(0), others + 1\n", "star/test_outcomes.py"),
    Mutation("samples", "star/star.py", "    if work.widths[depth] != 1 or (variant.probe and depth > 0):\n", "    if work.widths[depth] > 2 or (variant.probe and depth > 0):\n", "star/test_outcomes.py"),
    Mutation("cuts", "star/chance.py", "        if v >= b or node.pess >= node.beta:  # line 22", "        if v > b or node.pess > node.beta:  # line 22", STAR),
    Mutation("cuts", "star/chance.py", "        if v <= a or node.opti <= node.alpha:  # line 23", "        if v < a or node.opti < node.alpha:  # line 23", STAR),
    Mutation("cuts", "star/chance.py", "return max(node.pess, node.beta)", "return node.pess", STAR),
    Mutation("cuts", "star/star.py", "            if variant.prune and best >= here.high:  #", "            if variant.prune and best >= floor:  #", STAR),
    Mutation("cuts", "star/chance.py", "            a, b = child_window(o, i, lower, upper, node)  # lines 17", "            a, b = child_window(o, i, lower, upper, node)\n            a, b = clamped(a, work.low, work.high), clamped(b, work.low, work.high)  # lines 17", STAR),
    # (Without `v > inner_a` nothing would be wrong: such a value is no bound only where the node is worth alpha or less.)
    Mutation("probing", "star/chance.py", "if exact or (not minimises and v > inner_a):", "if exact or (minimises and v > inner_a):", STAR),
    Mutation("probing", "star/chance.py", "if exact or (minimises and v < inner_b):", "if exact or (not minimises and v < inner_b):", STAR),
    Mutation("probing", "star/chance.py", "value, action, only, here, work), only\n", "value, action, only, here, work), True\n", STAR),
    Mutation("probing", "star/nodes.py", "bound = NOTHING if bound == UPPER else LOWER", "pass", STAR),
    Mutation("probing", "star/chance.py", "(v - o.upper[i])\n    o.upper[i] = v\n", "(v - o.upper[i])\n", STAR),
    Mutation("chance nodes", "star/star.py", "return variant.recorder.leaf(work, low if low >= beta else high, CUT)", "return variant.recorder.leaf(work, high if low >= beta else low, CUT)", INFORMED),
    Mutation("chance nodes", "star/star.py", "(low >= beta or high <= alpha)", "(low >= beta or high < beta)", INFORMED),
    Mutation("chance nodes", "star/star.py", "NO_MOVE, value, bound_kind(value, alpha, beta) if variant.prune else EXACT, guesses)", "NO_MOVE, value, EXACT, guesses)", INFORMED),
    Mutation("chance nodes", "star/chance.py", "work.low + work.high - game.ceiling(state, 1, depth))", "-game.ceiling(state, 1, depth))", INFORMED),
    Mutation("chance nodes", "star/chance.py", "return least, min(work.high, game.ceiling(state, 0, depth))", "return least, min(work.high, game.ceiling(state, 0, depth - 1))", INFORMED),
    Mutation("depth handling", "star/chance.py", "    left = depth if turn == CHANCE else depth - 1\n", "    left = depth - 1\n", STAR),
    Mutation("depth handling", "star/star.py", "    if depth == 1 and (turn != CHANCE or work.afterstates != 0):", "    if depth == 1:", STAR),
    Mutation("depth handling", "depth_first/root.py", "    left = depth if turn == CHANCE else depth - 1\n", "    left = depth - 1\n", f"star/test_star.py {AB}"),
    Mutation("depth handling", "alphabeta/alphabeta.py", "    if depth == 1:\n        work.leaves", "    if depth <= 2:\n        work.leaves", AB),
    Mutation("leaves", "alphabeta/alphabeta.py", "recorder.leaf(work, told, HORIZON), minimises)", "recorder.leaf(work, told, HORIZON), False)", AB),
    Mutation("alpha-beta", "alphabeta/alphabeta.py", "            if best >= high:\n", "            if best > high:\n", AB),
    Mutation("alpha-beta", "alphabeta/alphabeta.py", "            floor = max(floor, best)\n", "", AB),
    Mutation("alpha-beta", "alphabeta/alphabeta.py", "    if value <= floor or value >= high:\n", "    if value <= floor or value > floor:\n", AB),
    Mutation("alpha-beta", "alphabeta/alphabeta.py", "    low, high = (-beta, -alpha) if minimises else (alpha, beta)\n    actions", "    low, high = alpha, beta\n    actions", AB),
    Mutation("history", "alphabeta/ordering.py", "+= depth * depth", "+= depth", AB),
    Mutation("history", "alphabeta/ordering.py", "return 4 * (work.root_depth - depth) + 2 * turn", "return 4 * depth + 2 * turn", AB),
    Mutation("history", "alphabeta/ordering.py", "return SLOTS * turn + (np.int64(action)", "return (np.int64(action)", AB),
    Mutation("evaluated order", "alphabeta/ordering.py", "< (after == turn, value):", "< (after != turn, value):", AB),
    Mutation("evaluated order", "alphabeta/ordering.py", "else game.heuristic(child, turn)", "else game.heuristic(child, 0)", AB),
    Mutation("evaluated order", "alphabeta/ordering.py", "            actions[at], again[at], scores[at] = actions[at - 1], again[at - 1], scores[at - 1]\n", "            actions[at], again[at], scores[at] = actions[at - 1], again[at], scores[at - 1]\n", AB),
    Mutation("table", "depth_first/table.py", "return LOWER if value >= high else UPPER if value <= low else EXACT", "return EXACT", f"{AB} {STAR}"),
    Mutation("table", "depth_first/entries.py", "return entry.depth == depth or (entry.depth < depth and entry.horizon == 0 and", "return entry.depth == depth or (entry.depth < depth and", f"{TABLE} {AB} {STAR}"),
    Mutation("table", "depth_first/entries.py", "(entry.depth < depth and entry.horizon == 0 and work.table_lasting != 0)", "(entry.depth > depth and entry.horizon == 0 and work.table_lasting != 0)", f"{TABLE} {AB} {STAR}"),
    Mutation("threads", "depth_first/table.py", "            numbers[i] = numbers[i + 1]\n        numbers[count - 1] = begun", "            numbers[i] = numbers[i + 1]\n        numbers[count - 1] = numbers[first]", THREADS),
    Mutation("threads", "depth_first/threads.py", "        share = max(0, self.limit - so_far) // len(self.works)\n", "        share = max(0, self.limit - so_far)\n", THREADS),
    Mutation("threads", "depth_first/threads.py", "return finished[best], made[best] if lasting else sum(made)", "return finished[best], 0", THREADS),
    Mutation("threads", "depth_first/threads.py", "            mine[:] = its\n", "            pass\n", THREADS),
    Mutation("threads", "../base/cores.py", "return threads or (1 if counted else spare_cores())", "return threads or spare_cores()", THREADS),
    Mutation("table", "depth_first/entries.py", "            work.trusted += entry.horizon\n", "            work.trusted += 0\n", TABLE),
    Mutation("table", "depth_first/entries.py", "(bound == LOWER and value >= high)", "(bound == LOWER and value >= low)", f"{AB} {STAR}"),
    Mutation("table", "depth_first/entries.py", "(bound == UPPER and value <= low)", "(bound == UPPER and value <= high)", f"{AB} {STAR}"),
    Mutation("table", "depth_first/entries.py", "return hash_of(entry) == key and entry.era >= work.first_era", "return entry.era >= work.first_era", f"{AB} {STAR}"),
    Mutation("table", "depth_first/entries.py", "return hash_of(entry) == key and entry.era >= work.first_era", "return hash_of(entry) == key", TABLE),
    Mutation("table", "depth_first/entries.py", "return entry.check ^ word(entry, 1) ^ word(entry, 2) ^ word(entry, 3)", "return entry.check ^ word(entry, 1) ^ word(entry, 3)", TABLE),
    Mutation("table", "depth_first/entries.py", "if work.table_values == 0 or entry.era < work.value_era:", "if work.table_values == 0:", f"{TABLE} depth_first/test_deepening.py"),
    Mutation("table", "depth_first/entries.py", "            if bound == NOTHING and entry.era >= work.value_era:\n                return\n", "", TABLE),
    Mutation("table", "depth_first/entries.py", "            chosen, is_new = i, False\n            break\n", "            is_new = False\n", TABLE),
    Mutation("table", "depth_first/entries.py", "        before = (home + lines - line) & small\n", "        before = np.uint64(0)\n", TABLE),
    Mutation("table", "depth_first/entries.py", "    return np.int64(entry.depth)\n", "    return -np.int64(entry.depth)\n", TABLE),
    Mutation("table", "depth_first/table.py", "        horizon = 1 if guessed(work) != guesses else 0\n", "        horizon = 0\n", TABLE),
    Mutation("table", "depth_first/table.py", 'work["first_era"] if lasting else work["table_era"]', 'work["first_era"]', f"{TABLE} depth_first/test_deepening.py star/test_star.py"),
    Mutation("intervals", "prove/bounds.py", "np.nextafter(least + above * less, -np.inf) if above > 0.0 else least", "least + above / max(1.0, total)", INTERVALS),
    Mutation("intervals", "prove/bounds.py", "np.nextafter(most - below * less, np.inf) if below > 0.0 else most", "most - below / max(1.0, total)", INTERVALS),
    Mutation("intervals", "prove/bounds.py", "        above += chance * (child.lower - least)", "        above += chance * (child.upper - least)", INTERVALS),
    Mutation("intervals", "prove/bounds.py", "lower, upper = min(lower, child.lower), min(upper, child.upper)", "lower, upper = min(lower, child.lower), max(upper, child.upper)", INTERVALS),
    Mutation("intervals", "prove/graph.py", "        if not (work.low <= value <= work.high):", "        if False:", INTERVALS),
    Mutation("intervals", "prove/graph.py", "    elif turn != CHANCE and game.hidden(state) > 0:", "    elif False:", INTERVALS),
    Mutation("intervals", "prove/graph.py", "    node.lower, node.upper, node.count, node.turn, node.on_path = work.low, work.high, 0, turn, 0", "    node.lower, node.upper, node.count, node.turn, node.on_path = work.low, game.heuristic(state, 0) if turn >= 0 else work.high, 0, turn, 0", INTERVALS),
    Mutation("intervals", "interval.py", "    ends = math.floor(lower * scale), math.ceil(upper * scale)", "    ends = round(lower * scale), round(upper * scale)", INTERVALS),
    Mutation("intervals", "interval.py", "        difference(least, own.upper, 0.0) if least > own.upper else 0.0,", "        max(0.0, most - own.upper),", INTERVALS),
    Mutation("intervals", "prove/search.py", "all(other.upper <= actions[best].lower", "all(other.lower <= actions[best].lower", INTERVALS),
    Mutation("intervals", "depth_first/work.py", "        work.hidden = 1\n", "        work.hidden = 0\n", "test_simultaneous.py"),
    Mutation("solver", "tree/steps/prove.py", "        if missing > EPSILON:\n            lower += missing * work.low\n            upper += missing * work.high\n", "", PROOF),
    Mutation("solver", "tree/steps/prove.py", "return more.upper <= sure.lower + slack if mover == 0", "return more.upper < sure.lower - slack if mover == 0", PROOF),
    Mutation("solver", "tree/steps/prove.py", "lower, upper = max(lower, more.lower), max(upper, more.upper)", "lower, upper = max(lower, more.lower), min(upper, more.upper)", PROOF),
    Mutation("solver", "tree/steps/prove.py", "        if winner == 0:\n            unknown = True\n", "        if winner == 0:\n            pass\n", PROOF),
    Mutation("solver", "tree/steps/prove.py", "    return winner if missing <= EPSILON else 0", "    return winner", PROOF),
    Mutation("widening", "tree/steps/widen.py", "np.ceil(work.widen_factor", "np.floor(work.widen_factor", TREE),
    Mutation("widening", "tree/steps/widen.py", "allowed(seen, work) > node.count", "allowed(seen, work) >= node.count", TREE),
    Mutation("widening", "tree/steps/widen.py", "            if left < 0.0:\n                break\n", "", TREE),
    Mutation("widening", "tree/steps/widen.py", "return min(np.int64(node.count), max(allowed(seen, work), 1))", "return np.int64(node.count)", TREE),
    Mutation("threads", "tree/steps/backup.py", '"sum", reward - steps.backup.floor', '"sum", reward', f"{TREE}::test_the_kernel_for_threads_grows_the_same_tree_alone"),
    Mutation("gathering", "tree/sharing.py", "        bring(tree, place, work)\n        work.gathered_node[place] = index\n", "        work.gathered_node[place] = index\n", f"{TREE}::test_visits_of_much_visited_nodes_are_added_a_few_at_a_time"),
    Mutation("gathering", "tree/sharing.py", "    work.gathered_visits[place], work.gathered_sum[place] = 0, 0.0\n", "    work.gathered_visits[place] = 0\n", f"{TREE}::test_visits_of_much_visited_nodes_are_added_a_few_at_a_time"),
    Mutation("gathering", "tree/simulation.py", "        bring_all(tree, work)\n", "        pass\n", f"{TREE}::test_what_threads_gather_comes_to_the_tree_in_the_end"),
    Mutation("gathering", "tree/simulation.py", "        work.gathering = 0\n", "        pass\n", f"{TREE}::test_what_threads_gather_comes_to_the_tree_in_the_end"),
    Mutation("gathering", "tree/simulation.py", "work.gathering == length and node.visits >= MUCH", "node.visits >= MUCH", f"{TREE}::test_only_nodes_with_many_visits_at_the_beginning_of_a_path_are_gathered"),
    Mutation("threads", "tree/sharing.py", "if part_of(outcome, work) == part:", "if part_of(outcome, work) == work.part:", APPORTION),
    Mutation("threads", "tree/sharing.py", "count <= most - np.int64(share.tickets):", "count:", APPORTION),
    Mutation("threads", "tree/sharing.py", "min(MOST_TICKETS, seen // VISITS_A_TICKET)", "MOST_TICKETS", APPORTION),
    Mutation("threads", "tree/sharing.py", "            work.tickets[first + part] = 0\n", "            pass\n", APPORTION),
    Mutation("threads", "tree/sharing.py", "work.gathering == length and not work.apportioned", "work.gathering == length", APPORTION),
    Mutation("threads", "tree/sharing.py", "    return before == 0 or before == name\n", "    return True\n", APPORTION),
    Mutation("threads", "tree/simulation.py", "        work.apportioned = 0\n", "", APPORTION),
    Mutation("threads", "tree/simulation.py", "if steps.shared and apportions(steps, length, work):", "if False:", APPORTION),
    Mutation("threads", "tree/search.py", "        forget_tickets(store.shares, self.works)\n\n", "\n", APPORTION),
    Mutation("threads", "tree/search.py", "            forget_tickets(store.shares, self.works)\n        report_at", "            pass\n        report_at", APPORTION),
    Mutation("gathering", "tree/steps/backup.py", "gather(tree, work.path[i], reward - steps.backup.floor, work)", "gather(tree, work.path[i], reward, work)", f"{TREE}::test_what_threads_gather_comes_to_the_tree_in_the_end"),
    Mutation("unvisited", "tree/steps/backup.py", "best = max(best, own if owner == mover or self.unvisited == MIDDLE else -own)", "best = max(best, own)", f"{TREE}::test_what_children_count_that_were_not_visited_yet"),
    Mutation("unvisited", "tree/steps/backup.py", "if self.unvisited != NOTHING and has_unvisited(tree, node):", "if self.unvisited != NOTHING:", f"{TREE}::test_what_children_count_that_were_not_visited_yet"),
    Mutation("exploration", "tree/steps/spread.py", "share + aside * aside)", "share)", EXPLORATION),
    Mutation("exploration", "tree/steps/spread.py", "off * (reward - work.means[player])", "off * off", EXPLORATION),
    Mutation("exploration", "tree/steps/spread.py", "    if opposed:\n        work.c[1] = work.c[0]\n", "", EXPLORATION),
    Mutation("exploration", "tree/steps/select.py", "explore = work.c[mover]", "explore = work.c[0]", TREE),
    Mutation("selection", "tree/steps/select.py", "value = mean + explore * inverse_root(visits)", "value = mean + explore * inverse(visits)", TREE),
    Mutation("selection", "tree/steps/select.py", "        if child.visits == 0 and not steps.select.sorts_untried:\n            return index\n", "", TREE),
    Mutation("selection", "tree/steps/select.py", "value = UNTRIED + steps", "value = steps", f"{TREE}::test_history_may_decide_among_children_without_a_visit"),
    Mutation("selection", "tree/steps/select.py", "        better = value > best\n", "        better = value >= best\n", TREE),
    Mutation("selection", "tree/steps/select.py", "tried * (1.0 - (mean - work.low) / width)", "tried * (mean - work.low) / width", TREE),
    Mutation("history", "tree/steps/history.py", "+ np.uint64(player) + np.uint64(1)", "+ np.uint64(1)", TREE),
    Mutation("recycling", "tree/recycle.py", "return node.first != NONE and (is_root or node.visits >= min_visits)", "return node.first != NONE and (is_root or node.visits > 1)", f"{TREE} {PROOF}"),
    Mutation("recycling", "tree/recycle.py", "            node.first, node.count, node.flags = 0, 0, 0\n", "            pass\n", f"{TREE} {PROOF}"),
    Mutation("recycling", "tree/nodes.py", "        assign(extra_at(tree, to), extra_at(tree, here))\n", "        pass\n", f"{PROOF} {TREE}"),
    Mutation("recycling", "tree/recycle.py", "    while kept != before:", "    while before < 0:", f"{TREE} {PROOF}"),
    Mutation("recycling", "tree/recycle.py", "slots_of(game, steps, left), held_by", "game.max_outcomes, held_by", f"{TREE} {PROOF}"),
    Mutation("small chunks", "tree/nodes.py", "        tree.spare = np.uint64(node.first)\n", "        pass\n", TREE),
    Mutation("small chunks", "tree/nodes.py", "        tree.spare = np.uint64(node_at(tree, chunk).first)\n", "        pass\n", TREE),
    Mutation("leaves", "star/chance.py", "    if not (least < node.beta and most > node.alpha) or", "    if not least < node.beta or", "star/test_leaves.py"),
    Mutation("drawing", "star/star.py", "    if depth == 0 and game.ignores_outcomes and variant.silent:", "    if game.ignores_outcomes and variant.silent:", "star/test_leaves.py"),
    Mutation("leaves", "star/star.py", "            leaves += told\n", "            pass\n", "star/test_leaves.py"),
    Mutation("recycling", "tree/recycle.py", "            at = node_at(tree, at + held).first\n", "            at = at + slots\n", f"{TREE} {PROOF}"),
    Mutation("Monte Carlo Search", "monte_carlo/probes.py", "best = max(best, value) if own else min(best, value)", "best = max(best, value)", "monte_carlo/test_probes.py"),
    Mutation("Monte Carlo Search", "monte_carlo/probes.py", "        if work.certain and value >= work.high:\n", "        if value >= work.high:\n", "monte_carlo/test_probes.py"),
    Mutation("Monte Carlo Search", "monte_carlo/probes.py", "        certain &= work.certain\n", "        certain |= work.certain\n", "monte_carlo/test_probes.py"),
    Mutation("Monte Carlo Search", "monte_carlo/probes.py", "levels - 1 if at == 0 or game.turn(child) == CHANCE else levels", "levels - 1", "monte_carlo/test_probes.py"),
    Mutation("Monte Carlo Search", "monte_carlo/probes.py", "    return node.sum / node.visits", "    return work.rewards[work.root_player]", "monte_carlo/test_probes.py"),
    Mutation("margins", "../games/kalah/solver.py", "(gained + low, gained + high) if again else (gained - high, gained - low)", "(gained + low, gained + high) if again else (gained - low, gained - high)", MARGINS),
    Mutation("margins", "../games/kalah/solver.py", "        if high <= alpha:\n            value = max(value, high)\n", "        if high <= alpha:\n", MARGINS),
    Mutation("margins", "../games/kalah/solver.py", "game, child, gained - alpha - 1, work)", "game, child, gained - alpha, work)", MARGINS),
    Mutation("margins", "../games/kalah/solver.py", "        return -stones, stones, np.int64(NO_PIT)", "        return -stones, stones - 1, np.int64(NO_PIT)", MARGINS),
    Mutation("margins", "../games/kalah/solver_table.py", "bucket.mine[i] == mine and bucket.theirs[i] == theirs and", "bucket.theirs[i] == theirs and", MARGINS),
    Mutation("margins", "../games/kalah/solver_table.py", "    bucket.low[i], bucket.high[i] = -MAX_STONES, MAX_STONES\n", "", MARGINS),
    Mutation("margins", "../games/kalah/solver_table.py", "if bucket.effort[j] < bucket.effort[i]:", "if bucket.effort[j] > bucket.effort[i]:", MARGINS),
    Mutation("review", "../arena/judging.py", "if max(position.turn, 0) == seat else", "if position.turn == seat else", REVIEW),
    Mutation("review", "../arena/review.py", "[judged.amount, -judged.amount][:", "[judged.amount, judged.amount][:", REVIEW),
    Mutation("review", "../arena/judging.py", "(game.players == 2 and game.zero_sum)", "game.players == 2", REVIEW),
    Mutation("review", "../arena/judging.py", "error = None if played.visits is None and found.bound != EXACT else math.hypot(*errors)", "error = sum(errors)", REVIEW),
    Mutation("review", "../arena/review.py", "max(SLIP * self.span, row.error or 0.0)", "max(SLIP, row.error or 0.0)", REVIEW),
    Mutation("review", "../arena/review.py", "values[best] - values[step], 0.0", "values[best], 0.0", REVIEW),
    Mutation("review", "../arena/judging.py", "depth if after.is_chance else depth - 1", "depth - 1", REVIEW),
    Mutation("review", "../arena/review.py", "if not 1 < len(before.outcomes())", "if not 0 < len(before.outcomes())", REVIEW),
    Mutation("review", "../web/views.py", "* (-1.0 if position.turn == 1 else 1.0)", "* 1.0", "../web/test_exact_view.py"),
    Mutation("goals", "../gdl/sheets.py", "all(other.get(100 - value) == literal for value, literal in one.items())", "all(100 - value in other for value in one)", GOALS),
    Mutation("goals", "../gdl/game.py", "i in range(tables.goal_begin[player], tables.goal_begin[player + 1]):", "i in range(tables.goal_begin[player + 1] - 1, tables.goal_begin[player] - 1, -1):", GOALS),
    Mutation("goals", "../gdl/game.py", "return 50.0 if other < 0.0 else 100.0 - other", "return 50.0", GOALS),
    Mutation("goals", "../gdl/game.py", "return own - self.goal_at_end(state, 1 - player) if", "return 2.0 * own - 100.0 if", GOALS),
    Mutation("goals", "../gdl/game.py", "return 0.0 if own < 0.0 or other < 0.0 else own - other", "return 0.0 if own < 0.0 else own - other", GOALS),
    Mutation("seats", "../gdl/game.py", "seat = (state.first + i) % self.players\n            if state.choices", "seat = i\n            if state.choices", "../gdl/test_joint_moves.py"),
    Mutation("seats", "../games/kalah/rules.py", "self.total + self.lead(state, player)", "self.total + self.lead(state, 0)", "../games/test_seats.py"),
    Mutation("seats", "../games/focus/rules.py", "while not self.can_act(state, after):", "if not self.can_act(state, after):", "../games/test_focus.py"),
    Mutation("ends", "../games/backgammon/rules.py", "for place in range(7):  #", "for place in range(6):  #", "../games/test_backgammon.py"),
    Mutation("merging", "../games/ra/rules.py", "count_of(state.track[word], kind) << 16 | with_players", "with_players", "../games/test_ra.py"),
    Mutation("meetings", "../arena/meeting.py", "        standing.keep_first(watch.pairs)\n", "        pass\n", MEETING),
    Mutation("meetings", "../arena/meeting.py", "seed=meeting_seed(self.seed, occasion, *contest.kinds)", "seed=meeting_seed(self.seed, \"\", *contest.kinds)", MEETING),
    Mutation("meetings", "../arena/contest.py", "        if len(set(scores)) == 1:\n            return 1 / len(set(self.seats))\n", "", "../arena/test_record.py"),
    Mutation("learned", "../learn/matches.py", "return Score(*mean_and_error(scores, seats), *mean_and_error(points, seats)", "return Score(*mean_and_error(scores, 1), *mean_and_error(points, 1)", MATCHES),
    Mutation("learned", "../learn/training.py", "shown = ahead - (", "shown = ahead + (", LEARNED),
    Mutation("learned", "../learn/matches.py", "            winners += their == own\n", "", MATCHES),
    Mutation("learned", "../learn/look_ahead.py", "value += chances[at] * below", "value += chances[i] * below", "../learn/test_look_ahead.py"),
    Mutation("claims", "../lab/sequential.py", "/ 2.0**again", "/ (1.0 + again)", "../lab/test_sequential.py"),
    Mutation("the other side", "tree/store.py", "    best = max if position.turn == 0 else min\n", "    best = max\n", f"{TREE_PAIRS} {SIDES}"),
    Mutation("the other side", "depth_first/deepening.py", "means = [self.sign * float(total)", "means = [float(total)", PAIRS),
    Mutation("the other side", "star/chance.py", "variant.informed and not variant.one_against_all and work.ceilings", "variant.informed and work.ceilings", f"{PAIRS} {SIDES}"),
    Mutation("the other side", "tree/store.py", "            hand_over_root(position, steps, store)\n", "", TREE_PAIRS),
    Mutation("the other side", "tree/store.py", "position.turn != CHANCE and not (one_sided", "not (one_sided", TREE_PAIRS),
    Mutation("pairs of settings", "depth_first/deepening.py", "        self.work[\"table_values\"] = 0  # they are true of one search\n", "", PAIRS),
    Mutation("pairs of settings", "star/search.py", "        if work[\"key_by_path\"]:\n            work[\"table_chances\"] = 0\n", "", PAIRS),
    Mutation("pairs of settings", "star/search.py", "            work[\"table_values\"] = 0  # on another path to a state its value is another\n", "            pass\n", PAIRS),
    Mutation("pairs of settings", "star/search.py", "            work[\"ceilings\"] = 0  # a corrected", "            pass  # a corrected", PAIRS),
    Mutation("pairs of settings", "depth_first/work.py", "(\"leaves\", \"trusted\", \"null_cuts\", \"multi_cuts\",", "(\"leaves\", \"trusted\", \"multi_cuts\",", PAIRS),
    Mutation("pairs of settings", "tree/store.py", "settings.solver == \"paranoid\" or settings.backup == \"minimum\"  #", "settings.solver == \"paranoid\"  #", SIDES),
    Mutation("pairs of settings", "tree/answer.py", "* visits / (row.visits + visits)", "* (0.5 if row.visits else 1.0)", TREE_PAIRS),
    Mutation("pairs of settings", "tree/steps/evaluate.py", "np.sign(utility) * work.point", "(work.point if utility > 0 else -work.point)", TREE_PAIRS),
    Mutation("rules", "../rules/one_winner.py", "        if state.result == DRAWN:\n            return 0.0\n        return 100.0", "        return 100.0", "../games/test_focus.py ../games/test_chinese_checkers.py ../rules/test_conformance.py"),
    Mutation("rules", "../rules/order.py", "keys[word * ties >> 32]", "keys[0]", "../games/test_focus.py ../games/test_chinese_checkers.py ../games/test_games.py"),
    Mutation("rules", "../rules/defaults.py", "        left -= self.probability(state, np.int64(outcomes[i]))\n", "        left -= self.probability(state, np.int64(outcomes[0]))\n", "../rules/test_position.py"),
    Mutation("rules", "../rules/inputs.py", "first + lower + (1 if i < above else 0)", "first + lower + (1 if i <= above else 0)", "../learn/test_inputs.py ../learn/test_learned_network.py"),
    Mutation("drawing lots", "../rules/dice.py", "            left -= weight\n", "", "../solvers/test_mixed_values.py test_simultaneous.py"),
    Mutation("best line", "result.py", "length = length if position.is_chance else len(steps)", "length = len(steps)", "test_result.py"),
    Mutation("many players", "multiplayer/maxn.py", "= game.heuristic(state, player)", "= game.heuristic(state, work.viewer)", "multiplayer/test_multiplayer.py"),
    Mutation("many players", "multiplayer/maxn.py", "result_of(work.vector, player).utility = sums[player]", "result_of(work.vector, player).utility = sums[work.viewer]", "multiplayer/test_multiplayer.py"),
    Mutation("many players", "multiplayer/search.py", "        super().configure()\n        self.work[\"viewer\"] = max(0, self.position.turn)", "        super().configure()\n        self.work[\"viewer\"] = 0", "multiplayer/test_multiplayer.py"),
    Mutation("exact values", "../solvers/value_iteration.py", "sign = 1.0 if mover == STAGES else -1.0", "sign = 1.0", "../solvers/test_mixed_values.py"),
    Mutation("exact values", "../solvers/value_iteration.py", "matrix[i, j] = sign * values[number, side]", "matrix[i, j] = sign * values[number, 0]", "../solvers/test_mixed_values.py"),
    Mutation("exact values", "../solvers/matrix_game.py", "if basis[rows + j] >= columns:", "if basis[rows + j] > columns:", "../solvers/test_mixed_values.py"),
    Mutation("exact values", "../solvers/adoption.py", "                return 0\n            compared += 1", "                continue\n            compared += 1", "../solvers/test_adoption.py"),
    Mutation("exact values", "../solvers/exact.py", "(values[action], position.follow(action).is_terminal)", "(values[action], action)", "../solvers/test_every_decision.py ../solvers/test_solve.py"),
    Mutation("exact values", "../solvers/exact.py", "return (self.value(position) - low) / (high - low) if", "return self.value(position) / high if", "../solvers/test_exact.py ../web/test_exact_view.py"),
    Mutation("exact values", "../solvers/graph.py", "(game.utility_range[1] if mover == 0 else game.utility_range[0])", "game.utility_range[1]", "../solvers/test_every_decision.py ../solvers/test_solve.py"),
    Mutation("exact values", "../solvers/graph.py", "work.secrets += hidden != 1 or turn == mover", "work.secrets += hidden != 1", "../solvers/test_mixed_values.py"),
    Mutation("exact values", "../solvers/solution.py", "sign = -1.0 if here.turn == 1 else 1.0", "sign = 1.0", "../solvers/test_mixed_values.py ../solvers/test_every_decision.py"),
    Mutation("exact values", "../solvers/solution.py", "(1.0 + self.value(position) / self.win) / 2.0", "(1.0 + self.value(position)) / 2.0", "../solvers/test_solve.py ../web/test_exact_view.py"),
    Mutation("exact values", "../games/ewn/solver.py", "may_move = CHOICE[alive, die, 0] == number or CHOICE[alive, die, 1] == number", "may_move = CHOICE[alive, die, 0] == number", MARGINS),
    Mutation("games", "../games/pig/rules.py", "        state.pot = 0\n        state.turn ^= 1\n        state.rolling = 1\n\n    def outcomes", "        state.turn ^= 1\n        state.rolling = 1\n\n    def outcomes", "../games/test_games.py ../rules/test_conformance.py star/test_forward.py"),
    Mutation("games", "../games/connect_four/rules.py", "above & (discs >> 3 * step | discs << step)", "above & discs >> 3 * step", "../games/test_grid_games.py ../games/test_games.py"),
    Mutation("games", "../games/cant_stop/rules.py", "                    state.markers[player] &= ~FIELDS[state.topped]\n", "                    pass\n", "../games/test_cant_stop.py"),
    Mutation("games", "../games/cant_stop/rule28.py", "total = self.odd if placed & EVEN == 0", "total = 0 if placed & EVEN == 0", "../players/test_cant_stop_players.py"),
    Mutation("games", "../games/backgammon/threats.py", "    if attackers & 1:\n        attackers = 1\n", "", "../games/test_backgammon_inputs.py"),
    Mutation("games", "../games/backgammon/inputs.py", "entering = ROW if other & 1 else 0", "entering = ROW if own & 1 else 0", "../games/test_backgammon_inputs.py ../games/test_seats.py"),
    Mutation("games", "../games/ra/evaluation.py", "suns = self.sun_lead(state, player)", "suns = self.sun_lead(state, 0)", "../games/test_seats.py ../games/test_ra.py"),
    Mutation("games", "../games/ra/inputs.py", "* 2 + np.int64(state.caller == player)\n        return count + 2", "* 2 + np.int64(state.caller == 0)\n        return count + 2", "../games/test_seats.py ../games/test_ra.py"),
    Mutation("statistics", "../arena/statistics/estimates.py", "points > 1.0 + SAME, points < 1.0 - SAME", "points > 1.0 + SAME, points < 1.0 + SAME", "../arena/test_statistics.py"),
    Mutation("statistics", "../arena/statistics/sprt.py", "np.where(counts == 0, UNSEEN, counts)", "counts + UNSEEN", "../arena/test_sprt.py"),
    Mutation("statistics", "../arena/statistics/ratings.py", " - 2.0 * self.covariance[a, b]", "", "../arena/test_ratings.py"),
    Mutation("statistics", "../arena/statistics/ratings.py", "        if first != second:\n", "        if True:\n", "../arena/test_ratings.py ../arena/test_tournament.py ../cli/test_results.py"),
    Mutation("statistics", "../arena/summary.py", "[self.standing.scores[self.pairs][game][0] for game in range(size)]", "[self.standing.scores[self.pairs][game][1] for game in range(size)]", "../arena/test_sprt.py ../arena/test_run.py ../arena/test_meeting.py"),
    Mutation("statistics", "../arena/statistics/solo.py", "games[one][one] - games[other][other]", "games[one][one] - games[one][other]", "../arena/test_solo.py"),
    Mutation("statistics", "../arena/tuning.py", "        if occasion not in AGAINST_DEFAULT:\n", "        if True:\n", "../arena/test_tuning.py ../arena/test_plots.py"),
    Mutation("statistics", "../arena/space.py", "room = 0.5 if self.whole else 0.0", "room = 0.0", "../arena/test_tuning.py"),
    Mutation("claims", "../lab/claims.py", "return AGREES if (entry.mean > self.level) != self.below else DISAGREES", "return AGREES if entry.mean > self.level else DISAGREES", "../lab/test_findings.py"),
    Mutation("claims", "../lab/states.py", "choices = [position for position in path if len(position.actions()) > 1]", "choices = path", "../lab/test_parts.py ../lab/test_laboratory.py"),
    Mutation("claims", "../lab/budget.py", "round(size.nodes * NODES_TO_PIG.get(name, 1.0))", "size.nodes", "../lab/test_sequential.py"),
    Mutation("learned", "../learn/from_fields.py", "if number.signed and value >> (number.bits - 1) & 1:", "if False:", "../learn/test_inputs.py"),
    Mutation("other libraries", "../adapters/numbers.py", "memory = position.known().memory", "memory = position.memory", "../adapters/test_numbers.py"),
    Mutation("roots", "depth_first/iteration.py", "key=lambda i: (self.bounds[i] != 0, self.values[i], -i)", "key=lambda i: (self.values[i], -i)", "depth_first/test_deepening.py star/test_star.py"),
    Mutation("forward pruning", "star/forward.py", "return beta if value >= most else alpha", "return alpha if value >= most else beta", "star/test_forward.py"),
    Mutation("forward pruning", "star/forward.py", "if work.null > 0 and work.skipped == 0 and", "if work.null > 0 and", "star/test_forward.py"),
    Mutation("forward pruning", "star/probcut_fit.py", "float(left @ left) / len(x)", "float(left @ left)", "star/test_forward.py"),
    Mutation("rounds", "tree/steps/rounds.py", "add_cousins(tree, child, plies - 1, visits, sums)", "add_cousins(tree, child, 0, visits, sums)", "test_simultaneous.py ../solvers/test_mixed_values.py"),
    Mutation("rounds", "tree/steps/rounds.py", "sums[i] += child.sum", "sums[i] = child.sum", "test_simultaneous.py ../solvers/test_mixed_values.py"),
    Mutation("players", "../players/simple.py", "if action.value == found.value]", "if action.value >= found.value - 1.0]", "../players/test_players.py multiplayer/test_multiplayer.py"),
    Mutation("players", "../players/hybrid.py", "rest = portion(chosen, 1.0 - self.look)", "rest = chosen", "../players/test_hybrid.py"),
    Mutation("rule sheets", "../gdl/reasoning/network.py", "for other in (*rule.positive, *rule.negative)]", "for other in rule.positive]", "../gdl/test_network.py"),
    Mutation("rule sheets", "../gdl/reasoning/grounding.py", "level.get(signature(atom), -1) + 1 for atom in rule.negative", "level.get(signature(atom), -1) for atom in rule.negative", "../gdl/test_stratification.py ../gdl/test_network.py ../gdl/test_sheets.py"),
    Mutation("rule sheets", "../gdl/reasoning/grounding.py", "if any(signature(atom) in found for atom in (*rule.positive, *rule.negative)):", "if any(signature(atom) in found for atom in rule.positive):", "../gdl/test_network.py ../gdl/test_sheets.py ../gdl/test_interpreter_of_sheets.py"),
]  # fmt: skip


def first_failure(tests: set[str], tree: Path) -> str | None:
    """The first of these files' tests that finds something wrong with a tree."""
    files = sorted(f"tests/algorithms/{name}" for name in tests)
    line = [sys.executable, "-m", "pytest", "-n", "0", "-x", "-q", "-rfE", "--no-header", "--tb=no", *files]
    settings = os.environ | {"PYTHONPATH": str(tree / "src"), "ASTRAGAL_CACHE": str(tree / "cache")}
    ran = subprocess.run(line, cwd=tree, env=settings, capture_output=True, text=True, check=False)
    if -ran.returncode in (signal.SIGSEGV, signal.SIGBUS, signal.SIGABRT):
        return f"a crash of {' '.join(sorted(tests))}"
    if ran.returncode in GONE:
        return None
    assert ran.returncode in (0, 1), f"the tests could not be run: {' '.join(line)}\n{ran.stdout}"
    said = re.search(r"^(?:FAILED|ERROR) tests/(.*?)(?: - |$)", ran.stdout, re.MULTILINE)
    assert ran.returncode == 0 or said, ran.stdout
    return os.path.relpath(said[1], "algorithms") if said else None


def caught_by(mutation: Mutation, tree: Path) -> str | None:
    """The test that fails with the fault in place, which is taken out again."""
    path = tree / SEARCH / mutation.file
    text = path.read_text()
    assert text.count(mutation.old) == 1, f"{mutation.file} has {text.count(mutation.old)} times {mutation.old!r}"
    path.write_text(text.replace(mutation.old, mutation.new))
    try:
        before = recorded().get(mutation.name, "").removeprefix("caught by ")
        return ("::" in before and first_failure({before}, tree)) or first_failure(set(mutation.tests.split()), tree)
    finally:
        path.write_text(text)


def recorded() -> dict[str, str]:
    """What is written down of each fault."""
    return dict(line.split("\t") for line in RECORD.read_text().splitlines()) if RECORD.exists() else {}


def record(mutation: Mutation, test: str | None) -> None:
    """Write down what noticed a fault; faults keep their order, and those that are gone leave."""
    kept = recorded()
    kept[mutation.name] = f"caught by {test}" if test else "SURVIVED"
    names = [each.name for each in MUTATIONS]
    RECORD.write_text("".join(f"{name}\t{kept[name]}\n" for name in names if name in kept))


def copy_of_the_tree(folder: Path) -> Path:
    for name in ("src", "tests", "examples", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, folder / name)
    return folder


def main(words: list[str]) -> int:
    known = recorded()
    said = {m: f"{m.kind} {m.file} {known.get(m.name, 'new')}" for m in MUTATIONS}
    chosen = [m for m in MUTATIONS if not words or any(word in said[m] for word in words)]
    if not chosen:
        print(f"there is no fault of {' or '.join(words)}")
        return 2
    survivors = 0
    with tempfile.TemporaryDirectory() as folder:
        tree, passing = copy_of_the_tree(Path(folder) / "tree"), set()
        for mutation in chosen:
            started = time.perf_counter()
            test = caught_by(mutation, tree)
            if test and test not in passing and first_failure({test}, tree):
                print(f"without any fault, {test} fails")
                return 2
            passing.add(test)
            survivors += test is None
            record(mutation, test)
            seconds = time.perf_counter() - started
            print(f"{f'caught by {test}' if test else 'SURVIVED'} ({seconds:.0f} s): {mutation.name}", flush=True)
    print(f"{len(chosen) - survivors} of {len(chosen)} caught")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
