"""The pseudo-code of the searches that can be walked through, line by line, with the papers' line numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Code:
    """A search in pseudo-code."""

    title: str
    source: str
    text: str  # lines as `key | text`, indented; a line without a key is a heading

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [line_of(line) for line in self.text.strip("\n").splitlines()]


def line_of(line: str) -> dict[str, Any]:
    key, bar, words = line.partition("|")
    if not bar:
        return {"key": None, "text": line.strip(), "indent": 0}
    return {"key": key.strip(), "text": words.strip(), "indent": (len(words) - len(words.lstrip()) - 1) // 2}


LANCTOT = "Lanctot, Saffidine, Veness, Archibald and Winands 2013"

EXPECTIMAX = Code(
    "Expectimax",
    f"{LANCTOT}, equation (1)",
    """
decision(s, d)
a1 | for each action a of s
a2 |   v ← value(s, a, d)
a3 |   best ← max(best, v), at Min min(best, v)
a5 | return best
value(s, a, d)
2  | if the game is over or d = 0 then return h
4  | list the outcomes o with their probabilities p
5  | for each outcome o
9  |   v ← decision(s after a and o, d − 1)
10 |   total ← total + p · v
13 | return total
""",
)
ALPHABETA = Code(
    "Alpha-beta",
    "Knuth and Moore 1975",
    """
alphabeta(s, d, α, β)
2  | if the game is over or d = 0 then return h(s)
a1 | for each action a of s
a2 |   v ← alphabeta(s after a, d − 1, α, β)
a3 |   Max: best, α ← max(·, v)   Min: best, β ← min(·, v)
a4 |   if α ≥ β then return best
a5 | return best
""",
)
STAR1 = Code(
    "Star1",
    f"{LANCTOT}, Algorithm 1 (Ballard 1983)",
    """
alphabeta1(s, d, α, β)
a1 | for each action a of s
a2 |   v ← Star1(s, a, d, α, β)
a3 |   Max: best, α ← max(·, v)   Min: best, β ← min(·, v)
a4 |   if α ≥ β then return best
a5 | return best
Star1(s, a, d, α, β)
2  | if d = 0 or the game is over then return h
4  | O ← genOutcomeSet(s, a)
5  | for o ∈ O
6  |   α' ← childAlpha(o, α), β' ← childBeta(o, β)
9  |   v ← alphabeta1(s', d − 1, α', β')
10 |   o_l ← v, o_u ← v
11 |   if v ≥ β' then return pess(O)
12 |   if v ≤ α' then return opti(O)
13 | return V_d(s, a)
""",
)
STAR2 = Code(
    "Star2",
    f"{LANCTOT}, Algorithm 2 (Ballard 1983)",
    """
alphabeta2(s, d, α, β, probing)
a1 | for each action a of s, probing: for the first
a2 |   v ← Star2(s, a, d, α, β)
a3 |   Max: best, α ← max(·, v)   Min: best, β ← min(·, v)
a4 |   if α ≥ β then return best
a5 | return best
Star2(s, a, d, α, β)
2  | if d = 0 or the game is over then return h
4  | O ← genOutcomeSet(s, a)
5  | for o ∈ O: the probing phase
6  |   α' ← childAlpha(o, α), β' ← childBeta(o, β)
9  |   v ← alphabeta2(s', d − 1, α', β', true)
11 |   at Max: o_l ← v
12 |     if pess(O) ≥ β then return pess(O)
14 |   at Min: o_u ← v
15 |     if opti(O) ≤ α then return opti(O)
16 | for o ∈ O: the search phase
17 |   α' ← childAlpha(o, α), β' ← childBeta(o, β)
20 |   v ← alphabeta2(s', d − 1, α', β', false)
21 |   o_l ← v, o_u ← v
22 |   if v ≥ β' then return pess(O)
23 |   if v ≤ α' then return opti(O)
24 | return V_d(s, a)
""",
)
UCT = Code(
    "UCT",
    "Kocsis and Szepesvári 2006",
    """
1. Selection
s1 | s ← the root
s2 | while s was visited before and the game is not over
s3 |   chance: s ← s after an outcome that is drawn
s4 |   a decision: s ← s after the action with the largest
s5 |     mean(a) + C · √(ln n(s) / n(a)), unvisited first
2. Expansion
x1 | add s to the tree
3. Simulation
r1 | play at random to the end; r ← what each player gets
4. Backup
b1 | for every node on the way: n ← n + 1
b2 |   sum ← sum + r of the player who chose it
In the end
f1 | play the action with most visits
""",
)
CODES = {"exp": EXPECTIMAX, "alphabeta": ALPHABETA, "star1": STAR1, "star2": STAR2, "uct": UCT}
