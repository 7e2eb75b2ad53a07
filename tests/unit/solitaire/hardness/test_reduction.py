from __future__ import annotations

import io
import json
import pickle
from typing import Any

import numpy as np
import pytest

from hanabi.ground.errors import IllegalActionError, InvalidInputError, SolverError
from hanabi.ground.verdict import Status
from hanabi.solitaire import DrawAction, Instance, Play, solve
from hanabi.solitaire.hardness import (
    VARIANTS,
    Annotation,
    Formula,
    assignment_of,
    decide_by_cards,
    random_formula,
    reduce,
    stream_of,
    winning_play,
    write_json,
)
from hanabi.solitaire.hardness.gadgets import hand_reduction
from hanabi.solitaire.hardness.layout import ramp

ONE = Formula(3, ((1, -2, 3),))


def hand_of(variant: str, hand_size: int) -> dict[str, int]:
    """Return the option of a larger hand, for the variants that have one."""
    return {} if variant == "two_colors" else {"hand_size": hand_size}


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_stream_is_the_same_in_small_blocks(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    formula = random_formula(9, seed=3)
    options: dict[str, Any] = {"multiplicity": 4, **hand_of(variant, 4)}
    whole = reduce(formula, variant=variant, **options)
    monkeypatch.setattr("hanabi.solitaire.hardness.layout.CARDS_A_BLOCK", 5)
    blocks = list(stream_of(formula, variant=variant, **options).blocks())
    assert len(blocks) > 30
    assert np.concatenate([b.values for b in blocks]).tolist() == list(whole.values)
    assert np.concatenate([b.colors for b in blocks]).tolist() == list(whole.colors)
    assert reduce(formula, variant=variant, **options).annotation == whole.annotation


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("options", [{}, {"multiplicity": 4, "hand_size": 3}], ids=str)
def test_annotation_and_json(variant: str, options: dict[str, Any]) -> None:
    if variant == "two_colors":
        options = {key: value for key, value in options.items() if key != "hand_size"}
    reduction = reduce(random_formula(6, seed=3), variant=variant, **options)
    annotation = reduction.annotation
    annotation.check(reduction.N, reduction.c)
    for role, number, first, last in annotation.spans:
        colors = {annotation.colors[k] for k in reduction.colors[first - 1 : last]}
        if role == "variable":
            assert colors == {number, -number}
        if role == "true literals advance":
            assert colors == set(annotation.formula.clauses[number - 1])
        if role == "hand dump":
            assert colors == {"dummy"}
    file = io.BytesIO()
    total = write_json(stream_of(reduction.formula, variant=variant, **options), file)
    document = json.loads(file.getvalue())
    assert total == reduction.N
    assert [(color, value) for value, color in document["cards"]] == list(reduction.cards)
    sizes = reduction.n, reduction.c, reduction.hand_size
    assert sizes == (document["n"], document["c"], document["hand_size"])
    assert Annotation.from_json(document["annotation"]) == annotation
    assert document["annotation"] == json.loads(json.dumps(annotation.to_json()))


def test_empty_formulas_can_be_won() -> None:
    for variant in VARIANTS:
        for n_vars in (0, 1, 4):
            reduction = reduce(Formula(n_vars, ()), variant=variant)
            play = winning_play(reduction, (True,) * n_vars)
            # With two colors there are no cards, so the variables stay open.
            found = assignment_of(reduction, reduction.annotation, play, free=True)
            assert found == (True,) * n_vars


def test_a_reduction_is_an_instance() -> None:
    reduction = reduce(ONE)
    plain = Instance(2, reduction.cards)
    assert reduction == plain
    assert hash(reduction) == hash(plain)
    larger = reduction.with_hand_size(4)
    assert (type(larger), larger.hand_size, larger.cards) == (Instance, 4, reduction.cards)
    copy = pickle.loads(pickle.dumps(reduction))
    assert copy == reduction
    assert copy.annotation == reduction.annotation


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": "papers"}, "unknown variant 'papers'"),
        ({"variant": "slides", "step": 1}, "step 1"),
        ({"hand_size": 0}, "hand_size: 0 is not an integer >= 1"),
        ({"multiplicity": True}, "multiplicity: True"),
        ({"multiplicity": 1}, "has 2 copies of some cards, got 1"),
        ({"hand_size": 1, "multiplicity": 2}, "'four_values' does with h = 1"),
        ({"variant": "compact", "hand_size": 1}, "needs a hand of 2 or more, got 1"),
        ({"copies": "many"}, "copies: 'many'"),
        ({"reduction_by": "any"}, "reduction_by: 'any'"),
        ({"variant": "compact", "as_printed": True}, "no source prints a text"),
        (
            {"variant": "constant_two", "hand_size": 3, "reduction_by": "same"},
            "no values to spare",
        ),
        ({"players": 1, "hand_size": 4}, "players: 1 is not 2 or more"),
        ({"players": 2}, "hand_size is needed"),
        ({"players": 2, "hand_size": 2, "copies": "exact"}, "more than r copies"),
    ],
    ids=str,
)
def test_options_that_do_not_fit_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        reduce(ONE, **options)


