"""Positions in text and JSON: what is read, and the error for each thing that is wrong."""

from __future__ import annotations

import json
import re
from fractions import Fraction

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules.cards import Card
from hanabi.rules.notation import PositionInput, format_position, parse_input, position_to_json
from hanabi.rules.notation.position import is_position
from hanabi.rules.position import game_of_position

BASE = """position
piles r3 y5 g4
discards r1 r1 b1 b1 b2 p1 p1 p2 p2
hand r4 y1 g1 g1 b3   # oldest first
hand r5 y1(1) b4(+b-1) b5(b45) p3
deck 19
hints 3
lives 2
seat 1
"""


def read(text: str) -> PositionInput:
    given = parse_input(text)
    assert isinstance(given, PositionInput)
    return given


def test_a_position_is_read_from_text_or_json_alike() -> None:
    given = read(BASE)
    assert given.piles == ((1, 2, 3), (1, 2, 3, 4, 5), (1, 2, 3, 4), (), ())
    assert (given.players, given.seat, given.hints, given.lives) == (2, 1, Fraction(3), 2)
    assert given.hands[0][0] == Card(0, 4)
    assert given.known[1][1] == frozenset(Card(color, 1) for color in range(5))
    assert given.known[1][2] == frozenset(Card(3, rank) for rank in (2, 3, 4, 5))
    assert given.deck == (None,) * 19
    assert read(json.dumps(position_to_json(given))) == given
    assert read(format_position(given)) == given
    one_line = BASE.replace("   # oldest first", "").replace("\n", " ")
    assert read(one_line) == read(one_line.replace("hints 3", "hints:3, lives = 2;").replace(
        "lives 2 seat", "seat")) == given  # fmt: skip


def test_content_says_that_it_is_a_position() -> None:
    assert is_position("\n# one\n  # two\nPosition: hand r1")
    assert not is_position("positions r1")
    assert not is_position("r1 position")


def test_what_is_left_may_be_named_instead_of_the_discards() -> None:
    hands = "hand r1 r1 r1 r2 r2 hand y1 y1 y1 y2 y2 piles p5 hints 2 lives 1"
    in_order = read(f"position {hands} deck r5 y5")
    in_any = read(f"position {hands} left y5 r5")
    assert in_order.deck == (Card(0, 5), Card(1, 5))
    assert in_any.deck == (None, None)
    assert in_order.discards == in_any.discards
    assert len(in_order.discards) == 50 - 10 - 5 - 2
    # One kind of card has one order.
    assert read(f"position {hands} left y4 y4").deck == (Card(1, 4),) * 2


def test_the_least_turn_that_explains_a_position_is_taken() -> None:
    game = game_of_position(read(BASE))
    # 12 cards were played and 9 discarded; 5 tokens are missing; and it is the turn of seat 1.
    assert (game.turn, game.first_seat) == (27, 0)
    assert not game.has_history
    deal = "position hand r1 r2 r3 r4 r5 hand y1 y2 y3 y4 y5 discards hints 8"
    assert game_of_position(read(deal)).has_history
    assert game_of_position(read(deal.replace("y1", "y1(1)").replace("8", "7"))).turn == 2


def test_suits_and_hints_of_variants_have_their_letters() -> None:
    text = (
        "position variant 16 piles r1 hand m3(+r) r2(+r-b) b1 y1 y2 hand m1(m) m2(rm12|b3)"
        " b3 b4 b5 discards m1 hints 2"
    )
    given = read(text)
    # A red hint touches red and rainbow.
    reds = frozenset(Card(color, rank) for color in (0, 4) for rank in range(1, 6))
    assert given.known[0][0] == reds
    assert given.known[0][1] == frozenset(Card(0, rank) for rank in range(1, 6))
    assert Card(3, 3) in (given.known[1][1] or ())
    assert read(format_position(given)) == given


