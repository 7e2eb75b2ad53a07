"""Pictures of this package as TikZ, for LaTeX, and as PDF.

Both are made from the SVG text of a picture, in its light colors. So every picture has them, and
they show the same. Only what `hanabi.ground.svg` writes is understood: rectangles, circles, paths
and words, definitions that are used at several places, and classes of its style sheet. Any other
element raises an error that names it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from math import acos, cos, hypot, pi, sin, sqrt, tan
from typing import Any, BinaryIO, NamedTuple
from xml.etree import ElementTree as ET

from hanabi.ground import STYLE, MissingPackageError, number

__all__ = ["check_pdf", "tikz_of", "write_pdf"]

_SVG = "{http://www.w3.org/2000/svg}"
_UNIT = 0.75  # big points in a unit of SVG
_NONE = ("none", "transparent")
_UNSEEN = ("title", "desc", "style", "defs")


class _Style(NamedTuple):
    """What an element inherits."""

    fill: tuple[str, ...]
    opacity: float
    stroke: str
    stroke_opacity: float
    width: float
    dashes: tuple[float, ...]
    size: float
    is_bold: bool
    anchor: str
    is_underlined: bool


@dataclass(frozen=True, slots=True)
class _Outline:
    """A path of commands M, L, C and Z with absolute points, or a box with round corners."""

    style: _Style
    commands: tuple[tuple[str, tuple[float, ...]], ...]
    box: tuple[float, float, float, float, float] | None = None


@dataclass(frozen=True, slots=True)
class _Words:
    """Words on a line that begins, has its middle or ends at a point."""

    x: float
    y: float
    runs: tuple[tuple[str, _Style], ...]


@dataclass(frozen=True, slots=True)
class _Drawing:
    width: float
    height: float
    title: str
    parts: tuple[_Outline | _Words, ...]


class _Place(NamedTuple):
    """A shift and a scale."""

    x: float = 0
    y: float = 0
    scale: float = 1

    def at(self, x: float, y: float) -> tuple[float, float]:
        return self.x + self.scale * x, self.y + self.scale * y

    def moved(self, x: float, y: float, scale: float = 1) -> _Place:
        return _Place(*self.at(x, y), self.scale * scale)


# Reading the SVG of this package.


class _Reader:
    """The definitions and classes of one picture."""

    def __init__(self, svg: str) -> None:
        self.root = ET.fromstring(svg)  # noqa: S314 - text of this package
        self.rules, self.variables = _rules(STYLE)
        self.known = {
            each.get("id", ""): each for defs in self.root.iter(f"{_SVG}defs") for each in defs
        }

    def drawing(self) -> _Drawing:
        _, _, width, height = map(float, self.root.get("viewBox", "").split())
        plain = _Style(("#000000",), 1.0, "none", 1.0, 1.0, (), 13.0, False, "start", False)
        style = self.styled(self.root, plain, ())
        title = self.root.findtext(f"{_SVG}title", "")
        parts = tuple(self.parts(self.root, style, ("hb",), _Place()))
        return _Drawing(width, height, title, parts)

    def styled(self, element: ET.Element, style: _Style, above: Sequence[str]) -> _Style:
        """Return the style of an element: attributes first, then classes, as in CSS."""
        given = {name: value for name, value in element.items() if name in _PROPERTIES}
        own = element.get("class", "").split()
        for ancestor, name, found in self.rules:
            if name in own and (not ancestor or ancestor in above):
                given |= found
        for name, value in given.items():
            style = style._replace(**_PROPERTIES[name](self, value))
        return style

    def color(self, value: str) -> str:
        variable = re.fullmatch(r"var\((--[\w-]+)\)", value)
        return self.variables[variable[1]] if variable else value

    def paint(self, value: str) -> tuple[str, ...]:
        """Return the colors of a fill: one, those of stripes, or none."""
        reference = re.fullmatch(r"url\(#(\w+)\)", value)
        if reference is None:
            color = self.color(value)
            return () if color in _NONE else (color,)
        stops = [stop.get("stop-color", "") for stop in self.known[reference[1]]]
        return tuple(stops[::2])  # each stripe has two

    def parts(
        self, element: ET.Element, style: _Style, above: tuple[str, ...], place: _Place
    ) -> Iterator[_Outline | _Words]:
        for child in element:
            tag = child.tag.removeprefix(_SVG)
            own = self.styled(child, style, above)
            get = _numbers(child)
            if tag in ("g", "a", "use"):
                inner = place.moved(*_transform(child.get("transform", "")))
                names = (*above, *child.get("class", "").split())
                if tag != "use":
                    yield from self.parts(child, own, names, inner)
                    continue
                used = self.known[child.get("href", "")[1:]]
                yield from self.parts(used, own, ("hb",), inner.moved(get("x"), get("y")))
            elif tag == "rect":
                (x, y), scale = place.at(get("x"), get("y")), place.scale
                box = x, y, scale * get("width"), scale * get("height"), scale * get("rx")
                yield _Outline(own, _box(*box[:4]), box)
            elif tag == "circle":
                x, y, r = get("cx"), get("cy"), get("r")
                ring = f"M{x - r} {y}A{r} {r} 0 0 1 {x + r} {y} {r} {r} 0 0 1 {x - r} {y}Z"
                yield _Outline(own, tuple(_path(ring, place)))
            elif tag == "path":
                inner = place.moved(*_transform(child.get("transform", "")))
                yield _Outline(own, tuple(_path(child.get("d", ""), inner)))
            elif tag == "text":
                yield from self.words(child, own, above, place)
            elif tag not in _UNSEEN:
                raise ValueError(f"<{tag}> in a picture")

    def words(
        self, element: ET.Element, style: _Style, above: Sequence[str], place: _Place
    ) -> Iterator[_Words]:
        runs = [(element.text or "", style)]
        for child in element:
            runs += [
                (child.text or "", self.styled(child, style, above)),
                (child.tail or "", style),
            ]
        xs, y = element.get("x", "0").split(), float(element.get("y", "0"))
        if len(xs) > 1:  # a place for each letter
            for x, letter in zip(xs, runs[0][0], strict=False):
                yield _Words(*place.at(float(x), y), ((letter, style),))
            return
        kept = tuple(run for run in runs if run[0])
        if kept:
            yield _Words(*place.at(float(xs[0]), y), kept)


_PROPERTIES: Mapping[str, Any] = {
    "fill": lambda reader, value: {"fill": reader.paint(value)},
    "fill-opacity": lambda _, value: {"opacity": float(value)},
    "opacity": lambda _, value: {"opacity": float(value), "stroke_opacity": float(value)},
    "stroke": lambda reader, value: {"stroke": reader.color(value)},
    "stroke-width": lambda _, value: {"width": float(value)},
    "stroke-dasharray": lambda _, value: {"dashes": tuple(map(float, value.split()))},
    "font-size": lambda _, value: {"size": float(value.removesuffix("px"))},
    "font-weight": lambda _, value: {"is_bold": value == "700"},
    "text-anchor": lambda _, value: {"anchor": value},
    "text-decoration": lambda _, value: {"is_underlined": value == "underline"},
}


def _rules(sheet: str) -> tuple[list[tuple[str, str, dict[str, str]]], dict[str, str]]:
    """Return the rules of a style sheet, for light schemes, and the values of its variables.

    A rule is a class, the class that something around it must have or "", and declarations. Rules
    for two classes win over those for one.
    """
    sheet = re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    sheet = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", sheet)
    rules, variables = [], {}
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", sheet):
        lines = (line.split(":", 1) for line in body.split(";") if ":" in line)
        declared = {name.strip(): value.strip() for name, value in lines}
        for name, value in declared.items():
            if name.startswith("--"):
                variables[name] = value.rpartition(",")[2].strip(" )")
        known = {name: value for name, value in declared.items() if name in _PROPERTIES}
        for selector in selectors.split(","):
            simple = re.fullmatch(r"(?:\.([\w-]+)\s+)?\.([\w-]+)", selector.strip())
            if simple is not None and known:
                rules.append((simple[1] or "", simple[2], known))
    return sorted(rules, key=lambda rule: rule[0] != ""), variables


def _numbers(element: ET.Element) -> Any:
    return lambda name: float(element.get(name, "0"))


def _transform(text: str) -> tuple[float, float, float]:
    shift = re.search(r"translate\(([-.\d]+)[ ,]+([-.\d]+)\)", text)
    scale = re.search(r"scale\(([-.\d]+)\)", text)
    if len(re.findall(r"\w+\(", text)) > bool(shift) + bool(scale):
        raise ValueError(f"transform {text!r} in a picture")
    x, y = (float(shift[1]), float(shift[2])) if shift else (0.0, 0.0)
    return x, y, float(scale[1]) if scale else 1.0


def _box(
    x: float, y: float, width: float, height: float
) -> tuple[tuple[str, tuple[float, ...]], ...]:
    right, low = x + width, y + height
    corners = ("M", (x, y)), ("L", (right, y)), ("L", (right, low)), ("L", (x, low))
    return (*corners, ("Z", ()))


_ARGUMENTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "Q": 4, "A": 7, "Z": 0}


def _path(text: str, place: _Place) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield the commands of an SVG path as M, L, C and Z with absolute points."""
    x = y = start_x = start_y = 0.0
    for letter, body in re.findall(r"([MLHVCQAZmlhvcqaz])([^MLHVCQAZmlhvcqaz]*)", text):
        command, is_relative = letter.upper(), letter.islower()
        values = [float(each) for each in re.findall(r"-?(?:\d+\.?\d*|\.\d+)", body)]
        size = _ARGUMENTS[command]
        if not size:
            yield "Z", ()
            x, y = start_x, start_y
        for at in range(0, len(values), size or 1):
            given = values[at : at + size]
            dx, dy = (x, y) if is_relative else (0.0, 0.0)
            if command == "H":
                points = [(given[0] + dx, y)]
            elif command == "V":
                points = [(x, given[0] + dy)]
            else:
                ends = given[5:] if command == "A" else given
                pairs = zip(ends[::2], ends[1::2], strict=True)
                points = [(first + dx, second + dy) for first, second in pairs]
            end = points[-1]
            kind = command if command in "MC" else "L"
            curves = [points]
            if command == "Q":
                (middle_x, middle_y), kind = points[0], "C"
                bends = [
                    (u + (middle_x - u) * 2 / 3, v + (middle_y - v) * 2 / 3)
                    for u, v in ((x, y), end)
                ]
                curves = [[*bends, end]]
            elif command == "A":
                curves, kind = list(_arc((x, y), given[0], given[3:5], end)), "C"
            for curve in curves:
                moved = (place.at(*point) for point in curve)
                yield kind, tuple(value for point in moved for value in point)
            x, y = end
            if command == "M":
                start_x, start_y, command = x, y, "L"  # more pairs are lines


