"""Certified answers in tests/data/vectors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


def load_vectors(name: str) -> Any:
    """Return the parsed content of tests/data/vectors/NAME.json.

    Cards are written [value, color] there, as in all files of streams, and read as (color, value).
    """
    text = (DATA / "vectors" / f"{name}.json").read_text()
    return json.loads(text, object_hook=_with_cards)


def _with_cards(entry: dict[str, Any]) -> dict[str, Any]:
    if "cards" in entry:
        entry["cards"] = [(color, value) for value, color in entry["cards"]]
    return entry
