"""Whatever happens to inputs, and wherever a run is killed: a row for each item, none of another.

A model of `hanabi solve -o FILE` answers an item by its content alone, so that each row can be
checked. Inputs change between runs, and runs are cut after any number of bytes.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hanabi.shell.command.items import Item
from hanabi.shell.command.kept import LineWriter, Marks

CONTENTS = st.sampled_from(["a", "b", "open", "bad"])
NAMED = st.dictionaries(st.sampled_from(["x", "y", "z"]), CONTENTS, min_size=1).map(
    lambda files: [Item(n, name, text.encode()) for n, (name, text) in enumerate(files.items(), 1)]
)
NUMBERED = st.lists(CONTENTS, min_size=1, max_size=4).map(
    lambda texts: [Item(n, None, text.encode()) for n, text in enumerate(texts, 1)]
)
LINES = st.lists(CONTENTS, min_size=1, max_size=4).map(
    lambda texts: [Item(n, "f", text.encode(), is_line=True) for n, text in enumerate(texts, 1)]
)
CUTS = st.none() | st.integers(0, 400)


def marks_of(seconds: float) -> Marks:
    return Marks("partition", {}, {"seconds": seconds}, lambda data: data["of"] == "open")


def line_of(item: Item, marks: Marks) -> str:
    """Return the answer to an item: what it is the answer of, and with how much time."""
    digest, text = marks.digest(item), item.text()
    data: dict[str, Any] = {"error": "bad"} if text == "bad" else {"size": 1, "of": text}
    if text == "open":
        data["seconds"] = marks.budget["seconds"]
    return json.dumps(data | marks.of(data, digest) | item.key)


def run(path: Path, items: list[Item], seconds: float, cut: int | None) -> int:
    """Answer what is missing; with `cut`, as if killed at this byte. Return how many were made."""
    marks = marks_of(seconds)
    writer, made = LineWriter(str(path), marks), 0
    for item in items:
        if not writer.take(item):
            writer.write(line_of(item, marks))
            made += 1
    writer.close()
    if cut is not None:
        before = path.read_bytes()
        start = b'{"size": 1, "of": "'
        kept = before[: max(cut, len(start))]
        if before.startswith(start) or b"\n" in kept:
            path.write_bytes(kept)
        return made
    writer.finish()
    return made


def place_of(line: dict[str, Any]) -> tuple[object, object]:
    return line.get("item"), line.get("line")


@given(
    st.sampled_from([NAMED, NUMBERED, LINES]).flatmap(
        lambda kind: st.lists(st.tuples(kind, st.integers(1, 3), CUTS), min_size=1, max_size=4)
    )
)
def test_each_item_has_the_row_of_its_content(
    runs: list[tuple[list[Item], int, int | None]],
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "out.jsonl"
        for items, seconds, cut in runs:
            run(path, items, seconds, cut)
        items, seconds, _ = runs[-1]
        run(path, items, seconds, None)
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        asked = {place_of(item.key) for item in items}
        found = Counter(
            (place_of(line), line.get("of", "bad")) for line in lines if place_of(line) in asked
        )
        assert found == Counter((place_of(item.key), item.text()) for item in items)
        for line in lines:
            if place_of(line) in asked and line.get("of") == "open":
                assert line["seconds"] >= seconds
        before = path.read_bytes()
        assert run(path, items, seconds, None) == 0
        assert path.read_bytes() == before


@given(st.lists(CONTENTS, min_size=1, max_size=4), st.data())
def test_a_line_that_was_put_before_others_is_all_that_is_made(
    texts: list[str], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(texts)))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "out.jsonl"
        for more in (texts, [*texts[:at], "new", *texts[at:]]):
            items = [Item(n, None, text.encode()) for n, text in enumerate(more, 1)]
            made = run(path, items, 1, None)
        assert made == 1
