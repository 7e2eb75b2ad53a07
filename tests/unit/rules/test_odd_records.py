"""Records that go otherwise than games do today: followed, marked, and answered in part."""

from __future__ import annotations

import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from hanabi.ground.errors import IllegalActionError, InvalidInputError, SolverError
from hanabi.ground.verdict import Status
from hanabi.reviews.chances import chances
from hanabi.reviews.review import review
from hanabi.rules import Action, EndReason, Game, Kind, Rules, discard, hint_rank, perft, play
from hanabi.rules.deck import Deck
from hanabi.rules.notation import GameRecord, RecordedAction, format_link, game_to_json, parse_input
from hanabi.rules.problem import link_of, pose_deck, pose_game
from hanabi.rules.recorded import Replay
from hanabi.rules.replay import follow, replay, replay_of, to_record
from hanabi.rules.table import RecordedEnd
from hanabi.shell.session.solving import solve
from hanabi.solvers.winnable import Position
from hanabi.solvers.winnable.timeline import timeline

DATA = Path(__file__).parents[2] / "data" / "hanab_live"
ENDS = [
    (RecordedAction(4, 1, 3), RecordedEnd.TIMED_OUT),
    (RecordedAction(4, 0, 4), RecordedEnd.ENDED_BY_PLAYER),
    (RecordedAction(4, -1, 6), RecordedEnd.IDLE),
    (RecordedAction(5, -1, 10), RecordedEnd.ENDED_BY_VOTE),
    (RecordedAction(10, -1), RecordedEnd.ENDED_BY_VOTE),
    (RecordedAction(4, 0), RecordedEnd.ENDED),
]


def read(name: str) -> GameRecord:
    record = parse_input((DATA / "site" / f"{name}.json").read_text(encoding="utf-8"))
    assert isinstance(record, GameRecord)
    return record


def real_game() -> GameRecord:
    record = parse_input((DATA / "games" / "2906.json").read_text(encoding="utf-8"))
    assert isinstance(record, GameRecord)
    return record


def listed(record: GameRecord) -> GameRecord:
    """Return a record as bots' logs keep it: with the cards that were drawn alone."""
    last = replay_of(record).positions[-1]
    return replace(record, deck=Deck(record.deck[: last.rules.deck_size - last.deck_left]))


def cut(record: GameRecord, moves: int) -> GameRecord:
    return replace(record, actions=record.actions[:moves])


@pytest.mark.parametrize(("action", "end"), ENDS, ids=lambda value: str(value))
def test_a_game_that_is_ended_scores_nothing(action: RecordedAction, end: RecordedEnd) -> None:
    timed_out = read("ended_by_timeout")
    record = replace(timed_out, actions=(*timed_out.actions[:-1], action))
    found = replay_of(record)
    assert (found.end, found.score) == (end, 0)
    # Positions keep their own points.
    assert (found.positions[-1].score, found.positions[-1].end_reason) == (2, EndReason.IN_PROGRESS)
    problem = pose_deck(record)
    assert (problem.end, problem.score, problem.by_rules) == (end, 0, problem.positions)
    assert problem.ending.startswith("0 of 25 points: ")
    assert problem.ending.endswith(", with 2 on the piles")


def test_an_end_that_is_none_is_named() -> None:
    record = replace(read("ended_by_timeout"), actions=(RecordedAction(4, 0, 8),))
    with pytest.raises(InvalidInputError, match=r"actions\[0\]\.value: 8 is not an end of a game"):
        replay_of(record)


def test_what_follows_an_end_is_said_to_be_left_out() -> None:
    timed_out = read("ended_by_timeout")
    found = replay_of(replace(timed_out, actions=(*timed_out.actions, RecordedAction(0, 1))))
    assert found.unusual == ("what follows actions[4], which ends the game, is left out",)


