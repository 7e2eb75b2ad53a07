"""The argument by pace against exhaustive search, and against the hand without limits."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi import Card, Deck
from hanabi.rules import Game, Rules
from hanabi.solvers.winnable import Position
from hanabi.solvers.winnable.pace import refute_by_pace
from property.test_last_round import as_table, can_reach, deals


def is_lost_without_limits(position: Position, goal: tuple[int, ...]) -> bool:
    """Play one card that fits for each that is drawn; the deck's order is all that counts."""
    secured = {position.deck[index] for hand in position.hands for index in hand}
    piles, drawn = list(position.piles), position.drawn
    turns = position.rules.final_round if position.turns_left is None else position.turns_left

    def play() -> None:
        for color, top in enumerate(goal):
            if piles[color] < top and Card(color, piles[color] + 1) in secured:
                piles[color] += 1
                return

    for card in position.deck[drawn:]:
        play()
        secured.add(card)
    for _ in range(sum(goal) if turns is None else turns):
        play()
    return tuple(piles) != goal


@settings(max_examples=400)
@given(deals(), st.data())
def test_it_refutes_what_a_hand_without_limits_loses_and_nothing_that_can_be_won(
    deal: tuple[Rules, Deck], data: st.DataObject
) -> None:
    rules, deck = deal
    game = Game.start(rules, deck)
    for _ in range(data.draw(st.integers(0, 6))):
        actions = game.legal_actions
        if not actions:
            return
        game = game.apply(actions[data.draw(st.integers(0, len(actions) - 1))])
    if game.is_over:
        return
    position = Position.of_game(game)
    points = data.draw(st.integers(position.score + 1, rules.max_score))
    goals = list(position.goals(points))
    goal = goals[data.draw(st.integers(0, len(goals) - 1))]
    refutation = refute_by_pace(position, goal)
    assert (refutation is not None) is is_lost_without_limits(position, goal)
    if refutation is not None:
        assert not can_reach(rules, deck, as_table(position), goal)
