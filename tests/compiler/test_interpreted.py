"""The interpreted twin of a game and of a kernel does what the compiled one does, bit for bit."""

from __future__ import annotations

import ctypes
import sys
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from astragal import Position, load_game, start
from astragal.compiler import interpreted as twins
from astragal.compiler.fingerprint import global_names
from astragal.compiler.interpreted import interpreted, run_interpreted
from astragal.compiler.intrinsics import primitives
from astragal.compiler.intrinsics.native import fold, popcount, trailing_zeros
from astragal.compiler.kernel import kernel
from astragal.compiler.records import GAP, Cells, State, padded
from astragal.rules.checks.trace import compiled_trace, interpreted_trace
from astragal.rules.perft import STOP, count_sequences, sequences
from astragal.rules.random import keyed, next_word, state_hash, upper
from support.helpers import EXAMPLE, random_position, slow_but

SPECS = ["pig", "pig:dice=1,goal=20", "ewn", f"{EXAMPLE}:MyGame"]
every_game = pytest.mark.parametrize(
    "spec", slow_but(SPECS[:1] + SPECS[3:], SPECS), ids=lambda spec: spec.rpartition("/")[2]
)
seeds = st.integers(0, 2**32)
words = st.integers(0, 2**64 - 1)
pytestmark = pytest.mark.compiled


# Games


@every_game
@settings(max_examples=10)
@given(seed=seeds)
def test_a_random_game_is_the_same_compiled_and_interpreted(spec, seed):
    root = start(spec, seed)
    fast, slow = (trace(root.game, root.memory, seed, 100) for trace in (compiled_trace, interpreted_trace))
    assert len(fast) == len(slow)
    for name in fast.dtype.names:
        assert fast[name].tolist() == pytest.approx(slow[name].tolist(), rel=1e-12, abs=1e-12), name


@every_game
@settings(max_examples=10)
@given(seed=seeds)
def test_a_position_says_what_the_compiled_game_says(spec, seed):
    """Follow a compiled game through positions: turns, hashes, lists, chances and values agree at every ply."""
    position = start(spec, seed)
    for ply in compiled_trace(position.game, position.memory, seed, 60):
        assert position.turn == ply["turn"]
        assert hashed(position) == ply["state"]
        if position.is_terminal:
            assert position.utilities()[0] == ply["value"]
        elif position.is_chance:
            outcomes = position.outcomes()
            assert len(outcomes) == ply["count"]
            assert sum(o.probability for o in outcomes) == pytest.approx(ply["chance"])
            position = position.deal(int(ply["chosen"]))
        else:
            assert len(position.actions()) == ply["count"]
            assert position.evaluations()[0] == pytest.approx(ply["value"])
            position = position.play(int(ply["chosen"]))


def hashed(position: Position) -> int:
    with np.errstate(over="ignore"):
        return int(interpreted(state_hash)(position.state))


@every_game
@settings(max_examples=5)
@given(seed=seeds)
def test_a_recursive_kernel_has_a_twin(spec, seed):
    position = random_position(load_game(spec), seed)
    twin = run_interpreted(sequences, position.game, position.memory, 3, np.zeros(1, STOP))
    assert twin == count_sequences(position, 3)


def test_what_a_kernel_encloses_has_a_twin_too():
    """A table, another kernel, and itself."""

    def make(table):
        @kernel
        def doubled(state, i):
            return state.small * table[i]

        @kernel
        def total(state, i):
            return doubled(state, i) + (total(state, i - 1) if i > 0 else 0)

        return total

    state = State(np.zeros(1, [("small", "u1")]))
    state.small = 200
    assert interpreted(make(np.array([2, 200], np.uint8)))(state, 1) == 200 * 202


def test_twins_are_made_once():
    assert interpreted(sequences) is interpreted(sequences)
    game = load_game("pig")
    assert game._twin_ is game._twin_


