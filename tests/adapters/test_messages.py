"""Messages of the GGP protocol are read as they are written, and anything else gets a sentence."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from astragal.adapters.ggp.messages import (
    LONGEST,
    Abort,
    Info,
    Play,
    Preview,
    Request,
    Start,
    Stop,
    info_answer,
    read_move,
    read_request,
)
from astragal.base.errors import AstragalError
from astragal.gdl.reading.reader import read_sheet
from support.gdl_sheets import NIM

REQUESTS = [
    Info(),
    Start("m.1", "a", "(role a)\n(<= (legal a ?x) (true (f ?x)))", 20.0, 1.5),
    Preview("(role a)", 10.0),
    Play("m.1", None),
    Play("m.1", (("mark", "1", "1"), "noop")),
    Stop("m.1", ("noop", ("f", ("g", "x")))),
    Stop("m.1", None),
    Abort("m.1"),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=str)
def test_what_is_written_is_read_again(request_: Request) -> None:
    assert read_request(str(request_)) == request_
    assert read_request(str(request_).lower()) == request_
    assert read_request(f"\r\n {str(request_).upper()} \r\n") == request_


@pytest.mark.slow
@pytest.mark.interpreted
def test_only_messages_with_rules_may_be_long() -> None:
    moves = " ".join(["noop"] * 19_000)
    assert len(moves) < LONGEST
    assert isinstance(read_request(f"(PLAY m ({moves}))"), Play)
    for word in ("PLAY", "STOP"):
        with pytest.raises(AstragalError, match="other than START and PREVIEW has at most 100000 characters"):
            read_request(f"({word} m ({moves} {moves}))")
    rules = "(role a) " * 12_000
    assert len(rules) > LONGEST
    for message in (f" ( start m a ({rules}) 5 5)", f"(PREVIEW ({rules}) 5)"):
        assert isinstance(read_request(message), Start | Preview)


def test_forms_that_managers_use() -> None:
    assert read_request("INFO") == Info()
    assert read_request("( PLAY kio.123 ( ( MARK 1 1 ) NOOP ) )") == Play("kio.123", (("mark", "1", "1"), "noop"))
    assert read_request("(play m ())") == Play("m", None)
    start = read_request(f"(START m A ({NIM}) 30 10)")
    assert isinstance(start, Start)
    assert read_sheet(start.rules, "m").roles == ("a", "b")
    assert info_answer("astragal", False) == "((name astragal) (status available))"
    assert info_answer("astragal", True) == "((name astragal) (status busy))"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "a message is one list, and this text has 0"),
        ("(info) (info)", "a message is one list, and this text has 2"),
        ("(hello)", "a message begins with one of INFO, START, PREVIEW, PLAY, STOP, ABORT"),
        ("((play) m nil)", "a message begins with one of INFO, START, PREVIEW, PLAY, STOP, ABORT"),
        ("(play m)", "PLAY is followed by a match and moves, and here by 1 things"),
        ("(info m)", "INFO is followed by nothing, and here by 1 things"),
        ("(play (m) nil)", "message line 1, column 7: the match is a word"),
        ("(play m noop)", "message line 1, column 9: the moves are a list, or nil"),
        ("(play m (?x))", "message line 1, column 10: ?x is a variable where a term is needed"),
        ("(start m a rules 1 1)", "message line 1, column 12: the rules are a list"),
        ("(start m a () soon 1)", "message line 1, column 15: a clock is a number of seconds up to 1000000"),
        ("(start m a () 1 -1)", "message line 1, column 17: a clock is a number of seconds up to 1000000"),
        ("(start m a () 1 1e9)", "message line 1, column 17: a clock is a number of seconds up to 1000000"),
        ("(start m a () 1 nan)", "message line 1, column 17: a clock is a number of seconds up to 1000000"),
        ("(play m (noop)", "message line 1, column 1: the parenthesis that opens here is never closed"),
    ],
)
def test_anything_else_gets_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(AstragalError) as caught:
        read_request(text)
    assert str(caught.value) == sentence


def test_moves_are_single_terms() -> None:
    assert read_move(" ( mark 1 ( f X ) ) ") == ("mark", "1", ("f", "x"))
    assert read_move("NOOP") == "noop"
    for text in ("", "a b", "?x", "(f ?x)", "()", "((f) x)"):
        with pytest.raises(AstragalError):
            read_move(text)


@given(st.text() | st.text(alphabet="()playstrmni ?1;\n"))
def test_no_text_breaks_the_reader(text: str) -> None:
    try:
        assert str(read_request(text))
    except AstragalError as problem:
        sentence = str(problem)
    else:
        return
    assert sentence
