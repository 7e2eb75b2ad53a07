"""What is known of a card as a set of cards, against its definition."""

from hypothesis import given
from hypothesis import strategies as st

from hanabi.deck import DeckSpec
from hanabi.game import Rules
from hanabi.game.config import MAX_KINDS
from hanabi.game.kernels.facts import cards_known
from hanabi.game.kernels.words import RANK_BITS
from hanabi.game.packing import pack_rules


@given(st.data(), st.integers(1, 30))
def test_cards_known_are_those_of_its_colors_and_ranks(data: st.DataObject, colors: int) -> None:
    ranks = data.draw(st.integers(1, min(MAX_KINDS // colors, 30)))
    color_bits = data.draw(st.integers(0, (1 << colors) - 1))
    rank_bits = data.draw(st.integers(0, (1 << ranks) - 1))
    rules = Rules(spec=DeckSpec(((1,) * ranks,) * colors), seats=1, hand_size=1)
    expected = sum(
        1 << color * ranks + rank
        for color in range(colors)
        for rank in range(ranks)
        if color_bits >> color & 1 and rank_bits >> rank & 1
    )
    assert cards_known(pack_rules(rules), color_bits | rank_bits << RANK_BITS) == expected
