from __future__ import annotations

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules.deck import Deck
from hanabi.rules.notation import DeckInput, GameRecord, SolitaireInput, decode, parse_input


@pytest.mark.parametrize(
    "text",
    [
        "hand 1\nr2 r1",
        "\n\n  r2 r1 hand 1\n",
        '\ufeff{"hand_size": 1, "cards": [[2, 0], [1, 0]]}',
        ' \n{"cards": [[2, 0], [1, 0]],\n "hand_size": 1}\n',
    ],
)
def test_streams(text: str) -> None:
    assert parse_input(text) == SolitaireInput(Deck([(0, 2), (0, 1)]), hand_size=1)


@pytest.mark.parametrize("text", ["players 2 r1", '{"players": 2, "deck": "r1"}'])
def test_decks(text: str) -> None:
    assert parse_input(text) == DeckInput(2, Deck([(0, 1)]))


@pytest.mark.parametrize(
    "text",
    [
        " https://hanab.live/replay-json/215a,00,0\n",
        "hanab.live/replay-json/215a,00,0",
        "HTTPS://HANAB.LIVE/shared-replay-json/215a,00,0#3",
    ],
)
def test_links(text: str) -> None:
    record = parse_input(text)
    assert isinstance(record, GameRecord)
    assert record.deck == Deck([(0, 1)])


def test_two_links_are_not_one() -> None:
    link = "https://hanab.live/replay-json/215a,00,0"
    with pytest.raises(InvalidInputError, match="follows the link"):
        parse_input(f"{link}\n{link}")


GARBAGE = 10_000_000


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t",
        "x" * GARBAGE,
        "7" * GARBAGE,
        "r" + "7" * GARBAGE,
        "{" * GARBAGE,
        "[" * GARBAGE,
        '{"cards": "' + "x" * GARBAGE,
        '{"cards": "' + "x" * GARBAGE + '"}',
        '{"cards": [' + "9" * GARBAGE + "]}",
        "https://" + "x" * GARBAGE,
        "hanab.live/replay-json/" + "-" * GARBAGE,
        "hanab.live/replay-json/2" + "," * GARBAGE,
        "hanab.live/replay/" + "1" * GARBAGE,
        "\x00\x01\x02",
        "\ud800",
        '{"\ud800": 1}',
        '{"cards": "\\ud800"}',
        "r1 \x1b[2J",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_garbage_gives_one_short_line(text: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        parse_input(text, source="deck.txt")
    message = str(caught.value)
    assert len(message) < 250
    assert message.isprintable()


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"r1 \xff", r"byte 4: b'\xff' is not UTF-8"),
        ("r1".encode("utf-16"), r"byte 1: b'\xff' is not UTF-8"),
        (b"\x89PNG\r\n\x1a\n", r"byte 1: b'\x89' is not UTF-8"),
    ],
)
def test_bytes_that_are_no_text(data: bytes, message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        decode(data)
    assert message in str(caught.value)


def test_a_byte_order_mark_is_no_part_of_the_text() -> None:
    assert decode(b"\xef\xbb\xbfr1") == "r1"
