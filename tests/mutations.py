"""Faults put into the searches one by one, each of which the default run of the tests must notice.

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
SEARCH = Path("src/astragal/search")
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
INFORMED = "star/test_informed.py"
AB = "alphabeta/test_alphabeta.py"
TREE = "tree/test_tree_search.py"
APPORTION = "tree/test_apportion.py"
PROOF = "tree/test_prove_bounds.py tree/test_prove.py"
MARGINS = "../solve/test_exact.py"
NETWORK = "../learn/test_learned_network.py"
LEARNED = "../learn/test_training.py"
CHECKERS = "../games/test_chinese_checkers.py"
LUCK = "../arena/test_dice_luck.py"
MUTATIONS = [
    Mutation("luck", "../arena/dice_luck.py", "else 0.0) - chances[k]", "else 0.0)", LUCK),
    Mutation("luck", "../arena/dice_luck.py", "game.representative(state, steps[i])", "steps[i]", LUCK),
    Mutation("luck", "../arena/dice_luck.py", "else [float(each) for each in luck]", "else [-float(each) for each in luck]", LUCK),
    Mutation("learned", "../learn/network.py", "out[j] += move * sums[j]", "out[j] += move", NETWORK),
    Mutation("learned", "../learn/network.py", "if sums[j] > ZERO:", "if True:", NETWORK),
    Mutation("learned", "../learn/network.py", "value += halves[step] *", "value += 1.0 / steps *", NETWORK),
    Mutation("learned", "../learn/self_play.py", "game.chances - 1 - chance] = -value", "chance] = -value", LEARNED),
    Mutation("learned", "../learn/derived.py", "return value if mover == player else -value", "return value", NETWORK),
    Mutation("learned", "../learn/self_play.py", "(1.0 - work.decay) * after + work.decay *", "work.decay * after - work.decay *", LEARNED),
    Mutation("learned", "../learn/training.py", "        self.take_rate(before)", "        self.rate = self.settings.rate", LEARNED),
    Mutation("learned", "../learn/training.py", "int(facts.get(\"stage\", 0))", "0", LEARNED),
    Mutation("learned", "../learn/self_play.py", "        broken_off = notes.breaks[step + 1]", "        broken_off = notes.breaks[step + 1] and step < 0", LEARNED),
    Mutation("wandering", "../games/chinese_checkers/longer.py", "    return hoppers, either(second, beyond), first\n", "    return hoppers, second, first\n", CHECKERS),
    Mutation("wandering", "../games/chinese_checkers/longer.py", "either(both(any0, any1), both(either(any0, any1), any2))", "both(any0, any1)", CHECKERS),
    Mutation("wandering", "../games/chinese_checkers/longer.py", "    found &= ~first & game.allowed_ends(", "    found &= game.allowed_ends(", CHECKERS),
    Mutation("wandering", "../games/chinese_checkers/longer.py", "    while fresh:\n", "    while fresh and not found:\n", CHECKERS),
    Mutation("wandering", "../games/chinese_checkers/sampling.py", "places[here], places[to], spots[place] = FREE, place, to", "places[to], spots[place] = place, to", CHECKERS),
    Mutation("wandering", "../games/chinese_checkers/sampling.py", "ticket = other * (single + longer) >> 32", "ticket = other * (single + 9 * longer) >> 32", CHECKERS),
    Mutation("wandering", "../games/chinese_checkers/sampling.py", "        self.measure(state, spots)\n", "", CHECKERS),
    Mutation("wandering", "../games/chinese_checkers/sampling.py", "decisions and state.result == ON:", "decisions:", CHECKERS),
    Mutation("wandering", "tree/evaluate.py", "if game.wanders and self.policy.is_uniform and not", "if game.wanders and not", TREE),
    Mutation("wandering", "tree/evaluate.py", "self.policy.is_uniform and not steps.select.uses_history:", "self.policy.is_uniform:", TREE),
    Mutation("bounds", "star/bounds.py", "(alpha - opti + chance * upper) / chance", "(alpha - opti + upper) / chance", STAR),
    Mutation("bounds", "star/bounds.py", "(beta - pess + chance * lower) / chance", "(beta - pess - chance * lower) / chance", STAR),
    Mutation("bounds", "star/bounds.py", "return min(max(bound, low), high)", "return max(bound, low)", STAR),
    Mutation("bounds", "star/chance.py", "+= chance * v\n        pess += chance * (v - lower)\n", "+= chance * v\n        pess += chance * (v - work.low)\n", STAR),
    Mutation("bounds", "star/chance.py", "work)\n        opti += chance * (v - upper)\n", "work)\n        opti += chance * (v - work.high)\n", STAR),
    Mutation("leaves", "star/leaves.py", "        best = max(best, value)\n        total += value\n", "        best = value\n        total += value\n", "star/test_leaves.py"),
    Mutation("leaves", "star/leaves.py", "        total += chance * leaf_after_outcome(", "        total = chance * leaf_after_outcome(", "star/test_leaves.py"),
    Mutation("leaves", "star/leaves.py", "        work.leaves += 1\n        return variant.recorder.leaf(work, value, HORIZON)\n    child", "        return variant.recorder.leaf(work, value, HORIZON)\n    child", "star/test_leaves.py"),
    Mutation("samples", "star/outcomes.py", "            at, others = np.uint64(places[place]), others + 1\n", "            at, others = np.uint64(0), others + 1\n", "star/test_outcomes.py"),
    Mutation("samples", "star/chance.py", "    if work.widths[depth] != 1 or (variant.probe and depth > 0):\n", "    if work.widths[depth] > 2 or (variant.probe and depth > 0):\n", "star/test_outcomes.py"),
    Mutation("cuts", "star/chance.py", "        if v >= b or pess >= beta:\n            return True, cut_high", "        if v > b or pess > beta:\n            return True, cut_high", STAR),
    Mutation("cuts", "star/chance.py", "        if v <= a or opti <= alpha:\n            return True, cut_low", "        if v < a or opti < alpha:\n            return True, cut_low", STAR),
    Mutation("cuts", "star/bounds.py", "max(pess, beta), work)", "pess, work)", STAR),
    Mutation("cuts", "star/star.py", "            if variant.prune and best >= high:  #", "            if variant.prune and best >= floor:  #", STAR),
    Mutation("cuts", "star/chance.py", "a, b = child_alpha(alpha, opti, chance, upper), child_beta(beta, pess, chance, lower)\n            inner_a, inner_b = clamped(a, work.low, work.high), clamped(b, work.low, work.high)\n            if variant.arranged", "a, b = child_alpha(alpha, opti, chance, upper), child_beta(beta, pess, chance, lower)\n            a, b = clamped(a, work.low, work.high), clamped(b, work.low, work.high)\n            inner_a, inner_b = a, b\n            if variant.arranged", STAR),
    # (Without `v > inner_a` nothing would be wrong: such a value is no bound only where the node is worth alpha or less.)
    Mutation("probing", "star/probing.py", "if exact or (not minimises and v > inner_a):", "if exact or (minimises and v > inner_a):", STAR),
    Mutation("probing", "star/probing.py", "if exact or (minimises and v < inner_b):", "if exact or (not minimises and v < inner_b):", STAR),
    Mutation("probing", "star/probing.py", "CUT if best >= high else 0), count == 1\n", "CUT if best >= high else 0), True\n", STAR),
    Mutation("probing", "star/probing.py", "found if count == 1 else NOTHING if found == UPPER else LOWER)", "found)", STAR),
    Mutation("probing", "star/probing.py", "            uppers[i] = v\n            opti", "            opti", STAR),
    Mutation("chance nodes", "star/chance.py", "return variant.recorder.leaf(work, low if low >= beta else high, CUT)", "return variant.recorder.leaf(work, high if low >= beta else low, CUT)", INFORMED),
    Mutation("chance nodes", "star/chance.py", "(low >= beta or high <= alpha)", "(low >= beta or high < beta)", INFORMED),
    Mutation("chance nodes", "star/chance.py", "NO_MOVE, value, bound_kind(value, alpha, beta) if variant.prune else EXACT)", "NO_MOVE, value, EXACT)", INFORMED),
    Mutation("chance nodes", "star/chance.py", "work.low + work.high - game.ceiling(state, 1, depth))", "-game.ceiling(state, 1, depth))", INFORMED),
    Mutation("chance nodes", "star/chance.py", "return least, min(work.high, game.ceiling(state, 0, depth))", "return least, min(work.high, game.ceiling(state, 0, depth - 1))", INFORMED),
    Mutation("depth handling", "star/probing.py", "    left = depth if turn == CHANCE else depth - 1\n", "    left = depth - 1\n", STAR),
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
    Mutation("table", "depth_first/table.py", "entry.depth == depth and entry.era", "entry.depth >= depth and entry.era", f"{AB} {STAR}"),
    Mutation("table", "depth_first/table.py", "(bound == LOWER and value >= high)", "(bound == LOWER and value >= low)", f"{AB} {STAR}"),
    Mutation("table", "depth_first/table.py", "(bound == UPPER and value <= low)", "(bound == UPPER and value <= high)", f"{AB} {STAR}"),
    Mutation("table", "depth_first/table.py", "return LOWER if value >= high else UPPER if value <= low else EXACT", "return EXACT", f"{AB} {STAR}"),
    Mutation("table", "depth_first/table.py", "return entry.hash == key and entry.era >= work.first_era", "return entry.era >= work.first_era", f"{AB} {STAR}"),
    Mutation("table", "depth_first/table.py", "entry.era == work.table_era and entry.bound", "entry.era >= work.first_era and entry.bound", "depth_first/test_deepening.py star/test_star.py"),
    Mutation("solver", "tree/prove.py", "        if missing > EPSILON:\n            lower += missing * work.low\n            upper += missing * work.high\n", "", PROOF),
    Mutation("solver", "tree/prove.py", "return more.upper <= sure.lower + slack if mover == 0", "return more.upper < sure.lower - slack if mover == 0", PROOF),
    Mutation("solver", "tree/prove.py", "lower, upper = max(lower, more.lower), max(upper, more.upper)", "lower, upper = max(lower, more.lower), min(upper, more.upper)", PROOF),
    Mutation("solver", "tree/prove.py", "        if winner == 0:\n            unknown = True\n", "        if winner == 0:\n            pass\n", PROOF),
    Mutation("solver", "tree/prove.py", "    return winner if missing <= EPSILON else 0", "    return winner", PROOF),
    Mutation("widening", "tree/widen.py", "np.ceil(work.widen_factor", "np.floor(work.widen_factor", TREE),
    Mutation("widening", "tree/widen.py", "allowed(seen, work) > node.count", "allowed(seen, work) >= node.count", TREE),
    Mutation("widening", "tree/widen.py", "            if left < 0.0:\n                break\n", "", TREE),
    Mutation("widening", "tree/widen.py", "return min(np.int64(node.count), max(allowed(seen, work), 1))", "return np.int64(node.count)", TREE),
    Mutation("threads", "tree/backup.py", '"sum", reward - steps.backup.floor', '"sum", reward', f"{TREE}::test_the_kernel_for_threads_grows_the_same_tree_alone"),
    Mutation("gathering", "tree/gather.py", "        bring(tree, place, work)\n        work.gathered_node[place] = index\n", "        work.gathered_node[place] = index\n", f"{TREE}::test_visits_of_much_visited_nodes_are_added_a_few_at_a_time"),
    Mutation("gathering", "tree/gather.py", "    work.gathered_visits[place], work.gathered_sum[place] = 0, 0.0\n", "    work.gathered_visits[place] = 0\n", f"{TREE}::test_visits_of_much_visited_nodes_are_added_a_few_at_a_time"),
    Mutation("gathering", "tree/simulation.py", "        bring_all(tree, work)\n", "        pass\n", f"{TREE}::test_what_threads_gather_comes_to_the_tree_in_the_end"),
    Mutation("gathering", "tree/simulation.py", "        work.gathering = 0\n", "        pass\n", f"{TREE}::test_what_threads_gather_comes_to_the_tree_in_the_end"),
    Mutation("gathering", "tree/simulation.py", "work.gathering == length and node.visits >= MUCH", "node.visits >= MUCH", f"{TREE}::test_only_nodes_with_many_visits_at_the_beginning_of_a_path_are_gathered"),
    Mutation("threads", "tree/apportion.py", "if part_of(outcome, work) == part:", "if part_of(outcome, work) == work.part:", APPORTION),
    Mutation("threads", "tree/apportion.py", "count <= most - np.int64(share.tickets):", "count:", APPORTION),
    Mutation("threads", "tree/apportion.py", "min(MOST_TICKETS, seen // VISITS_A_TICKET)", "MOST_TICKETS", APPORTION),
    Mutation("threads", "tree/apportion.py", "            work.tickets[first + part] = 0\n", "            pass\n", APPORTION),
    Mutation("threads", "tree/apportion.py", "work.gathering == length and not work.apportioned", "work.gathering == length", APPORTION),
    Mutation("threads", "tree/apportion.py", "    return before == 0 or before == name\n", "    return True\n", APPORTION),
    Mutation("threads", "tree/simulation.py", "        work.apportioned = 0\n", "", APPORTION),
    Mutation("threads", "tree/simulation.py", "if steps.shared and apportions(steps, length, work):", "if False:", APPORTION),
    Mutation("threads", "tree/search.py", "        forget_tickets(store.shares, self.works)\n\n", "\n", APPORTION),
    Mutation("threads", "tree/search.py", "            forget_tickets(store.shares, self.works)\n        report_at", "            pass\n        report_at", APPORTION),
    Mutation("gathering", "tree/backup.py", "gather(tree, work.path[i], reward - steps.backup.floor, work)", "gather(tree, work.path[i], reward, work)", f"{TREE}::test_what_threads_gather_comes_to_the_tree_in_the_end"),
    Mutation("unvisited", "tree/backup.py", "best = max(best, own if owner == mover or self.unvisited == MIDDLE else -own)", "best = max(best, own)", f"{TREE}::test_what_children_count_that_were_not_visited_yet"),
    Mutation("unvisited", "tree/backup.py", "if self.unvisited != NOTHING and has_unvisited(tree, node):", "if self.unvisited != NOTHING:", f"{TREE}::test_what_children_count_that_were_not_visited_yet"),
    Mutation("selection", "tree/select.py", "value = mean + explore * inverse_root(visits)", "value = mean + explore * inverse(visits)", TREE),
    Mutation("selection", "tree/select.py", "        if child.visits == 0 and not steps.select.sorts_untried:\n            return index\n", "", TREE),
    Mutation("selection", "tree/select.py", "value = UNTRIED + steps", "value = steps", f"{TREE}::test_history_may_decide_among_children_without_a_visit"),
    Mutation("selection", "tree/select.py", "        better = value > best\n", "        better = value >= best\n", TREE),
    Mutation("selection", "tree/select.py", "tried * (1.0 - (mean - work.low) / width)", "tried * (mean - work.low) / width", TREE),
    Mutation("history", "tree/history.py", "+ np.uint64(player) + np.uint64(1)", "+ np.uint64(1)", TREE),
    Mutation("recycling", "tree/recycle.py", "return node.first != NONE and (is_root or node.visits >= min_visits)", "return node.first != NONE and (is_root or node.visits > 1)", f"{TREE} {PROOF}"),
    Mutation("recycling", "tree/recycle.py", "            node.first, node.count, node.flags = 0, 0, 0\n", "            pass\n", f"{TREE} {PROOF}"),
    Mutation("recycling", "tree/nodes.py", "        assign(extra_at(tree, to), extra_at(tree, here))\n", "        pass\n", f"{PROOF} {TREE}"),
    Mutation("recycling", "tree/recycle.py", "    while kept != before:", "    while before < 0:", f"{TREE} {PROOF}"),
    Mutation("recycling", "tree/recycle.py", "slots_of(game, steps, left), held_by", "game.max_outcomes, held_by", f"{TREE} {PROOF}"),
    Mutation("small chunks", "tree/nodes.py", "        tree.spare = np.uint64(node.first)\n", "        pass\n", TREE),
    Mutation("small chunks", "tree/nodes.py", "        tree.spare = np.uint64(node_at(tree, chunk).first)\n", "        pass\n", TREE),
    Mutation("leaves", "star/chance.py", "                if least < beta and most > alpha and not", "                if least < beta and not", "star/test_leaves.py"),
    Mutation("drawing", "star/chance.py", "    if depth == 0 and game.ignores_outcomes and variant.silent:", "    if game.ignores_outcomes and variant.silent:", "star/test_leaves.py"),
    Mutation("leaves", "star/chance.py", "            leaves += told\n", "            pass\n", "star/test_leaves.py"),
    Mutation("recycling", "tree/recycle.py", "            at = node_at(tree, at + held).first\n", "            at = at + slots\n", f"{TREE} {PROOF}"),
    Mutation("Monte Carlo Search", "monte_carlo/probes.py", "best = max(best, value) if own else min(best, value)", "best = max(best, value)", "monte_carlo/test_probes.py"),
    Mutation("Monte Carlo Search", "monte_carlo/probes.py", "        if work.certain and value >= work.high:\n", "        if value >= work.high:\n", "monte_carlo/test_probes.py"),
    Mutation("Monte Carlo Search", "monte_carlo/probes.py", "        certain &= work.certain\n", "        certain |= work.certain\n", "monte_carlo/test_probes.py"),
    Mutation("Monte Carlo Search", "monte_carlo/probes.py", "levels - 1 if at == 0 or game.turn(child) == CHANCE else levels", "levels - 1", "monte_carlo/test_probes.py"),
    Mutation("Monte Carlo Search", "monte_carlo/probes.py", "    return node.sum / node.visits", "    return work.rewards[work.root_player]", "monte_carlo/test_probes.py"),
    Mutation("margins", "../solve/kalah.py", "(gained + low, gained + high) if again else (gained - high, gained - low)", "(gained + low, gained + high) if again else (gained - low, gained - high)", MARGINS),
    Mutation("margins", "../solve/kalah.py", "        if high <= alpha:\n            value = max(value, high)\n", "        if high <= alpha:\n", MARGINS),
    Mutation("margins", "../solve/kalah.py", "game, child, gained - alpha - 1, work)", "game, child, gained - alpha, work)", MARGINS),
    Mutation("margins", "../solve/kalah.py", "        return -stones, stones, np.int64(NO_PIT)", "        return -stones, stones - 1, np.int64(NO_PIT)", MARGINS),
    Mutation("margins", "../solve/kalah_table.py", "bucket.mine[i] == mine and bucket.theirs[i] == theirs and", "bucket.theirs[i] == theirs and", MARGINS),
    Mutation("margins", "../solve/kalah_table.py", "    bucket.low[i], bucket.high[i] = -MAX_STONES, MAX_STONES\n", "", MARGINS),
    Mutation("margins", "../solve/kalah_table.py", "if bucket.effort[j] < bucket.effort[i]:", "if bucket.effort[j] > bucket.effort[i]:", MARGINS),
]  # fmt: skip


def first_failure(tests: set[str], tree: Path) -> str | None:
    """The first of these files' tests that finds something wrong with a tree."""
    files = sorted(f"tests/search/{name}" for name in tests)
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
    return os.path.relpath(said[1], "search") if said else None


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
