"""The options allOrNothing and speedrun, which end games as hanab.live's server does."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.players import FirstLegal, play_game
from hanabi.players.arena import outcome_of
from hanabi.players.compiled import complete_view
from hanabi.reviews.review import review
from hanabi.rules import Action, EndReason, Game, Rules, hint_color, play
from hanabi.rules.deck import DeckSpec
from hanabi.rules.notation.hanab_live import game_from_json, game_to_json
from hanabi.rules.notation.record import GameRecord
from hanabi.rules.replay import replay, rules_of, to_record
from hanabi.rules.telling import ending
from hanabi.rules.variants import Suit, Variant
from hanabi.solvers.winnable import best, solve_game

SITE = Path(__file__).parents[2] / "data" / "hanab_live" / "site"


def load(name: str) -> GameRecord:
    return game_from_json(json.loads((SITE / f"{name}.json").read_text(encoding="utf-8")))


def run(game: Game, *actions: Action) -> Game:
    for action in actions:
        game = game.apply(action)
    return game


def test_a_speedrun_ends_with_nothing_once_a_point_is_lost() -> None:
    """The fourth action discards the only b5."""
    *before, last = replay(load("speedrun_fail"))
    assert not any(game.is_over for game in before)
    assert (before[-1].score, last.score, sum(last.piles)) == (1, 0, 1)
    assert (last.is_over, last.end_reason) == (True, EndReason.STUCK)
    assert last.legal_actions == ()
    assert ending(last) == "0 of 25 points, booed: not all points could be scored any more"
    without = replace(load("speedrun_fail"), options={})
    assert not replay(without)[-1].is_over


def test_an_error_that_costs_no_point_ends_no_speedrun() -> None:
    """The site asks only whether all points are still possible, and for the third error."""
    rules = replace(Rules.hanab_live(2), speedrun=True)
    game = Game.start(rules, rules.spec.shuffle(seed=1)).apply(play(1))
    assert (game.lives, game.is_over) == (2, False)


@pytest.mark.parametrize(
    ("last", "score", "end"),
    [
        # r2 and r3 are still there: an end like any other.
        (hint_color(0, 0), 1, EndReason.OUT_OF_TURNS),
        # The only r3 is lost with the last turn, which the site asks first.
        (play(0), 0, EndReason.STUCK),
    ],
)
def test_a_speedrun_that_runs_out_of_turns_keeps_its_points(
    last: Action, score: int, end: EndReason
) -> None:
    rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=2, hand_size=1, speedrun=True, final_round=1)
    game = run(Game.start(rules, [(0, 1), (0, 3), (0, 2)]), play(0))
    assert not game.is_over
    game = game.apply(last)
    assert (game.score, game.end_reason) == (score, end)


def test_a_speedrun_is_read_and_written() -> None:
    record = load("speedrun_fail")
    rules = replace(Rules.hanab_live(3), speedrun=True)
    assert rules_of(record) == rules
    again = to_record(replay(record)[-1], names=record.names)
    assert again.options == {"speedrun": True}
    assert rules_of(game_from_json(game_to_json(again))) == rules


def test_a_complete_game_counts_though_nobody_could_go_on() -> None:
    """Under allOrNothing the site asks for a player without cards and tokens first, and gives 0.

    That is before it asks whether all points are there. By its own rules they are worth 30.
    """
    last = replay(load("aon_softlock_2124"))[-1]
    assert (last.score, last.end_reason) == (30, EndReason.COMPLETED)
    hand = last.hand_indices[last.seat_to_act]
    assert (len(hand), last.hint_credit) == (0, 0)


RED = Suit(name="Red", clue_colors=("Red",))
NULL = Suit(name="Null", no_clue_colors=True, no_clue_ranks=True)
SMALL = Variant(name="small", suits=(RED, NULL), ranks=2)


def waiting(hints: int = 2, **changes: bool) -> Game:
    """Seat 0 has no card, and seat 1 holds the last one, which no hint touches."""
    rules = Rules(
        spec=DeckSpec(((1, 1), (1, 1))),
        variant=SMALL,
        seats=2,
        hand_size=2,
        hints=hints,
        final_round=None,
        empty_hints=False,
        all_or_nothing=True,
        completion_bonus=False,
    )
    game = Game.start(replace(rules, **changes), [(0, 1), (0, 2), (1, 1), (1, 2)])  # type: ignore[arg-type]
    return run(game, play(0), hint_color(0, 0), play(0), play(0))


def test_all_or_nothing_waits_where_there_are_tokens_and_no_legal_hint() -> None:
    game = waiting()
    assert (game.hints, game.hand_indices) == (1, ((), (3,)))
    assert (game.is_over, game.end_reason, game.can_act) == (False, EndReason.IN_PROGRESS, False)
    assert (game.legal_actions, game.score) == ((), 3)
    assert not game.view(0).is_to_act
    assert ending(game) == "3 of 4 points so far: the player to act could do nothing"


def test_all_or_nothing_ends_where_there_is_no_token() -> None:
    game = waiting(hints=1)
    assert (game.hints, game.is_over, game.end_reason) == (0, True, EndReason.NO_ACTION)
    assert game.score == 0


def test_without_the_option_nobody_waits() -> None:
    game = waiting(all_or_nothing=False)
    assert (game.is_over, game.end_reason, game.score) == (True, EndReason.NO_ACTION, 3)


def test_a_game_that_waits_is_worth_nothing_to_whoever_counts_or_solves() -> None:
    game = waiting()
    assert outcome_of(game) == 0
    assert play_game([FirstLegal()] * 2, game, Stream(1)) == game
    for verdict in (best(game), solve_game(game)):
        assert (verdict.is_winnable, verdict.lower, verdict.upper) == (False, 0, 0)
    assert [(each.lower, each.upper) for each in review(game).prospects][-1] == (0, 0)
    with pytest.raises(InvalidInputError, match="the game is over"):
        complete_view(game.view(0))
