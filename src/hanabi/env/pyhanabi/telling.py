"""States and observations as text."""

from __future__ import annotations

from collections.abc import Sequence

from hanabi.env.pyhanabi.cards import COLOR_CHAR, HanabiCard, HanabiCardKnowledge
from hanabi.game import Game

__all__ = ["hand_lines", "table_lines"]


def hand_lines(hand: Sequence[HanabiCard], knowledge: Sequence[HanabiCardKnowledge]) -> list[str]:
    """Return a hand, a card a line, with what hints say of it."""
    return [f"{card} || {known}" for card, known in zip(hand, knowledge, strict=False)]


def table_lines(
    game: Game, hands: Sequence[Sequence[str]], current: int, deck_size: int
) -> list[str]:
    """Return what lies on the table; the last line is where the discards go.

    `current` is the number of the hand whose turn it is.
    """
    piles = "".join(f"{COLOR_CHAR[color]}{height} " for color, height in enumerate(game.piles))
    lines = [f"Life tokens: {game.lives}", f"Info tokens: {game.hints}", f"Fireworks: {piles}"]
    lines.append("Hands:")
    for number, hand in enumerate(hands):
        if number:
            lines.append("-----")
        if number == current:
            lines.append("Cur player")
        lines += hand
    return [*lines, f"Deck size: {deck_size}", "Discards:"]
