"""Pickles of lists of whole numbers, and that nothing else in a pickle has an effect."""

from __future__ import annotations

import io
import pickle
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.env.open_agents import entries_of_pickle
from hanabi.ground.errors import InvalidInputError

NUMBERS = st.integers(-(2**40), 2**40) | st.integers(0, 2**700) | st.integers(0, 255)
LISTS = st.lists(st.recursive(NUMBERS, st.lists, max_leaves=30))
PROTOCOLS = st.integers(0, pickle.HIGHEST_PROTOCOL)


class Strict(pickle._Unpickler):  # written in Python, so that a huge memo costs it nothing
    """Python's own unpickler, without what it could call."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name}")


@settings(max_examples=300)
@given(LISTS, PROTOCOLS)
def test_lists_come_back(lists: list[Any], protocol: int) -> None:
    assert list(entries_of_pickle(pickle.dumps(lists, protocol))) == lists


@pytest.mark.parametrize("n", [999, 1000, 1001, 2500])
def test_entries_come_a_thousand_at_a_time(n: int) -> None:
    data = pickle.dumps([[each] for each in range(n)])
    assert list(entries_of_pickle(data)) == [[each] for each in range(n)]
    entries = entries_of_pickle(data[:-20])
    if n > 1001:
        assert [next(entries) for _ in range(1000)] == [[each] for each in range(1000)]
    with pytest.raises(InvalidInputError, match="breaks off"):
        list(entries)


@pytest.mark.parametrize(
    "data",
    [
        b"(lp0\n(lp1\n(lp2\nI0\naL1267650600228229401496703205376L\naaa(lp3\nI-7\naI01\naa.",
        b"(lp1\n(lp2\n(lp3\nI0\naL1267650600228229401496703205376L\naaa(lp4\nI-7\naI01\naa.",
    ],
    ids=["pickle", "cPickle"],
)
def test_what_python_2_wrote(data: bytes) -> None:
    assert list(entries_of_pickle(data)) == [[[0, 2**100]], [-7, True]]


@settings(max_examples=400)
@given(LISTS, PROTOCOLS, st.binary(max_size=6), st.integers(0, 90), st.integers(0, 6))
def test_a_damaged_pickle_is_refused_or_says_the_same(
    lists: list[Any], protocol: int, noise: bytes, start: int, length: int
) -> None:
    """Where it is read, Python's own unpickler reads the same in it, or nothing."""
    whole = pickle.dumps(lists, protocol)
    data = whole[:start] + noise + whole[start + length :]
    found, told = None, ""
    try:
        found = list(entries_of_pickle(data))
    except InvalidInputError as error:
        told = str(error)
    assert "\n" not in told
    assert len(told) < 200
    if not told:
        theirs = found
        with suppress(Exception):  # it is stricter about the names of places, which do not matter
            theirs = Strict(io.BytesIO(data)).load()
        assert theirs == found


class Bomb:
    """Does something when it is unpickled."""

    went_off: list[str] = []  # noqa: RUF012 - who set it off

    def __reduce__(self) -> tuple[Callable[..., object], tuple[str]]:
        return set_off, ("reduced",)


def set_off(how: str) -> None:
    Bomb.went_off.append(how)


class State:
    """Does something when it is given its state."""

    def __reduce__(self) -> tuple[Callable[..., object], tuple[()], str]:
        return State, (), "built"

    def __setstate__(self, state: str) -> None:
        set_off(state)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("hostile", [Bomb(), State()], ids=["reduce", "build"])
def test_nothing_is_called(hostile: object, protocol: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, __name__, sys.modules.get(__name__, sys))
    monkeypatch.setattr(sys.modules[__name__], "set_off", set_off, raising=False)
    monkeypatch.setattr(sys.modules[__name__], "State", State, raising=False)
    data = pickle.dumps([[1, 2], hostile], protocol)
    Bomb.went_off.clear()
    pickle.loads(data)  # it is one
    assert len(Bomb.went_off) == 1
    with pytest.raises(InvalidInputError, match="makes no list and no whole number"):
        list(entries_of_pickle(data))
    assert len(Bomb.went_off) == 1


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "byte 0: the pickle breaks off"),
        (b"]", "byte 1: the pickle breaks off"),
        (b"K", "byte 0: the pickle breaks off"),
        (b"K\x01.", "no list for the entries"),
        (b".", "ends within a list"),
        (b"]a.", "no list"),
        (b"]e.", "a list ends that did not begin"),
        (b"l.", "a list ends that did not begin"),
        (b"](.", "ends within a list|no list"),
        (b"]].", "ends within a list"),
        (b"(]K\x01al.", "ends within a list"),
        (b"]I5x\na.", "'5x' is no whole number"),
        (b"]I" + b"9" * 5000 + b"\na.", "is no whole number"),
        (b"]\x8a\x09\x01a.", "breaks off"),
        (b"]\x8b\xff\xff\xff\xff\x01a.", "breaks off"),
        (b"]pnever", "breaks off"),
        (b"]cos\nsystem\n(S'true'\ntRa.", "b'c' makes no list"),
        (b"](ios\nsystem\na.", "b'i' makes no list"),
        (b"]q\x00h\x00a.", "b'h' makes no list"),  # a list within itself
        (b"]\x942a.", "b'2' makes no list"),
        (b"]P1\na.", "b'P' makes no list"),
        (b"]\x82\x01a.", "makes no list"),
        (b"]B\xff\xff\xff\x7fa.", "b'B' makes no list"),
        (b"]\x8e\xff\xff\xff\xff\xff\xff\xff\x7fa.", "makes no list"),
        (b"]\x96\xff\xff\xff\xff\xff\xff\xff\x7fa.", "makes no list"),
        (b"]G@\x08\x00\x00\x00\x00\x00\x00a.", "b'G' makes no list"),
        (b"]}a.", "makes no list"),
        (b"]Na.", "b'N' makes no list"),
    ],
)
def test_all_else_is_refused(data: bytes, what: str) -> None:
    with pytest.raises(InvalidInputError, match=what):
        list(entries_of_pickle(data))


def test_a_huge_place_to_remember_costs_nothing() -> None:
    """Python's compiled unpickler would take 64 GB for this one."""
    assert list(entries_of_pickle(b"]r\xff\xff\xff\xffK\x07a.")) == [7]
