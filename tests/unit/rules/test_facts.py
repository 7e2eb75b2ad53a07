"""What is known of a card, and what clues touch, as sets of cards, against their definitions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hanabi.rules import Rules
from hanabi.rules import layout as k
from hanabi.rules.config import MAX_KINDS
from hanabi.rules.deck import DeckSpec
from hanabi.rules.kernels.facts import cards_hinted, cards_known
from hanabi.rules.kernels.packed import clue_bit
from hanabi.rules.packing import pack_rules
from hanabi.rules.variants import variant_names


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
    assert cards_known(pack_rules(rules), color_bits | rank_bits << k.RANK_BITS) == expected


@pytest.mark.parametrize("name", variant_names()[::17])
def test_cards_hinted_are_those_that_the_clue_touches(name: str) -> None:
    rules = pack_rules(Rules.hanab_live(2, variant=name))
    clues = [(k.HINT_COLOR, color) for color in range(k.RANK_BITS)]
    clues += [(k.HINT_RANK, rank) for rank in range(1, k.RANK_BITS)]
    there = [clue for clue in clues if rules[k.CLUES] & clue_bit(*clue)]
    assert there
    for kind, value in there:
        touched = {
            card
            for card in range(rules[k.COLORS] * rules[k.RANKS])
            if rules[rules[k.TOUCHES] + card] & clue_bit(kind, value)
        }
        assert cards_hinted(rules, kind, value) == sum(1 << card for card in touched)
