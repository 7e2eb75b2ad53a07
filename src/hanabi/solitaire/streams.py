"""Every small stream, one by one, in an order that can be taken up again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hanabi.ground import InvalidInputError, quote
from hanabi.rules import Card, Deck

__all__ = ["all_streams"]


def all_streams(
    N: int,
    *,
    n: int,
    c: int,
    r: int | None = None,
    is_complete: bool = True,
    after: Sequence[tuple[int, int]] = (),
) -> Iterator[Deck]:
    """Yield every stream of N cards with n values and c colors.

    Streams that differ only in the names of their colors can be won with the same hands. Only the
    first of them is given: its colors come in the order 0, 1, 2, ... Streams come in lexicographic
    order, color before value.

    Parameters
    ----------
    N
        Number of cards.
    n, c
        Values 1..n of the colors 0..c-1.
    r
        The most copies of a card; None: no limit.
    is_complete
        Whether every card has to occur.
    after
        Yield only the streams that follow this one, which was yielded before.

    Raises
    ------
    InvalidInputError
        If a number is negative, or `after` is not one of the streams.

    >>> streams = all_streams(3, n=1, c=2, r=2)
    >>> [str(stream) for stream in streams]
    ['r1 r1 y1', 'r1 y1 r1', 'r1 y1 y1']
    >>> [str(stream) for stream in all_streams(3, n=1, c=2, r=2, after=[(0, 1), (0, 1), (1, 1)])]
    ['r1 y1 r1', 'r1 y1 y1']
    >>> from hanabi.solitaire import Instance, least_hand
    >>> hands = [least_hand(Instance(0, s)).upper for s in all_streams(5, n=2, c=2)]
    >>> [hands.count(h) for h in range(3)]
    [40, 68, 12]
    """
    for name, number in (("N", N), ("n", n), ("c", c), ("r", 0 if r is None else r)):
        if number < 0:
            raise InvalidInputError(f"{name}: {quote(number)} is not an integer >= 0")
    most = N if r is None else r
    needed = n * c if is_complete else 0
    start = [(color * n + value - 1) for color, value in after]
    cards: list[int] = []  # the stream so far, each card as color * n + value - 1
    counts = [0] * (n * c)
    colors = [0]  # how many colors occur in the first 0, 1, ... cards

    def may_follow(card: int) -> bool:
        missing = needed - sum(map(bool, counts)) - (not counts[card])
        return card // n <= colors[-1] and counts[card] < most and missing < N - len(cards)

    def add(card: int) -> None:
        cards.append(card)
        counts[card] += 1
        colors.append(max(colors[-1], card // n + 1))

    for card, (_, value) in zip(start, after, strict=True):
        if not (0 <= card < n * c and 1 <= value <= n and may_follow(card)):
            break
        add(card)
    if after and not len(cards) == len(after) == N:
        raise InvalidInputError(f"after: {quote(list(after))} is not one of these streams")
    card = 0 if not after else n * c  # the next one to try
    while True:
        if len(cards) == N and card == 0 and sum(map(bool, counts)) >= needed:
            yield Deck(Card(each // n, each % n + 1) for each in cards)
            card = n * c
        while card < n * c and not may_follow(card):
            card += 1
        if card < n * c:
            add(card)
            card = 0
        elif cards:
            card = cards.pop()
            counts[card] -= 1
            colors.pop()
            card += 1
        else:
            return
