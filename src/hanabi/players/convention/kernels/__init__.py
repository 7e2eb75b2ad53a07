"""The convention player, compiled."""