def _arc(
    start: tuple[float, float], radius: float, flags: Sequence[float], end: tuple[float, float]
) -> Iterator[list[tuple[float, float]]]:
    """Yield the cubic curves of an arc of a circle, a quarter of it at most each."""
    (x0, y0), (x1, y1) = start, end
    half = hypot(x1 - x0, y1 - y0) / 2
    radius = max(radius, half)
    middle_x, middle_y = (x0 + x1) / 2, (y0 + y1) / 2
    away = sqrt(max(0.0, radius**2 - half**2)) / (2 * half) * (1 if flags[0] == flags[1] else -1)
    center_x, center_y = middle_x + away * (y1 - y0), middle_y - away * (x1 - x0)
    angle = _angle(x0 - center_x, y0 - center_y)
    turn = (_angle(x1 - center_x, y1 - center_y) - angle) % (2 * pi)
    if not flags[1]:
        turn -= 2 * pi
    pieces = max(1, round(abs(turn) / (pi / 2) + 0.499))
    step = turn / pieces
    reach = radius * 4 / 3 * tan(step / 4)
    for _ in range(pieces):
        following = angle + step
        from_x, from_y = center_x + radius * cos(angle), center_y + radius * sin(angle)
        to_x, to_y = center_x + radius * cos(following), center_y + radius * sin(following)
        yield [
            (from_x - reach * sin(angle), from_y + reach * cos(angle)),
            (to_x + reach * sin(following), to_y - reach * cos(following)),
            (to_x, to_y),
        ]
        angle = following


