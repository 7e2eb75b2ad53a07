"""The rules of the full game: equal to a slow twin, conserving cards, hiding what is hidden."""

from __future__ import annotations

import pickle
from collections import Counter
from dataclasses import replace
from itertools import product
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hanabi.ground.rng import Stream
from hanabi.rules import Action, Game, Kind, Rules
from hanabi.rules.cards import Card
from hanabi.rules.deck import Deck, DeckSpec
from hanabi.rules.variants import Variant, variant_names
from oracles.game import SlowGame
from oracles.variants import can_follow
from strategies import small_variants

FLAGS = (
    "completion_bonus",
    "discard_at_full_hints",
    "empty_hints",
    "bombed_scores_zero",
    "open_hands",
    "keep_slots",
    "stop_when_stuck",
    "deck_plays",
    "all_or_nothing",
    "speedrun",
    "half_tokens",
)


@st.composite
def rule_sets(draw: st.DrawFn) -> Rules:
    """Small rule sets of every sort: ragged colors, cards without copies, any end."""
    rows = st.lists(st.integers(0, 3), min_size=1, max_size=4).map(tuple)
    spec = DeckSpec(
        draw(
            st.lists(rows, min_size=1, max_size=3)
            .map(tuple)
            .filter(lambda rows: sum(map(sum, rows)) > 0)
        )
    )
    return draw(rules_of(spec, None))


@st.composite
def variants(draw: st.DrawFn) -> Rules:
    """Small rule sets with suits, clues and piles of every sort."""
    variant = draw(small_variants())
    return draw(rules_of(variant.spec, variant))


