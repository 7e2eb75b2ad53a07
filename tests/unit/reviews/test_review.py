"""Reviews: what each move of a real game cost, and the line that was there before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanabi import GameRecord, deal, read, review, solve
from hanabi.front.app import main
from hanabi.ground.clock import Clock
from hanabi.ground.errors import InvalidInputError, SolverError
from hanabi.reviews.document import ReviewDocument
from hanabi.reviews.remarks import findings
from hanabi.reviews.review import judge_actions
from hanabi.rules import COLOR_NAMES, Game, Rules, discard, play
from hanabi.rules.figures import efficiency, pace
from hanabi.rules.problem import pose_deck
from hanabi.solvers.winnable.solver import best

GAMES = Path(__file__).parents[2] / "data" / "hanab_live" / "games"


def lost_game() -> Game:
    """A game in which the first seat throws its only 5 of a color away."""
    rules = Rules.hanab_live(2)
    deck = rules.spec.shuffle(seed=1)
    game = Game.start(rules, deck)
    slot = next(s for s, card in enumerate(game.hands[0]) if card.rank == 5)
    for action in (game.legal_actions[-1], play(0)):
        game = game.apply(action)
    return game.apply(discard(slot))


def test_a_perfect_game_lost_nothing() -> None:
    record = read(GAMES / "2906.json")
    assert isinstance(record, GameRecord)
    found = review(record)
    assert [prospect.lower for prospect in found.prospects] == [25] * 56
    assert (found.lost, found.lost_at, found.link, found.errors) == ((), None, None, ())


def test_a_won_game_that_took_longer_than_needed() -> None:
    """The turns of all moves add up; a record without the question says nothing of it."""
    game = solve("p3v0s17", seconds=None).games[-1]
    found = review(game, with_turns=True).document()
    assert found.turns is not None
    assert found.turns.lower == found.turns.upper
    missed = found.turns.played - found.turns.lower
    assert (found.turns.played, found.turns.lower) == (game.turn, 35)
    assert sum(move.turns_lost or 0 for move in found.moves) == missed > 0
    assert ReviewDocument.from_json(json.loads(json.dumps(found.to_json()))) == found
    told = [each.text for each in findings(found, {})]
    assert f"won in {game.turn}; the fewest for this deal are 35" in told
    assert sum("this cost" in text for text in told) == sum(
        bool(move.turns_lost) for move in found.moves
    )
    assert "turns" not in review(game).document().to_json()
    assert review(lost_game(), with_turns=True).document().turns is None
    plays_from_the_deck = read(GAMES / "2906.json")
    assert isinstance(plays_from_the_deck, GameRecord)
    with pytest.raises(SolverError, match="does not know the rule deck_plays"):
        review(plays_from_the_deck, with_turns=True)


def test_a_losing_move_is_named_with_what_was_there_before() -> None:
    found = review(lost_game())
    assert (found.lost_at, found.lost) == (3, ((3, 1),))
    assert found.prospects[3].upper == 24
    assert found.because is not None
    assert found.because.name == "missing card"
    assert found.link is not None
    assert "replay-json" in found.link


def test_figures_of_a_deal() -> None:
    game = Game.start(Rules.hanab_live(2), Rules.hanab_live(2).spec.shuffle(seed=1))
    assert pace(game) == 40 + 2 - 25
    assert efficiency([game]) is None


def test_decks_have_no_moves_to_review() -> None:
    with pytest.raises(InvalidInputError, match="no moves to review"):
        review(deal(players=2, seed=1))


def test_the_command_prints_what_the_document_says(capsys: pytest.CaptureFixture[str]) -> None:
    path = str(GAMES / "2906.json")
    assert main(["review", path, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["score"] == document["best"]["lower"] == 25
    assert [move["move"] for move in document["moves"]] == list(range(1, 56))
    assert main(["review", path, "--show"]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    assert "lost        no move lost a point" in shown


@pytest.mark.parametrize(
    ("number", "at"), [("1885550", 20), ("1885550", 23), ("1889209", 6), ("1875304", 21)]
)
def test_every_action_keeps_what_the_solver_finds_after_it(number: str, at: int) -> None:
    """The oracle judges each action alone, without its like and without what was known before."""
    record = read(GAMES / f"{number}.json")
    assert isinstance(record, GameRecord)
    game = pose_deck(record).positions[at]
    found = {
        action: each.kept
        for each in judge_actions(game, None, Clock(600))
        for action in each.actions
    }
    assert list(found) != []
    assert sorted(found) == sorted(game.legal_actions)
    for action, kept in found.items():
        verdict = best(game.apply(action), seconds=600)
        assert (kept.lower, kept.upper) == (verdict.lower, verdict.upper), str(action)


@pytest.mark.parametrize("path", sorted(GAMES.glob("18*.json")), ids=lambda path: path.stem)
def test_every_loss_has_a_reason_and_something_that_was_better(path: Path) -> None:
    record = read(path)
    assert isinstance(record, GameRecord)
    found = review(record, with_reasons=True)
    assert [move for move, _ in found.reasons] == [move for move, _ in found.lost]
    assert all(why and "\n" not in why for _, why in found.reasons)
    for move, judged in found.judged:
        had = found.prospects[move - 1].lower
        taken = found.positions[move].actions[-1]
        kept = {action: each.kept for each in judged for action in each.actions}
        assert max(each.lower for each in kept.values()) == had
        assert kept[taken].upper == found.prospects[move].upper < had


def test_a_reason_names_the_card_that_is_gone() -> None:
    found = review(lost_game(), with_reasons=True)
    card = next(card for card in found.positions[3].discards if card.rank == 5)
    ((move, why),) = found.reasons
    assert (move, f"the last {COLOR_NAMES[card.color]} 5 is gone" in why) == (3, True)
    assert review(lost_game()).reasons == ()
