"""Hands weighed by what partners did, held against Bayes with every decision asked from views."""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest

from hanabi.ground.compiled.hot import jit_hot
from hanabi.ground.compiled.rng import below
from hanabi.ground.errors import InvalidInputError, PlayerError
from hanabi.ground.rng import Stream
from hanabi.players import (
    Belief,
    Convention,
    Player,
    RandomLegal,
    RuleBased,
    parse_player,
    play_game,
)
from hanabi.players.arena import decision_seed, outcomes
from hanabi.players.belief import draw_beliefs
from hanabi.players.kernels import policy as policies
from hanabi.players.partners import Beside, WeighedHands, weigh_hands
from hanabi.players.partners.weighing import CompiledWeigher, _weigher
from hanabi.rules import Action, Game, Rules, View
from hanabi.rules.cards import Card
from hanabi.rules.deck import DeckSpec
from hanabi.rules.events import Event
from hanabi.rules.kernels.legal import legal_actions
from hanabi.rules.kernels.packed import Packed
from hanabi.rules.table import EndReason
from hanabi.worlds import Hidden
from oracles.rule_based import SlowRuleBased

SMALL = Rules(
    spec=DeckSpec(((3, 2, 1), (3, 1, 1))),
    seats=2,
    hand_size=3,
    hints=4,
    lives=2,
    final_round=3,
    empty_hints=False,
)
THREE = Rules(
    spec=DeckSpec(((3, 2, 1), (2, 1, 1))),
    seats=3,
    hand_size=2,
    hints=3,
    keep_slots=True,
    empty_hints=False,
)
BY_CHANCE = RuleBased(hint=1, discard=1, hinting=0.6, play=0.7)

Words = npt.NDArray[np.int64]
Chances = Callable[[View], Mapping[Action, Fraction]]


def probabilities(chances: Chances, view: View) -> dict[tuple[Card, ...], Fraction]:
    """Return the probability of each hand: all deals, and all decisions of the others in each."""
    weights = Counter[tuple[Card, ...]]()
    hidden = Hidden.of(view)
    worlds = hidden.worlds(10**6)
    assert worlds is not None
    own = hidden.slots
    for world in worlds:  # each stands for the same number of permutations of the hidden cards
        game = Game.start(view.rules, hidden.deck(world))
        likely = Fraction(1)
        for action in view.actions:
            if not game.can_act:
                break
            if game.seat_to_act != view.seat:
                likely *= chances(game.view(game.seat_to_act)).get(action, 0)
            game = game.apply(action)
        likely *= game.turn == view.turn and game.can_act
        weights[world[: len(own)]] += likely  # type: ignore[assignment]
    total = sum(weights.values())
    return {hand: Fraction(weight) / total for hand, weight in weights.items() if weight}


def a_game(player: Player, rules: Rules, turns: int, index: int) -> Game:
    game, stream = Game.start(rules, rules.spec.shuffle(51, index)), Stream(52, index)
    while game.turn < turns and not game.is_over:
        game = game.apply(player.act(game.view(game.seat_to_act), stream))
    return game


FIRST_BOT = Path(__file__).parents[2] / "docs/bots/first_bot.py"


def test_a_program_is_asked_through_its_protocol() -> None:
    """It does not use its random number, so its one answer is certain."""
    player = parse_player(f"process:{shlex.quote(sys.executable)} {shlex.quote(str(FIRST_BOT))}")
    game = Game.start(SMALL, SMALL.spec.shuffle(5))
    for _ in range(4):
        game = game.apply(player.act(game.view(game.seat_to_act), Stream(1)))
    view = game.view(game.seat_to_act)
    expected = probabilities(lambda view: {player.act(view, Stream(2)): Fraction(1)}, view)
    check(weigh_hands(player, view, Stream(3), asks=1), expected)


