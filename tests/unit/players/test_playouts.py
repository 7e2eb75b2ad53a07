"""Estimates by sampled deals and games: the same games again, errors that hold, and clear ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hanabi.ground import clock as clocks
from hanabi.ground.clock import NO_LIMIT, Clock
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import Convention, Endgame, RandomLegal, RuleBased, play_game
from hanabi.players.partners import seat_chances
from hanabi.players.partners.playouts import (
    Estimate,
    InterruptedPlayOuts,
    PlayOuts,
    play_outs,
)
from hanabi.players.partners.weighing import CompiledWeigher, _PlainWeigher, _weigher
from hanabi.rules import Action, Game, Rules, hint_rank, play
from hanabi.rules.view import View
from hanabi.worlds import Hidden


class First:
    """Takes the first legal action: plays its oldest card."""

    def act(self, view: View, rng: Stream) -> Action:
        del rng
        return view.legal_actions[0]


class Slow(First):
    """The same player, who needs a second of a clock of its own for each decision."""

    def __init__(self, meanwhile: Callable[[], None]) -> None:
        self.meanwhile = meanwhile

    def act(self, view: View, rng: Stream) -> Action:
        self.meanwhile()
        return super().act(view, rng)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Slow:
    now = [0.0]
    monkeypatch.setattr(clocks, "_now", lambda: now[0])

    def meanwhile() -> None:
        now[0] += 1

    return Slow(meanwhile)


def course(seed: int, left: int) -> Game:
    """A game of the convention, when so many turns are left."""
    rules = Rules.hanab_live(2)
    game = Game.start(rules, rules.spec.shuffle(seed))
    end = play_game([Convention()] * 2, game, Stream(1))
    for action in end.actions[:-left]:
        game = game.apply(action)
    return game


def test_estimates_agree_with_all_deals() -> None:
    view = (game := course(3, 4)).view(game.seat_to_act)
    exact = seat_chances(Convention(), view)
    found = play_outs(Convention(), view, Stream(1), most=400)
    assert found.agrees
    for each in found.actions:
        if each.action not in exact.misread:
            known = exact.of(each.action)
            off = abs(float(known.points.low) - each.points.mean)
            assert off <= 4 * (each.points.error or 0) + 1e-9, each
            off = abs(float(known.perfect.low) - each.perfect.mean)
            assert off <= 4 * (each.perfect.error or 0) + 1e-9, each


def test_a_clear_action_ends_the_games_and_the_same_seed_repeats_them() -> None:
    view = (game := course(3, 30)).view(game.seat_to_act)
    found = play_outs(Convention(), view, Stream(5), most=128)
    again = play_outs(Convention(), view, Stream(5), most=128)
    assert found.actions == again.actions
    assert min(each.games for each in found.actions) < 128
    assert found.actions[0].points.mean == max(
        each.points.mean for each in found.actions if each.games == found.actions[0].games
    )


def test_nothing_hidden_matters() -> None:
    game = course(3, 30)
    drawn, own = game.rules.deck_size - game.deck_left, game.hand_indices[game.seat_to_act]
    order = list(game.deck)
    order[drawn:] = reversed(order[drawn:])
    other = Game.start(game.rules, order)
    for action in game.actions:
        other = other.apply(action)
    assert other.deck != game.deck
    assert own == other.hand_indices[game.seat_to_act]
    one, two = (
        play_outs(Convention(), each.view(each.seat_to_act), Stream(5), most=32)
        for each in (game, other)
    )
    assert one.actions == two.actions


def test_players_that_choose_at_random_or_have_no_policy() -> None:
    game = course(3, 6)
    view = game.view(game.seat_to_act)
    for player in (RandomLegal(), First()):
        found = play_outs(player, view, Stream(2), most=4)
        assert {each.games for each in found.actions} == {4}
        assert len(found.actions) == len(game.legal_actions)


def test_what_contradicts_the_player_is_counted_and_hints_alone_go_on() -> None:
    rules = Rules.hanab_live(2)
    game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(play(0)).apply(hint_rank(0, 1))
    found = play_outs(First(), game.view(0), Stream(1), most=4)
    assert not found.agrees
    assert (found.contradicted, found.decisions) == (1, 1)
    assert len(found.actions) == len(game.legal_actions)


@pytest.mark.parametrize("seconds", [0, 1, 3, 20, 60, 400])
def test_the_time_is_kept_whatever_a_decision_takes(slow: Slow, seconds: int) -> None:
    """Only a decision in progress is waited for. Actions differ by one game at most."""
    view = (game := course(3, 12)).view(game.seat_to_act)
    found = play_outs(slow, view, Stream(2), seconds=seconds)
    assert found.is_cut
    assert not found.is_clear
    assert seconds <= found.seconds <= seconds + 1
    assert {each.action for each in found.actions} | set(found.untried) == set(game.legal_actions)
    games = [each.games for each in found.actions] + [0] * len(found.untried)
    assert max(games) - min(games) <= 1
    assert (max(games) > 0) == (seconds > 1)
    for each in found.actions:
        assert (each.perfect.error is None) == (each.points.error is None) == (each.games == 1)


def test_a_search_is_asked_turn_by_turn_if_there_is_a_limit() -> None:
    view = (game := course(3, 12)).view(game.seat_to_act)
    rest = Hidden.of(view), 1, Stream(1)
    assert isinstance(_weigher(Endgame(RuleBased()), *rest, Clock(9)), _PlainWeigher)
    assert isinstance(_weigher(Endgame(RuleBased()), *rest, NO_LIMIT), CompiledWeigher)
    assert isinstance(_weigher(RuleBased(), *rest, Clock(9)), CompiledWeigher)


def test_an_interrupt_has_the_estimates_until_then() -> None:
    view = (game := course(3, 6)).view(game.seat_to_act)
    told = list[tuple[str, int, int]]()

    def progress(message: str, done: int, total: int) -> None:
        told.append((message, done, total))
        if len(told) == 3 * len(game.legal_actions):
            raise KeyboardInterrupt

    with pytest.raises(InterruptedPlayOuts) as caught:
        play_outs(Convention(), view, Stream(2), most=50, progress=progress)
    n, found = len(game.legal_actions), caught.value.found
    assert sum(each.games for each in found.actions) == 3 * n
    assert told[-1] == (f"{3 * n} games, {n} actions left", told[-1][1], 50)


def test_what_is_close_gets_the_games() -> None:
    """First a game after each action; then those clearly worse get fewer, in some of the deals."""
    view = (game := course(3, 30)).view(game.seat_to_act)
    told = list[PlayOuts]()
    found = play_outs(Convention(), view, Stream(5), most=64, tell=told.append)
    assert {each.games for each in told[0].actions} == {1}
    assert [max(each.games for each in so_far.actions) for so_far in told[:4]] == [1, 2, 4, 8]
    assert told[-1] == replace(found, seconds=told[-1].seconds)
    first, *others = found.actions
    assert first.behind == Estimate(0.0, 0.0)
    assert min(each.games for each in others) < first.games
    for each in others:
        if each.games == first.games:
            assert each.behind.mean == pytest.approx(first.points.mean - each.points.mean)


def test_bad_input() -> None:
    game = course(3, 4)
    with pytest.raises(InvalidInputError, match="an error needs 2 or more"):
        play_outs(Convention(), game.view(game.seat_to_act), Stream(1), most=1)
    with pytest.raises(InvalidInputError, match="is to act"):
        play_outs(Convention(), game.view(1 - game.seat_to_act), Stream(1))
