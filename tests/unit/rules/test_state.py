"""Games by hand: every rule, every end, every refusal."""

from __future__ import annotations

import subprocess
import sys

import pytest

from hanabi.ground.errors import IllegalActionError, InvalidInputError
from hanabi.rules import (
    Action,
    EndReason,
    Game,
    Kind,
    Knowledge,
    Rules,
    discard,
    discard_deck,
    hint_color,
    hint_rank,
    play,
    play_deck,
)
from hanabi.rules.deck import Deck, DeckSpec
from hanabi.rules.notation import RecordedAction
from hanabi.rules.replay import find_action, record_action
from hanabi.rules.variants import Suit, Variant
from oracles.tables import deal, read_deck


def run(game: Game, *actions: Action) -> Game:
    for action in actions:
        game = game.apply(action)
    return game


def test_the_deal() -> None:
    game = Game.start(Rules.official(2), Rules.official(2).spec.shuffle(seed=1))
    assert game.hand_indices == ((0, 1, 2, 3, 4), (5, 6, 7, 8, 9))
    assert game.hands[1] == game.deck[5:10]
    assert (game.hints, game.lives, game.score, game.turn, game.seat_to_act) == (8, 3, 0, 0, 0)
    assert (game.deck_left, game.turns_left, game.end_reason) == (40, None, EndReason.IN_PROGRESS)
    everything = Knowledge(tuple(range(5)), tuple(range(1, 6)))
    assert game.knowledge == ((everything,) * 5,) * 2


def test_a_whole_game() -> None:
    """Two seats, two colors of two ranks; the last play of each color gives a token back."""
    game = deal("r1 y2 r2 y1 r1 y1", seats=2, hand_size=2, hints=2)
    game = run(game, hint_rank(1, 2))
    assert game.hints == 1
    assert game.knowledge[1] == (Knowledge((0, 1), (2,)), Knowledge((0, 1), (1,)))
    game = run(game, play(1))  # y1
    assert (game.piles, game.lives) == ((0, 1), 3)
    assert game.hand_indices[1] == (2, 4)
    assert game.knowledge[1][1] == Knowledge((0, 1), (1, 2))
    game = run(game, play(1))  # y2
    assert (game.piles, game.hints, game.turns_left) == ((0, 2), 2, 2)
    game = run(game, hint_color(0, 0))
    assert game.turns_left == 1
    assert game.knowledge[0] == (Knowledge((0,), (1, 2)), Knowledge((1,), (1, 2)))
    game = run(game, play(0))
    assert game.end_reason is EndReason.OUT_OF_TURNS
    assert (game.score, game.turn, game.turns_left, game.legal_actions) == (3, 5, 0, ())
    assert len(game.hands[0]) == 1


def test_completion_ends_the_game_at_once() -> None:
    game = run(deal("r1 r2 r1", seats=1, hand_size=2), play(0), play(0))
    assert game.end_reason is EndReason.COMPLETED
    assert (game.score, game.is_over) == (2, True)


@pytest.mark.parametrize(("zero", "score"), [(True, 0), (False, 1)])
def test_the_last_error_ends_the_game(zero: bool, score: int) -> None:
    game = deal("r1 r1 r1 r2 r2 r2", seats=1, hand_size=3, lives=2, bombed_scores_zero=zero)
    game = run(game, play(0), play(0))
    assert (game.score, game.lives, game.discards) == (1, 1, read_deck("r1")[:])
    game = run(game, play(0))
    assert (game.end_reason, game.score, game.piles) == (EndReason.BOMBED, score, (1,))


def test_an_error_gives_no_token_and_a_discard_does() -> None:
    game = deal("r2 r2 r1 r1 r1 r1", seats=2, hand_size=2, hints=2)
    told = run(game, hint_rank(1, 1), hint_rank(0, 2))
    assert (told.hints, told.lives) == (0, 3)
    assert (run(told, play(0)).hints, run(told, play(0)).lives) == (0, 2)
    assert (run(told, discard(0)).hints, run(told, discard(0)).lives) == (1, 3)


