"""`hanabi solve` and `hanabi verify` on lines and proofs of the full game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pysat.solvers import Solver

from hanabi.ground.sat import Cnf, check, dimacs
from hanabi.rules import Game, Rules
from hanabi.rules.deck import DeckSpec
from hanabi.solvers.winnable import Position, reasons
from hanabi.solvers.winnable.sat import encode

from ...conftest import Run

GAME = Path(__file__).parents[3] / "data/hanab_live/games/2906.json"
WON = {"players": 2, "deck": "r1 r2 r3", "rules": {"hand_size": 1}}
LOST = {"players": 2, "deck": "r1 r3 r2", "rules": {"hand_size": 1}}
"""The last turns come in the wrong order; one hand of both players wins it."""


@pytest.fixture
def won(tmp_path: Path) -> Path:
    return write(tmp_path / "won.json", WON)


@pytest.fixture
def lost(tmp_path: Path) -> Path:
    return write(tmp_path / "lost.json", LOST)


def write(path: Path, data: object) -> Path:
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def answered(run: Run, *arguments: object) -> dict[str, Any]:
    outcome = run("solve", *arguments, "--json")
    assert (outcome.status, outcome.err) == (0, "")
    data: dict[str, Any] = json.loads(outcome.out)
    return data


def test_proof_and_formula_are_those_of_the_full_game(run: Run, lost: Path, tmp_path: Path) -> None:
    proof, formula = tmp_path / "p.drat", tmp_path / "f.cnf"
    data = answered(run, lost, "--proof", proof, "--dimacs", formula)
    assert (data["status"], data["because"]["name"]) == ("unwinnable", "bottom deck")
    position = Position.start(
        Rules(
            spec=DeckSpec(((1, 1, 1),)), seats=2, hand_size=1, empty_hints=False,
            stop_when_stuck=True,
        ),
        [(0, 1), (0, 3), (0, 2)],
    )  # fmt: skip
    cnf = encode(position, (3,)).cnf
    assert list(dimacs.read(formula.read_text().splitlines())) == list(cnf)
    steps = proof.read_text().splitlines()
    assert data["proof"] == {
        "variables": cnf.n_vars, "clauses": cnf.n_clauses, "steps": len(steps),
    }  # fmt: skip
    with Solver("glucose4", bootstrap_with=list(cnf)) as solver:
        assert solver.solve() is False
    assert "of DRAT written" in run("solve", lost, "--proof", proof).out
    assert run("verify", lost, "--proof", proof).status == 0


def test_a_proof_that_does_not_hold(run: Run, won: Path, tmp_path: Path) -> None:
    """The formula is made of the deck; what cannot be proven is not."""
    proof = write(tmp_path / "p.drat", "0\n")
    outcome = run("verify", won, "--proof", proof, "--json")
    data = json.loads(outcome.out)
    assert (outcome.status, data["ok"]) == (1, False)
    assert "verif" in data["rule"] or "does not follow by unit propagation" in data["rule"]
    assert run("verify", won, "--proof", proof).out.startswith("not ok ")


def test_there_is_no_proof_of_what_can_be_won(run: Run, won: Path, tmp_path: Path) -> None:
    proof = tmp_path / "p.drat"
    data = answered(run, won, "--proof", proof)
    assert (data["status"], data["proof"]) == ("winnable", None)
    assert not proof.exists()
    assert "no proof    the answer is winnable" in run("solve", won, "--proof", proof).out


def test_no_formula_where_the_deck_may_be_played(run: Run, tmp_path: Path) -> None:
    formula = tmp_path / "f.cnf"
    outcome = run("solve", GAME, "--dimacs", formula)
    assert (outcome.status, outcome.out) == (2, "")
    assert "the solver does not know the rule deck_plays = True" in outcome.err
    assert not formula.exists()


def test_proofs_of_the_solitaire_are_checked_too(run: Run, tmp_path: Path) -> None:
    stream, proof = write(tmp_path / "s.txt", "hand 1\nr3 r2 r1"), tmp_path / "p.drat"
    assert answered(run, stream, "--proof", proof)["status"] == "unwinnable"
    assert run("verify", stream, "--proof", proof).status == 0
    assert run("verify", stream, "--proof", proof, "--hand-size", 2).status == 1


def test_a_solitaire_method_is_refused_for_the_full_game(run: Run, lost: Path) -> None:
    outcome = run("solve", lost, "--method", "search")
    assert (outcome.status, outcome.out) == (2, "")
    assert "--method is for Solitaire Hanabi: give --solitaire" in outcome.err
    outcome = run("solve", GAME, "--method", "search", "--solitaire")
    assert outcome.status == 0


@pytest.mark.parametrize("options", [[], ["--at", 30]])
def test_an_answer_of_solve_is_verified(run: Run, tmp_path: Path, options: list[object]) -> None:
    answer = write(tmp_path / "a.json", answered(run, GAME, *options))
    for more in ([], options):
        outcome = run("verify", GAME, answer, "--json", *more)
        assert (outcome.status, json.loads(outcome.out)) == (0, {"ok": True})
    assert "the line wins: all 25 points" in run("verify", GAME, answer).out


def test_the_first_broken_rule_of_a_line(run: Run, won: Path, tmp_path: Path) -> None:
    actions = answered(run, won)["actions"]
    answer = tmp_path / "a.json"
    for line, move, rule in (
        (actions[:-1], 2, "the line ends with 2 points, not 3"),
        ([actions[0], actions[0]], 2, "is not in the hand of seat 1"),
        ([{"type": 1, "target": 0}], 1, "no discards while all 8 hint tokens are there"),
        ([*actions, actions[0]], 4, "turn 4"),
    ):
        outcome = run("verify", won, write(answer, line), "--json")
        data = json.loads(outcome.out)
        assert (outcome.status, data["ok"], data["move"]) == (1, False, move)
        assert rule in data["rule"]
        assert f"move {move}: " in " ".join(run("verify", won, answer).out.split())


def test_bare_actions_go_on_from_a_move(run: Run, tmp_path: Path) -> None:
    rest = write(tmp_path / "rest.json", answered(run, GAME, "--at", 30)["actions"][30:])
    assert run("verify", GAME, rest, "--at", 30).status == 0
    assert run("verify", GAME, rest).status == 1
    whole = write(tmp_path / "whole.json", answered(run, GAME))
    outcome = run("verify", GAME, whole, "--at", 30)
    assert outcome.status == 1
    assert "the game went otherwise before move 30" in " ".join(outcome.out.split())


def test_the_best_line_of_a_lost_deck_is_verified(run: Run, lost: Path, tmp_path: Path) -> None:
    data = answered(run, lost, "--best")
    assert data["best"] == {"lower": 2, "upper": 2}
    answer = write(tmp_path / "a.json", data)
    assert "the line ends with 2 of 3 points" in run("verify", lost, answer).out
    write(answer, data | {"best": {"lower": 3, "upper": 3}})
    assert run("verify", lost, answer).status == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"status": "unwinnable", "actions": null}', "actions: missing (its status is"),
        ('[{"type": 7, "target": 1}]', "actions[0].type: 7 is not in 0 .. 3"),
        ('[{"type": 0}]', "actions[0].target: null is not an integer"),
    ],
)
def test_bad_answers(run: Run, won: Path, tmp_path: Path, text: str, message: str) -> None:
    outcome = run("verify", won, write(tmp_path / "a.json", text))
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err
    assert outcome.err.count("\n") == 1


def test_something_is_to_be_checked(run: Run, won: Path, tmp_path: Path) -> None:
    bad = write(tmp_path / "p", "1 x 0")
    for arguments, message in (
        ([won], "give either a play or --proof"),
        ([won, bad, "--proof", bad], "give either a play or --proof"),
        ([won, "--proof", bad], "line 1: '1 x 0' is no step of a DRAT proof"),
        ([won, "--proof", write(tmp_path / "q", "999999 0")], "variables only"),
    ):
        outcome = run("verify", *arguments)
        assert (outcome.status, outcome.out) == (2, "")
        assert message in outcome.err


def test_points_that_cannot_be_kept_are_not_the_best(run: Run, tmp_path: Path) -> None:
    rules = {"preset": "hle", "hand_size": 1, "hints": 0, "lives": 1}
    deck = write(tmp_path / "d.json", {"players": 2, "deck": "r1 r3 r1 r2", "rules": rules})
    data = answered(run, deck, "--best")
    assert data["best"] == {"lower": 0, "upper": 0}
    assert len(data["actions"]) > 1


def test_a_loss_without_an_argument_for_people_is_told_by_its_formula(
    run: Run, lost: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reasons, "why_lost", lambda *_: None)
    data = answered(run, lost)
    assert data["reason"].startswith("formula: no line exists: unsatisfiable by cadical195")
    assert data["because"]["name"] == "formula"


def test_a_loss_always_has_a_name(run: Run, lost: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reasons, "why_lost", lambda *_: None)
    data = answered(run, lost, "--time", 0.000001)
    assert data["status"] in ("unknown", "unwinnable")
    assert data["status"] == "unknown" or ": " in data["reason"]


def test_drat_trim_is_asked_where_it_is_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cnf = Cnf(n_vars=1)
    cnf.add_clause([1])
    program = tmp_path / "drat-trim"
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    for said, broken in (("s VERIFIED", False), ("s NOT VERIFIED", True), ("", True)):
        program.write_text(f"#!/bin/sh\necho '{said}'\n", encoding="utf-8")
        program.chmod(0o755)
        checked = check.check_proof(cnf, "0")
        assert checked.checker == "drat-trim"
        assert (checked.broken is not None) is broken


def test_unit_propagation_checks_a_real_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    from hanabi.solvers.winnable.sat import certify

    monkeypatch.setattr(check, "which", lambda _: None)
    rules = Rules.hanab_live(4)
    game = Game.start(rules, rules.spec.shuffle(seed=11, index=8620))
    certificate = certify(game, seconds=600)
    cnf, proof = certificate.encoding.cnf, certificate.proof
    assert proof is not None
    assert check.check_proof(cnf, proof).broken is None
    lines = proof.splitlines()
    assert check.check_proof(cnf, "0").broken is not None
    assert check.check_proof(cnf, "\n".join(lines[: len(lines) // 4])).broken is not None
