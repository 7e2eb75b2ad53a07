"""What `python -m benchmarks.fingerprint` hashes is everything that exists."""

from __future__ import annotations

from benchmarks import fingerprint, printed

from hanabi.front.app import app
from hanabi.players.registry import ENTRIES
from options import options_of


def kinds_of(text: str) -> list[str]:
    """The names of a player and of the one that it improves, without their parameters."""
    return [part.partition(":")[0] for part in text.split("/")]


def test_games_of_every_registered_player_are_hashed() -> None:
    hashed = [kinds_of(name) for name, _, _ in fingerprint.PLAYERS]
    missing = [text for entry in ENTRIES for text in entry.texts if kinds_of(text) not in hashed]
    assert missing == []


def test_every_command_that_prints_json_is_asked() -> None:
    asked = {command.partition(" ")[0] for command in printed.ASKED if "--json" in command}
    commands = [name for name in app if not name.startswith("-")]
    answering = {
        name
        for name in commands
        if "json" in options_of(app[name].default_command)  # type: ignore[arg-type]
    }
    assert answering
    assert asked == answering


def test_a_line_is_kept_for_every_family() -> None:
    kept = fingerprint.KEPT.read_text(encoding="utf-8").splitlines()
    assert [line.partition(" ")[2] for line in kept] == [name for name, _ in fingerprint.families()]


def test_what_is_left_out_of_documents_leaves_its_key() -> None:
    document = [{"seconds": 1.5, "hints": 3, "moves": [{"words": "plays r1", "score": 1}]}]
    assert printed.without_left_out(document, "review") == [
        {"seconds": None, "hints": 3, "moves": [{"words": None, "score": 1}]}
    ]
    assert printed.without_left_out({"hints": ["r1 is there"]}, "practise") == {"hints": None}
