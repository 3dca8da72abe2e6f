"""Rule sheets are read as they are written, and refused, at the right place, where they break the language."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal.base.errors import AstragalError, SheetError
from astragal.gdl.reading.forms import read_forms
from astragal.gdl.reading.reader import load_sheet, read_sheet
from astragal.gdl.reading.rules import Rule, Sheet, Term, is_variable, kif
from astragal.gdl.reasoning.components import components
from support import gdl_corpus
from support.gdl_sheets import COINS, COUNTDOWN, NIM
from support.helpers import TOO_DEEP, calls_are_few

ADDED = COUNTDOWN.count("\n") + 1  # the line of what tests add


def with_line(text: str) -> Sheet:
    return read_sheet(COUNTDOWN + text, "test.kif")


def added(text: str) -> list[Rule]:
    """The rules that a line adds to a sheet."""
    return list(with_line(text).rules[len(read_sheet(COUNTDOWN, "test.kif").rules) :])


def refusal(text: str) -> SheetError:
    with pytest.raises(SheetError) as caught:
        with_line(text)
    return caught.value


# --- What is read


def test_a_sheet_without_faults_is_read_without_warnings() -> None:
    sheet = read_sheet(COUNTDOWN, "test.kif")
    assert sheet.roles == ("a", "b")
    assert sheet.warnings == ()
    assert len(sheet.rules) == 13
    assert sheet.rules[6] == Rule(("legal", "?r", "take"), (("true", ("turn", "?r")),), (), (), 5, 1)
    assert sheet.rules[7] == Rule(("legal", "?r", "wait"), (("role", "?r"),), (("true", ("turn", "?r")),), (), 6, 1)


@pytest.mark.parametrize("text", [NIM, COINS], ids=["nim", "coins"])
def test_the_sheets_of_other_tests_are_read_without_warnings(text: str) -> None:
    assert read_sheet(text, "test.kif").warnings == ()


def test_case_line_ends_comments_and_blanks_make_no_difference() -> None:
    rules = read_sheet(COUNTDOWN, "test.kif").rules
    assert read_sheet(COUNTDOWN.upper(), "test.kif").rules == rules
    assert read_sheet(COUNTDOWN.replace("\n", "\r\n"), "test.kif").rules == rules
    assert read_sheet(COUNTDOWN.replace("\n", "\r"), "test.kif").rules == rules
    assert read_sheet("\ufeff" + COUNTDOWN, "test.kif").rules == rules
    spread = re.sub(r"([()])", r" \1\t ", re.sub(";.*", "", COUNTDOWN))
    assert [(rule.head, rule.positive) for rule in read_sheet(spread, "t").rules] == [
        (r.head, r.positive) for r in rules
    ]


def test_a_list_of_one_symbol_is_that_symbol() -> None:
    assert added("(<= (p (f)) (role a))") == added("(<= (p f) (role a))")
    assert added("(<= (p) (terminal))")[0] == Rule(("p",), (("terminal",),), (), (), ADDED, 1)
    assert added("(<= p terminal)") == added("(<= (p) (terminal))")


A, B = ("before", "?x", "?y"), ("role", "?x")


@pytest.mark.parametrize(
    ("body", "ways"),
    [
        (f"(or {kif(A)} (role ?x))", [((A,), ()), ((B,), ())]),
        (f"(and {kif(A)} (role ?x))", [((A, B), ())]),
        ("(role ?x) (not (not (role ?x)))", [((B, B), ())]),
        ("(role ?x) (not (or (before ?x ?x) (q ?x)))", [((B,), (("before", "?x", "?x"), ("q", "?x")))]),
        ("(role ?x) (not (and (before ?x ?x) (q ?x)))", [((B,), (("before", "?x", "?x"),)), ((B,), (("q", "?x"),))]),
        (
            "(or (role ?x) (q ?x)) (or (r ?x) (s ?x))",
            [((x, y), ()) for x in (B, ("q", "?x")) for y in (("r", "?x"), ("s", "?x"))],
        ),
        ("(role ?x) (not (or (not (q ?x)) (r ?x)))", [((B, ("q", "?x")), (("r", "?x"),))]),
    ],
)
def test_connectives_are_taken_apart(body: str, ways: list[tuple[object, object]]) -> None:
    facts = "(q a) (r a) (s a)"
    rules = [rule for rule in added(f"(<= (p ?x) {body}) {facts}") if rule.head[0] == "p"]
    assert [(rule.positive, rule.negative) for rule in rules] == ways


def test_terms_that_are_not_distinct_are_made_the_same() -> None:
    (rule,) = added("(<= (p ?x ?y) (role ?x) (not (distinct ?x ?y)))")
    assert rule.head in (("p", "?x", "?x"), ("p", "?y", "?y"))
    assert rule.positive == (("role", rule.head[1]),)
    assert rule.distinct == ()
    (rule,) = added("(<= (p ?x) (true ?f) (not (distinct ?f (left ?x))))")
    assert (rule.head, rule.positive) == (("p", "?x"), (("true", ("left", "?x")),))
    (rule,) = added("(<= (p ?x) (before ?x ?y) (not (distinct (f ?x b) (f a ?y))))")
    assert (rule.head, rule.positive) == (("p", "a"), (("before", "a", "b"),))


@pytest.mark.parametrize("body", ["(not (distinct a b))", "(distinct a a)", "(true ?x) (not (distinct ?x (f ?x)))"])
def test_a_rule_that_never_holds_is_left_out_with_a_warning(body: str) -> None:
    sheet = with_line(f"(<= (p c) {body})")
    assert not any(rule.head[0] == "p" for rule in sheet.rules)
    assert [warning.partition(":")[0] for warning in sheet.warnings] == [f"test.kif line {ADDED}, column 1"]
    assert "never holds" in sheet.warnings[0]


def test_a_sheet_may_have_a_relation_named_same() -> None:
    (rule,) = [rule for rule in added("(same a b) (<= (p ?x) (same ?x ?y))") if rule.positive]
    assert rule.positive == (("same", "?x", "?y"),)


terms = st.recursive(
    st.from_regex(r"\??[a-z0-9_+*/-]{1,4}", fullmatch=True),
    lambda inner: st.tuples(st.just("f"), inner) | st.tuples(st.just("g"), inner, inner),
    max_leaves=8,
)


@settings(max_examples=15)
@given(terms)
def test_what_kif_writes_is_read_again(term: Term) -> None:
    (form,) = read_forms(kif(term), "term")
    assert str(form) == kif(term)
    if is_variable(term):
        return
    (rule,) = added(f"(<= (p {kif(term)}) (true {kif(term)}))")
    assert rule.head == ("p", term)
    assert rule.positive == (("true", term),)


# --- What is refused

FAULTS = [
    # syntax
    ("(p a", 1, "the parenthesis that opens here is never closed"),
    ("(p a))", 6, "this closing parenthesis has no opening one"),
    ("(p (f a b) ())", 12, "this list is empty"),
    ("((p) a)", 1, "a list stands where the name of a relation should"),
    ("(p ((f) a))", 4, "a list stands where the name of a function should"),
    ("(p (?f a))", 4, "the variable ?f stands where the name of a function should"),
    ("?x", 1, "the variable ?x stands where the name of a relation should"),
    ("(p ?)", 4, "a question mark needs the variable's name after it"),
    ("(<=)", 1, "this rule has no head"),
    ("<= (p a) (role a)", 1, "<= stands outside of any list; a rule is (<= head body ...)"),
    ("(<= (p a) (<= (role a) (role b)))", 11, "<= may not stand inside a rule"),
    ("(p <=)", 4, "<= may not stand inside a rule or a fact"),
    ("(p a\x01)", 5, "a character with code 1 cannot be part of a text"),
    ("(<= (p a) ?x)", 11, "the variable ?x stands where the name of a relation should"),
    ("(<= (p a) (true (not b)))", 17, "'not' may not stand inside a term"),
    ("(<= (p a) (not))", 11, "'not' takes one argument, not 0"),
    ("(<= (p a) (not (role a) (role b)))", 11, "'not' takes one argument, not 2"),
    ("(<= (p a) (distinct a))", 11, "'distinct' takes two arguments, not 1"),
    ("(<= (p a) (or))", 11, "'or' has nothing to join"),
    ("(<= (not (p a)) (role a))", 5, "'not' may not be the head of a rule or a fact"),
    ("(or (p a) (p b))", 1, "'or' may not be the head of a rule or a fact"),
    ("distinct", 1, "'distinct' may not be the head of a rule or a fact"),
    # keywords
    ("(role c d)", 1, "'role' takes one argument, not 2"),
    ("(role ?x)", 1, "a role may not hold a variable, and '?x' does"),
    ("(role (f c))", 1, "a role is one word, and '(f c)' is none"),
    ("(<= (role c) (role a))", 5, "roles are facts; they may not depend on anything"),
    ("(<= (legal noop) (role a))", 5, "'legal' takes two arguments, not 1"),
    ("(terminal now)", 1, "'terminal' takes no argument, not 1"),
    ("(goal a win)", 1, "a goal is a whole number from 0 to 100, and 'win' is none"),
    ("(goal a 101)", 1, "a goal is a whole number from 0 to 100, and '101' is none"),
    ("(goal a -1)", 1, "a goal is a whole number from 0 to 100, and '-1' is none"),
    ("(goal a 1000000000050)", 1, "a goal is a whole number from 0 to 100, and '1000000000050' is none"),
    ("(goal a (f 1))", 1, "a goal is a whole number from 0 to 100, and '(f 1)' is none"),
    ("(true (left 1))", 1, "'true' may stand only in bodies of rules"),
    ("(<= (does a b) (role a))", 5, "'does' may stand only in bodies of rules"),
    ("(<= (p a) (next (left 1)))", 11, "'next' may stand only in heads of rules"),
    ("(<= (p a) (not (init (left 1))))", 11, "'init' may stand only in heads of rules"),
    ("(base a b)", 1, "'base' takes one argument, not 2"),
    # safety
    ("(p ?x)", 1, "a fact may not hold a variable, and (p ?x) holds ?x"),
    ("(<= (p ?x) (role ?y))", 5, "the variable ?x stands in the head, but in no positive literal of the rule's body"),
    (
        "(<= (p ?x) (role ?x) (not (role ?y)))",
        22,
        "the variable ?y stands under 'not', but in no positive literal of the rule's body",
    ),
    (
        "(<= (p ?x) (role ?x) (distinct ?x ?y))",
        22,
        "the variable ?y stands in a 'distinct', but in no positive literal of the rule's body",
    ),
    (
        "(<= (p ?x) (or (role ?x) (role a)))",
        5,
        "the variable ?x stands in the head, but in no positive literal of the rule's body",
    ),
    # arities
    ("(before 1)", 1, "the relation before has 1 argument here and 2 in line 4"),
    ("(<= (p a) (true (left 1 2)))", 11, "the function left has 2 arguments here and 1 in line 3"),
    # dependencies
    ("(<= (init (left 1)) (true (left 1)))", 21, "'init' may not depend on 'true', and does so: init <- true"),
    (
        "(<= (p a) (does a take)) (<= terminal (p a))",
        39,
        "'terminal' may not depend on 'does', and does so: terminal <- p <- does",
    ),
    (
        "(<= (input a take) (not terminal))",
        20,
        "'input' may not depend on 'true', and does so: input <- terminal <- true",
    ),
    ("(<= (p ?x) (role ?x) (not (p ?x)))", 22, "'p' depends on its own negation: p <- not p"),
    ("(<= (p ?x) (role ?x) (not (q ?x))) (<= (q ?x) (p ?x))", 22, "'p' depends on its own negation: p <- not q <- p"),
    (
        "(num 0) (<= (num (s ?x)) (num ?x))",
        9,
        "'num' is recursive, and ?x in (num ?x) is limited by nothing else, so its terms can grow without end",
    ),
]


@pytest.mark.parametrize(("text", "column", "sentence"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_a_fault_is_refused_where_it_stands(text: str, column: int, sentence: str) -> None:
    problem = refusal(text)
    assert str(problem) == f"test.kif line {ADDED}, column {column}: {sentence}"
    assert (problem.line, problem.column) == (ADDED, column)


@pytest.mark.parametrize(
    ("gone", "sentence"),
    [
        ("role", "no role is declared"),
        ("legal", "no rule says which moves are legal"),
        ("terminal", "no rule says when the game ends"),
        ("goal", "no rule says what the game is worth to its roles"),
    ],
)
def test_a_sheet_needs_roles_moves_an_end_and_goals(gone: str, sentence: str) -> None:
    kept = re.sub(rf"\(role \w\)|\(<= \(?{gone}.*" if gone != "role" else r"\(role \w\)", "", COUNTDOWN)
    kept = kept if gone == "role" else "(role a) (role b)" + kept
    with pytest.raises(SheetError) as caught:
        read_sheet(kept, "test.kif")
    assert str(caught.value) == f"test.kif: {sentence}"
    assert caught.value.line == 0


@pytest.mark.parametrize("text", ["", " \n\t", "; (role a)\n;"])
def test_a_text_without_forms_is_refused(text: str) -> None:
    with pytest.raises(SheetError, match=r"^x.kif: there are no rules in it$"):
        read_sheet(text, "x.kif")


@pytest.mark.parametrize(
    ("data", "line", "words"),
    [
        (b"\xff\xfe(\x00r\x00", 1, "UTF-16"),
        (b"(role a)\n(role \xff)", 2, "byte ff"),
        (b"(role a)\n\n(role \x00)", 3, "code 0"),
        (b"\x7fELF\x02\x01\x01\x00\xbb", 1, "byte bb"),
    ],
)
def test_files_that_are_no_text_are_refused(tmp_path: Path, data: bytes, line: int, words: str) -> None:
    path = tmp_path / "bad.kif"
    path.write_bytes(data)
    with pytest.raises(SheetError, match=words) as caught:
        load_sheet(path)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"bad.kif line {line}, column ")


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    with pytest.raises(AstragalError, match="cannot read"):
        load_sheet(tmp_path / "none.kif")
    with pytest.raises(AstragalError, match="cannot read"):
        load_sheet(tmp_path)
    path = tmp_path / "marked.kif"
    path.write_bytes(b"\xef\xbb\xbf" + COUNTDOWN.encode())
    assert load_sheet(path).roles == ("a", "b")


def test_deep_and_wide_texts_are_refused_and_do_not_hang() -> None:
    assert "more than 100 parentheses are open here" in str(refusal("(" * 100_000))
    assert "more than 100 parentheses are open here" in str(refusal("(p " + "(f " * 20_000 + "a" + ")" * 20_001))
    wide = "(or (role ?x) (q ?x))"
    assert "more than 1000 alternatives" in str(refusal(f"(q a) (<= (p ?x) {wide * 64})"))
    assert len(added(f"(<= (p ?x) {'(or (role ?x) (true (turn ?x)))' * 9})")) == 512
    nested = "(role ?x)"
    for _ in range(90):
        nested = f"(not {nested})"
    assert added(f"(<= (p ?x) {nested})")[0].positive == (("role", "?x"),)
    long = " ".join(f"(<= (p{i} ?x) (p{i + 1} ?x))" for i in range(TOO_DEEP))
    with calls_are_few():
        assert len(added(f"{long} (<= (p{TOO_DEEP} ?x) (role ?x))")) == TOO_DEEP + 1
        assert "depends on its own negation" in str(refusal(f"{long} (<= (p{TOO_DEEP} ?x) (role ?x) (not (p0 ?x)))"))
    assert len(str(refusal(f"(p {'?' + 'x' * 100_000})"))) < 500


# --- What is doubtful


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("(init (before 1 2))", "the word before is a relation, and here a function"),
        ("(<= (p a) (befor 2 1))", "no fact or rule says when befor holds; did you mean 'before'?"),
        ("(legal c noop)", "'legal' speaks of c, which is not a role"),
        ("(<= (p a) (true (left 7)))", None),  # `next` puts a variable there
        ("(<= (p a) (true (right 1)))", "nothing ever makes (right 1) true"),
        ("(<= (p a) (true (turn c)))", None),
        ("(<= (next (q 1)) (does a jump))", "jump is never a legal move"),
        ("(role a)", "the role a is named twice"),
        ("(legal ?r pass)", "the variable ?r is taken for a role, as nothing says what it is"),
        ("(sees a b)", "'sees' is of GDL-II; here all players see everything"),
        (
            "(<= (p ?x ?z) (p ?x ?y) (p ?y ?z))",
            "'p' is recursive, and ?y in (p ?x ?y) is limited by nothing else; the language forbids that",
        ),
    ],
)
def test_warnings_are_kept_with_their_place(text: str, sentence: str | None) -> None:
    warnings = with_line(text).warnings
    if sentence is None:
        assert warnings == ()
        return
    assert [warning.partition(": ")[2] for warning in warnings] == [sentence]
    assert warnings[0].startswith(f"test.kif line {ADDED}, column ")


def test_warnings_about_the_whole_sheet() -> None:
    (warning, *_) = read_sheet(COUNTDOWN.replace("init", "base"), "test.kif").warnings
    assert warning == "test.kif: nothing is true at the beginning: there is no 'init'"
    text = COUNTDOWN.replace("(goal ?r", "(goal a")
    assert (
        "test.kif: the role b has no goal"
        in read_sheet(re.sub(r"\(goal a(.*)\(role \?r\)", r"(goal a\1(role ?r)", text), "test.kif").warnings
    )


def test_a_role_that_is_meant_is_put_in() -> None:
    (rule,) = added("(<= (goal ?r 50) (not (true (turn ?r))))")
    assert rule.positive == (("role", "?r"),)


# --- Both at random

TOKENS = re.findall(r"[()]|[^\s()]+", re.sub(";.*", "", COUNTDOWN))


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A sheet with a few tokens gone, twice there, or in each other's place."""
    tokens = list(TOKENS)
    for _ in range(draw(st.integers(1, 4))):
        place = draw(st.integers(0, len(tokens) - 1))
        kind = draw(st.sampled_from(["delete", "double", "swap", "replace"]))
        other = draw(st.integers(0, len(tokens) - 1))
        if kind == "delete":
            del tokens[place]
        elif kind == "double":
            tokens.insert(place, tokens[place])
        elif kind == "swap":
            tokens[place], tokens[other] = tokens[other], tokens[place]
        else:
            tokens[place] = draw(
                st.sampled_from(["or", "and", "not", "distinct", "<=", "?z", "true", "does", tokens[other]])
            )
    return " ".join(tokens)