def test_a_twin_reads_tables_as_python_numbers():
    """Where NumPy's small integers would overflow, as machine code does not."""
    from astragal.games.ewn import board

    table = interpreted(board.CHOICE)
    assert isinstance(table, Cells)
    assert type(table[0, 1, 0]) is int
    assert table[0, 1, 1] << 6 == 384


# Words and bits


@given(words, words)
def test_fold_is_both_halves_of_the_product(a, b):
    product = a * b
    assert int(fold_compiled(np.uint64(a), np.uint64(b))) == (product >> 64) ^ (product & 2**64 - 1)
    assert int(interpreted(fold)(a, b)) == (product >> 64) ^ (product & 2**64 - 1)


@given(st.integers(1, 2**62))
def test_bits_are_counted_alike(value):
    zeros = len(f"{value:b}") - len(f"{value:b}".rstrip("0"))
    assert primitives.lowest_bit(value) == interpreted(trailing_zeros)(value) == bits_compiled(value)[0] == zeros
    assert (
        primitives.bit_count(value)
        == interpreted(popcount)(value)
        == bits_compiled(value)[1]
        == f"{value:b}".count("1")
    )


@given(words, st.integers(0, 1000))
def test_random_words_are_the_same_compiled_and_interpreted(state, number):
    with np.errstate(over="ignore"):
        for name, each in (("next word", next_word), ("upper", upper)):
            assert KERNELS[name](np.uint64(state)) == interpreted(each)(np.uint64(state))
        assert KERNELS["keyed"](np.uint64(state), number) == interpreted(keyed)(np.uint64(state), number)


def test_a_kernel_that_is_no_entry_cannot_be_called_from_python():
    with pytest.raises(TypeError, match="next_word is called by kernels only"):
        next_word(np.uint64(1))


def fold_compiled(a, b):
    return KERNELS["fold"](a, b)


def bits_compiled(value):
    return KERNELS["bits"](value)


def _kernels():
    return {
        "next word": kernel(lambda x: next_word(x), entry="next word"),
        "upper": kernel(lambda bits: upper(bits), entry="upper"),
        "keyed": kernel(lambda key, number: keyed(key, number), entry="keyed"),
        "fold": kernel(lambda a, b: fold(a, b), entry="fold"),
        "bits": kernel(lambda value: (trailing_zeros(value), popcount(value)), entry="bits"),
    }


KERNELS = _kernels()


# States


@pytest.mark.parametrize(
    ("kind", "c_type"),
    [("i1", ctypes.c_int8), ("u1", ctypes.c_uint8), ("i2", ctypes.c_int16), ("u2", ctypes.c_uint16),
     ("i4", ctypes.c_int32), ("u4", ctypes.c_uint32), ("i8", ctypes.c_int64), ("u8", ctypes.c_uint64)],
)  # fmt: skip
@given(value=st.integers(-(2**70), 2**70))
def test_a_field_stores_modulo_its_width_as_c_does(kind, c_type, value):
    state = State(np.zeros(1, padded([("one", kind), ("many", kind, 3)])))
    state.one = value
    state.many[1] = value
    assert state.one == state.many[1] == c_type(value).value
    assert list(state.many) == [0, c_type(value).value, 0]


def test_a_field_is_read_as_a_python_number_but_a_64_bit_unsigned_one():
    state = State(np.zeros(1, padded([("small", "u1"), ("many", "i2", 3), ("wide", "u8"), ("real", "f4")])))
    state.small = 200
    assert state.small + 100 == 300
    assert type(state.many[0]) is int
    assert type(state.real) is float
    assert type(state.wide) is np.uint64
    assert len(state.many) == state.many.size == 3


def test_a_field_of_several_values_is_stored_whole():
    state = State(np.zeros(1, padded([("one", "i2", 3), ("other", "i4", 3)])))
    state.one[0], state.one[1] = 5, 6
    state.other = state.one
    state.one[1:] = state.other[:2]
    assert list(state.other) == [5, 6, 0]
    assert list(state.one) == [5, 5, 6]


