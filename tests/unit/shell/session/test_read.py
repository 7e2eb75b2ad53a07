"""What `hanabi.read` recognises, and what it says of the rest."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import hanabi
from hanabi.rules.notation import is_dimacs

DATA = Path(__file__).parents[3] / "data" / "hanab_live" / "games"
GAME = DATA / "2906.json"
DIMACS = "c two clauses\np cnf 2 2\n1 -2 0\n2 0\n"


def test_a_game_is_known_by_its_content_however_it_is_given(tmp_path: Path) -> None:
    text = GAME.read_text(encoding="utf-8")
    copy = tmp_path / "no ending"
    copy.write_text(text, encoding="utf-8")
    read = [hanabi.read(given) for given in (GAME, str(GAME), text, str(copy))]
    assert all(isinstance(each, hanabi.GameRecord) for each in read)
    assert all(each == read[0] for each in read)


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("https://hanab.live/replay-json/215lw,00,0", hanabi.GameRecord),
        ('{"players": 2, "deck": "r1 r2"}', hanabi.DeckInput),
        ("players 2\nr1 r2", hanabi.DeckInput),
        ("hand 1 r1 r2", hanabi.SolitaireInput),
        ('  {"hand_size": 1, "cards": [[1, 0]]}', hanabi.SolitaireInput),
        (DIMACS, hanabi.Formula),
        ("\ufeff" + DIMACS.replace("\n", "\r\n"), hanabi.Formula),
        ("\n  \nc\np cnf 0 0", hanabi.Formula),
    ],
)
def test_text_is_known_by_its_content(text: str, kind: type, tmp_path: Path) -> None:
    assert isinstance(hanabi.read(text), kind)
    path = tmp_path / "input"
    path.write_text(text, encoding="utf-8", newline="")
    assert hanabi.read(str(path)) == hanabi.read(text) == hanabi.read(path)


def test_a_long_stream_has_its_cards() -> None:
    given = hanabi.read("hand 3\n" + "1 2 3 4 5\n" * 20_000)
    assert isinstance(given, hanabi.SolitaireInput)
    assert len(given.cards) == 100_000


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "2906.json",
            "cannot read '2906.json': there is no such file, and it is not a link, seed",
        ),
        ("", "cannot read '': there is no such file"),
        ("a\0b", r"cannot read 'a\x00b': there is no such file"),
        ("my game.json", "'my game.json' is not a file, and as text: line 1, column 1: 'my'"),
        (Path("nowhere.json"), "cannot read 'nowhere.json': No such file or directory"),
        (7, "7 is neither text nor a path"),
        ("\n", "it is empty"),
        ("[1]", "[1] is not an object"),
        (
            "https://hanab.live/replay/12",
            "the network is never used here: save https://hanab.live/export/12 ",
        ),
        ("1234567", "cannot read '1234567': '1234567' names a game that only hanab.live holds;"),
        ("game 12", "'game 12' is not a file, and as text: line 1, column 1: 'game' is not a card"),
        ("rainbow", "cannot read 'rainbow': there is no such file, and it is not a link, seed"),
        ("hello world", "(such as r1, 1r or 12:7), JSON, or a hanab.live link or seed"),
        ("p2v0s1 play 1", "'p2v0s1 play 1': only the page reads moves after a seed"),
        (
            "<!doctype html>\n<p>",
            "<p>' is HTML, not a game (a game is what https://hanab.live/export/",
        ),
        ("https://www.youtube.com/watch", "is not a hanab.live link; no others are read"),
        ("https://hanab.live/scores/x", "is not a replay link (replay-json/...), seed or game"),
        ("p cnf 1 1\n2 0\n", "line 2: '2' is beyond the header's 1 variable"),
        ("x" * 100_000, "x'...: there is no such file"),
    ],
)
def test_what_cannot_be_read_is_told_in_one_line(given: object, message: str) -> None:
    with pytest.raises(hanabi.InvalidInputError) as caught:
        hanabi.read(given)  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_errors_in_a_file_name_the_file(tmp_path: Path) -> None:
    folder, binary, wrong = tmp_path / "folder", tmp_path / "b", tmp_path / "w.json"
    folder.mkdir()
    binary.write_bytes(b"\xff\xfe")
    wrong.write_text('{"players": 2, "deck": "q1"}', encoding="utf-8")
    for path, message in (
        (binary, "byte 1: "),
        (wrong, "deck: "),
    ):
        with pytest.raises(hanabi.InvalidInputError) as caught:
            hanabi.read(os.fspath(path))
        assert str(caught.value).startswith(f"{path}: ")
        assert message in str(caught.value)
    with pytest.raises(hanabi.InvalidInputError, match=r"cannot read .*: it is a folder, not"):
        hanabi.read(folder)


@pytest.mark.parametrize("text", ["c", "p", "c p cnf", "c\nr1", "p1 p2", "x\np cnf 1 1", ""])
def test_other_text_is_no_formula(text: str) -> None:
    assert not is_dimacs(text)


def test_a_formula_is_recognised_in_linear_time() -> None:
    assert is_dimacs("c a comment\n \n" * 100_000 + "p cnf 1 1")
    assert not is_dimacs("c a comment\n \n" * 100_000 + "r1")
    assert not is_dimacs(json.dumps([[1, 0]] * 100_000))
