"""How the player of the H-Group's conventions chooses: the end of the game, and what hints cost."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import pytest

from hanabi.conventions.choice import _marks, _race
from hanabi.conventions.table import Mind, bits
from hanabi.rules import Rules
from positions import Position
from unit.conventions.test_hgroup import left_with

Row = tuple[int, ...]


def put(row: Row, at: int, value: int) -> Row:
    return (*row[:at], value, *row[at + 1 :])


def most(mind: Mind, told: Row, asked: Row, junk: Row, deck: Row, left: int | None) -> int:
    """Return the most points that can be made: all plays, hints and discards are tried."""
    seats = mind.rules.seats

    @cache
    def best(
        want: int, told: Row, asked: Row, junk: Row, deck: Row, left: int | None, seat: int, n: int
    ) -> int:
        if not want or left == 0:
            return 0
        after, left = (seat + 1) % seats, None if left is None else left - 1

        def draw(want: int, told: Row, asked: Row, junk: Row, n: int) -> int:
            if deck and 1 << deck[-1] & want & ~told[seat]:
                asked = put(asked, seat, asked[seat] | 1 << deck[-1])
            elif deck:
                junk = put(junk, seat, junk[seat] + 1)
            last = seats if len(deck) == 1 else left
            return best(want, told, asked, junk, deck[:-1], last, after, min(n, 8))

        found = [0]
        for other in range(seats) if n else ():
            for kind in bits(asked[other] if other != seat else 0):
                more = put(told, other, told[other] | 1 << kind)
                less = put(asked, other, asked[other] & ~(1 << kind))
                found.append(best(want, more, less, junk, deck, left, after, n - 1))
        if n:
            found.append(best(want, told, asked, junk, deck, left, after, n - 1))
        if junk[seat]:
            found.append(draw(want, told, asked, put(junk, seat, junk[seat] - 1), n + 1))
        for kind in bits(asked[seat]):
            less = put(asked, seat, asked[seat] & ~(1 << kind))
            found.append(draw(want, told, less, junk, n + 1))
        for kind in bits(told[seat] & want):
            if not kind % 5 or not want >> kind - 1 & 1:
                less = put(told, seat, told[seat] & ~(1 << kind))
                rest = want & ~(1 << kind)
                found.append(1 + draw(rest, less, asked, junk, n + (kind % 5 == 4)))
        return max(found)

    want = mind.deal.full & ~mind.trash
    return best(want, told, asked, junk, deck, left, mind.seat, mind.clues)


def test_the_end_is_played_out_where_the_rules_set_no_end() -> None:
    """A round in which nobody can do anything ends it, with hint tokens left or without."""
    mind = Mind(replace(Rules.hanab_live(2), final_round=None), 0, 0, 1)
    for credit, points in ((0, 1), (3, 2), (8, 2)):
        left_with(mind, credit)
        assert _race(mind, [0, 0], [0, 0], [0, 2], [], None) == 0
        assert _race(mind, [1, 0], [0, 2], [1, 0], [], None) == points  # r1, and r2 if it is told


@pytest.mark.parametrize("seats", [2, 3])
def test_the_end_is_played_out_by_the_rules_and_seldom_badly(seats: int) -> None:
    """Never more points than the best play makes, and in most cases as many."""
    choose, alike = Random(seats), 0
    for _ in range(60):
        mind = Mind(Rules.hanab_live(seats), 0, 0, 1)
        mind.seat, credit = 1, choose.randrange(3)
        for color in range(5):
            for rank in range(choose.choice((3, 4, 5, 5))):
                mind.put(5 * color + rank, is_play=True)
        left_with(mind, credit)
        wanted = list(bits(mind.deal.full & ~mind.trash))
        choose.shuffle(wanted)
        told, asked = [0] * seats, [0] * seats
        deck = tuple(wanted.pop() if wanted and choose.random() < 0.3 else 0 for _ in range(2))
        for kind in wanted:
            choose.choice((told, asked))[choose.randrange(seats)] |= 1 << kind
        junk = tuple(4 - (a | b).bit_count() for a, b in zip(told, asked, strict=True))
        deck, left = (deck, None) if choose.random() < 0.7 else ((), choose.randrange(seats + 1))
        points = _race(mind, told[:], asked[:], list(junk), list(deck), left)
        bound = most(mind, tuple(told), tuple(asked), junk, deck, left)
        assert 0 <= points <= bound
        alike += points == bound
    assert alike >= 42


def known(piles: str, *cards: str) -> Mind:
    """Return the mind of seat 2 of three, others' oldest cards known to all, a seat each."""
    mind = Mind(Rules.hanab_live(3), 2, 0, 5)
    mind.card[:10] = [0] * 10
    for seat, card in enumerate(cards):
        order = 5 * seat
        mind.card[order] = "rygbp".index(card[0]) * 5 + int(card[1]) - 1
        mind.allowed[order] = mind.inferred[order] = 1 << mind.card[order]
        mind.touched |= 1 << order
        mind.since[order] = seat
    for color, height in enumerate(piles):
        for rank in range(int(height)):
            mind.put(5 * color + rank, is_play=True)
    return mind


