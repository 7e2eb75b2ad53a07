"""Shuffled decks, compiled."""
