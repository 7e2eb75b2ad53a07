from dataclasses import replace

import pytest

import hanabi
from hanabi import Deck, DeckSpec, Status
from hanabi.ground.errors import BudgetEndedError
from hanabi.rules import Game, Rules, hint_rank, play
from hanabi.solvers.winnable import best, replay, solve, solve_game, solver
from hanabi.solvers.winnable.images import images
from hanabi.solvers.winnable.position import Position
from hanabi.solvers.winnable.reasons import why_lost
from hanabi.solvers.winnable.search import GameSearch, Workspace, line_of
from oracles.winnable import most_points


def deck_of(text: str) -> Deck:
    return Deck([("rygbp".index(card[0]), int(card[1])) for card in text.split()])


@pytest.mark.parametrize(
    ("copies", "seats", "hand_size", "hints", "deck"),
    [
        (((2, 2, 1),), 1, 2, 1, "r1 r1 r2 r2 r3"),
        (((1, 2), (1, 1, 1)), 2, 1, 3, "r2 y3 r1 y1 y2 r2"),
        (((2, 2, 1), (2, 2)), 3, 2, 2, "r3 r2 y1 r2 y1 y2 r1 r1 y2"),
    ],
)
def test_a_mistake_can_be_the_only_way(
    copies: tuple[tuple[int, ...], ...], seats: int, hand_size: int, hints: int, deck: str
) -> None:
    """With all hints there, it draws a card without giving the turn away."""
    spec, cards = DeckSpec(copies), deck_of(deck)
    rules = Rules(spec=spec, seats=seats, hand_size=hand_size, hints=hints, lives=2)
    verdict = solve(cards, rules)
    assert verdict.witness is not None
    assert replay(Game.start(rules, cards), verdict.witness).lives == 1
    strict = Rules(spec=spec, seats=seats, hand_size=hand_size, hints=hints, lives=1)
    assert solve(cards, strict).is_winnable is False
    assert most_points(strict, cards) == rules.max_score - 1


def test_what_is_scored_already_has_only_to_be_kept() -> None:
    rules = Rules.hanab_live(3)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    verdict = solve_game(game, points=0)
    assert (verdict.status, verdict.method) == (Status.WINNABLE, "score")
    assert verdict.witness is not None
    assert replay(game, verdict.witness).is_over


@pytest.mark.parametrize(("zero", "score"), [(True, 0), (False, 1)])
def test_points_that_cannot_be_kept_do_not_count(zero: bool, score: int) -> None:
    """Without hint tokens each turn plays a card, and the second or third play errs."""
    rules = Rules(
        spec=DeckSpec(((2, 1, 1),)), seats=2, hand_size=1, hints=0, lives=1, empty_hints=False,
        bombed_scores_zero=zero,
    )  # fmt: skip
    game = Game.start(rules, deck_of("r1 r3 r1 r2"))
    verdict = best(game)
    assert (verdict.status, verdict.lower, verdict.upper) == (Status.UNWINNABLE, score, score)
    assert verdict.witness is not None
    end = replay(game, verdict.witness)
    assert (end.is_over, end.score) == (True, score)
    assert solve_game(game, points=1).is_winnable is (score == 1)


def test_time_that_ends_leaves_open_whether_points_are_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def out_of_time(*_: object, **__: object) -> None:
        raise BudgetEndedError

    monkeypatch.setattr(solver, "finish", out_of_time)
    rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=2, hand_size=1, hints=0, lives=1)
    verdict = solve_game(Game.start(rules, deck_of("r1 r3 r2")), points=1)
    assert (verdict.status, verdict.lower, verdict.upper) == (Status.UNKNOWN, 0, 3)
    assert "perhaps not kept" in verdict.reason


def test_solve_from_a_position_in_a_game() -> None:
    rules = Rules.hanab_live(3)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    line = solve_game(game).witness
    assert line is not None
    for length in (10, 30, len(line) - 1):
        later = replay(game, line[:length])
        verdict = solve_game(later)
        assert verdict.witness is not None
        assert replay(later, verdict.witness).score == 25


def test_a_witness_is_played_as_it_stands() -> None:
    rules = Rules.hanab_live(2)
    game = Game.start(rules, rules.spec.shuffle(seed=3))
    verdict = solve_game(game)
    assert verdict.witness is not None
    for action in verdict.witness:
        assert action in game.legal_actions
        game = game.apply(action)
    assert (game.is_over, game.score) == (True, 25)


def test_answers_do_not_depend_on_the_seed() -> None:
    rules = Rules.hanab_live(5)
    deck = rules.spec.shuffle(seed=3)
    verdicts = [solve(deck, rules, seed=seed) for seed in range(3)]
    assert {verdict.status for verdict in verdicts} == {Status.WINNABLE}


