"""Policies behind one door do what they do by themselves, and say when an action would lie."""

from __future__ import annotations

import numpy as np
import pytest

from hanabi.game import Game, Rules
from hanabi.game.kernels.rules import END, IN_PROGRESS, MAX_ACTIONS, STATE_SIZE, deal, legal_actions
from hanabi.game.packing import pack_deck, pack_rules
from hanabi.players import RandomLegal, RuleBased
from hanabi.players.convention import Convention
from hanabi.players.convention.kernels import policy as convention
from hanabi.players.information import Information
from hanabi.players.information.kernels import policy as information
from hanabi.players.kernels import policies, random_play
from hanabi.players.rule_based.kernels import policy as rule_based
from hanabi.rng import Stream

RULES = Rules.hanab_live(2)
ROWS = {
    "random": RandomLegal().policy(RULES),
    "rule-based": RuleBased().policy(RULES),
    "information": Information().policy(RULES),
    "convention": Convention().policy(RULES),
}
MODULES = {
    "random": random_play,
    "rule-based": rule_based,
    "information": information,
    "convention": convention,
}
FLAGS = {
    "random": (None, None, None),
    "rule-based": (1, None, None),
    "information": (None, 1, None),
    "convention": (None, None, 1),
}


@pytest.mark.parametrize("name", ROWS)
def test_a_policy_is_itself_behind_the_door(name: str) -> None:
    options, module, flags = ROWS[name], MODULES[name], FLAGS[name]
    assert options[policies.POLICY] == list(ROWS).index(name)
    rules, deck = pack_rules(RULES), pack_deck(RULES.spec.shuffle(seed=1))
    room = np.empty(policies.room_size(rules, *flags), np.int64)
    n = policies.memory_size(rules, *flags)
    (state, memory), (its_state, its_memory) = (
        (np.empty(rules[STATE_SIZE], np.int64), np.zeros(n, np.int64)) for _ in range(2)
    )
    stream, its_stream = np.full(1, 5, np.uint64), np.full(1, 5, np.uint64)
    deal(rules, deck, state)
    deal(rules, deck, its_state)
    policies.start(rules, deck, state, options, memory, room, *flags)
    module.start(rules, deck, its_state, options, its_memory, room)
    n_true, n_false = 0, 0
    legal = np.empty(rules[MAX_ACTIONS], np.int64)
    while state[END] == IN_PROGRESS:
        action = policies.decide(rules, deck, state, options, stream, memory, room, *flags)
        assert action == module.decide(
            rules, deck, its_state, options, its_stream, its_memory, room
        )
        for index in range(legal_actions(rules, deck, state, legal)):
            is_true = policies.truthful(
                rules, deck, state, options, memory, int(legal[index]), room, *flags
            )
            n_true += is_true
            n_false += not is_true
            if name == "information" and legal[index] == action:
                assert is_true
        policies.advance(rules, deck, state, options, memory, action, room, *flags)
        module.advance(rules, deck, its_state, options, its_memory, action, room)
        policies.resume(rules, deck, state, options, memory, room, *flags)
        assert state.tolist() == its_state.tolist()
    assert n_true > 0
    assert (n_false > 0) == (name in ("information", "convention"))


def test_known_cards_are_possible() -> None:
    game = Game.start(RULES, RULES.spec.shuffle(seed=2))
    while not game.is_over:
        game = game.apply(RuleBased().act(game.view(game.seat_to_act), Stream(1)))
        rules, deck, state = game.packed
        memory = np.empty(policies.memory_size(rules, 1, None, None), np.int64)
        for seat, hand in enumerate(game.hands):
            for slot, card in enumerate(hand):
                cards = policies.possible(
                    rules, deck, state, ROWS["rule-based"], memory, seat, slot, 1, None, None
                )
                assert cards >> (card.color * 5 + card.rank - 1) & 1
