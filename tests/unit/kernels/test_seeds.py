"""Compiled decks of seeds are those of the plain generator."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from hanabi.rules.seeds import deal_many, parse_seed
from hanabi.rules.variants import VARIANT_COUNT, find_variant, variant_names

WORDS = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=20)


@given(
    st.integers(2, 6),
    st.integers(0, VARIANT_COUNT - 1),
    st.lists(WORDS.filter(lambda word: ".." not in word), min_size=1, max_size=4),
)
def test_decks_are_equal(players: int, place: int, words: list[str]) -> None:
    variant = find_variant(variant_names()[place])
    texts = [f"p{players}v{variant.id}s{word}" for word in words]
    cards = list(variant.spec.cards())
    decks = deal_many(texts, len(cards)).tolist()
    assert [[cards[k] for k in deck] for deck in decks] == [
        list(parse_seed(text).deck) for text in texts
    ]


def test_the_same_numbers_are_drawn_again() -> None:
    """One in some millions of decks draws a number that would favour small ones."""
    cards = list(find_variant("No Variant").spec.cards())
    for text in ("p2v0s2006865", "p2v0s5395256"):
        (deck,) = deal_many([text], 50).tolist()
        assert [cards[k] for k in deck] == list(parse_seed(text).deck)


def test_no_seeds_no_decks() -> None:
    assert deal_many([], 50).shape == (0, 50)
