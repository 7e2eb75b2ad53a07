"""Positions that partners read wrongly at first, each with what the guide says of it."""

from __future__ import annotations

import pytest

from hanabi.conventions.explain import slips, why_playable
from hanabi.conventions.practice import exercise_of, mark
from hanabi.rules import Game
from positions import Position

LEVELS = (1, 2, 5, 11)


@pytest.mark.parametrize("level", LEVELS)
def test_nobodys_inaction_refutes_a_save(level: int) -> None:
    """A 2 on chop may be any 2, although Cathy has r1 on finesse position and discards."""
    hands = ["p4 y4 g4 b1 r2", "r4 r3 g4 y5 b4", "r1 b3 y4 y3 p3"]
    game = Position(hands, level).go("clue B 5", "clue A 2")
    for _ in range(2):
        assert [game.belief("A5", by) for by in "ABC"] == ["r2 y2 g2 b2 p2"] * 3
        assert game.blind() == ""
        if game.seat == 2:
            game.go("discard 5")


@pytest.mark.parametrize("level", [1, 5])
def test_a_save_is_not_played(level: int) -> None:
    """Slot 5 may be the last y4: that Cathy does not play y3 does not show that it is b4."""
    hands = ["p4 r3 p3 r4 y4", "b2 y5 b2 p2 r1", "y3 r4 y2 p1 g3"]
    game = Position(hands, level, piles="r5 y2 g5 b3 p5", out="y4", first="B").go("clue A 4")
    game.go("clue B 5" if level == 1 else "discard 5")
    assert "y4" in game.belief("A5").split()
    assert game.plays("A") == ""


@pytest.mark.parametrize("level", LEVELS)
def test_a_card_after_an_unknown_one_is_settled_with_it(level: int) -> None:
    hands = ["p4 y4 g2 g1 b3", "r4 r4 g4 r5 b4", "g3 b3 r2 y3 p3"]
    game = Position(hands, level).go("clue B 5", "clue A 1", "clue A 2")
    assert game.belief("A3") == "r2 y2 g2 b2 p2"
    game.go("play 4")
    assert [game.belief("A4", by) for by in "ABC"] == ["g2"] * 3
    assert game.plays("A") == "A4"


@pytest.mark.parametrize("level", [1, 5])
def test_what_is_playable_now_stays_possible_beside_what_an_unknown_card_leads_to(
    level: int,
) -> None:
    hands = ["p4 y4 g2 g1 b3", "r4 r4 g4 r5 b4", "g3 b3 r2 y3 p3"]
    game = Position(hands, level, piles="r1").go("clue B 5", "clue A 1", "clue A 2", "play 4")
    assert game.belief("A4") == "r2 g2"
    assert game.plays("A") == "A4"


@pytest.mark.parametrize(("level", "blind"), [(4, ""), (5, "A2"), (11, "A2")])
def test_a_finesse_is_hidden_under_a_card_that_plays_anyway(level: int, blind: str) -> None:
    """Alice's 1 may be the missing r1; once it proves to be b1, slot 2 is r1 (Hidden Finesse)."""
    hands = ["g4 p4 b1 y1 y4", "g2 r2 r3 p1 b4", "p2 g4 y2 b3 p5"]
    game = Position(hands, level, draws="p3 r1 g5 y3 p1 y4", tokens=6)  # 8 make it an 8 Clue Save
    game.go("clue C 5", "clue A 1", "discard 4", "play 4", "discard 5", "clue B red")
    assert (game.belief("A4"), game.blind()) == ("r1 g1 b1 p1", "")
    game.go("play 4")
    assert game.blind() == blind
    if blind:
        assert game.belief(blind) == "r1"
        assert game.go("discard 5", "clue B purple", "play 2").belief("B4") == "r2"


