"""Fitting the model to games: penalised maximum likelihood, with cross-validation by game.

The loss is the mean of minus the logarithms of the chances of what people did, plus half the sum of
squared weights of standardized features times the penalty, divided by the number of decisions. It
is minimised by Adam [Kingma2015].
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from hanabi.ground import InvalidInputError, Pool, counted
from hanabi.people.features import FEATURES, Feature, features_of
from hanabi.people.model import Net
from hanabi.rules import Action, GameRecord, View, parse_input, replay_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats: TypeAlias = npt.NDArray[np.float32]
    Numbers: TypeAlias = npt.NDArray[np.int64]

__all__ = [
    "FOLDS",
    "Choices",
    "Fit",
    "Observed",
    "Spec",
    "decisions_of",
    "fit",
    "gather",
    "observe",
]

FOLDS = 5
PENALTIES = (20.0, 60.0, 200.0)
HIDDEN, MEMBERS = 32, 3

_BATCH, _LOGIT, _NETWORK = 256, (12, 1e-2), (20, 2e-3)  # epochs and rate of a logit, of a network
_STEPS = 300  # at least
_PART = 1 << 10  # decisions at a time
_LEAST = 1e-30


def decisions_of(text: str, only: Sequence[str] = ()) -> list[tuple[View, Action]]:
    """Return what people saw and did in a game, as far as what they did is a legal action.

    Parameters
    ----------
    text
        The game, in any form of `docs/notation.md`.
    only
        The names of the people; by default all players are.

    Raises
    ------
    InvalidInputError
        If it is no game.
    """
    record = parse_input(text)
    if not isinstance(record, GameRecord):
        raise InvalidInputError("this is no game with actions")
    found = [
        (before.view(before.seat_to_act), after.actions[-1])
        for before, after in pairwise(replay_of(record).positions)
        if not only or record.names[before.seat_to_act] in only
    ]
    return [(view, action) for view, action in found if action in view.legal_actions]


class Observed(NamedTuple):
    """The decisions of a game: features, a row for each legal action, and which were chosen."""

    features: Floats
    sizes: list[int]
    chosen: list[int]
    seats: int


def observe(decisions: Sequence[tuple[View, Action]]) -> Observed:
    """Return the features and choices of the decisions of a game.

    Raises InvalidInputError if `hgroup` does not play its rules.
    """
    import numpy as np

    rows = [features_of(view) for view, _ in decisions]
    chosen = [view.legal_actions.index(action) for view, action in decisions]
    return Observed(np.concatenate(rows), [*map(len, rows)], chosen, decisions[0][0].rules.seats)


@dataclass(frozen=True)
class Choices:
    """The decisions of many games.

    Attributes
    ----------
    features
        A row for each legal action of each decision, one decision after the other.
    sizes, starts
        By decision, its number of actions, and the row of its first one.
    chosen
        By decision, the place of the action chosen, from 0.
    games
        By decision, the number of its game, from 0.
    """

    features: Floats
    sizes: Numbers
    starts: Numbers
    chosen: Numbers
    games: Numbers

    def part(self, which: Numbers) -> tuple[Floats, Numbers, Numbers]:
        """Return the rows of some decisions, where each begins, and the rows of those chosen."""
        import numpy as np

        sizes = self.sizes[which]
        starts = np.cumsum(sizes) - sizes
        rows = np.repeat(self.starts[which] - starts, sizes) + np.arange(sizes.sum())
        return self.features[rows], starts, starts + self.chosen[which]

    def parts(self, which: Numbers) -> Iterator[tuple[Floats, Numbers, Numbers]]:
        """Yield some decisions, a thousand at a time."""
        for first in range(0, len(which), _PART):
            yield self.part(which[first : first + _PART])


def gather(games: Sequence[Observed]) -> Choices:
    """Return the decisions of several games."""
    import numpy as np

    sizes = np.array([size for game in games for size in game.sizes])
    chosen = np.array([place for game in games for place in game.chosen])
    numbers = np.repeat(np.arange(len(games)), [len(game.sizes) for game in games])
    features = np.concatenate([game.features for game in games])
    return Choices(features, sizes, np.cumsum(sizes) - sizes, chosen, numbers)


@dataclass(frozen=True, slots=True)
class Spec:
    """A model to fit: hidden units (0: a logit), networks whose chances are averaged, penalty."""

    hidden: int
    members: int
    penalty: float


def _spread(values: Any, starts: Numbers, rows: int) -> Any:
    """Return a value for each row, from one for each decision."""
    import numpy as np

    return np.repeat(values, np.diff(starts, append=rows))


def _chances(net: Net, rows: Floats, starts: Numbers) -> Any:
    """Return the softmax of utilities within each decision."""
    import numpy as np

    utilities = net.utilities(rows)
    most = np.maximum.reduceat(utilities, starts)
    raised = np.exp(utilities - _spread(most, starts, len(rows)))
    return raised / _spread(np.add.reduceat(raised, starts), starts, len(rows))


def loss_and_slopes(
    net: Net, rows: Floats, starts: Numbers, chosen: Numbers, decay: float
) -> tuple[float, Net]:
    """Return the penalised loss of decisions, as `Choices.part` returns them, and its derivatives.

    `decay` is the penalty, divided by the number of all decisions.
    """
    import numpy as np

    slope = _chances(net, rows, starts)
    loss = -float(np.log(np.maximum(slope[chosen], _LEAST)).mean())
    loss += decay / 2 * float(sum((part**2).sum() for part in (net.direct, net.inner, net.outer)))
    slope[chosen] -= 1
    slope /= len(starts)
    before = rows @ net.inner + net.bias
    inner = slope[:, None] * net.outer * (before > 0)
    return loss, Net(
        rows.T @ slope + decay * net.direct,
        rows.T @ inner + decay * net.inner,
        inner.sum(axis=0),
        np.maximum(before, 0).T @ slope + decay * net.outer,
    )


def train(choices: Choices, which: Numbers, spec: Spec, seed: int) -> Net:
    """Return a network fitted to some decisions, whose features are standardized, by Adam."""
    import numpy as np

    rng, count, hidden = np.random.default_rng(seed), choices.features.shape[1], spec.hidden
    parts = (
        np.zeros(count),
        rng.normal(size=(count, hidden)) / np.sqrt(count),
        np.zeros(hidden),
        rng.normal(size=hidden) * 0.1,
    )
    net = Net(*(part.astype(np.float32) for part in parts))
    mean, square = ([np.zeros_like(part) for part in net] for _ in range(2))
    epochs, rate = _NETWORK if hidden else _LOGIT
    batches = -(-len(which) // _BATCH)
    epochs, step = max(epochs, _STEPS // batches), 0
    steps = epochs * batches
    for _ in range(epochs):
        order = rng.permutation(which)
        for first in range(0, len(order), _BATCH):
            batch = choices.part(np.sort(order[first : first + _BATCH]))
            _, slopes = loss_and_slopes(net, *batch, spec.penalty / len(which))
            now, step = rate * (1 - step / steps), step + 1
            for part, slope, m, s in zip(net, slopes, mean, square, strict=True):
                m += 0.1 * (slope - m)
                s += 0.001 * (slope**2 - s)
                part -= now * (m / (1 - 0.9**step)) / (np.sqrt(s / (1 - 0.999**step)) + 1e-8)
    return net


def score(choices: Choices, which: Numbers, nets: Sequence[Net]) -> Any:
    """Return, by decision, minus the log chance of what was chosen, and its place from 0."""
    import numpy as np

    found = list[Any]()
    for rows, starts, chosen in choices.parts(which):
        mean = np.mean([_chances(net, rows, starts) for net in nets], axis=0)
        is_better = mean > _spread(mean[chosen], starts, len(rows))
        place = np.add.reduceat(is_better, starts, dtype=np.int64)
        found.append(np.column_stack([-np.log(np.maximum(mean[chosen], _LEAST)), place]))
    return np.concatenate(found)


class Fit(NamedTuple):
    """What was fitted.

    Attributes
    ----------
    features
        The features used: those that ever differ.
    specs
        The logit and the networks, each with its best penalty.
    scores
        For each, what `score` says of the decisions while their games were kept apart.
    nets
        The networks of the better one, fitted to all games, for features as they are.
    weights
        For each feature, its weight in the logit, in nats for one unit, and its standard error,
        clustered by game.
    """

    features: list[Feature]
    specs: list[Spec]
    scores: list[Any]
    nets: list[Net]
    weights: list[tuple[float, float]]

    @property
    def best(self) -> int:
        """Which foretells games kept apart better: 0 the logit, 1 the networks."""
        return int(self.scores[1][:, 0].mean() < self.scores[0][:, 0].mean())


def fit(choices: Choices, tell: Callable[[str, int, int], None], pool: Pool) -> Fit:
    """Fit a logit and networks, with penalties chosen by cross-validation over games.

    Parameters
    ----------
    choices
        The decisions.
    tell
        Is told what is being done, how much is done, and of how much.
    pool
        Threads.

    Raises
    ------
    InvalidInputError
        If there are fewer games than folds.
    """
    import numpy as np

    n = int(choices.games.max()) + 1
    if n < FOLDS:
        raise InvalidInputError(f"{counted(n, 'game')} cannot be fitted: give {FOLDS} or more")
    scale = choices.features.std(axis=0)
    used = np.flatnonzero(scale > 1e-6)
    scale = scale[used]
    scaled = np.ascontiguousarray(choices.features[:, used]) / scale
    choices = Choices(scaled, choices.sizes, choices.starts, choices.chosen, choices.games)
    folds, every = np.random.default_rng(0).permutation(n) % FOLDS, np.arange(len(choices.sizes))
    folds = folds[choices.games]

    def judged(spec: Spec) -> Any:
        """Return the scores of all decisions by fits to the games of other folds."""
        jobs = [
            [pool.submit(train, choices, every[folds != fold], spec, seed) for seed in range(n)]
            for n in [spec.members]
            for fold in range(FOLDS)
        ]
        found = np.zeros((len(every), 2))
        for fold, nets in enumerate(jobs):
            kept = every[folds == fold]
            found[kept] = score(choices, kept, [job.result() for job in nets])
        return found

    specs, scores = list[Spec](), list[Any]()
    at, total = 0, 2 * len(PENALTIES) + 1
    for hidden, members, name in ((0, 1, "logit"), (HIDDEN, MEMBERS, "networks")):
        tried = list[tuple[float, Spec, Any]]()
        for penalty in PENALTIES:
            tell(f"cross-validating the {name}, penalty {penalty:g}", at, total)
            spec, at = Spec(hidden, 1, penalty), at + 1
            found = judged(spec)
            tried.append((found[:, 0].mean(), spec, found))
        _, spec, found = min(tried, key=lambda each: each[0])
        if members > 1:
            tell(f"cross-validating {members} {name}", at, total)
            spec, at = Spec(hidden, members, spec.penalty), at + 1
            found = judged(spec)
        specs.append(spec)
        scores.append(found)
    tell("fitting to all games", at, total)
    logit, errors = _finish(choices, every, train(choices, every, specs[0], 0), specs[0].penalty)
    fitted = Fit([FEATURES[each] for each in used], specs, scores, [logit], [])
    if fitted.best:
        jobs = [pool.submit(train, choices, every, specs[1], seed) for seed in range(MEMBERS)]
        fitted = fitted._replace(nets=[job.result() for job in jobs])
    return fitted._replace(
        nets=[
            net._replace(direct=net.direct / scale, inner=net.inner / scale[:, None])
            for net in fitted.nets
        ],
        weights=[*zip((logit.direct / scale).tolist(), (errors / scale).tolist(), strict=True)],
    )


def _finish(choices: Choices, every: Numbers, net: Net, penalty: float) -> tuple[Net, Any]:
    """Return a logit after one more step by Newton's method, and its errors, clustered by game."""
    import numpy as np

    curve, slopes = penalty * np.eye(len(net.direct)), list[Any]()
    for rows, starts, chosen in choices.parts(every):
        chances = _chances(net, rows, starts)[:, None]
        mean = np.add.reduceat(rows * chances, starts, axis=0)
        bent = rows * np.sqrt(chances)
        curve += bent.T @ bent - mean.T @ mean
        slopes.append(rows[chosen] - mean)
    bread, each = np.linalg.inv(curve), np.concatenate(slopes).astype(np.float64)
    step = bread @ (each.sum(axis=0) - penalty * net.direct)
    by_game = np.zeros((int(choices.games.max()) + 1, len(net.direct)))
    np.add.at(by_game, choices.games, each)
    errors = np.sqrt(np.diag(bread @ (by_game.T @ by_game) @ bread))
    return net._replace(direct=net.direct + step.astype(np.float32)), errors
