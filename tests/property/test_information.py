"""The information player decides the same from views, in compiled code, and slowly with sets."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.ground.rng import Stream
from hanabi.players.compiled import recall
from hanabi.players.information import Information
from hanabi.rules import Game, Rules
from hanabi.solvers.hints import find_partition
from hanabi.worlds import complete_deck
from oracles.information import CompiledInformation, InformationOracle
from property.test_game import WHOLE_TOKENS, hide_otherwise, play_some

PLAYERS = st.builds(
    Information,
    likely=st.sampled_from([0.0, 0.5, 1.0]),
    full=st.sampled_from([0.742, 1.0]),
    messages=st.sampled_from([1, 2, 9]),
    exact=st.booleans(),
    discards=st.booleans(),
    plays=st.booleans(),
    partition=st.sampled_from([0, 1, 2]),
)
PRESETS = st.sampled_from(
    [
        Rules.official(2),
        Rules.bergh2016(3),
        Rules.hanab_live(3, colors=3),
        Rules.hanab_live(5),
        Rules.multicolor(4),
    ]
)
SEEDS = st.integers(0, 2**32)
QUICK = settings(max_examples=12)


@QUICK
@given(PLAYERS, WHOLE_TOKENS, SEEDS)
def test_all_three_decide_the_same(player: Information, rules: Rules, seed: int) -> None:
    game = Game.start(rules, rules.spec.shuffle(seed))
    oracle, compiled = InformationOracle(player, game), CompiledInformation(player, game)
    while not game.is_over and game.turn < 40:
        assert compiled.masks() == oracle.hands
        action = oracle.decide()
        assert compiled.decide() == action
        view = game.view(game.seat_to_act)
        assert player.act(view, Stream(seed)) == action
        assert recall(view, player.compiled(rules))[1].tolist() == compiled.memory.tolist()
        game = game.apply(action)
        oracle.take(action)
        compiled.take(action)


@QUICK
@given(PLAYERS, WHOLE_TOKENS, SEEDS)
def test_its_actions_are_truthful_and_knowledge_true(
    player: Information, rules: Rules, seed: int
) -> None:
    game = Game.start(rules, rules.spec.shuffle(seed))
    compiled = CompiledInformation(player, game)
    while not game.is_over and game.turn < 60:
        for hand, masks in zip(game.hands, compiled.masks(), strict=True):
            assert all(card in mask for card, mask in zip(hand, masks, strict=True))
        action = compiled.decide()
        assert game.is_legal(action)
        assert compiled.is_truthful(action)
        game = game.apply(action)
        compiled.take(action)


@QUICK
@given(PLAYERS, WHOLE_TOKENS, SEEDS)
def test_decisions_do_not_depend_on_hidden_cards(
    player: Information, rules: Rules, seed: int
) -> None:
    game, stream = Game.start(rules, rules.spec.shuffle(seed)), Stream(seed, 1)
    compiled = CompiledInformation(player, game)
    while not game.is_over and game.turn < 60:
        action = compiled.decide()
        if not rules.open_hands:
            other = compiled.with_deck(compiled.deal_hidden(game, stream))
            assert other.decide() == action
            assert other.masks() == compiled.masks()
        game = game.apply(action)
        compiled.take(action)


@QUICK
@given(WHOLE_TOKENS, SEEDS, st.integers(0, 30))
def test_decks_are_completed_as_hints_allow(rules: Rules, seed: int, turns: int) -> None:
    rules = replace(rules, open_hands=False)
    game = play_some(rules, seed, turns)
    for seat in range(rules.seats):
        view = game.view(seat)
        deck = complete_deck(view)
        assert sorted(deck) == sorted(game.deck)
        assert all(seen in (None, card) for seen, card in zip(view.deck, deck, strict=True))
        for index, known in zip(view.hand_indices[seat], view.knowledge[seat], strict=True):
            assert known.is_possible(deck[index])
        other = Game.start(rules, hide_otherwise(game, seat, Stream(seed)))
        for action in game.actions:
            other = other.apply(action)
        assert complete_deck(other.view(seat)) == deck


@QUICK
@given(WHOLE_TOKENS, SEEDS)
def test_partitions_are_maximum_and_each_part_can_be_given(rules: Rules, seed: int) -> None:
    rules, player = replace(rules, empty_hints=False), Information(partition=2)
    game = Game.start(rules, rules.spec.shuffle(seed))
    oracle = InformationOracle(player, game)
    while not game.is_over and game.turn < 15:
        for seat in oracle.others():
            hand, parts = oracle.hands[seat], oracle.parts(oracle.hands[seat])
            if hand:
                assert len(parts) == find_partition(oracle.table(hand)).size
            if game.hints:
                hints = [action for action in game.legal_actions if action.target == seat]
                said = {oracle.message(oracle.codes(), hint) for hint in hints if hint.is_hint}
                assert len(said) == len(parts)
        action = oracle.decide()
        oracle.take(action)
        game = oracle.game