@st.composite
def rules_of(draw: st.DrawFn, spec: DeckSpec, variant: Variant | None) -> Rules:
    seats = draw(st.integers(1, min(4, spec.size)))
    flags: dict[str, Any] = {flag: draw(st.booleans()) for flag in FLAGS}
    return Rules(
        spec=spec,
        variant=variant,
        seats=seats,
        hand_size=draw(st.integers(1, min(4, spec.size // seats))),
        hints=draw(st.integers(0, 4)),
        lives=draw(st.integers(1, 3)),
        final_round=draw(st.none() | st.just(seats) | st.integers(0, 6)),
        **flags,
    )


PRESETS = st.sampled_from(
    [Rules.official(2), Rules.bergh2016(3), Rules.hanab_live(4), Rules.hle(5)]
)
ON_THE_SITE = st.builds(
    lambda seats, name: Rules.hanab_live(seats, variant=name),
    st.integers(2, 6),
    st.sampled_from(variant_names()),
)
WHOLE_TOKENS = rule_sets().map(lambda rules: replace(rules, half_tokens=False)) | PRESETS
ANY = rule_sets() | PRESETS | variants() | ON_THE_SITE
SEEDS = st.integers(0, 2**32)


def check_equal(game: Game, slow: SlowGame) -> None:
    """Compare everything that both programs know."""
    legal = game.legal_actions
    assert len(legal) == len(set(legal))
    assert {tuple(action) for action in legal} == slow.legal()
    assert str(game.end_reason) == slow.end
    assert (game.turn, game.seat_to_act, game.hints) == (slow.turn, slow.seat, slow.hints)
    assert game.lives == game.rules.lives - slow.errors
    assert (game.score, list(game.piles)) == (slow.score, slow.heights)
    assert [list(ranks) for ranks in game.pile_ranks] == [
        [rank for c, rank in slow.played if c == color] for color in range(game.rules.colors)
    ]
    assert Counter(game.discards) == Counter(Card(*card) for card in slow.discards)
    assert game.deck_left == len(slow.deck) - slow.drawn
    assert game.turns_left == (None if slow.end_turn is None else slow.end_turn - slow.turn)
    assert [list(hand) for hand in game.hand_indices] == [
        [held.index for held in hand] for hand in slow.hands
    ]
    assert [
        [(set(known.colors), set(known.ranks)) for known in hand] for hand in game.knowledge
    ] == [[(held.colors, held.ranks) for held in hand] for hand in slow.hands]
    if game.rules.variant is not None:
        for hand, slow_hand in zip(game.knowledge, slow.hands, strict=True):
            assert [set(known.cards or ()) for known in hand] == [
                {Card(*card) for card in held.possible} for held in slow_hand
            ]


def check_cards(game: Game, slow: SlowGame) -> None:
    """Compare what can be played now, and ever."""
    for card in set(slow.deck):
        assert game.is_playable(Card(*card)) == can_follow(game.rules, slow.played, card)
        assert game.is_dead(Card(*card)) == slow.is_dead(card)


def choose(game: Game, stream: Stream) -> Action:
    """A legal action, seldom a play, so that games go on."""
    legal = game.legal_actions
    calm = [action for action in legal if action.kind is not Kind.PLAY]
    if calm and stream.below(3):
        legal = tuple(calm)
    return legal[stream.below(len(legal))]


def play_some(rules: Rules, seed: int, turns: int) -> Game:
    stream = Stream(seed)
    game = Game.start(rules, stream.shuffled(rules.spec.cards()))
    while game.can_act and game.turn < turns:
        game = game.apply(choose(game, stream))
    return game


@given(ANY, SEEDS)
def test_the_kernel_plays_like_the_slow_twin(rules: Rules, seed: int) -> None:
    stream = Stream(seed)
    deck = stream.shuffled(rules.spec.cards())
    game, slow = Game.start(rules, deck), SlowGame(rules, deck)
    check_equal(game, slow)
    while game.can_act and game.turn < 60:
        action = choose(game, stream)
        if action.is_hint:
            assert list(game.touched(action)) == slow.touched(action)
        game = game.apply(action)
        slow.take(action)
        check_equal(game, slow)
        check_cards(game, slow)


@given(rule_sets() | variants(), SEEDS, st.integers(0, 12))
def test_an_action_is_legal_only_if_it_is_listed(rules: Rules, seed: int, turns: int) -> None:
    game = play_some(rules, seed, turns)
    listed = set(game.legal_actions)
    for kind, target, value in product(Kind, range(-1, 6), range(-1, 6)):
        action = Action(kind, target, value)
        assert game.is_legal(action) == (action in listed)


@given(ANY, SEEDS)
def test_cards_are_conserved(rules: Rules, seed: int) -> None:
    stream = Stream(seed)
    game = Game.start(rules, stream.shuffled(rules.spec.cards()))
    while game.can_act and game.turn < 80:
        game = game.apply(choose(game, stream))
        cards = Counter(game.discards) + Counter(card for hand in game.hands for card in hand)
        cards += Counter(game.deck[len(game.deck) - game.deck_left :])
        piled = (Card(c, rank) for c, ranks in enumerate(game.pile_ranks) for rank in ranks)
        assert cards + Counter(piled) == Counter(rules.spec.cards())
        held = [index for hand in game.hand_indices for index in hand]
        assert len(held) == len(set(held))
        assert 0 <= game.hints <= rules.hints
        assert 0 <= game.lives <= rules.lives
        assert sum(game.piles) <= rules.max_score


@given(ANY, SEEDS, st.integers(0, 30))
def test_hints_are_true(rules: Rules, seed: int, turns: int) -> None:
    game = play_some(rules, seed, turns)
    for hand, known in zip(game.hands, game.knowledge, strict=True):
        assert all(k.is_possible(card) for card, k in zip(hand, known, strict=True))


def hide_otherwise(game: Game, seat: int, stream: Stream) -> Deck:
    """Exchange cards that `seat` has not seen, without making any hint untrue."""
    deck = list(game.deck)
    own = () if game.rules.open_hands else game.hand_indices[seat]
    known = dict(zip(own, game.knowledge[seat], strict=False))
    hidden = [*known, *range(len(deck) - game.deck_left, len(deck))]
    for _ in range(20 if len(hidden) > 1 else 0):
        i, j = (hidden[stream.below(len(hidden))] for _ in range(2))
        if all(a not in known or known[a].is_possible(deck[b]) for a, b in ((i, j), (j, i))):
            deck[i], deck[j] = deck[j], deck[i]
    return Deck(deck)


@given(ANY, SEEDS, st.integers(0, 40))
def test_views_hide_what_is_hidden(rules: Rules, seed: int, turns: int) -> None:
    stream = Stream(seed, index=1)
    game = play_some(rules, seed, turns)
    for seat in range(rules.seats):
        other = Game.start(rules, hide_otherwise(game, seat, stream))
        for action in game.actions:
            other = other.apply(action)
        assert other.view(seat) == game.view(seat)
        assert hash(other.view(seat)) == hash(game.view(seat))
        assert str(other.view(seat)) == str(game.view(seat))


@given(ANY, SEEDS, st.integers(0, 20))
def test_positions_do_not_change_and_can_be_pickled(rules: Rules, seed: int, turns: int) -> None:
    game = play_some(rules, seed, turns)
    before = pickle.dumps(game)
    for action in game.legal_actions:
        successor = game.apply(action)
        assert successor != game
        assert successor.actions == (*game.actions, action)
    assert pickle.dumps(game) == before
    copy = pickle.loads(before)
    assert copy == game
    assert hash(copy) == hash(game)
    assert copy.actions == game.actions
    assert copy.legal_actions == game.legal_actions