@pytest.mark.parametrize("level", [1, 5])
def test_a_prompt_goes_on_to_the_next_clued_card(level: int) -> None:
    hands = ["p4 b4 r4 b3 y4", "p3 b2 g2 b5 r2", "p4 r1 g1 b1 g4"]
    game = Position(hands, level, draws="y3 g3 r3 y5 p1 p5 y1 g5")
    game.go("clue C 1", "clue A 4", "play 4", "clue B 2", "clue A 3", "play 4", "clue B 5")
    game.go("clue C 4", "play 4", "clue C red")
    assert (game.belief("B2"), game.plays("B")) == ("r2", "B2")
    game.go("play 2")
    assert (game.belief("B3"), game.plays("B")) == ("r2", "B3")
    game.go("discard 4", "discard 4", "play 3")
    assert (game.belief("B5"), game.plays("B")) == ("r2", "B5")
    assert game.belief("C2") == "r3"


@pytest.mark.parametrize("level", [2, 5, 11])
def test_a_self_finesse_holds_once_others_had_their_chance(level: int) -> None:
    hands = ["g1 p4 g2 y4 b4", "r4 g3 g4 r5 y5", "r1 b3 r2 y3 p3"]
    game = Position(hands, level).go("clue B 5", "clue A 2")
    assert game.plays("A") == ""
    game.go("discard 5")
    assert (game.belief("A1"), game.plays("A")) == ("r1 y1 g1 b1 p1", "A1")
    game.go("play 1")
    assert (game.belief("A3"), game.plays("A")) == ("g2", "A3")


@pytest.mark.parametrize("level", [5, 11])
def test_the_cards_of_a_finesse_move_together_over_a_layer(level: int) -> None:
    """Alice plays r1 over y1 and y2: her next card is y1, and the one after it y2."""
    hands = ["r1 y1 y2 b3", "g4 b4 p4 g3", "b4 y3 p3 g4", "r4 b2 p4 p2"]
    game = Position(hands, level, first="D", draws="b4").go("clue C 3", "play 1")
    assert game.blind() == "A2 A3"
    assert (game.belief("A2"), game.belief("A3"), game.plays("A")) == ("y1", "y2", "A2")
    game.go("discard 4", "discard 4", "discard 4", "play 2")
    assert (game.belief("A3"), game.plays("A")) == ("y2", "A3")


@pytest.mark.parametrize("level", [5, 11])
def test_a_hint_to_a_layer_does_not_end_the_finesse(level: int) -> None:
    """Cathy's b1 lies over her r1: once it is clued, the next card is r1."""
    hands = ["y4 g4 p3 p4 b5", "y4 r2 g3 p4 b3", "b1 r1 y4 p4 p3"]
    game = Position(hands, level, piles="g1", tokens=5).go("clue B red", "clue C blue")
    assert (game.blind(), game.belief("C2")) == ("C2", "r1")
    game.go("play 2")
    assert [game.belief("B2", by) for by in "ABC"] == ["r2"] * 3


@pytest.mark.parametrize(("level", "moved"), [(3, ""), (4, "A5 A4 A3"), (6, "A5 A4 A3")])
def test_what_the_giver_knows_by_convention_is_accounted_for(level: int, moved: str) -> None:
    """Yellow touches only y1: y4 and y5 are Cathy's, who knows the y4 only as a Play Clue."""
    hands = ["p4 y1 b4 r4 g4", "b3 g3 b2 p3 p2", "y4 r3 y5 g3 p1"]
    game = Position(hands, level, piles="y3", tokens=5).go("clue C 4", "clue C 5", "clue A yellow")
    assert [game.moved(by) for by in "ABC"] == [moved] * 3


@pytest.mark.parametrize("level", [9, 11])
def test_a_locked_player_only_fills_in_a_chop_moved_card(level: int) -> None:
    hands = ["p4 r4 b4 g4", "r3 y3 g3 b3", "r4 y4 g4 b3", "r5 y5 g5 b5"]
    game = Position(hands, level, piles="r1 y1 g1 b1 p1", first="D", tokens=5)
    for mind in game.minds:
        mind.moved |= 1 << game.order("A1")
        mind.touched |= sum(1 << order for order in mind.hands[3])
        for order in mind.hands[3]:
            mind.allowed[order] &= mind.deal.ranks[5]
    game.go("clue A purple")
    assert (game.belief("A1"), game.plays("A"), game.blind()) == ("p2 p3 p4 p5", "", "")


