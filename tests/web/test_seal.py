"""The key by which the page seals what browsers keep, and the file that holds it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

pytest.importorskip("starlette")

from hanabi.shell.web.seal import Seal, kept_secret


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the key is kept."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path / "hanabi/page.key"


def test_the_key_is_made_once_and_nobody_else_may_read_it(place: Path) -> None:
    secret = kept_secret()
    assert kept_secret() == secret == place.read_bytes()
    assert len(secret) == 32
    if hasattr(os, "geteuid"):
        assert place.stat().st_mode & 0o777 == 0o600
        assert place.parent.stat().st_mode & 0o777 == 0o700
        place.chmod(0o644)
        with pytest.raises(PermissionError, match="they may read it"):
            kept_secret()


def test_a_damaged_key_is_refused(place: Path) -> None:
    kept_secret()
    place.write_bytes(b"short")
    with pytest.raises(OSError, match="is damaged: delete it"):
        kept_secret()


@pytest.mark.parametrize("place", [0, 20, -1])
def test_a_changed_token_is_not_opened(place: int) -> None:
    seal = Seal(b"key")
    token = seal.close("a game, longer than one block of the stream that hides it")
    assert seal.open(token).startswith("a game")
    assert seal.close("a game") != seal.close("a game")
    changed = list(token)
    changed[place] = "A" if changed[place] != "A" else "E"
    assert seal.open("".join(changed)) == ""


@pytest.mark.parametrize("token", ["", "A", "AAAA", "é", "====", "A" * 5000])
def test_anything_else_is_not_opened(token: str) -> None:
    assert Seal(b"key").open(token) == ""