def _angle(x: float, y: float) -> float:
    length = hypot(x, y) or 1.0
    found = acos(max(-1.0, min(1.0, x / length)))
    return found if y >= 0 else -found


def _stripes(outline: _Outline) -> Iterator[tuple[str, list[tuple[float, float]]]]:
    """Yield the colors of a striped outline, each with a stripe that reaches beyond it."""
    points = [values[-2:] for _, values in outline.commands if values]
    low_x, high_x = min(x for x, _ in points), max(x for x, _ in points)
    low_y, high_y = min(y for _, y in points), max(y for _, y in points)
    width, height, colors = high_x - low_x, high_y - low_y, outline.style.fill
    for place, color in enumerate(colors):
        first, last = 2 * place / len(colors), 2 * (place + 1) / len(colors)
        corners = (first + 2, -2), (last + 2, -2), (last - 2, 2), (first - 2, 2)
        yield color, [(low_x + u * width, low_y + v * height) for u, v in corners]


# TikZ.

_TEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "…": r"\ldots{}",
    "×": r"$\times$",
    "¬": r"$\neg$",
    "½": r"$\frac12$",
    "↓": r"$\downarrow$",
    "↕": r"$\updownarrow$",
    "–": "--",
} | {letter: f"\\{letter}" for letter in "{}$&#_%"}
_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}


