"""Features of actions, against what the view alone shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest

from hanabi.conventions import HGroup
from hanabi.ground import Stream
from hanabi.people.features import COLUMNS, FEATURES, features_of
from hanabi.rules import Card, Game, Kind, Rules, View


@cache
def views(seats: int) -> list[View]:
    """Return the views of those to act in a game of `hgroup`, with an error now and then."""
    rules, player, found = Rules.hanab_live(seats), HGroup(5), list[View]()
    game = Game.start(rules, rules.spec.shuffle(seed=seats))
    while game.can_act:
        view = game.view(game.seat_to_act)
        found.append(view)
        ranked = player.ranked(view)
        game = game.apply(ranked[3 if game.turn % 11 == 10 else 0])
    return found


def rows(seats: int) -> Iterator[tuple[View, dict[str, object]]]:
    for view in views(seats)[:: 5 if seats > 2 else 3]:
        found = features_of(view)
        assert np.isfinite(found).all()
        yield view, {label: found[:, at] for label, at in COLUMNS.items()}


def test_every_feature_has_a_name_of_its_own_and_a_meaning() -> None:
    assert len(COLUMNS) == len(FEATURES)
    assert {each.of for each in FEATURES} == {"any", "play", "discard", "hint"}
    assert all(each.meaning and each.group for each in FEATURES)


@pytest.mark.parametrize("seats", [2, 4])
def test_they_say_what_a_naive_look_at_the_view_says(seats: int) -> None:
    for view, found in rows(seats):
        rules = view.rules
        best = [HGroup(level).act(view, Stream(1)) for level in (1, 11)]
        for at, action in enumerate(view.legal_actions):
            row = {label: values[at] for label, values in found.items()}  # type: ignore[index]
            assert row["any: first1"] == (action == best[0])
            assert row["any: first11"] == (action == best[1])
            assert row["play: always"] == (action.kind is Kind.PLAY)
            if action.is_hint:
                hand = [view.deck[index] for index in view.hand_indices[action.target]]
                touched = [card for card in hand if card and rules.touches(action, card)]
                playable = {card for card in touched if view.piles[card.color] == card.rank - 1}
                assert row["hint: playable-cards"] <= len(playable)
                assert row["hint: color"] == bool(touched and action.kind is Kind.HINT_COLOR)
                continue
            of = "play" if action.kind is Kind.PLAY else "discard"
            assert row[f"{of}: last-cards"] == (view.deck_left <= 3)
            assert row[f"{of}: told-now"] == (
                view.turn - 1 in view.hinted_at[view.seat][action.target]
            )
            assert row[f"{of}: score"] == pytest.approx(view.score / rules.max_score)
            order = view.hand_indices[view.seat][action.target]
            assert row[f"{of}: p-playable-hints"] == pytest.approx(
                chance(view, order, playable=True)
            )
            assert row[f"{of}: p-useless-hints"] == pytest.approx(
                chance(view, order, playable=False)
            )


def chance(view: View, order: int, *, playable: bool) -> float:
    """Return the chance that an own card is playable, or played already or lost, by hints."""
    copies, gone = view.rules.spec.counts(), Counter[Card]()
    seen = Counter(card for card in view.deck if card is not None)
    for event in view.events:
        if event.card is not None:
            gone[event.card] += 1
    slot = view.hand_indices[view.seat].index(order)
    drawn_at = view.drawn_at[view.seat][slot]
    drawn = -1 if drawn_at is None else drawn_at
    left = dict[Card, int]()
    for card in copies:
        if seen[card] < copies[card] and all(
            view.rules.touches(hint.action, card) == (order in hint.cards)
            for hint in view.past_hints
            if hint.action.target == view.seat and hint.turn > drawn
        ):
            left[card] = copies[card] - gone[card]
    good = 0
    for card, number in left.items():
        height = view.piles[card.color]
        lost = any(
            gone[Card(card.color, rank)] >= copies[Card(card.color, rank)]
            for rank in range(height + 1, card.rank + 1)
        )
        is_useless = card.rank <= height or lost
        good += number * (card.rank == height + 1 and not lost if playable else is_useless)
    return good / sum(left.values())


def test_hidden_cards_do_not_matter() -> None:
    rules = Rules.hanab_live(3)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    other = Game.start(rules, (*game.deck[:15], *reversed(game.deck[15:])))
    assert (features_of(game.view(0)) == features_of(other.view(0))).all()
