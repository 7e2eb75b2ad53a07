"""Small games from decks written in text."""

from __future__ import annotations

from dataclasses import replace

from hanabi.rules import Game, Rules
from hanabi.rules.cards import parse_color
from hanabi.rules.deck import Deck


def read_deck(text: str) -> Deck:
    """`"r1 y2"` as a deck."""
    return Deck((parse_color(card[0]), int(card[1:])) for card in text.split())


def deal(text: str, seats: int, hand_size: int, **changes: object) -> Game:
    """Deal a deck that need not be a whole game's, under the printed rules with changes."""
    deck = read_deck(text)
    rules = Rules(spec=deck.spec, seats=seats, hand_size=hand_size)
    return Game.start(replace(rules, **changes), deck)  # type: ignore[arg-type]