def test_a_card_known_to_be_playable_is_played() -> None:
    """Bob does not see his own y4, and so repeats what Cathy knows: her chop is y1."""
    hands = ["p4 r4 b4 g4 b3", "y4 y3 g3 b3 p3", "g4 g3 p3 p4 y1"]
    game = Position(hands, 5, piles="r1", out="y4", tokens=5).go("clue C yellow")
    assert (game.belief("C5"), game.belief("C5", "B")) == ("y1", "y1 y4")
    game.go("clue C yellow")
    assert (game.plays("C"), game.minds[2].idle) == ("C5", 0)


@pytest.mark.parametrize("level", LEVELS)
def test_a_5_clued_again_is_to_be_played_after_others(level: int) -> None:
    """It may be g5, after Cathy's g4, or r5, after Donald's r4; so it is r5 once that is played."""
    hands = ["p4 p3 y4 r5", "b4 y2 r2 b3", "y4 b3 g4 g3", "r4 y2 r3 r1"]
    game = Position(hands, level, piles="r3 g2", first="D", draws="p1 y3")
    game.go("clue A 5", "clue C green", "clue A 5")
    assert (game.blind(), game.belief("A4"), game.plays("A")) == ("D1", "r5 g5", "")
    game.go("play 4", "play 1")
    assert [game.belief("A4", by) for by in "ABCD"] == ["r5"] * 4


@pytest.mark.parametrize("level", LEVELS)
def test_a_hint_without_news_asks_for_no_blind_play_of_its_target(level: int) -> None:
    hands = ["p4 p3 y4 g3 b4", "b4 y2 r5 g4 b3"]
    game = Position(hands, level, piles="r3").go("clue B 5", "discard 5", "clue B 5")
    assert (game.blind(), game.plays("B")) == ("", "")


def test_ones_are_playable_after_a_round_without_a_fix() -> None:
    """Bob clued Alice's g1, and so might hold another; but Alice would say so."""
    game = Position(["p1 b3 b3 g5 b5", "r1 y1 p1 b4 p5"], 1, draws="g4 g1 y5 r2")
    game.go("clue B 1", "clue A 5", "clue B 5", "play 3", "discard 3", "clue A green", "play 1")
    assert (game.belief("B2"), game.plays("B")) == ("r1 y1 g1 b1", "")
    game.go("clue A blue", "clue B 4")
    assert (game.belief("B2"), game.plays("B")) == ("r1 y1 b1", "B2 B3")


@pytest.mark.parametrize(
    ("hands", "moves", "card", "name", "why"),
    [
        (
            ["r1 y4 g4 b3 p3", "r1 g3 b4 p4 y3", "y3 g4 b4 p2 b2"],
            ("clue C 2", "clue A 1", "clue A red", "discard 1"),
            "B1",
            "Gentleman's Discard",
            "what seat 0 did at move 4 asks for it",
        ),
        (
            ["y4 g4 p3 p4 b5", "r1 y3 g3 p4 b3", "y4 r2 b3 p3 b4"],
            ("clue C red",),
            "B1",
            "Finesse",
            "the hint red that seat 0 gave seat 2 at move 1 needs it first",
        ),
    ],
)
def test_the_convention_that_asked_for_a_blind_play_is_named(
    hands: list[str], moves: tuple[str, ...], card: str, name: str, why: str
) -> None:
    position, game = _played(hands, 11, *moves, draws="g1")
    order, seat = position.order(card), position.seat
    slot = game.hand_indices[seat].index(order)
    convention, said = why_playable(game.view(seat), order, slot, 11)
    assert (convention.name, str(said)) == (name, why)


