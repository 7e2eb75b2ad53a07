"""Files for pictures. matplotlib (the extra `plots`) is imported when one is drawn."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hanabi.errors import HanabiError, InvalidInputError, quote

__all__ = ["COLORS", "open_figure", "save_figure"]

COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
"""Colors that color-blind readers tell apart (Okabe and Ito 2008), the most different first."""

_FORMATS = (".pdf", ".png", ".svg")


def open_figure(path: str | Path, *, width: float = 7, height: float = 4.5) -> Any:
    """Return an empty matplotlib figure of so many inches, once it is sure that it can be saved.

    Raises
    ------
    InvalidInputError
        If the file's ending is none of .svg, .png, .pdf.
    HanabiError
        If matplotlib is not installed.

    >>> open_figure("picture.bmp")
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: 'picture.bmp': a plot's file ends in .pdf .png .svg
    """
    if Path(path).suffix not in _FORMATS:
        raise InvalidInputError(f"{quote(str(path))}: a plot's file ends in {' '.join(_FORMATS)}")
    if find_spec("matplotlib") is None:
        raise HanabiError("plots need matplotlib: install hanabi[plots]")
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained")


def save_figure(figure: Any, path: str | Path) -> None:
    """Write a figure; the same figure gives the same file.

    Raises
    ------
    OSError
        If the file cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_figure(open_figure("a.svg"), f"{folder}/a.svg")
    """
    from matplotlib import rc_context

    # Without these two settings an SVG would differ from run to run.
    metadata = {"Date": None} if Path(path).suffix == ".svg" else None
    with rc_context({"svg.hashsalt": "hanabi"}):
        figure.savefig(path, metadata=metadata, dpi=150)
