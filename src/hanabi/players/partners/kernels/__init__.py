"""Trying actions in all deals of a seat, compiled."""