def _played(hands: list[str], level: int, *moves: str, draws: str) -> tuple[Position, Game]:
    """Return a position after moves, with its game."""
    position = Position(hands, level, draws=draws)
    deck = [position.minds[0].deal.cards[kind] for kind in position.deck]
    game = Game.start(position.rules, deck)
    for move in moves:
        game = game.apply(position.action(move))
        position.go(move)
    return position, game


@pytest.mark.parametrize(
    ("hands", "moves", "action", "slip"),
    [
        (["y1 g1 b3 y4 b2", "g4 p5 r4 b5 b3", "y3 r2 g3 p1 g4"], (), "clue B 5", ""),
        (
            ["y1 g1 b3 y4 b2", "g4 p5 r4 p3 b3", "y3 r2 g3 b5 g4"],
            (),
            "clue B 5",
            "another 5 is closer to its chop",
        ),
        (
            ["y4 g4 r1 b3 p3", "p3 b4 g3 y3 b5", "r1 y4 g4 b2 p5"],
            ("clue C 5", "clue A red", "clue B 5"),
            "discard 3",
            "",
        ),
        (
            ["y4 g4 r1 b3 p3", "p3 b4 g3 y3 b5", "b3 y4 g4 b2 p5"],
            ("clue C 5", "clue A red", "clue B 5"),
            "discard 3",
            "slot 2 is not the chop, which is slot 0",
        ),
    ],
    ids=["two 5s of a hand", "a nearer 5 elsewhere", "of two kinds", "nobody has it"],
)
def test_only_what_the_guide_forbids_is_a_slip(
    hands: list[str], moves: tuple[str, ...], action: str, slip: str
) -> None:
    position, game = _played(hands, 11, *moves, draws="g1")
    found = slips(game.view(position.seat), position.action(action), 11)
    assert [str(each.says) for each in found] == [slip] * bool(slip)


@pytest.mark.parametrize("level", [2, 5])
def test_a_card_that_its_giver_does_not_know_leads_to_nothing(level: int) -> None:
    """Bob's y1 and b1 are any 1s to him, so his 2 to Cathy counts on a 1 of her own."""
    hands = ["p4 y4 r4 y2 b4", "g3 y1 p4 b1 r3", "p1 p2 y5 b3 r4"]
    game = Position(hands, level).go("clue B 1", "clue C 2")
    assert (game.belief("C2"), game.blind(), game.plays("C")) == ("r2 g2 p2", "C1", "C1")


@pytest.mark.parametrize("level", [4, 8])
def test_a_card_known_by_elimination_is_accounted_for(level: int) -> None:
    """Alice's second purple card can only be p5, so all others are useless: a Trash Chop Move."""
    hands = ["b4 p4 p5 g4 y3", "y3 r4 g1 y4 b3", "r4 y4 r3 p1 g3"]
    game = Position(hands, level, piles="p3", first="C", draws="g4", tokens=7)
    game.go("clue A purple", "play 2", "clue C purple")
    assert [game.moved(by) for by in "ABC"] == ["C5"] * 3


@pytest.mark.parametrize("level", [3, 5])
def test_a_hint_that_shows_a_copy_is_a_fix_and_nothing_else(level: int) -> None:
    """Red shows Alice's 1 to be the r1 that Cathy holds; the new red card is not to be played."""
    hands = ["r4 g4 p4 b4 r1", "y4 b3 g3 p3 y3", "r1 p4 g4 b4 y4"]
    game = Position(hands, level, first="B", draws="p3", tokens=6)
    game.go("clue A 1", "discard 5", "clue C red", "clue A red")
    assert (game.belief("A1"), game.plays("A"), game.plays("C")) == ("r2 r3 r4 r5", "A5", "C2")


@pytest.mark.parametrize("level", [3, 6])
def test_a_later_number_1_sets_the_order_of_1s_anew(level: int) -> None:
    hands = ["p4 g4 p3 b3 y4", "g4 r4 y1 p1 b1"]
    game = Position(hands, level, draws="r1 p3").go("clue B 1", "play 4", "clue B 1")
    assert game.plays("B") == "B1 B5 B4"