def uneven(player: Player, turns: int, rules: Rules = SMALL) -> View:
    """Return a view with several hands, of which some are more likely than others."""
    for index in range(100):
        game = a_game(player, rules, turns, index)
        if not game.is_over:
            view = game.view(game.seat_to_act)
            if len(set(weigh_hands(player, view, Stream(1)).weights)) > 2:
                return view
    raise AssertionError


def check(found: WeighedHands, expected: Mapping[tuple[Card, ...], Fraction]) -> None:
    assert found.agrees
    assert not found.is_sample
    assert set(found.hands) == set(expected)
    assert len(found.hands) == len(expected)
    for hand, weight in zip(found.hands, found.weights, strict=True):
        assert weight == pytest.approx(float(expected[hand]), rel=1e-9)


@dataclass(frozen=True)
class Plain:
    """A player without a policy, which knows its chances."""

    player: RuleBased

    def act(self, view: View, rng: Stream, /) -> Action:
        return SlowRuleBased(self.player).act(view, rng)

    def chances(self, view: View, /) -> dict[Action, Fraction]:
        return SlowRuleBased(self.player).chances(view)


@dataclass(frozen=True)
class Silent:
    """A player without a policy, which does not know its chances."""

    player: Player

    def act(self, view: View, rng: Stream, /) -> Action:
        return self.player.act(view, rng)


class Counting:
    """A player that remembers; it draws a legal action by the number of its events alone."""

    def start(self, _: Rules, __: int, /) -> None:
        self.n = 0

    def observe(self, _: Event, /) -> None:
        self.n += 1

    def chances(self, view: View, /) -> dict[Action, Fraction]:
        legal = view.legal_actions
        assert self.n == view.turn
        return (
            {legal[0]: Fraction(1, 3), legal[self.n % len(legal)]: Fraction(2, 3)}
            if (self.n % len(legal))
            else {legal[0]: Fraction(1)}
        )

    def act(self, view: View, rng: Stream, /) -> Action:
        chances = list(self.chances(view))
        return chances[0 if rng.below(3) == 0 else -1]


@pytest.mark.parametrize("rules", [SMALL, THREE], ids=["2 seats", "3 seats"])
@pytest.mark.parametrize("player", [BY_CHANCE, RuleBased(), RuleBased(hint=2, discard=1)])
def test_weights_are_those_of_bayes(player: RuleBased, rules: Rules) -> None:
    n_uneven = 0
    for index in range(3):
        for turns in (3, 5, 7):
            game = a_game(player, rules, turns, index)
            if game.is_over:
                continue
            view = game.view(game.seat_to_act)
            expected = probabilities(Plain(player).chances, view)
            n_uneven += len(set(expected.values())) > 1
            check(weigh_hands(player, view, Stream(1)), expected)
            check(weigh_hands(Plain(player), view, Stream(1)), expected)
            if player.draws_nothing:
                check(weigh_hands(Silent(player), view, Stream(1)), expected)
    assert n_uneven > 0 or rules is THREE


STUCK = replace(SMALL, stop_when_stuck=True, spec=DeckSpec(((2, 2, 1), (2, 1, 1))))


def test_whether_a_game_is_stuck_depends_on_no_hidden_card() -> None:
    """The oracle leaves out hands with which the game would be over; there are none."""
    late = stuck = 0
    for index in range(24):
        game, stream = Game.start(STUCK, STUCK.spec.shuffle(51, index)), Stream(52, index)
        while not game.is_over:
            view = game.view(game.seat_to_act)
            if view.turns_left is not None or game.turn == 4:
                expected = probabilities(Plain(BY_CHANCE).chances, view)
                check(weigh_hands(BY_CHANCE, view, Stream(1)), expected)
                check(weigh_hands(Plain(BY_CHANCE), view, Stream(1)), expected)
                late += view.turns_left is not None and view.turns_left < 2 and len(expected) > 1
            game = game.apply(BY_CHANCE.act(view, stream))
        stuck += game.end_reason is EndReason.STUCK
    assert late > 5
    assert stuck > 0
    assert isinstance(_weigher(BY_CHANCE, Hidden.of(view), 1, Stream(1)), CompiledWeigher)


