"""Shapes that tell suits apart without color, as SVG paths in a square of 16 units."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["PATHS", "SHAPES"]

PATHS: Mapping[str, str] = MappingProxyType(
    {
        "diamond": "M8 0 14 8 8 16 2 8Z",
        "star": "M8 0 10.2 5.6 16 6 11.5 9.8 13 15.6 8 12.4 3 15.6 4.5 9.8 0 6 5.8 5.6Z",
        "triangle": "M8 1 16 15H0Z",
        "circle": "M8 1A7 7 0 1 1 8 15 7 7 0 1 1 8 1Z",
        "square": "M1.5 1.5H14.5V14.5H1.5Z",
        "hexagon": "M4.5 1H11.5L16 8 11.5 15H4.5L0 8Z",
        "cross": "M3 0 8 5 13 0 16 3 11 8 16 13 13 16 8 11 3 16 0 13 5 8 0 3Z",
        "flower": "M8 0A4 4 0 0 1 12 4 4 4 0 1 1 12 12 4 4 0 1 1 4 12 4 4 0 1 1 4 4 4 4 0 0 1 8 0Z",
        "heart": "M8 15.5 1.2 8A4.2 4.2 0 0 1 8 3 4.2 4.2 0 0 1 14.8 8Z",
        "ring": "M8 0A8 8 0 1 1 8 16 8 8 0 1 1 8 0Z"
        "M8 4.5A3.5 3.5 0 1 0 8 11.5 3.5 3.5 0 1 0 8 4.5Z",
        "pentagon": "M8 0 16 6 13 15.5H3L0 6Z",
        "plus": "M5.5 0H10.5V5.5H16V10.5H10.5V16H5.5V10.5H0V5.5H5.5Z",
        "bar": "M0 5H16V11H0Z",
        "moon": "M11 .5A8 8 0 1 0 15.5 11 6.5 6.5 0 0 1 11 .5Z",
        "drop": "M8 0C9 4 13.5 6.5 13.5 10.5A5.5 5.5 0 0 1 2.5 10.5C2.5 6.5 7 4 8 0Z",
        "wedge": "M0 1H16L8 15Z",
        "arrow": "M0 3H7V0L16 8 7 16V13H0Z",
    }
)
"""By name, in the order in which they are given to suits that have none of their own."""

SHAPES = tuple(PATHS)
"""The names of the shapes."""
