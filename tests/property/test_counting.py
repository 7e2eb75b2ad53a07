from __future__ import annotations

from collections import Counter

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hanabi.solitaire import Instance, solve
from hanabi.solitaire.counting import bad, good, total
from hanabi.solitaire.counting.classes import CLASSES
from hanabi.solitaire.counting.hands import winnable
from hanabi.solitaire.counting.ranking import Sequences
from hanabi.solitaire.counting.theorem import bad_by_recurrence, bad_collected, swap
from hanabi.solitaire.counting.vector import format_integer, format_vector, parse_vector
from oracles.sequences import progress
from strategies import instances

VECTORS = st.lists(st.integers(0, 5), min_size=1, max_size=6).map(tuple)
FULL_VECTORS = st.lists(st.integers(1, 4), min_size=1, max_size=5).map(tuple)


@given(VECTORS)
def test_all_forms_agree(x: tuple[int, ...]) -> None:
    assume(x != (0,))
    assert bad(x) == bad_collected(x) == bad_by_recurrence(x)
    assert good(x) + bad(x) == total(x)


@given(st.lists(st.integers(0, 20), min_size=1, max_size=12), st.randoms(use_true_random=False))
def test_F_is_symmetric(x: list[int], random: object) -> None:
    shuffled = [*x]
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert bad(x) == bad(shuffled)


@given(FULL_VECTORS, st.data())
def test_the_swap_is_an_involution_onto_the_swapped_vector(
    x: tuple[int, ...], data: st.DataObject
) -> None:
    k = len(x)
    sequences = Sequences(x, "good")
    sequence = sequences.unrank(data.draw(st.integers(0, sequences.count - 1)))
    i, j = (data.draw(st.integers(1, k)) for _ in range(2))
    image = swap(sequence, i, j, k=k)
    assert progress(image) == k
    renamed = {i: j, j: i}
    assert Counter(image) == Counter(renamed.get(value, value) for value in sequence)
    assert swap(image, i, j, k=k) == sequence


@given(VECTORS, st.sampled_from(["good", "bad"]), st.integers(0, 2**64 - 1))
def test_drawn_sequences_have_their_rank(x: tuple[int, ...], kind: str, seed: int) -> None:
    sequences = Sequences(x, kind)  # type: ignore[arg-type]
    assume(sequences.count)
    drawn = sequences.draw(seed)
    assert [drawn.count(value) for value in range(1, len(x) + 1)] == [*x]
    assert (progress(drawn) == len(x)) == (kind == "good")
    assert sequences.unrank(sequences.rank(drawn)) == drawn


@settings(max_examples=40)
@given(FULL_VECTORS)
def test_more_hand_never_hurts(x: tuple[int, ...]) -> None:
    counts = [winnable(x, h) for h in range(len(x) + 1)]
    assert counts == sorted(counts)
    assert counts[0] == good(x)
    assert counts[-1] == total(x)


@given(instances(most_values=4, most_colors=3, most_copies=3, most_hand=4))
def test_no_class_holds_a_deck_that_can_be_won(instance: Instance) -> None:
    members = [name for name, holds in CLASSES.items() if holds(instance)]
    if members:
        assert solve(instance).is_winnable is False


@given(st.integers(-(10**30), 10**30), st.integers(0, 40_000))
def test_digits(number: int, shift: int) -> None:
    import decimal

    text = format_integer(number << shift)
    with decimal.localcontext() as context:
        context.prec = decimal.MAX_PREC
        context.Emax = decimal.MAX_EMAX
        assert decimal.Decimal(text) == decimal.Decimal(number) * decimal.Decimal(2) ** shift


@given(st.lists(st.integers(0, 9), min_size=1, max_size=20).map(tuple))
def test_vectors_are_read_back(x: tuple[int, ...]) -> None:
    assert parse_vector(format_vector(x)) == x