def test_a_player_that_remembers_is_asked_as_at_the_table() -> None:
    player = Counting()
    game = Game.start(SMALL, SMALL.spec.shuffle(3))
    for _ in range(5):
        game = game.apply(game.legal_actions[0 if game.turn % 2 else game.turn % 7])
    view = game.view(1)

    def chances(view: View) -> dict[Action, Fraction]:
        player.n = view.turn
        return player.chances(view)

    check(weigh_hands(Counting(), view, Stream(1)), probabilities(chances, view))


def test_unknown_chances_are_estimated_as_declared() -> None:
    """With one decision of the other seat, a weight is the share of hits, smoothed by one ask."""
    view = uneven(RandomLegal(), 2)
    ways = weigh_hands(Agreeable(), view, Stream(7))
    found = weigh_hands(Silent(RandomLegal()), view, Stream(7), asks=4)
    assert found.hands == ways.hands
    likely = [weight / way for weight, way in zip(found.weights, ways.weights, strict=True)]
    possible = {(hits + 1 / n) / 5 for hits in range(5) for n in range(1, 12)}
    assert any(
        all(any(abs(each * scale - one) < 1e-9 for one in possible) for each in likely)
        for scale in [most / max(likely) for most in possible]
    )
    assert len({round(each / max(likely), 9) for each in likely}) > 1
    certain = weigh_hands(Silent(RandomLegal()), view, Stream(7), asks=1)
    assert len(certain.hands) <= len(found.hands)


class Agreeable(Silent):
    """Does whatever it is asked about."""

    def __init__(self) -> None:
        super().__init__(RandomLegal())

    def chances(self, view: View, /) -> Mapping[Action, float]:
        return Anything({each: 1 / len(view.legal_actions) for each in view.legal_actions})


class Anything(dict[Action, float]):
    """Chances that are one in the same number for every action, also for illegal ones."""

    def get(self, *_: object) -> float:
        return 0.5


class HastyPolicy(NamedTuple):
    """Draws a legal action, and does not know its chances."""


@policies.decide.register(HastyPolicy)
@jit_hot
def decide(
    policy: HastyPolicy,
    position: Packed,
    rng: npt.NDArray[np.uint64],
    memory: Words,
    scratch: Words,
) -> int:
    return int(scratch[below(rng, legal_actions(position, scratch))])


class Hasty(RandomLegal):
    def compiled(self, _: Rules, /) -> HastyPolicy:  # type: ignore[override]
        return HastyPolicy()


def test_compiled_estimates_come_near_the_exact_weights() -> None:
    view = uneven(RandomLegal(), 4)
    exact = weigh_hands(RandomLegal(), view, Stream(1))
    found = weigh_hands(Hasty(), view, Stream(1), asks=20_000)
    assert found.hands == exact.hands
    for each, its in zip(found.weights, exact.weights, strict=True):
        assert each == pytest.approx(its, rel=0.1)


def test_drawn_hands_are_those_of_bayes() -> None:
    view = uneven(BY_CHANCE, 5)
    expected = probabilities(Plain(BY_CHANCE).chances, view)
    for player in (BY_CHANCE, Plain(BY_CHANCE)):
        found = weigh_hands(player, view, Stream(3), most=1, samples=400)
        assert found.is_sample
        shares = Counter[tuple[Card, ...]]()
        for hand, weight in zip(found.hands, found.weights, strict=True):
            shares[hand] += weight  # type: ignore[assignment]
        for hand, its in expected.items():
            assert abs(shares[hand] - float(its)) < 5 * sqrt(its / found.effective) + 0.01
    decks = found.draw(Stream(1), 50)
    for deck in decks:
        assert all(card in (None, its) for card, its in zip(view.deck, deck, strict=True))
        assert Counter(deck) == SMALL.spec.counts()
        assert tuple(deck[index] for index in view.hand_indices[view.seat]) in set(found.hands)