def tikz_of(svg: str) -> str:
    r"""Return a picture of this package as a `tikzpicture`, which needs no package but `tikz`.

    Colors and kinds of lines and words have names at its beginning. Letters beyond ASCII, but for
    a few signs, become question marks. O(length).

    >>> from hanabi.ground.svg.markup import picture, text
    >>> svg = picture(text("50 %", 8, 20), (60, 30), title="Half", description="")
    >>> print(tikz_of(svg).splitlines()[-2])
    \node[w1] at (8,20) {50 \%};
    """
    drawing = _Reader(svg).drawing()
    colors: dict[str, str] = {}
    kinds: dict[str, str] = {}

    def color(value: str) -> str:
        return colors.setdefault(_hex(value), f"c{len(colors) + 1}")

    def kind(letter: str, options: str) -> str:
        if options not in kinds:
            kinds[options] = f"{letter}{sum(x.startswith(letter) for x in kinds.values()) + 1}"
        return kinds[options]

    body = []
    for part in drawing.parts:
        if isinstance(part, _Words):
            words = "".join(_tex_run(run, part.runs[0][1], color) for run in part.runs)
            options = _tex_font(part.runs[0][1], color)
            body.append(f"\\node[{kind('w', options)}] at {_point(part.x, part.y)} {{{words}}};")
            continue
        path, style = _tex_path(part), part.style
        corners = part.box[4] * _UNIT if part.box else 0
        rounded = f"rounded corners={number(corners)}bp" if corners else ""
        if len(style.fill) > 1:
            body.append(f"\\begin{{scope}}\\clip[{rounded}] {path};")
            body += [
                f"\\fill[{color(each)}] {' -- '.join(_point(*x) for x in stripe)} -- cycle;"
                for each, stripe in _stripes(part)
            ]
            body.append("\\end{scope}")
        options = _tex_line(style, color)
        if options:
            named_options = ", ".join(filter(None, (kind("p", options), rounded)))
            body.append(f"\\path[{named_options}] {path};")
    named = [f"\\definecolor{{{name}}}{{HTML}}{{{value}}}" for value, name in colors.items()]
    kept = [f"  {name}/.style={{{options}}}," for options, name in kinds.items()]
    title = " ".join(drawing.title.split())
    size = _point(drawing.width, drawing.height)
    return "\n".join(
        (
            f"% {title}",
            "% Needs \\usepackage{tikz}. A document of its own: \\documentclass[tikz]{standalone}",
            "% \\begin{document}\\input{this file}\\end{document}",
            "\\begin{tikzpicture}[x=.75bp, y=-.75bp,",
            *kept,
            "]",
            *named,
            f"\\useasboundingbox (0,0) rectangle {size};",
            *body,
            "\\end{tikzpicture}",
        )
    )


