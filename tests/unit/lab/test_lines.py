from __future__ import annotations

import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.lab.lines import LineFile


def opened(path: Path) -> LineFile:
    def key(line: dict[str, Any]) -> object:
        return line.get("id")

    return LineFile(str(path), key, "line of mine", ['{"id": ', '{"error": "'])


def test_a_torn_line_is_dropped_and_the_rest_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(b'{"id": 1}\n{"id": 1, "error": "x"}\n{"id"')
    file = opened(path)
    assert file.size == 2
    assert [file.take(1) for _ in range(3)] == [0, 1, None]
    assert file.take("1") is None
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


@pytest.mark.parametrize(
    "text",
    ["my notes", "{", '{"id', "{}", '{"a": 1', "7", '{"id": 1}\nmy notes', '{"id": 1}\n{"name"',
     '{"id": 1}\n{"error": "\xe9'],
)  # fmt: skip
def test_a_last_line_of_others_is_left_alone(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInputError, match="is no line of mine"):
        opened(path)
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('{"id": 1}', '{"id": 1}\n'),
        ('{"id": 1}\n{"id": 2}', '{"id": 1}\n{"id": 2}\n'),
        ('{"id": 1}\n{', '{"id": 1}\n'),
        ('{"id": 1}\n{"err', '{"id": 1}\n'),
        ('{"id": "x', ""),
        ("", ""),
    ],
)
def test_what_is_torn_is_dropped_and_what_is_whole_is_kept(
    tmp_path: Path, text: str, kept: str
) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(text, encoding="utf-8")
    opened(path).close()
    assert path.read_text(encoding="utf-8") == kept


ANOTHER = """
import sys
from hanabi.lab.lines import LineFile
file = LineFile(sys.argv[1], lambda line: line.get("id"), "line", ['{"id": '])
print("open", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="has no such locks")
def test_a_file_has_one_writer(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    command = [sys.executable, "-c", ANOTHER, str(path)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(InvalidInputError, match=r"a.jsonl: another process is writing"):
            opened(path)
        other.kill()
    opened(path).close()


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limits")
def test_a_line_that_does_not_fit_is_told_and_dropped_by_the_next_run(
    tmp_path: Path,
) -> None:
    path = tmp_path / "a.jsonl"
    file = opened(path)
    file.write('{"id": 1}')
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        # The system takes the first bytes, and then says that there is no room.
        resource.setrlimit(resource.RLIMIT_FSIZE, (30, old[1]))
        with pytest.raises(InvalidInputError, match=r"cannot write .*: File too large"):
            file.write('{"id": 2, "play": "long enough"}')
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    file.close()
    assert path.stat().st_size == 30
    again = opened(path)
    assert [again.take(number) for number in (1, 2)] == [0, None]
    again.close()
    assert path.read_text(encoding="utf-8") == '{"id": 1}\n'
