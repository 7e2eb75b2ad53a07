"""The exact laboratory for the card game Hanabi."""

from __future__ import annotations

from hanabi._version import __version__

TYPE_CHECKING = False  # as in `typing`, which takes 10 ms to import
if TYPE_CHECKING:
    from hanabi.cards import Card
    from hanabi.deck import Deck, DeckSpec
    from hanabi.verdict import Status, Verdict

__all__ = ["Card", "Deck", "DeckSpec", "Status", "Verdict", "__version__"]

_HOMES = {
    "Card": "hanabi.cards",
    "Deck": "hanabi.deck",
    "DeckSpec": "hanabi.deck",
    "Status": "hanabi.verdict",
    "Verdict": "hanabi.verdict",
}


def __getattr__(name: str) -> object:
    """Import what is asked for: the command line must be at work before anything is imported."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