@pytest.mark.parametrize(("bonus", "hints"), [(True, 2), (False, 1)])
def test_the_bonus_of_a_complete_color(bonus: bool, hints: int) -> None:
    game = deal("r1 y1 y2 y1", seats=2, hand_size=1, hints=2, completion_bonus=bonus)
    # Red has two ranks, yellow too: only the second yellow card completes a color.
    game = run(game, play(0), play(0), hint_rank(1, 1))
    assert game.hints == 1
    assert game.piles == (1, 1)
    after = deal("r1 y1 y1", seats=2, hand_size=1, hints=2, completion_bonus=bonus)
    assert run(after, hint_rank(1, 1), play(0)).hints == hints


def test_no_bonus_beyond_all_tokens() -> None:
    assert run(deal("r1 y1 y1", seats=2, hand_size=1), play(0)).hints == 8


def test_discarding_with_all_tokens_keeps_them_all() -> None:
    game = deal("r1 r1 r1", seats=2, hand_size=1, discard_at_full_hints=True, final_round=3)
    game = run(game, discard(0))
    assert (game.hints, game.discards) == (8, read_deck("r1")[:])


def test_cards_move_down_or_stay() -> None:
    text = "r1 y1 g1 b1 p1"
    assert run(deal(text, 1, 4), play(1)).hand_indices == ((0, 2, 3, 4),)
    kept = run(deal(text, 1, 4, keep_slots=True), play(1))
    assert kept.hand_indices == ((0, 4, 2, 3),)
    assert run(kept, play(1)).hand_indices == ((0, 2, 3),)


@pytest.mark.parametrize(
    ("final_round", "turns", "end"),
    [
        (0, 1, EndReason.OUT_OF_TURNS),
        (1, 2, EndReason.OUT_OF_TURNS),
        (2, 3, EndReason.OUT_OF_TURNS),
        (3, 3, EndReason.NO_ACTION),  # the hands are empty by then
        (None, 3, EndReason.NO_ACTION),
    ],
)
def test_the_turns_after_the_last_card(final_round: int | None, turns: int, end: EndReason) -> None:
    game = deal("r3 r3 r3", seats=2, hand_size=1, lives=9, hints=0, final_round=final_round)
    while not game.is_over:
        game = game.apply(play(0))
    assert (game.turn, game.end_reason) == (turns, end)


def test_a_deck_dealt_out_starts_the_last_round() -> None:
    game = deal("r1 r2", seats=2, hand_size=1)
    assert game.turns_left == 2
    assert run(game, play(0), play(0)).end_reason is EndReason.COMPLETED
    assert deal("r1 r2", seats=2, hand_size=1, final_round=0).is_over


def test_without_cards_one_can_still_hint() -> None:
    game = deal("r3 r3 r3", seats=2, hand_size=1, lives=9, hints=1, final_round=None)
    game = run(game, play(0), play(0), hint_rank(1, 3))


STUCK = {"stop_when_stuck": True, "hints": 2, "discard_at_full_hints": True, "hand_size": 1}


def test_stuck_once_the_next_cards_are_gone() -> None:
    game = deal("r1 y1 y2 r2 y1", seats=2, **STUCK)
    game = run(game, discard(0))  # the only red 1
    assert not game.is_over
    game = run(game, play(0))
    assert (game.end_reason, game.is_over) == (EndReason.IN_PROGRESS, False)
    game = run(game, discard(0))  # the only yellow 2
    assert game.end_reason is EndReason.STUCK
    assert game.score == 1


def test_stuck_once_the_next_card_has_no_turn() -> None:
    # Seat 1's last turn passes with the red 2 in its hand; seat 0 cannot score any more.
    game = run(deal("r1 r2 r1", seats=2, **STUCK), play(0))
    assert (game.turns_left, game.is_over) == (2, False)
    assert run(game, hint_rank(0, 1)).end_reason is EndReason.STUCK
    assert run(game, play(0)).end_reason is EndReason.COMPLETED


