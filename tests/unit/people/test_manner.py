"""How teams play: what is known of cards that they play, and how often they hint."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

import pytest

from hanabi.lab import Recorded
from hanabi.people.manner import Manner, manner_of
from hanabi.rules import (
    Action,
    Card,
    Game,
    Kind,
    Rules,
    discard,
    find_variant,
    follow,
    hint_color,
    hint_rank,
    play,
)

R, Y, G, B, P = range(5)


def deal_of(cards: str, rules: Rules) -> Game:
    """Return a deal of two hands, oldest card first, and then the rest of the deck."""
    first = [Card("rygbp".index(text[0]), int(text[1])) for text in cards.split()]
    left = list(rules.spec.shuffle(seed=1))
    for card in first:
        left.remove(card)
    return Game.start(rules, (*first, *left))


def measured(positions: Sequence[Game]) -> Manner:
    return manner_of(
        [
            (before.view(before.seat_to_act), after.actions[-1])
            for before, after in pairwise(positions)
        ]
    )


PLAIN = Rules.official(2)
HANDS = "r1 r2 y1 y2 g1  b1 b2 p1 p2 g2"


@pytest.mark.parametrize(
    ("hands", "actions", "told", "hints", "turns"),
    [
        (HANDS, [play(0)], [0], 0, 1),
        (HANDS, [hint_rank(1, 2), discard(0)], [], 1, 2),
        # A color, a rank, both; the same hint twice tells nothing new.
        (HANDS, [hint_color(1, B), play(0)], [0.5], 1, 2),
        (HANDS, [hint_color(1, B), hint_rank(0, 1), hint_rank(1, 1), play(0), play(0)], [1, 0.5],
         3, 5),
        (HANDS, [hint_rank(1, 1), hint_rank(0, 1), hint_rank(1, 1), play(2)], [0.5], 3, 4),
        # An error is a play.
        (HANDS, [hint_rank(1, 2), play(1)], [0.5], 1, 2),
        # p2 is the only card of seat 1 that four colors leave out.
        ("r2 r2 y2 y2 g2  r1 y1 g1 b1 p2",
         [*(each for c in (R, Y, G) for each in (hint_color(1, c), hint_rank(0, 2))),
          hint_color(1, B), play(4)], [0.5], 7, 8),
        # A turn without a token is no chance to hint.
        (HANDS, [*[hint_rank(1, 1), hint_rank(0, 1)] * 4, play(0)], [0.5], 8, 8),
    ],
)  # fmt: skip
def test_what_a_game_adds(
    hands: str, actions: list[Action], told: list[float], hints: int, turns: int
) -> None:
    found = measured(follow(deal_of(hands, PLAIN), actions))
    assert (found.seats, found.told) == (2, told)
    assert (sum(found.hints), len(found.hints)) == (hints, turns)


def test_a_color_is_known_in_variants_only_if_one_is_left() -> None:
    rules = Rules.hanab_live(2, variant=find_variant("Rainbow (5 Suits)"))
    rainbow = rules.colors - 1
    cards = [Card(rainbow, 1), Card(R, 1), Card(R, 2), Card(Y, 2), Card(G, 2)]
    left = list(rules.spec.shuffle(seed=1))
    others = [Card(B, 1), Card(B, 2), Card(B, 3), Card(Y, 3), Card(G, 3)]
    for card in (*cards, *others):
        left.remove(card)
    deal = Game.start(rules, (*others, *cards, *left))
    once = [hint_color(1, R), play(0)]
    twice = [hint_color(1, R), hint_rank(0, 3), hint_color(1, Y), play(0)]
    assert [measured(follow(deal, each)).told for each in (once, twice)] == [[0], [0.5]]


def naive(end: Game) -> Manner:
    """Count from the deck alone, card by card: the tokens, and what hints leave."""
    told, hints = list[float](), list[float]()
    heard = defaultdict[int, list[tuple[Action, bool]]](list)
    for game, action in zip(follow(end.deal, end.actions), end.actions, strict=False):
        seat, is_hint = game.seat_to_act, action.kind in (Kind.HINT_COLOR, Kind.HINT_RANK)
        if game.hints >= 1:
            hints.append(is_hint)
        if is_hint:
            for index in game.hand_indices[action.target]:
                card = end.deck[index]
                named = card.color if action.kind == Kind.HINT_COLOR else card.rank
                heard[index].append((action, named == action.value))
        elif action.kind == Kind.PLAY:
            told_of = heard[game.hand_indices[seat][action.target]]
            told.append(0)
            for kind, values in ((Kind.HINT_COLOR, range(5)), (Kind.HINT_RANK, range(1, 6))):
                answers = [(each.value, is_it) for each, is_it in told_of if each.kind == kind]
                left = [v for v in values if all((v == w) == is_it for w, is_it in answers)]
                told[-1] += 0.5 * (len(left) == 1)
    return Manner(end.rules.seats, told, hints)


@pytest.mark.parametrize("player", ["piers", "rule-based", "random"])
@pytest.mark.parametrize("seats", [2, 4])
def test_it_is_that_of_a_naive_count(player: str, seats: int) -> None:
    work = Recorded((player,), Rules.hanab_live(seats), seed=3)
    for end in work.ends(work.run(0, 5)):
        assert end is not None
        assert measured(follow(end.deal, end.actions)) == naive(end)
