from __future__ import annotations

import math
from collections import defaultdict
from statistics import stdev

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.lab import Recorded
from hanabi.lab.manner import Counts, count_manner, manner_of
from hanabi.lab.stats import estimate_ratio
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


PLAIN = Rules.official(2)
HANDS = "r1 r2 y1 y2 g1  b1 b2 p1 p2 g2"


@pytest.mark.parametrize(
    ("hands", "actions", "counts"),
    [
        (HANDS, [play(0)], Counts(told=0, plays=1, hints=0, chances=1)),
        (HANDS, [hint_rank(1, 2), discard(0)], Counts(told=0, plays=0, hints=1, chances=2)),
        # A color, a rank, both; the same hint twice tells nothing new.
        (HANDS, [hint_color(1, B), play(0)], Counts(told=1, plays=1, hints=1, chances=2)),
        (
            HANDS,
            [hint_color(1, B), hint_rank(0, 1), hint_rank(1, 1), play(0), play(0)],
            Counts(told=2 + 1, plays=2, hints=3, chances=5),
        ),
        (
            HANDS,
            [hint_rank(1, 1), hint_rank(0, 1), hint_rank(1, 1), play(2)],
            Counts(told=1, plays=1, hints=3, chances=4),
        ),
        # An error is a play.
        (HANDS, [hint_rank(1, 2), play(1)], Counts(told=1, plays=1, hints=1, chances=2)),
        # p2 is the only card of seat 1 that four colors leave out.
        (
            "r2 r2 y2 y2 g2  r1 y1 g1 b1 p2",
            [
                *(each for c in (R, Y, G) for each in (hint_color(1, c), hint_rank(0, 2))),
                hint_color(1, B),
                play(4),
            ],
            Counts(told=1, plays=1, hints=7, chances=8),
        ),
        # A turn without a token is no chance to hint.
        (
            HANDS,
            [*[hint_rank(1, 1), hint_rank(0, 1)] * 4, play(0)],
            Counts(told=1, plays=1, hints=8, chances=8),
        ),
    ],
)
def test_what_a_game_counts(hands: str, actions: list[Action], counts: Counts) -> None:
    assert count_manner(follow(deal_of(hands, PLAIN), actions)) == counts


def test_what_follows_the_end_does_not_count() -> None:
    errors = [play(1), play(1), play(2)]
    games = follow(deal_of(HANDS, PLAIN), [*errors, play(0)], after_end=True)
    assert games[3].is_over
    assert count_manner(games) == Counts(told=0, plays=3, hints=0, chances=3)


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
    assert [count_manner(follow(deal, each)).told for each in (once, twice)] == [0, 1]


def naive(end: Game) -> Counts:
    """Count from the deck alone, card by card: the tokens, and what hints leave."""
    told = plays = hints = chances = 0
    heard = defaultdict[int, list[tuple[Action, bool]]](list)
    for game, action in zip(follow(end.deal, end.actions), end.actions, strict=False):
        chances += game.hints >= 1
        seat = game.seat_to_act
        if action.kind in (Kind.HINT_COLOR, Kind.HINT_RANK):
            hints += 1
            for index in game.hand_indices[action.target]:
                card = end.deck[index]
                named = card.color if action.kind == Kind.HINT_COLOR else card.rank
                heard[index].append((action, named == action.value))
        elif action.kind == Kind.PLAY:
            plays += 1
            told_of = heard[game.hand_indices[seat][action.target]]
            for kind, values in ((Kind.HINT_COLOR, range(5)), (Kind.HINT_RANK, range(1, 6))):
                answers = [(each.value, is_it) for each, is_it in told_of if each.kind == kind]
                left = [v for v in values if all((v == w) == is_it for w, is_it in answers)]
                told += len(left) == 1
    return Counts(told, plays, hints, chances)


@pytest.mark.parametrize("player", ["piers", "rule-based", "random"])
@pytest.mark.parametrize("seats", [2, 4])
def test_counts_are_those_of_a_naive_count(player: str, seats: int) -> None:
    work = Recorded((player,), Rules.hanab_live(seats), seed=3)
    for end in work.ends(work.run(0, 5)):
        assert end is not None
        assert count_manner(follow(end.deal, end.actions)) == naive(end)


def test_errors_are_over_games() -> None:
    games = [Counts(1, 2, 1, 4), Counts(3, 2, 2, 4), Counts(0, 2, 2, 4)]
    found = manner_of(games)
    assert (found.games, found.plays, found.chances) == (3, 6, 12)
    assert found.information.value == pytest.approx(4 / 12)
    # With equal wholes the ratio is a plain mean.
    assert found.information.standard_error == pytest.approx(stdev([1, 3, 0]) / 4 / math.sqrt(3))
    assert found.communicativeness.value == pytest.approx(5 / 12)
    many = estimate_ratio([1, 3, 0] * 100, [4, 8, 2] * 100)
    assert many.standard_error == pytest.approx(
        math.sqrt(sum((a - 2 / 7 * b) ** 2 for a, b in ((1, 4), (3, 8), (0, 2))) / 3)
        / (14 / 3)
        / math.sqrt(299)
    )
    assert many.low < many.value < many.high


def test_what_has_no_manner() -> None:
    with pytest.raises(InvalidInputError, match="no games"):
        manner_of([])
    one = manner_of([Counts(0, 0, 0, 3)])
    assert math.isnan(one.information.value)
    assert one.communicativeness.value == 0
    assert math.isnan(one.communicativeness.standard_error)
