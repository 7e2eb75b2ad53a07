"""The former place of names that are now in `hanabi.svg.board`."""

from hanabi.svg.board import IN_A_ROW, draw_solitaire

__all__ = ["IN_A_ROW", "draw_solitaire"]
