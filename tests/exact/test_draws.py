"""Chances with open hands and an unknown deck, held against all actions and all draws."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import replace
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hanabi import DeckSpec
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import Cheating, RandomLegal, play_game
from hanabi.rules import Action, Game, Kind, Rules
from hanabi.rules.variants import find_variant, variant_names
from hanabi.solvers.draws import Range, open_chances
from hanabi.solvers.draws.solver import is_plain
from oracles.draws import BestDraws, value_after
from oracles.game import SlowGame
from oracles.small_games import small_game
from oracles.winnable import Table


@st.composite
def plain_games(draw: st.DrawFn, *, most_cards: int, deck_plays: bool = False) -> Game:
    """A small plain game by any rules, some random actions after the deal."""
    rows = draw(
        st.lists(
            st.lists(st.integers(1, 2), min_size=1, max_size=3).map(tuple), min_size=1, max_size=3
        )
    )
    while sum(map(sum, rows)) > most_cards:
        rows = [row[:-1] if len(row) > 1 else row for row in rows]
        if all(len(row) == 1 for row in rows):
            rows = [(1,) for _ in rows]
            break
    spec = DeckSpec(tuple(rows))
    seats = draw(st.integers(1, min(3, spec.size)))
    rules = Rules(
        spec=spec,
        seats=seats,
        hand_size=draw(st.integers(1, min(3, spec.size // seats))),
        hints=draw(st.integers(0, 2)),
        lives=draw(st.integers(1, 3)),
        completion_bonus=draw(st.booleans()),
        discard_at_full_hints=draw(st.booleans()),
        empty_hints=draw(st.booleans()),
        bombed_scores_zero=draw(st.booleans()),
        final_round=draw(st.sampled_from((seats, seats, seats, seats + 1, 1))),
        keep_slots=draw(st.booleans()),
        stop_when_stuck=draw(st.booleans()),
        deck_plays=deck_plays and draw(st.booleans()),
        half_tokens=draw(st.integers(0, 3)) == 0,
        all_or_nothing=draw(st.integers(0, 5)) == 0,
    )
    deck = draw(st.permutations(list(spec.cards())))
    return _later(Game.start(rules, deck), draw(st.integers(0, 6)), draw(st.integers(0, 999)))


def _later(game: Game, turns: int, seed: int) -> Game:
    chance = Random(seed)
    for _ in range(turns):
        after = game.apply(chance.choice(game.legal_actions)) if game.can_act else game
        if not after.can_act:
            break
        game = after
    return game


def _move(action: Action) -> tuple[int, int, int]:
    return int(action.kind), action.target, action.value


def _check(game: Game) -> None:
    """Hold the values of all actions against the oracle's, which knows cards by their names."""
    cards = [(color, rank) for color, rank in game.deck]
    hands = tuple(tuple(sorted(cards[index] for index in hand)) for hand in game.hand_indices)
    barred = 0 if game.barred_kind is None else int(game.barred_kind)
    table = Table(
        game.piles,
        hands,
        game.rules.deck_size - game.deck_left,
        game.hint_credit,
        game.lives,
        game.seat_to_act,
        game.turns_left,
        game.pile_ranks,
        barred,
    )
    left = tuple(sorted(cards[table.drawn :]))
    expected = BestDraws(game.rules).of_actions(table, left)
    found = open_chances(game)
    assert found.is_exact
    pairs = {(each.perfect.low, each.points.low) for each in found.actions}
    assert pairs == set(expected), game


@settings(max_examples=300, derandomize=True)
@given(plain_games(most_cards=5, deck_plays=True))
def test_every_sequence_of_actions_and_draws(game: Game) -> None:
    slow = SlowGame(game.rules, [(color, rank) for color, rank in game.deck])
    for action in game.actions:
        slow = slow.after(_move(action))
    assume(not game.is_over and game.deck_left + 2 * game.hints < 5)
    for found in open_chances(game).actions:
        chance, mean = value_after(slow, _move(found.action))
        assert found.perfect == Range(chance, chance), (game, found)
        assert found.points == Range(mean, mean), (game, found)


@settings(max_examples=1000, derandomize=True)
@given(plain_games(most_cards=8))
def test_all_actions_of_plain_games(game: Game) -> None:
    assume(not game.is_over)
    _check(game)


@pytest.mark.parametrize("part", range(8))
def test_all_actions_of_variants(part: int) -> None:
    chance, plain = Random(part), 0
    names = [name for name in variant_names() if not find_variant(name).is_plain]
    for _ in range(50):
        rules, deck = small_game(find_variant(chance.choice(names)), chance)
        game = Game.start(rules, deck)
        plain += is_plain(rules)
        if not game.is_over:
            _check(_later(game, chance.randint(0, 4), chance.randint(0, 999)))
    assert 0 < plain < 50


