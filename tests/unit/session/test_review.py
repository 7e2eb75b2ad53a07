"""Reviews: what each move of a real game cost, and the line that was there before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanabi import GameRecord, deal, read, review
from hanabi.cli.app import main
from hanabi.errors import InvalidInputError
from hanabi.game import Game, Rules, discard, play
from hanabi.game.figures import efficiency, pace

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
    assert "nothing: all points could still be had" in shown
