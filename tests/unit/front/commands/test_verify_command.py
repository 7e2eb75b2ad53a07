from __future__ import annotations

import json
import tracemalloc
from pathlib import Path

import pytest

from hanabi.front.app import main

from ...conftest import Run

WINS = [[1, "store"], [2, "play"], [1, "play"]]


@pytest.fixture
def stream(tmp_path: Path) -> Path:
    path = tmp_path / "stream.txt"
    path.write_text("hand 1\nr2 r1", encoding="utf-8")
    return path


def write(path: Path, data: object) -> Path:
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


@pytest.mark.parametrize("data", [WINS, {"status": "winnable", "play": WINS}])
def test_a_play_that_wins(run: Run, stream: Path, tmp_path: Path, data: object) -> None:
    play = write(tmp_path / "play.json", data)
    outcome = run("verify", stream, play, "--json")
    assert (outcome.status, json.loads(outcome.out)) == (0, {"ok": True})
    outcome = run("verify", stream, play)
    assert (outcome.status, outcome.out) == (
        0,
        "ok          the play wins with 2 of 2 cards\n",
    )


def test_the_first_broken_rule(run: Run, stream: Path, tmp_path: Path) -> None:
    play = write(tmp_path / "play.json", [[1, "store"], [2, "store"]])
    outcome = run("verify", stream, play, "--json")
    assert outcome.status == 1
    rule = "storing card 2 (r1) needs more than 1 card in hand"
    assert json.loads(outcome.out) == {"ok": False, "move": 2, "rule": rule}
    assert run("verify", stream, play).out == f"not ok      move 2: {rule}\n"


def test_the_hand_size_can_be_given(run: Run, stream: Path, tmp_path: Path) -> None:
    play = write(tmp_path / "play.json", WINS)
    assert run("verify", stream, play, "--hand-size", 0).status == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[[1", "play.json: line 1, column 4: the JSON ends too early"),
        ('{"status": "unwinnable", "play": null}', "play: missing (its status is 'unwinnable')"),
        ('[[1, "keep"]]', "play[0]: action 'keep' is not"),
        ("", "it is empty"),
    ],
)
def test_bad_plays(run: Run, stream: Path, tmp_path: Path, text: str, message: str) -> None:
    play = tmp_path / "play.json"
    play.write_text(text, encoding="utf-8")
    outcome = run("verify", stream, play)
    assert outcome.status == 2
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_only_one_can_be_standard_input(run: Run) -> None:
    outcome = run("verify", "-", "-")
    assert outcome.status == 2
    assert "only one of the two can be standard input" in outcome.err


def test_an_instance_without_a_hand_size(run: Run, tmp_path: Path) -> None:
    stream = tmp_path / "stream.txt"
    stream.write_text("r1", encoding="utf-8")
    outcome = run("verify", stream, write(tmp_path / "play.json", WINS))
    assert outcome.status == 2
    assert "no hand size: give --hand-size H" in outcome.err


LOST = "hand 1\nr2 y2 r1 y1"
CERTIFICATE = {
    "hand_size": 1,
    "most_left_out": 0,
    "steps": [{"moments": [[3, 1]], "left_out": 0, "needs": 2}],
}


def test_a_certificate_that_nothing_wins(run: Run, tmp_path: Path) -> None:
    stream = tmp_path / "lost.txt"
    stream.write_text(LOST, encoding="utf-8")
    good = write(tmp_path / "c.json", CERTIFICATE)
    outcome = run("verify", stream, good)
    said = "ok          no play wins: 1 step of weights and cases\n"
    assert (outcome.status, outcome.out) == (0, said)
    assert json.loads(run("verify", stream, good, "--json").out) == {"ok": True}
    fewer = write(tmp_path / "f.json", CERTIFICATE | {"most_left_out": 1})
    assert run("verify", stream, fewer).status == 1
    outcome = run("verify", stream, good, "--hand-size", 2)
    assert (outcome.status, outcome.out) == (
        1,
        "not ok      the certificate is for a hand of 1, the stream has one of 2\n",
    )
    outcome = run("verify", stream, write(tmp_path / "d.json", CERTIFICATE | {"steps": []}))
    assert (outcome.status, outcome.out) == (1, "not ok      1 case not proved\n")


def test_what_is_no_certificate(run: Run, stream: Path, tmp_path: Path) -> None:
    bad = write(tmp_path / "c.json", CERTIFICATE | {"steps": [{"split": -1}]})
    outcome = run("verify", stream, bad)
    assert (outcome.status, outcome.out) == (2, "")
    assert outcome.err.endswith("c.json: step 1: split: -1 is not an integer >= 0\n")
    assert outcome.err.count("\n") == 1


def test_a_check_that_the_budgets_do_not_allow_is_neither_right_nor_wrong(
    run: Run, tmp_path: Path
) -> None:
    stream = tmp_path / "lost.txt"
    stream.write_text(LOST, encoding="utf-8")
    certificate = write(tmp_path / "c.json", CERTIFICATE)
    proof = tmp_path / "p.drat"
    proof.write_text("0\n", encoding="utf-8")
    for given in ([certificate], ["--proof", proof]):
        outcome = run("verify", stream, *given, "--time", "1e-9")
        said = "unknown     out of time before the check was finished\n"
        assert (outcome.status, outcome.out, outcome.err) == (30, said, "")
        outcome = run("verify", stream, *given, "--memory", 0, "--json")
        reason = "the check may take 1 MB of memory"
        assert (outcome.status, json.loads(outcome.out)) == (30, {"ok": None, "reason": reason})
        enough = run("verify", stream, *given, "--memory", 100, "--time", 3600)
        assert enough.out == run("verify", stream, *given).out
        assert enough.status == 0


def test_the_memory_of_a_check_is_what_it_is_said_to_be(tmp_path: Path) -> None:
    """The estimate by characters holds for files of splits, of moments and of plays."""
    n = 2000
    cards = " ".join(f"r{value}" for value in range(n, 0, -1))
    stream = tmp_path / "stream.txt"
    stream.write_text(f"hand 0 {cards}", encoding="utf-8")
    moments = [[position, 1] for position in range(1, n + 1)]
    for steps in (
        [{"split": 1}] * 10_000,
        [{"split": position % n + 1} for position in range(10_000)],
        [{"moments": moments, "left_out": 0, "needs": 1}],
    ):
        document = json.dumps(CERTIFICATE | {"steps": steps}, separators=(",", ":"))
        certificate = tmp_path / "certificate.json"
        certificate.write_text(document, encoding="utf-8")
        tracemalloc.start()
        status = main(["verify", str(stream), str(certificate)])
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert status == 1
        assert peak < 64 * (len(document) + len(cards)) + 2_000_000
