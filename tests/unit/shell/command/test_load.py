from __future__ import annotations

from pathlib import Path

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.shell.command.items import text_or_lines
from hanabi.shell.command.options import read_text

ITEM = '{"hand_size": 1, "cards": [[1, 0]]}'


@pytest.mark.parametrize(
    ("name", "text", "is_lines"),
    [
        ("a.jsonl", ITEM, True),
        ("a.jsonl", "", True),
        ("a.json", ITEM, False),
        ("a.json", f"{ITEM}\n{ITEM}\n", True),
        ("a.json", f"\n{ITEM}\n\n{ITEM}", True),
        ("a.json", f"{ITEM}\n{{broken", True),
        ("a.json", f"{ITEM}\nr1", False),
        ("a.json", '{"hand_size": 1,\n"cards": [[1, 0]]}', False),
        ("a.json", '{\n{"x": 1}\n', False),
        ("a.txt", "hand 1\nr1", False),
        ("a.txt", "", False),
    ],
)
def test_lines_are_recognised(tmp_path: Path, name: str, text: str, is_lines: bool) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    with text_or_lines(str(path), name) as given:
        assert isinstance(given, str) != is_lines
        whole = given if isinstance(given, str) else b"".join(given).decode()
    assert whole == text


@pytest.mark.parametrize("source", ["nosuchfile", "/", "a\0b", ""])
def test_what_cannot_be_read(source: str) -> None:
    with pytest.raises(InvalidInputError, match="cannot read"):
        read_text(source)


def test_binary_files_are_named(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"r1 \xff")
    with pytest.raises(InvalidInputError, match=r"a\.txt: byte 4: b'\\xff' is not UTF-8"):
        read_text(str(path))
