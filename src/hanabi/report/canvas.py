"""Files for pictures. matplotlib (the extra `plots`) is imported when one is drawn.

A drawing in SVG follows the color scheme of the reader, its ground as well as its ink, as the page
that shows it may not follow it. Other files are drawn on white.
"""

from __future__ import annotations

from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any

from hanabi.errors import InvalidInputError, MissingPackageError, quote

__all__ = ["COLORS", "STYLE", "open_figure", "save_figure"]

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Colors that color-blind readers tell apart (Okabe and Ito 2008), the most different first."""

STYLE = (
    "<style>:root{color:#222;fill:currentColor;background:#fff}"
    "@media(prefers-color-scheme:dark){:root{color:#ddd;background:#16161a}}</style>"
)
"""What makes `currentColor` the ink of a drawing in SVG, and of whatever has no color."""

_FORMATS = (".pdf", ".png", ".svg")
_BLACK = "#000000"


def open_figure(path: str | Path, *, width: float = 5, height: float = 3.6) -> Any:
    """Return an empty matplotlib figure of so many inches, once it is sure that it can be saved.

    Raises
    ------
    InvalidInputError
        If the file's ending is none of .svg, .png, .pdf.
    MissingPackageError
        If matplotlib is not installed.

    >>> open_figure("picture.bmp")
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: 'picture.bmp': a plot's file ends in .pdf .png .svg
    """
    if Path(path).suffix not in _FORMATS:
        raise InvalidInputError(f"{quote(str(path))}: a plot's file ends in {' '.join(_FORMATS)}")
    if find_spec("matplotlib") is None:
        raise MissingPackageError("plots need matplotlib", extra="plots")
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def save_figure(figure: Any, path: str | Path) -> None:
    """Write a figure; the same figure gives the same SVG file, in which black is the ink.

    Raises
    ------
    OSError
        If the file cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_figure(open_figure("a.svg"), f"{folder}/a.svg")
    """
    from matplotlib import rc_context

    if Path(path).suffix != ".svg":
        figure.savefig(path, dpi=150)
        return
    drawing = StringIO()
    # Without the salt and the missing date the file would differ from run to run.
    with rc_context({"svg.hashsalt": "hanabi"}):
        figure.savefig(drawing, format="svg", metadata={"Date": None}, transparent=True)
    text = drawing.getvalue().replace(_BLACK, "currentColor")
    Path(path).write_text(text.replace("<defs>", f"{STYLE}<defs>", 1), encoding="utf-8")
