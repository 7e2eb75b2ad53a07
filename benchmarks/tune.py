"""Tune the weights and tables of the convention player by hill climbing.

Run with ``python -m benchmarks.tune [ROUNDS [DEALS [SEED]]]``. A round takes the weights in random
order and tries each a step up and a step down, on that many deals, the same for all weights and new
for each round. It keeps a change that gains 1.5 standard errors of the difference. Then the result
is compared with the present weights on other deals. ``--against WEIGHT=VALUE ...`` compares these
changes instead, without climbing. ``--search N`` also compares both under a search on N more deals:
`belief` with ``--worlds`` worlds, in ``--workers`` processes.

Name a table entry with its number: `BY_PACE+3`. A part, such as `ASIDE`, is 0 or 1; the climb
leaves the meanings of hints alone.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from benchmarks.endgame import describe
from benchmarks.gains import play
from hanabi.ground.rng import Stream
from hanabi.players.arena import outcomes
from hanabi.players.belief import Belief
from hanabi.players.convention import TABLES, WEIGHTS, Convention
from hanabi.players.convention import kernels as k
from hanabi.players.convention.kernels import ConventionPolicy
from hanabi.rules import Rules

SEED = 4711
MANY = 5  # times the deals of a round, for the final figure
RULES = Rules.hanab_live(2)
PARTS = ("RANK_CALLS", "DISCARD_CALLS", "SAVES", "NEWEST", "ASIDE")
Weights = dict[str, int]


def present() -> Weights:
    """Return the weights, and the table entries that matter, by name."""
    words = {name: weight for name, weight in WEIGHTS.items() if name != "PLAY_WORTH"}  # the unit
    for name, table in TABLES.items():
        inner = range(1, len(table) - (name == "HINT_FROM"))  # no choice depends on the others
        words |= {f"{name}+{index}": table[index] for index in inner}
    return words


def word_of(name: str) -> int:
    """Return where a weight is in the policy's options."""
    table, _, index = name.partition("+")
    return int(getattr(k, table)) + int(index or 0)


@dataclass(frozen=True, slots=True)
class Weighted(Convention):
    """The convention player with some other weights."""

    changes: tuple[tuple[str, int], ...] = ()

    def compiled(self, rules: Rules, /) -> ConventionPolicy:
        """Return the compiled policy with the changed weights."""
        policy = Convention.compiled(self, rules)
        for name, weight in self.changes:
            policy.options[word_of(name)] = weight
        return policy


def scores(changes: Weights, deals: int, seed: int) -> npt.NDArray[np.int64]:
    """Return the score of each deal; a bombed game scores 0."""
    ends = np.array(outcomes(Weighted(changes=tuple(changes.items())), RULES, deals, seed=seed))
    return np.where(ends & 1, 0, ends >> 1)


def climb(rounds: int, deals: int, seed: int) -> Iterator[tuple[Weights, str]]:
    """Yield the changes so far, and a line about the last one, whenever one is kept."""
    weights, changes, stream = present(), Weights(), Stream(seed)
    for number in range(1, rounds + 1):
        before = scores(changes, deals, seed + number)
        for name in stream.shuffled(list(weights)):
            here = changes.get(name, weights[name])
            for step in stream.shuffled([-1, 1]):
                trial = changes | {name: here + step}
                after = scores(trial, deals, seed + number)
                gain, error = describe((after - before).tolist())
                if gain > 1.5 * error:
                    changes, before = trial, after
                    line = f"round {number}: {name} {here} -> {here + step}"
                    yield changes, f"{line}, {gain:+.4f} +- {error:.4f}"
                    break


def print_comparison(changes: Weights, deals: int, seed: int) -> None:
    """Print both means, shares of perfect games, and the differences."""
    before, after = scores({}, deals, seed), scores(changes, deals, seed)
    perfect = [(values == RULES.max_score).astype(np.int64) for values in (before, after)]
    for name, (one, other) in (("mean", (before, after)), ("perfect", perfect)):
        gain, error = describe((other - one).tolist())
        means = f"{one.mean():.4f} -> {other.mean():.4f}"
        print(f"{name}, {deals:,} deals: {means}, {gain:+.4f} +- {error:.4f}")


def print_search(changes: Weights, deals: int, seed: int, worlds: int, workers: int) -> None:
    """Print a search's gain on both players, and the difference of their scores with it."""
    alone = [scores(each, 100_000, seed).mean() for each in ({}, changes)]
    searched = []
    with ProcessPoolExecutor(workers) as pool:
        for each, mean in zip(({}, changes), alone, strict=True):
            player = Belief(Weighted(changes=tuple(each.items())), worlds=worlds, deals=1)
            games = list(pool.map(partial(play, player, RULES, seed), range(deals)))
            gains = np.array([game.points for game in games])
            gain, error = describe(gains.tolist())
            perfect = sum(game.end.score == RULES.max_score for game in games) / deals
            print(f"alone {mean:.3f}, search {gain:+.3f} +- {error:.3f}, {perfect:.1%} perfect")
            searched.append(mean + gains)
    gain, error = describe((searched[1] - searched[0]).tolist())
    print(f"with search, {deals:,} deals: {gain:+.3f} +- {error:.3f}")


def parse_changes(words: Sequence[str], parser: argparse.ArgumentParser) -> Weights:
    """Read `WEIGHT=VALUE` words."""
    changes, names = Weights(), [*present(), *PARTS]
    for word in words:
        name, _, value = word.partition("=")
        if name not in names:
            parser.error(f"no weight {name!r}: one of {', '.join(names)}")
        try:
            changes[name] = int(value)
        except ValueError:
            parser.error(f"{word!r} is not {name}= and a whole number")
    return changes


def main() -> None:
    """Climb, or take the given changes; then compare on deals that chose nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rounds", type=int, nargs="?", default=1)
    parser.add_argument("deals", type=int, nargs="?", default=200)
    parser.add_argument("seed", type=int, nargs="?", default=SEED)
    parser.add_argument("--against", nargs="+", metavar="WEIGHT=VALUE", default=[])
    parser.add_argument("--search", type=int, default=0, metavar="N")
    parser.add_argument("--worlds", type=int, default=100)
    parser.add_argument("--workers", type=int, default=1)
    given = parser.parse_args()
    changes = parse_changes(given.against, parser)
    if not changes:
        for step in climb(given.rounds, given.deals, given.seed):
            changes, line = step
            print(line, flush=True)
    print(" ".join(f"{name}={weight}" for name, weight in changes.items()) or "nothing changed")
    print_comparison(changes, MANY * given.deals, given.seed + given.rounds + 1)
    if given.search:
        print_search(
            changes, given.search, given.seed + given.rounds + 2, given.worlds, given.workers
        )


if __name__ == "__main__":
    main()
