"""The properties of a variant that matter with all cards face up."""

from __future__ import annotations

from dataclasses import dataclass

from hanabi.variants.variant import VARIANT_OF_2026, Variant, refuse_unknown

__all__ = ["FaceUp", "SuitFaceUp", "face_up"]


@dataclass(frozen=True, slots=True, order=True)
class SuitFaceUp:
    """A suit with all cards face up.

    Attributes
    ----------
    copies
        The number of copies of each rank.
    orders
        The possible orders of ranks of the pile.
    inverted
        Whether playing and discarding are swapped.
    touched
        For each rank, whether a clue can touch the card. If color and rank clues must alternate:
        two entries for each rank, whether a color clue can, and whether a rank clue can.
    """

    copies: tuple[int, ...]
    orders: tuple[tuple[int, ...], ...]
    inverted: bool
    touched: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class FaceUp:
    """All properties that matter with all cards face up: the same lines win equal variants.

    Lines are the same up to the order of the suits, and to the clue that a hint gives.

    Attributes
    ----------
    suits
        The suits, sorted.
    sudoku
        Whether piles must begin with different ranks.
    alternating
        Whether color and rank clues must alternate.
    free
        Whether a hint is always legal, whatever it touches. If color and rank clues must
        alternate: two entries, whether a color clue is, and whether a rank clue is.
    starved
        Whether a discard or a complete suit gives half a token.
    no_bonus
        Whether a complete suit gives no token.
    """

    suits: tuple[SuitFaceUp, ...]
    sudoku: bool
    alternating: bool
    free: tuple[bool, ...]
    starved: bool
    no_bonus: bool


def face_up(variant: Variant) -> FaceUp:
    """Return the properties of a variant that matter with all cards face up.

    It does not matter whether a legal clue names a color or a rank, nor which other cards it
    touches, because nobody has anything to learn.

    Raises
    ------
    InvalidInputError
        If the variant differs from the plain game in a way that this function does not know.

    >>> from hanabi.variants import find_variant
    >>> face_up(find_variant("Rainbow (5 Suits)")) == face_up(find_variant("No Variant"))
    True
    >>> face_up(find_variant("Null (5 Suits)")) == face_up(find_variant("No Variant"))
    False
    """
    refuse_unknown(variant, VARIANT_OF_2026, "the comparison of variants with all cards face up")
    by_kind = (variant.color_clues_touch_nothing, variant.rank_clues_touch_nothing)
    free = by_kind if variant.alternating_clues else (any(by_kind),)
    suits = []
    for color, (suit, copies) in enumerate(zip(variant.suits, variant.spec.copies, strict=True)):
        touched: list[bool] = []
        for rank in range(1, len(copies) + 1):
            kinds = (
                any(
                    variant.touches_color(value, color, rank)
                    for value in range(len(variant.clue_colors))
                ),
                any(variant.touches_rank(value, color, rank) for value in variant.clue_ranks),
            )
            touched += kinds if variant.alternating_clues else (any(kinds),)
        # If a hint is always legal, it need not touch anything.
        always = free * (len(touched) // len(free))
        needed = tuple(a or b for a, b in zip(touched, always, strict=True))
        suits.append(SuitFaceUp(copies, variant.orders(color), suit.inverted, needed))
    return FaceUp(
        suits=tuple(sorted(suits)),
        sudoku=variant.sudoku,
        alternating=variant.alternating_clues,
        free=free,
        starved=variant.clue_starved,
        no_bonus=variant.throw_it_in_a_hole,
    )
