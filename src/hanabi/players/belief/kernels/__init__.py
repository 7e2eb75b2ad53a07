"""Beliefs and the search over them, compiled."""
