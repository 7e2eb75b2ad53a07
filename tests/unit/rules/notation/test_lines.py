from __future__ import annotations

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules.deck import Deck
from hanabi.rules.notation import SolitaireInput, decode, lines_of, parse_input, plain_text
from hanabi.solvers.hints import parse_table

FOR_SOME_READERS = ["\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_usual_end_of_line_ends_a_comment(end: str) -> None:
    given = parse_input(end.join(["hand 1", "r1 r2", "# c", "r3"]))
    assert given == SolitaireInput(Deck([(0, 1), (0, 2), (0, 3)]), hand_size=1)
    with pytest.raises(InvalidInputError, match=r"line 3, column 4: 'q7'"):
        parse_input(end.join(["hand 1", "", "r2 q7"]))
    assert parse_table(end.join(["A B", "1 .", ". 1"])).rows == ((0,), (1,))


def test_mixed_ends_of_lines() -> None:
    assert lines_of("a\r\nb\rc\n\n\r\nd") == ["a", "b", "c", "", "", "d"]
    assert lines_of("a\r\n") == ["a"]
    assert lines_of("") == [""]


@pytest.mark.parametrize("character", [*FOR_SOME_READERS, "\0", "\ufeff"])
def test_what_ends_lines_for_some_readers_only_is_refused(character: str) -> None:
    message = rf"line 2, column 4: {character!r} does not belong".replace("\\", r"\\")
    for read in (parse_input, plain_text, parse_table, lines_of):
        with pytest.raises(InvalidInputError, match=message):
            read(f"\ufeffA\r\n# c{character}r3\n")


def test_a_line_separator_inside_a_json_string_is_text() -> None:
    given = parse_input('{"hand_size": 0, "cards": [[1, 0]], "about": "a\u2028b"}')
    assert isinstance(given, SolitaireInput)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le"])
def test_other_encodings_are_told_by_their_nuls(encoding: str) -> None:
    with pytest.raises(InvalidInputError, match=r"byte [12]: a NUL is not text"):
        decode("hand 1\nr1".encode(encoding))
