"""The fields of a record that someone does not know of, where they are not at their default."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import fields
from typing import TYPE_CHECKING

from hanabi.errors import InvalidInputError, quote

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from hanabi.variants.variant import Variant

__all__ = ["SUIT_FIELDS", "TABLE_FIELDS", "field_names", "refuse_unknown", "unknown_fields"]


def field_names(text: str) -> frozenset[str]:
    """Return the words of a text.

    >>> sorted(field_names("seats hand_size"))
    ['hand_size', 'seats']
    """
    return frozenset(text.split())


TABLE_FIELDS = field_names(
    """
    name id suits ranks named_clue_colors named_clue_ranks synesthesia special_rank
    special_rank_all_clue_colors special_rank_no_clue_colors special_rank_all_clue_ranks
    special_rank_no_clue_ranks special_rank_deceptive odds_and_evens funnels chimneys up_or_down
    scarce_ones critical_rank cow_and_pig duck
    """
)
"""Fields of `Variant` that do nothing but decide its cards, which clues there are and touch a card,
and the orders of each pile: whoever asks its methods for these knows the fields."""

SUIT_FIELDS = field_names(
    """
    name clue_colors one_of_each all_clue_colors no_clue_colors all_clue_ranks no_clue_ranks prism
    inverted is_reversed
    """
)
"""Fields of `Suit` of which the same is true, `inverted` being asked of the variant, too."""


def unknown_fields(
    record: DataclassInstance, known: Collection[str], **defaults: object
) -> Iterator[tuple[str, object]]:
    """Yield the name and value of each field that is neither known nor at its default.

    `defaults` are values that stand for a default, too.

    >>> from hanabi.variants.suit import Suit
    >>> list(unknown_fields(Suit(name="Prism", prism=True), {"name"}))
    [('prism', True)]
    """
    for field in fields(record):
        value = getattr(record, field.name)
        if field.name not in known and value != defaults.get(field.name, field.default):
            yield field.name, value


def refuse_unknown(
    variant: Variant,
    known: Collection[str],
    who: str,
    error: type[Exception] = InvalidInputError,
) -> None:
    """Raise if a variant differs from the plain game in what `who` does not know of.

    >>> from hanabi.variants import find_variant
    >>> refuse_unknown(find_variant("Sudoku (5 Suits)"), TABLE_FIELDS, "the solver")
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: the solver does not know sudoku = True of Sudoku (5 Suits)
    """
    of_suits = (pair for suit in variant.suits for pair in unknown_fields(suit, SUIT_FIELDS))
    for name, value in (*unknown_fields(variant, known), *of_suits):
        raise error(f"{who} does not know {name} = {quote(value)} of {variant.name}")