def test_an_unknown_field_is_refused_by_name():
    state = start("pig").state
    with pytest.raises(AttributeError, match=r"no field 'scores' \(it has: score, pot, turn, rolling\)"):
        state.scores  # noqa: B018
    with pytest.raises(AttributeError, match="no field 'scores'"):
        state.scores = 3


@pytest.mark.parametrize(
    "dtype",
    [
        [("a", "u1")],
        [("a", "u1"), ("b", "u4")],
        [("a", "u8"), ("b", "u1", 25), ("c", "i2")],
        np.dtype([("a", "u1"), ("b", "f8"), ("c", "u1")], align=True),
        np.dtype([("a", "u1", (2, 3)), ("b", "u2", 5)], align=True),
    ],
)
def test_a_padded_state_has_no_gaps_and_whole_words(dtype):
    whole = padded(dtype)
    assert whole.itemsize % 8 == 0
    covered = [0] * whole.itemsize
    for name in whole.names:
        field, offset = whole.fields[name][:2]
        for byte in range(offset, offset + field.itemsize):
            covered[byte] += 1
    assert set(covered) == {1}
    assert [name for name in whole.names if not name.startswith(GAP)] == list(np.dtype(dtype).names)
    assert padded(whole) == whole


def test_equal_states_are_equal_bytes_whatever_the_order_of_play():
    """Two cubes of each side moved in both orders, with a capture on the way."""
    game = load_game("ewn:setup=fixed")
    orders = [
        [("6", "6-b2"), ("6", "6-d4"), ("5", "5-c3"), ("5", "5xc3")],
        [("5", "5-c3"), ("5", "5xc3"), ("6", "6-b2"), ("6", "6-d4")],
    ]
    ends = []
    for order in orders:
        position = start(game)
        for roll, action in order:
            position = position.deal(roll).play(action)
        ends.append(position)
    first, second = ends
    assert first == second
    assert hash(first) == hash(second)
    assert first.memory.tobytes() == second.memory.tobytes()
    assert hashed(first) == hashed(second) != hashed(start(game))


@every_game
@settings(max_examples=10)
@given(seed=seeds)
def test_kernels_leave_gaps_alone(spec, seed):
    """A state played to by a kernel has the bytes of the same state read from text."""
    position = start(spec, seed)
    for ply in compiled_trace(position.game, position.memory, seed, 40):
        assert hashed(Position.parse(position.game, position.text)) == ply["state"]
        if position.is_terminal:
            return
        chosen = int(ply["chosen"])
        position = position.deal(chosen) if position.is_chance else position.play(chosen)


def test_fields_that_show_the_same_memory_keep_their_places():
    dtype = np.dtype(
        {"names": ["seeds", "sides", "turn"], "formats": [("u1", 16), ("u8", 2), "u4"], "offsets": [0, 0, 16]}
    )
    state = State(np.zeros(1, padded(dtype)))
    state.seeds[8] = 1
    assert state.sides[1] == 1
    assert state.nbytes == 24


def test_padding_twice_changes_nothing_where_fields_overlap():
    whole = padded(np.dtype({"names": ["one", "other"], "formats": ["u4", "u4"], "offsets": [0, 0]}))
    assert padded(whole) == whole


def test_a_twin_is_complete_for_every_thread_that_asks(monkeypatch):
    needed = [name for name in global_names(sequences.py_func.__code__) if name in sequences.py_func.__globals__]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    lacking = []

    def look(start):
        start.wait()
        scope = interpreted(sequences).__globals__
        lacking.extend(name for name in needed if name not in scope)

    try:
        for _ in range(30):
            monkeypatch.setattr(twins, "_twins", {})
            start = threading.Barrier(4)
            threads = [threading.Thread(target=look, args=(start,)) for _ in range(4)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert needed
    assert lacking == []
