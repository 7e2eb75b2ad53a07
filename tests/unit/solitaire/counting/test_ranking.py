from __future__ import annotations

from collections import Counter

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.solitaire.counting.ranking import Kind, Sequences
from hanabi.solitaire.counting.theorem import parts, swap
from oracles.sequences import progress


def test_draws_are_uniform() -> None:
    sequences = Sequences((2, 1, 1), "bad")
    drawn = Counter(sequences.draw(5, index) for index in range(900))
    assert set(drawn) == set(sequences)
    # Nine sequences, a hundred times each; five standard deviations.
    assert all(abs(count - 100) < 5 * 9.5 for count in drawn.values())


@pytest.mark.parametrize("kind", ["good", "bad"])
def test_large_ones(kind: Kind) -> None:
    sequences = Sequences((4,) * 13, kind)
    drawn = sequences.draw(seed=11)
    assert Counter(drawn) == dict.fromkeys(range(1, 14), 4)
    assert (progress(drawn) == 13) == (kind == "good")
    assert sequences.unrank(sequences.rank(drawn)) == drawn
    last = sequences.unrank(sequences.count - 1)
    assert sequences.rank(last) == sequences.count - 1


def test_listing_is_lazy_and_not_recursive() -> None:
    first = next(iter(Sequences((2,) * 800, "good")))
    assert first[:4] == (1, 1, 2, 2)


@pytest.mark.parametrize(
    ("sequence", "message"),
    [
        ((3, 2, 1, 1), "position 1"),
        ((1, 1, 2), "short of 1 card"),
        ((1, 1, 2, 3, 3), "position 5"),
        ((1, 1, 2, 9), "position 4: with 9"),
    ],
)
def test_what_is_not_among_them_has_no_rank(sequence: tuple[int, ...], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        Sequences((2, 1, 1), "good").rank(sequence)


def test_bad_requests() -> None:
    with pytest.raises(InvalidInputError, match="'ugly'"):
        Sequences((1,), "ugly")  # type: ignore[arg-type]
    with pytest.raises(InvalidInputError, match="no good sequence of that number"):
        Sequences((1, 1), "good").unrank(1)
    with pytest.raises(InvalidInputError, match="no good sequences to draw"):
        Sequences((1, 0), "good").draw(1)
    with pytest.raises(InvalidInputError, match="empty sequence is not good"):
        Sequences((0,), "good").rank(())
    with pytest.raises(InvalidInputError, match=r"j: 4 is not in 1 \.\. 3"):
        swap((1, 2, 3), 1, 4, k=3)
    with pytest.raises(InvalidInputError, match=r"after 1 \.\. 1 there is no 2"):
        parts((2, 1), 2)
    with pytest.raises(InvalidInputError, match="k: 0"):
        parts((2, 1), 0)
