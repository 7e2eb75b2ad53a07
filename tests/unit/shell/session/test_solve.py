"""One answer for all that can be solved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import hanabi
from hanabi.front.app import main
from hanabi.rules.replay import replay
from hanabi.solitaire import verify_play

DATA = Path(__file__).parents[3] / "data" / "hanab_live" / "games"
GAME = DATA / "2906.json"
DECK = hanabi.Deck(hanabi.DeckSpec.standard().shuffle(seed=1))
SMALL = '{"players": 2, "deck": "r1 r2 r3", "rules": {"hand_size": 1}}'


def check_line(answer: hanabi.Answer, *, score: int) -> None:
    assert answer.status is hanabi.Status.WINNABLE
    assert answer.replay() == answer.games[-1].score == score
    assert answer.games[0].turn == 0
    assert answer.line is not None
    assert answer.play is None
    assert str(answer).startswith(f"winnable: {score} points in {len(answer.line)} moves")


def test_a_recorded_game_is_solved_from_its_deal_and_its_link_read_back() -> None:
    given = hanabi.read(GAME)
    answer = hanabi.solve(given)
    check_line(answer, score=25)
    linked = hanabi.read(answer.link)
    assert isinstance(linked, hanabi.GameRecord)
    assert isinstance(given, hanabi.GameRecord)
    assert linked.deck == given.deck == answer.games[0].deck
    # The table had options of its own; the line needs none of them.
    theirs = replay(linked)
    assert [game.piles for game in theirs] == [game.piles for game in answer.games]


def test_the_link_is_that_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(GAME), "--link"]) == 0
    assert capsys.readouterr().out == hanabi.solve(hanabi.read(GAME)).link + "\n"


def test_a_game_is_solved_from_where_it_stands() -> None:
    game = hanabi.deal(3, seed=7)
    for _ in range(4):
        game = game.apply(game.legal_actions[-1])
    answer = hanabi.solve(game)
    assert answer.games[4] == game
    assert answer.games[4].actions == game.actions
    check_line(answer, score=25)
    assert replay(hanabi.read(answer.link))[-1].score == 25  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options",
    [
        {"players": 3},
        {"players": 3, "rules": "official"},
        {"players": 3, "rules": {"hints": 7}},
        {"rules": hanabi.Rules.hle(3)},
        {"players": 3, "rules": hanabi.Rules.hle(3)},
    ],
)
def test_a_deck_is_dealt(options: dict[str, object]) -> None:
    answer = hanabi.solve(DECK, **options)  # type: ignore[arg-type]
    check_line(answer, score=25)
    rules = options.get("rules")
    expected = {"official": hanabi.Rules.official(3), "None": hanabi.Rules.hanab_live(3)}
    if isinstance(rules, dict):
        assert answer.games[0].rules == replace(hanabi.Rules.hanab_live(3), hints=7)
    else:
        assert answer.games[0].rules == expected.get(str(rules), rules)


def test_dealing_a_recorded_game_under_other_rules_keeps_its_cards() -> None:
    answer = hanabi.solve(GAME, rules=hanabi.Rules.official(3))
    given = hanabi.read(GAME)
    assert isinstance(given, hanabi.GameRecord)
    assert answer.games[0].deck == given.deck


def test_a_small_deck_with_rules_of_its_own_has_no_link() -> None:
    answer = hanabi.solve(hanabi.read(SMALL))
    assert answer.replay() == 3
    with pytest.raises(hanabi.InvalidInputError, match="no variant with these cards"):
        _ = answer.link


def test_a_lost_game_tells_its_reason() -> None:
    answer = hanabi.solve("players 2 r1 r2 r3 r4 r5 y5 y4 y1 y2 y3")
    assert answer.is_winnable is False
    told = "10 cards must still be played, but only 2 turns are left"
    assert str(answer) == f"unwinnable: pace: {told}"
    assert answer.games == ()
    for what in (lambda: answer.link, answer.replay):
        with pytest.raises(hanabi.InvalidInputError, match="the answer is unwinnable"):
            what()


def test_with_the_option_deck_plays_a_loss_is_no_verdict() -> None:
    text = SMALL.replace("r1 r2 r3", "r3 r2 r1").replace("}}", ', "lives": 1}}')
    assert hanabi.solve(text).status is hanabi.Status.UNWINNABLE
    answer = hanabi.solve(text.replace('"lives"', '"deck_plays": true, "lives"'))
    assert answer.status is hanabi.Status.UNKNOWN
    assert "deckPlays" in str(answer)


@pytest.mark.parametrize("given", ["hand 1 r2 r1 y1 y2", hanabi.Instance(1, [(0, 2), (0, 1)])])
def test_solitaire(given: hanabi.Instance | str) -> None:
    answer = hanabi.solve(given)
    assert answer.line is None
    assert answer.instance is not None
    assert answer.play is not None
    verify_play(answer.instance, answer.play)
    assert answer.replay() == answer.instance.goal
    assert str(answer).startswith(f"winnable: all {answer.instance.goal} cards in ")
    lost = hanabi.solve(given, hand_size=0)
    assert lost.status is hanabi.Status.UNWINNABLE
    assert lost.play is None
    assert hanabi.solve("r2 r1", hand_size=1).is_winnable


def test_a_formula_and_its_cards() -> None:
    text = "p cnf 3 2\n1 -2 3 0\n-1 -3 0\n"
    answer = hanabi.solve(text)
    formula = hanabi.read(text)
    assert isinstance(formula, hanabi.Formula)
    assert answer.assignment is not None
    assert formula.satisfied_by(answer.assignment)
    assert answer.instance is not None
    assert answer.replay() == answer.instance.goal
    assert str(answer).startswith("satisfiable: ")
    with pytest.raises(hanabi.InvalidInputError, match="no link"):
        _ = answer.link
    assert hanabi.solve(hanabi.reduce(formula)).is_winnable
    wrong = hanabi.solve("p cnf 1 2\n1 0\n-1 0\n")
    assert (wrong.is_winnable, wrong.assignment) == (False, None)
    assert str(wrong).startswith("unsatisfiable: ")


def test_when_the_time_is_over_the_answer_is_unknown() -> None:
    answer = hanabi.solve(hanabi.reduce("p cnf 3 1\n1 2 3 0", variant="paper"), seconds=0)
    assert answer.is_winnable is None
    assert str(answer).startswith("unknown: ")


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        ("r1 r2", {}, "no hand size: give hand_size, or players for the full game"),
        ("r1 r2", {"rules": "hle"}, "rules is for the full game: give players"),
        ("hand 1 r1", {"players": 2}, "a stream with a hand of 1 is for one player"),
        (DECK, {}, "no number of players: give players"),
        (DECK, {"players": 7}, "players: 7 is not in 2 .. 6"),
        (DECK, {"players": 3, "rules": "x"}, "rules: 'x' is not a rule set"),
        (DECK, {"players": 3, "rules": 3}, "rules: 3 is not an object"),
        (
            DECK,
            {"players": 3, "rules": hanabi.Rules.hle(4)},
            "3 are asked for, the rules are for 4",
        ),
        (
            DECK,
            {"players": 3, "hand_size": 4},
            "hand_size is for Solitaire Hanabi, players for the full game",
        ),
        (SMALL, {"hand_size": 4}, "hand_size: 4 is not for the full game"),
        (hanabi.Deck([(0, 1)]), {"rules": hanabi.Rules.hle(4)}, "a deck of 1 card"),
        (hanabi.Instance(1, [(0, 1)]), {"players": 2}, "players: 2 is not for an instance"),
        ("p cnf 1 1\n1 0", {"players": 2}, "players: 2 is not for a formula"),
        (None, {}, "None cannot be solved"),
        (SMALL, {"seconds": -1}, "seconds: -1 is not a number >= 0"),
        (SMALL, {"seconds": float("nan")}, "seconds: nan is not a number >= 0"),
    ],
)
def test_options_that_do_not_fit_are_refused(
    given: object, options: dict[str, object], message: str
) -> None:
    with pytest.raises(hanabi.InvalidInputError) as caught:
        hanabi.solve(given, **options)  # type: ignore[arg-type]
    assert message in str(caught.value)
    assert "--" not in str(caught.value)


@pytest.mark.parametrize("given", ["game.json", None, 5])
def test_what_was_not_read_is_no_game_to_review(given: Any) -> None:
    for ask in (hanabi.review, hanabi.chances):
        with pytest.raises(hanabi.InvalidInputError, match="is no game: give what"):
            ask(given)


def test_a_game_that_is_dealt_takes_no_other_table() -> None:
    with pytest.raises(hanabi.InvalidInputError, match="players: 4 is not for a game"):
        hanabi.solve(hanabi.deal(3), players=4)
