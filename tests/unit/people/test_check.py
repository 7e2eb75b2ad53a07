"""How well players foretell decisions."""

from __future__ import annotations

from fractions import Fraction
from math import log

import numpy as np
import pytest

from hanabi.conventions import HGroup
from hanabi.ground.rng import Stream
from hanabi.people.check import Asked, Judged, clustered, judge, rows_of
from hanabi.players import FirstLegal
from hanabi.rules import Action, Game, Kind, Rules, View


class Even:
    """Holds all actions to be equally likely, but for one that is twice as likely."""

    def act(self, view: View, _: Stream, /) -> Action:
        return view.legal_actions[0]

    def chances(self, view: View, /) -> dict[Action, Fraction]:
        n = len(view.legal_actions) + 1
        first, *rest = view.legal_actions
        return {first: Fraction(2, n), **dict.fromkeys(rest, Fraction(1, n))}


def test_chances_ranks_and_choices_are_judged() -> None:
    rules = Rules.hanab_live(2)
    view = Game.start(rules, rules.spec.shuffle(seed=1)).view(0)
    first, second, *_ = view.legal_actions
    n = len(view.legal_actions)
    players = [Asked(each, each.act) for each in (Even(), HGroup(1), FirstLegal())]
    by_chances, by_ranks, by_choice = judge([(view, first), (view, second)], players)
    assert [*by_chances[0]] == [2, 0, first.kind, 1, 1, pytest.approx(log((n + 1) / 2))]
    assert [*by_chances[1]] == [
        2,
        0,
        second.kind,
        0,
        pytest.approx(2 / (n - 1)),
        pytest.approx(log(n + 1)),
    ]
    place = HGroup(1).ranked(view).index(second)
    assert tuple(by_ranks[1]) == (2, 0, second.kind, place < 1, place < 3, None)
    assert [each.first for each in by_choice] == [1, 0]
    assert by_choice[0].three is by_choice[0].loss is None


def test_errors_are_those_of_independent_games() -> None:
    rng = np.random.default_rng(2)
    games, drawn = np.repeat(np.arange(200), 10), rng.normal(size=200)
    mean, error = clustered(games.tolist(), np.repeat(drawn, 10).tolist()) or (0, 0)
    assert mean == pytest.approx(drawn.mean())
    assert error == pytest.approx(drawn.std(ddof=1) / np.sqrt(200))  # ten that say the same
    # The error of a ratio, if games differ in length.
    mean, error = clustered([0, 0, 0, 0, 1, 2, 2], [1, 0, 0, 1, 1, 0, 1]) or (0, 0)
    assert mean == 4 / 7
    gaps = 2 - 4 * mean, 1 - mean, 1 - 2 * mean
    assert error == pytest.approx(np.sqrt(sum(gap**2 for gap in gaps) * 3 / 2) / 7)


def test_rows_are_of_all_decisions_by_seats_by_kind_and_by_turn() -> None:
    games = [
        [Judged(2, 0, Kind.PLAY, 1, 1, 0.5), Judged(2, 20, Kind.DISCARD, 0, 1, 1.5)],
        [Judged(3, 99, Kind.PLAY, 0, 0, 4.0)],
    ]
    found = {row.name: row for row in rows_of(games)}
    assert found["all"].decisions == 3
    assert found["all"].loss == pytest.approx((2, 4 / 3))  # sums over games: -2 and 2
    assert found["plays"].decisions == 2
    assert found["plays"].first == (0.5, 0.5)
    assert found["turns 1 to 15"].loss == (0.5, None)
    assert found["turns 16 to 30"].decisions == found["turns 46 on"].decisions == 1
    assert found["color hints"].first is None
    assert found["2 seats"].first == (0.5, None)
    assert found["3 seats"].decisions == 1
    assert "2 seats" not in {row.name for row in rows_of(games[:1])}