def test_a_search_draws_deals_by_the_chances() -> None:
    """The beliefs of a search beside a partner that decides by chance, and beside two of them."""
    for rules, turns in ((SMALL, 4), (SMALL, 5), (THREE, 3), (THREE, 4)):
        view = uneven(BY_CHANCE, turns, rules)
        expected = probabilities(Plain(BY_CHANCE).chances, view)
        belief = Belief(BY_CHANCE, worlds=4000, seats=0)
        beliefs = draw_beliefs(belief, view, Stream(3))
        assert beliefs.agreement.name == "EXACT"
        own = view.hand_indices[view.seat]
        shares = Counter(tuple(deck[index] for index in own) for deck in beliefs.decks)
        for hand, weight in expected.items():
            assert abs(shares[hand] / 4000 - weight) < 0.03
        assert set(shares) <= set(expected)


def test_a_mixed_table_is_weighed_by_the_partner_alone() -> None:
    view = next(
        game.view(0)
        for game in (a_game(BY_CHANCE, SMALL, 4, index) for index in range(100))
        if len(weigh_hands(BY_CHANCE, game.view(0), Stream(1)).hands) > 2
    )
    mixed = weigh_hands(Beside(RuleBased(), BY_CHANCE), view, Stream(1))
    alone = weigh_hands(BY_CHANCE, view, Stream(1))
    assert mixed.hands == alone.hands
    assert mixed.weights == pytest.approx(alone.weights)
    assert Beside(RuleBased(), RuleBased(hint=2)).draws_nothing
    assert not Beside(RuleBased(), BY_CHANCE).draws_nothing


@pytest.mark.parametrize("rules", [SMALL, THREE], ids=["2 seats", "3 seats"])
def test_a_mixed_table_plays_as_its_players_do(rules: Rules) -> None:
    team = Beside(RuleBased(), BY_CHANCE)
    for index in range(3):
        game = Game.start(rules, rules.spec.shuffle(decks := 5, index))
        stream = Stream(decision_seed(decks), index)
        end = play_game([RuleBased(), *[BY_CHANCE] * (rules.seats - 1)], game, stream)
        assert outcomes(team, rules, 1, seed=5, first=index) == [
            sum(end.piles) << 1 | (end.lives == 0)
        ]
    assert Beside(Silent(RuleBased()), BY_CHANCE).compiled(SMALL) is None
    assert Beside(RuleBased(), Silent(BY_CHANCE)).compiled(SMALL) is None


def test_cards_that_are_known_besides() -> None:
    game = a_game(BY_CHANCE, SMALL, 3, 0)
    view = game.view(game.seat_to_act)
    whole = weigh_hands(BY_CHANCE, view, Stream(1))
    card = whole.hands[0][1]
    part = weigh_hands(BY_CHANCE, view, Stream(1), known={1: [card]})
    kept = {h: w for h, w in zip(whole.hands, whole.weights, strict=True) if h[1] == card}
    assert dict(zip(part.hands, part.weights, strict=True)) == pytest.approx(
        {hand: weight / sum(kept.values()) for hand, weight in kept.items()}
    )
    with pytest.raises(InvalidInputError, match="no hand agrees with what the seat knows"):
        weigh_hands(BY_CHANCE, view, Stream(1), known={0: []})
    with pytest.raises(InvalidInputError, match="slot 7: the seat holds 3 cards, from slot 0"):
        weigh_hands(BY_CHANCE, view, Stream(1), known={7: [card]})