def test_of_two_cards_alike_one_is_kept() -> None:
    mind = known("10000", "r2", "r2")
    assert mind.useless(0) == [0]
    mind.idle = 1 << 5
    mind.forget()
    assert mind.useless(0) == []


@pytest.mark.parametrize(("card", "is_lost"), [("b2", True), ("b5", True), ("r1", False)])
def test_to_call_a_good_card_useless_costs_what_it_is_worth(card: str, is_lost: bool) -> None:
    mind = known("10010", card)
    before = _marks(mind)
    mind.idle = 1
    assert (_marks(mind) < before - 0.5) == is_lost


@pytest.mark.parametrize("level", [2, 5, 11])
def test_a_clued_card_that_may_be_good_is_kept_before_the_chop(level: int) -> None:
    # Cathy's blue card is b2, or b3 after Alice's b2: only without it is that b2 surely no copy.
    hands = ["b2 y1 y4 r5 g4", "r4 p3 g3 b5 p2", "r2 p4 g5 r4 b3"]
    at = Position(hands, level, piles="y1 g1 b1", out="r2 r3 p3", first="B", tokens=6)
    at.go("clue C blue")
    assert at.belief("C5") == "b2 b3"
    assert at.best("discard 5", "discard 4") == "discard 4"


def test_a_bluff_that_will_be_taken_for_a_finesse_costs_as_much_as_an_error() -> None:
    # Alice's y2, meant as a bluff for p3, leads to y3. Bob has b4 to play first, and then errs.
    hands = ["y2 g4 b1 r2 g1", "r1 b4 p3 r2 g1", "p3 p4 r3 g4 p1"]
    at = Position(hands, 11, piles="y1 g2 b3 p1", out="y4 b4", draws="r5", tokens=6)
    at.go("clue B blue", "discard 5")
    assert at.best("clue B 3", "clue A yellow") == "clue A yellow"
    at.go("clue B 3", "play 1")
    assert (at.belief("B4"), at.plays("B")) == ("y3", "B3 B4")


def test_who_may_be_bluffed_plays_rather_than_have_others_misread() -> None:
    # Cathy's card is b2, or some other one; if she discards instead, Alice plays b3 as y3 or g3.
    hands = ["y1 p1 y4 b3 b4", "y3 g4 r4 g1 r3", "b2 y2 p5 g5 r5"]
    at = Position(hands, 11, piles="r1 y2 g2 b1 p1", tokens=4).go("clue C 5", "clue A 3")
    assert at.best("play 1", "discard 2") == "play 1"
    at.go("discard 2")
    assert (at.belief("A4"), at.plays("A")) == ("y3 g3", "A4")


def test_a_hint_costs_an_error_if_what_others_do_not_play_makes_it_read_wrongly() -> None:
    # Both touch only useless cards. As Bob plays nothing, Cathy would take r1 for r4, not for r5.
    hands = ["p1 y4 y4 b2 r1", "y1 r3 y3 y1 y3", "r2 g1 p4 g5 r1"]
    at = Position(hands, 11, piles="r3 g2 p1", tokens=6)
    assert at.best("clue C red", "clue B red") == "clue B red"
    at.go("clue C red")
    assert at.plays("C") == ""
    at.go("discard 5")
    assert (at.belief("C5"), at.plays("C")) == ("r4", "C5")


@pytest.mark.parametrize("level", [2, 3, 11])
def test_who_knows_that_a_card_is_clued_twice_passes_it_on(level: int) -> None:
    hands = ["y4 g4 r2 b3 p3", "p3 b4 g3 y3 r2", "b3 y4 g4 p5 r1"]
    at = Position(hands, level).go("clue B 2", "clue C 1", "play 5", "clue C 5", "clue A red")
    at.go("discard 4")
    assert (at.belief("A3"), at.plays("A")) == ("r2", "A3")
    assert at.best("play 3", "discard 3") == ("discard 3" if level >= 3 else "play 3")
