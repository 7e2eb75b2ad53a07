"""Labels of environments, against enumeration of all hands and of all deals."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import sqrt
from typing import Any

import numpy as np
import pytest

from hanabi.env import VectorEnv, posteriors_by_convention, posteriors_of
from hanabi.ground.errors import IllegalActionError, InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import Information
from hanabi.players.belief import Agreement
from hanabi.rules import Game, Rules, View
from hanabi.rules.deck import DeckSpec
from hanabi.worlds import replayed
from oracles.belief import is_conventional, list_beliefs

TINY = Rules(
    spec=DeckSpec.uniform(colors=2, ranks=2, copies=2),
    seats=2,
    hand_size=2,
    hints=3,
    empty_hints=False,
)
RAGGED = Rules(spec=DeckSpec(((3, 2, 1), (3, 1, 1))), seats=2, hand_size=3, hints=4, final_round=3)
THREE = Rules(spec=DeckSpec(((3, 2), (2, 1), (1, 2))), seats=3, hand_size=2, hints=5, lives=9)


def by_hands(view: View) -> list[Counter[int]]:
    """Return how often each card is in each slot, in all choices of unseen copies for the hand."""
    known, unseen = view.knowledge[view.seat], list(view.unseen.elements())
    counts = [Counter[int]() for _ in known]
    for hand in permutations(unseen, len(known)):
        if all(each.is_possible(card) for each, card in zip(known, hand, strict=True)):
            for slot, card in enumerate(hand):
                counts[slot][card.color * view.rules.ranks + card.rank - 1] += 1
    return counts


def shares(counts: list[Counter[int]], rules: Rules) -> list[list[float]]:
    rows = [
        [float(Fraction(each[card], each.total())) for card in range(rules.colors * rules.ranks)]
        for each in counts
    ]
    empty = [0.0] * (rules.colors * rules.ranks)
    return rows + [empty] * (rules.hand_size - len(rows))


@pytest.mark.parametrize("rules", [TINY, RAGGED, THREE], ids=["tiny", "ragged", "three seats"])
def test_posteriors_are_those_of_all_hands(rules: Rules) -> None:
    """Of every seat, until the hands run out; and the cards are the seat's."""
    env = VectorEnv(6, rules, all_seats=True, autoreset="disabled", seed=3, threads=2)
    step, sharp, seen = env.reset(), 0, set()
    out = env.labels()
    for _ in range(40):
        assert env.labels(out=out) is out
        alone = env.labels(joint=False).posteriors
        for index in range(6):
            game = env.game(index)
            for seat in range(rules.seats):
                view = game.view(seat)
                expected = np.array(shares(by_hands(view), rules), np.float32)
                found = out.posteriors[index, seat]
                assert found.tolist() == expected.tolist()
                assert posteriors_of(view).tolist() == found.tolist()
                hand = [card.color * rules.ranks + card.rank - 1 for card in game.hands[seat]]
                seen.add(len(hand))
                assert out.cards[index, seat].tolist() == hand + [-1] * (
                    rules.hand_size - len(hand)
                )
                assert alone[index, seat].tolist() == one_by_one(view)
                assert posteriors_of(view, joint=False).tolist() == alone[index, seat].tolist()
                sharp += (abs(found - alone[index, seat]) > 0.05).any()
        if step.dones.all():
            break
        step = env.step(env.draw_actions())
    assert step.dones.all()
    assert sharp > 10  # the other slots matter
    assert len(seen) > 1
    env.close()


def one_by_one(view: View) -> list[list[float]]:
    rules = view.rules
    rows = np.zeros((rules.hand_size, rules.colors * rules.ranks), np.float32)
    for slot, known in enumerate(view.knowledge[view.seat]):
        fits = {card: n for card, n in view.unseen.items() if known.is_possible(card)}
        for card, n in fits.items():
            rows[slot, card.color * rules.ranks + card.rank - 1] = n / sum(fits.values())
    rounded: list[list[float]] = rows.tolist()
    return rounded


def test_posteriors_are_those_of_all_deals_with_the_same_view() -> None:
    """With no word about what hints mean: every deal is played again, and looked at again."""
    checked = 0
    for index in range(4):
        game, rng = Game.start(TINY, TINY.spec.shuffle(5, index)), Stream(index)
        while not game.is_over:
            view = game.view(game.seat_to_act)
            hidden = [place for place, card in enumerate(view.deck) if card is None]
            if game.turn > 1 and len(hidden) <= 5:
                counts = [Counter[int]() for _ in view.hand_indices[view.seat]]
                for cards in permutations(view.unseen.elements()):
                    deck = dict(enumerate(view.deck)) | dict(zip(hidden, cards, strict=True))
                    if is_the_same(view, [card for card in deck.values() if card is not None]):
                        for slot, place in enumerate(view.hand_indices[view.seat]):
                            card = deck[place]
                            assert card is not None
                            counts[slot][card.color * TINY.ranks + card.rank - 1] += 1
                expected = np.array(shares(counts, TINY), np.float32)
                assert posteriors_of(view).tolist() == expected.tolist()
                checked += 1
            legal = game.legal_actions
            game = game.apply(legal[rng.below(len(legal))])
    assert checked > 8