def test_a_partner_that_is_contradicted_is_counted_and_left_out() -> None:
    """All hands are contradicted as often, so each weighs as many ways as there are to deal it."""
    rules = replace(SMALL, discard_at_full_hints=True)
    game = Game.start(rules, rules.spec.shuffle(1))
    for action in ("discard", "play"):
        game = game.apply(next(a for a in game.legal_actions if action in str(a)))
        game = game.apply(next(a for a in game.legal_actions if "discard" in str(a)))
    view = game.view(0)
    always_hints = RuleBased(play=1, useless=1, hinting=1)
    expected = probabilities(lambda view: dict.fromkeys(view.legal_actions, Fraction(1)), view)
    for player in (always_hints, Plain(always_hints), Silent(always_hints)):
        found = weigh_hands(player, view, Stream(1))
        assert not found.agrees
        assert (found.decisions, found.contradicted) == (2, 2)
        assert dict(zip(found.hands, found.weights, strict=True)) == pytest.approx(
            {hand: float(weight) for hand, weight in expected.items()}
        )


@pytest.mark.parametrize("player", [RuleBased(), Plain(RuleBased())], ids=("compiled", "plain"))
def test_a_hand_weighs_less_for_each_decision_that_contradicts_it(player: Any) -> None:
    def decides(view: View) -> dict[Action, Fraction]:
        chosen = RuleBased().act(view, Stream(1))
        return dict.fromkeys(view.legal_actions, Fraction(3, 10)) | {chosen: Fraction(1)}

    for index in range(40):
        game = a_game(BY_CHANCE, SMALL, 6, index)
        if game.is_over:
            continue
        found = weigh_hands(player, game.view(0), Stream(1))
        if found.agrees or len(found.hands) > 200:
            continue
        expected = probabilities(decides, game.view(0))
        assert dict(zip(found.hands, found.weights, strict=True)) == pytest.approx(
            {hand: float(weight) for hand, weight in expected.items()}
        )
        if len({round(weight, 9) for weight in found.weights}) > 3:
            return
    raise AssertionError


def test_early_contradictions_are_counted_though_the_hand_agrees() -> None:
    """What others did before the oldest card was drawn depends on no hidden card."""
    rules = replace(SMALL, hand_size=1, discard_at_full_hints=True)
    game = Game.start(rules, rules.spec.shuffle(2))
    game = game.apply(next(a for a in game.legal_actions if "discard" in str(a)))
    for _ in range(2):
        game = game.apply(next(a for a in game.legal_actions if "discard" in str(a)))
    player = RuleBased(play=1)
    while game.seat_to_act != 0:
        game = game.apply(player.act(game.view(game.seat_to_act), Stream(1)))
    for each in (player, Plain(player)):
        found = weigh_hands(each, game.view(0), Stream(1))
        assert found.agrees
        assert (found.decisions, found.contradicted) == (2, 1)


def test_time_ends_with_a_sample() -> None:
    view = (game := a_game(BY_CHANCE, SMALL, 4, 0)).view(game.seat_to_act)
    found = weigh_hands(Plain(BY_CHANCE), view, Stream(1), seconds=0)
    assert found.is_sample
    assert len(found.hands) == 1
    assert sum(found.weights) == 1


@pytest.mark.parametrize(
    "chances", [{}, {"a": 0.5}, {"a": 1.5, "b": -0.5}, [1], {"a": "1"}, None], ids=str
)
def test_chances_that_are_none_are_refused(chances: Any) -> None:
    class Wrong(Silent):
        def chances(self, _: View, /) -> Any:
            return chances

    view = (game := a_game(BY_CHANCE, SMALL, 3, 0)).view(game.seat_to_act)
    with pytest.raises(PlayerError, match=r"turn \d, seat \d: Wrong: chances returned"):
        weigh_hands(Wrong(BY_CHANCE), view, Stream(1))


def test_bad_numbers_are_refused() -> None:
    view = a_game(BY_CHANCE, SMALL, 0, 0).view(0)
    with pytest.raises(InvalidInputError, match="at least 1, not 0, 1000 and 100"):
        weigh_hands(Convention(), view, Stream(1), asks=0)
    with pytest.raises(InvalidInputError, match="seat 0 is to act"):
        weigh_hands(Convention(), a_game(BY_CHANCE, SMALL, 0, 0).view(1), Stream(1))
