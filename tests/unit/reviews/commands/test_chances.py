"""`hanabi chances`: positions are found, numbers are fractions, bad input is quoted in one line."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

import hanabi
from hanabi.front.app import main
from hanabi.ground.rng import Stream
from hanabi.players import Convention, play_game
from hanabi.reviews.chances import known_cards
from hanabi.rules import Rules
from hanabi.rules.cards import Card
from hanabi.rules.notation import game_to_json
from hanabi.rules.problem import posed, record_of

GAME = str(Path(__file__).parents[3] / "data/hanab_live/games/1892115.json")


def test_fractions_are_those_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chances", f"{GAME}@57", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    given = hanabi.read(GAME)
    found = hanabi.chances(given, at=57)  # type: ignore[arg-type]
    assert (document["turn"], document["deck"], document["cases"]) == (57, 3, 6)
    assert document["exact"]
    assert document["perfect"] == {"low": "1", "high": "1"}
    game = posed(given).after(57)  # type: ignore[arg-type]
    assert len(document["actions"]) == len(game.legal_actions)
    for told, each in zip(document["actions"], found.actions, strict=True):
        assert (told["type"], told["target"]) == (int(each.action.kind), each.action.target)
        assert Fraction(told["perfect"]["low"]) == each.perfect.low
        assert Fraction(told["points"]["high"]) == each.points.high
    played = document["played"]
    assert (played["type"], played["target"]) == (1, 2)


def test_it_is_told_what_was_given_away(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chances", f"{GAME}@57"]) == 0
    text = capsys.readouterr().out
    assert "(played)" in text
    assert "gave up 66.7 % of the chance of a perfect score" in text
    assert "any of 17 hints" in text


def test_without_a_turn_it_begins_where_five_cards_are_left(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["chances", GAME, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["deck"] == 5


def test_bounds_are_given_when_the_time_is_over(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chances", f"{GAME}@40", "--time", "1e-9", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert not document["exact"]
    assert main(["chances", f"{GAME}@40", "--time", "1e-9"]) == 0
    assert "known only by their bounds" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([f"{GAME}@999"], "the game has only"),
        ([f"{GAME}@1"], "cards to draw: chances are exact for at most 15"),
        ([f"{GAME}@57", "--partners", "nobody"], "no player 'nobody'"),
        ([f"{GAME}@57", "--partners", "random"], "deterministic player, not 'RandomLegal'"),
        (["no-such-file@3"], "cannot read 'no-such-file'"),
    ],
)
def test_bad_input(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chances", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_a_review_names_the_dearest_late_move(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["review", GAME, "--chances"]) == 0
    assert "perfect-score chance 100 % → 33.3 %, all hands open and the deck unseen" in " ".join(
        capsys.readouterr().out.split()
    )
    assert main(["review", GAME, "--chances", "--json"]) == 0
    moves = json.loads(capsys.readouterr().out)["moves"]
    assert moves[57]["chance"] == {"best": "1", "played": "1/3", "cost": "2/3"}
    assert "chance" not in moves[3]


JUDGED = str(Path(GAME).with_name("1885375.json"))


def test_what_the_seat_knows_gives_brackets(capsys: pytest.CaptureFixture[str]) -> None:
    """By this seat's view any hint leaves 1 at most, and playing slot 3 gives away 1/8 of it."""
    assert main(["chances", f"{JUDGED}@34", "--seat", "--time", "600", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["seat_view"]
    assert document["cases"] == 2880
    tops = {
        (each["type"], each["target"]): each["above"]["perfect"] for each in document["actions"]
    }
    assert tops[0, 3] == {"low": "7/8", "high": "7/8"}
    assert {tops[kind, seat]["low"] for kind in (2, 3) for seat in (0, 2)} == {"1"}
    for each in document["actions"]:
        low, high = (Fraction(each["perfect"][end]) for end in ("low", "high"))
        assert low <= high == Fraction(each["above"]["perfect"]["high"])
        assert low == Fraction(each["below"]["perfect"]["low"])


def test_what_is_known_beside_hints_counts(capsys: pytest.CaptureFixture[str]) -> None:
    known = ["--known", "card 2 = m4", "--known", "card 5=5"]
    assert main(["chances", f"{JUDGED}@34", "--seat", *known]) == 0
    told = capsys.readouterr()
    text = " ".join(told.out.split())
    assert "After 34 moves, on turn 35, player 2 is to act." in text
    assert "72 deals possible" in text
    assert "play card 2 100% 20" in text
    assert "slot" not in text + told.err
    assert main(["chances", f"{JUDGED}@34", "--seat", "--time", "1e-9"]) == 0
    assert "With more time" in " ".join(capsys.readouterr().out.split())


def test_slots_keep_their_meaning_with_a_note(capsys: pytest.CaptureFixture[str]) -> None:
    printed = []
    for known in (["card 2 = m4", "card 5=5"], ["slot 3 = m4", "slot 0=5"]):
        options = [part for text in known for part in ("--known", text)]
        assert main(["chances", f"{JUDGED}@34", "--seat", *options]) == 0
        printed.append(capsys.readouterr())
    assert printed[0].out == printed[1].out
    assert printed[1].err.splitlines() == [
        f"hanabi: note: slot {slot} counts from the oldest card, 0: say card {card}, as hanab.live"
        " counts; slots will go"
        for slot, card in ((3, 2), (0, 5))
    ]


def test_in_python_slots_raise_a_warning() -> None:
    rules = Rules.official(2)
    with pytest.warns(DeprecationWarning, match="say card 3, as hanab.live counts"):
        assert known_cards(["slot 2 = r5"], rules) == known_cards(["card 3 = r5"], rules)
    with pytest.warns(DeprecationWarning, match="say card 4"):
        assert known_cards(["slot 0 = r5"], rules, slots=4) == {0: {Card(0, 5)}}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--known", "card 2 = r5"], "counts only by the seat's view"),
        (
            ["--seat", "--partners", "convention", "--games", "9"],
            "and no --seat",
        ),
        (["--games", "9"], "--games needs --partners"),
        (["--partners", "convention", "--games", "1"], "an error needs 2 or more"),
        (["--seat", "--known", "2: r5"], "'2: r5' does not have the form 'card 3 = r5'"),
        (["--seat", "--known", "card 2 = q9"], "no card, color or rank 'q9'"),
        (["--seat", "--known", "not q9"], "no card, color or rank 'q9'"),
        (["--seat", "--known", "r5"], "'r5' does not have the form 'card 3 = r5' or"),
        (["--seat", "--known", "not 1 2 3 4 5"], "no deal fits what the seat knows"),
        (["--seat", "--known", "2=r5"], "'2=r5': say card 1, the newest, to card 5, the oldest"),
        (["--seat", "--known", "card 0 = r5"], "'card 0 = r5': say card 1, the newest"),
        (["--seat", "--known", "card 6 = r5"], "'card 6 = r5': say card 1, the newest"),
        (["--seat", "--known", "slot 5 = r5"], "(or slot 4, the newest, to slot 0, the oldest)"),
        (
            ["--seat", "--known", "card 5 = r2", "--known", "card 4 = r2"],
            "no deal fits what the seat knows card 5 = r2; card 4 = r2",
        ),
    ],
)
def test_bad_knowledge(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["chances", f"{JUDGED}@34", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


def test_partners_stand_beside_the_brackets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = hanabi.deal(2, seed=3)
    end = play_game([Convention()] * 2, game, Stream(1))
    path = tmp_path / "game.json"
    record = record_of(posed(end).positions, ("Alice", "Bob"))
    path.write_text(json.dumps(game_to_json(record)), encoding="utf-8")
    at = f"{path}@{len(end.actions) - 3}"
    arguments = ["chances", at, "--seat", "--partners", "convention", "--time", "600"]
    assert main(arguments) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "by partners at most" in text
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    above = {
        (each["type"], each["target"], each["value"]): each["above"]["perfect"]["high"]
        for each in document["above_by_partners"]["actions"]
    }
    for each in document["by_partners"]["actions"]:
        most = above[each["type"], each["target"], each["value"]]
        assert Fraction(each["perfect"]["low"]) <= Fraction(most)


def test_games_answer_at_any_turn(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["chances", f"{JUDGED}@3", "--partners", "random", "--games", "4"]
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert {each["games"] for each in document["actions"]} == {4}
    assert document["decisions"] == 2
    assert main(arguments) == 0
    assert "expected score" in capsys.readouterr().out


def test_what_a_card_is_not_counts(capsys: pytest.CaptureFixture[str]) -> None:
    """Without a slot it counts for the whole hand, as for each slot alone."""
    found = []
    for known in (
        ["not r4"],
        [f"card {card} = not r4" for card in range(1, 6)],
        ["card 5=not r4"],
        [],
    ):
        options = [word for each in known for word in ("--known", each)]
        assert main(["chances", f"{JUDGED}@34", "--seat", "--json", "--time", "1", *options]) == 0
        found.append(json.loads(capsys.readouterr().out)["cases"])
    assert found[0] == found[1] < found[2] <= found[3]


ODD = (
    "https://hanab.live/replay-json/215jfgckildbokfadnia-lnbgmhemfakch,"
    "03abga-akagbdamacai1bbf1bxa-babrxboalbbqbsgaavao-awajapgapbxakbxakbxa-b0,18@33"
)


@pytest.mark.parametrize("partners", ["convention", "rule-based", "smart"])
def test_a_game_that_breaks_the_conventions(
    partners: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["chances", ODD, "--partners", partners, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert not document["believed"]
    assert 0 < document["cases"] <= 8
    assert main(["chances", ODD, "--partners", partners]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "the deals are those that hints and conventions leave" in text


def test_the_time_of_games_ends_them(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["chances", f"{JUDGED}@3", "--partners", "random", "--games", "9", "--time", "1e-9"]
    assert main([*arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["cut"], document["clear"], document["actions"]) == (True, False, [])
    assert len(document["untried"]) > 10
    assert main(arguments) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "The time was over after 0 games" in text
    assert "after which no game ended in time" in text
    assert "more games may tell" not in text


def test_an_interrupt_keeps_what_is_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "hasty.py"
    path.write_text(
        """
n = 0

class Player:
    def act(self, view, rng):
        global n
        n += 1
        if n == 500:
            raise KeyboardInterrupt
        return view.legal_actions[-1]
"""
    )
    arguments = ["chances", f"{JUDGED}@1", "--partners", f"{path}:Player", "--games", "9"]
    assert main([*arguments, "--json"]) == 130
    given = capsys.readouterr()
    document = json.loads(given.out)
    assert "interrupted" in given.err
    assert any(each["games"] for each in document["actions"])
