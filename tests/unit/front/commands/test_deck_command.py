from __future__ import annotations

import json
from collections import Counter

import pytest

from hanabi.rules.cards import Card
from hanabi.rules.deck import DeckSpec
from hanabi.rules.notation import DeckInput, SolitaireInput, parse_input

from ...conftest import Run


def test_the_standard_deck_is_read_back(run: Run) -> None:
    outcome = run("deck", "--seed", 7)
    assert outcome.status == 0
    assert outcome.out.startswith("# seed 7, deck 1 of 1\n")
    given = parse_input(outcome.out)
    assert isinstance(given, SolitaireInput)
    expected = DeckSpec.standard().shuffle(7)
    assert given.cards == expected


def test_a_random_seed_is_printed_and_gives_the_deck_again(run: Run) -> None:
    out = run("deck").out
    assert run("deck", "--seed", out.split()[2].strip(",")).out == out


def test_dealt_decks_as_json_lines(run: Run) -> None:
    lines = run("deck", "--seed", 3, "--players", 4, "--count", 3, "--json").out.splitlines()
    assert [json.loads(line)["index"] for line in lines] == [0, 1, 2]
    for index, line in enumerate(lines):
        given = parse_input(line)
        assert given == DeckInput(4, DeckSpec.standard().shuffle(3, index))


@pytest.mark.parametrize(
    ("options", "copies"),
    [
        (["--values", 3], [3, 2, 1]),
        (["--values", 1], [3]),
        (["--values", 7], [3, 2, 2, 2, 2, 2, 1]),
        (["--copies", "2"], [2] * 5),
        (["--copies", "2", "--values", 3], [2] * 3),
        (["--copies", "1,0,2"], [1, 0, 2]),
        (["--copies", "4", "--values", 1], [4]),
    ],
)
def test_copies_of_each_value(run: Run, options: list[object], copies: list[int]) -> None:
    given = parse_input(run("deck", "--seed", 1, "--colors", 2, *options).out)
    assert isinstance(given, SolitaireInput)
    counts = Counter(given.cards)
    for color in range(2):
        assert [counts[Card(color, value)] for value in range(1, len(copies) + 1)] == copies
    assert len(given.cards) == 2 * sum(copies)


def test_a_last_value_without_cards_is_declared(run: Run) -> None:
    for form in ([], ["--json"]):
        given = parse_input(run("deck", "--copies", "1,1,0", *form).out)
        assert isinstance(given, SolitaireInput)
        assert given.n == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--players", 7], "players: 7 is not in 2 .. 6"),
        (["--copies", "1,2", "--values", 3], "--copies lists 2 values, --values says 3"),
        (["--copies", "1,x"], "'1,x' is neither a number nor a list"),
        (["--copies", "-1"], "--copies"),
        (["--copies", "0"], "a deck must have 1 .. 10,000,000 cards"),
        (["--colors", 0], "a deck must have 1 .. 10,000,000 cards"),
        (["--values", 0], "a deck must have 1 .. 10,000,000 cards"),
        (["--values", 10**19], "a deck must have 1 .. 10,000,000 cards"),
        (["--colors", 10**19], "a deck must have 1 .. 10,000,000 cards"),
        (["--colors", 10**30], "--colors"),
        (["--seed", -1], "'-1' is not an integer >= 0"),
        (["--seed", "1.5"], "'1.5' is not an integer >= 0"),
    ],
)
def test_bad_options(run: Run, options: list[object], message: str) -> None:
    outcome = run("deck", *options)
    assert outcome.status == 2
    assert outcome.out == ""
    assert outcome.err.startswith("hanabi: error: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err
