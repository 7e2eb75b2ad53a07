"""`hanabi practise`: positions with one right action, asked for or shown."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from ...conftest import Run

WORDS = ("practise", "hgroup:level=1", "--seed", 5)


@pytest.fixture(scope="module")
def answers() -> list[str]:
    """The right moves of two positions, as `--json` has them."""
    from hanabi.conventions.practice import draw_exercise
    from hanabi.shell.web.moves import move_in_words

    names = ("Alice", "Bob", "Cathy")
    found = [draw_exercise(1, 5, number)[1] for number in range(2)]
    return [move_in_words(each.view, each.action, names) for each in found]


def say(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def test_positions_with_solutions(run: Run, answers: list[str]) -> None:
    data = json.loads(run(*WORDS, "-n", 2, "--json").out)
    assert [each["move"] for each in data["positions"]] == answers
    for each in data["positions"]:
        assert each["hands"][each["seat"]] == [None] * 5
        assert len(each["hints"]) == 3
        assert "slot" not in each["solution"]
        assert "seat" not in each["solution"]
    shown = run(*WORDS, "-n", 2, "--show").out
    assert all(f"solution    {move}" in shown for move in answers)


def test_right_answers(run: Run, monkeypatch: pytest.MonkeyPatch, answers: list[str]) -> None:
    say(monkeypatch, *answers)
    outcome = run(*WORDS, "-n", 2)
    assert (outcome.status, outcome.out.count("right  ")) == (0, 2)
    assert "2 of 2 positions right at the first try" in outcome.out


def test_garbage_asks_again(run: Run, monkeypatch: pytest.MonkeyPatch, answers: list[str]) -> None:
    say(monkeypatch, "", "?", "play 99", "\x1b[31m!", "clue Zoe 1", "hint", "hint", "hint", "hint",
        "solution", answers[1])  # fmt: skip
    outcome = run(*WORDS, "-n", 2)
    assert outcome.status == 0
    assert "clue Bob red (or r)" in outcome.out
    assert "'play 99': there are cards 1 to 5" in outcome.out
    assert "no player 'zoe'; there are Alice, Bob, Cathy" in outcome.out
    assert "\x1b[31m!" not in outcome.out
    assert "there are no more hints" in outcome.out
    assert "1 of 2 positions right at the first try" in outcome.out


def test_a_wrong_answer_is_explained(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    right = json.loads(run(*WORDS, "-n", 1, "--json").out)["positions"][0]["move"]
    wrong = next(each for each in ("discard 1", "discard 2") if each != right)
    say(monkeypatch, wrong, right)
    outcome = run(*WORDS, "-n", 1)
    assert "wrong  " in outcome.out
    assert "right  " in outcome.out
    assert "0 of 1 position right" in outcome.out


@pytest.mark.parametrize("lines", [(), ("quit",)])
def test_the_end_of_the_input_ends_it(
    run: Run, monkeypatch: pytest.MonkeyPatch, lines: tuple[str, ...]
) -> None:
    say(monkeypatch, *lines)
    outcome = run(*WORDS, "-n", 2)
    assert (outcome.status, outcome.err) == (0, "")
    assert "0 of 0 positions" in outcome.out


def test_a_real_game(run: Run) -> None:
    link = json.loads(run(*WORDS, "-n", 1, "--json").out)["positions"][0]["link"]
    found = json.loads(run("practise", "hgroup:level=1", link, "-n", 1, "--json").out)
    assert len(found["positions"]) == 1


def test_games_of_a_folder(run: Run, tmp_path: Path) -> None:
    link = json.loads(run(*WORDS, "-n", 1, "--json").out)["positions"][0]["link"]
    games = run("convert", link).out
    for name, text in (("1.json", games), ("2.json", games), ("3.json", "{}")):
        (tmp_path / name).write_text(text)
    alone = json.loads(run("practise", "hgroup:level=1", link, "--json", "-n", 99).out)
    outcome = run("practise", "hgroup:level=1", str(tmp_path), "--json", "-n", 99)
    assert json.loads(outcome.out)["positions"] == alone["positions"] * 2
    assert "note: left out: 3.json" in outcome.err


def test_a_convention_is_chosen_and_names_the_position(run: Run) -> None:
    words = ("practise", "hgroup:level=1", "--seed", 5, "-n", 2, "--convention", "5 save")
    found = json.loads(run(*words, "--json").out)
    assert found["convention"] == "5 Save"
    assert [each["convention"]["name"] for each in found["positions"]] == ["5 Save"] * 2
    assert "1. 5 Save: " in run(*words, "--show").out


def test_a_course_goes_up(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    from hanabi.conventions.commands import practise
    from hanabi.conventions.practice import draw_exercise
    from hanabi.shell.web.moves import move_in_words

    monkeypatch.setattr(practise, "_IN_ROW", 1)
    found = [draw_exercise(level, 5, number)[1] for number, level in enumerate((1, 2, 2))]
    names = ("Alice", "Bob", "Cathy")
    say(monkeypatch, *(move_in_words(each.view, each.action, names) for each in found))
    outcome = run("practise", "hgroup:level=2", "--course", "--seed", 5, "-n", 3)
    assert outcome.out.count("on to level 2") == 1
    assert "3 of 3 positions right" in outcome.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("random",), "'random' has no conventions to practise"),
        (("hgroup:level=99",), "level = 99"),
        (("hgroup", "p2v0s1", "--seed", 3), "--seed is for random deals"),
        (("hgroup", "p2v0s1", "--json"), "no moves"),
        (("hgroup", "--players", 9, "--seed", 1, "--json"), "seats: 9"),
        (("hgroup", "--show", "--json"), "give one of --show and --json"),
        (("hgroup", "--course", "--show"), "--course asks for positions"),
        (("hgroup", "--convention", "Reverse Finesse"), "'Reverse Finesse' is none of"),
    ],
)
def test_bad_input(run: Run, words: tuple[object, ...], message: str) -> None:
    outcome = run("practise", *words)
    assert outcome.status == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
