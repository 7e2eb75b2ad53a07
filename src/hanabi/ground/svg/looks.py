"""The looks of suits: colors, and a shape and a letter so that color is never needed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from colorsys import hls_to_rgb
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

__all__ = [
    "PATHS",
    "SHAPES",
    "SuitLook",
    "contrast",
    "hue_color",
    "ink_on",
    "looks_of",
    "numbered_look",
]

# Shapes that distinguish suits without color, as SVG paths in a square of 16 units.

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
"""Shapes by name, in the order in which suits without a shape of their own get them."""

SHAPES = tuple(PATHS)
"""The names of the shapes."""


_RED, _YELLOW, _GREEN, _BLUE = "#c62828", "#f6d32d", "#2e9e44", "#2a67c9"
_PURPLE, _TEAL, _PINK, _BROWN, _BLACK = "#8540b5", "#12b5b0", "#f58cc0", "#7d4a22", "#2d2d33"
_RAINBOW = ("#d9423a", "#f0c330", "#3fae56", "#3f7fd6", "#9355c4")
_OMNI = ("#e8746d", "#f2dc85", "#86cf95", "#8db5ec", "#c39ae0", "#f5a8cf")
_MUDDY = ("#8a3d38", "#96802f", "#3d7049", "#3c5a8a", "#674a80")

# Each suit's colors (several for stripes), and its shape unless an earlier suit has it.
_LOOKS: dict[str, tuple[tuple[str, ...], str]] = {
    "Red": ((_RED,), "diamond"),
    "Yellow": ((_YELLOW,), "star"),
    "Green": ((_GREEN,), "triangle"),
    "Blue": ((_BLUE,), "circle"),
    "Purple": ((_PURPLE,), "square"),
    "Teal": ((_TEAL,), "hexagon"),
    "Black": ((_BLACK,), "cross"),
    "Rainbow": (_RAINBOW, "flower"),
    "Pink": ((_PINK,), "heart"),
    "White": (("#f7f7f4",), "ring"),
    "Brown": ((_BROWN,), "pentagon"),
    "Omni": (_OMNI, "plus"),
    "Null": (("#9a9aa3", "#d9d9df"), "bar"),
    "Muddy Rainbow": (_MUDDY, "moon"),
    "Light Pink": (("#ffd6ea",), "drop"),
    "Prism": (("#e9f3ff", "#9fd0ff", "#d9b8ff"), "wedge"),
    "Orange": (("#f08a24",), "arrow"),
    "Dark Rainbow": (("#7e1f1a", "#80620d", "#1c5c2c", "#1b437e", "#512474"), "flower"),
    "Dark Pink": (("#b03a78",), "heart"),
    "Gray": (("#7b7b84",), "ring"),
    "Dark Brown": (("#4c2a10",), "pentagon"),
    "Dark Omni": (("#8c4741", "#8c7c40", "#4b7a56", "#4c678d", "#704f84"), "plus"),
    "Dark Null": (("#3d3d45", "#66666f"), "bar"),
    "Cocoa Rainbow": (("#552420", "#5c4d17", "#22412a", "#213453", "#3c294c"), "moon"),
    "Gray Pink": (("#c9a3b6",), "drop"),
    "Dark Prism": (("#34506f", "#3d7ab0", "#6c4a92"), "wedge"),
    "Dark Orange": (("#a1540a",), "arrow"),
    "Tomato": (("#ee5a45",), "hexagon"),
    "Mahogany": (("#6e1a1a",), "square"),
    "Carrot": (("#f07b3c",), "arrow"),
    "Emerald": (("#4cc77c",), "pentagon"),
    "Olive": (("#75842b",), "drop"),
    "Berry": (("#5a55c9",), "flower"),
    "Navy": (("#1d2f73",), "moon"),
    "Sky": (("#86c5f4",), "ring"),
    "Ice": (("#d3ecfb",), "bar"),
    "Aqua": (("#42c6dc",), "wedge"),
    "Ocean": (("#14648c",), "plus"),
    "Tangerine": (("#f49a2c",), "arrow"),
    "Peach": (("#ffc79c",), "heart"),
    "Ruby": (("#9c1440",), "cross"),
    "Yam": (("#c65f1f",), "pentagon"),
    "Geas": (("#b5b04a",), "moon"),
    "Beatnik": (("#8fb08c",), "bar"),
    "Plum": (("#6d2b63",), "drop"),
    "Taupe": (("#8e7f72",), "ring"),
    "Gold": (("#b98d12",), "hexagon"),
    "Violet": (("#7b4fe0",), "heart"),
    "Magenta": (("#d23ac0",), "flower"),
    "Cardinal": (("#a51258",), "wedge"),
    "Maroon": (("#5c0f22",), "pentagon"),
    "Lime": (("#a9de3c",), "plus"),
    "Jungle": (("#4f8f1f",), "arrow"),
    "Jade": (("#2fae86",), "moon"),
    "Tan": (("#d2b583",), "bar"),
    "Cyan": (("#4fdcf0",), "ring"),
    "Indigo": (("#43309c",), "drop"),
    "Cobalt": (("#2447a3",), "hexagon"),
}

_ENDINGS = (" Reversed", " EA")


@dataclass(frozen=True, slots=True)
class SuitLook:
    """The look of a suit.

    Attributes
    ----------
    name
        The suit's name in words.
    letter
        The suit's name in text: one letter, or a number where letters run out.
    shape
        One of `hanabi.ground.svg.looks.SHAPES`; the suits of a game have different shapes while
        they last.
    colors
        One `#rrggbb` color, or several that are drawn as stripes.
    is_barred
        Whether ranks have a bar above them, as negated literals have.
    """

    name: str
    letter: str
    shape: str
    colors: tuple[str, ...]
    is_barred: bool = False

    @property
    def ink(self) -> str:
        """Black or white, whichever is more legible on the suit's color, or on its worst stripe.

        >>> looks_of(("Yellow", "Blue"), "yb")[1].ink
        '#ffffff'
        """
        return ink_on(*self.colors)


@lru_cache(maxsize=512)
def looks_of(names: Sequence[str], letters: Sequence[str]) -> tuple[SuitLook, ...]:
    """Return the looks of the suits of one game, in order; O(suits).

    A suit with an unknown name gets a color by its position. A suit whose shape an earlier one has
    gets the first free shape.

    >>> [look.shape for look in looks_of(("Red", "Dark Pink", "Pink", "Red Reversed"), "rpia")]
    ['diamond', 'heart', 'star', 'triangle']
    """
    looks: list[SuitLook] = []
    free = dict.fromkeys(SHAPES)
    for place, (name, letter) in enumerate(zip(names, letters, strict=True)):
        base = name
        for ending in _ENDINGS:
            base = base.removesuffix(ending)
        colors, shape = _LOOKS.get(base) or ((_numbered_color(place),), SHAPES[0])
        if shape not in free:
            shape = next(iter(free), SHAPES[place % len(SHAPES)])
        free.pop(shape, None)
        looks.append(SuitLook(name, letter, shape, colors))
    return tuple(looks)


@lru_cache(maxsize=4096)
def numbered_look(place: int) -> SuitLook:
    """Return the look of a suit with only a number; shapes repeat after a while.

    >>> numbered_look(20).name, numbered_look(20).shape == numbered_look(3).shape
    ('Color 20', True)
    """
    shape = SHAPES[place % len(SHAPES)]
    return SuitLook(f"Color {place}", str(place), shape, (_numbered_color(place),))


def _numbered_color(place: int) -> str:
    """Return a color for a suit without a name; neighbors are far apart on the color wheel."""
    return hue_color(place, (0.42, 0.62)[place % 2])


def hue_color(place: int, lightness: float) -> str:
    """Return a color of this lightness; the hues of neighbors differ by the golden angle.

    >>> hue_color(0, 0.5)
    '#cc3333'
    """
    parts = hls_to_rgb(place * 0.381966 % 1, lightness, 0.6)
    return "#" + "".join(f"{round(255 * part):02x}" for part in parts)


def ink_on(*colors: str) -> str:
    """Return black or white, whichever has the better worst contrast with these colors.

    >>> ink_on("#ffff00"), ink_on("#000080")
    ('#000000', '#ffffff')
    """
    return max(("#000000", "#ffffff"), key=lambda ink: min(contrast(ink, x) for x in colors))


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colors as WCAG 2 defines it, from 1 to 21.

    >>> contrast("#000000", "#ffffff")
    21.0
    """
    low, high = sorted((_luminance(first), _luminance(second)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: str) -> float:
    parts = [int(color[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
