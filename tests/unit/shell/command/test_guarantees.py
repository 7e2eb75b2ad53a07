"""What is printed of bounds that do not meet: the factor between them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hanabi.ground import Status, Verdict
from hanabi.solitaire import Instance, LeastHand, MostCards, optima

from ...conftest import Run


@pytest.mark.parametrize(
    ("lower", "upper", "told"), [(3, 4, "1.334 (4 / 3)"), (4, 4, ""), (0, 4, "")]
)
def test_the_factor_between_bounds_is_printed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lower: int, upper: int, told: str
) -> None:
    stream = tmp_path / "stream.txt"
    stream.write_text("hand 1  r2 r3 r2 r3 y2 y3 y1 r1 y2", encoding="utf-8")

    def most_cards(instance: Instance, **_: object) -> MostCards:
        return MostCards(lower, upper, None)

    def least_hand(instance: Instance, **_: object) -> LeastHand:
        verdict = Verdict(Status.UNKNOWN, "paths", "out of time")  # type: ignore[var-annotated]
        return LeastHand(lower, upper, verdict, "out of time")

    monkeypatch.setattr(optima, "most_cards", most_cards)
    monkeypatch.setattr(optima, "least_hand", least_hand)
    printed = run("solve", stream, "--most-cards", "--least-hand").out
    most = f"guarantee   no play has more than {told} times as many\n"
    least = f"guarantee   at most {told} times the least\n"
    assert (most in printed, least in printed) == (bool(told), bool(told))
    assert ("guarantee" in printed) is bool(told)