def _hex(color: str) -> str:
    digits = color.removeprefix("#")
    return (digits if len(digits) == 6 else "".join(2 * x for x in digits)).upper()


def _point(x: float, y: float) -> str:
    return f"({number(x)},{number(y)})"


def _tex_path(outline: _Outline) -> str:
    if outline.box is not None:
        x, y, width, height, _ = outline.box
        return f"{_point(x, y)} rectangle {_point(x + width, y + height)}"
    pieces = []
    for command, values in outline.commands:
        points = [_point(*pair) for pair in zip(values[::2], values[1::2], strict=True)]
        if command == "C":
            pieces.append(f".. controls {points[0]} and {points[1]} .. {points[2]}")
        else:
            pieces.append({"M": "", "L": "-- ", "Z": "-- cycle"}[command] + "".join(points))
    return " ".join(pieces)


def _tex_line(style: _Style, color: Any) -> str:
    options = [f"fill={color(style.fill[0])}"] if len(style.fill) == 1 else []
    if options and style.opacity < 1:
        options.append(f"fill opacity={number(style.opacity)}")
    if style.stroke not in _NONE:
        options += [f"draw={color(style.stroke)}", f"line width={number(style.width * _UNIT)}bp"]
        if style.stroke_opacity < 1:
            options.append(f"draw opacity={number(style.stroke_opacity)}")
        if style.dashes:
            dashes = zip(style.dashes[::2], style.dashes[1::2], strict=False)
            pattern = (f"on {number(a * _UNIT)}bp off {number(b * _UNIT)}bp" for a, b in dashes)
            options.append(f"dash pattern={' '.join(pattern)}")
    return ", ".join(options)


def _tex_font(style: _Style, color: Any) -> str:
    size = style.size * _UNIT
    font = r"\sffamily\bfseries" if style.is_bold else r"\sffamily"
    font += rf"\fontsize{{{number(size)}bp}}{{{number(1.2 * size)}bp}}\selectfont"
    ink = color(style.fill[0]) if style.fill else "black"
    return f"anchor={_ANCHORS[style.anchor]}, inner sep=0, text={ink}, font={{{font}}}"


def _tex_run(run: tuple[str, _Style], first: _Style, color: Any) -> str:
    words, style = run
    text = "".join(_TEX.get(x, x if x.isascii() and x.isprintable() else "?") for x in words)
    if style.is_underlined:
        text = rf"\underline{{{text}}}"
    if style.is_bold != first.is_bold or style.fill != first.fill:
        weight = r"\bfseries" if style.is_bold else r"\mdseries"
        text = rf"{{{weight}\color{{{color(style.fill[0])}}}{text}}}"
    return text


# PDF, drawn by matplotlib (the extra `plots`).


def check_pdf() -> None:
    """Raise MissingPackageError if matplotlib, which writes the PDF, is not installed."""
    if find_spec("matplotlib") is None:
        raise MissingPackageError("pictures as PDF need matplotlib", extra="plots")