@pytest.mark.parametrize("level", [1, 7])
def test_what_the_focus_must_be_is_useless_beside_it(level: int) -> None:
    hands = ["b4 y2 g3 g1 g5", "r4 p4 b3 y4 y1", "p4 y3 r2 p3 y5"]
    game = Position(hands, level, piles="g4", first="B", tokens=6).go("clue A green")
    assert (game.belief("A5"), game.plays("A")) == ("g5", "A5")
    mind = game.minds[0]
    assert [game.name(order) for order in mind.useless(0)] == ["A4", "A3"]


def test_a_shout_discards_such_a_card() -> None:
    hands = ["p4 g4 p3 b3 y4", "g4 r4 y1 b3 p1", "p4 y3 r2 p3 b2"]
    game = Position(hands, 7, piles="r1 y1 b1 g1", first="C", tokens=5)
    game.go("clue B 1", "clue C 2", "discard 3")
    assert [game.moved(by) for by in "ABC"] == ["C4"] * 3


@pytest.mark.parametrize(
    ("hand", "out", "hint", "belief", "plays"),
    [("y1 r1 b1 g4 r4", "", "red", "r1", "A3 A2"), ("y1 r1 b1 g4 b4", "b4", "blue", "b1", "A2 A3")],
)
def test_a_layer_is_playable_and_the_promise_moves_on(
    hand: str, out: str, hint: str, belief: str, plays: str
) -> None:
    """Whether a hint touches the layer, or the card under it."""
    hands = [hand, "g3 r5 b2 p1 p4", "y4 g2 p4 g5 p3"]
    game = Position(hands, 5, first="C", out=out, draws="p3")
    game.go("clue B blue", "play 1", f"clue A {hint}")
    assert (game.belief("A2" if hint == "red" else "A3"), game.plays("A")) == (belief, plays)


@pytest.mark.parametrize("level", [5, 11])
def test_a_layer_that_is_due_later_changes_places(level: int) -> None:
    """Alice's g1 and b1 lie the other way round: the first proves b1, so the second is g1."""
    hands = ["b1 g1 p4 y4", "r3 b4 p3 y5", "b2 y4 r4 p3", "g2 y3 r4 p4"]
    game = Position(hands, level, first="B", draws="p5 y2 r5")
    game.go("clue D green", "clue B 5", "clue C blue", "play 1")
    assert (game.plays("A"), game.belief("A2")) == ("A2", "g1")


@pytest.mark.parametrize("level", [5, 11])
def test_a_finesse_goes_on_to_whoever_sees_its_card_discarded(level: int) -> None:
    """Cathy takes r2 for Alice's, and discards hers: so Alice has the other one."""
    hands = ["r2 g4 p3 b4 y4", "p4 y4 y3 g3 b3", "r2 y5 b5 r3 g5"]
    game = Position(hands, level, piles="r1", first="A", tokens=6)
    game.go("clue C 5", "clue C 3", "discard 1")
    assert (game.plays("A"), game.belief("A1")) == ("A1", "r2")


@pytest.mark.parametrize("level", [1, 5, 11])
def test_a_prompt_on_oneself_comes_before_a_finesse_on_another(level: int) -> None:
    """Alice's saved 2 is prompted, although Cathy has drawn the other r2."""
    hands = ["p4 g4 b4 r2", "y4 g3 b3 p3", "g4 b4 p3 y3", "r3 y4 p4 g3"]
    game = Position(hands, level, piles="r1", first="D", tokens=3, draws="y3 p1 r2 b1 y2")
    game.go("clue A 2", "discard 3", "discard 4", "discard 4", "discard 4", "discard 3")
    game.go("clue D red")
    assert [game.belief("A4", by) for by in "ABCD"] == ["r2"] * 4
    assert (game.plays("A"), game.blind()) == ("A4", "")


