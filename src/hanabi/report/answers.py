"""JSON documents as the rows of a table: a column for every value that some of them has."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from hanabi.report.tables import Cell

__all__ = ["table_of_documents"]

_FIRST = ("item", "line")
_NUMBERS = {"int64", "double"}
_MOST = 2**63


def table_of_documents(
    documents: Callable[[], Iterable[Mapping[str, Any]]],
) -> tuple[dict[str, str], Iterator[list[Cell]]]:
    """Return the columns, with types as pyarrow calls them, and the rows. O(values).

    An object within a document is a column for each of its values, named `best.lower`; an array is
    one column, as JSON. What a document lacks is an empty cell.

    Parameters
    ----------
    documents
        Gives the documents, and the same ones when it is called again.

    >>> documents = [{"best": {"lower": 3}, "moves": [1]}, {"seconds": 0.5}]
    >>> columns, rows = table_of_documents(lambda: documents)
    >>> columns
    {'best.lower': 'int64', 'moves': 'string', 'seconds': 'double'}
    >>> [*rows]
    [[3, '[1]', None], [None, None, 0.5]]
    """
    kinds: dict[str, str | None] = {}
    for document in documents():
        for name, value in _flat(document):
            kinds[name] = _joined(kinds.get(name), value)
    parents = {name[:at] for name in kinds for at, letter in enumerate(name) if letter == "."}
    names = [name for name, kind in kinds.items() if kind is not None or name not in parents]
    names.sort(key=lambda name: name not in _FIRST)
    columns = {name: kinds[name] or "string" for name in names}

    def rows() -> Iterator[list[Cell]]:
        for document in documents():
            values = dict(_flat(document))
            yield [_cell(values.get(name), kind) for name, kind in columns.items()]

    return columns, rows()


def _flat(document: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in document.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value


def _joined(kind: str | None, value: Any) -> str | None:
    """Return the type that a column has with one more value."""
    if value is None:
        return kind
    if isinstance(value, bool):
        own = "bool"
    elif isinstance(value, int) and -_MOST <= value < _MOST:
        own = "int64"
    else:
        own = "double" if isinstance(value, float) else "string"
    if kind in (None, own):
        return own
    return "double" if {kind, own} == _NUMBERS else "string"


def _cell(value: Any, kind: str) -> Cell:
    if value is None:
        return None
    if kind == "string":
        return value if isinstance(value, str) else json.dumps(value)
    return float(value) if kind == "double" else value
