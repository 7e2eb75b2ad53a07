"""What the ending of a file says: in which form an option writes it, or that it does not."""

from __future__ import annotations

from enum import Enum
from pathlib import PurePath

from hanabi.errors import InvalidInputError, quote

__all__ = ["STDOUT", "Form", "form_of"]

STDOUT = "-"
"""The name of standard output."""


class Form(Enum):
    """A form of files, with the endings that name it; the first is the one to advise."""

    JSON = (".json",)
    LINES = (".jsonl", ".ndjson")
    CSV = (".csv",)
    MARKDOWN = (".md",)
    PARQUET = (".parquet",)
    HTML = (".html", ".htm")
    SVG = (".svg",)
    PNG = (".png",)
    PDF = (".pdf",)
    CNF = (".cnf", ".dimacs")
    DRAT = (".drat", ".drup")
    STORE = (".db", ".store", ".sqlite")


_FORMS = {ending: form for form in Form for ending in form.value}
_OTHERS = frozenset(
    f".{ending}"
    for ending in (
        *("7z", "bz2", "gz", "tar", "xz", "zip", "zst", "npy", "npz", "pickle", "pkl"),
        *("bmp", "eps", "gif", "jpeg", "jpg", "ps", "webp", "tex", "toml", "xml", "yaml", "yml"),
        *("arrow", "feather", "safetensors", "tsv", "xls", "xlsx"),
    )
)
"""Endings of forms that nothing here is written in."""


def form_of(option: str, path: str | None, *forms: Form, default: Form | None = None) -> Form:
    """Return the form that a file's ending asks for.

    Parameters
    ----------
    option
        What the file was given for, quoted in errors.
    path
        The file; None or `-` is standard output, which takes the first form.
    forms
        What the option can write.
    default
        The form for an ending that stands for nothing, or none at all; by default these are refused
        if there are several forms to choose from.

    Raises
    ------
    InvalidInputError
        If the ending stands for another form, or for none of several.

    >>> form_of("-o", "games.CSV", Form.LINES, Form.CSV), form_of("--proof", "out", Form.DRAT)
    (<Form.CSV: ('.csv',)>, <Form.DRAT: ('.drat', '.drup')>)
    >>> form_of("--svg", "cards.pdf", Form.SVG)
    Traceback (most recent call last):
    hanabi.errors.InvalidInputError: --svg 'cards.pdf' does not end in .svg
    """
    if path is None or path == STDOUT:
        return default or forms[0]
    ending = PurePath(path).suffix.lower()
    form = _FORMS.get(ending)
    if form in forms:
        return form
    if form is None and ending not in _OTHERS:
        default = default or (forms[0] if len(forms) == 1 else None)
        if default is not None:
            return default
    endings = ", ".join(form.value[0] for form in forms)
    told = f"ends in none of {endings}" if len(forms) > 1 else f"does not end in {endings}"
    raise InvalidInputError(f"{option} {quote(path)} {told}")
