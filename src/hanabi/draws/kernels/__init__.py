"""Expectation over the cards still to be drawn, compiled."""