@pytest.mark.parametrize("clause", [(1, 2), (1, 1, 2), (1, -1, 2), (1, 2, 3, 4)])
def test_clauses_without_three_variables_are_refused(clause: tuple[int, ...]) -> None:
    with pytest.raises(InvalidInputError, match=r"clause 2 .* has not three different variables"):
        reduce(Formula(4, ((1, 2, 3), clause)))


def test_streams_beyond_32_bits_are_refused() -> None:
    with pytest.raises(InvalidInputError, match=r"more than 2\*\*31"):
        stream_of(random_formula(40_000, ratio=1, seed=1))


def test_a_hand_is_not_reduced_by_nothing() -> None:
    with pytest.raises(InvalidInputError, match="reduced by 0"):
        hand_reduction(0)


def test_a_ramp_may_be_empty() -> None:
    values, colors = ramp(np.array([1, 2]), np.array([5, 4]), 4)
    assert (values.tolist(), colors.tolist()) == ([4], [2])


def test_certificates_are_checked() -> None:
    reduction = reduce(ONE)
    with pytest.raises(InvalidInputError, match=r"clause 1 .* false"):
        winning_play(reduction, (False, True, False))
    with pytest.raises(InvalidInputError, match="2 values for 3 variables"):
        winning_play(reduction, (False, True))
    with pytest.raises(IllegalActionError, match="the play ends before"):
        assignment_of(reduction, reduction.annotation, Play())
    wrong = Annotation("paper", Formula(3, ((-1, 2, 3),)), *_rest(reduction.annotation))
    play = winning_play(reduction, (True, False, False))
    with pytest.raises(SolverError, match="makes clause 1 false"):
        assignment_of(reduction, wrong, play)


def _rest(annotation: Annotation) -> tuple[Any, Any]:
    return annotation.colors, annotation.spans


def test_plays_that_wait_are_read_alike() -> None:
    """A play may hold a playable 2 past its gadget: what counts is which copy it puts down."""
    reduction = reduce(Formula(3, ()), variant="compact")
    moves = [(move.position, move.action) for move in winning_play(reduction, (True, True, True))]
    index = moves.index((10, DrawAction.PLAY))  # the true 2 of x3, played from the hand after its 1
    late = [*moves[:index], *moves[index + 1 : index + 2], moves[index], *moves[index + 2 :]]
    assert late != moves
    assert assignment_of(reduction, reduction.annotation, Play(late)) == (True, True, True)


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_whole_way_round(variant: str) -> None:
    for clauses, expected in (
        (((1, 2), (-1, 2), (1, -2)), (True, True)),
        (((1, 2), (-1, 2), (1, -2), (-1, -2)), None),
    ):
        decision = decide_by_cards(Formula(2, clauses), variant=variant)
        assert (decision.is_satisfiable, decision.assignment) == (expected is not None, expected)


def test_a_budget_that_ends_is_an_answer() -> None:
    decision = decide_by_cards(random_formula(60, seed=1), variant="paper", seconds=0)
    assert decision.verdict.status is Status.UNKNOWN
    assert decision.is_satisfiable is None
    assert decision.assignment is None


def test_a_reduction_can_be_solved_like_any_instance() -> None:
    assert solve(reduce(ONE, variant="compact")).is_winnable


ANNOTATION = {"variables": 1, "clauses": [], "colors": [], "gadgets": [], "variant": "paper"}
GADGET = {"role": "variable", "number": 1, "first": 1, "last": 1}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], "is not an object"),
        ({"variables": 1}, "clauses is missing"),
        ({**ANNOTATION, "variables": "x"}, "annotation.variables: 'x' is not an integer"),
        ({**ANNOTATION, "clauses": [[2]]}, "annotation: clause 1: literal 2"),
        ({**ANNOTATION, "clauses": [["1"]]}, r"annotation.clauses\[0\]\[0\]: '1' is not an int"),
        ({**ANNOTATION, "clauses": 5}, "annotation.clauses: 5 is not an array"),
        ({**ANNOTATION, "colors": [1.9]}, r"annotation.colors\[0\]: 1.9 is not an integer"),
        ({**ANNOTATION, "gadgets": [{"role": ""}]}, r"annotation.gadgets\[0\]: number is missing"),
        ({**ANNOTATION, "gadgets": [{**GADGET, "role": ""}]}, "role: it is empty"),
        ({**ANNOTATION, "variant": 7}, "annotation.variant: 7 is not a string"),
    ],
    ids=str,
)
def test_bad_annotations_are_refused(data: object, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        Annotation.from_json(data)


def test_an_annotation_must_fit_its_cards() -> None:
    annotation = reduce(ONE).annotation
    with pytest.raises(InvalidInputError, match="7 colors are explained, the cards have 8"):
        annotation.check(121, 8)
    with pytest.raises(InvalidInputError, match="ends with card 121 of 122"):
        annotation.check(122, 7)
    holey = Annotation("paper", ONE, annotation.colors, annotation.spans[1:])
    with pytest.raises(InvalidInputError, match=r"2 \.\. 11 does not follow card 0"):
        holey.check(121, 7)
