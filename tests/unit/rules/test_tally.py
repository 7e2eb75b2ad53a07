"""The table without hands: whatever is done, it shows what the game shows."""

from __future__ import annotations

from random import Random

import pytest

from hanabi.rules import Game, Rules, hint_rank
from hanabi.rules.cards import Card
from hanabi.rules.config import PRESETS
from hanabi.rules.figures import pace
from hanabi.rules.tally import Tally

RULES = [
    *(preset(3) for preset in PRESETS.values()),
    *(Rules.hanab_live(2, variant=name) for name in ("Clue Starved & Pink (6 Suits)", "3 Suits")),
]


@pytest.mark.parametrize("rules", RULES, ids=str)
def test_it_shows_what_the_game_shows(rules: Rules) -> None:
    choose = Random(1)
    for seed in range(3):
        game, tally = Game.start(rules, rules.spec.shuffle(seed)), Tally.start(rules)
        while game.can_act:
            assert (tally.piles, tally.discards) == (game.piles, game.discards)
            assert (tally.hint_credit, tally.lives) == (game.hint_credit, game.lives)
            assert tally.deck_left == game.deck_left
            assert (game.turns_left is None) or tally.turns_left == rules.final_round
            assert pace(tally) == pace(game)
            check_facts(tally, game)
            action = choose.choice(game.legal_actions)
            if action.is_hint:
                tally = tally.hint(action)
            else:
                hand = game.hands[game.seat_to_act]
                card = game.deck[-game.deck_left] if action.is_from_deck else hand[action.target]
                tally = tally.use(card, is_play=action.kind.name.startswith("PLAY"))
            game = game.apply(action)
            if not action.is_hint and tally.deck_left > game.deck_left:
                tally = tally.draw()


def check_facts(tally: Tally, game: Game) -> None:
    for color, ranks in enumerate(game.rules.spec.copies):
        facts = tally.facts_of(color)
        assert (facts.height, facts.most) == (game.piles[color], game.most_piles[color])
        for at in range(len(ranks)):
            card = Card(color, at + 1)
            left, is_dead = game.copies_left(card), game.is_dead(card)
            assert bool(facts.to_come >> at & 1) == (not is_dead)
            assert bool(facts.next >> at & 1) == (game.is_playable(card) and not is_dead)
            assert (facts.single >> at & 1, facts.spent >> at & 1) == (left == 1, left == 0)


def test_a_hidden_card_is_an_error_or_a_discard_and_not_counted() -> None:
    tally = Tally.start(Rules.hanab_live(2)).hint(hint_rank(1, 1))
    lost, back = tally.use(None, is_play=True), tally.use(None, is_play=False)
    assert (lost.lives, lost.hints, back.lives, back.hints) == (2, 7, 3, 8)
    assert lost.discards == back.discards == ()
    assert lost.piles == back.piles == (0,) * 5