def test_the_last_card_played_from_the_deck() -> None:
    game = deal("r2 y1 r1 y1", seats=2, hand_size=1, deck_plays=True)
    assert not game.is_legal(play_deck())
    game = run(game, play(0))
    assert play_deck() in game.legal_actions
    game = run(game, play_deck())
    assert (game.piles, game.lives) == ((0, 1), 2)
    assert (game.deck_left, game.turns_left) == (0, 2)
    assert game.hand_indices == ((2,), (1,))


@pytest.mark.parametrize("is_inverted", [True, False])
def test_the_last_card_discarded_from_the_deck(is_inverted: bool) -> None:
    """With inverted suits it may be discarded, too, which plays an inverted card."""
    suits = Suit(name="Red", inverted=is_inverted), Suit(name="Yellow", inverted=True)
    variant = Variant(name="Inverted", suits=suits, ranks=1)
    game = deal(
        "y1 y1 r1 r1", seats=2, hand_size=1, deck_plays=True, hints=2, variant=variant,
        discard_at_full_hints=True,
    )  # fmt: skip
    assert not game.is_legal(discard_deck())
    game = run(game, discard(0))
    assert {play_deck(), discard_deck()} < set(game.legal_actions)
    played, discarded = run(game, play_deck()), run(game, discard_deck())
    if is_inverted:
        played, discarded = discarded, played
    assert (played.piles, discarded.piles) == ((1, 1), (0, 1))
    assert (played.deck_left, discarded.deck_left) == (0, 0)
    assert record_action(game, discard_deck()) == RecordedAction(0 if is_inverted else 1, 3)
    for action in play_deck(), discard_deck():
        assert find_action(game, record_action(game, action)) == action


REFUSALS = [
    ("", discard(0), "no discards while all 8 hint tokens are there"),
    ("", play(2), "the seat holds 2 cards, from slot 0"),
    ("", play(-1), "is not an action"),
    ("", Action(Kind.PLAY, 0, 1), "is not an action"),
    ("", Action(Kind.PLAY_DECK, 1), "is not an action"),
    ("", play_deck(), "these rules do not let a card be played from the deck"),
    ("deck_plays", play_deck(), "the deck has 2 cards, not the last one alone"),
    ("", Action(Kind.DISCARD_DECK, 1), "is not an action"),
    ("", discard_deck(), "these rules do not let a card be played from the deck"),
    ("deck_plays", discard_deck(), "no suit is inverted: the deck's last card can only be played"),
    ("", hint_rank(3, 1), "the seats are 0 .. 2"),
    ("", hint_rank(0, 1), "a hint goes to another seat"),
    ("", hint_color(1, 2), "the colors are 0 .. 1"),
    ("", hint_rank(1, 3), "the ranks are 1 .. 2"),
    ("", hint_rank(1, 0), "the ranks are 1 .. 2"),
    ("no hints", hint_rank(1, 1), "no hint token is left"),
    ("no empty hints", hint_rank(1, 2), "these rules forbid a hint that touches no card"),
    ("over", play(0), "the game is over (out of turns)"),
]
CHANGES: dict[str, dict[str, object]] = {
    "": {},
    "deck_plays": {"deck_plays": True},
    "no hints": {"hints": 0},
    "no empty hints": {"empty_hints": False},
}


@pytest.mark.parametrize(("changes", "action", "message"), REFUSALS)
def test_refusals_name_the_rule(changes: str, action: Action, message: str) -> None:
    if changes == "over":
        game = deal("r1 y1 r1", seats=3, hand_size=1, final_round=0)
    else:
        game = deal("r1 y2 r1 r1 y1 y1 r2 y1", seats=3, hand_size=2, **CHANGES[changes])
    assert not game.is_legal(action)
    with pytest.raises(IllegalActionError) as caught:
        game.apply(action)
    assert str(caught.value).startswith(f"turn 1, seat 0 cannot {action}: ")
    assert str(caught.value).endswith(message)


