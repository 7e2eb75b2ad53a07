from __future__ import annotations

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules.cards import Card
from hanabi.rules.deck import Deck
from hanabi.rules.notation import DeckInput, GameRecord, SolitaireInput, format_text, parse_text
from hanabi.rules.problem import pose_deck
from hanabi.rules.variants import Variant, find_variant, variant_names


def stream(text: str) -> SolitaireInput:
    given = parse_text(text)
    assert isinstance(given, SolitaireInput)
    return given


def test_every_way_to_write_a_card() -> None:
    given = stream("r1 2Y g3,4b;5P\tt6\n12:7 1p")
    colors = [color for color, _ in given.cards]
    assert colors == [0, 1, 2, 3, 4, 5, 12, 4]
    assert [value for _, value in given.cards] == [1, 2, 3, 4, 5, 6, 7, 1]
    assert stream("w1 2M").cards == Deck([(4, 1), (5, 2)])


def test_bare_numbers_are_values_of_one_color() -> None:
    assert stream("3 1 2").cards == Deck([(0, 3), (0, 1), (0, 2)])


@pytest.mark.parametrize("hand", ["hand 2", "hand: 2", "hand = 2", "hand=2", "hand:2", "HAND 2"])
def test_ways_to_write_a_directive(hand: str) -> None:
    assert stream(f"r2 {hand} r1") == SolitaireInput(Deck([(0, 2), (0, 1)]), hand_size=2)


def test_directives_stand_anywhere_and_comments_are_skipped() -> None:
    given = stream("r1 # the first\nvalues # of\n 6\n#colors 9\ncolors 3 y2")
    assert given == SolitaireInput(Deck([(0, 1), (1, 2)]), n=6, c=3)


def test_a_bare_number_after_a_directive_is_not_a_card() -> None:
    # The card 2 is known by then, and must not swallow the directive's number.
    assert stream("2 1 hand 2") == SolitaireInput(Deck([(0, 2), (0, 1)]), hand_size=2)


def test_players_make_a_deck() -> None:
    given = parse_text("players 3\nb5 p4\ncolors 5")
    assert given == DeckInput(3, Deck([(3, 5), (4, 4)]), c=5)


def test_a_variant_has_letters_of_its_own() -> None:
    given = parse_text("variant 24 # Up or Down\nplayers 2\nrS 5P, gs")
    deck = Deck([(0, 6), (4, 5), (2, 6)])
    names = ("Alice", "Bob")
    assert given == GameRecord(2, deck, variant="Up or Down (5 Suits)", names=names)
    assert format_text(given) == "players 2\nvariant 24\nrS p5 gS"


def has_moved_letters(variant: Variant) -> bool:
    pairs = zip(variant.former_letters, variant.letters, strict=True)
    return any(former != letter and former in variant.letters for former, letter in pairs)


PRISMS = [name for name in variant_names() if has_moved_letters(find_variant(name))]
"""The variants in which a letter that a suit had is another's now."""


@pytest.mark.parametrize("name", PRISMS)
def test_a_deck_in_letters_that_have_changed_suits(name: str) -> None:
    variant = find_variant(name)
    record = GameRecord(2, variant.spec.shuffle(seed=1), variant=name, names=("Alice", "Bob"))
    text = format_text(record)
    given = parse_text(text)
    assert given == record
    assert isinstance(given, GameRecord)
    assert given.remarks == ()
    change = str.maketrans(variant.letters, variant.former_letters)
    head, _, cards = text.partition(f"variant {variant.id}\n")
    former = f"{head}variant {variant.id}\n{cards.translate(change)} # i1 p1"
    assert former != text
    again = parse_text(former)
    assert again == record
    assert isinstance(again, GameRecord)
    (remark,) = pose_deck(again).remarks
    former, now = " ".join(variant.former_letters), " ".join(variant.letters)
    assert remark == f"Note: suits are read by their former letters, {former}; they are {now} now."


