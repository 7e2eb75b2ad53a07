"""Reading in bulk against the strict readers: the same streams, and nothing that they refuse."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanabi.ground.errors import InvalidInputError
from hanabi.rules.deck import Deck
from hanabi.rules.notation import SolitaireInput, bulk, parse_input
from hanabi.solitaire import Play


@pytest.fixture(autouse=True)
def _short_is_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "LONG", 0)
    monkeypatch.setattr(bulk, "_CHUNK", 7)
    monkeypatch.setattr(bulk, "_MOVES", 3)


def check(text: str) -> bool:
    """Hold the two readers against each other; return whether the bulk reader took the text."""
    fast = bulk.parse_bulk(text)
    if fast is None:
        return False
    strict = parse_input(text)  # raises where the bulk reader has been too lenient
    assert isinstance(strict, SolitaireInput)
    assert fast.values is not None
    assert fast.colors is not None
    assert Deck(zip(fast.colors.tolist(), fast.values.tolist(), strict=True)) == strict.cards
    assert (fast.hand_size, fast.n, fast.c) == (strict.hand_size, strict.n, strict.c)
    return True


def mutate(text: str, seed: int) -> str:
    rng = random.Random(seed)
    for _ in range(rng.randrange(3)):
        at = rng.randrange(len(text) + 1)
        piece = rng.choice(
            ["", "0", "-", "1.5", " ", "\n", ",", "[", "]", "#", "r1", "hand 2", "9" * 25, "\u00a0",
             "e", '"cards"', "{}", "null", ":", "2", "\t", "\x0b", "="]
        )  # fmt: skip
        text = text[:at] + piece + text[at + rng.randrange(2) :]
    return text


HEADS = (
    "",
    "hand 3\n",
    "hand: 3 ",
    "hand = 3\n",
    "# 5 6\nhand 2\n",
    "values 9 hand 3\n",
    "4 hand 2 ",
)
numbers = st.lists(st.integers(1, 12), min_size=1, max_size=12)
seeds = st.integers(0, 10**6)


@given(st.sampled_from(HEADS), numbers, st.sampled_from([" ", "\n", "\r\n", "  "]), seeds)
def test_text(head: str, values: list[int], blank: str, seed: int) -> None:
    text = head + blank.join(map(str, values)) + "\n"
    try:
        assert check(text)
    except InvalidInputError:
        pytest.fail("the plain form was refused")
    except AssertionError:
        # Only what the strict reader refuses too may be left to it here.
        with pytest.raises(InvalidInputError):
            parse_input(text)
    check(mutate(text, seed))


@given(
    st.lists(st.tuples(st.integers(1, 120), st.integers(0, 3)), min_size=1, max_size=12),
    st.sampled_from([None, 1, 2]),
    st.sampled_from([(", ", ": "), (",", ":")]),
    seeds,
)
def test_json(
    cards: list[tuple[int, int]], indent: int | None, signs: tuple[str, str], seed: int
) -> None:
    document = {"hand_size": 2, "cards": cards, "n": 120, "annotation": {"x": [[1, 2]]}}
    text = json.dumps(document, indent=indent, separators=signs)
    assert check(text)
    check(mutate(text, seed))


@given(st.lists(st.tuples(st.integers(1, 2**31 - 1), st.integers(0, 2)), max_size=10))
def test_moves(moves: list[tuple[int, int]]) -> None:
    names = ("store", "discard", "play")
    play = Play.from_columns(
        np.array([position for position, _ in moves], np.intc).data,
        np.array([action for _, action in moves], np.int8).data,
    )
    text = "".join(bulk.move_pieces(play.positions, play.actions, names))
    assert text == json.dumps(play.to_json())


def test_numbers_beyond_all_columns_are_left_to_the_strict_reader() -> None:
    for text in ('{"cards": [[1, %s]]}', '{"cards": [[%s, 0]]}', "hand 1 1 %s 2"):
        for number in (2**31, 2**32, 2**63, 10**30):
            assert not check(text % number)
        assert check(text % (2**31 - 2))
