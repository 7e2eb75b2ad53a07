"""What compiled policies have in common, and when they say that an action would lie."""

from __future__ import annotations

import pytest

from hanabi.ground.rng import Stream
from hanabi.players import Convention, Endgame, Information, RandomLegal, RuleBased, Smart, Uct
from hanabi.players.protocol import CompiledPlayer
from hanabi.rules import Game, Rules
from oracles.players import Compiled

RULES = Rules.hanab_live(2)
PLAYERS: dict[str, CompiledPlayer] = {
    "random": RandomLegal(),
    "rule-based": RuleBased(),
    "smart": Smart(),
    "information": Information(),
    "convention": Convention(),
    "endgame/convention": Endgame(Convention(), budget=10, deck=1),
}


@pytest.mark.parametrize("name", PLAYERS)
def test_a_policy_takes_the_steps_of_the_rules(name: str) -> None:
    game = Game.start(RULES, RULES.spec.shuffle(seed=1))
    compiled = Compiled(PLAYERS[name], game)
    n_true, n_false = 0, 0
    while not game.is_over:
        action = compiled.decide()
        for other in game.legal_actions:
            is_true = compiled.is_truthful(other)
            n_true += is_true
            n_false += not is_true
            if name in ("smart", "information") and other == action:
                assert is_true
        compiled.take(action)
        compiled.resume()
        game = game.apply(action)
        assert compiled.position.state.tolist() == game.packed.state.tolist()
    assert n_true > 0
    assert (n_false > 0) == (name not in ("random", "rule-based"))


def test_known_cards_are_possible() -> None:
    game = Game.start(RULES, RULES.spec.shuffle(seed=2))
    compiled = Compiled(RuleBased(), game)
    while not game.is_over:
        action = RuleBased().act(game.view(game.seat_to_act), Stream(1))
        game = game.apply(action)
        compiled.take(action)
        for seat, hand in enumerate(game.hands):
            for slot, card in enumerate(hand):
                cards = compiled.possible(seat, slot)
                assert cards >> (card.color * 5 + card.rank - 1) & 1


def test_who_searches_remembers_what_its_inner_policy_does() -> None:
    game = Game.start(RULES, RULES.spec.shuffle(seed=3))
    alone, searching = (Compiled(player, game) for player in (RuleBased(), Uct(playouts=3)))
    for _ in range(12):
        action = searching.decide()
        alone.take(action)
        searching.take(action)
        assert alone.memory.tolist() == searching.memory.tolist()


def test_a_class_without_decisions_is_no_policy() -> None:
    compiled = Compiled(RandomLegal(), Game.start(RULES, RULES.spec.shuffle(seed=1)))
    compiled.policy = ()
    with pytest.raises(NotImplementedError):
        compiled.decide()
