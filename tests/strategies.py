"""Hypothesis strategies shared by the tests."""

from __future__ import annotations

from hypothesis import strategies as st

from hanabi.rules.variants import Suit, Variant
from hanabi.solitaire import Instance


@st.composite
def instances(
    draw: st.DrawFn,
    *,
    most_values: int = 4,
    most_colors: int = 3,
    most_copies: int = 3,
    most_hand: int = 4,
    complete: bool = True,
) -> Instance:
    """Draw an instance; if `complete`, every needed card occurs (else a few may be missing)."""
    n = draw(st.integers(1, most_values))
    c = draw(st.integers(1, most_colors))
    copies = st.integers(1 if complete else 0, most_copies)
    cards = [
        (color, value)
        for value in range(1, n + 1)
        for color in range(c)
        for _ in range(draw(copies))
    ]
    return Instance(draw(st.integers(0, most_hand)), draw(st.permutations(cards)), n=n, c=c)


@st.composite
def small_variants(draw: st.DrawFn, *, most_suits: int = 3, most_ranks: int = 5) -> Variant:
    """Draw a variant of a few suits: clues, copies and piles of every sort, mixed at will."""
    piles = draw(st.sampled_from(["up", "reversed", "sudoku", "up or down"]))
    ranks = st.integers(1, most_ranks)
    if piles == "up or down":
        ranks = st.sampled_from([n for n in (2, 4, 5) if n <= most_ranks])
    n = draw(ranks)
    n_suits = draw(st.integers(1, min(most_suits, n) if piles == "sudoku" else most_suits))
    flags = st.booleans()
    suits = tuple(
        Suit(
            name=f"suit {number}",
            clue_colors=draw(st.sets(st.sampled_from("abc")).map(sorted).map(tuple)),
            one_of_each=draw(flags),
            all_clue_colors=draw(flags),
            no_clue_colors=draw(flags),
            all_clue_ranks=draw(flags),
            no_clue_ranks=draw(flags),
            prism=draw(flags),
            inverted=draw(flags),
            is_reversed=piles == "reversed" and draw(flags),
        )
        for number in range(n_suits)
    )
    clue_ranks = draw(
        st.none() | st.sets(st.integers(1, n)).map(lambda ranks: tuple(sorted(ranks)))
    )
    return Variant(
        name="small",
        suits=suits,
        ranks=n,
        named_clue_ranks=clue_ranks,
        color_clues_touch_nothing=draw(flags),
        rank_clues_touch_nothing=draw(flags),
        synesthesia=draw(flags),
        special_rank=draw(st.integers(0, n)),
        special_rank_all_clue_colors=draw(flags),
        special_rank_no_clue_colors=draw(flags),
        special_rank_all_clue_ranks=draw(flags),
        special_rank_no_clue_ranks=draw(flags),
        special_rank_deceptive=draw(flags),
        funnels=draw(flags),
        chimneys=draw(flags),
        up_or_down=piles == "up or down",
        sudoku=piles == "sudoku",
        scarce_ones=draw(flags),
        critical_rank=draw(st.integers(0, n)),
        alternating_clues=draw(flags),
        clue_starved=draw(flags),
    )
