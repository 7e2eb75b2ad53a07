from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hanabi.errors import InvalidInputError
from hanabi.lab.lines import LineFile


def opened(path: Path) -> LineFile:
    def key(line: dict[str, Any]) -> object:
        return line.get("id")

    return LineFile(str(path), key, "line of mine")


def test_a_torn_line_is_dropped_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": 1}\n{"id": 1, "error": "x"}\n{"id"')
    file = opened(path)
    assert file.fields == {"id": 2, "error": 1}
    assert [file.take(1) for _ in range(3)] == [True, True, False]
    assert not file.take("1")
    file.write('{"id": 2}')
    file.close()
    assert path.read_bytes() == b'{"id": 1}\n{"id": 1, "error": "x"}\n{"id": 2}\n'


@pytest.mark.parametrize("text", ["7\n", "{}\n", "x\n", '{"id": 1}\n[]\n'])
def test_other_files_are_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInputError, match="is no line of mine"):
        opened(path)
    assert path.read_text(encoding="utf-8") == text


def test_files_that_cannot_be_written(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no/such/folder", tmp_path / "a\0b"):
        with pytest.raises(InvalidInputError, match="cannot write"):
            opened(path)
