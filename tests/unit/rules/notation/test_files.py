"""Files that are packed by gzip are read as what is in them, within the bounds of long files."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules.notation import files
from hanabi.rules.notation.files import read_file, rest_of, unpacked

TEXT = b"hand 1\nr2 r1\n" * 1000


def test_a_packed_file_holds_what_was_packed(tmp_path: Path) -> None:
    for name, data in (
        ("a.txt", TEXT),
        ("a.txt.gz", gzip.compress(TEXT)),
        ("b", gzip.compress(b"")),
    ):
        (tmp_path / name).write_bytes(data)
    assert read_file(tmp_path / "a.txt") == read_file(tmp_path / "a.txt.gz") == TEXT
    assert read_file(tmp_path / "b") == b""


def test_streams_that_cannot_be_peeked_into_are_unpacked() -> None:
    plain = io.BytesIO(TEXT)
    assert unpacked(plain, "a") is plain
    assert unpacked(io.BytesIO(gzip.compress(TEXT)), "a").readline() == b"hand 1\n"
    assert rest_of(unpacked(io.BytesIO(gzip.compress(b"ab") * 2), "a"), "a") == b"abab"


@pytest.mark.parametrize("cut", [3, 9, 15, 30, -1])
def test_damage_is_told_in_a_line(cut: int) -> None:
    packed = gzip.compress(TEXT)[:cut]
    with pytest.raises(InvalidInputError, match=r"^a\.gz: the packed data \(gzip\) is damaged: "):
        rest_of(unpacked(io.BytesIO(packed), "a.gz"), "a.gz")


def test_every_flipped_byte_is_an_error_of_the_input_or_none() -> None:
    packed = gzip.compress(b"hand 1 r2 r1", mtime=0)
    for place in range(3, len(packed)):
        changed = bytearray(packed)
        changed[place] ^= 0x55
        try:
            found = rest_of(unpacked(io.BytesIO(bytes(changed)), "a"), "a")
        except InvalidInputError as error:
            assert str(error).startswith("a: the packed data")  # noqa: PT017
            assert str(error).isprintable()  # noqa: PT017
        else:
            assert found == b"hand 1 r2 r1"  # a time, a name or a mark of the system


def test_bombs_are_refused_as_long_files_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(files, "MOST_BYTES", 1 << 21)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(b" " * (1 << 23)))
    with pytest.raises(InvalidInputError, match=r"^an input of more than 2 MiB"):
        read_file(path)
