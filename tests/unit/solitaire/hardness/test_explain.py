from __future__ import annotations

import pytest

from hanabi.ground.errors import InvalidInputError
from hanabi.solitaire.hardness import VARIANTS, Formula, random_formula, reduce
from hanabi.solitaire.hardness.explain import columns, describe


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_gadget_has_its_sentence(variant: str) -> None:
    options = {"hand_size": 3, "players": 2, "multiplicity": 3}
    if variant == "two_colors":  # a hand of five for each clause
        options["hand_size"] = (5 * 85 + 1) // 2
    reduction = reduce(random_formula(20, seed=1), variant=variant, **options)  # type: ignore[arg-type]
    sentences = list(describe(reduction, reduction.annotation))
    assert "and 73 more clauses" in sentences[0]
    hidden = reduction.c - 12
    assert (f"and {hidden:,} more" in sentences[2]) == (hidden > 0)
    assert not [sentence for sentence in sentences if "unknown use" in sentence]
    roles = {span.role for span in reduction.annotation.spans}
    assert len(sentences) == 3 + len(roles)


def test_columns_cover_the_range_asked_for() -> None:
    reduction = reduce(Formula(3, ((1, -2, 3),)))
    shown = columns(reduction, reduction.annotation, 5, 40)
    cells = [cell for column in shown for cell in column.cells]
    assert [cell.value for cell in cells] == [str(v) for v in reduction.values[4:40]]
    assert columns(reduction, reduction.annotation, 122) == []
    for first, last in ((0, 5), (1, 122), (9, 7)):
        with pytest.raises(InvalidInputError, match="are not within 1"):
            columns(reduction, reduction.annotation, first, last)