def test_another_seat_can_go_first() -> None:
    record = read("starting_player")
    found = replay_of(record)
    assert (len(found.positions), found.score, found.end) == (83, 29, EndReason.OUT_OF_TURNS)
    assert found.unusual == ("Bob goes first (startingPlayer 1)",)
    seats = [game.seat_to_act for game in found.positions]
    assert seats[:4] == [1, 0, 1, 0]
    assert {game.first_seat for game in found.positions} == {1}
    assert found.positions[0].hands[0] == record.deck[:5]
    assert found.positions[30].deal == found.positions[0]
    assert pickle.loads(pickle.dumps(found.positions[30])) == found.positions[30]
    with pytest.raises(InvalidInputError, match=r"options\.startingPlayer: 2 is not in 0 \.\. 1"):
        replay_of(replace(record, options={"startingPlayer": 2}))
    with pytest.raises(InvalidInputError, match="seat 2 is not in 0"):
        Game.start(Rules.hanab_live(2), Rules.hanab_live(2).spec.shuffle(1), first_seat=2)


def test_who_goes_first_survives_writing() -> None:
    record = read("starting_player")
    assert parse_input(json.dumps(game_to_json(record))) == record
    last = replay_of(record).positions[-1]
    assert replay_of(to_record(last)).positions[-1] == last
    assert pose_game(last).positions == replay_of(record).positions
    with pytest.raises(InvalidInputError, match=r"options\.startingPlayer: a link has no place"):
        format_link(replace(record, options={"startingPlayer": 1}))
    with pytest.raises(InvalidInputError, match=r"startingPlayer: a link has no place"):
        link_of(replay_of(replace(record, options={"startingPlayer": 1})).positions[:1], ("A", "B"))


@pytest.mark.parametrize("first", range(3))
def test_who_goes_first_is_another_name_for_the_seats(first: int) -> None:
    """Hands that change places with the seats give the same game, and the same best scores."""
    rules = Rules.hanab_live(3)
    deck = rules.spec.shuffle(seed=5)
    size = rules.hand_size
    hands = [deck[(first + seat) % 3 * size :][:size] for seat in range(3)]
    there = Game.start(rules, [*hands[0], *hands[1], *hands[2], *deck[3 * size :]])
    here = Game.start(rules, deck, first_seat=first)
    games = [(here, there)]
    for turn in range(30):
        here, there = games[-1]
        safe = [each for each in there.legal_actions if each.kind is not Kind.PLAY]
        moved = action = safe[turn * 7 % len(safe)]
        if action.is_hint:
            moved = replace_target(action.target, first, action)
        games.append((here.apply(moved), there.apply(action)))
    for here, there in games:
        assert here.seat_to_act == (there.seat_to_act + first) % 3
        assert (here.piles, here.hints, here.lives, here.end_reason) == (
            there.piles,
            there.hints,
            there.lives,
            there.end_reason,
        )
    mine = [each.upper for each in timeline([here for here, _ in games[:12]], seconds=600)]
    assert mine == [
        each.upper for each in timeline([there for _, there in games[:12]], seconds=600)
    ]


def replace_target(target: int, first: int, action: Action) -> Action:
    return action._replace(target=(target + first) % 3)


def test_players_know_who_went_first() -> None:
    """A player that rebuilds what others were told begins with the seat that did."""
    from hanabi.ground.rng import Stream
    from hanabi.players import Information

    rules = Rules.hanab_live(3)
    deck = rules.spec.shuffle(seed=7)
    game, player = Game.start(rules, deck, first_seat=1), Information()
    hands = [deck[(1 + seat) % 3 * 5 :][:5] for seat in range(3)]
    twin = Game.start(rules, [*hands[0], *hands[1], *hands[2], *deck[15:]])
    while not twin.is_over:
        done = player.act(game.view(game.seat_to_act), Stream(1))
        alike = player.act(twin.view(twin.seat_to_act), Stream(1))
        target = (alike.target + 1) % 3 if alike.is_hint else alike.target
        assert done == alike._replace(target=target)
        game, twin = game.apply(done), twin.apply(alike)
    assert game.score == twin.score > 20