@pytest.mark.parametrize(
    ("deck", "message"),
    [
        ("r1 r2", "a deck of 2 cards; the rules have 3"),
        ("r1 r2 r2", r"deck\[2\]: r2 is one too many for the rules"),
        ("r1 r2 y1", r"deck\[2\]: y1 is one too many for the rules"),
    ],
)
def test_the_deck_must_be_that_of_the_rules(deck: str, message: str) -> None:
    rules = Rules(spec=DeckSpec(((2, 1),)), seats=1, hand_size=1)
    with pytest.raises(InvalidInputError, match=message):
        Game.start(rules, read_deck(deck))


def test_only_hints_touch() -> None:
    game = deal("r1 y2 r1 r1", seats=2, hand_size=2)
    assert game.touched(hint_color(0, 0)) == (0,)
    assert game.touched(hint_rank(1, 1)) == (0, 1)
    for action in (play(0), hint_rank(2, 1), hint_rank(-1, 1)):
        with pytest.raises(InvalidInputError, match="is not a hint to a seat"):
            game.touched(action)


def test_equality_is_that_of_positions() -> None:
    game = deal("r1 y1 r1 y1 g1", seats=2, hand_size=2)
    one = run(game, play(0), play(1), hint_rank(1, 1))
    other = run(game, play(0), play(1), hint_rank(1, 1))
    assert one == other
    assert len({game, one, other}) == 2
    assert game != deal("r1 y1 r1 g1 y1", seats=2, hand_size=2)
    assert game != deal("r1 y1 r1 y1 g1", seats=2, hand_size=2, hints=7)
    assert game != "a game"
    # Told the color first or the rank first: the same is known, by different actions.
    tell = [hint_rank(1, 1), hint_color(1, 0)]
    pair = [run(game, a, hint_rank(0, 1), b) for a, b in (tell, tell[::-1])]
    assert pair[0] == pair[1]
    assert hash(pair[0]) == hash(pair[1])
    assert pair[0].actions != pair[1].actions


def test_cards_that_are_gone_leave_nothing_behind() -> None:
    game = deal("r1 y1 r1 y1", 2, 2, discard_at_full_hints=True, final_round=None)
    game = run(game, hint_rank(1, 1), hint_color(0, 0))  # seat 0's cards are known apart
    orders = [run(game, discard(slot), hint_rank(0, 1), discard(0)) for slot in (0, 1)]
    assert orders[0] == orders[1]
    assert orders[0].hands[0] == ()


def test_arrays_for_kernels_are_not_the_games_own() -> None:
    game = deal("r1 y1 r1 y1", seats=2, hand_size=1)
    state = game.packed[2]
    state[:] = 0
    assert game == deal("r1 y1 r1 y1", seats=2, hand_size=1)


def test_printing() -> None:
    game = run(deal("r1 y1 g2 r1 y1 g1", seats=2, hand_size=2), play(0), play(1))
    assert str(game) == (
        "turn 2: seat 0 to act, 8 hints, 2 lives, 2 turns left, score 1\n"
        "piles     r1 y0 g0\n"
        "seat 0    y1 y1\n"
        "seat 1    g2 g1\n"
        "discards  r1"
    )
    assert repr(game) == "<Game of 2 seats, turn 2, score 1>"
    over = deal("r1 r2", seats=2, hand_size=1, final_round=0)
    assert str(over).startswith("turn 0: over (out of turns), 8 hints")


def test_importing_the_package_imports_no_array_library() -> None:
    code = (
        "import sys, hanabi.rules, hanabi.rules.replay; print({'numpy', 'numba'} & {*sys.modules})"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"


def test_decks_come_as_any_pairs() -> None:
    rules = Rules(spec=DeckSpec(((2, 1),)), seats=1, hand_size=1)
    game = Game.start(rules, iter([(0, 1), (0, 2), (0, 1)]))
    assert game.deck == Deck([(0, 1), (0, 2), (0, 1)])
    assert game.rules is rules
