"""The exact laboratory for the card game Hanabi."""

from __future__ import annotations

from hanabi._version import __version__
from hanabi.cards import Card
from hanabi.deck import Deck, DeckSpec
from hanabi.verdict import Status, Verdict

__all__ = ["Card", "Deck", "DeckSpec", "Status", "Verdict", "__version__"]
