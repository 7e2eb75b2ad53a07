"""Moves in words, of real games with suits where playing and discarding change places, too."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from hanabi.rules.actions import Kind
from hanabi.rules.notation import GameRecord, parse_input
from hanabi.rules.replay import replay
from hanabi.rules.telling import moved_card, outcome, told

GAMES = Path(__file__).parents[2] / "data" / "hanab_live" / "games"


@pytest.mark.parametrize("name", ["1885550", "1885855", "2906", "1892115"])
def test_what_is_told_is_what_became_of_the_card(name: str) -> None:
    record = parse_input((GAMES / f"{name}.json").read_text("utf-8"))
    assert isinstance(record, GameRecord)
    seen = set()
    for before, after in pairwise(replay(record)):
        action, seat = after.actions[-1], before.seat_to_act
        words = told(record.names, before, after)
        views = [told(record.names, before.view(n), after.view(n)) for n in range(record.players)]
        assert set(views) == {words}
        if action.is_hint:
            assert words.endswith(
                f"({len(before.touched(action))} cards)".replace("(1 cards", "(1 card")
            )
            continue
        card = moved_card(before, after)
        assert card == before.hands[seat][action.target]
        discarded = len(after.discards) - len(before.discards)
        verb = {"play": "plays", "discard": "discards", "misplay": "misplays"}[
            outcome(before, after)
        ]
        assert words.startswith(f"{verb} ")
        assert discarded == (verb != "plays")
        assert (after.lives < before.lives) == (verb == "misplays") == ("life is lost" in words)
        is_odd = before.rules.is_inverted(card)
        assert (" by a " in words) == is_odd
        if not is_odd:
            assert (verb == "discards") == (action.kind is Kind.DISCARD)
        seen.add((verb, is_odd))
    assert {verb for verb, _ in seen} >= {"plays", "discards"}