FULL_PILES = "piles r5 y5 g5 b5 p5"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("r3 y5", "r3 y6", "line 2, column 10: 'y6' is not a pile of this deck"),
        ("r3 y5", "r3 r4", "line 2, column 10: 'r4' is a second pile of its suit"),
        ("r3 y5", "r-1-3 y5", "line 2, column 7: 'r-1-3' cannot be built in this order"),
        ("r1 r1", "r1 r1 r1", "line 3, column 16: 'r1' is one r1 too many: the deck has 3 copies"),
        ("r4 y1", "r4 q1", "line 4, column 9: 'q1' is not a card of this deck"),
        ("r4 y1", "r4 y99", "line 4, column 9: 'y99' is not a card of this deck"),
        ("r5 y1(1)", "r5 r5(5)", "line 5, column 9: 'r5(5)' is one r5 too many"),
        ("y1(1)", "y1(2)", "line 5, column 9: 'y1(2)' is a card that its own hints exclude"),
        ("y1(1)", "y1(6)", "line 5, column 9: 'y1(6)' says '6' of a card: not of this deck"),
        ("y1(1)", "y1()", "line 5, column 9: 'y1()' says '' of a card: expected suits"),
        ("y1(1)", "y1(1", "line 5, column 9: 'y1(1' is not a card in hand"),
        ("(+b-1)", "(+r)", "line 5, column 15: 'b4(+r)' is a card that its own hints exclude"),
        ("(+b-1)", "(+q)", "line 5, column 15: 'b4(+q)' says 'q': hints name r y g b p 1 2 3 4 5"),
        ("(+b-1)", "(+b-b)", "line 5, column 15: 'b4(+b-b)' leaves no card possible"),
        ("(b45)", "(b45|r1)", "hand of seat 1, card 2: hints of this game leave some colors and"),
        ("deck 19", "deck ? r2", "line 6, column 6: '?' stands for a card that is drawn"),
        ("position", "position:piles", "line 1, column 1: 'position:piles' is not the word"),
        ("(+b-1)", f"({'b|' * 6000}b)", "says more than 10,000 letters of a card"),
        ("deck 19", "deck 18", "deck: 18 cards to draw, but 19 are neither on a pile, discarded"),
        ("deck 19", "deck r2", "deck: 1 card to draw, but 19 are neither"),
        ("deck 19", "left r2", "left: r3 r4 y2 y3 y4 g2 ... missing: neither on a pile"),
        ("deck 19", "deck 19 left r2", "give 'deck' or 'left', not both"),
        ("p3\n", "\n", "deck: 19 cards to draw, but 20 are neither"),
        ("deck 19", "deck 1 2", "'1' is not a card of this deck"),
        ("hints 3", "hints 9", "hints: 9 is not in 0 .. 8"),
        ("hints 3", "hints 2.5", "hints: 2.5 is not a whole number: only some variants have half"),
        ("hints 3", "hints x", "line 7, column 7: 'x' is not a whole number"),
        ("hints 3", "hints 3 4", "hints: 2 words, not one"),
        ("hints 3\n", "", "hints: missing (the number of hint tokens left)"),
        ("lives 2", "lives 0", "lives: 0 is not in 1 .. 3"),
        ("lives 2", "lives 4", "lives: 4 is not in 1 .. 3"),
        ("seat 1", "seat 2", "seat: 2 is not in 0 .. 1"),
        ("seat 1", "seat 1 turn 3", "turn: 3 turns cannot lead here, as at least 26 were taken"),
        ("seat 1", "turns 1", "turns: the last round has not begun, with 19 cards to draw"),
        ("seat 1", "barred color", "barred: only in variants in which kinds of hints take turns"),
        ("seat 1", "barred 7", "line 9, column 8: '7' is not a kind of hint: color or rank"),
        ("seat 1", "variant 99999", "line 9, column 9: number 99999 is not a variant of"),
        ("seat 1", "rules foo", "rules: 'foo' is not a rule set; there are official"),
        ("seat 1", "names A", "names: 1 name for 2 hands"),
        ("seat 1", "seat 0 seat 1", "line 9, column 8: 'seat' is given twice"),
        ("position", "position foo", "line 1, column 10: 'foo' is not a keyword of a position"),
        ("r4 y1 g1 g1 b3", "? ? ? ? ?", "line 4, column 6: '?' hides a hand that is not that of"),
        ("r5 y1(1)", "? y1(1)", "line 5, column 8: 'y1(1)' does not fit: a hand is hidden as a"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_quoted(old: str, new: str, message: str) -> None:
    assert old in BASE
    with pytest.raises(InvalidInputError, match=re.escape(message)):
        game_of_position(read(BASE.replace(old, new)))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("position", "0 hands: a position has 2 to 6"),
        ("position hand r1 hand r2 hints 1", "give 'discards', or the cards to draw"),
        (
            f"position {FULL_PILES} hand r1 r1 r2 r3 r4 hand y1 y1 y2 y3 y4 hints 1 discards",
            "the game is over (completed): nobody can act",
        ),
        ("position copies 2,2 copies hand r1 hand r2 hints 1", "copies: suit 1 has 1 to 30"),
        (
            "position variant 24 piles r5 hand r1 hand r2 discards hints 1",
            "'r5' can be built in 3 ways: write the cards in order, as in r-",
        ),
        (
            "position piles p4 hand ? ? ? ? ? hand r1 r2 r3 r4 y1 discards deck r1 hints 2",
            "deck: with a hidden hand the order of the deck cannot be known",
        ),
        ('{"hands": 3}', "hands: 3 is not an array"),
        ('{"hands": [], "pieces": 3}', "unknown key 'pieces': a position has variant, rules"),
        ('{"hands": [["r1"], [["r2"]]]}', "hands[1][0]: ['r2'] is not one word or number"),
        ('{"hands": ["r1", "q2"], "hints": 1}', "hands[1]: 'q2' is not a card of this deck"),
        ('{"hands": ["r1", "r2"], "hints": true}', "hints: true is neither words nor a number"),
        ('{"hands": ["r1", "r2"], "hints": 1, "discards": [], "rules": 7}', "rules: 7 is not"),
    ],
)  # fmt: skip
def test_what_is_missing_or_of_another_kind_is_named(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=re.escape(message)):
        game_of_position(read(text))


