"""Solitaire Hanabi by satisfiability: reductions, budgets, export, certificates, locality."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest

from hanabi.ground.errors import SolverError
from hanabi.ground.sat import Satisfiability, dimacs, solve_here
from hanabi.ground.verdict import Status
from hanabi.rules.deck import DeckSpec
from hanabi.solitaire import Instance, find_broken_rule
from hanabi.solitaire.sat import certify, encode, reduce_copies, solve, write_dimacs

SLIDES = [(0, value) for value in (3, 1, 2, 4, 6, 2, 5, 4, 1, 6, 5, 3)]


def deck(hand_size: int, index: int, spec: DeckSpec | None = None) -> Instance:
    cards = (spec or DeckSpec.standard()).shuffle(1, index)
    return Instance(hand_size, cards)


def wide_deck(hand_size: int) -> Instance:
    """A deck that no reduction decides: some hundred choices of copies stay open."""
    return deck(hand_size, 0, DeckSpec.uniform(colors=8, ranks=8, copies=3))


def test_slides_example() -> None:
    lost = solve(Instance(0, SLIDES))
    assert lost.status is Status.UNWINNABLE
    assert (lost.lower, lost.upper, lost.witness) == (0, 5, None)
    won = solve(Instance(1, SLIDES))
    assert won.status is Status.WINNABLE
    assert (won.lower, won.upper, won.method) == (6, 6, "sat")
    assert won.witness is not None
    assert find_broken_rule(Instance(1, SLIDES), won.witness) is None


def test_a_missing_card_is_named() -> None:
    verdict = solve(Instance(3, [(0, 1), (0, 3), (1, 1), (1, 2), (1, 3)]))
    assert verdict.status is Status.UNWINNABLE
    assert verdict.reason == "r2 does not occur"


def test_an_overfull_hand_is_named() -> None:
    verdict = solve(Instance(1, [(0, 1), (0, 3), (1, 3), (1, 1), (0, 2), (1, 2)]))
    assert verdict.reason == "the hand holds 1, and after card 3 of the stream it must keep 2"


def test_a_card_that_no_hand_has_room_for_is_named() -> None:
    """While the yellow 2 fills the hand the red 2 goes by; the other red 2 is gone by then."""
    cards = [(1, 2), (0, 2), (0, 2), (0, 1), (1, 1)]
    verdict = solve(Instance(1, cards))
    assert verdict.status is Status.UNWINNABLE
    assert solve(Instance(2, cards)).status is Status.WINNABLE


@pytest.mark.parametrize("instance", [Instance(0, []), Instance(2, [], n=0, c=3)])
def test_nothing_to_build_is_won(instance: Instance) -> None:
    verdict = solve(instance)
    assert verdict.status is Status.WINNABLE
    assert verdict.witness is not None
    assert len(verdict.witness) == 0


def test_rules_strike_out_copies() -> None:
    # Rule 1: of the 2s before the first 1 the last is best. Rule 2: only the first 1 counts, and
    # the first 2 after it is played at once.
    windows = reduce_copies(Instance(1, [(0, 2), (0, 2), (0, 1), (0, 2), (0, 1), (0, 2)]))
    assert windows.positions.tolist() == [3, 2, 4]
    assert windows.starts.tolist() == [0, 1, 3]
    assert windows.lost is None
    # Rule 3: the yellow 2 fills the hand, so the red 2 has to be the late one.
    full = Instance(1, [(1, 2), (0, 2), (0, 1), (1, 1), (0, 2)])
    windows = reduce_copies(full)
    assert windows.positions.tolist() == [3, 5, 4, 1]
    assert windows.certain.tolist() == [0, 1, 1, 1, 0, 0]
    assert encode(full).cnf.n_vars == 0
    plain = reduce_copies(full, cut=False)
    assert plain.positions.tolist() == [3, 2, 5, 4, 1]
    assert set(plain.next_full.tolist()) == {6}


def test_budgets_end_in_unknown() -> None:
    instance = wide_deck(7)
    verdict = solve(instance, seconds=0)
    assert verdict.status is Status.UNKNOWN
    assert verdict.reason == "out of time"
    assert (verdict.lower, verdict.upper) == (0, instance.goal)
    verdict = solve(instance, memory=1000)
    assert verdict.status is Status.UNKNOWN
    assert verdict.reason.startswith("the formula takes more than 1000 bytes")
    assert certify(instance, memory=1000).cnf is None


def test_the_reason_tells_the_size() -> None:
    instance = wide_deck(7)
    encoding = encode(instance)
    verdict = solve(instance, seconds=600, memory=2**31)
    size = f"({encoding.cnf.n_vars} variables, {encoding.cnf.n_clauses} clauses, "
    assert size in verdict.reason
    assert verdict.seconds > 0


def test_other_solvers_can_be_asked() -> None:
    instance = wide_deck(9)
    verdict = solve(instance, solver="glucose4")
    assert verdict.reason.startswith("glucose4 found a choice of copies")
    assert verdict.witness is not None
    assert find_broken_rule(instance, verdict.witness) is None
    with pytest.raises(SolverError, match="no solver named 'nonesuch'"):
        solve(instance, solver="nonesuch")


@pytest.mark.parametrize("cut", [True, False])
def test_the_exported_formula_says_the_same(cut: bool) -> None:
    for hand_size in range(5, 9):
        instance = wide_deck(hand_size)
        file = io.StringIO()
        write_dimacs(instance, file, cut=cut)
        lines = file.getvalue().splitlines()
        encoding = encode(instance, cut=cut)
        cnf = dimacs.read(lines)
        assert list(cnf) == list(encoding.cnf)
        choices = [variable for variable in encoding.choices.tolist() if variable]
        assert sum(line.startswith("c ") for line in lines) == len(choices) + 1
        answer = solve_here(cnf)
        verdict = solve(instance)
        assert (answer.status is Satisfiability.SATISFIABLE) == verdict.is_winnable
        if answer.model is not None:
            assert find_broken_rule(instance, encoding.decode(answer.model)) is None


HARD = [
    (1, "y3 y1 r2 r2 r3 r1 r4 y3 y2 r2 y4 r3 y3"),
    (1, "y2 y3 r2 y1 y4 r1 r3 y1 r4 y2 y3 r2 y1 r3"),
    (1, "y2 y1 g2 g3 y3 y4 y1 r1 g1 g4 r3 g4 g1 r2 r4 g2 y2 r3 y3 r2 g3 g1"),
]
"""Streams that cannot be won, found by random search: propagation alone does not show it."""


def hard_instances() -> Iterator[Instance]:
    for hand_size, text in HARD:
        yield Instance(hand_size, [("ryg".index(card[0]), int(card[1])) for card in text.split()])


def test_certificates_convince_an_independent_checker(drup: Any) -> None:
    easy = [Instance(0, SLIDES), Instance(3, [(0, 1), (0, 3)]), deck(2, 0)]
    for instance in [*easy, *hard_instances()]:
        certificate = certify(instance)
        assert certificate.verdict.status is Status.UNWINNABLE
        assert certificate.cnf is not None
        clauses, steps = list(certificate.cnf), additions(certificate.proof)
        assert drup.check_proof(clauses, steps).outcome is drup.Outcome.VALID


def test_tampered_certificates_are_rejected(drup: Any) -> None:
    for instance in hard_instances():
        assert encode(instance).lost is None
        certificate = certify(instance)
        assert certificate.cnf is not None
        clauses, steps = list(certificate.cnf), additions(certificate.proof)
        assert drup.check_proof(clauses, [[]]).outcome is drup.Outcome.INVALID
        fresh = certificate.cnf.n_vars + 1
        false = [[fresh], [-fresh], []]
        assert drup.check_proof(clauses, false).outcome is drup.Outcome.INVALID
        larger = certify(instance.with_hand_size(instance.hand_size + 1))
        assert larger.cnf is not None
        assert larger.verdict.status is Status.WINNABLE
        assert drup.check_proof(list(larger.cnf), steps).outcome is drup.Outcome.INVALID


def additions(proof: str | None) -> list[list[int]]:
    assert proof is not None
    lines = [line.split() for line in proof.splitlines()]
    return [[int(x) for x in line[:-1]] for line in lines if line[0] != "d"]


def test_certificate_of_a_win_has_a_play_and_no_proof() -> None:
    instance = next(hard_instances()).with_hand_size(2)
    certificate = certify(instance)
    assert certificate.proof is None
    assert certificate.verdict.witness is not None
    assert find_broken_rule(instance, certificate.verdict.witness) is None


def test_formulas_are_local_where_the_hand_fills_up() -> None:
    """Blocks between hand dumps cost the same each, however many there are.

    In a block each of ten colors offers the values 4 3 2 1 2 3 4: two of the first three may be
    kept. Between two blocks three cards of a color of their own fill the hand.
    """
    sizes = []
    for blocks in (10, 20, 30):
        cards = []
        for block in range(blocks):
            cards += [(10, 4 * block + i) for i in (2, 3, 1, 4)]
            cards += [(k, 4 * block + i) for k in range(10) for i in (4, 3, 2, 1, 2, 3, 4)]
        instance = Instance(2, cards)
        sizes.append(encode(instance).cnf.n_literals)
        verdict = solve(instance)
        assert verdict.witness is not None
        assert find_broken_rule(instance, verdict.witness) is None
    assert sizes == [sizes[0], 2 * sizes[0], 3 * sizes[0]]
    assert sizes[0] > 1000
