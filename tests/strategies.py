"""Hypothesis strategies shared by the tests."""

from __future__ import annotations

from hypothesis import strategies as st

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
        (value, color)
        for value in range(1, n + 1)
        for color in range(c)
        for _ in range(draw(copies))
    ]
    return Instance(draw(st.integers(0, most_hand)), draw(st.permutations(cards)), n=n, c=c)
