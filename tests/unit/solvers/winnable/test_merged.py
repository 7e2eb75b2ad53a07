import pytest

from hanabi import DeckSpec
from hanabi.rules import Rules
from hanabi.solvers.winnable import Position, refute
from hanabi.solvers.winnable.search import Workspace, merged


def position(rules: Rules, text: str) -> Position:
    return Position.start(rules, [("ry".index(card[0]), int(card[1])) for card in text.split()])


def small(copies: tuple[int, ...], *, hand: int, final: int | None = None) -> Rules:
    return Rules(spec=DeckSpec((copies,)), seats=1, hand_size=hand, final_round=final)


@pytest.mark.parametrize(
    ("copies", "hand", "final", "deck", "name"),
    [
        ((1, 0), 1, 1, "r1", "missing card"),
        ((1, 1, 1), 1, None, "r3 r1 r2", "full hands"),
        ((3, 1), 1, 0, "r1 r1 r2 r1", ""),
        ((2, 1), 1, 0, "r1 r1 r2", "pace"),
        ((1, 2, 2), 1, None, "r3 r2 r1 r2 r3", ""),
        ((2, 2, 1), 1, 1, "r2 r3 r1 r1 r2", "squeeze"),
    ],
)
def test_reasons_have_their_names(
    copies: tuple[int, ...], hand: int, final: int | None, deck: str, name: str
) -> None:
    start = position(small(copies, hand=hand, final=final), deck)
    refutation = refute(start, (len(copies),))
    assert (refutation.name if refutation else "") == name
    assert str(merged(Workspace(start, (len(copies),)))) == ("unwinnable" if name else "winnable")


def test_a_proof_can_be_read() -> None:
    refutation = refute(position(small((2, 2, 1), hand=1, final=1), "r2 r3 r1 r1 r2"), (3,))
    assert str(refutation) == (
        "squeeze: even with one common hand and unlimited hints, with 4 cards left to draw"
        " each of its 1 card is still needed and none can be played; at most one comes again, and"
        " discarding it loses too\n"
        "after 1 cards: all 1 cards in hand are needed: r2; only r2 can be dropped\n"
        "drop r2:\n"
        "  after 2 cards: all 1 cards in hand are needed: r3; none of them comes again"
    )


def test_merged_hands_branch() -> None:
    rules = Rules(spec=DeckSpec(((1, 2), (1, 2))), seats=1, hand_size=1, final_round=None)
    refutation = refute(position(rules, "r2 y2 y2 r2 r1 y1"), (2, 2))
    assert refutation is not None
    assert refutation.choices >= 1
    assert refutation.steps[0].startswith("after 1 cards")
