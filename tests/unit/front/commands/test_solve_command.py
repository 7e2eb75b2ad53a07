from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from hanabi.ground.sat import dimacs
from hanabi.ground.verdict import Status, Verdict
from hanabi.shell.command.answers import document
from hanabi.shell.session.problem import Question, SolitaireProblem
from hanabi.shell.session.solving import answer_of
from hanabi.solitaire import Instance, Play, optima, solver, verify_play

from ...conftest import Run

GAMES = Path(__file__).parents[3] / "data/hanab_live/games"
GAME = GAMES / "2906.json"
KEYS = ["status", "method", "reason", "play", "most_cards", "seconds", "states"]


@pytest.fixture
def source(tmp_path: Path) -> Path:
    return tmp_path / "stream.txt"


def answered(run: Run, *arguments: object) -> dict[str, Any]:
    outcome = run("solve", *arguments, "--json")
    assert (outcome.status, outcome.err) == (0, "")
    data: dict[str, Any] = json.loads(outcome.out)
    return data


def test_a_winnable_stream_in_json(run: Run, source: Path) -> None:
    source.write_text("hand 1\nr2 r1 y1 y2 y1", encoding="utf-8")
    data = answered(run, source)
    assert list(data) == KEYS
    assert (data["status"], data["most_cards"]) == ("winnable", 4)
    instance = Instance(1, [(0, 2), (0, 1), (1, 1), (1, 2), (1, 1)])
    verify_play(instance, Play((move[0], move[1]) for move in data["play"]))


def test_an_unwinnable_stream_in_json(run: Run, source: Path) -> None:
    source.write_text("hand 1\nr3 r2 r1 y1 y2 y3 y3", encoding="utf-8")
    data = answered(run, source)
    assert list(data) == [*KEYS, "bounds"]
    assert (data["status"], data["play"], data["most_cards"]) == ("unwinnable", None, None)
    assert data["bounds"] == {"lower": 0, "upper": 5}
    assert "most cards" not in run("solve", source).out
    assert answered(run, source, "--most-cards")["most_cards"] == 5
    assert "most cards  5 of 6, without r3" in run("solve", source, "--most-cards").out


def test_the_least_hand(run: Run, source: Path) -> None:
    source.write_text("3 1 2 4 6 2 5 4 1 6 5 3", encoding="utf-8")
    data = answered(run, source, "--least-hand")
    assert list(data) == [*KEYS[:3], "least_hand", *KEYS[3:]]
    assert (data["status"], data["least_hand"], data["most_cards"]) == ("winnable", 1, 6)
    data = answered(run, source, "--least-hand", "--hand-size", 0)
    assert (data["status"], data["least_hand"], data["play"]) == ("unwinnable", 1, None)
    source.write_text("3 1", encoding="utf-8")
    data = answered(run, source, "--least-hand")
    assert (data["status"], data["least_hand"], data["most_cards"]) == ("unwinnable", None, None)


def test_the_fewest_cards(run: Run, source: Path) -> None:
    source.write_text("hand 1\nr2 r1 y1 y2 y1 r1", encoding="utf-8")
    data = answered(run, source, "--fewest-cards")
    assert list(data) == [*KEYS[:3], "fewest_cards", *KEYS[3:]]
    assert data["fewest_cards"] == 4
    assert "fewest      the first 4 of 6 cards" in run("solve", source, "--fewest-cards").out
    assert answered(run, source, "--fewest-cards", "--hand-size", 0)["fewest_cards"] is None
    source.write_text("r2 r1", encoding="utf-8")
    outcome = run("solve", source, "--fewest-cards", "--least-hand")
    assert "no hand size: give --hand-size H" in outcome.err


def test_the_fewest_turns(run: Run) -> None:
    data = answered(run, "p3v0s17", "--fewest-turns")
    fewest = data["fewest_turns"]
    assert (fewest["points"], fewest["lower"], fewest["upper"]) == (25, 35, 35)
    assert (data["reason"], len(data["actions"])) == ("a line of 35 actions, replayed", 35)
    out = run("solve", "p3v0s17", "--fewest-turns", "--show").out
    assert "fewest      35 turns for 25 points: even if any seat could play any card" in out
    outcome = run("solve", "p3v0s17", "--fewest-turns", "--least-hand")
    assert "--least-hand is for Solitaire Hanabi, --fewest-turns for the full game" in outcome.err