@settings(max_examples=150)
@given(mutated() | st.text(alphabet="()<=?;abnotr \n"))
def test_any_text_is_a_sheet_or_a_sentence(text: str) -> None:
    try:
        sheet = read_sheet(text, "test.kif")
    except SheetError as problem:
        sentence = str(problem)
    else:
        assert sheet.roles
        assert sheet.rules
        return
    assert re.match(r"test\.kif( line \d+, column \d+)?: .+", sentence)


@given(st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7))))
def test_components_are_what_reaches_each_other(edges: list[tuple[int, int]]) -> None:
    graph = {str(i): [str(b) for a, b in edges if a == i] for i in range(8)}
    reach = {node: {node} for node in graph}
    for _ in graph:
        reach = {
            node: set().union(seen, *(reach[far] for near in seen for far in graph[near]))
            for node, seen in reach.items()
        }
    found = list(components(graph, graph.__getitem__))
    assert sorted(node for group in found for node in group) == sorted(graph)
    for i, group in enumerate(found):
        for node in group:
            assert {other for other in graph if other in reach[node] and node in reach[other]} == set(group)
            assert reach[node] <= {other for earlier in found[: i + 1] for other in earlier}


# --- Sheets of others


def faulty() -> list[tuple[str, str, str]]:
    """Name, line and level of the corpus' faulty sheets."""
    folder = gdl_corpus.corpus()
    if folder is None:
        return []
    rows = re.findall(
        r"^\| (\S+\.kif) \| ([^|]*) \| [^|]* \| (\S+) \|", (folder / "bad" / "INDEX.md").read_text(), re.M
    )
    return [(name, line.strip(), level) for name, line, level in rows]


