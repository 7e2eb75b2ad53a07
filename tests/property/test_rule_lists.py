"""The public rule-based players decide as their plain twins, with the same chances."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import Flawed, Iggi, Outer, Piers, VanDenBergh
from hanabi.players.rule_lists import RuleList
from hanabi.rules import Game, Rules
from oracles.players import Compiled
from oracles.rule_lists import choices
from property.test_game import PRESETS, rule_sets

CHANCES = st.sampled_from([0, 0.2, 0.25, 0.5, 0.6, 0.75, 1])
PLAYERS = (
    st.sampled_from([Iggi(), Outer()])
    | st.builds(Piers, CHANCES)
    | st.builds(Flawed, CHANCES)
    | st.builds(VanDenBergh, CHANCES, CHANCES, st.booleans())
)


@settings(max_examples=60)
@given(PLAYERS, rule_sets() | PRESETS, st.integers(0, 2**32))
def test_compiled_decisions_are_those_of_the_plain_rules(
    player: RuleList, rules: Rules, seed: int
) -> None:
    try:
        player.compiled(rules)
    except InvalidInputError:
        reject()
    game, stream = Game.start(rules, rules.spec.shuffle(seed)), Stream(seed, 1)
    compiled = Compiled(player, game, seed, 1)
    while not game.is_over and game.turn < 100:
        view = game.view(game.seat_to_act)
        found = choices(player, view)
        chances = Counter(found)
        for action in view.legal_actions:
            assert compiled.chance(action) == pytest.approx(chances[action] / len(found))
        action = found[stream.below(len(found)) if len(found) > 1 else 0]
        assert compiled.decide() == action
        assert player.why(view, action)
        game = game.apply(action)
        compiled.take(action)
    assert compiled.is_at(stream)
