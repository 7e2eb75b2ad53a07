"""Fitting: derivatives against finite differences, errors, and games of a known player."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from hanabi.conventions import HGroup
from hanabi.ground.errors import InvalidInputError
from hanabi.ground.rng import Stream
from hanabi.ground.workers.pool import open_executor
from hanabi.people import fit as fitting
from hanabi.people.features import FEATURES
from hanabi.people.fit import Choices, Fit, decisions_of, fit, gather, observe
from hanabi.people.model import Net
from hanabi.players import play_game
from hanabi.rules import Game, Rules


def test_derivatives_are_those_of_finite_differences() -> None:
    rng = np.random.default_rng(1)
    net = Net(*(rng.normal(size=shape) for shape in ((4,), (4, 3), (3,), (3,))))  # type: ignore[arg-type]
    rows, starts = rng.normal(size=(9, 4)), np.array([0, 2, 6])
    chosen = np.array([1, 5, 6])
    loss, slopes = fitting.loss_and_slopes(net, rows, starts, chosen, 0.3)  # type: ignore[arg-type]
    for part, slope in zip(net, slopes, strict=True):
        for at in np.ndindex(part.shape):
            before = part[at]
            part[at] = before + 1e-6
            more, _ = fitting.loss_and_slopes(net, rows, starts, chosen, 0.3)  # type: ignore[arg-type]
            part[at] = before
            assert (more - loss) / 1e-6 == pytest.approx(slope[at], abs=1e-4)


def test_parts_are_the_rows_of_decisions() -> None:
    features = np.arange(12, dtype=np.float32).reshape(6, 2)
    sizes, chosen = np.array([2, 1, 3]), np.array([1, 0, 2])
    choices = Choices(features, sizes, np.array([0, 2, 3]), chosen, np.array([0, 0, 1]))
    rows, starts, best = choices.part(np.array([0, 2]))
    assert rows[:, 0].tolist() == [0, 2, 6, 8, 10]
    assert starts.tolist() == [0, 2]
    assert best.tolist() == [1, 4]


@cache
def choices() -> Choices:
    """Return the decisions of some games of `hgroup`."""
    rules, player, found = Rules.hanab_live(2), HGroup(1), []
    for seed in range(4):
        game = Game.start(rules, rules.spec.shuffle(seed=seed))
        end = play_game([player] * 2, game, Stream(1))
        positions = [game]
        for action in end.actions:
            positions.append(positions[-1].apply(action))
        decisions = [
            (before.view(before.seat_to_act), after.actions[-1])
            for before, after in pairwise(positions)
        ]
        found.append(observe(decisions))
    return gather(found)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fitting, "PENALTIES", (5.0, 20.0))
    monkeypatch.setattr(fitting, "FOLDS", 3)
    monkeypatch.setattr(fitting, "HIDDEN", 4)
    monkeypatch.setattr(fitting, "MEMBERS", 2)
    monkeypatch.setattr(fitting, "_STEPS", 200)


@cache
def fitted() -> Fit:
    with open_executor("threads", 2) as pool:
        return fit(choices(), lambda *_: None, pool)


def test_a_fit_finds_out_that_a_player_keeps_the_conventions() -> None:
    found = fitted()
    scores = found.scores[found.best]
    assert (scores[:, 1] < 1).mean() > 0.85
    weights = dict(zip((each.label for each in found.features), found.weights, strict=True))
    weight, error = weights["any: first1"]
    assert weight > 2 * error > 0


def test_the_logit_is_at_its_optimum() -> None:
    """The weights that it reports have a loss that no other direction improves by much."""
    data, penalty = choices(), fitted().specs[0].penalty
    used = [FEATURES.index(each) for each in fitted().features]
    scale = data.features[:, used].std(axis=0)
    weights = np.array([weight for weight, _ in fitted().weights]) * scale
    net = Net(weights, np.zeros((len(used), 0)), np.zeros(0), np.zeros(0))  # type: ignore[arg-type]
    every = np.arange(len(data.sizes))
    _, starts, chosen = data.part(every)
    rows = data.features[:, used].astype(float) / scale
    loss, slopes = fitting.loss_and_slopes(net, rows, starts, chosen, penalty / len(every))
    slope = slopes.direct
    assert loss < 1
    assert np.abs(slope).max() < 0.05


def test_the_same_games_give_the_same_weights() -> None:
    with open_executor("threads", 1) as pool:
        again = fit(choices(), lambda *_: None, pool)
    for one, other in zip(fitted().nets, again.nets, strict=True):
        for part, same in zip(one, other, strict=True):
            assert np.allclose(part, same, atol=1e-4)


def test_few_games_are_refused() -> None:
    data = choices()
    keep = data.games < 2
    few = Choices(data.features, data.sizes[keep], data.starts[keep], data.chosen[keep],
                  data.games[keep])  # fmt: skip
    with open_executor("serial") as pool, pytest.raises(InvalidInputError, match="2 games cannot"):
        fit(few, lambda *_: None, pool)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"players": 2}', "."),
        ("hand 1 r2 y2", "no game"),
    ],
)
def test_what_is_no_game_is_refused(text: str, message: str) -> None:
    with pytest.raises(InvalidInputError, match=message):
        decisions_of(text)
