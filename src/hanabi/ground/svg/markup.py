"""SVG as text: escaped words, shared definitions, and the frame of a picture."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from hashlib import blake2b
from importlib import import_module
from importlib.resources import files
from typing import ClassVar
from unicodedata import combining, east_asian_width
from xml.sax.saxutils import escape, quoteattr

__all__ = [
    "BOLD",
    "LETTERS",
    "STYLE",
    "Pictured",
    "Sheet",
    "fitted",
    "number",
    "part",
    "picture",
    "text",
    "use",
    "wrapped",
]

# The style sheet of all pictures: classes only, so that a page may forbid inline styles.

STYLE = (files("hanabi.ground.svg") / "style.css").read_text("utf-8")
"""The CSS of all pictures, light and dark; stand-alone ones include it, pages serve it once.

A page with a theme of its own can set `--hanabi-ink`, `--hanabi-plate` and the other properties in
the file, which then take precedence.
"""


LETTERS = 50
"""The length of a line in a column of 360 units, in letter widths."""

BOLD = 44
"""The same for a bold line, whose letters are wider."""

_NAMESPACE = "http://www.w3.org/2000/svg"

# Characters that XML does not allow, even escaped.
_NO_XML = dict.fromkeys((*range(9), 11, 12, *range(14, 32), 65534, 65535), "�")


class Sheet:
    """Definitions that pictures share, named by their content, so that equal ones are kept once.

    Pictures drawn with a sheet refer to it and hold no definitions; the page includes the sheet
    once.

    >>> sheet = Sheet()
    >>> sheet.add("<path d='M0 0'/>") == sheet.add("<path d='M0 0'/>")
    True
    """

    def __init__(self) -> None:
        self._content: dict[str, str] = {}
        self._markup: dict[str, str] = {}
        self._known: dict[Hashable, str] = {}

    def add(self, markup: str) -> str:
        """Keep a definition; return the name by which `use` finds it."""
        return self._define("g", "", markup)

    def gradient(self, colors: tuple[str, ...]) -> str:
        """Return a fill: the color, or a reference to a gradient of stripes of equal width."""
        if len(colors) == 1:
            return colors[0]
        stops = "".join(
            f'<stop offset="{number(at / len(colors))}" stop-color="{color}"/>'
            for place, color in enumerate(colors)
            for at in (place, place + 1)
        )
        name = self._define("linearGradient", ' x2="1" y2="1"', stops)
        return f"url(#{name})"

    def _define(self, tag: str, attributes: str, markup: str) -> str:
        """Keep an element under a name derived from its content, the same in every sheet."""
        content = f"{attributes}>{markup}</{tag}>"
        digits = blake2b(f"{tag}{content}".encode()).hexdigest()
        name = next(
            each
            for each in (f"h{digits[:length]}" for length in range(7, 128))
            if self._content.setdefault(each, content) == content  # the name is free or its own
        )
        self._markup[name] = f'<{tag} id="{name}"{content}'
        return name

    def known(self, key: Hashable) -> str | None:
        """Return the name that `remember` stored for a key, or None."""
        return self._known.get(key)

    def remember(self, key: Hashable, name: str) -> str:
        """Store the name of a record's drawing, so that it is drawn only once; return the name."""
        self._known[key] = name
        return name

    @property
    def defs(self) -> str:
        """The definitions as a `defs` element, oldest first; "" if there are none."""
        return f"<defs>{''.join(self._markup.values())}</defs>" if self._markup else ""

    @property
    def svg(self) -> str:
        """An invisible picture with the definitions; a page has it before the others."""
        return (
            f'<svg xmlns="{_NAMESPACE}" class="hb" width="0" height="0" aria-hidden="true">'
            f"{self.defs}</svg>"
        )