def test_moves_after_the_end_are_followed() -> None:
    found = replay_of(read("moves_after_end"))
    assert (found.recorded.over_at, len(found.positions)) == (63, 65)
    over = "the game is over after move 63 by the rules of today (stuck, 19 points)"
    assert found.unusual == (f"{over}; the record goes on for 1 move",)
    before, after = found.positions[63:]
    assert (before.end_reason, after.end_reason) == (EndReason.STUCK, EndReason.STUCK)
    assert (after.turn, after.hints, len(after.discards)) == (64, 7, len(before.discards) + 1)
    assert (found.score, found.end) == (19, EndReason.STUCK)
    with pytest.raises(IllegalActionError, match="the game is over"):
        before.apply(after.actions[-1])
    with pytest.raises(InvalidInputError, match=r"would not let this game go on: it is over after"):
        to_record(after)


def test_a_review_goes_to_the_end_by_the_rules() -> None:
    found = review(read("moves_after_end"), seconds=600)
    assert len(found.prospects) == len(found.positions) == 64
    assert found.prospects[-1].lower == found.prospects[-1].upper == 19
    assert found.problem.score == 19
    struck = review(read("strike4"))
    assert (len(struck.prospects), struck.errors, struck.problem.score) == (4, (1, 2, 3), 0)


def test_a_fourth_strike_is_followed() -> None:
    found = replay_of(read("strike4"))
    last = found.positions[-1]
    assert (last.lives, last.score, last.end_reason, len(last.discards)) == (
        -1,
        0,
        EndReason.BOMBED,
        4,
    )
    assert found.recorded.over_at == 3
    assert "bombed, 0 points); the record goes on for 1 move" in found.unusual[0]


def test_an_end_after_the_end_is_said() -> None:
    record = read("moves_after_end")
    found = replay_of(replace(record, actions=(*record.actions[:63], RecordedAction(4, 0, 4))))
    assert (found.score, found.end) == (0, RecordedEnd.ENDED_BY_PLAYER)
    assert found.unusual[0].endswith("(stuck, 19 points); the record says ended by player")


def test_verdicts_of_a_changed_deck_are_about_that_deck() -> None:
    record = read("morph")
    found = replay_of(record)
    assert sorted(found.positions[0].rules.spec.cards()) == sorted(record.deck)
    assert found.unusual == (
        "the deck is not that of No Variant (1 card exchanged): what is found is about this deck",
    )
    assert len(found.positions) == 7
    # Without its only 5 a color cannot be completed, whatever the variant has.
    deck = Deck((0, 1) if tuple(card) == (1, 5) else card for card in real_game().deck)
    answer = solve(replace(real_game(), deck=deck, actions=(), options={}), seconds=600)
    assert (answer.status, answer.verdict.upper) == (Status.UNWINNABLE, 24)


def test_a_deck_without_its_last_cards() -> None:
    """What does not depend on cards that were not drawn is as with the whole deck."""
    whole = cut(real_game(), 30)
    part = listed(whole)
    assert len(part.deck) < len(whole.deck)
    found, known = replay_of(part), replay_of(whole)
    assert found.missing == len(whole.deck) - len(part.deck)
    assert len(found.positions) == len(known.positions)
    for here, there in zip(found.positions, known.positions, strict=True):
        assert (here.hands, here.piles, here.discards, here.deck_left, here.legal_actions) == (
            there.hands,
            there.piles,
            there.discards,
            there.deck_left,
            there.legal_actions,
        )
        assert here.view(0) == there.view(0)
        assert here.filled().hands == here.hands
    assert pickle.loads(pickle.dumps(found.positions[9])) == found.positions[9]
    assert parse_input(json.dumps(game_to_json(part))).deck == part.deck  # type: ignore[union-attr]


