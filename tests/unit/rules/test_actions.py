"""Actions and their numbers, which are the kernel's."""

from __future__ import annotations

from itertools import product

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.rules import (
    Action,
    EndReason,
    Kind,
    discard,
    discard_deck,
    hint_color,
    hint_rank,
    layout,
    play,
    play_deck,
)
from hanabi.rules.kernels.packed import action_code


@pytest.mark.parametrize("action", [Action(*parts) for parts in product(Kind, (0, 3, 60), (0, 31))])
def test_codes_are_the_kernels(action: Action) -> None:
    assert action.code == action_code(action.kind, action.target, action.value)
    assert Action.from_code(action.code) == action


def test_numbers_are_the_kernels() -> None:
    assert {kind.name: kind.value for kind in Kind} == {
        name: getattr(layout, name) for name in ("PLAY", "DISCARD", "HINT_COLOR", "HINT_RANK")
    } | {"PLAY_DECK": layout.PLAY_DECK, "DISCARD_DECK": layout.DISCARD_DECK}
    assert [reason.value for reason in EndReason] == [
        getattr(layout, reason.name) for reason in EndReason
    ]


@pytest.mark.parametrize("action", [play(-1), hint_rank(0, 32), hint_color(1, -1)])
def test_what_has_no_code(action: Action) -> None:
    with pytest.raises(InvalidInputError, match="is not an action"):
        _ = action.code


@pytest.mark.parametrize("code", [-1, 6, 7, 14, 15])
def test_codes_of_nothing(code: int) -> None:
    with pytest.raises(InvalidInputError, match=str(code)):
        Action.from_code(code)


def test_in_words() -> None:
    hints = hint_color(1, 5), hint_color(0, 6), hint_rank(3, 2)
    actions = play(0), discard(4), *hints, play_deck(), discard_deck()
    assert [str(action) for action in actions] == [
        "play slot 0",
        "discard slot 4",
        "hint teal to seat 1",
        "hint color 6 to seat 0",
        "hint 2 to seat 3",
        "play the deck's last card",
        "discard the deck's last card",
    ]
    assert [action.is_hint for action in actions] == [False, False, True, True, True, False, False]