def test_the_fewest_turns_are_not_known_if_the_time_ends(run: Run) -> None:
    data = answered(run, "p3v0s1", "--fewest-turns", "--time", 0.001)
    fewest = data["fewest_turns"]
    assert fewest is None or fewest["lower"] <= 42 <= fewest["upper"]


def test_a_real_game_as_a_solitaire(run: Run) -> None:
    outcome = run("solve", GAME, "--solitaire", "--show")
    assert (outcome.status, outcome.err) == (0, "")
    lines = outcome.out.splitlines()
    assert lines[0].startswith(
        "3 players with 5 cards each: solved as a solitaire with a hand of 14"
    )
    assert "50 cards, 5 colors of 5 values, at most 3 alike, hand 14." in lines
    assert any(line.startswith("winnable    ") for line in lines)
    assert lines[-2].endswith("5 5 5 5 5")
    assert max(map(len, lines)) <= 80
    assert "\x1b" not in outcome.out


def test_the_answer_is_accepted_by_verify(run: Run, tmp_path: Path) -> None:
    play = tmp_path / "play.json"
    play.write_text(run("solve", GAME, "--solitaire", "--json").out, encoding="utf-8")
    assert run("verify", GAME, play).status == 0


@pytest.mark.parametrize("method", ["table", "search"])
def test_methods(run: Run, source: Path, method: str) -> None:
    source.write_text("hand 1\nr2 r1 y1 y2 y1", encoding="utf-8")
    data = answered(run, source, "--method", method)
    assert (data["status"], data["method"]) == ("winnable", method)


@pytest.mark.parametrize(("hand", "status"), [(1, 10), (0, 20)])
def test_exit_codes(run: Run, source: Path, hand: int, status: int) -> None:
    source.write_text("r2 r1 y1 y2 y1", encoding="utf-8")
    assert run("solve", source, "--hand-size", hand).status == 0
    assert run("solve", source, "--hand-size", hand, "--exit-code").status == status


def undecided(instance: Instance, **_: object) -> Verdict[Play]:
    return Verdict(Status.UNKNOWN, "search", "the time ended", lower=2, upper=3)


def test_an_undecided_stream(run: Run, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solver, "solve", undecided)
    source.write_text("hand 1\nr2 r1 y1 y2 y1", encoding="utf-8")
    data = answered(run, source)
    assert list(data) == [*KEYS, "bounds"]
    assert (data["status"], data["most_cards"]) == ("unknown", None)
    assert data["bounds"] == {"lower": 2, "upper": 3}
    outcome = run("solve", source, "--exit-code")
    assert outcome.status == 30
    assert "most cards  between 2 and 3 of 4" in outcome.out


