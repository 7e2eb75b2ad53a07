"""Tables in text: a game, or what one seat sees of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hanabi.cards import Card, format_card
from hanabi.errors import counted
from hanabi.game.config import EndReason

if TYPE_CHECKING:
    from hanabi.game.state import Game
    from hanabi.game.view import View

__all__ = ["format_hand", "format_table"]


def format_hand(cards: Sequence[Card | None]) -> str:
    """Return a hand in slot order; `??` is a hidden card.

    >>> format_hand([Card(0, 1), None])
    'r1 ??'
    """
    return " ".join("??" if card is None else str(card) for card in cards)


def format_table(table: Game | View) -> str:
    """Return the table on several lines: the turn and tokens, piles, hands, discards.

    >>> from hanabi.game import Game, Rules
    >>> rules = Rules.official(2)
    >>> print(format_table(Game.start(rules, rules.spec.shuffle(seed=1)).view(0)))
    turn 0: seat 0 to act, 8 hints, 3 lives, 40 cards to draw, score 0
    piles     r0 y0 g0 b0 p0
    seat 0    ?? ?? ?? ?? ??
    seat 1    p3 g3 p1 r4 b2
    discards
    """
    ended = table.end_reason is not EndReason.IN_PROGRESS
    parts = (
        f"over ({table.end_reason})" if ended else f"seat {table.seat_to_act} to act",
        counted(table.hints, "hint"),
        counted(table.lives, "life", "lives"),
        f"{counted(table.deck_left, 'card')} to draw"
        if table.turns_left is None
        else f"{counted(table.turns_left, 'turn')} left",
        f"score {table.score}",
    )
    rows = [
        f"turn {table.turn}: {', '.join(parts)}",
        f"piles     {' '.join(format_card(color, top) for color, top in enumerate(table.piles))}",
        *(f"seat {seat}    {format_hand(hand)}" for seat, hand in enumerate(table.hands)),
        f"discards  {format_hand(table.discards)}",
    ]
    return "\n".join(map(str.rstrip, rows))