def check_plain_later(seed: int, number: int) -> None:
    """Check positions from which the reductions hold, but not from the deal on, of each sort."""
    chance, sorts = Random(seed), defaultdict[str, list[str]](list)
    for name in variant_names():
        rules = Rules.hanab_live(3, variant=name)
        if rules.variant is None or any(rules.variant.inverted) or is_plain(rules):
            continue
        has_orders = any(len(rules.orders(color)) > 1 for color in range(rules.colors))
        sort = "clues alternate" if rules.variant.alternating_clues else "untouched cards"
        sorts["several orders" if has_orders else sort].append(name)
    assert len(sorts) == 3
    for names in sorts.values():
        found = 0
        while found < number:
            rules, deck = small_game(find_variant(chance.choice(names)), chance)
            game = _later(Game.start(rules, deck), chance.randint(1, 9), chance.randint(0, 999))
            if game.can_act and is_plain(rules, game) and not is_plain(rules):
                _check(game)
                found += 1


def test_positions_from_which_the_reductions_hold() -> None:
    check_plain_later(1, 20)


def test_plain_positions_remain_so() -> None:
    """Whatever happens, who has a token can give a hint, of the kind whose turn it is."""
    chance, alternating, seen = Random(2), 0, 0
    names = [
        name
        for name in variant_names()
        if not any(find_variant(name).inverted) and not is_plain(Rules.hanab_live(3, variant=name))
    ]
    while seen < 2000 or alternating < 200:
        rules = Rules.hanab_live(chance.randint(2, 6), variant=chance.choice(names))
        game, was_plain = Game.start(rules, rules.spec.shuffle(chance.randint(0, 999))), False
        while game.can_act:
            assert is_plain(rules, game) >= was_plain, game
            was_plain = is_plain(rules, game)
            if was_plain and game.hints:
                assert any(action.is_hint for action in game.legal_actions), game
                alternating += rules.variant is not None and rules.variant.alternating_clues
                seen += 1
            game = game.apply(chance.choice(game.legal_actions))


def test_the_last_card_discarded_from_the_deck() -> None:
    """With inverted suits it may be discarded as well as played: every sequence, as above."""
    chance, kinds = Random(1), Counter[Kind]()
    names = [name for name in variant_names() if any(find_variant(name).inverted)]
    while min(kinds[Kind.PLAY_DECK], kinds[Kind.DISCARD_DECK]) < 10:
        rules, deck = small_game(find_variant(chance.choice(names)), chance)
        if rules.variant is None or not any(rules.variant.inverted) or rules.deck_size > 7:
            continue
        game = Game.start(replace(rules, deck_plays=True), deck)
        game = _later(game, chance.randint(0, 9), chance.randint(0, 999))
        if game.is_over or game.deck_left != 1 or game.hints:
            continue
        slow = SlowGame(game.rules, [(color, rank) for color, rank in game.deck])
        for action in game.actions:
            slow = slow.after(_move(action))
        for found in open_chances(game).actions:
            kinds[found.action.kind] += 1
            expected = tuple(Range(each, each) for each in value_after(slow, _move(found.action)))
            assert (found.perfect, found.points) == expected, (game, found)


def late_game() -> Game:
    rules = replace(Rules.hanab_live(2), open_hands=True)
    end = play_game([Cheating()] * 2, Game.start(rules, rules.spec.shuffle(seed=11)), Stream(1))
    game = Game.start(rules, end.deck)
    for action in end.actions:
        if game.deck_left <= 7:
            break
        game = game.apply(action)
    return game


def test_the_true_order_does_not_matter() -> None:
    game = late_game()
    drawn = game.rules.deck_size - game.deck_left
    other = Game.start(game.rules, (*game.deck[:drawn], *reversed(game.deck[drawn:])))
    for action in game.actions:
        other = other.apply(action)
    assert other.deck != game.deck
    assert open_chances(other, points=False).actions == open_chances(game, points=False).actions


def test_bounds_hold_when_the_time_is_over() -> None:
    for seed in range(4):
        game = _later(_small_start(seed), 3, seed)
        exact = open_chances(game)
        for seconds in (0, 0.001):
            cut = open_chances(game, seconds=seconds)
            for known, bounds in zip(exact.actions, cut.actions, strict=True):
                assert bounds.perfect.low <= known.perfect.low <= bounds.perfect.high
                assert bounds.points.low <= known.points.low <= bounds.points.high


def _small_start(seed: int) -> Game:
    rules = Rules(spec=DeckSpec.uniform(2, 4, 2), seats=2, hand_size=3, hints=2)
    return Game.start(rules, rules.spec.shuffle(seed))


def test_a_small_table_forgets_and_is_as_exact() -> None:
    for seed in (0, 1, 3, 4):
        game = _later(_small_start(seed), 7, seed)  # which leaves 6 or 7 cards to draw
        assert open_chances(game, memory=1).actions == open_chances(game).actions


def test_what_is_out_of_reach_is_told() -> None:
    rules = Rules.hanab_live(2)
    game = Game.start(rules, rules.spec.shuffle(1))
    with pytest.raises(InvalidInputError, match="40 cards to draw: chances are exact for at most"):
        open_chances(game)
    over = play_game([RandomLegal()] * 2, game, Stream(1))
    with pytest.raises(InvalidInputError, match="the game is over"):
        open_chances(over)
