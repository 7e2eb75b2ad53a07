"""The formula of a position: real decks, proofs, files, budgets, and endings with few cards."""

from __future__ import annotations

import io
from typing import Any

import pytest
from pysat.solvers import Solver

from hanabi import Deck, DeckSpec, Status
from hanabi.ground.errors import InvalidInputError, SolverError
from hanabi.ground.sat import Cnf, Satisfiability, dimacs, solve_here
from hanabi.rules import Game, Rules
from hanabi.solvers.winnable import Position, replay
from hanabi.solvers.winnable.sat import certify, encode, line_of_acts, solve, write_dimacs

TOPS = (5,) * 5
SMALL = Rules(spec=DeckSpec(((2, 2, 1),) * 2), seats=2, hand_size=2, hints=2, lives=1)


def deck_of(text: str) -> Deck:
    return Deck([("rygbp".index(card[0]), int(card[1])) for card in text.split()])


def additions(proof: str | None) -> list[list[int]]:
    assert proof is not None
    lines = [line.split() for line in proof.splitlines()]
    return [[int(x) for x in line[:-1]] for line in lines if line[0] != "d"]


def is_refuted(cnf: Cnf, steps: list[list[int]]) -> bool:
    """Whether each step follows from those before it by unit propagation, the last being false."""
    with Solver("minisat22", bootstrap_with=list(cnf)) as solver:
        for step in steps:
            if solver.propagate(assumptions=[-literal for literal in step])[0]:
                return False
            solver.add_clause(step)
    return steps[-1] == []


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_a_real_deck_is_won(seats: int) -> None:
    rules = Rules.hanab_live(seats)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    verdict = solve(game, seconds=600)
    assert (verdict.status, verdict.lower, verdict.upper) == (Status.WINNABLE, 25, 25)
    assert verdict.witness is not None
    assert replay(game, verdict.witness).score == 25


def test_a_real_deck_is_lost_with_a_proof() -> None:
    rules = Rules.hanab_live(4)
    game = Game.start(rules, rules.spec.shuffle(seed=11, index=8620))
    certificate = certify(game, seconds=600)
    verdict, steps = certificate.verdict, additions(certificate.proof)
    assert (verdict.status, verdict.lower, verdict.upper) == (Status.UNWINNABLE, 0, 24)
    assert is_refuted(certificate.encoding.cnf, steps)
    assert not is_refuted(certificate.encoding.cnf, [[]])
    less = solve(game, (5, 5, 5, 5, 4), seconds=600)
    assert less.upper == 25
    assert less.is_winnable is (less.witness is not None)


def test_fewer_turns_than_the_fewest_are_refuted_with_a_proof() -> None:
    """Deck 1 of `shuffle(2026, ...)` at five seats takes 37 turns, as docs/fewest.md says."""
    rules = Rules.hanab_live(5)
    game = Game.start(rules, rules.spec.shuffle(2026, 1))
    certificate = certify(game, turns=36, seconds=600)
    assert (certificate.verdict.status, certificate.verdict.upper) == (Status.UNWINNABLE, 25)
    assert is_refuted(certificate.encoding.cnf, additions(certificate.proof))
    line = certify(game, turns=37, seconds=600).verdict.witness
    assert line is not None
    assert replay(game, line).score == 25
    assert len(line) == 37


def test_a_certificate_convinces_an_independent_checker(drup: Any) -> None:
    game = Game.start(SMALL, deck_of("r3 y2 r2 y2 y3 r1 y1 y1 r2 r1"))
    certificate = certify(game, seconds=600)
    assert certificate.verdict.status is Status.UNWINNABLE
    clauses, steps = list(certificate.encoding.cnf), additions(certificate.proof)
    assert drup.check_proof(clauses, steps).outcome is drup.Outcome.VALID
    assert drup.check_proof(clauses, [[]]).outcome is drup.Outcome.INVALID


def test_a_winnable_deck_has_no_proof() -> None:
    game = Game.start(SMALL, deck_of("r1 y1 r2 y2 r3 y3 r1 r2 y1 y2"))
    certificate = certify(game, seconds=600)
    assert certificate.proof is None
    assert certificate.verdict.witness is not None
    assert replay(game, certificate.verdict.witness).piles == (3, 3)


def test_every_seat_may_have_to_hint_so_that_one_can_discard() -> None:
    rules = Rules(
        spec=DeckSpec(((2, 2, 3),)), seats=2, hand_size=1, hints=3, lives=1, empty_hints=False,
        final_round=1,
    )  # fmt: skip
    game = Game.start(rules, deck_of("r3 r3 r2 r1 r3 r1 r2"))
    encoding = encode(Position.of_game(game), (3,))
    answer = solve_here(encoding.cnf)
    assert answer.model is not None
    acts = encoding.decode(answer.model)
    assert max(act.hints for act in acts) == 2
    assert replay(game, line_of_acts(game, acts)).piles == (3,)


def test_solve_from_a_position_in_a_game() -> None:
    rules = Rules.hanab_live(3)
    game = Game.start(rules, rules.spec.shuffle(seed=1))
    line = solve(game, seconds=600).witness
    assert line is not None
    for length in (10, 30, len(line) - 1):
        later = replay(game, line[:length])
        verdict = solve(later, seconds=600)
        assert verdict.witness is not None
        assert replay(later, verdict.witness).score == 25


def test_no_time_gives_unknown_with_bounds() -> None:
    rules = Rules.hanab_live(2)
    verdict = solve(Game.start(rules, rules.spec.shuffle(seed=1)), seconds=0.0)
    assert (verdict.status, verdict.lower, verdict.upper) == (Status.UNKNOWN, 0, 25)
    assert "time budget" in verdict.reason


def test_the_exported_formula_says_the_same() -> None:
    for text in ("r3 y2 r2 y2 y3 r1 y1 y1 r2 r1", "r1 y1 r2 y2 r3 y3 r1 r2 y1 y2"):
        game, file = Game.start(SMALL, deck_of(text)), io.StringIO()
        write_dimacs(game, file)
        lines = file.getvalue().splitlines()
        encoding = encode(Position.of_game(game), (3, 3))
        assert list(dimacs.read(lines)) == list(encoding.cnf)
        assert [line[2:] for line in lines if line[0] == "c"] == list(encoding.comments())
        is_won = solve_here(encoding.cnf).status is Satisfiability.SATISFIABLE
        assert is_won == solve(game).is_winnable


@pytest.mark.parametrize("goal", [(5,) * 4, (5, 5, 5, 5, 6), (5, 5, 5, 5, -1)])
def test_a_goal_has_a_height_for_each_pile(goal: tuple[int, ...]) -> None:
    rules = Rules.hanab_live(2)
    with pytest.raises(InvalidInputError, match="goal"):
        encode(Position.start(rules, rules.spec.shuffle(seed=1)), goal)


def test_unsupported_rules_are_refused() -> None:
    rules = Rules(spec=DeckSpec(((1, 1),)), seats=1, hand_size=1, deck_plays=True)
    with pytest.raises(SolverError, match="deck_plays = True"):
        encode(Position.start(rules, [(0, 1), (0, 2)]), (2,))


def test_the_formula_of_a_real_deck_is_small() -> None:
    rules = Rules.hanab_live(2)
    cnf = encode(Position.start(rules, rules.spec.shuffle(seed=1)), TOPS).cnf
    assert cnf.n_vars < 10_000
    assert cnf.n_clauses < 60_000
