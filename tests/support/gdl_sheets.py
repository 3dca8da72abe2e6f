"""Small rule sheets that tests share."""

from __future__ import annotations

from hypothesis import strategies as st

# No player ever has a choice.
COUNTDOWN = """
(role a) (role b)               ; 2
(init (left 2)) (init (turn a)) ; 3
(before 2 1) (before 1 0)       ; 4
(<= (legal ?r take) (true (turn ?r)))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (left ?m)) (true (left ?n)) (before ?n ?m))
(<= (next (turn ?r)) (role ?r) (not (true (turn ?r))))
(<= terminal (true (left 0)))
(<= (goal ?r 100) (true (turn ?r)))
(<= (goal ?r 0) (role ?r) (not (true (turn ?r))))
"""

# One or two from a heap of five; who takes the last wins. The first wins by taking two.
NIM = """
(role a) (role b)
(init (heap 5)) (init (turn a))
(less 5 4) (less 4 3) (less 3 2) (less 2 1) (less 1 0)
(<= (legal ?r (take 1)) (true (turn ?r)) (true (heap ?n)) (less ?n ?m))
(<= (legal ?r (take 2)) (true (turn ?r)) (true (heap ?n)) (less ?n ?m) (less ?m ?k))
(<= (legal ?r wait) (role ?r) (not (true (turn ?r))))
(<= (next (heap ?m)) (true (heap ?n)) (does ?r (take 1)) (less ?n ?m))
(<= (next (heap ?k)) (true (heap ?n)) (does ?r (take 2)) (less ?n ?m) (less ?m ?k))
(<= (next (turn ?r)) (role ?r) (not (true (turn ?r))))
(<= terminal (true (heap 0)))
(<= (goal ?r 100) (role ?r) (true (heap 0)) (not (true (turn ?r))))
(<= (goal ?r 0) (true (turn ?r)))
"""

# Two guess a coin that is tossed at the same time, twice; each gets 50 points for a right guess.
COINS = """
(role left) (role random) (role right)
(init (toss 1)) (init (points left 0)) (init (points right 0))
(side heads) (side tails)
(succ 1 2) (succ 2 3)
(more 0 50) (more 50 100)
(<= (legal ?r ?s) (role ?r) (side ?s))
(<= (right ?r) (does random ?s) (does ?r ?s) (distinct ?r random))
(<= (next (toss ?n)) (true (toss ?m)) (succ ?m ?n))
(<= (next (points ?r ?q)) (right ?r) (true (points ?r ?p)) (more ?p ?q))
(<= (next (points ?r ?p)) (true (points ?r ?p)) (not (right ?r)))
(<= terminal (true (toss 3)))
(<= (goal ?r ?p) (true (points ?r ?p)))
(goal random 0)
"""


STATE_LITERALS = ["(true (f ?x))", "(true (g ?x))", "(not (true (f ?x)))", "(not (true (g ?x)))", "(true (f a))"]
HELPERS = ["(near ?x)", "(not (near ?x))", "(far ?x)", "(not (far ?x))"]
MOVES = ["(does r (put ?x))", "(does s (put ?x))", "(not (does r (put ?x)))", "(does r wait)", "(does s (put b))"]


@st.composite
def random_sheets(draw: st.DrawFn) -> str:
    """The text of a small game for two roles, with recursion, negation and simultaneous moves in any combination."""

    def rules(head: str, literals: list[str], most: int = 3) -> list[str]:
        bodies = draw(st.lists(st.lists(st.sampled_from(literals), max_size=3), max_size=most))
        return [f"(<= {head} (place ?x) {' '.join(body)})" for body in bodies]

    links = draw(st.lists(st.sampled_from(["a b", "b c", "c a", "b a", "c d"]), min_size=1, max_size=4))
    start = draw(st.lists(st.sampled_from(["(f a)", "(f b)", "(g a)", "(g c)", "(f d)"]), max_size=3))
    lines = ["(role r) (role s) (place a) (place b) (place c) (place d) (init (left 4))"]
    lines += [f"(link {link})" for link in links] + [f"(init {fact})" for fact in start]
    lines += ["(less 4 3) (less 3 2) (less 2 1) (less 1 0)", "(<= (next (left ?m)) (true (left ?n)) (less ?n ?m))"]
    lines += ["(<= (near ?x) (true (f ?x)))", f"(<= (near ?y) (near ?x) (link ?x ?y) {draw(st.sampled_from(MAYBE))})"]
    lines += ["(<= (far ?x) (true (g ?x)) (not (near ?x)))", *rules("(far ?x)", [*STATE_LITERALS, *HELPERS[:2]], 1)]
    state = STATE_LITERALS + HELPERS
    for role in "rs":
        lines += [f"(legal {role} wait)", *rules(f"(legal {role} (put ?x))", state)]
    for fact in "fg":
        lines += rules(f"(next ({fact} ?x))", state + 2 * MOVES)
    lines += ["(<= terminal (true (left 0)))", *rules("terminal", [*state, "(true (f d))"], 1)]
    for role in "rs":
        for value in (30, 100):
            lines += rules(f"(goal {role} {value})", state, 1)
        lines.append(f"(goal {role} 0)")
    return "\n".join(lines)


MAYBE = ["", "(true (g ?y))", "(not (true (g ?y)))"]