ONLY_WHEN_PLAYED = ("75", "76", "78")  # faults that reading cannot see


@gdl_corpus.needs_corpus
@pytest.mark.parametrize(("name", "line", "level"), faulty() or [("none", "-", "accept")])
def test_faulty_sheets_of_the_corpus(name: str, line: str, level: str) -> None:
    folder = gdl_corpus.corpus()
    assert folder is not None
    path = folder / "bad" / name
    if level == "accept":
        assert load_sheet(path).warnings == ()
    elif level == "reject-or-accept":
        with pytest.raises(SheetError):
            load_sheet(path)
    elif name[:2] in ONLY_WHEN_PLAYED:
        assert load_sheet(path).roles == ("a", "b")
    elif level == "warn":
        assert load_sheet(path).warnings
    else:
        with pytest.raises(SheetError) as caught:
            load_sheet(path)
        if line == "-" or line.isdigit():
            assert caught.value.line == (0 if line == "-" else int(line))


@gdl_corpus.needs_corpus
@pytest.mark.parametrize("path", gdl_corpus.sheets("kif") or [Path("none")], ids=lambda path: path.stem)
def test_public_sheets_of_the_corpus(path: Path) -> None:
    if path.stem == "ggpbase_test_3b":  # its rules are unsafe
        with pytest.raises(SheetError, match="in no positive literal"):
            load_sheet(path)
    else:
        sheet = load_sheet(path)
        assert sheet.roles
        assert all(rule.line for rule in sheet.rules)