def is_the_same(view: View, deck: list[Any]) -> bool:
    """Whether a deal leads to the same view."""
    try:
        return replayed(view, deck).view(view.seat) == view
    except IllegalActionError:  # an action is illegal there
        return False


def test_the_seat_to_act_is_labelled_unless_all_are() -> None:
    one, every = (VectorEnv(7, "hle", seats=4, seed=2, all_seats=each) for each in (False, True))
    for _ in range(50):
        step = one.step(one.draw_actions())
        every.step(every.draw_actions())
        mine, theirs = one.labels(), every.labels()
        games = np.arange(7)
        assert (mine.cards == theirs.cards[games, step.seats]).all()
        assert (mine.posteriors == theirs.posteriors[games, step.seats]).all()
        chance = np.take_along_axis(mine.posteriors, mine.cards.clip(0)[..., None], 2)[..., 0]
        assert ((chance > 0) == (mine.cards >= 0)).all()


def test_a_convention_says_more_than_the_hints() -> None:
    """Against all deals in which the others would have acted as they did."""
    player, worlds, gained = Information(), 1500, 0
    for index in range(3):
        game = Game.start(TINY, TINY.spec.shuffle(21, index))
        while not game.is_over:
            view = game.view(game.seat_to_act)
            if view.seat == 1:
                deals = [
                    each
                    for each in list_beliefs(player, view)
                    if is_conventional(player, each, view.seat)
                ]
                counts = [Counter[int]() for _ in view.hand_indices[view.seat]]
                for deal in deals:
                    for slot, card in enumerate(deal.hands[view.seat]):
                        counts[slot][card.color * TINY.ranks + card.rank - 1] += 1
                expected = np.array(shares(counts, TINY))
                found = posteriors_by_convention(player, view, worlds=worlds, seed=index)
                assert (found.worlds, found.agreement) == (worlds, Agreement.EXACT)
                assert ((found.posteriors > 0) <= (expected > 0)).all()
                assert abs(found.posteriors - expected).max() < 6 * sqrt(0.25 / worlds)
                gained += bool((abs(posteriors_of(view) - found.posteriors) > 0.2).any())
            game = game.apply(player.act(view, Stream(0)))
    assert gained > 1


def test_whole_environments_are_labelled_by_a_convention() -> None:
    env, player, over = VectorEnv(4, TINY, seed=3, autoreset="disabled"), Information(), False
    for _ in range(12):
        labels = env.labels_by_convention(player, worlds=30, seed=5)
        assert (labels.cards == env.labels().cards).all()
        actions = [-1] * 4
        for index in range(4):
            game = env.game(index)
            if game.is_over:
                over = True
                assert not labels.posteriors[index].any()
                continue
            view = game.view(game.seat_to_act)
            found = posteriors_by_convention(player, view, worlds=30, seed=5 + index)
            assert (labels.posteriors[index] == found.posteriors).all()
            actions[index] = env.layout.number(player.act(view, Stream(1)), view.seat)
        env.step(actions)
    assert over
    with pytest.raises(InvalidInputError, match="all_seats: worlds are drawn for the seat to act"):
        VectorEnv(1, TINY, all_seats=True).labels_by_convention(player)
    with pytest.raises(InvalidInputError, match="seed = 'x' is not a whole number"):
        env.labels_by_convention(player, seed="x")  # type: ignore[arg-type]


def test_what_cannot_be_labelled_is_named() -> None:
    env = VectorEnv(2, "hle")
    labels = env.labels()
    calls: list[tuple[dict[str, Any], str]] = [
        ({"joint": "yes"}, "joint = 'yes' is neither true nor false"),
        ({"out": 3}, "out: 3 is no Labels"),
        ({"out": labels._replace(cards=labels.cards.T)}, "cards: int8 (5, 2), not int8 (2, 5)"),
        (
            {"out": labels._replace(cards=labels.cards[:1])},
            "cards: int8 (1, 5), not int8 (2, 5)",
        ),
    ]
    for given, message in calls:
        with pytest.raises(InvalidInputError) as caught:
            env.labels(**given)
        assert str(caught.value).startswith(message)
    wide = Rules(spec=DeckSpec.standard(6), seats=2, hand_size=11)
    with pytest.raises(InvalidInputError, match="labels: hands of 11 of 60 cards are too large"):
        VectorEnv(1, wide).labels()
    view = Game.start(Rules.official(1), Rules.official(1).spec.shuffle(1)).view(0)
    with pytest.raises(InvalidInputError, match="observations cannot show a single seat"):
        posteriors_of(view)