def picture(
    body: str,
    size: tuple[float, float],
    *,
    title: str,
    description: str,
    defs: str = "",
    standalone: bool = False,
) -> str:
    """Return a complete picture: `body` in a view box of this size, with a description in words.

    The picture has a background, because it follows the system's color scheme and its page may not.
    A page that does follow it can set `--hanabi-ground` to `transparent`.

    A stand-alone picture includes the style sheet, and a width and height for viewing it as a file.
    """
    width, height = map(number, size)
    frame = f' width="{width}" height="{height}"' if standalone else ""
    style = f"<style>{escape(STYLE)}</style>" if standalone else ""
    ground = f'<rect class="hb-ground" width="{width}" height="{height}"/>'
    return (
        f'<svg xmlns="{_NAMESPACE}" class="hb" viewBox="0 0 {width} {height}"{frame} role="img">'
        f"<title>{_words(title)}</title><desc>{_words(description)}</desc>{style}{defs}"
        f"{ground}{body}</svg>"
    )


def part(
    body: str,
    box: tuple[float, float, float, float],
    *,
    title: str = "",
    data: Mapping[str, str] | None = None,
) -> str:
    """Return a part of a picture on a page, without a ground; a part without a title is unspoken.

    `data` are more attributes, whose names begin with `data-`.
    """
    view = " ".join(map(number, box))
    said = f'role="group" aria-label={_quoted(title)}' if title else 'aria-hidden="true"'
    more = "".join(f" data-{name}={_quoted(value)}" for name, value in (data or {}).items())
    return f'<svg class="hb" viewBox="{view}" {said}{more}>{body}</svg>'


def text(words: str, x: float, y: float, classes: str = "") -> str:
    """Return a `text` element with the words escaped."""
    named = f" class={quoteattr(classes)}" if classes else ""
    return f'<text x="{number(x)}" y="{number(y)}"{named}>{_words(words)}</text>'


def use(name: str, x: float, y: float, *, scale: float = 1) -> str:
    """Return an element that shows a definition of a sheet."""
    if scale == 1:
        place = f' x="{number(x)}"' * (x != 0) + f' y="{number(y)}"' * (y != 0)
        return f'<use href="#{name}"{place}/>'
    place = f"translate({number(x)} {number(y)}) scale({number(scale)})"
    return f'<use href="#{name}" transform="{place}"/>'


def number(value: float) -> str:
    """Return a coordinate with at most two decimals.

    >>> number(3.0), number(1 / 3)
    ('3', '.33')
    """
    shown = f"{value:.2f}".rstrip("0").rstrip(".")
    return shown.replace("0.", ".", 1) if shown.startswith(("0.", "-0.")) else shown


def fitted(words: str, units: int) -> str:
    """Return words cut to this many letter widths; wide letters take two.

    >>> fitted("Bartholomew", 6), fitted("Bart", 6)
    ('Barth…', 'Bart')
    """
    room, shown = units, []
    if sum(map(_width, words)) <= units:
        return words
    for letter in words:
        room -= _width(letter)
        if room < 1:
            break
        shown.append(letter)
    return "".join(shown) + "…"


def wrapped(words: str, units: int, lines: int) -> list[str]:
    """Return words in at most this many lines of this many letter widths, cut if too long.

    >>> wrapped("Alice hints Bob: red (2 cards)", 16, 2)
    ['Alice hints Bob:', 'red (2 cards)']
    """
    result: list[str] = []
    for word in words.split():
        joined = f"{result[-1]} {word}" if result else word
        if result and (sum(map(_width, joined)) <= units or len(result) == lines):
            result[-1] = joined
        else:
            result.append(word)
    return [fitted(line, units) for line in result]


def _width(letter: str) -> int:
    if combining(letter):
        return 0
    return 2 if east_asian_width(letter) in "WF" else 1


def _quoted(words: str) -> str:
    return quoteattr(words.translate(_NO_XML))


def _words(words: str) -> str:
    return escape(words.translate(_NO_XML))


# Display of objects as pictures in notebooks.


class Pictured:
    """An object that another module of its package can draw; that module is imported on demand.

    The module is given by name, because it imports the class and the class must not import it.
    """

    __slots__ = ()

    _drawn_by: ClassVar[str]
    """The name of a module with a function `svg_of` that takes the object."""

    def _repr_svg_(self) -> str:
        """Return the picture for notebooks, a stand-alone SVG."""
        svg: str = import_module(self._drawn_by).svg_of(self)
        return svg
