"""Budgets of the full game's solvers, and what is asked first so that they suffice."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

import hanabi
from clocks import Looks
from hanabi.ground.clock import Clock
from hanabi.ground.errors import BudgetEndedError
from hanabi.ground.verdict import Status
from hanabi.rules import Game, Rules
from hanabi.rules.cards import Card
from hanabi.solvers.winnable.position import Position, cards_of
from hanabi.solvers.winnable.sat import certify, encode
from hanabi.solvers.winnable.sat import solve as solve_by_sat
from hanabi.solvers.winnable.search import Workspace, merged
from hanabi.solvers.winnable.solver import _goals, best, solve_game
from hanabi.solvers.winnable.timeline import Prospect, prospect

SUITS, RANKS, COPIES = 2, 30, 3


def long_game() -> Game:
    """Return a deal whose merged hand has millions of states."""
    cards = [(c, r) for c in range(SUITS) for r in range(1, RANKS + 1) for _ in range(COPIES)]
    random.Random(1).shuffle(cards)
    spec = hanabi.DeckSpec.uniform(SUITS, RANKS, COPIES)
    return Game.start(Rules(spec=spec, seats=2, hand_size=5), cards)


def played(seats: int, seed: int) -> list[Game]:
    """Return the positions of a game of random actions."""
    rng = random.Random(seed)
    game = Game.start(Rules.official(seats), Rules.official(seats).spec.shuffle(seed))
    games = [game]
    while not game.is_over:
        # Hints are rare, so that cards get lost.
        actions = [each for each in game.legal_actions if not each.is_hint or rng.random() < 0.2]
        game = game.apply(rng.choice(actions or list(game.legal_actions)))
        games.append(game)
    return games


def test_the_merged_hand_hears_the_clock() -> None:
    game = long_game()
    workspace = Workspace(Position.of_game(game), (RANKS,) * SUITS)
    assert merged(workspace, Looks(3)) is Status.UNKNOWN
    states = int(workspace.merged.table.used[0])
    assert states > 0
    assert merged(workspace, Looks(3)) is Status.UNKNOWN  # and goes on where it stopped
    assert int(workspace.merged.table.used[0]) != states


def test_the_formula_is_written_by_the_clock() -> None:
    rules = Rules.hanab_live(2, variant="3 Suits")
    position = Position.of_game(Game.start(rules, rules.spec.shuffle(seed=1)))
    clock = Looks()
    cnf = encode(position, (5, 5, 5), clock).cnf
    assert clock.looks > position.rules.spec.size  # at each act, and at each sort of clauses
    for most in range(clock.looks):
        with pytest.raises(BudgetEndedError):
            encode(position, (5, 5, 5), Looks(most))
    assert list(encode(position, (5, 5, 5), Looks(clock.looks)).cnf) == list(cnf)


def test_without_time_for_the_formula_nothing_is_decided() -> None:
    game = long_game()
    verdict = solve_by_sat(game, seconds=0)
    assert (verdict.status, verdict.lower, verdict.upper) == (Status.UNKNOWN, 0, SUITS * RANKS)
    assert verdict.reason == "the time budget ended while the formula was written"
    with pytest.raises(BudgetEndedError):
        certify(game, seconds=0)


def test_the_merged_hand_hears_of_memory() -> None:
    workspace = Workspace(Position.of_game(long_game()), (RANKS,) * SUITS)
    assert merged(workspace, memory=1 << 20) is Status.UNKNOWN
    assert len(workspace.merged.table.marks) == 1 << 12


@pytest.mark.parametrize("seconds", [0.1, 1.0])
def test_a_budget_ends_in_bounds(seconds: float) -> None:
    game = long_game()
    for verdict in (solve_game(game, seconds=seconds), best(game, seconds=seconds)):
        assert verdict.status is Status.UNKNOWN
        assert (verdict.lower, verdict.upper) == (0, SUITS * RANKS)


@pytest.mark.parametrize("seed", range(12))
def test_only_goals_with_a_lost_card_are_left_out(seed: int) -> None:
    games = played(2 + seed % 4, seed)
    for game in games[:-1:5]:
        for points in range(max(sum(game.piles) + 1, 15), game.rules.max_score + 1):
            every = list(Position.of_game(game).goals(points))
            kept = _goals(game, points)
            assert len(kept) == len(set(kept))
            assert set(kept) <= set(every)
            gone = Counter(Card(*card) for card in game.discards)
            lost = {card for card, n in game.rules.spec.counts().items() if gone[card] == n}
            for goal in set(every) - set(kept):
                assert cards_of(goal) & lost
            if len(kept) > 1:
                assert not any(cards_of(goal) & lost for goal in kept)


def test_a_hard_question_leaves_a_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """What can be had easily is found though what is asked first takes all its time."""
    game = Game.start(Rules.official(2), Rules.official(2).spec.shuffle(seed=1))
    real, asked = solve_game, list[tuple[int, float | None]]()

    def solve(given: Game, *, points: int, seconds: float | None, memory: int) -> object:
        asked.append((points, seconds))
        verdict = real(given, points=points, seconds=seconds, memory=memory)
        return verdict if points <= 23 else hanabi.Verdict(Status.UNKNOWN, "test", "hard")

    monkeypatch.setattr("hanabi.solvers.winnable.timeline.solve_game", solve)
    found = prospect(game, None, Clock(60))
    assert (found.lower, found.upper) == (23, 25)
    assert [points for points, _ in asked] == [25, 24, 23, 25, 24]
    soon, later = asked[:3], asked[3:]
    assert max(seconds or 0 for _, seconds in soon) < min(seconds or 0 for _, seconds in later)


def test_fewer_points_out_of_reach_bound_more(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.start(Rules.official(2), Rules.official(2).spec.shuffle(seed=1))
    answers = {25: Status.UNKNOWN, 24: Status.UNWINNABLE, 23: Status.WINNABLE}

    def solve(_game: Game, *, points: int, **_: object) -> object:
        return hanabi.Verdict(answers[points], "test", "so it is", witness=())

    monkeypatch.setattr("hanabi.solvers.winnable.timeline.solve_game", solve)
    assert prospect(game, None, Clock(60)) == Prospect(23, 23, ())


def test_a_review_of_many_names_the_slowest(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from hanabi.front.app import main
    from hanabi.shell.command import batch

    monkeypatch.setattr(batch, "_SLOW", 0.0)
    monkeypatch.setattr(batch, "_MANY", 1)
    source = Path(__file__).parents[3] / "data/hanab_live/games/2906.json"
    for name in ("a", "b"):
        (tmp_path / f"{name}.json").write_text(json.dumps(json.loads(source.read_text())))
    assert main(["review", str(tmp_path)]) == 0
    slowest = capsys.readouterr().err.splitlines()[-1]
    assert slowest.startswith("hanabi: slowest: ")
    assert "a.json" in slowest
    assert "b.json" in slowest