def test_hands_in_the_last_round_are_as_long_as_they_can_be() -> None:
    text = "position piles r5 y5 g4 b5 p4 hand {} hand {} deck hints 2 seat 0 turns {}"
    full, short = "r1 r1 r2 g1 g5", "r3 r4 y1 p5"
    # With one turn left, seat 0 has acted once since the last card, which seat 1 drew.
    assert game_of_position(read(text.format(full, f"{short} y2", 2))).turns_left == 2
    for hands, turns, message in (
        ((full, short), 2, "hand of seat 1: 4 cards, where it has 5 cards"),
        ((full, short), 3, "turns: 3 is not in 1 .. 2"),
        (("r1 r1 r2", f"{short} y2"), 1, "hand of seat 0: 3 cards, where it has 5 cards"),
    ):
        with pytest.raises(InvalidInputError, match=re.escape(message)):
            game_of_position(read(text.format(*hands, turns)))
    assert game_of_position(read(text.format(full, short, 1))).turns_left == 1
    with pytest.raises(InvalidInputError, match="turns: missing: no card is left to draw"):
        game_of_position(read(text.format(full, short, 1).removesuffix("turns 1")))


def test_hands_of_another_size_say_how_to_give_it() -> None:
    text = "position copies 2,2,2 piles r1 discards hand r2 hand r3 hints 1"
    advice = '; for hands of 1, write JSON with "rules": {"hand_size": 1}'
    with pytest.raises(InvalidInputError, match=re.escape(advice) + "$"):
        game_of_position(read(text))
    with pytest.raises(InvalidInputError, match=re.escape(advice) + "$"):
        game_of_position(read(text.replace("2,2,2", "3,3,9")))
    sized = position_to_json(read(text)) | {"rules": {"hand_size": 1}}
    assert game_of_position(read(json.dumps(sized))).rules.hand_size == 1
    with pytest.raises(InvalidInputError, match=r"where it has 2 cards$"):
        game_of_position(read(json.dumps(sized | {"rules": {"hand_size": 2}})))


def test_a_position_states_its_own_cards() -> None:
    data = position_to_json(read(BASE))
    for name in ("copies", "variant"):
        given = read(json.dumps(data | {"rules": {name: [[1]]}}))
        with pytest.raises(InvalidInputError, match=f"rules.{name}: a position states its {name}"):
            game_of_position(given)


def test_rules_without_a_name_need_json() -> None:
    data = position_to_json(read(BASE)) | {"rules": {"deck_plays": True}}
    given = read(json.dumps(data))
    assert game_of_position(given).rules.deck_plays
    with pytest.raises(InvalidInputError, match="the text form has no place for them; write JSON"):
        format_position(given)


def test_long_garbage_is_refused_at_once() -> None:
    for text, message in (
        ("position " + "x " * 50_000, "'x' is not a keyword of a position"),
        ("position hand " + "? " * 50_000 + " hand r1", "hand of seat 0: 50,000 cards, of 50"),
        ("position variant " + "9" * 5_000, "is not a variant of hanab.live"),
        ("position copies " + "1 " * 50_000 + "hand r1 hand r1", "copies: suit 0 has 1 to 30"),
        ("position " + "copies 1 " * 20_000 + "hand r1 hand r1", "20,000 suits, at most 30"),
        ("position hand r1 hand r2 piles " + "r" + "-1" * 50_000, "cannot be built in this order"),
    ):
        with pytest.raises(InvalidInputError, match=re.escape(message)):
            read(text)
