"""The chances of a seat's own cards in whole games, held against all hands that the hints allow.

Hints are followed from the deal and copies are counted anew, without the package's own knowledge.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import prod

import numpy as np
import pytest

from hanabi.env import Expert
from hanabi.rules import Game, Kind, Rules
from hanabi.rules.cards import Card

MOST = 3_000  # combinations of cards to try for a hand


def fitting(game: Game, seat: int) -> list[list[Card]]:
    """Return the cards that each slot of a seat may hold by the hints that it was in."""
    spec = game.rules.spec
    all_cards = sorted({*spec.cards()})
    fits = dict.fromkeys(range(game.rules.deck_size), all_cards)
    past = Game.start(game.rules, game.deck)
    for action in game.actions:
        if action.kind in (Kind.HINT_COLOR, Kind.HINT_RANK):
            field = 0 if action.kind == Kind.HINT_COLOR else 1
            for index in past.hand_indices[action.target]:
                is_touched = past.deck[index][field] == action.value
                fits[index] = [
                    card for card in fits[index] if (card[field] == action.value) is is_touched
                ]
        past = past.apply(action)
    return [fits[index] for index in game.hand_indices[seat]]


def unseen_by(game: Game, seat: int) -> Counter[Card]:
    """Return the copies that a seat does not see: its own hand and those left to draw."""
    places = {
        *game.hand_indices[seat],
        *range(game.rules.deck_size - game.deck_left, len(game.deck)),
    }
    return Counter(game.deck[place] for place in places)


def chances(fits: list[list[Card]], unseen: Counter[Card]) -> list[dict[Card, Fraction]]:
    """Return the chance of each card in each slot, by trying all hands, copies told apart."""
    found = [Counter[Card]() for _ in fits]

    def fill(hand: list[Card], ways: int) -> None:
        if len(hand) == len(fits):
            for slot, card in enumerate(hand):
                found[slot][card] += ways
            return
        for card in fits[len(hand)]:
            left = unseen[card] - hand.count(card)
            if left > 0:
                fill([*hand, card], ways * left)

    fill([], 1)
    return [{card: Fraction(ways, each.total()) for card, ways in each.items()} for each in found]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("player", ["rule-based", "convention"])
def test_posteriors_in_whole_games(player: str, seats: int) -> None:
    rules = Rules.hle(seats)
    expert = Expert(player, rules, seed=49, posteriors=True)
    moves = expert.play(games=6)
    assert moves.posteriors is not None
    row = checked = 0
    for deal in range(6):
        game = Game.start(rules, rules.spec.shuffle(49, deal))
        while not game.is_over:
            seat = game.seat_to_act
            unseen = unseen_by(game, seat)
            fits = [[card for card in slot if unseen[card]] for slot in fitting(game, seat)]
            if prod(map(len, fits)) <= MOST:
                checked += 1
                expected = np.zeros((rules.hand_size, rules.colors * rules.ranks), np.float32)
                for slot, each in enumerate(chances(fits, unseen)):
                    for card, chance in each.items():
                        expected[slot, card.color * rules.ranks + card.rank - 1] = float(chance)
                assert (moves.posteriors[row] == expected).all(), (deal, game.turn)
            game = game.apply(expert.layout.action(int(moves.actions[row]), seat))
            row += 1
    assert row == len(moves.actions)
    assert checked > 30
