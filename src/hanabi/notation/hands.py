"""Which card lies where in a recorded game, for forms that name slots of hands."""

from __future__ import annotations

from hanabi.errors import InvalidInputError, quote

__all__ = ["Hands"]


class Hands:
    """The numbers of the cards in each hand, the oldest first; new cards come last.

    Parameters
    ----------
    players, hand_size, cards
        How many there are; player 0's whole hand is dealt first.

    >>> hands = Hands(2, 2, 6)
    >>> hands.take(0, 0), hands.take(0, 1), hands.take(1, 0)
    (0, 4, 2)
    """

    def __init__(self, players: int, hand_size: int, cards: int) -> None:
        dealt = min(cards, players * hand_size)
        self._hands: list[list[int]] = [
            [*range(seat * hand_size, min(dealt, (seat + 1) * hand_size))]
            for seat in range(players)
        ]
        self._next, self._cards = dealt, cards

    def held(self, seat: int) -> tuple[int, ...]:
        """Return the numbers of a hand, the oldest card first.

        >>> Hands(2, 2, 6).held(1)
        (2, 3)
        """
        return tuple(self._hands[seat])

    def take(self, seat: int, slot: int) -> int:
        """Return the number of a card that is played or discarded, and draw the next one.

        Raises
        ------
        InvalidInputError
            If there is no such hand or slot.
        """
        if not 0 <= seat < len(self._hands) or not 0 <= slot < len(self._hands[seat]):
            raise InvalidInputError(f"player {quote(seat)} has no card in slot {quote(slot)}")
        card = self._hands[seat].pop(slot)
        if self._next < self._cards:
            self._hands[seat].append(self._next)
            self._next += 1
        return card
