"""The compiled rule-based player's memory, next to what views give and to a memory made anew."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hanabi.ground.rng import Stream
from hanabi.players import RuleBased
from hanabi.players.kernels import policy as policies
from hanabi.players.rule_based.kernels import LANE_BITS, PLAYABLE, SPARE, USELESS, slots, told
from hanabi.rules import Game, Rules
from hanabi.rules.cards import Card
from hanabi.rules.packing import pack_deck
from oracles.players import Compiled
from oracles.rule_based import Chances
from property.test_game import PRESETS, hide_otherwise, rule_sets

PLAYERS = st.builds(
    RuleBased,
    discard=st.just(4),  # so that all lanes are kept
    never=st.booleans(),
    negative=st.booleans(),
)
QUICK = settings(max_examples=60)


def play_a_while(player: RuleBased, rules: Rules, seed: int, turns: int) -> tuple[Game, Compiled]:
    """Take random actions, with the compiled player looking on."""
    game, stream = Game.start(rules, rules.spec.shuffle(seed)), Stream(seed, 1)
    compiled = Compiled(player, game, seed, 2)
    for _ in range(turns):
        if game.is_over:
            break
        legal = game.legal_actions
        game = game.apply(legal[stream.below(len(legal))])
    compiled.follow(game)
    return game, compiled


@QUICK
@given(PLAYERS, rule_sets() | PRESETS, st.integers(0, 2**32), st.integers(0, 40))
def test_every_seat_has_the_chances_of_its_view(
    player: RuleBased, rules: Rules, seed: int, turns: int
) -> None:
    game, compiled = play_a_while(player, rules, seed, turns)
    for seat in range(rules.seats):
        chances = Chances(game.view(seat), negative=player.negative, never=player.never)
        first = slots(compiled.position.rules) + seat * rules.hand_size
        for slot in range(len(game.hands[seat])):
            weight = int(compiled.memory[first + slot])
            ratios = [
                Fraction(weight >> lane & LANE_BITS, weight & LANE_BITS)
                for lane in (PLAYABLE, USELESS, SPARE)
            ]
            assert ratios == [
                chances.playable[slot],
                chances.useless[slot],
                chances.spare[slot],
            ]


@QUICK
@given(PLAYERS, rule_sets() | PRESETS, st.integers(0, 2**32), st.integers(0, 40))
def test_memory_kept_is_memory_made_anew(
    player: RuleBased, rules: Rules, seed: int, turns: int
) -> None:
    """But for what was named, which a position does not tell."""
    _, compiled = play_a_while(player, rules, seed, turns)
    anew = np.full_like(compiled.memory, -1)
    policies.start(compiled.policy, compiled.position, anew, compiled.scratch)
    end = told(compiled.position.rules)
    assert compiled.memory[:end].tolist() == anew[:end].tolist()
    if rules.colors > 1 and rules.ranks > 1:  # an only color is known before it is named
        assert not (compiled.memory[end:] & ~anew[end:]).any()


@QUICK
@given(rule_sets() | PRESETS, st.integers(0, 2**32), st.integers(0, 40))
def test_memory_for_other_hidden_cards(rules: Rules, seed: int, turns: int) -> None:
    game, compiled = play_a_while(RuleBased(), rules, seed, turns)
    seat = game.seat_to_act
    deck = pack_deck(list(hide_otherwise(game, seat, Stream(seed, 3))))
    memory = compiled.memory.copy()
    position, rules_words = compiled.position, compiled.position.rules
    policies.resume(compiled.policy, position._replace(deck=deck), memory, compiled.scratch)
    # The seat to act cannot tell the worlds apart: its own chances are the same.
    first = slots(rules_words) + seat * rules.hand_size
    end = first + rules.hand_size
    if not rules.open_hands:
        assert memory[first:end].tolist() == compiled.memory[first:end].tolist()
    policies.resume(compiled.policy, position, memory, compiled.scratch)
    end = told(rules_words)
    assert memory[:end].tolist() == compiled.memory[:end].tolist()


@QUICK
@given(rule_sets() | PRESETS, st.integers(0, 2**32), st.integers(0, 40))
def test_possible_cards_are_those_of_the_hints(rules: Rules, seed: int, turns: int) -> None:
    game, compiled = play_a_while(RuleBased(), rules, seed, turns)
    for seat, hand in enumerate(game.knowledge):
        for slot, known in enumerate(hand):
            mask = compiled.possible(seat, slot)
            assert mask == sum(
                known.is_possible(Card(color, rank)) << color * rules.ranks + rank - 1
                for color in range(rules.colors)
                for rank in range(1, rules.ranks + 1)
            )
