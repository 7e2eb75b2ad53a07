"""Seeds of hanab.live on the command line: single ones, and ranges as many inputs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from hanabi.rules.notation import GameRecord, parse_input
from hanabi.rules.seeds import parse_seed

from ...conftest import Run


def test_a_seed_is_solved_as_the_deck_it_deals(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "deck.json"
    deck = str(parse_seed("p3v0s17").deck)
    path.write_text(json.dumps({"players": 3, "deck": deck}), encoding="utf-8")
    by_seed, by_deck = (
        json.loads(run("solve", given, "--json").out) for given in ("p3v0s17", path)
    )
    assert by_seed["link"] == by_deck["link"] is not None
    assert run("show", "p3v0s17", "--at", 0).out.startswith("A game of 0 moves, No Variant: 3")


def test_the_link_of_a_seed_is_dealt(run: Run) -> None:
    for link in ("https://hanab.live/seed/p3v0s17", "hanab.live/seed/p3v0s17?x#1"):
        assert run("deck", link).out == run("deck", "p3v0s17").out


def test_a_deal_of_a_variant_in_the_letters_of_its_suits(run: Run) -> None:
    out = run("show", "p2v2s1", "--at", 0).out
    assert out.startswith("A game of 0 moves, Black (6 Suits): 2 players with 5 cards each.")
    assert " k" in out
    assert run("solve", "p2v2s1", "--players", 4, "--json").status == 0
    out = run("solve", "p3v21s5", "--show").out
    assert "bottom deck: the last black 3 is the bottom card of the deck" in out
    link = json.loads(run("solve", "p2v24s1", "--json").out)["link"]
    assert link.startswith("https://hanab.live/replay-json/217")
    assert link.endswith("24")


def test_a_file_comes_before_a_seed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("p2v0s1", "p2v0s1..2"):
        Path(name).write_text("hand 1 r2 r1", encoding="utf-8")
        assert run("solve", name).out.startswith("2 cards, 1 color")


def test_a_range_is_many_inputs_that_are_taken_up_again(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    assert run("solve", "p2v0s1..2", "-o", path, "--workers", 1).status == 0
    first = path.read_text(encoding="utf-8")
    assert run("solve", "p2v0s1..3", "-o", path, "--workers", 1).status == 0
    lines = path.read_text(encoding="utf-8")
    assert lines.startswith(first)
    answers = [json.loads(line) for line in lines.splitlines()]
    assert [each["item"] for each in answers] == ["p2v0s1", "p2v0s2", "p2v0s3"]
    assert all(each["status"] == "winnable" for each in answers)


@pytest.mark.parametrize("json_form", [False, True])
def test_the_decks_of_a_range_are_read_back(run: Run, json_form: bool) -> None:
    out = run("deck", "p4v24s9..10", *(["--json"] if json_form else [])).out
    texts = out.splitlines() if json_form else ["# " + text for text in out.split("# ")[1:]]
    for number, text in zip((9, 10), texts, strict=True):
        record = parse_input(text)
        assert isinstance(record, GameRecord)
        assert (record.players, record.variant) == (4, "Up or Down (5 Suits)")
        assert record.deck == parse_seed(f"p4v24s{number}").deck
        assert record.seed == (f"p4v24s{number}" if json_form else None)


def test_decks_of_a_variant_from_a_seed_of_our_own(run: Run) -> None:
    options = ("--players", 2, "--seed", 3, "--count", 2)
    by_name, by_number = (
        run("deck", "--variant", which, *options).out for which in ("Rainbow (5 Suits)", 16)
    )
    assert by_name == by_number
    assert by_name.count("variant 16\n") == 2
    assert " m5" in by_name
    for line in run("deck", "--variant", 16, *options, "--json").out.splitlines():
        record = parse_input(line)
        assert isinstance(record, GameRecord)
        assert (record.variant, record.deck_mismatch) == ("Rainbow (5 Suits)", None)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("deck", "p9v0s1"), "'p9v0s1' is for 9 players; there are 2 .. 6"),
        (("deck", "p2v9999s1"), "'p2v9999s1': number 9999 is not a variant of hanab.live"),
        (("deck", "p2v0s2..1"), "'p2v0s2..1': the last number is below the first"),
        (("deck", "decks"), "'decks' is not a seed such as p3v0s17"),
        (("deck", "p2v0s1", "--count", 3), "--count does not go with 'p2v0s1'"),
        (("deck", "--variant", 16), "--variant: to how many? give --players P"),
        (("deck", "--variant", "Rainbw (5 Suits)"), "is not a variant of hanab.live: did you mean"),
        (("deck", "--variant", 16, "--players", 2, "--colors", 5), "--colors does not go with"),
        (("solve", "p9v0s1"), "is for 9 players; there are 2 .. 6"),
        (("solve", "p2v0s2..1"), "the last number is below the first"),
        (("solve", "p2v16s1", "--rules", "hle"), "a variant goes with hanab_live, not hle"),
        (("show", "p2v0s1..2"), "'p2v0s1..2' names many decks; only one is allowed here"),
        (("solve", "p2v24s1", "--solitaire"), "(5 Suits): a solitaire builds every pile upwards"),
    ],
)
def test_what_is_refused(run: Run, arguments: tuple[object, ...], message: str) -> None:
    outcome = run(*arguments)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1
