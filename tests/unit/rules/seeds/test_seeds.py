"""Seeds of hanab.live and the decks that the site dealt from them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules.seeds import is_range, is_seed, parse_range, parse_seed
from hanabi.rules.variants import find_variant

DATA = Path(__file__).parents[3] / "data/hanab_live"
DECKS = json.loads((DATA / "decks.json").read_text(encoding="utf-8"))["decks"]
GAMES = [json.loads(path.read_text("utf-8")) for path in sorted((DATA / "games").glob("*.json"))]


def test_every_deck_that_is_named_by_a_seed() -> None:
    named = [each for each in DECKS if is_seed(each["id"])]
    assert len(named) == 438
    for each in named:
        seed = parse_seed(each["id"])
        assert (seed.players, seed.variant.name) == (each["players"], "No Variant")
        assert str(seed.deck) == each["deck"]


def test_every_real_game_with_a_seed() -> None:
    seeded = [game for game in GAMES if game.get("seed")]
    assert len(seeded) == 20
    assert len({game["options"]["variant"] for game in seeded}) > 10
    for game in seeded:
        seed = parse_seed(game["seed"])
        assert seed.players == len(game["players"])
        assert seed.variant.name == game["options"]["variant"]
        assert [(card.color, card.rank) for card in seed.deck] == [
            (card["suitIndex"], card["rank"]) for card in game["deck"]
        ]


@pytest.mark.parametrize("name", ["Up or Down (6 Suits)", "Sudoku (4 Suits)", "Omni (3 Suits)"])
def test_a_deck_holds_the_cards_of_its_variant(name: str) -> None:
    variant = find_variant(name)
    seed = parse_seed(f"p2v{variant.id}s1")
    assert seed.variant == variant
    assert sorted(seed.deck) == list(variant.spec.cards())


def test_an_old_prefix_does_not_matter() -> None:
    assert parse_seed("legacy-1-p3v0s17") == parse_seed("legacy-x-p3v0s17") == parse_seed("p3v0s17")


def test_the_rest_of_a_seed_may_be_any_word() -> None:
    decks = {parse_seed(f"p2v0s{word}").deck for word in ("a", "A", "1.5", "s.", "01")}
    assert len(decks) == 5


def test_a_range_deals_what_its_seeds_do() -> None:
    seeds = parse_range("legacy-2-p4v16s998..1002")
    assert (len(seeds), seeds.first.text) == (5, "p4v16s998")
    for seed, deck in seeds.deals():
        assert seed == parse_seed(seed.text)
        assert deck == seed.deck
    assert next(parse_range(f"p2v0s0..{10**17}").texts()) == "p2v0s0"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "JSON",
        "p3",
        "p3v0",
        "p3v0s",
        "p3v0s1 2",
        "q3v0s1",
        "p3v0s1\n",
        "r1",
        "p٣v0s1",
        "p2v0s日",
        "p2v0s\x1b",
    ],
)
def test_what_is_no_seed(text: str) -> None:
    assert not is_seed(text)
    assert not is_range(text)
    with pytest.raises(InvalidInputError, match="is not a seed such as"):
        parse_seed(text)
    with pytest.raises(InvalidInputError, match="is not a range of seeds such as"):
        parse_range(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p7v0s1", "'p7v0s1' is for 7 players; there are 2 .. 6"),
        ("p1v0s1", "'p1v0s1' is for 1 players; there are 2 .. 6"),
        ("p2v2999s1", "'p2v2999s1': number 2999 is not a variant of hanab.live"),
    ],
)
def test_tables_that_are_not(text: str, message: str) -> None:
    assert is_seed(text)
    with pytest.raises(InvalidInputError) as caught:
        parse_seed(text)
    assert str(caught.value) == message


def test_a_range_is_no_seed() -> None:
    assert is_range("p2v0s1..2")
    assert not is_seed("p2v0s1..2")
    with pytest.raises(InvalidInputError, match="the last number is below the first"):
        parse_range("p2v0s2..1")
    with pytest.raises(InvalidInputError, match="number 2999 is not a variant"):
        parse_range("p2v2999s1..2")
