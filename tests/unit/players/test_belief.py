"""The search over beliefs: its limits, its plain twin, and what it must not see."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import Belief, Convention, FirstLegal, Information, parse_player
from hanabi.players.arena import outcomes
from hanabi.players.belief import Agreement, draw_beliefs
from hanabi.players.protocol import Player
from hanabi.rules import Game, Rules
from hanabi.rules.deck import DeckSpec
from oracles.belief import choose
from unit.players.test_endgame import see_otherwise

SMALL = Rules(
    spec=DeckSpec(((3, 2, 1), (3, 2, 1))), seats=2, hand_size=3, hints=4, lives=2, empty_hints=False
)


@pytest.mark.parametrize(
    ("player", "rules"),
    [
        (Belief(Convention(), worlds=70, seats=1, margin=0, caution=0), SMALL),
        (Belief(Convention(), worlds=15, slack=0.3, misread=True, deals=6), SMALL),
        (Belief(Information(), worlds=44, seats=3, caution=0, deals=1), replace(SMALL, seats=3)),
        (Belief(Convention(), worlds=44, margin=0, caution=0, deals=1), replace(SMALL, lives=1)),
    ],
    ids=["one", "both", "three", "last life"],
)
def test_it_decides_as_its_plain_twin(player: Belief, rules: Rules) -> None:
    n_other = 0
    for index in (2, 3):  # in 3 a search would risk the last life
        game, stream = Game.start(rules, rules.spec.shuffle(31, index)), Stream(32, index)
        while not game.is_over:
            view = game.view(game.seat_to_act)
            twin = Stream(0)
            twin.state = stream.state
            action = player.act(view, stream)
            assert action == choose(player, view, twin)
            assert stream.state == twin.state
            n_other += action != player.player.act(view, Stream(0))
            game = game.apply(action)
    assert n_other > 0


@pytest.mark.parametrize("base", [Convention(), Information()], ids=["convention", "information"])
def test_it_does_not_see_hidden_cards(base: Player) -> None:
    rules = Rules.hanab_live(2)
    player = Belief(base, worlds=20)
    game, n_other = Game.start(rules, rules.spec.shuffle(seed=33)), 0
    while not game.is_over:
        seat = game.seat_to_act
        action = player.act(game.view(seat), Stream(7, game.turn))
        other = see_otherwise(game, seat, 34)
        assert action == player.act(other.view(seat), Stream(7, game.turn))
        n_other += action != base.act(game.view(seat), Stream(1))
        game = game.apply(action)
    assert n_other > 3


def test_seats_that_do_not_search_follow_the_player() -> None:
    rules, base = Rules.hanab_live(2), Convention()
    assert outcomes(Belief(base, seats=0), rules, 20, seed=1) == outcomes(base, rules, 20, seed=1)
    player = Belief(base, worlds=10, seats=1)
    game = Game.start(rules, rules.spec.shuffle(seed=35))
    while not game.is_over:
        view = game.view(game.seat_to_act)
        action = player.act(view, Stream(1, game.turn))
        assert view.seat == 0 or action == base.act(view, Stream(1))
        game = game.apply(action)


def test_a_team_of_one_that_searches_and_others_is_the_same() -> None:
    rules, base = Rules.hanab_live(2), Convention()
    player = Belief(base, worlds=10, seats=1)
    assert outcomes([player, base], rules, 3, seed=2) == outcomes(player, rules, 3, seed=2)


def test_it_gains() -> None:
    rules, base = Rules.hanab_live(2), Convention()
    before, after = (
        sum(outcome >> 1 for outcome in outcomes(player, rules, 40, seed=4))
        for player in (base, Belief(base, worlds=40, seats=1, deals=1))
    )
    assert after > before + 5


@pytest.mark.parametrize("is_zeroed", [True, False])
def test_it_leaves_the_last_life_to_the_player(is_zeroed: bool) -> None:
    """Where an error costs all points; its beliefs may be wrong."""
    base = Convention()
    rules = replace(SMALL, lives=1, bombed_scores_zero=is_zeroed)
    player = Belief(base, worlds=20, margin=0, caution=0, deals=1)
    n_bombed = 0
    for index in range(200):
        game, stream = Game.start(rules, rules.spec.shuffle(38, index)), Stream(39, index)
        while not game.is_over:
            view = game.view(game.seat_to_act)
            action = player.act(view, stream)
            is_own = action == base.act(view, Stream(0))
            game = game.apply(action)
            n_bombed += game.lives == 0 and not is_own
    assert (n_bombed == 0) == is_zeroed


def test_what_cannot_be_explained_is_relaxed_in_stages() -> None:
    """A partner that is taken to follow the player, and does something else."""
    rules, base = Rules.hanab_live(2), Convention()
    found = set()
    for index in range(6):
        game, stream = Game.start(rules, rules.spec.shuffle(36, index)), Stream(37, index)
        while not game.is_over:
            view = game.view(game.seat_to_act)
            if view.seat == 0:
                beliefs = draw_beliefs(
                    Belief(base, worlds=8, seats=1, tries=5), view, Stream(1, game.turn)
                )
                found.add(beliefs.agreement)
                assert (beliefs.agreement is Agreement.NONE) == (not beliefs.decks)
                assert len(beliefs.decks) in (0, 2, 3, 4, 5, 6, 7, 8)
                action = base.act(view, stream)
            else:
                action = view.legal_actions[stream.below(len(view.legal_actions))]
            game = game.apply(action)
    assert found >= {Agreement.EXACT, Agreement.RELAXED}


@pytest.mark.parametrize(
    "bad",
    [
        {"worlds": 0},
        {"seats": -1},
        {"slack": 1.5},
        {"margin": math.nan},
        {"caution": 101},
        {"tries": 0},
        {"deals": 0},
        {"asks": 0},
    ],
)
def test_numbers_are_checked(bad: dict[str, float]) -> None:
    with pytest.raises(InvalidInputError, match=next(iter(bad))):
        Belief(Convention(), **bad)  # type: ignore[arg-type]


def test_who_has_no_policy_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="which 'FirstLegal' is not"):
        Belief(FirstLegal())


def test_who_takes_all_for_truthful_is_not_misled() -> None:
    with pytest.raises(InvalidInputError, match="treats every action as truthful"):
        Belief(Information(), misread=True)


def test_it_is_refused_by_name() -> None:
    with pytest.raises(InvalidInputError, match="needs a compiled player"):
        parse_player("belief:worlds=10/first-legal")
    with pytest.raises(InvalidInputError, match="no player searches inside a search"):
        parse_player("belief/endgame/convention")


def test_too_many_kinds_of_cards_are_refused() -> None:
    rules = replace(SMALL, spec=DeckSpec.uniform(colors=13, ranks=5, copies=1))
    with pytest.raises(InvalidInputError, match="65 kinds of cards"):
        outcomes(Belief(Information()), rules, 1, seed=1)
