"""Proofs by who holds the last cards against exhaustive search, on small random games."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi import Card, Deck, DeckSpec
from hanabi.rules import Game, Rules
from hanabi.solvers.winnable import Position
from hanabi.solvers.winnable.pace import Refuter
from hanabi.solvers.winnable.reasons import LabelledRelaxation, refute_distribution
from oracles.winnable import Table, successors

copies = st.lists(st.sampled_from((1, 1, 2, 2, 3)), min_size=2, max_size=4)
specs = st.lists(copies, min_size=1, max_size=3).map(
    lambda rows: DeckSpec(tuple(tuple(row) for row in rows))
)


@st.composite
def deals(draw: st.DrawFn) -> tuple[Rules, Deck]:
    """A small rule set, generous with tokens so that turns decide, and a deck."""
    spec = draw(specs.filter(lambda spec: 4 <= spec.size <= 10))
    seats = draw(st.sampled_from((2, 2, 3, 1, 4)).filter(lambda seats: seats <= spec.size))
    rules = Rules(
        spec=spec,
        seats=seats,
        hand_size=draw(st.integers(1, min(3, spec.size // seats))),
        hints=draw(st.sampled_from((4, 4, 1, 0))),
        lives=draw(st.sampled_from((3, 1))),
        discard_at_full_hints=draw(st.booleans()),
    )
    rules = replace(rules, final_round=draw(st.sampled_from((seats, seats, seats, 0, 1, 5, None))))
    return rules, Deck(draw(st.permutations(list(spec.cards()))))


def as_table(position: Position) -> Table:
    hands = tuple(
        tuple(sorted((position.deck[i].color, position.deck[i].rank) for i in hand))
        for hand in position.hands
    )
    return Table(
        position.piles, hands, position.drawn, position.hints, position.lives, position.seat,
        position.turns_left,
    )  # fmt: skip


def can_reach(rules: Rules, deck: Deck, table: Table, goal: tuple[int, ...]) -> bool:
    """Try every sequence of actions."""
    known: set[Table] = set()
    stack = [table]
    while stack:
        table = stack.pop()
        if all(have >= want for have, want in zip(table.piles, goal, strict=True)):
            return True
        for after in successors(rules, deck, table):
            if after.lives and after not in known:
                known.add(after)
                stack.append(after)
    return False


@settings(max_examples=400)
@given(deals(), st.data())
def test_no_choice_of_labelled_cards_refutes_what_can_be_won(
    deal: tuple[Rules, Deck], data: st.DataObject
) -> None:
    rules, deck = deal
    game = Game.start(rules, deck)
    for _ in range(data.draw(st.integers(0, 6))):
        if game.is_over:
            return
        actions = game.legal_actions
        game = game.apply(actions[data.draw(st.integers(0, len(actions) - 1))])
    if game.is_over:
        return
    position = Position.of_game(game)
    points = data.draw(st.integers(position.score + 1, rules.max_score))
    goals = list(position.goals(points))
    goal = goals[data.draw(st.integers(0, len(goals) - 1))]
    needed = [Card(color, rank) for color, top in enumerate(goal) for rank in range(1, top + 1)]
    labels = data.draw(st.sets(st.sampled_from(needed)))
    merged = Refuter(position, goal)
    relaxation = LabelledRelaxation(position, frozenset(labels), merged, 1_000_000)
    lost = relaxation.is_lost(relaxation.start)
    if lost or refute_distribution(position, goal) is not None:
        assert not can_reach(rules, deck, as_table(position), goal)
