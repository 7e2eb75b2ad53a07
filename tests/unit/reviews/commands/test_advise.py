"""`hanabi advise`: one table, two sentences and the means, at any turn of any game."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import hanabi
from hanabi.front.app import main
from hanabi.ground import Stream
from hanabi.players import Convention, RuleBased, play_game
from hanabi.reviews.advice import Advised, InterruptedAdvice, partners_of, per_cent
from hanabi.rules import GameRecord
from hanabi.rules.notation import game_to_json
from hanabi.rules.problem import posed, record_of

GAMES = Path(__file__).parents[3] / "data/hanab_live/games"
OVER = str(GAMES / "1875304.json")
GAME, JUDGED = str(GAMES / "1892115.json"), str(GAMES / "1885375.json")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A game of the convention player, as a file that names it."""
    end = play_game([Convention()] * 2, hanabi.deal(2, seed=3), Stream(1))
    path = tmp_path_factory.mktemp("advise") / "game.json"
    document = game_to_json(record_of(posed(end).positions, ("Alice", "Bob")))
    document["simulation"] = {"players": ["convention"]}
    path.write_text(json.dumps(document), encoding="utf-8")
    return str(path)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["advise", *arguments]) == 0
    text = capsys.readouterr().out
    assert max(map(len, text.splitlines())) <= 80
    return " ".join(text.split())


def test_bounds_alone_decide_where_few_cards_are_left(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, f"{GAME}@57", "--time", "0")
    assert "After 57 moves, on turn 58, player 1 is to act; 3 cards to draw." in text
    assert "best play card 1: 67 % for all 30 points, certified" in text
    assert "played * discard card 3: it gave away 33 % of the chance of all points" in text
    assert "discard card 3 * " in text
    assert "games" not in text


def test_games_with_the_players_of_the_game_decide_before(
    played: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = told(capsys, f"{played}@20", "--time", "1")
    assert "goes on as convention (the game names it)" in text
    assert "The deals are those in which it would have done what the others did." in text
    assert (
        main(["advise", f"{played}@20", "--time", "0", "--partners", "convention", "--json"]) == 0
    )
    document = json.loads(capsys.readouterr().out)
    first, *others = document["actions"]
    assert document["best"].startswith(first["words"])
    assert first["behind"] == {"mean": 0, "error": 0}
    assert all(each["behind"]["mean"] >= 0 or each["games"] < first["games"] for each in others)
    assert document["played"] in [
        {name: each[name] for name in ("type", "target", "value")} for each in document["actions"]
    ]


def test_both_are_shown_where_both_exist(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, f"{JUDGED}@34", "--partners", "random", "--time", "2")
    assert "score all points certified all points" in text
    assert "Certified: bounds over all 2,880 deals" in text
    assert "goes on as random (as asked)" in text
    record = hanabi.read(GAME)
    assert isinstance(record, GameRecord)
    found = hanabi.advise(record, at=57, partners="random", games=2, seconds=None)
    assert found.certified is not None
    middles = [[each.low + each.high for each in row.bounds] for row in found.rows]
    assert middles == sorted(middles, reverse=True)
    assert any(row.is_beaten(found.rows[0]) for row in found.rows)
    assert not any(map(found.rows[0].is_beaten, found.rows))


def test_a_variant_without_conventions_has_other_partners(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = told(capsys, f"{GAME}@25", "--time", "0.5")
    assert "goes on as rule-based (the hgroup player does not know funnels" in text
    assert "deals in which it would have made more of them count more" in text


POSITION = (
    "position  piles r5 y5 g4 b4 p3  hand p2 g1 y4 r3 r1  hand b4 g5 r4 y3 g2  left b5 p4 p5"
    "  hints 1"
)


def test_a_position_without_its_game_has_bounds(capsys: pytest.CaptureFixture[str]) -> None:
    text = told(capsys, POSITION, "--time", "4")
    assert "Alice is to act; 3 cards to draw." in text
    assert "certified" in text
    assert "games" not in text


def test_conventions_are_those_that_fit_the_moves() -> None:
    game = hanabi.deal(3, seed=4)
    end = play_game([hanabi.players.parse_player("hgroup:level=5")] * 3, game, Stream(1))
    found = partners_of(posed(end), 12)
    assert found.name == "hgroup:level=5"
    assert found.why == "the conventions that chose 12 of the 12 moves before"
    assert partners_of(posed(game), 0).name == "hgroup:level=1"
    end = play_game([RuleBased()] * 3, game, Stream(1))
    assert partners_of(posed(end), 12, seconds=1e-9).why.endswith("of the 4 moves before")


@pytest.mark.parametrize(
    "name", ["cheating", "./evil.py:Player", "process:evil", "hgroup:level=99"]
)
def test_a_game_loads_no_foreign_player(name: str, played: str) -> None:
    document = json.loads(Path(played).read_text("utf-8"))
    document["simulation"]["players"] = [name]
    record = hanabi.read(json.dumps(document))
    assert isinstance(record, GameRecord)
    assert partners_of(posed(record), 20).name.startswith("hgroup:level=")


def test_numbers_are_whole_and_only_what_is_certain_is_all() -> None:
    assert per_cent(Fraction(1, 1000)) == "1 %"
    assert per_cent(Fraction(1)) == "100 %"


def test_an_interrupt_keeps_what_is_there(played: str, capsys: pytest.CaptureFixture[str]) -> None:
    def stop(message: str, done: int, total: int) -> None:
        if done:
            raise KeyboardInterrupt

    record = hanabi.read(played)
    assert isinstance(record, GameRecord)
    with pytest.raises(InterruptedAdvice) as caught:
        hanabi.advise(record, at=20, progress=stop)
    found = caught.value.found
    assert found.games is not None
    assert {each.games for each in found.games.actions} == {1, 2}
    assert isinstance(found.rows[0], Advised)


def test_time_that_does_not_suffice_is_said(
    played: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = told(capsys, f"{played}@3", "--partners", "hgroup", "--time", "1e-9")
    assert "best nothing is known yet: no game ended in time" in text
    assert "Not tried: " in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            [OVER],
            "the game is over after 24 moves (stuck): ask about an earlier turn, as in GAME@20",
        ),
        ([f"{GAME}@999"], "the game has only"),
        (["position  piles r1  hand r2 r3 r4 r5 y1  hand ? ? ? ? ?"], "to act"),
        ([POSITION, "--partners", "smart"], "made without the actions that led to it"),
        ([f"{GAME}@9", "--partners", "nobody"], "no player 'nobody'"),
        ([f"{GAME}@9", "--partners", "convention"], "does not"),
        ([f"{GAME}@9", "--known", "card 2 = q9"], "no card, color or rank 'q9'"),
        (["no-such-file@3"], "cannot read 'no-such-file'"),
    ],
)
def test_bad_input(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["advise", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