@pytest.mark.parametrize("level", [2, 5])
def test_after_an_error_its_target_believes_nothing_of_the_hint(level: int) -> None:
    """Bob is to have r1, plays y4 and errs: nobody takes Cathy's red card for a playable one."""
    hands = ["p4 g4 b4 p3 y3", "y4 g3 b3 p3 r4", "g4 r2 b4 p4 y3"]
    game = Position(hands, level, tokens=6).go("clue C red", "play 1")
    assert (game.plays("C"), game.blind()) == ("", "")


@pytest.mark.parametrize("level", [5, 11])
def test_a_hint_that_touches_a_finessed_card_beside_its_focus_ends_nothing(level: int) -> None:
    """Cathy's y2 waits for a turn; Bob's 2 is about her r2, and Donald's yellow card stays y3."""
    hands = ["p4 g4 b4 p5", "p4 g3 b3 r4", "y2 b4 r2 g3", "g4 p3 b3 y3"]
    game = Position(hands, level, piles="y1 r1", tokens=6).go("clue D yellow", "clue C 2")
    assert (game.plays("D"), game.belief("D4")) == ("", "y2 y3")
    game.go("play 1")
    assert game.belief("D4") == "y3"


@pytest.mark.parametrize("level", [5, 11])
def test_a_card_drawn_later_is_not_the_finessed_one(level: int) -> None:
    """Bob passes twice, so it is on Cathy: her r1 is slot 2 by then."""
    hands = ["p4 g4 b4 p3", "r1 p3 g4 p4", "r1 b4 y4 b5", "r2 g3 y4 b3"]
    game = Position(hands, level, tokens=6, draws="p1 g1 b1 y3")
    game.go("clue D red", "clue C 5", "discard 3", "discard 4", "discard 4", "discard 4")
    assert (game.plays("C"), game.plays("D")) == ("C2", "")


@pytest.mark.parametrize("level", [2, 5])
def test_the_first_of_two_missing_cards_shows_the_color_of_the_second(level: int) -> None:
    hands = ["p4 g4 b4 p3 r4", "y3 y1 y2 r4 g4", "g4 b3 p4 p3 r4"]
    game = Position(hands, level, tokens=6, draws="r3").go("clue B 3")
    assert (game.plays("B"), game.belief("B2")) == ("B2", "r1 y1 g1 b1")
    game.go("play 2")
    assert (game.plays("B"), game.belief("B3"), game.belief("B2")) == ("B3", "y2", "y3")


def test_another_copy_is_as_good() -> None:
    """Number 2 saves r2 on Bob's chop or on Cathy's; on Bob's it touches g2 and p2 as well."""
    hands = ["p4 g4 b4 r4 r3", "y4 g2 b4 p2 r2", "g4 b3 y3 p4 r2"]
    position = Position(hands, 1)
    deck = [position.minds[0].deal.cards[kind] for kind in position.deck]
    found = exercise_of(Game.start(position.rules, deck).view(0), 1)
    assert found is not None
    assert (found.action, found.also) == (
        position.action("clue B 2"),
        (position.action("clue C 2"),),
    )
    assert mark(found, position.action("clue C 2")).is_right
    assert not mark(found, position.action("clue C 3")).is_right


def test_who_did_not_play_at_once_was_not_bluffed() -> None:
    """Bob saves Cathy's p5 first, so her r2 waits for an r1 of his, below his y1."""
    hands = ["y4 p4 g4 p4 b4", "y1 r1 b3 g4 b4", "g3 b3 r2 y3 p5"]
    game = Position(hands, 11, draws="g1 g1").go("clue C red", "clue C 5", "discard 4")
    game.go("discard 5", "play 1")
    assert [game.belief("B2", by) for by in "ABC"] == ["r1"] * 3
    assert (game.blind(), game.plays("C")) == ("B2", "")
    game.go("discard 3", "discard 5", "play 2")
    assert game.belief("C4") == "r2"
