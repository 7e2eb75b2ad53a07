"""Solitaire Hanabi, compiled."""