def test_nothing_is_said_that_depends_on_missing_cards() -> None:
    part = listed(cut(real_game(), 30))
    last = replay_of(part).positions[-1]
    with pytest.raises(InvalidInputError, match="card 32 of the deck is drawn, and not listed"):
        last.apply(play(0))
    assert last.deal.apply(hint_rank(1, last.deal.hands[1][0].rank)).turn == 1
    with pytest.raises(SolverError, match="18 cards of the deck missing"):
        Position.of_game(last)
    with pytest.raises(InvalidInputError, match="of the deck are missing"):
        perft(last, 2)
    with pytest.raises(InvalidInputError, match="a link needs the whole deck"):
        link_of([last.deal], ("A", "B", "C"))
    answer = solve(last)
    assert (answer.status, answer.reason) == (
        Status.UNKNOWN,
        "18 of 50 cards of the deck are missing",
    )
    assert answer.verdict.lower == last.score
    found = review(part)
    assert found.bottom_decked == ()
    whole = review(cut(real_game(), 30))
    for bounds, best in zip(found.prospects, whole.prospects, strict=True):
        assert last.score <= bounds.lower <= best.lower <= best.upper <= bounds.upper
    assert (found.errors, found.efficiency) == (whole.errors, whole.efficiency)


def test_a_loss_that_no_order_of_the_deck_can_mend_is_found() -> None:
    rules = Rules.hanab_live(2)
    deck = [(0, 5), *[card for card in rules.spec.shuffle(1) if tuple(card) != (0, 5)]]
    game = Game.start(rules, deck[:14], is_partial=True)
    game = game.apply(hint_rank(1, game.hands[1][0].rank)).apply(hint_rank(0, 5)).apply(discard(0))
    answer = solve(game)
    assert (answer.status, answer.verdict.upper) == (Status.UNWINNABLE, 24)
    assert "the cards and turns that are left" in answer.reason


def test_chances_do_not_need_the_order_of_the_deck() -> None:
    whole = real_game()
    at = next(n for n, each in enumerate(replay_of(whole).positions) if each.deck_left == 3)
    part = listed(cut(whole, at))
    assert replay_of(part).missing == 3
    here, there = chances(part, at=at), chances(whole, at=at)
    assert [each.perfect for each in here.actions] == [each.perfect for each in there.actions]


def test_moves_that_draw_missing_cards_are_left_out() -> None:
    whole = cut(real_game(), 30)
    part = replace(whole, deck=Deck(listed(whole).deck[:-1]))
    found = replay_of(part)
    assert len(found.positions) < len(replay_of(whole).positions)
    assert found.unusual[1].endswith("are left out: a card is drawn that is not listed")
    for here, there in zip(found.positions, replay_of(whole).positions, strict=False):
        assert here.hands == there.hands


def test_slots_in_place_of_cards_are_named() -> None:
    actions = (RecordedAction(0, 1), RecordedAction(0, 2), RecordedAction(1, 0))
    record = GameRecord(2, Rules.hanab_live(2).spec.shuffle(1), actions)
    with pytest.raises(
        IllegalActionError, match=r"^actions\[1\]: .* The targets look like slots: "
    ):
        replay_of(record)
    with pytest.raises(IllegalActionError, match=r"seat 1$"):
        replay_of(replace(record, actions=(*actions, RecordedAction(0, 20))))


def test_a_replay_can_be_taken_apart() -> None:
    found = replay_of(real_game())
    assert isinstance(found, Replay)
    assert (found.recorded.ended_by, found.recorded.over_at, found.unusual) == (None, None, ())
    assert follow(found.positions[0], found.positions[-1].actions) == found.positions


def test_an_option_that_the_site_does_not_have_is_refused_by_name() -> None:
    record = read("efficiency")
    assert replay(record)[-1].score == replay(with_options(record, tableName="x"))[-1].score
    for name in ("handsFaceDown", "\x1b[2J" * 30):
        with pytest.raises(InvalidInputError, match="games with this option") as caught:
            replay(with_options(record, **{name: True}))
        assert "\x1b" not in str(caught.value)
        assert len(str(caught.value)) < 150
    replay(with_options(record, handsFaceDown=False))


def with_options(record: GameRecord, **options: object) -> GameRecord:
    return replace(record, options={**record.options, **options})