def test_the_best_score_of_a_lost_deck() -> None:
    rules = Rules.hanab_live(2)
    deck = deck_of(
        "r4 r3 r2 b1 b3 b5 y4 r1 p3 r2 p1 r3 b1 g5 b4 y3 r5 b4 g2 p4 g4 y4 y3 y1 p5"
        " r1 p3 y1 r1 g1 b3 y5 p4 g1 b2 p1 y1 g3 p2 p1 r4 g3 g1 g4 b2 y2 b1 p2 g2 y2"
    )
    verdict = best(Game.start(rules, deck))
    assert verdict.status is Status.UNWINNABLE
    assert (verdict.method, verdict.lower, verdict.upper) == ("merged hands", 24, 24)
    assert verdict.witness is not None
    assert replay(Game.start(rules, deck), verdict.witness).score == 24


def test_a_budget_that_ends_gives_unknown_with_bounds() -> None:
    rules = Rules.hanab_live(5)
    deck = deck_of(
        "r1 y3 p2 y4 p4 b3 r2 g3 g1 r2 g3 p3 b5 r5 y3 b1 y2 r4 y2 b1 b4 p2 r1 g5 g1"
        " g4 y4 p5 g4 p1 p1 r1 p3 r4 b3 y1 b1 g1 y1 b4 p1 p4 g2 y1 b2 r3 y5 b2 g2 r3"
    )
    verdict = solve(deck, rules, seconds=0.0)
    assert verdict.status is Status.UNKNOWN
    assert (verdict.lower, verdict.upper) == (0, 25)
    assert verdict.trail


def test_a_finished_game() -> None:
    rules = Rules(spec=DeckSpec(((1, 1),)), seats=1, hand_size=1, final_round=0)
    over = Game.start(rules, [(0, 1), (0, 2)]).apply(play(0))
    assert over.is_over
    verdict = solve_game(over)
    assert (verdict.status, verdict.lower, verdict.upper) == (Status.UNWINNABLE, 1, 1)
    assert best(over).lower == 1


def test_hints_of_a_line_touch_a_card() -> None:
    """With empty hands about, a hint goes to a seat that holds a card."""
    rules = Rules(
        spec=DeckSpec(((1, 1, 1),)), seats=3, hand_size=1, empty_hints=False, final_round=None
    )
    game = Game.start(rules, deck_of("r2 r3 r1"))
    verdict = solve_game(game)
    assert verdict.witness is not None
    assert replay(game, verdict.witness).score == 3
    assert verdict.witness[0] == hint_rank(1, 3)
    assert game.is_legal(hint_rank(1, 3))


@pytest.mark.parametrize("seed", ["p2v180s323", "p2v181s280", "p2v181s463", "p2v255s26"])
def test_a_line_waits_with_a_hint_only_where_a_clue_touches_a_card(seed: str) -> None:
    """The plain game is won easily; its lines give hints to hands of null cards."""
    game = hanabi.deal(seed)
    [image] = images(game)
    plain = solve_game(image.game, points=game.rules.max_score)
    assert plain.witness is not None
    assert image.lift(plain.witness, game.rules.max_score) is None
    verdict = solve_game(game)
    assert verdict.witness is not None
    assert replay(game, verdict.witness).score == game.rules.max_score


@pytest.mark.parametrize("labels", [0, 2, 99])
def test_an_exhausted_search_is_a_proof(labels: int) -> None:
    rules = Rules(spec=DeckSpec(((2, 2, 1),)), seats=2, hand_size=1, hints=1, final_round=2)
    deck = deck_of("r3 r2 r1 r1 r2")
    workspace = Workspace(Position.start(rules, deck), (3,))
    found = GameSearch(workspace, rows=1 << 10, labels=labels, guide_rows=1 << 10).run(10_000, 0)
    truth = most_points(rules, deck) == 3
    assert found.status is (Status.WINNABLE if truth else Status.UNWINNABLE)
    if truth:
        end = replay(Game.start(rules, deck), line_of(workspace, found.moves))
        assert end.score == 3


def test_no_reason_to_read_where_the_deck_may_still_be_played() -> None:
    """The reasons are those of games in which its last card has to be drawn."""
    rules = Rules(spec=DeckSpec(((1, 1, 1),)), seats=2, hand_size=1)
    game = Game.start(rules, deck_of("r1 r3 r2"))
    assert why_lost(game, None) is not None
    playable = replace(rules, deck_plays=True)
    assert why_lost(Game.start(playable, deck_of("r1 r3 r2")), None) is None
    empty = Game.start(replace(playable, hand_size=1), deck_of("r1 r3 r2")).apply(play(0))
    assert empty.deck_left == 0
    assert why_lost(empty, None) is not None


def test_points_on_the_piles_are_not_safe_under_all_or_nothing() -> None:
    """A point is scored, and whoever holds the other card has no turn left."""
    rules = Rules(
        spec=DeckSpec(((2,), (1,))), seats=3, hand_size=1, all_or_nothing=True, final_round=2
    )
    game = Game.start(rules, deck_of("r1 r1 y1")).apply(play(0))
    assert (game.can_act, game.score) == (True, 1)
    for verdict in (solve_game(game), best(game)):
        assert (verdict.status, verdict.lower, verdict.upper) == (Status.UNWINNABLE, 0, 0)
