"""Certified answers in tests/data/vectors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


def load_vectors(name: str) -> Any:
    """Return the parsed content of tests/data/vectors/NAME.json."""
    return json.loads((DATA / "vectors" / f"{name}.json").read_text())
