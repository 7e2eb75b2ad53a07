from __future__ import annotations

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules.deck import STANDARD_COPIES, DeckSpec
from hanabi.solitaire.counting.classes import survey, survey_sample
from hanabi.solitaire.counting.hands import winnable, winnable_decks
from hanabi.solitaire.counting.playability import (
    count_winnable,
    estimate_curve,
    exact_curve,
    shuffled_decks,
    sure_hand,
    wilson,
)

GAME = [STANDARD_COPIES] * 5


def test_decks_are_those_of_the_library() -> None:
    decks = shuffled_decks(GAME, seed=7, first=3, size=2)
    for row, index in zip(decks.tolist(), (3, 4), strict=True):
        deck = DeckSpec.standard().shuffle(7, index)
        assert row == [5 * card.color + card.rank - 1 for card in deck]


def test_a_curve_does_not_depend_on_chunks_or_company() -> None:
    curve = estimate_curve(GAME, samples=5200, seed=3)
    assert len(curve) == sure_hand(GAME) + 1
    won = [point.won for point in curve]
    assert won == sorted(won)
    assert won[-1] == 5200
    alone = estimate_curve(GAME, samples=5200, seed=3, hand_sizes=[5])
    assert alone == [curve[5]]


def test_intervals_cover_the_exact_curve() -> None:
    rows = [STANDARD_COPIES] * 2
    points = estimate_curve(rows, samples=4000, seed=9, confidence=0.9999)
    for h in (0, 1, 2):
        exact = count_winnable(rows, h) / points[h].decks
        total = next(exact_curve(rows)).decks
        assert points[h].low <= exact * points[h].decks / total <= points[h].high


def test_progress_is_told() -> None:
    said: list[str] = []
    estimate_curve([(1, 1)], samples=10, seed=0, progress=said.append)
    assert said[-1] == "10 of 10 decks"
    done = [int(each.partition(" ")[0]) for each in said]
    assert done == sorted(set(done))


def test_a_missing_card_ends_the_curve() -> None:
    assert [point.won for point in exact_curve([(1, 0, 2)])] == [0]
    assert winnable((1, 0, 2), 2) == winnable_decks([(1, 0)], 1) == 0


def test_wilson_against_a_published_example() -> None:
    # Newcombe (1998), table I: 81 of 263, 95 %.
    low, high = wilson(81, 263)
    assert (round(low, 4), round(high, 4)) == (0.2553, 0.3662)


@pytest.mark.parametrize("numbers", [(-1, 5, 0.95), (6, 5, 0.95), (0, 0, 0.95), (1, 2, 1.0)])
def test_wilson_refuses(numbers: tuple[int, int, float]) -> None:
    with pytest.raises(InvalidInputError):
        wilson(*numbers)


def test_what_takes_too_long_is_refused() -> None:
    with pytest.raises(
        InvalidInputError, match=r"hand size 5: about .* seconds for 2\.0e\+07 states"
    ):
        winnable((4,) * 13, 5, seconds=60)
    with pytest.raises(InvalidInputError, match="not counted within 10 states"):
        winnable_decks(GAME, 2, most_states=10)
    with pytest.raises(InvalidInputError, match="0 seconds"):
        winnable_decks(GAME, 2, seconds=0)
    with pytest.raises(InvalidInputError, match="decks are more than 300,000"):
        survey(GAME, 2)


@pytest.mark.parametrize("samples", [0, -1, 10**10])
def test_bad_sample_counts(samples: int) -> None:
    with pytest.raises(InvalidInputError, match="samples"):
        estimate_curve(GAME, samples=samples, seed=1)
    with pytest.raises(InvalidInputError, match="samples"):
        survey_sample(GAME, 5, samples=samples, seed=1)


def test_other_bad_input() -> None:
    with pytest.raises(InvalidInputError, match="seed"):
        estimate_curve(GAME, samples=1, seed=-1)
    with pytest.raises(InvalidInputError, match="hand size: -1"):
        winnable((1, 1), -1)
    with pytest.raises(InvalidInputError, match="hand size: -1"):
        winnable_decks([(1, 1)], -1)
    for broken in ([(1, 1), (1,)], []):
        with pytest.raises(InvalidInputError, match="copies"):
            winnable_decks(broken, 1)
        with pytest.raises(InvalidInputError, match="copies"):
            count_winnable(broken, 1)
    with pytest.raises(InvalidInputError, match="each at least once"):
        survey([(1, 0)], 1)