def test_a_least_hand_cut_short(run: Run, source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = Verdict(Status.WINNABLE, "bounds", "kept", Play([(1, "play")]), 1, 1)
    found = optima.LeastHand(2, 5, verdict, "the time ended")
    monkeypatch.setattr(optima, "least_hand", lambda *_, **__: found)
    source.write_text("r1", encoding="utf-8")
    data = answered(run, source, "--least-hand")
    assert data["least_hand"] is None
    assert data["least_hand_bounds"] == {"lower": 2, "upper": 5}
    assert "least hand  between 2 and 5" in run("solve", source, "--least-hand").out


def test_everything_shares_one_budget(source: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given: dict[str, float | None] = {}

    def lost(instance: Instance, *, seconds: float | None, **_: object) -> Verdict[Play]:
        given["solve"] = seconds
        return Verdict(Status.UNWINNABLE, "search", "tried", lower=0, upper=3)

    def most(instance: Instance, *, seconds: float | None, **_: object) -> optima.MostCards:
        given["most_cards"] = seconds
        return optima.MostCards(1, 2, None)

    monkeypatch.setattr(solver, "solve", lost)
    monkeypatch.setattr(optima, "most_cards", most)
    problem = SolitaireProblem(Instance(1, [(0, 1)]))
    for seconds in (5.0, None):
        question = Question(seconds=seconds, most_cards=True)
        answer = answer_of(problem, question)
        assert answer.bounds == (1, 2)
        if seconds:
            first, second = given["solve"], given["most_cards"]
            assert first is not None
            assert second is not None
            assert second <= first <= seconds
        else:
            assert given == {"solve": None, "most_cards": None}


def test_the_most_cards_are_only_looked_for_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def most(_: Instance, **__: object) -> optima.MostCards:
        asked.append(1)
        return optima.MostCards(70, 70, None)

    monkeypatch.setattr(optima, "most_cards", most)
    lost = SolitaireProblem(Instance(0, [(0, 2), (1, 2), (0, 1), (1, 1)] * 2, n=3))
    data = document(answer_of(lost, Question()))
    assert (data["status"], data["most_cards"], asked) == ("unwinnable", None, [])
    assert "bounds" in data
    wanted = answer_of(lost, Question(most_cards=True))
    assert asked == [1]
    assert wanted.most is not None


def test_json_lines(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    path.write_bytes(
        b'{"hand_size": 1, "cards": [[2, 0], [1, 0]]}\n'
        b"\n"
        b'{"hand_size": 1, "cards": [[0, 0]]}\n'
        b"\xff\n"
        b'{"players": 2, "deck": "r2 r1"}\n'
        b"hand 0 r2 r1\n"
        b'{"hand_size": 1'
    )
    outcome = run("solve", path, "--solitaire")
    assert outcome.status == 2
    assert outcome.err == "hanabi: error: 3 of 6 lines could not be answered\n"
    answers = [json.loads(line) for line in outcome.out.splitlines()]
    assert [answer.get("status") for answer in answers] == [
        "winnable", None, None, "winnable", "unwinnable", None,
    ]  # fmt: skip
    assert [answer.get("line") for answer in answers] == [None, 3, 4, None, None, 7]
    assert answers[1]["error"] == "cards[0]: value: 0 is not in 1 .. 2147483647"
    assert answers[2]["error"] == "byte 1: b'\\xff' is not UTF-8 text"
    assert answers[5]["error"] == "line 1, column 16: the JSON ends too early"


def test_json_lines_that_are_all_good(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "items.json"
    path.write_text('{"cards": [[1, 0]]}\n{"cards": [[2, 0]]}\n', encoding="utf-8")
    outcome = run("solve", path, "--hand-size", 0, "--least-hand")
    assert (outcome.status, outcome.err) == (0, "")
    assert [json.loads(line)["least_hand"] for line in outcome.out.splitlines()] == [0, None]


@pytest.mark.parametrize(
    "option", [["--show"], ["--exit-code"], ["--dimacs", "x"], ["--proof", "x"]]
)
def test_options_for_one_input_only(run: Run, tmp_path: Path, option: list[str]) -> None:
    path = tmp_path / "items.jsonl"
    path.write_text("{}", encoding="utf-8")
    outcome = run("solve", path, *option)
    assert (outcome.status, outcome.out) == (2, "")
    assert f"{option[0]} is for a single input" in outcome.err


def test_a_game_of_no_variant_that_there_is(run: Run, tmp_path: Path) -> None:
    data = json.loads(GAME.read_text(encoding="utf-8")) | {"options": {"variant": "Rainbw"}}
    path = tmp_path / "game.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    outcome = run("solve", path)
    assert (outcome.status, outcome.out) == (2, "")
    assert "options.variant: 'Rainbw' is not a variant of hanab.live" in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "stream.txt: it is empty"),
        ("hand 1 r1 q7", "stream.txt: line 1, column 11: 'q7' is not a card"),
        ("r1", "stream.txt: no hand size: give --hand-size H"),
        ('{"hand_size": 1, "cards": [[1, 0]', "line 1, column 34: the JSON ends too early"),
        ("x" * 10_000_000, "is not a card"),
        ("[" * 1_000_000, "nested too deeply"),
        ("https://hanab.live/replay/2906", "https://hanab.live/export/2906"),
    ],
    ids=lambda text: text[:12],
)
def test_bad_input(run: Run, source: Path, text: str, message: str) -> None:
    source.write_text(text, encoding="utf-8")
    outcome = run("solve", source)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("hanabi: error: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err
    assert len(outcome.err) < 400


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["solve"], "SOURCE requires an argument"),
        (["solve", "x", "--hand-sise", "1"], "--hand-size"),
        (["solve", "--show-me"], "Unknown option: '--show-me'"),
        (["solve", "x", "--method", "magic"], '"unique"'),
        (["solve", "x", "--hand-size", "-1"], "'-1' is not an integer >= 0"),
        (["solve", "x", "--hand-size", "1.5"], "'1.5' is not an integer >= 0"),
        (["solve", "x", "--time", "nan"], "'nan' is not a number of seconds"),
        (["solve", "x", "--time", "-1"], "'-1' is not a number of seconds"),
        (["solve", "x", "--time", "inf"], "'inf' is not a number of seconds"),
        (["show", "x", "y"], "'y' is not expected here"),
        (["sovle", "x"], '"solve"'),
        (["solve", "no-such-file"], "cannot read 'no-such-file': there is no such file"),
    ],
)
def test_bad_arguments(run: Run, arguments: list[str], message: str) -> None:
    outcome = run(*arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.startswith("hanabi: error: ")
    assert outcome.err.count("\n") == 1
    assert message in outcome.err


def test_a_method_that_does_not_apply(run: Run, source: Path) -> None:
    source.write_text("hand 1\nr1 r1 y1", encoding="utf-8")
    outcome = run("solve", source, "--method", "unique")
    assert outcome.status == 2
    assert outcome.err.count("\n") == 1


def test_a_proof_and_the_formula_that_it_refutes(run: Run, tmp_path: Path, drup: Any) -> None:
    formula, proof = tmp_path / "f.cnf", tmp_path / "p.drat"
    outcome = run("solve", GAME, "--hand-size", 3, "--dimacs", formula, "--proof", proof)
    assert (outcome.status, outcome.err) == (0, "")
    assert "method      sat" in outcome.out
    assert "of DRAT written" in outcome.out
    clauses = list(dimacs.read(formula.read_text(encoding="utf-8").splitlines()))
    # The checker knows no deletions; it does not need them either.
    lines = proof.read_text(encoding="utf-8").splitlines()
    steps = [list(map(int, line.split()))[:-1] for line in lines if not line.startswith("d")]
    assert drup.check_proof(clauses, steps).outcome == drup.Outcome.VALID


def test_no_proof_of_what_can_be_won(run: Run, source: Path, tmp_path: Path) -> None:
    source.write_text("hand 1\nr2 r1 y1 y2 y1", encoding="utf-8")
    proof = tmp_path / "p.drat"
    data = answered(run, source, "--proof", proof)
    assert (data["status"], data["method"]) == ("winnable", "sat")
    assert not proof.exists()


def test_a_certificate_of_a_loss_and_none_of_a_win(run: Run, source: Path, tmp_path: Path) -> None:
    source.write_text("hand 1\nr2 y2 r1 y1", encoding="utf-8")
    certificate = tmp_path / "c.json"
    outcome = run("solve", source, "--certificate", certificate)
    assert (outcome.status, outcome.err) == (0, "")
    assert "just before card 3 at least 2 cards must be in hand" in outcome.out
    assert "1 step of weights and cases written" in outcome.out
    assert run("verify", source, certificate).status == 0
    certificate.unlink()
    data = answered(run, source, "--certificate", certificate, "--hand-size", 2)
    assert (data["status"], data["method"]) == ("winnable", "paths")
    assert not certificate.exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--certificate", "c", "--method", "sat"], "--certificate is written by --method paths"),
        (["--certificate", "c", "--proof", "p"], "--certificate is written by --method paths"),
        (["--certificate", "c", "--least-hand"], "--certificate needs a hand size"),
        (["--certificate", "c", "--players", 2], "--certificate is for Solitaire Hanabi"),
        (["--proof", "p", "--method", "search"], "--proof is written by --method sat, not search"),
        (["--dimacs", "f", "--least-hand"], "--dimacs needs a hand size"),
        (["--dimacs", "no/such/folder/f", "--hand-size", 1], "cannot write 'no/such/folder/f'"),
    ],
)
def test_bad_uses_of_files(run: Run, source: Path, options: list[object], message: str) -> None:
    source.write_text("r2 r1 y1 y2 y1", encoding="utf-8")
    outcome = run("solve", source, *options)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