def test_letters_that_have_changed_suits() -> None:
    assert len(PRISMS) == 4
    start = "players 2 variant 1536"  # rgbia now, rgbpi formerly
    prism, pink = Card(3, 1), Card(4, 1)
    for words, cards in (
        ("i1 a1", (prism, pink)),
        ("i1 p1", (pink, prism)),
        ("a1 p1", (pink, prism)),
    ):
        given = parse_text(f"{start} {words}")
        assert isinstance(given, GameRecord)
        assert given.deck == Deck(cards)
    for words in ("r1 i1", "i1 a1 p1"):
        with pytest.raises(
            InvalidInputError,
            match=r"'i1' is Prism by hanab\.live's letters, r g b i a, and Gray Pink by the former",
        ):
            parse_text(f"{start} {words}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("players 2 variant 16 p1", "line 1, column 22: 'p1' is not a card of Rainbow (5 Suits)"),
        ("players 2 variant 16 m6", "'m6' is not a card of Rainbow (5 Suits), of suits r y g b m"),
        ("players 2 variant 16 4:1", "'4:1' is not a card of Rainbow"),
        ("players 2 variant 9999", "line 1, column 11: number 9999 is not a variant of hanab.live"),
        ("players 2 r1 variant 16", "column 14: 'variant' says how cards are written"),
        ("variant 16 m1", "line 1, column 1: 'variant' needs 'players'"),
        ("players 2 values 5 variant 16 m1", "give 'variant', or 'values' and 'colors', not both"),
        ("players 2 variant x m1", "'variant' needs a number, not 'x'"),
        ("r1\n y2 q7", "line 2, column 5: 'q7' is not a card"),
        ("r1 r", "line 1, column 4: 'r' is not a card"),
        ("r1 -2", "'-2' is not a card"),
        ("r1 r1.5", "'r1.5' is not a card"),
        ("r٣", "is not a card"),
        ("r1 r0", "line 1, column 4: 'r0' has value 0"),
        ("values 4\nr1 r5", "line 2, column 4: card 'r5' is beyond the declared values 4"),
        ("r5 values 4", "line 1, column 1: card 'r5' is beyond the declared values 4"),
        ("colors 2\nr1 g1", "card 'g1' is beyond the declared colors 2"),
        ("1 r2", "line 1, column 3: 'r2': bare numbers and cards with a color do not mix"),
        ("r1 2", "line 1, column 4: '2': bare numbers and cards with a color do not mix"),
        ("w1 p1", "line 1, column 4: 'p1' after 'w1': p and w name the same color"),
        ("T1 1m", "'1m' after 'T1': t and m name the same color"),
        ("hand 1 hand 1 r1", "line 1, column 8: 'hand' is given twice"),
        ("r1 hand", "line 1, column 4: 'hand' needs a number, not ''"),
        ("hand two r1", "'hand' needs a number, not 'two'"),
        ("hand: = 2 r1", "needs a number, not '='"),
        ("hand 9999999999 r1", "'9999999999' is too large: at most 2147483647"),
        ("2147483648:1", "'2147483648' is too large"),
        ("r2147483648", "'2147483648' is too large"),
        ("players 7 r1", "line 1, column 1: 'players' 7 is not in 2 .. 6"),
        ("players 2 hand 3 r1", "give 'hand' or 'players', not both"),
        ("hand 2 # r1", "there are no cards"),
    ],
)
def test_bad_text_is_quoted_with_its_place(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError) as caught:
        parse_text(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_leading_zeros_do_not_make_a_number_large() -> None:
    assert stream("r" + "0" * 5000 + "3").cards == Deck([(0, 3)])


def test_written_lines_are_short() -> None:
    text = format_text(SolitaireInput(Deck((color % 12, 5) for color in range(200)), hand_size=3))
    assert max(map(len, text.splitlines())) <= 78
    assert text.startswith("hand 3\n0:5 1:5 ")


def test_rules_have_no_place_in_text() -> None:
    with pytest.raises(InvalidInputError, match="rules"):
        format_text(DeckInput(2, Deck([Card(0, 1)]), rules="hanab_live"))