def write_pdf(svg: str, file: BinaryIO) -> None:
    """Write a picture of this package as a page of PDF of its size; equal ones are equal files.

    Raises MissingPackageError if matplotlib is not installed.

    >>> from io import BytesIO
    >>> from hanabi.ground.svg.markup import picture, text
    >>> file = BytesIO()
    >>> write_pdf(picture(text("A", 8, 20), (60, 30), title="A", description=""), file)
    >>> file.getvalue()[:5]
    b'%PDF-'
    """
    check_pdf()
    from matplotlib import rc_context
    from matplotlib.figure import Figure
    from matplotlib.patches import PathPatch, Polygon
    from matplotlib.path import Path

    drawing = _Reader(svg).drawing()
    inches = _UNIT / 72
    figure = Figure(figsize=(drawing.width * inches, drawing.height * inches))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(0, drawing.width)
    axes.set_ylim(drawing.height, 0)
    for order, part in enumerate(drawing.parts):
        if isinstance(part, _Words):
            _write_words(axes, part, order)
            continue
        vertices, codes = [], []
        for command, values in _rounded(part):
            points = list(zip(values[::2], values[1::2], strict=True)) or [(0.0, 0.0)]
            code = {"M": Path.MOVETO, "L": Path.LINETO, "C": Path.CURVE4, "Z": Path.CLOSEPOLY}
            vertices += points
            codes += [code[command]] * len(points)
        path, style = Path(vertices, codes), part.style
        line = None if style.stroke in _NONE else style.stroke
        patch = PathPatch(
            path,
            facecolor=(style.fill[0], style.opacity) if len(style.fill) == 1 else "none",
            edgecolor=(line, style.stroke_opacity) if line else "none",
            linewidth=style.width * _UNIT if line else 0,
            linestyle=(0, [x / style.width for x in style.dashes]) if style.dashes else "solid",
            zorder=order + 0.5,
        )
        axes.add_patch(patch)
        for color, stripe in _stripes(part) if len(style.fill) > 1 else ():
            band = Polygon(stripe, facecolor=color, edgecolor="none", zorder=order)
            axes.add_patch(band)
            band.set_clip_path(path, axes.transData)
    with rc_context({"pdf.fonttype": 42}):
        figure.savefig(file, format="pdf", metadata={"Title": drawing.title, "CreationDate": None})


def _write_words(axes: Any, part: _Words, order: int) -> None:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    x, anchor = part.x, part.runs[0][1].anchor
    align = {"start": "left", "middle": "center", "end": "right"}[anchor]
    for words, style in part.runs:
        font = FontProperties(
            family="DejaVu Sans",
            weight="bold" if style.is_bold else "normal",
            size=style.size * _UNIT * _SLIM,
        )
        ink = style.fill[0] if style.fill else "black"
        axes.text(
            x, part.y, words, ha=align, va="baseline", color=ink, zorder=order,
            fontproperties=font, parse_math=False,
        )  # fmt: skip
        if len(part.runs) > 1:
            plain = words.replace(" ", "n")  # a blank has no outline
            extents = TextPath((0, 0), plain, prop=font).get_extents()
            x += (extents.width + 1) / _UNIT


_SLIM = 0.94  # DejaVu Sans is wider than the fonts of most systems


def _rounded(outline: _Outline) -> Iterator[tuple[str, tuple[float, ...]]]:
    """Yield the commands of an outline, with the round corners of a box."""
    if outline.box is None or not outline.box[4]:
        yield from outline.commands
        return
    x, y, width, height, corner = outline.box
    r = min(corner, width / 2, height / 2)
    right, low = x + width, y + height
    around = (
        f"M{x + r} {y}L{right - r} {y}A{r} {r} 0 0 1 {right} {y + r}L{right} {low - r}"
        f"A{r} {r} 0 0 1 {right - r} {low}L{x + r} {low}A{r} {r} 0 0 1 {x} {low - r}"
        f"L{x} {y + r}A{r} {r} 0 0 1 {x + r} {y}Z"
    )
    yield from _path(around, _Place())
