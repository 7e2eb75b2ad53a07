"""Worlds: the deals that a seat cannot exclude."""

from hanabi.worlds.hidden import Hidden, arrange, arrangements, complete_deck, fill_deck, replayed

__all__ = ["Hidden", "arrange", "arrangements", "complete_deck", "fill_deck", "replayed"]
